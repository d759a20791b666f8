"""A course in a real browser, for tests and benchmarks: a JupyterLab server, a headless Chromium, explorers to move."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest
from playwright.sync_api import TimeoutError as NothingHappened
from playwright.sync_api import sync_playwright

from tests.elsewhere import ROOT, unrun
from tools import notebook

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "google-chrome-stable"))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SETTINGS = {"@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False}}

# In .ci/run a missing browser is a failure; elsewhere the tests that need it are skipped, and say so.
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "COURSE_BROWSER" not in os.environ, reason="no chromium or google-chrome on the PATH"
)

# What a reader can move in an explorer: where the focus goes, by kind of control, and what to press to move it.
CONTROLS = {
    "slider": (".widget-slider [role=slider]", ["ArrowRight"], ["ArrowLeft"]),
    # JupyterLab takes the arrows for itself until the list is open.
    "dropdown": (".widget-dropdown select", ["Space", "ArrowDown", "Enter"], ["Space", "ArrowUp", "Enter"]),
    "checkbox": (".widget-checkbox input", ["Space"]),
    "button": ("button.jupyter-button", ["Space"]),
    "text": (".widget-text input",),
}
EXPLORER = ".jp-OutputArea-output:has(.jupyter-widgets)"
PICTURE = "explorer => [...explorer.querySelectorAll('.widget-html-content')].map(it => it.innerHTML).join('\\n')"
CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model)
    .filter(cell => cell.type === 'code' && cell.sharedModel.getSource().trim())
    .map(cell => ({count: cell.executionCount, outputs: cell.outputs.toJSON()}))"""
WIDGET = "application/vnd.jupyter.widget-view+json"


@contextmanager
def chromium():
    """A headless Chromium, as Playwright's Browser. Nothing is downloaded: it is the machine's own."""
    if CHROMIUM is None:
        raise FileNotFoundError("There is no chromium or google-chrome on the PATH.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def course(folder):
    """Put a copy of the course, without any learner's work, into a new folder.

    `notebooks/` holds what a learner opens, `solved/` the same with solutions; neither has outputs.
    """
    shutil.copytree(ROOT / "utils", folder / "utils", ignore=shutil.ignore_patterns("__pycache__"))
    for place, kind in {"notebooks": "untouched", "solved": "solved"}.items():
        (folder / place).mkdir()
        for source in sorted((ROOT / "solutions").glob("[0-9][0-9]_*.py")):
            cells = notebook.text(unrun(source.stem, kind))
            (folder / place / f"{source.stem}.ipynb").write_text(cells, encoding="utf-8")


class Server:
    """A JupyterLab server of this Python, with a home of its own.

    Parameters
    ----------
    folder : Path
        What it serves.
    home : Path
        An empty folder for settings, logs and caches.
    """

    def __init__(self, folder, home):
        self._token = secrets.token_hex()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._address, self._log = f"http://127.0.0.1:{port}", home / "server.log"
        for plugin, values in SETTINGS.items():
            file = home / "settings" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values), encoding="utf-8")
        folders = {name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
        folders |= {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
        folders |= {"JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"), "HOME": str(home)}
        grading = ("COURSE_STRICT", "NBGRADER_EXECUTION")
        machine = {name: value for name, value in os.environ.items() if name not in grading}
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser",
            f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={self._token}",
        ]  # fmt: skip
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=folder, env={**machine, **folders, "OMP_NUM_THREADS": "1"}, stdout=log, stderr=log
            )
        self._wait()

    def url(self, path):
        """Where JupyterLab opens a notebook, and nothing that was open before."""
        return f"{self._address}/lab/tree/{path}?reset&token={self._token}"

    def idle(self):
        """Whether there is a kernel, and all kernels have nothing to do."""
        kernels = self._get("/api/kernels")
        return bool(kernels) and all(kernel["execution_state"] == "idle" for kernel in kernels)

    def stop(self):
        """End the server and its kernels."""
        self._process.terminate()
        self._process.wait(timeout=30)

    def _get(self, path):
        with urllib.request.urlopen(f"{self._address}{path}?token={self._token}", timeout=10) as answer:
            return json.load(answer)

    def _wait(self, seconds=60):
        until = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < until:
            try:
                return self._get("/api")
            except OSError:
                time.sleep(0.2)
        self._process.kill()
        raise RuntimeError(f"JupyterLab did not start:\n{self._log.read_text(encoding='utf-8', errors='replace')}")


@contextmanager
def server(folder):
    """A JupyterLab server on a fresh copy of the course in `folder`; ends with the block."""
    course(folder / "my course")
    (folder / "home").mkdir()
    running = Server(folder / "my course", folder / "home")
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def opened(browser, server, path, seconds=300):
    """A notebook that a reader has opened and run to its end, from the menu.

    Parameters
    ----------
    browser : Playwright's Browser
    server : Server
    path : str
        Relative to the course's folder. The notebook has no outputs.
    seconds : float
        What all its cells together may take; TimeoutError when they take longer.

    Yields
    ------
    (page, errors) : Playwright's Page, list of str
        `errors` fills with what the browser's console calls an error.
    """
    page, errors = browser.new_page(viewport={"width": 1300, "height": 1200}), []
    page.on("console", lambda message: message.type == "error" and errors.append(f"{message.text} {message.location}"))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.url(path))
    page.locator(".jp-Notebook").wait_for(timeout=60_000)
    page.wait_for_function("() => jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel", timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    until = time.monotonic() + seconds
    while not (failures(page) or server.idle() and all(cell["count"] for cell in page.evaluate(CELLS))):
        if time.monotonic() > until:
            raise TimeoutError(f"{path} has not come to its end after {seconds} seconds.")
        page.wait_for_timeout(300)
    yield page, errors
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.close()


def failures(page):
    """The errors in the notebook's outputs, as a list of str."""
    return [f"{o['ename']}: {o['evalue']}" for o in _outputs(page) if o["output_type"] == "error"]


def explorers(page):
    """Every output that has controls, as Playwright's Locators, after all have been drawn."""
    expected = sum(WIDGET in output.get("data", {}) for output in _outputs(page))
    page.wait_for_function(
        "([where, expected]) => document.querySelectorAll(where).length === expected", arg=[EXPLORER, expected]
    )
    return page.locator(EXPLORER).filter(has=page.locator(", ".join(_places().values()))).all()


def controls(explorer):
    """The controls of an explorer, as Playwright's Locators, in their order."""
    return explorer.locator(", ".join(_places().values())).all()


def kind(control):
    """Which of CONTROLS a control is."""
    return next(name for name, place in _places().items() if control.evaluate("(it, at) => it.matches(at)", place))


def label(control):
    """What stands on a control or beside it."""
    beside = "it => it.closest('.jupyter-widgets').querySelector('.widget-label')?.textContent"
    return control.evaluate(beside) or control.evaluate("it => it.closest('.jupyter-widgets').textContent")


def move(explorer, control):
    """Move a control by keyboard, one step in one direction or the other. Returns whether the picture changed."""
    if not control.is_enabled():
        return False
    if kind(control) == "text":
        return changes(explorer, lambda: _retype(control))
    return any(changes(explorer, lambda keys=keys: press(control, keys)) for keys in CONTROLS[kind(control)][1:])


def press(control, keys):
    """Press keys one after another, the first of them at a control."""
    control.focus()
    for key in keys:
        control.page.keyboard.press(key)


def changes(explorer, act, seconds=5):
    """Whether an explorer's picture, its drawings and words, is another one soon after `act` is called."""
    before = explorer.evaluate(PICTURE)
    act()
    changed = f"([explorer, before]) => ({PICTURE})(explorer) !== before"
    try:
        explorer.page.wait_for_function(changed, arg=[explorer.element_handle(), before], timeout=1000 * seconds)
    except NothingHappened:
        return False
    return True


def _retype(control):
    """Type another text: the last digit another one, or the last letter left out; a digit where there is nothing."""
    text = control.input_value()
    control.press("End")
    control.press("Backspace")
    if text[-1:].isdigit() or not text:
        control.press_sequentially("3" if text.endswith("2") else "2")
    control.press("Enter")


def _places():
    return {name: place for name, (place, *_) in CONTROLS.items()}


def _outputs(page):
    return [output for cell in page.evaluate(CELLS) for output in cell["outputs"]]
