"""The course's model in PyTorch, as one writes it there: what `utils.model` is measured against."""

import itertools

import torch
from torch import nn
from torch.nn import functional as F

from utils.data import BOS, PAD
from utils.train import MAX_NORM


class TorchModel(nn.Module):
    """Encoder, attention and decoder with h̃ carried and concatenation; additive or dot scores.

    The recurrent networks are PyTorch's own, in C++; all decoder steps attend at once.

    Parameters
    ----------
    params : dict of str to array
        As `utils.model.init_params` makes them; they are copied.
    config : utils.model.Config
    """

    def __init__(self, params, config):
        super().__init__()
        p = {name: torch.tensor(array) for name, array in params.items()}
        self.score = config.score
        self.E_source, self.E = (nn.Embedding.from_pretrained(p[name], freeze=False) for name in ("E_source", "E"))
        self.encoder = _rnn(p["Wx_source"], p["Wh_source"], p["b_source"])
        self.decoder = _rnn(p["Wx"], p["Wh"], p["b"])
        self.rest = nn.ParameterDict({name: p[name] for name in ("W1", "W2", "v", "Wc", "Wo", "bo") if name in p})

    def forward(self, source, target):
        """The next-word loss of a batch: source (N, T) and target (N, U) int, both padded with PAD."""
        keep = source != PAD
        hs, _ = self.encoder(self.E_source(source))
        last = hs[torch.arange(len(hs)), keep.sum(dim=1) - 1]
        previous = torch.cat([torch.full_like(target[:, :1], BOS), target[:, :-1]], dim=1)
        h_tilde, _ = self.decoder(self.E(previous), last[None].contiguous())  # (N, U, H)
        if self.score == "additive":
            queries, keys = h_tilde @ self.rest["W1"], hs @ self.rest["W2"]
            e = torch.tanh(queries[:, :, None] + keys[:, None]) @ self.rest["v"]  # (N, U, T)
        else:
            e = h_tilde @ hs.transpose(1, 2)
        a = F.softmax(e.masked_fill(~keep[:, None], -torch.inf), dim=-1)
        h = torch.tanh(torch.cat([h_tilde, a @ hs], dim=-1) @ self.rest["Wc"])
        logits = h @ self.rest["Wo"] + self.rest["bo"]
        return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)

    def loss_and_grads(self, source, target):
        """As `utils.model.loss_and_grads`, with PyTorch's backward pass."""
        self.zero_grad()
        loss = self(torch.tensor(source), torch.tensor(target))
        loss.backward()
        found = {"E_source": self.E_source.weight, "E": self.E.weight, **self.rest}
        grads = {name: parameter.grad for name, parameter in found.items()}
        for side, rnn in (("_source", self.encoder), ("", self.decoder)):
            grads[f"Wx{side}"], grads[f"Wh{side}"] = rnn.weight_ih_l0.grad.T, rnn.weight_hh_l0.grad.T
            grads[f"b{side}"] = rnn.bias_ih_l0.grad
        return loss.item(), {name: gradient.numpy() for name, gradient in grads.items()}


def _rnn(Wx, Wh, b):
    """PyTorch's RNN with the course's parameters; it has a second bias, which stays 0."""
    rnn = nn.RNN(*Wx.shape, batch_first=True)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(Wx.T)
        rnn.weight_hh_l0.copy_(Wh.T)
        rnn.bias_ih_l0.copy_(b)
        rnn.bias_hh_l0.zero_()
    rnn.bias_hh_l0.requires_grad_(False)
    return rnn


def torch_step(model, batches, rate):
    """A function that takes one training step: forward, backward, clip, Adam."""
    adam = torch.optim.Adam([parameter for parameter in model.parameters() if parameter.requires_grad], lr=rate)
    turns = itertools.cycle([(torch.tensor(source), torch.tensor(target)) for source, target in batches])

    def step():
        adam.zero_grad()
        model(*next(turns)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        adam.step()

    return step
