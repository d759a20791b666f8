"""The whole model: an encoder, a decoder with attention, its gradient, and decoding.

The stages are those of `utils.stages`, in a second form that is faster because it does at once what
the exercises do step by step:

- the part of an RNN's input that does not depend on the state is one table, a row per word of the
  vocabulary (`E Wx + b`): looking rows up replaces a product per word;
- where h̃ is carried, no provisional state depends on the attention, so that one pass attends for
  all U steps; where h^final is carried, the same functions are called with U = 1, step by step;
- W₂ h_i does not depend on the step, so it is computed once; the additive score's tanh is computed
  again in the backward pass, so that no array of size N · U · T · A ever exists.

Tests compare it with the stages, and its gradient with finite differences.

Shapes: N batch, T source length, U target length, D embedding, H hidden, A attention, V vocabulary.
"""

from dataclasses import dataclass

import numpy as np

from utils.data import BOS, EOS, PAD
from utils.stages import shift_right

SCORES = ("additive", "dot", "uniform", "none")
COMBINES = ("concat", "sum")
CARRIES = ("provisional", "final")


@dataclass(frozen=True)
class Config:
    """What a model is made of; everything that its parameters' shapes depend on.

    Attributes
    ----------
    source_words, target_words : int
        The sizes V of the two vocabularies.
    score : str
        One of SCORES. "uniform" looks at all words alike (a = 1/T), "none" has no context (c = 0).
    combine : str
        One of COMBINES: tanh(W_c [h̃ ; c]), or α h̃ + (1 − α) c with one learned α.
    carry : str
        One of CARRIES: what "the previous hidden state" is at the next step, h̃ or h^final.
    D, H, A : int
        The sizes of embeddings, hidden states and the additive score.
    """

    source_words: int
    target_words: int
    score: str = "additive"
    combine: str = "concat"
    carry: str = "provisional"
    D: int = 16
    H: int = 64
    A: int = 32


def init_params(config, rng, dtype=np.float32):
    """Untrained parameters.

    Parameters
    ----------
    config : Config
    rng : numpy.random.RandomState
    dtype : NumPy type

    Returns
    -------
    dict of str to array
        E_source, Wx_source, Wh_source, b_source for the encoder; E, Wx, Wh, b, W1, W2, v, Wc,
        alpha, Wo, bo for the decoder, as far as this model has them. Embeddings are drawn from
        N(0, 1), matrices (in, out) from N(0, 1/in); biases are 0 and α is 1/2.
    """
    D, H, A = config.D, config.H, config.A
    matrices = {"Wx_source": (D, H), "Wh_source": (H, H), "Wx": (D, H), "Wh": (H, H)}
    if config.score == "additive":
        matrices |= {"W1": (H, A), "W2": (H, A), "v": (A,)}
    if config.combine == "concat":
        matrices |= {"Wc": (2 * H, H)}
    matrices |= {"Wo": (H, config.target_words)}

    p = {"E_source": rng.standard_normal((config.source_words, D)), "E": rng.standard_normal((config.target_words, D))}
    p |= {name: rng.standard_normal(shape) / np.sqrt(shape[0]) for name, shape in matrices.items()}
    p |= {"b_source": np.zeros(H), "b": np.zeros(H), "bo": np.zeros(config.target_words)}
    if config.combine == "sum":
        p |= {"alpha": np.array([0.5])}
    return {name: array.astype(dtype) for name, array in p.items()}


def loss_and_grads(p, config, source, target):
    """The next-word loss of a batch under teacher forcing, and its whole gradient.

    Parameters
    ----------
    p : dict of str to array
        Parameters as `init_params` makes them.
    config : Config
    source : (N, T) int
    target : (N, U) int
        Both padded with PAD.

    Returns
    -------
    loss : float
        Mean over all real target words, in nats.
    grads : dict of str to array
        Named and shaped like p.
    """
    tape = forward(p, config, source, target)
    return tape["loss"], backward(p, config, tape)


def forward(p, config, source, target):
    """The next-word loss under teacher forcing, with all values that `backward` needs.

    Returns
    -------
    dict
        "loss" (float, in nats), "a" (N, U, T) attention weights, "hs" (N, T, H), "H_tilde", "C" and
        "H_final" (N, U, H), "logits" (N, U, V), and the inputs.
    """
    keep = source != PAD
    previous = shift_right(target, BOS)
    table = p["E"] @ p["Wx"] + p["b"]  # (V, H)
    memory = encode(p, config, source)
    hs = memory["hs"]

    if config.carry == "provisional":
        H_tilde = rnn(table[previous], hs[:, -1], p["Wh"])  # (N, U, H)
        C, a = attend(p, config, H_tilde, memory)  # (N, U, H), (N, U, T)
        H_final = combine(p, config, H_tilde, C)  # (N, U, H)
    else:
        carry, steps = hs[:, -1], []
        for t in range(target.shape[1]):
            h_tilde = np.tanh(table[previous[:, t]] + carry @ p["Wh"])[:, None]
            c, a_t = attend(p, config, h_tilde, memory)
            h_final = combine(p, config, h_tilde, c)
            steps.append((h_tilde, c, h_final, a_t))
            carry = h_final[:, 0]
        H_tilde, C, H_final, a = (np.concatenate(arrays, axis=1) for arrays in zip(*steps))

    logits = linear(H_final, p["Wo"]) + p["bo"]  # (N, U, V)
    log_p = log_softmax(logits)
    real = target != PAD
    loss = -log_p[real, target[real]].mean(dtype=float)
    return {
        "source": source, "keep": keep, "target": target, "previous": previous, "memory": memory, "hs": hs,
        "H_tilde": H_tilde, "a": a, "C": C, "H_final": H_final, "logits": logits, "log_p": log_p, "loss": float(loss),
    }  # fmt: skip


def backward(p, config, tape):
    """The gradient of the loss with respect to every parameter, from what `forward` returned.

    Returns
    -------
    dict of str to array
        Named and shaped like p.
    """
    target, hs, H_tilde, C, H_final = (tape[k] for k in ("target", "hs", "H_tilde", "C", "H_final"))
    grads = {name: np.zeros_like(array) for name, array in p.items()}
    dhs = np.zeros_like(hs)

    # the loss and the second softmax; padding sends nothing back
    real = target != PAD
    dlogits = np.exp(tape["log_p"])
    dlogits[real, target[real]] -= 1
    dlogits *= real[:, :, None] / dlogits.dtype.type(real.sum())
    grads["Wo"] += flat(H_final).T @ flat(dlogits)
    grads["bo"] += flat(dlogits).sum(axis=0)
    dH_final = linear(dlogits, p["Wo"].T)  # (N, U, H)

    # combine, context, softmax, scores, provisional state
    start = hs[:, -1]
    if config.carry == "provisional":
        dH_tilde, dC = combine_backward(p, config, dH_final, H_tilde, C, H_final, grads)
        dH_tilde += attend_backward(p, config, dC, tape["a"], H_tilde, tape["memory"], dhs, grads)
        dZ, dstart = rnn_backward(dH_tilde, H_tilde, p["Wh"])
        carried = H_tilde
    else:
        dZ, dstart = np.empty_like(H_tilde), 0
        for t in reversed(range(target.shape[1])):
            now = slice(t, t + 1)
            dH_final[:, t] += dstart
            dh_tilde, dc = combine_backward(
                p, config, dH_final[:, now], H_tilde[:, now], C[:, now], H_final[:, now], grads
            )
            dh_tilde += attend_backward(p, config, dc, tape["a"][:, now], H_tilde[:, now], tape["memory"], dhs, grads)
            dZ[:, now] = dh_tilde * (1 - H_tilde[:, now] ** 2)
            dstart = dZ[:, t] @ p["Wh"].T
        carried = H_final
    before = np.concatenate([start[:, None], carried[:, :-1]], axis=1)  # (N, U, H)
    grads["Wh"] += flat(before).T @ flat(dZ)
    table_backward(p, "E", "Wx", "b", tape["previous"], dZ, grads)

    # the encoder: its last state also started the decoder
    dhs[:, -1] += dstart
    dZ, _ = rnn_backward(dhs, hs, p["Wh_source"], tape["keep"])
    before = np.concatenate([np.zeros_like(start)[:, None], hs[:, :-1]], axis=1)
    grads["Wh_source"] += flat(before).T @ flat(dZ)
    table_backward(p, "E_source", "Wx_source", "b_source", tape["source"], dZ, grads)
    return grads


def decode(p, config, source, max_len):
    """Write the likeliest word at every step, for a batch of sentences. No targets are used.

    Parameters
    ----------
    p : dict of str to array
    config : Config
    source : (N, T) int
    max_len : int
        At most so many words.

    Returns
    -------
    ids : (N, U) int
        U is at most `max_len`; after its EOS a row holds PAD.
    a : (N, U, T) float
        The attention weights of every step.
    """
    return decode_from(p, config, encode(p, config, source), max_len)


def encode(p, config, source):
    """Read the sentences: what the decoder looks at.

    Returns
    -------
    dict
        "hs" (N, T, H) encoder states; "keep" (N, T) bool, True at real words; "keys" (N, T, A), W₂ h_i
        for the additive score.
    """
    keep = source != PAD
    table = p["E_source"] @ p["Wx_source"] + p["b_source"]  # (V, H)
    start = np.zeros((len(source), config.H), table.dtype)
    hs = rnn(table[source], start, p["Wh_source"], keep)
    return with_keys(p, config, {"hs": hs, "keep": keep})


def with_keys(p, config, memory):
    """A memory with the keys W₂ h_i of its states, as far as the score has such."""
    return {**memory, "keys": linear(memory["hs"], p["W2"]) if config.score == "additive" else None}


def decode_from(p, config, memory, max_len):
    """`decode`, from what `encode` returned, or from a copy with other states "hs"."""
    memory = with_keys(p, config, memory)
    table = p["E"] @ p["Wx"] + p["b"]
    carry = memory["hs"][:, -1]
    word = np.full(len(carry), BOS)
    ended = np.zeros(len(carry), dtype=bool)
    ids, maps = [], []
    while len(ids) < max_len and not ended.all():
        h_tilde = np.tanh(table[word] + carry @ p["Wh"])[:, None]  # (N, 1, H)
        c, a = attend(p, config, h_tilde, memory)
        h_final = combine(p, config, h_tilde, c)
        carry = (h_tilde if config.carry == "provisional" else h_final)[:, 0]
        word = (h_final[:, 0] @ p["Wo"] + p["bo"]).argmax(axis=1)
        ids.append(np.where(ended, PAD, word))
        maps.append(a)
        ended |= word == EOS
    return np.stack(ids, axis=1), np.concatenate(maps, axis=1)


# ---- the recurrent network, all steps


def rnn(Z, start, Wh, keep=None):
    """All states of a recurrent network.

    h_t = tanh(z_t + h_{t-1} Wh); where `keep` is False, h_t = h_{t-1}.

    Z : (N, T, H), start : (N, H), keep : (N, T) bool → (N, T, H)
    """
    states = np.empty_like(Z)
    h = start
    for t in range(Z.shape[1]):
        new = np.tanh(Z[:, t] + h @ Wh)
        h = new if keep is None else np.where(keep[:, t, None], new, h)
        states[:, t] = h
    return states


def rnn_backward(dstates, states, Wh, keep=None):
    """The gradients of `rnn` with respect to Z (N, T, H) and start (N, H)."""
    dZ = np.empty_like(dstates)
    slope = 1 - states**2
    if keep is not None:
        slope *= keep[:, :, None]
    dh = np.zeros_like(states[:, 0])
    for t in reversed(range(states.shape[1])):
        dh = dh + dstates[:, t]
        dZ[:, t] = dh * slope[:, t]
        through = dZ[:, t] @ Wh.T
        dh = through if keep is None else np.where(keep[:, t, None], through, dh)
    return dZ, dh


def table_backward(p, E, Wx, b, ids, dZ, grads):
    """The gradients of Z = (E Wx + b)[ids], added to `grads`. A one-hot product adds up repeated words."""
    onehot = np.equal.outer(np.arange(len(p[E])), ids.ravel()).astype(dZ.dtype)
    dtable = onehot @ flat(dZ)  # (V, H)
    grads[E] += dtable @ p[Wx].T
    grads[Wx] += p[E].T @ dtable
    grads[b] += dtable.sum(axis=0)


# ---- attention: scores, softmax, context


def attend(p, config, H_tilde, memory):
    """Stages 2 to 4 for U decoder steps at once.

    H_tilde : (N, U, H) → C (N, U, H), a (N, U, T)
    """
    hs, keep = memory["hs"], memory["keep"][:, None, :]
    (N, U, _), T = H_tilde.shape, hs.shape[1]
    if config.score == "none":
        return np.zeros_like(H_tilde), np.zeros((N, U, T), hs.dtype)
    if config.score == "uniform":
        e = np.zeros((N, U, T), hs.dtype)
    elif config.score == "dot":
        e = H_tilde @ hs.transpose(0, 2, 1)
    else:
        queries = linear(H_tilde, p["W1"])  # (N, U, A)
        s = np.empty_like(memory["keys"])  # (N, T, A), used again at every step: new memory costs more than the sum
        e = np.empty((N, U, T), hs.dtype)
        for t in range(U):
            np.add(queries[:, t, None], memory["keys"], out=s)
            e[:, t] = np.tanh(s, out=s) @ p["v"]
    e = np.where(keep, e, -np.inf)
    some = keep.any(axis=-1, keepdims=True)  # False for a sentence without words: its weights are all 0
    z = np.exp(e - np.where(some, e.max(axis=-1, keepdims=True), 0))
    a = z / np.where(some, z.sum(axis=-1, keepdims=True), 1)
    return a @ hs, a


def attend_backward(p, config, dC, a, H_tilde, memory, dhs, grads):
    """The gradients of `attend`: returns dH_tilde (N, U, H); adds to `dhs` (N, T, H) and to `grads`."""
    hs = memory["hs"]
    dH_tilde = np.zeros_like(H_tilde)
    if config.score == "none":
        return dH_tilde
    dhs += a.transpose(0, 2, 1) @ dC
    if config.score == "uniform":
        return dH_tilde
    da = dC @ hs.transpose(0, 2, 1)  # (N, U, T)
    de = a * (da - (a * da).sum(axis=-1, keepdims=True))
    if config.score == "dot":
        dhs += de.transpose(0, 2, 1) @ H_tilde
        return de @ hs

    queries = linear(H_tilde, p["W1"])
    dqueries, dkeys, s = np.empty_like(queries), np.zeros_like(memory["keys"]), np.empty_like(memory["keys"])
    for t in range(H_tilde.shape[1]):
        np.add(queries[:, t, None], memory["keys"], out=s)
        np.tanh(s, out=s)
        grads["v"] += flat(s).T @ de[:, t].ravel()
        s *= s
        np.subtract(1, s, out=s)
        s *= de[:, t, :, None]  # dz without its factor v
        dqueries[:, t] = s.sum(axis=1)
        dkeys += s
    dqueries *= p["v"]
    dkeys *= p["v"]
    grads["W1"] += flat(H_tilde).T @ flat(dqueries)
    grads["W2"] += flat(hs).T @ flat(dkeys)
    dhs += linear(dkeys, p["W2"].T)
    return linear(dqueries, p["W1"].T)


# ---- combine and the second softmax


def combine(p, config, H_tilde, C):
    """Stage 5 for U decoder steps: H_tilde, C (N, U, H) → H_final (N, U, H)."""
    if config.combine == "sum":
        return p["alpha"] * H_tilde + (1 - p["alpha"]) * C
    both = np.concatenate([H_tilde, C], axis=-1)  # (N, U, 2H)
    return np.tanh(linear(both, p["Wc"]))


def combine_backward(p, config, dH_final, H_tilde, C, H_final, grads):
    """The gradients of `combine`: returns dH_tilde, dC (N, U, H); adds to `grads`."""
    if config.combine == "sum":
        grads["alpha"] += (dH_final * (H_tilde - C)).sum()
        return p["alpha"] * dH_final, (1 - p["alpha"]) * dH_final
    dZ = dH_final * (1 - H_final**2)
    grads["Wc"] += flat(np.concatenate([H_tilde, C], axis=-1)).T @ flat(dZ)
    dH_tilde, dC = np.split(linear(dZ, p["Wc"].T), 2, axis=-1)
    return dH_tilde, dC


def log_softmax(logits):
    """log p over the last axis, finite for logits of any size."""
    z = logits - logits.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


def linear(x, W):
    """x W for x (N, T, K): one large product instead of NumPy's N small ones."""
    return (flat(x) @ W).reshape(*x.shape[:-1], W.shape[-1])


def flat(array):
    """(N, T, K) → (N T, K)."""
    return array.reshape(-1, array.shape[-1])
