"""`make slides`: what is drawn for a teacher, and the notes with it."""

import struct
import warnings

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from tools import slides
from tools.build import ROOT, sources

NAMES = [source.removeprefix("solutions/").removesuffix(".py") for source in sources(ROOT)]
ALL = slides.slides()
ASKED = [slide for slide in ALL if slide.answer]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The slides, drawn once; a glyph that is missing or a layout that fails is an error."""
    folder = tmp_path_factory.mktemp("course") / "slides"
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        slides.main(folder)
    return folder


def test_every_notebook_has_a_question_and_its_flow_and_there_are_notes(folder):
    pictures = [f"{name}{kind}.png" for name in NAMES for kind in ("", "_flow")]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*pictures, "notes.md"])
    assert [slide.name for slide in ASKED] == NAMES


def test_a_file_in_place_of_the_folder_is_named_in_one_sentence(tmp_path, capsys):
    file = tmp_path / "slides"
    file.touch()
    assert slides.main(file) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err == "slides is a file, not a folder: rename or delete it, and run this again.\n"


def test_every_slide_has_the_size_of_a_projector(folder):
    for path in folder.glob("*.png"):
        assert struct.unpack(">II", path.read_bytes()[16:24]) == (1920, 1080), path.name


def test_the_notes_have_every_question_its_answer_and_every_alt_text(folder):
    notes = (folder / "notes.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for slide, note in zip(ALL, notes, strict=True):
        assert note.startswith(f"{slide.name}.png\n") and slide.picture.description in note
        assert not slide.answer or (slide.title in note and f"**Answer.** {slide.answer}" in note)


@pytest.mark.parametrize(
    ("stage", "fact"),
    [
        ("start_here", "4 of the 8"),
        ("provisional_state", "0.04"),
        ("scores", "h_2"),
        ("softmax", "0.76"),
        ("context", "h_3"),
        ("combine", "(-0.05, 0.75)"),
        ("training", "1953-12-25"),
    ],
)
def test_the_answer_is_what_the_notebook_finds_and_neither_question_nor_figure_gives_it(stage, fact):
    (slide,) = [slide for slide in ASKED if slide.name[3:] == stage]
    assert slide.title.endswith("?") and fact in slide.answer
    assert fact not in slide.title + slide.picture.description


@pytest.mark.parametrize("slide", ALL, ids=lambda slide: slide.name)
def test_all_text_is_large_and_whole(slide):
    figure = Figure(slide.picture.size, layout="constrained")
    slide.picture.draw(figure)
    figure.draw_without_rendering()
    drawn, page = figure.get_tightbbox(), figure.bbox_inches
    assert page.x0 <= drawn.x0 and drawn.x1 <= page.x1 and page.y0 <= drawn.y0 and drawn.y1 <= page.y1
    without_axis = [axis for axes in figure.axes if not axes.axison for axis in (axes.xaxis, axes.yaxis)]
    hidden = {text for axis in without_axis for text in axis.findobj(Text)}
    for text in set(figure.findobj(Text)) - hidden:
        assert text.get_fontsize() * 8 / figure.get_figwidth() >= (10 if slide.answer else 8.7), text.get_text()


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("**h̃** → scores", r"$\mathbf{\tilde{h}}$ → scores"),
        ("h̃ → **h^final → next**", r"$\tilde{h}$ → $\mathbf{h^{final}}$ $\mathbf{→}$ $\mathbf{next}$"),
        ("next word → **loss, and back**", r"next word → $\mathbf{loss}$, $\mathbf{and}$ $\mathbf{back}$"),
    ],
)
def test_the_road_has_the_present_stage_in_bold(line, drawn):
    assert slides._road(line) == drawn
