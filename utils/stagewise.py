"""The same loss and gradient as `utils.model`, one decoder step at a time, through any functions that
solve the exercises: the learner's own, or the course's.

What is here is backpropagation through time around them: the loops over encoder and decoder steps, and
the adding up where something was used more than once. Short and long sentences are done apart. The model
is the default one: additive scores, concatenation; either carry.
"""

import numpy as np

from utils import stages
from utils.data import BOS, PAD

ENCODER = {"Wx": "Wx_source", "Wh": "Wh_source", "b": "b_source"}
DECODER = ("Wx", "Wh", "b", "W1", "W2", "v", "Wc", "Wo", "bo")


def loss_and_grads(p, config, source, target, stage=stages):
    """The next-word loss of a batch under teacher forcing, and its whole gradient.

    Parameters
    ----------
    p, config, source, target
        As for `utils.model.loss_and_grads`.
    stage : object
        Has a function for every exercise under its name: `utils.stages`, or what `own_stages` gives.

    Returns
    -------
    loss : float
        Mean over all real target words, in nats.
    grads : dict of str to array
        Named, shaped and typed like p.
    """
    # The short sentences and the long ones apart, each half without the other's padding: a function that solves an
    # exercise takes as long for padding as for words.
    lengths = (source != PAD).sum(axis=1)
    halves = np.array_split(np.argsort(-lengths, kind="stable"), 2)
    words = (target != PAD).sum()
    loss, grads = 0.0, {name: np.zeros_like(array) for name, array in p.items()}
    for rows in halves:
        share = float((target[rows] != PAD).sum() / words)  # loss and gradient are means over words
        if share == 0:
            continue
        part = source[rows, : max(lengths[rows[0]], 1)], target[rows]
        part_loss, part_grads = through_time(p, config, *part, stage)
        loss += share * part_loss
        for name in grads:
            grads[name] += share * part_grads[name]
    return loss, grads


def through_time(p, config, source, target, stage):
    """The same for sentences of about one length, the longest first."""
    kind = p["E"].dtype
    keep, real = source != PAD, target != PAD
    inputs = stage.shift_right(target, BOS)
    decoder = {name: p[name] for name in DECODER}

    # forward, keeping what the way back needs
    X = _as(kind, stage.embed(source, p["E_source"]))  # (N, T, D)
    Y = _as(kind, stage.embed(inputs, p["E"]))  # (N, U, D)
    hs = _as(kind, stage.encode(X, keep, p["Wx_source"], p["Wh_source"], p["b_source"]))
    carry = _as(kind, stage.decoder_init(hs))
    carries, logits = [], []
    for t in range(target.shape[1]):
        carries.append(carry)
        step_logits, _, h_tilde, h = stage.decoder_step(Y[:, t], carry, hs, keep, decoder)
        logits.append(_as(kind, step_logits))
        carry = _as(kind, h_tilde if config.carry == "provisional" else h)
    logits = np.stack(logits, axis=1)  # (N, U, V)
    loss = float(stage.masked_cross_entropy(logits, target, real))

    # backward through the decoder, last step first; every step also reaches hs and the parameters
    grads = {name: np.zeros_like(array) for name, array in p.items()}
    dlogits = _as(kind, stage.masked_cross_entropy_backward(logits, target, real))
    dY, dhs, none = np.zeros_like(Y), np.zeros_like(hs), np.zeros_like(carry)
    dcarry = none
    for t in reversed(range(target.shape[1])):
        dh_tilde, dh = (dcarry, none) if config.carry == "provisional" else (none, dcarry)
        dY[:, t], dcarry, dhs_step, dp = stage.decoder_step_backward(
            dlogits[:, t], dh_tilde, dh, Y[:, t], carries[t], hs, keep, decoder
        )
        dcarry = _as(kind, dcarry)
        dhs += dhs_step
        for name in DECODER:
            grads[name] += dp[name]
    grads["E"] += stage.embedding_backward(_doubles(dY), inputs, len(p["E"]))

    # backward through the encoder: its last state also started the decoder
    dX, dh = np.zeros_like(X), dcarry.copy()
    before = np.concatenate([none[:, None], hs[:, :-1]], axis=1)  # h_{t-1}
    for t in reversed(range(source.shape[1])):
        read = slice(keep[:, t].sum())  # the others have ended, and pass their gradient on
        dh[read] += dhs[read, t]
        dX[read, t], dh[read], *dweights = stage.rnn_step_backward(
            dh[read], X[read, t], before[read, t], p["Wx_source"], p["Wh_source"], p["b_source"]
        )
        for name, dweight in zip(ENCODER.values(), dweights):
            grads[name] += dweight
    grads["E_source"] += stage.embedding_backward(_doubles(dX), source, len(p["E_source"]))
    return loss, grads


def _as(kind, result):
    """A learner's result as an array of the model's precision: one float64 would slow everything behind it."""
    return np.asarray(result, dtype=kind)


def _doubles(array):
    """What is going to be added up in an array that is most likely float64: np.add.at takes five times as long when
    it has to convert every number on the way."""
    return array.astype(float)
