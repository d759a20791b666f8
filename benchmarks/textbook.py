"""The course's model as a textbook writes it, to be measured against `utils.model`: loops over the decoder's steps,
what every step computed kept for the way back, `np.add.at`, and whatever precision the parameters have."""

import numpy as np

from utils.data import BOS, PAD
from utils.stages import shift_right


def loss_and_grads(p, config, source, target):
    """As `utils.model.loss_and_grads`, for additive and dot scores, concatenation and h̃ carried."""
    keep, real, previous = source != PAD, target != PAD, shift_right(target, BOS)
    X, Y = p["E_source"][source], p["E"][previous]  # (N, T, D), (N, U, D)

    h, hs = np.zeros((len(source), config.H), X.dtype), []
    for t in range(source.shape[1]):
        h = np.where(keep[:, t, None], np.tanh(X[:, t] @ p["Wx_source"] + h @ p["Wh_source"] + p["b_source"]), h)
        hs.append(h)
    start, hs = h, np.stack(hs, axis=1)  # (N, H), (N, T, H)

    loss, steps = 0.0, []
    for t in range(target.shape[1]):
        h = np.tanh(Y[:, t] @ p["Wx"] + h @ p["Wh"] + p["b"])
        s = np.tanh((h @ p["W1"])[:, None] + hs @ p["W2"]) if config.score == "additive" else None  # (N, T, A)
        e = np.where(keep, s @ p["v"] if config.score == "additive" else (h[:, None] * hs).sum(axis=2), -np.inf)
        z = np.exp(e - e.max(axis=1, keepdims=True))
        a = z / z.sum(axis=1, keepdims=True)  # (N, T)
        both = np.concatenate([h, (a[:, :, None] * hs).sum(axis=1)], axis=1)  # (N, 2H)
        h_final = np.tanh(both @ p["Wc"])
        logits = h_final @ p["Wo"] + p["bo"]
        z = np.exp(logits - logits.max(axis=1, keepdims=True))
        probs = z / z.sum(axis=1, keepdims=True)  # (N, V)
        loss -= np.log(probs[np.arange(len(source)), target[:, t]])[real[:, t]].sum()
        steps.append((h, s, a, both, h_final, probs))

    grads = {name: np.zeros_like(array) for name, array in p.items()}
    dY, dhs, dh = np.zeros_like(Y), np.zeros_like(hs), np.zeros_like(start)
    for t in reversed(range(target.shape[1])):
        h, s, a, both, h_final, probs = steps[t]
        dlogits = probs.copy()
        dlogits[np.arange(len(source)), target[:, t]] -= 1
        dlogits *= real[:, t, None] / real.sum()
        grads["Wo"] += h_final.T @ dlogits
        grads["bo"] += dlogits.sum(axis=0)
        dz = dlogits @ p["Wo"].T * (1 - h_final**2)
        grads["Wc"] += both.T @ dz
        dboth = dz @ p["Wc"].T
        dh, dc = dh + dboth[:, : config.H], dboth[:, config.H :]
        da = (dc[:, None] * hs).sum(axis=2)
        dhs += a[:, :, None] * dc[:, None]
        de = a * (da - (a * da).sum(axis=1, keepdims=True))
        if config.score == "additive":
            grads["v"] += (de[:, :, None] * s).sum(axis=(0, 1))
            ds = de[:, :, None] * p["v"] * (1 - s**2)
            grads["W1"] += h.T @ ds.sum(axis=1)
            grads["W2"] += np.tensordot(hs, ds, axes=([0, 1], [0, 1]))
            dh = dh + ds.sum(axis=1) @ p["W1"].T
            dhs += ds @ p["W2"].T
        else:
            dh = dh + (de[:, :, None] * hs).sum(axis=1)
            dhs += de[:, :, None] * h[:, None]
        dY[:, t], dh = _rnn_step_backward(p, "", Y[:, t], steps[t - 1][0] if t else start, h, dh, grads)
    np.add.at(grads["E"], previous, dY)

    dX, dhs[:, -1] = np.zeros_like(X), dhs[:, -1] + dh
    dh = np.zeros_like(start)
    for t in reversed(range(source.shape[1])):
        dh = dh + dhs[:, t]
        word, before = keep[:, t, None], hs[:, t - 1] if t else np.zeros_like(start)
        dX[:, t], through = _rnn_step_backward(p, "_source", X[:, t], before, hs[:, t], dh * word, grads)
        dh = np.where(word, through, dh)
    np.add.at(grads["E_source"], source, dX)
    return float(loss / real.sum()), grads


def _rnn_step_backward(p, side, x, before, h, dh, grads):
    dz = dh * (1 - h**2)
    grads[f"Wx{side}"] += x.T @ dz
    grads[f"Wh{side}"] += before.T @ dz
    grads[f"b{side}"] += dz.sum(axis=0)
    return dz @ p[f"Wx{side}"].T, dz @ p[f"Wh{side}"].T
