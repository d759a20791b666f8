"""The notebooks in a real browser: JupyterLab runs them, and their explorers follow whoever moves them."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests import browser

NAMES = [source.stem for source in sorted((browser.ROOT / "solutions").glob("[0-9][0-9]_*.py"))]
# Solved, an explorer runs on the learner's functions; untouched, on the course's.
NOTEBOOKS = [*(f"solved/{name}.ipynb" for name in NAMES), "notebooks/02_scores.ipynb"]
# What axe-core finds in ipywidgets itself. A slider's label stands beside it, but is not tied to its handle.
OF_IPYWIDGETS = {"aria-input-field-name"}

pytestmark = browser.needs_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with browser.server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request, chromium, server):
    """A notebook after all its cells have been run: its page, its explorers, its errors on the console."""
    with browser.opened(chromium, server, request.param) as (page, errors):
        failures = browser.failures(page)
        found = [] if failures else browser.explorers(page)
        yield SimpleNamespace(path=request.param, page=page, failures=failures, explorers=found, errors=errors)


@pytest.fixture
def photograph(notebook, tmp_path):
    """Save what an explorer looks like: in the folder that SCREENSHOTS names, or pytest's own."""
    folder = Path(os.environ.get("SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)

    def save(explorer, name):
        explorer.scroll_into_view_if_needed()
        notebook.page.wait_for_timeout(300)  # JupyterLab lays out again what has come into view
        explorer.screenshot(path=folder / f"{notebook.path.replace('/', '_').removesuffix('.ipynb')}_{name}.png")

    return save


def test_all_cells_run_and_there_is_an_explorer(notebook):
    assert not notebook.failures
    assert notebook.explorers


def test_every_control_is_reached_with_the_tab_key(notebook):
    for explorer in notebook.explorers:
        controls = [control for control in browser.controls(explorer) if control.is_enabled()]
        explorer.evaluate("it => it.addEventListener('focusin', event => event.target.dataset.reached = true)")
        controls[0].focus()
        for _ in range(4 * len(controls)):  # a slider's number can be typed too, and comes in between
            notebook.page.keyboard.press("Tab")
        missed = [browser.label(control) for control in controls if not control.get_attribute("data-reached")]
        assert not missed


def test_axe_finds_nothing_wrong_with_the_explorers(notebook):
    found = Axe().run(notebook.page, context=browser.EXPLORER).response["violations"]
    assert not {violation["id"] for violation in found} - OF_IPYWIDGETS


def test_every_control_changes_the_picture(notebook, photograph):
    for number, explorer in enumerate(notebook.explorers, 1):
        photograph(explorer, f"{number}_before")
        still = browser.controls(explorer)
        for _ in range(2):  # some have an effect only after others have been moved
            still = [control for control in still if not browser.move(explorer, control)]
        photograph(explorer, f"{number}_after")
        assert not [browser.label(control) for control in still]
        assert "Nothing to draw" not in explorer.inner_text()


def test_what_can_be_switched_is_switched_with_the_mouse_too(notebook):
    for explorer in notebook.explorers:
        for control in browser.controls(explorer):
            if control.evaluate("it => it.matches('.widget-checkbox input, .widget-toggle-button')"):
                assert browser.changes(explorer, control.click), browser.label(control)


def test_the_console_shows_no_error(notebook):
    assert not notebook.errors
