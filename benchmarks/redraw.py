"""How soon an explorer's drawing follows its sliders (`make bench`): from the key press to the new SVG, in the browser.

Every notebook is run in JupyterLab, solved; words in ARGS choose some (`make bench ARGS="02 06"`).
"""

import argparse
import statistics
import tempfile
from pathlib import Path

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


def main(arguments=None):
    """Print a line for every slider: the notebook, the explorer's number, the slider, median and maximum."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.redraw", description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="parts of notebooks' names; without any, all are measured")
    words = parser.parse_args(arguments).words
    names = [source.stem for source in sorted((browser.ROOT / "solutions").glob("[0-9][0-9]_*.py"))]
    for word in words:
        if not any(word in name for name in names):
            parser.error(f"no notebook has {word!r} in its name; there are {', '.join(names)}.")
    print(f"{'notebook':24}{'slider':30}{'presses':>8}{'median ms':>12}{'maximum ms':>12}")
    with tempfile.TemporaryDirectory() as folder, browser.server(Path(folder)) as server, browser.chromium() as running:
        for name in names:
            if not words or any(word in name for word in words):
                with browser.opened(running, server, f"solved/{name}.ipynb") as (page, _):
                    for number, explorer in enumerate(browser.explorers(page), 1):
                        report(f"{name} {number}", explorer)


def report(name, explorer):
    """Measure every slider of an explorer, in the controls' order, and print its line."""
    explorer.evaluate(WATCH)
    for control in browser.controls(explorer):
        if browser.kind(control) != "slider":
            browser.move(explorer, control)  # some sliders have an effect only then
            continue
        times = measure(explorer, control)
        figures = f"{statistics.median(times):12.0f}{max(times):12.0f}" if times else "  it changes nothing here"
        print(f"{name:24}{browser.label(control):30}{len(times):8}{figures}", flush=True)


if __name__ == "__main__":
    main()
