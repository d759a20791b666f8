"""What can be read by whom: the exported pages under axe-core, and the colours of words in drawings."""

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter

from tests import browser
from tests.drawn import contrast, unreadable
from utils.widgets.svg import Canvas

SOLUTIONS = sorted((browser.ROOT / "solutions").glob("[0-9][0-9]_*.ipynb"))

# What axe-core finds in nbconvert's own page, whatever the notebook: the rule, and where.
OF_NBCONVERT = [
    ("color-contrast", ".jp-InputPrompt, .jp-OutputPrompt"),  # "In [1]:" is light grey
    ("color-contrast", ".highlight *"),  # Pygments' colours of code on grey: comments, numbers, keywords
    ("link-in-text-block", ".jp-RenderedHTMLCommon a"),  # links are blue, and underlined only under the mouse
]
# Whether each of axe-core's findings lies at each of these places.
AT = "([targets, places]) => targets.map(target => places.map(at => document.querySelector(target).matches(at)))"


def drawings(solution):
    """The SVG of every explorer in a solved notebook."""
    outputs = [out for cell in nbformat.read(solution, 4).cells for out in cell.get("outputs", [])]
    return [out.data["image/svg+xml"] for out in outputs if "image/svg+xml" in out.get("data", {})]


@browser.needs_chromium
@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda solution: solution.stem)
def test_axe_finds_nothing_of_ours_in_the_exported_page(solution, chromium, tmp_path):
    exported, _ = HTMLExporter(template_name="lab").from_filename(str(solution))
    (tmp_path / "page.html").write_text(exported, encoding="utf-8")
    page = chromium.new_page()
    page.route("http*://**", lambda route: route.abort())  # MathJax would come from elsewhere
    page.goto((tmp_path / "page.html").as_uri())
    found = [
        (violation["id"], node["html"], node["target"][0])
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]
    matches = page.evaluate(AT, [[target for _, _, target in found], [place for _, place in OF_NBCONVERT]])
    ours = [
        f"{rule}: {html}"
        for (rule, html, _), at in zip(found, matches)
        if not any(rule == known and there for (known, _), there in zip(OF_NBCONVERT, at))
    ]
    page.close()
    assert not ours


def test_the_contrast_of_black_and_white_is_21_and_of_a_colour_with_itself_1():
    assert contrast("#000000", "white") == pytest.approx(21) and contrast("#D55E00", "#D55E00") == 1


def test_words_are_compared_with_the_cell_behind_them():
    canvas = Canvas(100, 100)
    canvas.text(10, 20, "black on white")
    canvas.text(10, 50, "white on white", colour="white")
    canvas.box(5, 60, 60, 30, fill="#2d004b")
    canvas.text(10, 80, "white", colour="white")
    canvas.text(10, 80, "black")
    assert [word for word, _ in unreadable(canvas.drawing("").svg)] == ["white on white", "black"]


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda solution: solution.stem)
def test_all_words_in_drawings_can_be_read_on_what_is_behind_them(solution):
    assert drawings(solution)
    assert [word for drawing in drawings(solution) for word in unreadable(drawing)] == []
