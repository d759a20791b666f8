"""The whole model: an encoder, a decoder with attention, its gradient, and decoding.

The stages are those of `utils.stages`, in a second form that is faster because it does at once what
the exercises do step by step, and leaves out what nobody needs:

- the part of an RNN's input that does not depend on the state is one table, a row per word of the
  vocabulary (`E Wx + b`): looking rows up replaces a product per word;
- the encoder reads the longest sentences first: those that have ended are then behind the others, and
  padding is not computed (nearly half of a batch of dates is padding);
- where h̃ is carried, no provisional state depends on the attention, so that one pass attends for
  all U steps; where h^final is carried, the same functions are called with U = 1, step by step;
- the additive score needs an exponential per state and not a tanh per pair of states (`half_tanh`), and
  forms the pairs again in the backward pass, so that no array of size N · U · T · A ever exists.

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


def init_params(config, rng, dtype=np.float32, embedding_std=0.3):
    """Untrained parameters.

    Parameters
    ----------
    config : Config
    rng : numpy.random.RandomState
    dtype : NumPy type
    embedding_std : float
        The standard deviation of the embeddings. Small ones make small states, and so small dot
        scores, which don't saturate the softmax from the start.

    Returns
    -------
    dict of str to array
        E_source, Wx_source, Wh_source, b_source for the encoder; E, Wx, Wh, b, W1, W2, v, Wc,
        alpha, Wo, bo for the decoder, as far as this model has them. Embeddings are drawn from
        N(0, embedding_std²), matrices (in, out) from N(0, 1/in); biases are 0 and α is 1/2.
    """
    D, H, A = config.D, config.H, config.A
    matrices = {"Wx_source": (D, H), "Wh_source": (H, H), "Wx": (D, H), "Wh": (H, H)}
    if config.score == "additive":
        matrices |= {"W1": (H, A), "W2": (H, A), "v": (A,)}
    if config.combine == "concat":
        matrices |= {"Wc": (2 * H, H)}
    matrices |= {"Wo": (H, config.target_words)}

    words = {"E_source": config.source_words, "E": config.target_words}
    p = {name: embedding_std * rng.standard_normal((V, D)) for name, V in words.items()}
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
        Both padded with PAD, at the end of a row.

    Returns
    -------
    loss : float
        Mean over all real target words, in nats.
    grads : dict of str to array
        Named and shaped like p.
    """
    order, *_ = longest_first(source != PAD)  # in this order, all that follows can be read and written in place
    tape = forward(p, config, source[order], target[order])
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
    memory = with_exp_keys(p, config, encode(p, config, source))
    hs = memory["hs"]

    if config.carry == "provisional":
        read = np.full(target.shape[1], len(target))  # all of them, at every step
        states = rnn(p, "", previous.T, read, hs[:, -1])  # (U, N, H)
        H_tilde = np.ascontiguousarray(states.transpose(1, 0, 2))  # (N, U, H)
        C, a = attend(p, config, H_tilde, memory)  # (N, U, H), (N, U, T)
        H_final = combine(p, config, H_tilde, C)  # (N, U, H)
    else:
        table = word_table(p, "")
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
        states, dstates = H_tilde.transpose(1, 0, 2), dH_tilde.transpose(1, 0, 2)
        read, dlast = np.full(target.shape[1], len(target)), np.zeros_like(start)
        dstart = rnn_backward(p, "", tape["previous"].T, read, start, states, dstates, dlast, grads)
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
        before = np.concatenate([start[:, None], H_final[:, :-1]], axis=1)  # (N, U, H)
        words_backward(p, "", tape["previous"].ravel(), flat(before), flat(dZ), grads)

    # the encoder: its last state also started the decoder
    order, _, read = longest_first(tape["keep"])
    states, dstates = (array.transpose(1, 0, 2)[:, order] for array in (hs, dhs))  # (T, N, H)
    rnn_backward(
        p, "_source", tape["source"][order].T, read, np.zeros_like(start), states, dstates, dstart[order], grads
    )
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
        "hs" (N, T, H) encoder states; "keep" (N, T) bool, True at real words.
    """
    keep = source != PAD
    order, back, read = longest_first(keep)
    start = np.zeros((len(source), config.H), p["Wh_source"].dtype)
    states = rnn(p, "_source", source[order].T, read, start)  # (T, N, H)
    return {"hs": states.transpose(1, 0, 2)[back], "keep": keep}


def with_exp_keys(p, config, memory):
    """A memory with "exp_keys" (T, N, A), exp(−2k) of all states' k = W₂ h_i, if the score is additive."""
    if config.score != "additive":
        return memory
    return {**memory, "exp_keys": bounded_exp(linear(memory["hs"].transpose(1, 0, 2), -2 * p["W2"]))}


def decode_from(p, config, memory, max_len):
    """`decode`, from what `encode` returned, or from a copy with other states "hs"."""
    memory = with_exp_keys(p, config, memory)
    table = word_table(p, "")
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


# ---- the recurrent network, all steps: time comes first, and the parameters' names end on `side`


def longest_first(keep):
    """The order that puts the longest of N sentences first, the order back, and what `rnn` then has to read.

    keep : (N, T) bool, with padding at the end of each sentence

    Returns two indices of the N sentences, and read (T,) int: how many of them have a t-th word.
    """
    lengths, read = keep.sum(axis=1), keep.sum(axis=0)
    if (lengths[1:] <= lengths[:-1]).all():
        return slice(None), slice(None), read  # such an index copies nothing
    order = np.argsort(-lengths, kind="stable")
    return order, np.argsort(order), read


def word_table(p, side):
    """The part of an RNN's input that does not depend on the state, for every word: (V, H)."""
    return p[f"E{side}"] @ p[f"Wx{side}"] + p[f"b{side}"]


def rnn(p, side, ids, read, start):
    """All states of a recurrent network.

    h_t = tanh(E[id_t] Wx + b + h_{t-1} Wh) for the first read_t sentences; the others keep their h.

    ids : (T, N) int, read : (T,) int, start : (N, H) → (T, N, H)
    """
    table, Wh = word_table(p, side), p[f"Wh{side}"]
    states = np.empty((*ids.shape, len(Wh)), table.dtype)
    h = start.copy()
    for t, n in enumerate(read):
        z = h[:n] @ Wh
        z += table.take(ids[t, :n], axis=0)  # table[ids[t, :n]], and faster
        np.tanh(z, out=h[:n])
        states[t] = h
    return states


def rnn_backward(p, side, ids, read, start, states, dstates, dlast, grads):
    """The gradients of `rnn`: returns dstart (N, H); adds to `grads`.

    dstates : (T, N, H), what arrives at the states where they are read
    dlast : (N, H), what arrives at the last ones besides
    """
    Wh = p[f"Wh{side}"]
    dh = dlast.copy()
    steps = []
    for t in reversed(range(len(ids))):
        n = read[t]
        dh[:n] += dstates[t, :n]
        dz = dh[:n] * (1 - states[t, :n] ** 2)
        dh[:n] = dz @ Wh.T
        steps.append((ids[t, :n], (states[t - 1] if t else start)[:n], dz))
    words_backward(p, side, *(np.concatenate(arrays) for arrays in zip(*steps)), grads)
    return dh


def words_backward(p, side, ids, before, dZ, grads):
    """The gradients of M words' z = E[id] Wx + b + h_before Wh, added to `grads`.

    ids : (M,) int, before : (M, H), dZ : (M, H)
    """
    E, Wx = p[f"E{side}"], p[f"Wx{side}"]
    onehot = np.eye(len(E), dtype=dZ.dtype).take(ids, axis=0)  # (M, V): a product with it adds up repeated words
    dtable = onehot.T @ dZ  # (V, H)
    grads[f"E{side}"] += dtable @ Wx.T
    grads[f"Wx{side}"] += E.T @ dtable
    grads[f"b{side}"] += dtable.sum(axis=0)
    grads[f"Wh{side}"] += before.T @ dZ


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
        queries, keys = exp_queries(p, H_tilde), memory["exp_keys"]  # (U, N, A), (T, N, A)
        e = np.empty((N, U, T), hs.dtype)
        r = np.empty_like(keys)  # used again at every step: new memory costs more than the sum
        for t in range(U):
            e[:, t] = (half_tanh(queries[t], keys, out=r) @ p["v"]).T
        e *= -2
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

    queries, keys = exp_queries(p, H_tilde), memory["exp_keys"]
    dqueries, dkeys, dv = np.empty_like(queries), np.zeros_like(keys), np.zeros_like(p["v"])
    r, rest = np.empty_like(keys), np.empty_like(keys)
    de = np.ascontiguousarray(de.transpose(1, 2, 0))  # (U, T, N)
    for t in range(len(queries)):
        half_tanh(queries[t], keys, out=r)
        dv -= 2 * (de[t].ravel() @ flat(r))
        np.subtract(1, r, out=rest)
        r *= rest
        r *= de[t, :, :, None]  # a quarter of dz without its factor v
        np.sum(r, axis=0, out=dqueries[t])
        dkeys += r
    dqueries *= 4 * p["v"]
    dkeys *= 4 * p["v"]
    H_tilde, hs = H_tilde.transpose(1, 0, 2), hs.transpose(1, 0, 2)
    grads["W1"] += flat(H_tilde).T @ flat(dqueries)
    grads["W2"] += flat(hs).T @ flat(dkeys)
    grads["v"] += dv
    dhs += linear(dkeys, p["W2"].T).transpose(1, 0, 2)
    return linear(dqueries, p["W1"].T).transpose(1, 0, 2)


# The additive score's tanh, faster. With r = (1 − tanh(q + k)) / 2 = exp(−2k) / (exp(−2k) + exp(2q)):
#   v · tanh(q + k) = −2 v · r + Σ v, of which Σ v is the same for all words: it makes no difference to a softmax,
#                     nor to dv, since the gradients of a sentence's scores sum to 0;
#   1 − tanh²(q + k) = 4 r (1 − r).
# So each state needs an exponential, and each pair of states a sum and a quotient: much less than a tanh.


def exp_queries(p, H_tilde):
    """exp(2q) of all provisional states' q = W₁ h̃: (N, U, H) → (U, N, A)."""
    return bounded_exp(linear(H_tilde.transpose(1, 0, 2), 2 * p["W1"]))


def bounded_exp(x):
    """exp(x) for |x| ≤ 80, cut there: so the sum of two is neither 0 nor infinite, also in float32.

    So r is right while |q| and |k| are at most 40; |q| ≤ Σ |W₁|, and in the course's trained model that is 13.
    """
    return np.exp(np.clip(x, -80, 80))


def half_tanh(queries, keys, out):
    """r = (1 − tanh(q + k)) / 2, from exp(2q) (N, A) and exp(−2k) (T, N, A), written into `out` (T, N, A)."""
    np.add(keys, queries, out=out)
    return np.divide(keys, out, out=out)


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
