"""The explorers of notebook 06: saved moments of training, memory surgery, and the attention microscope."""

from types import SimpleNamespace

import numpy as np

from utils.data import BOS, EOS, PAD, DataError
from utils.plots.picture import CONTEXT, SCORE, WEIGHT, visible
from utils.widgets.explorer import Choice, Entry, Explorer, Slider, Stops, received
from utils.widgets.svg import INK, QUIET, Canvas, signed_colour, weight_colour

_LONGEST = 34  # characters that fit into a drawing
_SPECIAL = {PAD: "pad", BOS: "bos", EOS: "end"}
_OWN, _WITHOUT, _ALIKE = "its own", "the largest taken away", "all places alike"


# ---- the model, step by step


def _memory(model, stage, text):
    """hs of one text, (1, T, H), through the learner's functions."""
    if (model.config.score, model.config.combine) != ("additive", "concat"):
        raise DataError("The explorers of this notebook are for additive scores and concatenation.")
    if len(text) > _LONGEST:
        raise DataError(f"A drawing has room for {_LONGEST} characters, and this text has {len(text)}.")
    p, ids = model.params, model.numbers(text)
    X = received(stage.embed(ids, p["E_source"]))
    return received(stage.encode(X, ids != PAD, p["Wx_source"], p["Wh_source"], p["b_source"]))


def _steps(model, stage, hs):
    """Write as `greedy_decode` does, and keep what every stage gave: a list with one entry for each word."""
    p, steps = model.params, []
    carry, fed = received(stage.decoder_init(hs)), BOS
    while len(steps) < model.max_len and fed != EOS:
        x = received(stage.embed(np.array([[fed]]), p["E"]))[:, 0]
        h_tilde = received(stage.rnn_step(x, carry, p["Wx"], p["Wh"], p["b"]))
        e = received(stage.additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]))
        a = received(stage.masked_softmax(e, np.ones(e.shape, dtype=bool)))
        steps.append(SimpleNamespace(fed=fed, h_tilde=h_tilde, e=e[0]))
        _look(model, stage, hs, steps[-1], a)
        carry, fed = h_tilde if model.config.carry == "provisional" else steps[-1].h, steps[-1].number
    return steps


def _look(model, stage, hs, step, a):
    """From weights (1, T) to the next word: context, combine, second softmax."""
    p = model.params
    step.a, step.c = a[0], received(stage.context(a, hs))
    step.h = received(stage.combine_concat(step.h_tilde, step.c, p["Wc"]))
    step.probs = received(stage.next_word_probs(received(stage.output_logits(step.h, p["Wo"], p["bo"]))))[0]
    step.number = int(step.probs.argmax())
    step.word = _word(model, step.number)


def _word(model, number):
    return _SPECIAL.get(number) or model.target_vocabulary.text([number])


def _written(steps):
    """What the steps wrote, the closing end left out."""
    return "".join(step.word if step.number > EOS else f"({step.word})" for step in steps if step.number != EOS)


# ---- explorers


def explore_training(models, losses, stage, source):
    """What training changed: loss, written text and attention map at the saved moments.

    Parameters
    ----------
    models : dict of int to utils.trained.TrainedModel
        By the number of training steps.
    losses : list of float
        One for each training step, in nats.
    stage : object
        Has a function for every exercise under its name, as `utils.own.own_stages` gives it.
    source : str

    Returns
    -------
    Explorer
    """
    moments, losses = tuple(sorted(models)), received(losses)

    def draw(number, text):
        model = models[number]
        steps = _steps(model, stage, _memory(model, stage, text))
        written, k = _written(steps), max(min(number, len(losses) - 1), 0)  # losses[k] was measured after k steps
        measured = losses.size and number <= len(losses)
        loss = f"{losses[k]:.3f} nats a character" if measured else "not measured"
        canvas = Canvas(800, 200 + 22 * (model.max_len + 1))
        canvas.text(20, 28, f"after {number} training steps", 17, bold=True)
        canvas.text(20, 62, f"it writes:  {written or '(nothing)'}", 17)
        canvas.text(20, 92, f"loss:  {loss}", 15)
        _curve(canvas, 400, 16, 380, 104, losses, k if measured else None)
        a = np.stack([step.a for step in steps])  # (U, T)
        names = [step.word for step in steps]
        wide = min(24, 720 / len(text))
        canvas.cells(60, 138, a, (wide, 22), weight_colour, names, [*text])
        canvas.scale(60, canvas.height - 36, 240, weight_colour, 0, 1, "attention weight")
        canvas.text(330, canvas.height - 26, "rows: what is written   columns: what is read", 14)
        mean = a.max(axis=1).mean()
        return canvas.drawing(
            f"After {number} training steps the loss is {loss}, and for {text!r} the model writes"
            f" {written or 'nothing'}. The largest weight of a row is {mean:.2f} on average."
        )

    controls = {"number": Stops("training steps", moments[-1], moments), "text": Entry("date", source)}
    return Explorer(draw, controls)


def explore_surgery(model, stage, first, second):
    """Copy encoder states from one date into another, and see what is written then.

    Parameters
    ----------
    model : utils.trained.TrainedModel
    stage : object
        Has a function for every exercise under its name.
    first, second : str
        The date that is written, and the one that states are taken from; lined up at their ends.

    Returns
    -------
    Explorer
    """

    def draw(first, second, start, count):
        hs, others = _memory(model, stage, first), _memory(model, stage, second)
        T, shift = len(first), len(second) - len(first)
        before = _written(_steps(model, stage, hs))
        places = [i for i in range(start - 1, min(start - 1 + count, T)) if i + shift >= 0]
        changed = hs.copy()
        changed[0, places] = others[0, [i + shift for i in places]]
        steps = _steps(model, stage, changed)
        after = _written(steps)

        canvas = Canvas(800, 260 + 22 * len(steps))
        wide = min(24, 660 / max(T, len(second)))
        right = 120 + wide * max(T, len(second))
        copied = f"{len(places)} state{'' if len(places) == 1 else 's'} copied"
        canvas.text(20, 106, copied, 14, QUIET)
        for y, text, name in ((40, first, "written:"), (84, second, "taken from:")):
            canvas.text(20, y, name, 15)
            left = right - wide * len(text)
            for i, letter in enumerate(text):
                taken = (i if text is first else i - shift) in places
                if taken:
                    canvas.box(left + i * wide, y - 19, wide, 27, "#fbe3f0", INK, 2)
                canvas.text(left + (i + 0.5) * wide, y, visible(letter), 16, anchor="middle", bold=taken)
        if places:
            middle = right - wide * (T - (places[0] + places[-1] + 1) / 2)
            canvas.arrow([(middle, 64), (middle, 50)], INK, 2)
        canvas.text(20, 132, f"before:  {before}", 17)
        canvas.text(20, 160, f"after:   {after}", 17, bold=True)
        same = "nothing changed" if before == after else _parts(before, after)
        canvas.text(330, 160, same, 15)
        a = np.stack([step.a for step in steps])
        names = [step.word for step in steps]
        canvas.cells(right - wide * T, 186, a, (wide, 22), weight_colour, names, [*first], marked_columns=places)
        canvas.scale(120, canvas.height - 36, 240, weight_colour, 0, 1, "attention weight")
        canvas.text(390, canvas.height - 26, "the map after the operation", 14)
        taken = "".join(second[i + shift] for i in places)
        what = f"the states at {taken!r} of {second!r} are copied into it" if places else "no state is copied"
        return canvas.drawing(f"{first!r} is read, and {what}. Before: {before}; after: {after}; {same}.")

    return Explorer(
        draw,
        {
            "first": Entry("date that is written", first),
            "second": Entry("date to take from", second),
            "start": Slider("copy from character", max(len(first) - 7, 1), 1, _LONGEST),
            "count": Slider("how many", 3, 0, _LONGEST),
        },
    )


def microscope(model, stage, text):
    """All stages of one decoder step, in order, with their numbers.

    Parameters
    ----------
    model : utils.trained.TrainedModel
    stage : object
        Has a function for every exercise under its name.
    text : str

    Returns
    -------
    Explorer
    """

    def draw(text, number, what_if):
        hs = _memory(model, stage, text)
        steps = _steps(model, stage, hs)
        number, whole = min(number, len(steps)), _written(steps)
        step, so_far = steps[number - 1], _written(steps[: number - 1])
        own = step.word
        if what_if != _OWN:
            _look(model, stage, hs, step, _other_weights(step.a, what_if)[None])
        largest = [i for i in np.argsort(-step.a, kind="stable")[:3] if step.a[i] > max(0.01, 1.01 / len(text))]

        canvas = Canvas(800, 776)
        canvas.text(20, 28, "It has read", 15)
        canvas.text(112, 28, text, 17, bold=True)
        canvas.text(20, 54, "and written", 15)
        canvas.text(112, 54, so_far or "(nothing yet)", 17, bold=True)
        canvas.text(780, 54, f"step {number} of {len(steps)}: what comes next?", 15, anchor="end")
        fed = f"after writing “{_word(model, step.fed)}”" if number > 1 else "at the start"
        _heading(canvas, 88, "1  provisional state h̃", f"where the decoder stands {fed}, before it looks")
        _strip(canvas, 98, step.h_tilde)
        _draw_looking(canvas, text, step, largest, what_if)
        _draw_mixing(canvas, text, step, largest)
        _heading(canvas, 586, "6  next word", "the second softmax, over all characters; the likeliest is written")
        top = np.argsort(-step.probs, kind="stable")[:5]
        names = [_word(model, int(word)) for word in top]
        canvas.bars(20, 596, 420, names, step.probs[top], "#8a8a8a", 1.0, row=27, marked=[0])
        canvas.text(480, 632, "It writes", 15)
        canvas.text(556, 633, step.word, 22, bold=True)
        if what_if != _OWN:
            same = "the same as before" if step.word == own else f"it wrote {own} with its own weights"
            canvas.text(480, 662, same, 15)
        canvas.text(20, 764, f"the whole date, with its own weights: {whole}", 15)
        canvas.scale(480, 706, 300, signed_colour, -1, 1, "numbers of h̃, c, h^final")
        looked = ", ".join(f"{step.a[i]:.2f} at the state after {_end_of(text[: i + 1])!r}" for i in largest)
        return canvas.drawing(
            f"Step {number} for {text!r}, {so_far or 'nothing'} written so far, weights: {what_if}."
            f" Largest weights: {looked or 'none stands out'}."
            f" Next word: {step.word}, with probability {step.probs.max():.2f}."
        )

    controls = {
        "text": Entry("date", text),
        "number": Slider("output step", 9, 1, model.max_len),
        "what_if": Choice("weights of this step", _OWN, (_OWN, _WITHOUT, _ALIKE)),
    }
    return Explorer(draw, controls)


# ---- pieces of drawings


def _other_weights(a, what_if):
    """Weights put by hand in place of the model's own."""
    if what_if == _ALIKE:
        return np.full(a.shape, 1 / a.size)
    rest = np.where(np.arange(a.size) == a.argmax(), 0, a)
    return rest / rest.sum() if rest.any() else rest


def _end_of(text):
    """The last characters of what has been read."""
    return text if len(text) <= 9 else "…" + text[-8:]


def _parts(before, after):
    """Which of year, month and day an operation changed, for outputs that are dates."""
    if len(before) != 10 or len(after) != 10:
        return "something else is written"
    parts = {"year": slice(0, 4), "month": slice(5, 7), "day": slice(8, 10)}
    changed = [name for name, where in parts.items() if before[where] != after[where]]
    return f"changed: {', '.join(changed) or 'a hyphen'}"


def _draw_looking(canvas, text, step, largest, what_if):
    """Scores and weights, a column for each character."""
    wide = min(26, 740 / len(text))
    _heading(canvas, 150, "2  scores e", "how well the state at each character fits what h̃ looks for")
    _columns(canvas, 20, 164, wide, 76, step.e, SCORE, np.argsort(-step.e, kind="stable")[:2])
    about = {
        _OWN: "the scores as shares of 1: where it looks now",
        _WITHOUT: "put by hand: the largest taken away, the rest grown to 1",
        _ALIKE: "put by hand: all alike",
    }
    _heading(canvas, 276, "3  attention weights a", about[what_if])
    _columns(canvas, 20, 290, wide, 84, step.a, WEIGHT, largest, highest=1.0)
    for i, letter in enumerate(text):
        canvas.text(20 + (i + 0.5) * wide, 392, visible(letter), 16, anchor="middle", bold=i in largest)
    canvas.text(20, 414, "each bar: the state after reading everything up to this character", 14, QUIET)


def _draw_mixing(canvas, text, step, largest):
    """The context vector, with its largest parts, and the final state."""
    _heading(canvas, 446, "4  context vector c", "the states, mixed in these shares")
    _strip(canvas, 456, step.c)
    shares = "  +  ".join(f"{step.a[i]:.2f} · state after “{_end_of(text[: i + 1])}”" for i in largest[:2])
    canvas.text(20, 492, f"c = {shares}  +  …" if largest else f"c = the mean of all {len(text)} states", 14)
    _heading(canvas, 526, "5  final state h^final", "h̃ and c combined: tanh(W_c [h̃ ; c])")
    _strip(canvas, 536, step.h)


def _heading(canvas, y, name, about):
    canvas.text(20, y, name, 16, bold=True)
    canvas.text(252, y, about, 15, QUIET)


def _strip(canvas, y, vector):
    """A state as a row of coloured cells."""
    canvas.cells(20, y, np.reshape(vector, (1, -1)), (760 / np.size(vector), 20), signed_colour)


def _columns(canvas, x, y, wide, height, values, colour, numbered, highest=None):
    """Upright bars, one for each character; those in `numbered` carry their number, where two don't meet."""
    finite = np.nan_to_num(values, posinf=0.0, neginf=0.0)  # a diverged model's are not
    top = max(finite.max(), 1e-9) if highest is None else highest
    bottom = min(finite.min(), 0.0)
    unit = (height - 16) / (top - bottom)
    zero = y + 16 + top * unit
    for i, value in enumerate(finite):
        canvas.box(x + i * wide + 2, min(zero, zero - value * unit), wide - 4, abs(value) * unit, colour, colour, 1)
    for k, i in enumerate(numbered):
        if any(abs(i - other) * wide < 36 for other in numbered[:k]):
            continue
        canvas.text(x + (i + 0.5) * wide, zero - max(finite[i], 0) * unit - 4, f"{values[i]:.2f}", 14, INK, "middle",
                    bold=True)  # fmt: skip
    canvas.line([(x, zero), (x + len(values) * wide, zero)], QUIET, 1)


def _curve(canvas, x, y, width, height, losses, k):
    """The loss of all training steps where it is finite, with a dot at the one that comes after k others, if any."""
    finite = [step for step, value in enumerate(losses) if np.isfinite(value)]
    unit = np.array([width / max(len(losses), 2), height / (losses[finite].max(initial=0.0) or 1.0)])

    def place(step):
        return np.array([x, y + height]) + [step + 1, -losses[step]] * unit

    canvas.line([(x, y), (x, y + height), (x + width, y + height)], QUIET, 1)
    if finite:
        canvas.line([place(step) for step in finite], INK, 1.5)
    if k in finite:
        canvas.dot(*place(k), 6, CONTEXT)
    canvas.text(x + width, y + 14, "loss at every training step", 14, anchor="end")
