"""What can be read by whom: the exported pages under axe-core, and the colours of words in drawings."""

from xml.etree import ElementTree

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter

from tests import browser

SVG = "{http://www.w3.org/2000/svg}"
SOLUTIONS = sorted((browser.ROOT / "solutions").glob("[0-9][0-9]_*.ipynb"))

# What axe-core finds in nbconvert's own page, whatever the notebook: the rule, and where.
OF_NBCONVERT = [
    ("color-contrast", ".jp-InputPrompt, .jp-OutputPrompt"),  # "In [1]:" is light grey
    ("color-contrast", ".highlight *"),  # Pygments' colours of code on grey: comments, numbers, keywords
    ("link-in-text-block", ".jp-RenderedHTMLCommon a"),  # links are blue, and underlined only under the mouse
]
# Whether each of axe-core's findings lies at each of these places.
AT = "([targets, places]) => targets.map(target => places.map(at => document.querySelector(target).matches(at)))"


@pytest.fixture(scope="module")
def chromium():
    with browser.chromium() as running:
        yield running


def contrast(colour, other="#ffffff"):
    """WCAG's contrast ratio of two colours, from 1 to 21."""
    dark, light = sorted(map(_luminance, (colour, other)))
    return (light + 0.05) / (dark + 0.05)


def drawings(solution):
    """The SVG of every explorer in a solved notebook, as XML."""
    outputs = [out for cell in nbformat.read(solution, 4).cells for out in cell.get("outputs", [])]
    return [ElementTree.fromstring(o.data["image/svg+xml"]) for o in outputs if "image/svg+xml" in o.get("data", {})]


def readable(word):
    """Whether WCAG's contrast for AA is there: 4.5, or 3 for large words (24 px, or bold and 14 pt)."""
    size = float(word.get("font-size"))
    large = size >= 24 or size >= 14 * 96 / 72 and word.get("font-weight") == "bold"
    return contrast(word.get("fill")) >= (3 if large else 4.5)


def _luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear))


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
    assert contrast("#000000") == pytest.approx(21) and contrast("#ffffff") == 1


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda solution: solution.stem)
def test_all_words_in_drawings_can_be_read_on_white(solution):
    words = [word for drawing in drawings(solution) for word in drawing.iter(f"{SVG}text")]
    words = [word for word in words if word.get("fill") != "white"]  # these stand on dark cells
    assert words
    assert not {(word.text, word.get("fill"), word.get("font-size")) for word in words if not readable(word)}
