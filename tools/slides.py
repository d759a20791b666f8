"""Pictures for a teacher's slides: `make slides` draws two for every notebook into slides/, and writes notes.md.

NN_stage.png asks for a prediction that its figure doesn't answer; NN_stage_flow.png is the whole flow with that stage
lit. The answers, and alt text for both, are in notes.md.
"""

import contextlib
import io
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.build import ROOT, sources, write
from utils.model import decode_from, encode, init_params
from utils.my_map import EXAMPLE, my_map, places
from utils.plots import (
    Picture,
    attention_map,
    combine_plane,
    context_plane,
    flow,
    score_plane,
    scores_to_weights,
    state_distances,
)
from utils.plots.picture import visible
from utils.stages import combine_concat, combine_weighted_sum, context_one, dot_score_one, softmax_one
from utils.trained import TrainedModel

WIDTH, HEIGHT = 1920, 1080  # pixels
DPI = 240  # 8 × 4.5 inches, on which the pictures' own 10 points can be read from the last row
FLOW_DPI = 175  # the flow has eight boxes in a row, and needs more room


@dataclass(frozen=True)
class Slide:
    """One picture for a projector.

    Attributes
    ----------
    name : str
        Its file, without the ending.
    title : str
        The question, or the notebook's heading.
    picture : Picture
        The whole slide; its description is that of the figure.
    dpi : int
    answer, why : str
        Empty where nothing is asked.
    """

    name: str
    title: str
    picture: Picture
    dpi: int
    answer: str = ""
    why: str = ""

    def notes(self):
        """What notes.md says about it, in Markdown."""
        parts = {"Question": self.title, "Answer": f"{self.answer} {self.why}"} if self.answer else {}
        parts["Alt text"] = self.picture.description
        return f"## {self.name}.png\n\n" + "\n\n".join(f"**{name}.** {text}" for name, text in parts.items())


def slides():
    """Both slides of every notebook, in the course's order, a list of Slide; nothing is drawn yet."""
    model = TrainedModel.load(ROOT / "utils/dates.npz")
    made = []
    for source in sources(ROOT):
        name = Path(source).stem
        stage = name[3:]
        text = (ROOT / source).read_text(encoding="utf-8")
        heading, road = (re.search(line, text, re.MULTILINE)[1] for line in (r"^# # (.+)$", r"^# (.*→.*)$"))
        figure, question, answer, why = _FIGURES[stage](model)
        made.append(Slide(name, question, _slide(figure, question, DPI, road), DPI, answer, why))
        whole = _changed(flow(None if stage == "start_here" else stage), _light)
        made.append(Slide(f"{name}_flow", heading, _slide(whole, heading, FLOW_DPI), FLOW_DPI))
    return made


# ---- a question for each stage: its figure, the question, the answer, and why


def _start_here(model):
    source, target = "tuesday, september 25, 1984", "1984-09-25"
    with contextlib.redirect_stdout(io.StringIO()):  # it says that the example is not kept
        figure = my_map(source, target, list(EXAMPLE))
    tops = model.write(source)[1].argmax(axis=1)
    rows = [(f"{character} → {visible(source[top])} (character {top + 1})", top in places(source, piece, character))
            for character, piece, top in zip(target, EXAMPLE, tops) if piece]  # fmt: skip
    there, elsewhere = ([row for row, same in rows if same is wanted] for wanted in (True, False))
    return (
        figure,
        "Another reader looked here. In which rows will the trained program look there too?",
        f"In {len(there)} of the {len(rows)} in which the reader looked at something.",
        f"The program's largest weights there: {', '.join(there)}. In the others: {', '.join(elsewhere)}. It looks at"
        " states, each of which comes after everything read up to there. Another trained program may look elsewhere.",
    )


def _provisional_state(model):
    pair = ["3 september 1984", "8 september 1984"]
    ids = model.source_vocabulary.numbers(pair)
    untrained, trained = (
        np.linalg.norm(np.subtract(*encode(params, model.config, ids)["hs"]), axis=1)  # (T,)
        for params in (init_params(model.config, np.random.RandomState(0)), model.params)
    )
    return (
        state_distances(pair, {"untrained": untrained}),
        "An untrained encoder forgets the first character. Will a trained one keep it to the end?",
        f"Hardly: {trained[-1]:.2f} is left of {trained[0]:.2f}.",
        f"At the third character it still has {trained[2] / trained[0]:.0%} of the difference, the untrained encoder"
        f" {untrained[2] / untrained[0]:.0%}; but the last state, hs[-1], is mostly about what was read last.",
    )


def _scores(model):
    def arrow(degrees, length=1.0):
        angle = np.deg2rad(degrees)
        return length * np.array([np.cos(angle), np.sin(angle)])

    hs = np.stack([arrow(0), arrow(60, 1.2), arrow(110, 0.8), arrow(250)])
    before, after = dot_score_one(arrow(15), hs), dot_score_one(arrow(45), hs)
    return (
        _changed(
            score_plane(arrow(15), hs, before, "The provisional state at 15°"),
            lambda plane, bars: plane.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6)),  # names stand beyond the tips
        ),
        "h̃ turns from 15° to 45°, and the states stay as they are. Which of them wins now?",
        f"h_{after.argmax() + 1}, with a score of {after.max():.2f}.",
        f"The scores are now {_two(after)}. One memory, many questions: direction and length both count.",
    )


def _softmax(model):
    e = np.log([1.0, 2.0, 4.0])
    scores = np.stack([e, e + 5])
    doubled = softmax_one(2 * e)
    ratio = " : ".join(f"{weight:.0f}" for weight in doubled / doubled[0])
    return (
        scores_to_weights(scores, np.stack([softmax_one(row) for row in scores]), ["e", "e + 5"]),
        "Adding 5 to every score changes no weight. What becomes of the weights when every score is doubled?",
        f"They sharpen to {_two(doubled)}.",
        f"Only differences matter, and they double: the weights go from 1 : 2 : 4 to {ratio}.",
    )


def _context(model):
    hs, times = np.array([[0.0, 7.0], [1.0, 0.0], [2.0, 7.0]]), 8
    h_tilde = np.array([np.log(2), 0.0])
    a, loud = (softmax_one(dot_score_one(s * h_tilde, hs)) for s in (1, times))
    x, y = context_one(loud, hs)
    return (
        _changed(
            context_plane([a], hs, [context_one(a, hs)], "Three states, and the context between them"),
            lambda axes: axes.margins(y=0.25),  # names stand outside the hull
        ),
        f"The question gets louder: h̃ becomes {times} times as long. Where does c go?",
        f"To h_{loud.argmax() + 1}: c = ({x:.2f}, {y:.2f}).",
        f"All scores become {times} times as large, so the weights sharpen, here to {_two(loud)}. No state has moved.",
    )


def _combine(model):
    rng = np.random.RandomState(244)
    h_tilde, c, alphas = np.array([[1.0, 0.3]]), np.array([[-0.4, 0.9]]), [0, 0.5, 1]
    sums = [combine_weighted_sum(h_tilde, c, alpha)[0] for alpha in alphas]
    concats = [combine_concat(h_tilde, c, rng.randn(4, 2))[0] for _ in range(5)]
    x, y = combine_weighted_sum(h_tilde, c, 0.25)[0]
    return (
        combine_plane(h_tilde[0], c[0], alphas, sums, concats, "The same h̃ and c, combined"),
        "h^final = α h̃ + (1 − α) c, a weighted sum. Where does h^final lie with α = 0.25?",
        f"At ({x:.2f}, {y:.2f}).",
        "It lies on the line through the tips, three quarters of the way from h̃ to c: α is the share of h̃. No α leaves"
        " that line. Concatenation can, as the crosses show.",
    )


def _training(model):
    source, other, digits = "december 28, 1953", "november 15, 1961", slice(-8, -6)
    before, a = model.write(source)
    memory = encode(model.params, model.config, model.source_vocabulary.numbers([source, other]))
    hs = memory["hs"][:1].copy()  # (1, T, H)
    hs[0, digits] = memory["hs"][1, digits]
    ids, _ = decode_from(model.params, model.config, {"hs": hs, "keep": memory["keep"][:1]}, model.max_len)
    after = model.target_vocabulary.text(ids[0])
    first, last = (f"in the row of the {before[u]} at {visible(source[a[u].argmax()])!r}" for u in (-2, -1))
    return (
        attention_map(a, source, before, "Where it looks, before the operation"),
        f'The states at "{source[digits]}" are replaced by those at "{other[digits]}" of "{other}".'
        " What will it write?",
        f"{after}.",
        f"The map fits: the largest weight is {first}, and {last}, and only the states at the two digits were replaced."
        " A map gives a clue; an operation puts it to the test.",
    )


_FIGURES = {
    "start_here": _start_here,
    "provisional_state": _provisional_state,
    "scores": _scores,
    "softmax": _softmax,
    "context": _context,
    "combine": _combine,
    "training": _training,
}


def _two(numbers):
    return ", ".join(f"{number:.2f}" for number in numbers)


# ---- how a slide looks


def _slide(picture, title, dpi, road=""):
    """A picture with a large title above it and the course's road below it, where one is given."""
    points = DPI / dpi  # a point of the smaller page, on this one
    lines = [_lettered(line) for line in textwrap.wrap(title, 54)]

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.07)  # inches to the edge
        figure.suptitle("\n".join(lines), fontsize=17 * points)
        if road:
            figure.supxlabel(_road(road), fontsize=11 * points)
        picture.draw(figure.subfigures())

    return Picture(picture.description, draw, (WIDTH / dpi, HEIGHT / dpi))


def _changed(picture, change):
    """A picture whose axes are changed after they are drawn, so that it is good to see at a slide's size."""

    def draw(part):
        picture.draw(part)
        change(*part.axes)

    return Picture(picture.description, draw, picture.size)


def _light(axes):
    """The flow from edge to edge, with larger numbers, and without bold type, for which its boxes have no room here."""
    axes.set_xlim(-1, 118)
    for text in axes.texts:
        text.set(fontweight="normal", fontsize=max(text.get_fontsize(), 12))


_LETTERS = {"h̃": r"\tilde{h}", "h^final": "h^{final}"}


def _lettered(text):
    """The course's letters as Matplotlib sets them."""
    return re.sub("|".join(map(re.escape, _LETTERS)), lambda match: f"${_LETTERS[match[0]]}$", text)


def _road(line):
    """The line at a notebook's top, with what stands between ** in bold."""

    def bold(match):
        return rf"$\mathbf{{{_LETTERS.get(match[0], match[0])}}}$"

    parts = line.split("**")
    return "".join(re.sub(r"[^\s,]+", bold, part) if k % 2 else _lettered(part) for k, part in enumerate(parts))


_PREFACE = """# Notes for the slides

No figure shows the answer to its question; it stands here. The alt text is for whoever can't see the slide."""


def main(folder=ROOT / "slides"):
    """Draw every slide into a folder, and the notes beside them; print one line a file. Returns the exit code."""
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        print(f"{folder.name} is a file, not a folder: rename or delete it, and run this again.", file=sys.stderr)
        return 1
    made = slides()
    for slide in made:
        slide.picture.save(folder / f"{slide.name}.png", slide.dpi)
        print(f"{folder.name}/{slide.name}.png")
    write(folder / "notes.md", "\n\n".join([_PREFACE, *(slide.notes() for slide in made)]) + "\n")
    print(f"{folder.name}/notes.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
