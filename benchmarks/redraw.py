"""How soon an explorer's drawing follows its sliders: from the key press to the new SVG, in the browser.

Every notebook is run in JupyterLab, solved.
"""

import statistics
import tempfile
from pathlib import Path

from benchmarks.table import Row
from tests import browser

PRESSES = 15
# The time is the page's own: a key comes down; a drawing is put in place of another.
WATCH = """explorer => {
    let pressed = null;
    explorer.redraws = [];
    explorer.addEventListener("keydown", () => { pressed = performance.now(); }, true);
    new MutationObserver(records => {
        const drawn = records.some(record => [...record.addedNodes].some(node => node.nodeName === "svg"));
        if (drawn && pressed !== null) { explorer.redraws.push(performance.now() - pressed); pressed = null; }
    }).observe(explorer, {childList: true, subtree: true});
}"""


def measure(explorer, slider):
    """Milliseconds from press to drawing, a list of float: in both directions by turns, `PRESSES` in all."""
    explorer.evaluate("it => { it.redraws = []; }")
    by_turns = [browser.CONTROLS["slider"][direction] for direction in (1, 2)]
    for press in range(PRESSES):
        browser.changes(explorer, lambda keys=by_turns[press % 2]: browser.press(slider, keys), seconds=2)
    return explorer.evaluate("it => it.redraws")


def rows():
    """Yield a row for every explorer: all its sliders' times together."""
    if browser.CHROMIUM is None:
        yield Row("an explorer's new drawing", "not measured", "", "there is no Chromium or Chrome")
        return
    names = [source.stem for source in sorted((browser.ROOT / "solutions").glob("[0-9][0-9]_*.py"))]
    with tempfile.TemporaryDirectory() as folder, browser.server(Path(folder)) as server, browser.chromium() as running:
        for name in names:
            with browser.opened(running, server, f"solved/{name}.ipynb") as (page, _):
                for number, explorer in enumerate(browser.explorers(page), 1):
                    yield row(f"an explorer's new drawing: {name}, {number}", explorer)


def row(what, explorer):
    """Measure every slider of an explorer, in the controls' order."""
    explorer.evaluate(WATCH)
    times = []
    for control in browser.controls(explorer):
        if browser.kind(control) == "slider":
            times += measure(explorer, control)
        else:
            browser.move(explorer, control)  # some sliders have an effect only then
    if not times:
        return Row(what, "not measured", "", "no slider changes it")
    middle, longest = statistics.median(times), max(times)
    return Row(what, f"{middle:.0f} ms", f"at most {longest:.0f} ms", f"{len(times)} presses of a key")
