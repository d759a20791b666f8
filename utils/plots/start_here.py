"""The picture of notebook 00: the whole flow of the model, with one stage lit where a notebook asks for it."""

from utils.plots.picture import CONTEXT, H_FINAL, H_I, H_TILDE, SCORE, WEIGHT, Picture

# Each box: left edge, width, text, colour, the stage that builds it, the number of its notebook.
_STEP = 15
_BOXES = {
    "h_tilde": (0, 12, "$\\tilde{h}$\nprovisional\nstate", H_TILDE, "provisional_state", "01"),
    "scores": (1, 12, "$e$\nscores", SCORE, "scores", "02"),
    "softmax": (2, 12, "softmax", WEIGHT, "softmax", "03"),
    "weights": (3, 12, "$a$\nattention\nweights", WEIGHT, "softmax", "03"),
    "context": (4, 12, "$c$\ncontext\nvector", CONTEXT, "context", "04"),
    "combine": (5, 12, "combine", H_FINAL, "combine", "05"),
    "h_final": (6, 12, "$h^{final}$\nfinal\nstate", H_FINAL, "combine", "05"),
    "next_word": (7, 12, "next word\n(a second\nsoftmax)", H_FINAL, "combine", "05"),
}
_STAGES = {
    "provisional_state": "input words into hs, then h̃",
    "scores": "h̃ and hs into scores",
    "softmax": "scores into attention weights",
    "context": "attention weights and hs into the context vector",
    "combine": "h̃ and the context vector into h^final and the next word",
    "training": "the gradient that goes back through all stages",
}
_QUIET = "0.72"


def flow(stage=None):
    """Draw one decoder step from h̃ to the next word, and the way back to the next step.

    Parameters
    ----------
    stage : str or None
        The stage to light: "provisional_state", "scores", "softmax", "context", "combine" or "training".

    Returns
    -------
    Picture

    Raises ValueError when there is no such stage.
    """
    if stage is not None and stage not in _STAGES:
        raise ValueError(f"flow: there is no stage {stage!r}; there are {', '.join(_STAGES)}.")

    def draw(figure):
        axes = figure.add_subplot(xlim=(-2, 121), ylim=(2, 54.5))
        axes.axis("off")

        def lit(*stages):
            return stage in (None, "training") or stage in stages  # training goes through everything

        def box(left, bottom, width, height, text, colour, of):
            lights = lit(of)
            axes.add_patch(
                _rounded((left, bottom), width, height, edgecolor=colour if lights else _QUIET,
                         linewidth=3.5 if stage == of else 2 if lights else 1)
            )  # fmt: skip
            axes.text(left + width / 2, bottom + height / 2, text, ha="center", va="center", fontsize=12.5,
                      color="black" if lights else "0.5", linespacing=1.25,
                      fontweight="bold" if stage == of else "normal")  # fmt: skip

        def arrow(points, label="", at=None, colour="black", of=(), dashed=False, **text):
            lights = lit(*of)
            line = {
                "color": colour if lights else _QUIET,
                "linewidth": 3 if of == [stage] == ["training"] else 1.8 if lights else 1,
            }
            style = "--" if dashed else "-"
            *start, before, end = points
            xs, ys = zip(*start, before)
            axes.plot(xs, ys, linestyle=style, solid_capstyle="round", **line)
            axes.annotate("", end, before, arrowprops={"arrowstyle": "-|>", "linestyle": style, "shrinkA": 0,
                          "shrinkB": 0, "mutation_scale": 14, **line})  # fmt: skip
            if label:
                axes.text(*at, label, fontsize=12, color="0.2" if lights else "0.5", **text)

        # the encoder, above
        box(0, 45, 12, 8, "input\nwords", H_I, "provisional_state")
        box(15, 45, 57, 8, "encoder states   $hs$ = $h_1$ … $h_T$   one for every input word", H_I, "provisional_state")
        arrow([(12, 49), (15, 49)], of=["provisional_state"])
        arrow([(17.5, 45), (17.5, 41.5), (6, 41.5), (6, 36)], "$hs$[-1] starts it", (6.8, 38), H_I,
              of=["provisional_state"], dashed=True)  # fmt: skip
        arrow([(24, 45), (24, 36)], "compare", (24.8, 39.5), H_I, of=["scores"])
        arrow([(66, 45), (66, 36)], "take from it", (66.8, 39.5), H_I, of=["context"])

        # one decoder step, from left to right
        names = list(_BOXES)
        for name, (place, width, text, colour, of, number) in _BOXES.items():
            box(_STEP * place, 25, width, 11, text, colour, of)
            axes.text(_STEP * place, 36.7, number, fontsize=10, color="0.35" if lit(of) else "0.6", ha="left")
            if name != names[0]:
                arrow([(_STEP * place - 3, 30.5), (_STEP * place, 30.5)], of=[of])
        # h̃ goes round the attention, straight into combine
        arrow([(9, 25), (9, 19.5), (81, 19.5), (81, 25)], r"$\tilde{h}$ is needed again", (45, 20.3), H_TILDE,
              of=["combine"], ha="center")  # fmt: skip
        # the loop to the next step
        arrow([(111, 25), (111, 12), (3, 12), (3, 25)],
              "the next step: the word just written goes in, and the state is carried on", (57, 12.8),
              of=["provisional_state"], ha="center")  # fmt: skip
        weight = "bold" if stage == "training" else "normal"
        arrow([(111, 4.5), (3, 4.5)], "training: the gradient of the loss goes back through all stages (06)", (57, 5.3),
              of=["training"], dashed=True, ha="center", fontweight=weight)  # fmt: skip

    lights = f" Lit: {stage}, {_STAGES[stage]}." if stage else ""
    description = (
        "The flow of one decoder step: h̃ → scores → softmax → attention weights → context vector → combine → h^final →"
        " next word. The encoder states hs feed scores and context; the last of them starts h̃; h̃ also goes straight"
        " into combine; the word just written and the state lead to the next step; in training the gradient goes"
        f" back through all stages.{lights}"
    )
    return Picture(description, draw, size=(12, 5.3))


def _rounded(corner, width, height, **style):
    from matplotlib.patches import FancyBboxPatch  # only where a picture is drawn

    return FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=1.2", facecolor="white", **style)
