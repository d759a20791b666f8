# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 06 · Training: who sets the attention weights?
#
# h̃ → scores → weights → context → h^final → next word → **loss, and all the way back**
#
# **You will build** the next-word loss, without and with padding. On the full track, also its gradient and the gradient of one whole decoder
# step. Then you train the model on dates, through your own functions, watch the attention maps appear, and put claims about them to the test.
#
# **You need** notebook [05](05_combine.ipynb): the whole decoder step. On the full track also the backwards of notebooks 01 to 05. What you
# have not written, the course's own version does for you, and it says so.
#
# **Minutes** about 75 on the forward track (sections 1 and 3 to 8), about 145 on the full track (section 2 as well).

# %%
import inspect

import numpy as np
from threadpoolctl import threadpool_limits

from utils import stagewise
from utils.checks import check, progress
from utils.dates import date_task
from utils.model import Config, decode_from, encode, forward, init_params, loss_and_grads
from utils.my_map import load_my_map
from utils.own import own_stages
from utils.plots import attention_map, flow, loss_curve, map_panels
from utils.train import training_steps
from utils.trained import TrainedModel
from utils.widgets import explore_surgery, explore_training, microscope

# %% [markdown]
# You are here: everything is built, and now the gradient goes back through all of it.

# %%
flow("training")

# %% [markdown]
# ## The letters
#
# | equation | code | shape | what it is |
# |---|---|---|---|
# | logits | `logits` | (N, V), sentences: (N, U, V) | the numbers before the second softmax, one per word of the vocabulary |
# | p | `p` | (N, V) | the second softmax of the logits: how likely the model finds each word |
# | y | `y` | (N,), sentences: (N, U) | the right words, as numbers |
# | keep | `keep` | (N, U) or (N, T) | True at real words, False at padding |
# | h̃, h^final | `h_tilde`, `h` | (N, H) | the provisional and the final state of one decoder step |
# | – | `carry` | (N, H) | "the previous hidden state": what one decoder step hands to the next, h̃ in the course's default |
# | θ | `theta` | any | the parameters: all numbers that are learned |
#
# N sentences in a batch, T source words, U target words, V words in the vocabulary, D, H and A as before. In the date task a "word" is one character.
# In `decoder_step_backward` and in `utils/`, the letter `p` also names the dictionary of parameters: you will see `p["W1"]`. A gradient is named d…
# and has the shape of what it belongs to.

# %% [markdown]
# ## The question that is open
#
# Notebook 05 ended with a complete decoder that babbles as long as it is untrained, and reads once somebody hands it trained parameters. Where do these
# come from? In particular: W₁, W₂ and v decide where the decoder looks, and nobody has told you what to write into them.
#
# Nobody sets the attention weights. The only thing the data say is the right next word. This notebook turns "the right next word" into one number, the
# **loss**, and lets every parameter move a little in the direction that makes it smaller. Whether a useful way of looking comes out of that is something to
# watch, not to assume.

# %% [markdown]
# ## 1. The loss: how surprised are you?
#
# The model gives the right word some probability. If that is 1, it is not surprised at all; the smaller it is, the greater the surprise. The
# usual measure is
#
# > `surprise = −log p[right word]`
#
# with the natural logarithm; its unit is the **nat**. Predict before you run: by how much does the surprise grow each time the probability is halved?

# %%
for probability in [1.0, 0.5, 0.25, 0.125]:
    print(f"p = {probability}:  surprise {-np.log(probability) + 0.0:.2f} nats")  # + 0.0 turns −0.0 into 0.0

# %% [markdown]
# By the same amount each time: log 2 = 0.69. The **cross-entropy** is the mean of these surprises over all words that had to be written.
#
# By hand, with a vocabulary of V = 3: the logits (log 2, 0, 0) give exp = (2, 1, 1), so p = (1/2, 1/4, 1/4). Two words had to be written with these very logits,
# first word 0 and then word 1. The surprises are log 2 = 0.69 and log 4 = 1.39, and their mean is 1.04. As a loop, this is the specification:


# %%
def cross_entropy_loop(logits, y):
    total = 0.0
    for row, word in zip(logits, y):
        p = np.exp(row) / np.exp(row).sum()
        total += -np.log(p[word])
    return total / len(y)


logits, y = np.log([[2.0, 1.0, 1.0], [2.0, 1.0, 1.0]]), np.array([0, 1])
print(f"{cross_entropy_loop(logits, y):.2f}")

# %% [markdown]
# As it stands, the loop breaks on large logits: exp(1000) is more than a float can hold. And a p that rounds to 0 has the logarithm −∞. Both
# have one cure. Take the logarithm on paper first:
#
# > `log p_w = z_w − log Σ_j exp(z_j)`, with `z = logits − max(logits)`
#
# Subtracting the largest logit changes no probability, as in notebook 03. Now the largest exponent is 0, the sum is at least 1, and no logarithm
# of a 0 is ever taken.
#
# ### Exercise: `cross_entropy`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Work with log p all the way, and never with p. Then pick one number out of each row, and take the mean.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `logits` is (N, V). The largest of each row, kept as a column, is (N, 1), and so is the logarithm of the sum. `log_p` is (N, V).
# `log_p[rows, y]`, with two integer arrays of length N, is (N,): one number from each row.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `z = logits - logits.max(axis=____, keepdims=True)`, then `log_p = z - np.log(____)`, then the mean of `-log_p[np.arange(____), ____]`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def cross_entropy(logits, y):
    """The next-word loss: how surprised the model is by the right words.

    loss = mean over n of −log p_n[y_n],   p = softmax(logits)

    Parameters
    ----------
    logits : (N, V) float
    y : (N,) int
        The right words.

    Returns
    -------
    float
        In nats; finite for logits of any size.
    """
    # 1. subtract each row's largest logit   2. log p   3. the mean surprise of the right words
    ### BEGIN SOLUTION
    z = logits - logits.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(y)), y].mean()
    ### END SOLUTION


# %%
cross_entropy = check("cross_entropy")

# %% [markdown]
# Loop and vectorised form agree where the loop can go, and yours goes on where the loop fails. Being certain of the wrong word, with logits 1000
# apart, costs 1000 nats:

# %%
print(np.allclose(cross_entropy(logits, y), cross_entropy_loop(logits, y)))
print(f"{cross_entropy(np.array([[1000.0, 0.0]]), np.array([1])):.0f} nats")

# %% [markdown]
# That is why the second softmax doesn't fall silent when it is wrong (notebook 03): the loss grows by one nat with every 1 that the logits are further apart, so its slope stays near 1.
#
# ### What does a model that knows nothing lose?
#
# If all V words are equally likely, each has p = 1/V and a surprise of log V, whatever the right one is. Our date task writes digits, a hyphen and three special
# words, V = 14 in all. An untrained model is nearly that ignorant. Its guesses are not *exactly* even, and uneven guessing without knowledge usually costs a little more.

# %%
task = date_task()
V = len(task.target_vocabulary)
config = Config(len(task.source_vocabulary), V)
untrained = init_params(config, np.random.RandomState(0))
print(task.texts["train"][0], task.texts["train"][4])
print(f"log {V} = {np.log(V):.1f}")
print(f"untrained: {forward(untrained, config, task.sources['train'][:256], task.targets['train'][:256])['loss']:.1f}")

# %% [markdown]
# This is worth knowing: when a training run starts far above log V, look for a mistake first.
#
# ### Padding must not count
#
# Sentences in a batch have different lengths, and the shorter ones are padded. Take two target sentences, padded to U = 4. The first has four real
# words, each with a surprise of 1 nat. The second has one, with a surprise of 3, and three places of padding. What is the loss? Three candidates:

# %%
surprise = np.array([[1.0, 1.0, 1.0, 1.0], [3.0, 0.0, 0.0, 0.0]])
real = np.array([[1, 1, 1, 1], [1, 0, 0, 0]], dtype=bool)
print("sum / (N · U):             ", surprise[real].sum() / real.size)
print("mean of sentences' means:  ", np.mean([surprise[n][real[n]].mean() for n in range(2)]))
print("sum / number of real words:", surprise[real].sum() / real.sum())

# %% [markdown]
# Dividing by N · U counts padding as words that were predicted perfectly: the more padding, the better the model seems, although nothing about it has changed.
# The mean of means lets the one word of the short sentence count as much as all four of the long one. The third, **the mean over all kept words of the
# batch**, treats every real word alike, and is what we take.
#
# ### Exercise: `masked_cross_entropy`
#
# <details><summary>Hint 1: a nudge</summary>
#
# You have a function that is right for any list of words. Which words should it see?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `logits[mask]`, with `logits` (N, U, V) and a bool `mask` (N, U), is (number of kept words, V), and `y[mask]` is (number of kept words,). With a mask of whole
# numbers, 0 and 1, NumPy would do something else: it would take sentences 0 and 1. So make it bool first.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `mask = keep != ____`, then `cross_entropy(logits[____], ____)`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def masked_cross_entropy(logits, y, keep):
    """The next-word loss over a batch of sentences, leaving padding out.

    Parameters
    ----------
    logits : (N, U, V) float
    y : (N, U) int
        The right words; what stands at padding does not matter.
    keep : (N, U) bool
        True (or 1) at real words, False (or 0) at padding; at least one word is kept.

    Returns
    -------
    float
        Mean over all kept words of the batch, in nats.
    """
    # 1. keep as bool   2. the loss of the kept words
    ### BEGIN SOLUTION
    keep = keep != 0
    return cross_entropy(logits[keep], y[keep])
    ### END SOLUTION


# %%
masked_cross_entropy = check("masked_cross_entropy")

# %% [markdown]
# The loop over sentences and words agrees:

# %%
rng = np.random.RandomState(0)
logits, y = rng.randn(2, 4, 5), rng.randint(0, 5, (2, 4))  # (N, U, V), (N, U)
words = [cross_entropy_loop(logits[n, u][None], y[n, u][None]) for n in range(2) for u in range(4) if real[n, u]]
np.allclose(masked_cross_entropy(logits, y, real), np.mean(words))

# %% [markdown]
# **On the forward track you are done with the required exercises.** The gradient of the loss is the course's work from here on: skip to section 3.

# %% [markdown]
# ## 2. Backwards (full track)
#
# ### The gradient of the loss, by hand
#
# Of all gradients in this course, this one has the shortest result. For one word to be written,
#
# > `dlogits = p − onehot(y)`
#
# where onehot(y) is 1 at the right word and 0 elsewhere. In words: every logit is pushed down in proportion to the probability it got, and the right one is pushed up. Why:
# surprise = log Σ exp(logits) − logits[y]. The slope of the first part with respect to logit w is p_w, and the second part gives −1 at the right word. A loss that is a
# mean over N words divides all of it by N.
#
# Take the example of section 1: p = (1/2, 1/4, 1/4) twice, the right words 0 and 1, so N = 2. Fill in on paper:
#
# | by hand | result |
# |---|---|
# | row 1: ((1/2, 1/4, 1/4) − (1, 0, 0)) / 2 | = ( __ , __ , __ ) |
# | row 2: ((1/2, 1/4, 1/4) − (0, 1, 0)) / 2 | = ( __ , __ , __ ) |
# | the sum of each row | = __ |
#
# <details><summary>Compare</summary>
#
# Row 1: (−1/4, 1/8, 1/8). Row 2: (1/4, −3/8, 1/8). Each row sums to 0: adding the same number to all logits changes nothing.
#
# </details>
#
# And nudged, number by number:

# %%
logits, y = np.log([[2.0, 1.0, 1.0], [2.0, 1.0, 1.0]]), np.array([0, 1])
slopes, nudge = np.zeros_like(logits), 1e-6
for place in np.ndindex(logits.shape):
    up, down = logits.copy(), logits.copy()
    up[place] += nudge
    down[place] -= nudge
    slopes[place] = (cross_entropy(up, y) - cross_entropy(down, y)) / (2 * nudge)
print(slopes.round(4))

# %% [markdown]
# From here on you need functions of the earlier notebooks. The next cell fetches them: yours, where they have passed (each is checked once more), and else the
# course's. Run it before you go on.

# %%
names = ["softmax", "rnn_step", "additive_score", "masked_softmax", "context", "combine_concat", "linear_backward"]
names += ["combine_concat_backward", "context_backward", "softmax_backward", "additive_score_backward"]
names += ["rnn_step_backward"]
bricks = own_stages(names)
globals().update({name: getattr(bricks, name) for name in names})  # each under its own name

# %% [markdown]
# ### Exercise: `cross_entropy_backward`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Start from p, then change one number in each row.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `softmax(logits)` is (N, V), a new array, so that you may change it. The N places to change are the ones you picked in `cross_entropy`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `p = ____(logits)`, then `p[____, ____] -= ____`, then divide by the number of words
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def cross_entropy_backward(logits, y):
    """The gradient of the next-word loss.

    dlogits = (p − onehot(y)) / N

    Parameters
    ----------
    logits : (N, V) float
    y : (N,) int

    Returns
    -------
    (N, V) float
    """
    # 1. p   2. minus 1 at the right words   3. the mean's share
    ### BEGIN SOLUTION
    p = softmax(logits)  # (N, V)   a new array
    p[np.arange(len(y)), y] -= 1
    return p / len(y)
    ### END SOLUTION


# %%
cross_entropy_backward = check("cross_entropy_backward")

# %% [markdown]
# It agrees with the nudged slopes:

# %%
np.allclose(cross_entropy_backward(logits, y), slopes)

# %% [markdown]
# ### Exercise: `masked_cross_entropy_backward`
#
# Padding did not count in the loss. So its logits get a gradient of exactly 0.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Start with zeros everywhere. Which places get something else, and which function knows what?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# The result is (N, U, V) like `logits`. What `cross_entropy_backward` gives for the kept words is (number of kept words, V). A bool mask
# can stand on the left of `=`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `result = np.zeros(____)`, then `result[____] = cross_entropy_backward(____, ____)`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def masked_cross_entropy_backward(logits, y, keep):
    """The gradient of the next-word loss over a batch of sentences; 0 at padding.

    Parameters
    ----------
    logits : (N, U, V) float
    y : (N, U) int
    keep : (N, U) bool
        True (or 1) at real words, False (or 0) at padding; at least one word is kept.

    Returns
    -------
    (N, U, V) float
    """
    # 1. keep as bool   2. zeros   3. the kept words' gradients
    ### BEGIN SOLUTION
    keep = keep != 0
    dlogits = np.zeros(logits.shape)
    dlogits[keep] = cross_entropy_backward(logits[keep], y[keep])
    return dlogits
    ### END SOLUTION


# %%
masked_cross_entropy_backward = check("masked_cross_entropy_backward")

# %% [markdown]
# ### The whole decoder step, backwards
#
# You have every brick. What is left is to lay them in the right order: from the last thing computed to the first. Each brick takes the gradient that has arrived at its result
# and hands one to each of its inputs. Read the table from top to bottom:
#
# | forward, last to first | the gradient that arrives at its result | it hands on |
# |---|---|---|
# | logits = h^final Wo + bo | `dlogits`, from the loss | to h^final, Wo, bo |
# | h^final = tanh([h̃ ; c] Wc) | from the logits, **plus** what the next step sends back to h^final | to h̃ (**first**), c, Wc |
# | c = Σ a_i h_i | from h^final | to a, and to hs (**first path**: being summed) |
# | a = softmax(e) | from c | to e |
# | e_i = tanh(h̃ W1 + h_i W2) · v | from a | to h̃ (**second**), to hs (**second path**: being compared), W1, W2, v |
# | h̃ = tanh(x Wx + carry Wh + b) | first + second + (**third**) what the next step sends back to h̃ | to x, carry, Wx, Wh, b |
#
# Two places deserve care. **hs is reached by two paths**, since every h_i is used twice: it is compared, and it is summed. **h̃ is reached by three**: it is combined, it
# asks, and it is carried to the next step. Wherever something was used several times, its gradients add up. That is the rule of notebook 01, and there is no other.
#
# Adding up, with numbers. Let one number h̃ be combined as 2 h̃, be asked as h̃², and be carried as −h̃; h̃ = 3 and a gradient of 1 arrives at each of
# the three. What is dh̃?
#
# <details><summary>Compare</summary>
#
# 2 + 2 · 3 − 1 = 7. The paths are added, each with its own slope. Forgetting the carried one would give 8.
#
# </details>
#
# ### Exercise: `decoder_step_backward`
#
# The scaffold is the table, and the numbered steps in the cell follow it. A remark on the arguments: `dh_tilde` and `dh` are what the *next* decoder step sends back. Only
# one of the two is ever other than 0, depending on which state is carried. Your function adds both where they belong, and so serves either wiring.
#
# The step needs the values in between (h̃, a, c, h^final) again. They are computed once more: that costs a little time and saves much memory.
# Where a mask made a weight exactly 0, `softmax_backward` sends back exactly 0 all by itself, since it multiplies by a. So it needs no mask.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Do the forward half first, one line for each stage, as in `decoder_step`. Then go through the table, one line for each row. Give the several gradients of h̃ and hs names
# of their own, and add only at the end.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# All that arrives at h̃, c and h^final is (N, H). What arrives at a and e is (N, T). Both gradients of hs are (N, T, H). `dp["bo"]` is (V,): bo was used for
# all N sentences, so add up over them. `linear_backward(dy, x, W)` gives dx and dW.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# Forward: `h_tilde = ____(x, carry, …)`, `a = ____(____, keep)`, `c = ____`, `h = ____`. Careful: call the new h̃ something else than the argument `dh_tilde`.
#
# Back, after `dp = {}`: `from_logits, dp["Wo"] = linear_backward(____, ____, p["Wo"])`; `first, dc, dp["Wc"] = combine_concat_backward(____ + from_logits, ____, ____, p["Wc"])`;
# `da, dhs_context = context_backward(____)`; `de = softmax_backward(____)`; `second, dhs_score, … = additive_score_backward(____)`;
# `dhs = ____ + ____`; and `rnn_step_backward(____ + ____ + ____, x, carry, …)`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def decoder_step_backward(dlogits, dh_tilde, dh, x, carry, hs, keep, p):
    """The gradients of one whole decoder step: the stages' gradients, chained from last to first.

    Parameters
    ----------
    dlogits : (N, V) float
        The gradient that arrives at the logits.
    dh_tilde : (N, H) float
        What the next step sends back to the provisional state (0 where it carries h^final).
    dh : (N, H) float
        What the next step sends back to the final state (0 where it carries h̃).
    x : (N, D) float
    carry : (N, H) float
    hs : (N, T, H) float
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    p : dict of Wx (D, H), Wh (H, H), b (H,), W1 (H, A), W2 (H, A), v (A,), Wc (2H, H), Wo (H, V), bo (V,)
        The decoder's parameters.

    Returns
    -------
    dx : (N, D) float
    dcarry : (N, H) float
    dhs : (N, T, H) float
    dp : dict
        Named and shaped like p.
    """
    # 1. forward again: h_tilde, a, c, h   2. the output layer   3. combine: to the gradient from the logits, add dh
    # 4. context, then softmax, then scores   5. hs: add two paths   6. h_tilde: add three   7. the recurrent step
    ### BEGIN SOLUTION
    # forward again, for the values in between
    h_tilde = rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])
    a = masked_softmax(additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"]), keep)
    c = context(a, hs)
    h = combine_concat(h_tilde, c, p["Wc"])

    # the output layer, then the combine
    dp = {"bo": dlogits.sum(axis=0)}
    dh_out, dp["Wo"] = linear_backward(dlogits, h, p["Wo"])
    dh_tilde_combine, dc, dp["Wc"] = combine_concat_backward(dh + dh_out, h_tilde, c, p["Wc"])

    # context, softmax, scores: hs is reached by two paths
    da, dhs_context = context_backward(dc, a, hs)
    de = softmax_backward(da, a)
    dh_tilde_score, dhs_score, dp["W1"], dp["W2"], dp["v"] = additive_score_backward(
        de, h_tilde, hs, p["W1"], p["W2"], p["v"]
    )
    dhs = dhs_context + dhs_score

    # the provisional state: three paths meet
    dh_tilde = dh_tilde + dh_tilde_combine + dh_tilde_score
    dx, dcarry, dp["Wx"], dp["Wh"], dp["b"] = rnn_step_backward(dh_tilde, x, carry, p["Wx"], p["Wh"], p["b"])
    return dx, dcarry, dhs, dp
    ### END SOLUTION


# %%
decoder_step_backward = check("decoder_step_backward")

# %% [markdown]
# ### Backpropagation through time
#
# One step is done. A sentence has many: the decoder writes U words one after the other, the encoder reads T of them, and each step hands a state to the next. The way back
# therefore starts at the *last* step, and every step hands a gradient to the one before it: **backpropagation through time**. These loops are course code,
# `utils/stagewise.py`, and call your functions inside. Here is the decoder, there and back.

# %%
print(inspect.getsource(stagewise.step_by_step))

# %% [markdown]
# Line by line:
#
# - `stage.` stands before the functions of the exercises: `stage` is a box that holds yours, where they pass, and else the course's.
# - `Y` are the embedded previous words, `hs` the encoder's states, `decoder` the decoder's parameters and `DECODER` their names; `carries[t]` is the state that went *into* step t.
# - `_as(kind, …)` copies what a function returns into an array of the model's precision (single, float32, in the training below). Nothing else.
# - `reversed(steps)`: the last step first. After the last step there is nothing, so `dcarry` starts at 0.
# - `dh_tilde, dh = …`: what came back from the next step belongs to h̃ if h̃ is carried, and to h^final otherwise. The other one gets `none`, which is zeros.
# - `dhs += dhs_step`: **every** decoder step looked at the same hs, so all U steps add to its gradient.
# - `grads[name] += dp[name]`: all steps share the parameters, so these add up too.
#
# And the encoder: a plain recurrent network, in a batch whose longest sentences come first.

# %%
print(inspect.getsource(stagewise.rnn_backward))

# %% [markdown]
# - `dlast` is the decoder's `dcarry`: hs[-1] was also the decoder's start. `dstates` is `dhs`, and `start` the zeros that the encoder started from.
# - The first `n = read[t]` sentences have a word at t. The others had their state carried on unchanged, so their gradient passes through unchanged.
# - `dh[:n] += dstates[:n, t]`: h_t handed itself on to the encoder's next step, **and** the decoder looked at it.
# - `dX` and `dY`, the gradients of the embedded words, go to `embedding_backward`, which adds them up for each word of the vocabulary.
#
# ### Is the whole gradient right?
#
# The same test as for each brick: nudge a parameter, run the *whole* model again, see by how much the loss moves. Here are small sizes, double precision (float64) and eight
# dates. For each array, the five parameters with the largest gradients are nudged; `exact` and `nudged` show the first of the five.

# %%
small = Config(len(task.source_vocabulary), V, D=4, H=6, A=5)
p_small = init_params(small, np.random.RandomState(0), np.float64)
few = task.sources["train"][:8], task.targets["train"][:8]
used = ["embed", "shift_right", "encode", "decoder_init", "decoder_step", "masked_cross_entropy"]
used += ["masked_cross_entropy_backward", "decoder_step_backward", "embedding_backward", "rnn_step_backward"]
stage = own_stages(used)


# %%
def nudged(name, place, nudge=1e-5):
    losses = []
    for sign in [+1, -1]:
        moved = p_small | {name: p_small[name].copy()}
        moved[name][place] += sign * nudge
        losses.append(stagewise.loss_and_grads(moved, small, *few, stage)[0])
    return (losses[0] - losses[1]) / (2 * nudge)


_, grads = stagewise.loss_and_grads(p_small, small, *few, stage)
print(f"{'name':10} {'exact':>8} {'nudged':>8}   largest difference")
for name, exact in grads.items():
    largest = np.argsort(-np.abs(exact).ravel())[:5]
    places = [np.unravel_index(k, exact.shape) for k in largest]
    compared = [(exact[place], nudged(name, place)) for place in places]
    worst = max(abs(e - n) for e, n in compared)
    print(f"{name:10} {compared[0][0]:8.4f} {compared[0][1]:8.4f}   {'below 1e-8' if worst < 1e-8 else f'{worst:.1e}'}")

# %% [markdown]
# In every array the nudged numbers agree, from the output layer down to the encoder's embeddings. Had one path of hs been forgotten, the encoder's arrays (`…_source`) would differ: a gradient that is
# wrong somewhere is wrong for everything behind that place.
#
# `decoder_step_backward` computes its forward half once more, at every step. The training below takes a quicker form of the decoder, `all_steps`. With h̃ carried and the right
# words fed in, no h̃ waits for a look. So all h̃ come first, then all looks, and the rest is done once for the words of all steps. It calls your functions of the single stages and no `decoder_step`:
# the same chain is written out in it, and what the way back needs is kept. The gradient is the same:

# %%
used += ["provisional_states", "additive_score", "masked_softmax", "context", "combine_concat", "output_logits"]
used += ["linear_backward", "combine_concat_backward", "context_backward", "softmax_backward"]
used += ["additive_score_backward"]
stage = own_stages(used)
_, by_all_steps = stagewise.loss_and_grads(p_small, small, *few, stage, stagewise.all_steps)
all(np.allclose(by_all_steps[name], grads[name]) for name in grads)

# %% [markdown]
# ## 3. From a gradient to a step
#
# On the forward track, this is where you come back. The **gradient** says, for each parameter, how fast the loss rises when that parameter rises. The course's backwards
# compute it, or yours do. Going a small step *against* it makes the loss smaller. Two refinements keep that stable. Both exercises are optional, on either track.
#
# ### Clipping
#
# Once in a while a gradient is enormous, and one step along it could undo much of what was learned. So the whole gradient is shortened when it is too long: all arrays by the
# same factor, so that the *direction* stays. By hand: the two arrays (3) and (4) have the common norm √(3² + 4²) = 5. With a largest norm of 2.5, both are halved: (1.5) and (2).
#
# ### Exercise: `clip_by_norm`
#
# <details><summary>Hint 1: a nudge</summary>
#
# One number decides about all arrays. When it is small enough, the factor is 1.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# Each array has a shape of its own. What you need from each is one number: the sum of its squares.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `norm = np.sqrt(sum(____ for g in grads))`, then a factor that is `____ / norm` if `norm > ____` and else 1, then `[____ for g in grads]`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def clip_by_norm(grads, max_norm):
    """Shorten the whole gradient when it is too long; its direction stays.

    Parameters
    ----------
    grads : list of arrays
    max_norm : float
        The largest norm allowed, taken over all arrays together.

    Returns
    -------
    list of arrays
        New arrays; the same values when the norm is at most `max_norm`.

    Source: Pascanu, Mikolov and Bengio (2013), algorithm 1.
    """
    # 1. one norm over all arrays   2. the factor   3. new arrays
    ### BEGIN SOLUTION
    norm = float(np.sqrt(sum(np.square(g, dtype=float).sum() for g in grads)))
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in grads]
    ### END SOLUTION


# %%
clip_by_norm = check("clip_by_norm")

# %% [markdown]
# ### Adam
#
# Some parameters see large gradients and some tiny ones. One step size for all would be too bold for the first or too timid for the second. **Adam** keeps two running
# means for each parameter, m of its gradient and v of its gradient squared, and steps by lr · m / √v: the gradient measured in units of its own recent size.
# (This v has nothing to do with the v of the scores.) `lr` is the learning rate.
#
# At each step m keeps the share b1 of its old value and takes 1 − b1 of g, and v does the same with b2 and g² (so the b below is b1 for m and b2 for v). Both means start at 0 and are too small at first; dividing by 1 − bᵗ corrects that. By hand, step t = 1 with g = 2, b1 = 0.9, b2 = 0.999:
#
# | running mean, or step | corrected, or result |
# |---|---|
# | m = 0.1 · 2 = 0.2 | m̂ = 0.2 / (1 − 0.9) = 2 |
# | v = 0.001 · 4 = 0.004 | v̂ = 0.004 / (1 − 0.999) = 4 |
# | step | lr · 2 / √4 = lr |
#
# For g = 200 it would be lr as well: the first step has the same length whatever the size of the gradient.
#
# ### Exercise: `adam_step`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Five lines: m, v, m̂, v̂, θ. None of them changes an argument.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# All arrays have the shape of `theta`, and every operation works number by number. `eps`, a tiny number that prevents a division by 0, is added *after* the root is taken.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `m = b1 * m + ____ * g`, the same for `v` with `g**2`, `m_hat = m / (1 - ____)`, the same for `v_hat`, then `theta - lr * ____ / (____ + eps)`
#
# </details>
#
# [The solution](../solutions/06_training.ipynb), for when you have tried.


# %%
def adam_step(theta, g, m, v, t, lr, b1, b2, eps):
    """One step of Adam for one array of parameters.

    m ← b1 m + (1 − b1) g,   v ← b2 v + (1 − b2) g²,
    θ ← θ − lr m̂ / (√v̂ + eps),   m̂ = m / (1 − b1ᵗ),   v̂ = v / (1 − b2ᵗ)

    Parameters
    ----------
    theta : array of any shape
    g : array shaped like theta
        The gradient.
    m : array shaped like theta
    v : array shaped like theta
        Running means of g and g².
    t : int
        The number of this step, counted from 1.
    lr : float
        The learning rate.
    b1 : float
    b2 : float
    eps : float
        Added outside the root.

    Returns
    -------
    theta, m, v : new arrays

    Source: Kingma and Ba (2015), algorithm 1.
    """
    # 1. the two means   2. their corrections   3. the step
    ### BEGIN SOLUTION
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g**2
    m_hat = m / (1 - b1**t)
    v_hat = v / (1 - b2**t)
    theta = theta - lr * m_hat / (np.sqrt(v_hat) + eps)
    return theta, m, v
    ### END SOLUTION


# %%
adam_step = check("adam_step")

# %% [markdown]
# ### All of training, in one loop
#
# Gradient, clip, step, again and again: there is no more to it. Here is a small model that sees the same 64 dates forty times. The gradient comes from `utils.model`, the course's fast form
# of the same model; clipping and Adam are the functions above. Where do you expect the loss to start?

# %%
tiny = Config(len(task.source_vocabulary), V, D=8, H=16, A=8)
theta = init_params(tiny, np.random.RandomState(0))
m, v = ({name: np.zeros_like(array) for name, array in theta.items()} for _ in range(2))
for t in range(1, 41):
    loss, grads = loss_and_grads(theta, tiny, task.sources["train"][:64], task.targets["train"][:64])
    clipped = dict(zip(grads, clip_by_norm([*grads.values()], 5.0)))
    for name in theta:
        theta[name], m[name], v[name] = adam_step(
            theta[name], clipped[name], m[name], v[name], t, 0.02, 0.9, 0.999, 1e-8
        )
    if t in (1, 5, 10, 20, 40):
        print(f"step {t:2}: loss {loss:.1f}")

# %% [markdown]
# From about log V = 2.6 down to a small fraction of it. But these are the dates it was trained on, and learning 64 dates by heart is no reading. What counts is **unseen** dates.

# %% [markdown]
# ## 4. Training on dates
#
# The date task has one pair for every day of a hundred years. A hash of the *date* decides whether a day is for training, for validation (on which the course chose the learning
# rates) or for testing. So no test date has been seen in training, in any way of writing it.

# %%
for split in ["train", "validation", "test"]:
    print(f"{split:10} {len(task.texts[split]):6} dates, for example", *task.texts[split][1])

# %% [markdown]
# The model: embeddings of 16 numbers, states of 64, additive scores with A = 32, concatenation, h̃ carried. The training: 150 steps of 128 random dates each, Adam, clipped at norm 5;
# the learning rate rises for 20 steps, and falls towards 0 over the second half. The loop is `utils/train.py`, with the course's clipping and Adam. The gradient of every
# batch goes through `all_steps` in `utils/stagewise.py` (all h̃ first, then all looks), and so through **your** functions of all stages. (Two products are not among them: q = W₁ h̃ and k = W₂ h_i are formed
# once for all steps, and your `additive_score` gets these, with the identity for both matrices.) The next cell says which functions are yours.
#
# On the forward track your functions compute the forward half, and the course's backwards find the gradient: the lists say so. They fit together, because a correct function
# has the same gradient, whoever wrote it.

# %%
used = ["embed", "shift_right", "encode", "decoder_init", "provisional_states", "additive_score", "masked_softmax"]
used += ["context", "combine_concat", "output_logits", "masked_cross_entropy", "masked_cross_entropy_backward"]
used += ["linear_backward", "combine_concat_backward", "context_backward", "softmax_backward"]
used += ["additive_score_backward", "rnn_step_backward", "embedding_backward"]
stage = own_stages(used)


# %%
def gradient(p, config, source, target):
    return stagewise.loss_and_grads(p, config, source, target, stage, stagewise.all_steps)


# %% [markdown]
# On the way, copies of the parameters are kept at seven moments, for pictures. **Predict**: the loss starts near 2.7. Where is it after 50 steps, after 100, after 150?
#
# The training cell takes some 5 to 15 seconds, and prints how far it is. On a busy machine it may take longer.

# %%
MOMENTS, SEED = [0, 10, 25, 50, 75, 100, 150], 0
config = Config(len(task.source_vocabulary), V)
kept = {0: init_params(config, np.random.RandomState(SEED))}

# %% tags=["nbval-ignore-output"]
losses = []
with threadpool_limits(1):  # for matrices as small as these, more threads only get in each other's way
    for step, loss, params in training_steps(task, config, seed=SEED, gradient=gradient):
        losses.append(loss)
        if step in MOMENTS:
            kept[step] = {name: array.copy() for name, array in params.items()}
        if step % 10 == 0:
            print(f"step {step:3} of 150   loss {loss:.3f}", flush=True)

# %% tags=["nbval-ignore-output"]
loss_curve(losses, MOMENTS)

# %% [markdown]
# The loss is a mean over characters. The harder question is whether a *whole* date is right: the **exact match** of notebook 05, now on all test dates. Decoding takes no targets: the model reads its
# own words back. And here is what it writes for one unseen date at each moment.

# %%
source, target = "december 28, 1953", "1953-12-28"


def model_of(params, config):
    longest = task.targets["train"].shape[1]
    return TrainedModel(config, params, task.source_vocabulary, task.target_vocabulary, longest, lower=True)


# %% tags=["nbval-ignore-output"]
for step in MOMENTS:
    snapshot = model_of(kept[step], config)
    right = snapshot.exact_match(task.sources["test"], task.targets["test"])
    print(
        f"step {step:3}: {right:7.1%} of the test dates right   {source} → {snapshot.write(source)[0] or '(nothing)'}"
    )

# %% [markdown]
# With seed 0, the course measured 100% after 150 steps, on all 3,592 test dates. With seeds 0 to 4: 99.9% to 100% (`python -m utils.train --score additive --seed 2`, and so on).
#
# ### The map appears
#
# What happened to the attention weights meanwhile? Each panel shows the same unseen date at one moment of training. The right date is fed in (teacher forcing), so that the rows are the same in all panels.
# **Predict** the first panel: what do the weights of an untrained model look like?

# %% tags=["nbval-ignore-output"]
ids = task.source_vocabulary.numbers([source]), task.target_vocabulary.numbers([target])
maps = [forward(kept[step], config, *ids)["a"][0] for step in MOMENTS]  # (U, T) each
map_panels(maps, [f"step {step}" for step in MOMENTS], source, target, "One unseen date, seven moments of training")

# %% [markdown]
# At first every row is spread over all characters. Then bright places appear: for the last two digits of the year at these digits, for the month in the month's name or right behind it, for the day around the day. Nobody said that the month is in the month's name. There is no
# "right map" in the data either: **weights are not supervised**. They moved because moving them lowered the surprise about the next character.
#
# Now go through the moments yourself: loss, map and what is written change together. Here the model reads its own words back, so the rows are what *it* writes, and every step runs through your functions, as far as they pass.
# **Predict** before you move the slider back: which does it get right first, the form (four digits, a hyphen, two digits …) or the numbers?

# %%
looking = ["embed", "encode", "decoder_init", "rnn_step", "additive_score", "masked_softmax", "context"]
looking += ["combine_concat", "output_logits", "next_word_probs"]
shown = own_stages(looking)

# %% tags=["nbval-ignore-output"]
explore_training({step: model_of(kept[step], config) for step in MOMENTS}, losses, shown, source)

# %% [markdown]
# With seed 0 the form stands after 25 steps, with year, month and day still wrong, and after 50 this date is right. Of all test dates, 42% are right by then.

# %% [markdown]
# ### The same, sooner
#
# Your functions compute for much of the padding too, and take a tanh for every pair of states. `utils/model.py` has the same model once more, written for speed alone. Sentences that have ended are left out. And with q = W₁ h̃ and k = W₂ h_i, tanh(q + k) = 1 − 2 e^(−2k) / (e^(2q) + e^(−2k)): the additive score needs exponentials once for each state, and for each pair of states only a sum and a division.
# Tests hold its gradient against the stages' and against nudged numbers.
#
# **Predict**: how many times as long does a step take through vectorised functions such as yours, in the training cell above? And through plain loops over sentences and words?
#
# <details><summary>As the course measured it</summary>
#
# | measured | figure | spread | from |
# |---|---|---|---|
# | a step, additive, H = 64: a learner's vectorised functions / the course | 2.64 × | 2.51 to 2.78 | 35.7 ms / 13.7 ms |
# | a step, additive, H = 64: plain loops / the course | 145 × |  | 2 s / 13.7 ms |
# | a step, additive, H = 64: the course / PyTorch | 0.52 × | 0.48 to 0.57 | 10.9 ms / 20.9 ms |
# | a step, additive, H = 64: the course / a textbook | 0.15 × | 0.15 to 0.15 | 10.9 ms / 73.4 ms |
#
# "A / B" is A's time divided by B's; the figure is the median of many such ratios. (The textbook's is NumPy in double precision, one step after the other.) `make bench` measures this and more. None of them learns better for it. What changes is how long you wait.
#
# </details>

# %% [markdown]
# ## 5. Was it the attention?
#
# A model that works does not show *why* it works. For that one takes something away. Same data, same 150 steps, each score with its own tuned learning rate:
#
# - **none**: no context at all (c = 0); only hs[-1] is handed over. The plain encoder-decoder.
# - **uniform**: every character gets the weight 1/T. *Access* to all of hs, but no *choosing*.
# - **dot** and **additive**: access and choosing.
#
# **Predict** the order before you run, and how far apart they are. These controls use the course's fast form of the model.


# %%
def trained(score="additive", combine="concat", carry="provisional", seed=0, steps=150):
    config = Config(len(task.source_vocabulary), V, score, combine, carry)
    *_, (_, _, last) = training_steps(task, config, steps, seed)
    return model_of(last, config)


def on_test(model):
    return f"{model.exact_match(task.sources['test'], task.targets['test']):.1%}"


# %% tags=["nbval-ignore-output"]
for score in ["none", "uniform", "dot"]:
    print(f"{score:8} {on_test(trained(score))}", flush=True)
print(f"additive {on_test(model_of(params, config))}   (the model of section 4)")

# %% [markdown]
# One seed can mislead. With seeds 0 to 4, the course measured (`python -m utils.train --score … --seed …`, exact match on the 3,592 test dates):
#
# | score | 150 steps | more steps |
# |---|---|---|
# | none | 0.3 to 0.6% | |
# | uniform | 78.3 to 90.3% | 99.7 to 99.9% (`--steps 300`) |
# | dot | 96.0 to 99.7% (`--steps 150`) | 99.97 to 100% (400 steps, its default) |
# | additive | 99.9 to 100% | |
#
# Read it honestly. The great leap, from nearly nothing to some four in five, comes with **access** to all of hs: even equal weights do it. Dates are short, and the encoder is trained too: it can learn to write
# into its states what a plain average will still show. What **choosing** adds *here* is speed: in 150 steps both scores that choose were above uniform on every seed, and additive was above dot on every seed. With twice the steps, uniform weights do nearly all of
# the task. So this task does not prove that attention is needed. It shows what each part contributes to it.
#
# ### What makes dot stall?
#
# The course gives dot 400 steps and a smaller learning rate (0.006, tuned for these 400; additive has 0.01). The reason: on some seeds dot *stalls*. It stays a few per cent short, and more steps don't help.
# e_i = h̃ · h_i sums H = 64 products, so the larger the states, the larger the scores, and with large scores the softmax is sure of one place. (Both scores are bounded, since tanh is: dot's by H = 64, which is far more than a softmax needs to be sure; the additive score's by Σ |v_k|.)
# How large the states are depends, at first, on the embeddings. That is why the course draws them around 0 with a typical size of 0.3. Here is dot from embeddings of typical size 1, and of 0.3. How far apart are the scores of one row (their standard deviation), and how large is
# a row's largest weight? **Predict** both for the untrained models. (The right words are fed in, padding is left out. The cell trains twice, and takes about as long as section 4's.)

# %%
dot_config = Config(len(task.source_vocabulary), V, "dot")


def looks(p):
    tape = forward(p, dot_config, task.sources["test"][:256], task.targets["test"][:256])
    e = tape["H_tilde"] @ tape["hs"].transpose(0, 2, 1)  # (N, U, T)
    apart = np.nanstd(np.where(tape["keep"][:, None], e, np.nan), axis=2)  # (N, U)   nan: padding
    return f"scores {apart.mean():.1f} apart, largest weight {tape['a'].max(axis=2).mean():.2f}"


def from_embeddings(size, seed):
    start = init_params(dot_config, np.random.RandomState(seed), embedding_std=size)
    print(f"embeddings {size}, untrained: {looks(start)}")
    kept = {}
    for step, _, last in training_steps(task, dot_config, seed=seed, start=start):
        if step in [50, 100, 150, 400]:
            kept[step] = {name: array.copy() for name, array in last.items()}
    print(f"embeddings {size}, step 400: {on_test(model_of(last, dot_config))} of the test dates right", flush=True)
    return kept


# %% tags=["nbval-ignore-output"]
with threadpool_limits(1):
    both = {size: from_embeddings(size, seed=3) for size in [1.0, 0.3]}

# %% [markdown]
# With seed 3, the course measured: untrained, the scores are 3.2 apart with large embeddings and 1.3 with small ones, and the largest weight is 0.63 and 0.33 on average. The model with small embeddings ends at 100%. The other has stalled at 90.5% (with `steps=1200` it ended at 92.3%),
# and nine in ten of its mistakes are june and july: it writes 06 for nearly every july. Where do the two look when they write that digit, and what is the largest of the softmax's slopes there, a_i (1 − a_i)?

# %% tags=["nbval-ignore-output"]
ju = [n for n, (text, _) in enumerate(task.texts["test"]) if "ju" in text]  # june and july, also as jun and jul
rows, at_u = np.arange(len(ju)), np.array([task.texts["test"][n][0].index("ju") + 1 for n in ju])
for size, kept_dot in both.items():
    for step, p in kept_dot.items():
        maps = forward(p, dot_config, task.sources["test"][ju], task.targets["test"][ju])["a"]  # (N, U, T)
        a = maps[:, 6]  # (N, T)   while the 6 of "06" or the 7 of "07" is written
        on_u, on_next, slope = a[rows, at_u].mean(), a[rows, at_u + 1].mean(), (a * (1 - a)).max(axis=1).mean()
        print(f"embeddings {size}, step {step}: after 'ju' {on_u:.2f}, one further {on_next:.2f}, slope {slope:.3f}")

# %% [markdown]
# After 50 steps both look at the state after "ju", where june and july are still the same word. One letter further on they differ. Being sure is no fault in itself, but here both are sure of the wrong place, and a **saturated** softmax (notebook 03) lets hardly any gradient through to the scores.
# With large embeddings, the largest slope is 0.017 on average after 50 steps and 0.001 later on: the look stays where it is, although half of these dates are written wrong. With small ones it is 0.049, and by step 150 most of the weight has moved one letter further.
#
# Of seeds 0 to 9 (the same cells, with another `seed`), 2, 3, 6 and 9 stayed below 99% with large embeddings, and none with small ones. That makes a stall rarer, not impossible: of seeds 10 to 29, four stalled with small embeddings as well (13, 15, 17 and 22: `python -m utils.train --score dot --seed 13`). We looked closely at one stall only;
# the others may have other reasons. The additive score didn't stall on any of seeds 0 to 14.
#
# ### Two choices of wiring
#
# How to combine (concatenation, or α h̃ + (1 − α) c with one learned α), and which state is carried (h̃ or h^final). Both with additive scores and their learning rate, which was not tuned again for them. (The cell trains twice, and takes about as long as section 4's.)

# %% tags=["nbval-ignore-output"]
print(f"weighted sum, h̃ carried       {on_test(trained(combine='sum'))}", flush=True)
print(f"concatenation, h^final carried {on_test(trained(carry='final'))}")

# %% [markdown]
# | combine | carried | seeds 0 to 4, 150 steps | command: `python -m utils.train` with |
# |---|---|---|---|
# | concatenation | h̃ | 99.9 to 100% | (nothing: the default) |
# | weighted sum | h̃ | 77.3 to 96.7% | `--combine sum` |
# | concatenation | h^final | 98.6 to 100% | `--carry final` |
#
# The weighted sum can express less, and under this budget it got less far, on every seed. Which state is carried made little difference: 1.4 points at most, with h̃ ahead on four of the five seeds. h^final has c in it, so carrying it tells a step what the
# last step took; the price is that, in training, no look can be left until all h̃ are known (section 4).

# %% [markdown]
# ## 6. A date of yours
#
# Type a date and run the cell. Dates from 1950 to 2049 are what it has seen, in six ways of writing: "tuesday, september 25, 1984", "september 25, 1984", "sep 25, 1984", and the same three with the day first
# ("tuesday, 25 september 1984"). What does it do with a way of writing that it has never met, a wrong weekday, or the 31st of February? A character that never occurred in training is refused, with a message that names it.

# %%
model = model_of(params, config)
text = "tuesday, september 25, 1984"

# %% tags=["nbval-ignore-output"]
written, a = model.write(text)
print(written)
attention_map(a, text, written, "Your date")

# %% [markdown]
# ### The microscope
#
# A map shows one stage. Here are all of them, for one step of the decoder, in the order in which you built them. Type a date, choose which character is being written, and read from the top: what h̃ asks, what the scores say, where the weights go, what c holds, and what becomes likely.
# It opens at step 9, which writes the first digit of the day. **Predict** before you move on: at which character is the largest weight at step 10, for the second digit, and at step 7, for the second digit of the month? Then go back to step 9,
# and take its largest weight away with the choice *weights of this step*: what is written instead?

# %% tags=["nbval-ignore-output"]
microscope(model, shown, text)

# %% [markdown]
# With seed 0, the 2 of "25" comes with 0.95 of the weight on one state, the one after the comma; the 5 with 0.94 on the state after the 5 itself; and the 9 of the month with 0.55 on the state at the space after "september", and 0.36 on the one after "sept". Without its place, step 9 writes 3, and with the same weight everywhere 0. So this step needed it, for this date; whether that holds in general, the next section tests on hundreds of pairs.
# Step 7 is different: take its largest weight away, and it still writes 9. The state after "sept" knows the month too.
#
# ### Memory surgery
#
# A map shows where the weights are. Does the model really *take* the day from there? A weight can't tell, but an operation can: read two dates, and in the first one's hs (its *memory*) replace only the states at the day's characters by those of the second. Then decode. If the day comes from these states, the day should change, and only the day.
#
# The two dates must have the same length, with the day at the same place. In "december 28, 1953" the day's two digits are at the positions −8 and −7 from the end. First look at the map.

# %% tags=["nbval-ignore-output"]
written, a = model.write(source)
attention_map(a, source, written, "Before the operation")


# %%
def operate(first, second, where):
    """Write the first date, with the encoder states at `where` taken from the second."""
    memory = encode(params, config, task.source_vocabulary.numbers([first, second]))
    hs = memory["hs"][:1].copy()  # (1, T, H)
    hs[0, where] = memory["hs"][1, where]
    ids, _ = decode_from(params, config, {"hs": hs, "keep": memory["keep"][:1]}, max_len=11)
    return task.target_vocabulary.text(ids[0])


# %% [markdown]
# We take the day's states from "november 15, 1961", another month and another year. **Predict** what is written, if only the states at the two digits are copied. Then: if the state at the comma is copied too.
# Look at the rows of the day in the map above before you answer.

# %% tags=["nbval-ignore-output"]
digits, and_comma = slice(-8, -6), slice(-8, -5)
print("untouched:           ", operate(source, source, digits))
print("the two digits:      ", operate(source, "november 15, 1961", digits))
print("digits and the comma:", operate(source, "november 15, 1961", and_comma))

# %% [markdown]
# With the model of seed 0, copying the digits' states is **not** enough: only the last digit follows. With the comma's state the day becomes 15 while month and year stay. Surprised? The map fits: when the first digit of the day is written, the weight lies on the *comma*. h_i is
# not character i. It is the state after reading character i, and the state at the comma has read both digits: it is a good place to find the whole day.
#
# One pair may be luck. So here are several hundred pairs of unseen dates of the same length, with both digits of the day different, and four places to operate. The last is a control: three states somewhere else, at the first three characters of a month or weekday.

# %%
dates = [pair for pair in task.texts["test"] if pair[0][-6] == "," and pair[0][-8:-6].isdigit()]
np.random.RandomState(0).shuffle(dates)
dates.sort(key=lambda pair: len(pair[0]))
pairs = [
    (first, second)
    for first, second in zip(dates, dates[1:])
    if len(first[0]) == len(second[0]) and first[1][8] != second[1][8] and first[1][9] != second[1][9]
][::2]
print(len(pairs), "pairs, for example", pairs[-1])

# %% tags=["nbval-ignore-output"]
places = {"the two digits": digits, "digits, comma": and_comma, "digits, comma, space": slice(-8, -4)}
places |= {"the first three": slice(0, 3)}
for name, where in places.items():
    results = [(operate(first[0], second[0], where), first[1], second[1]) for first, second in pairs]
    only_day = np.mean([out == gold[:8] + other[8:] for out, gold, other in results])
    rest = np.mean([out[:8] == gold[:8] for out, gold, other in results])
    print(f"{name:22} only the day changed: {only_day:4.0%}   year and month kept: {rest:4.0%}")

# %% [markdown]
# With seed 0 the course measured this, and the other seeds by another `SEED` in section 4 (share of pairs in which only the day changed):
#
# | states copied | seed 0 | seed 1 | seed 2 | seed 3 | seed 4 |
# |---|---|---|---|---|---|
# | the two digits | 24% | 13% | 2% | 0% | 0% |
# | digits, comma | 96% | 17% | 78% | 76% | 0% |
# | digits, comma, space | 98% | 17% | 82% | 90% | 100% |
# | the first three (control) | 0% | 0% | 0% | 0% | 0% |
#
# What this shows: in the model of seed 0, the decoder takes the day from the three states "digits, comma" in 96% of the pairs, and hardly anything of month and year from them: these stay in all pairs but one. That is an **intervention**: something was changed, and the
# output followed. What it does not show: that the same holds for another seed (it doesn't: seed 4 wants the state at the space too, and seeds 1 and 2 even the one at the first digit of the year: with it, 89% and 100%), or for other ways of writing, or that one could have read it off the map alone.
# In seeds 1 and 3 these states say something about the month as well: copy digits and comma, and it changes in one pair of ten. And the control has an effect of its own: with seed 0 it changes the month in 24% of the pairs, all of them dates that begin with their month. The year stays in every pair, and copying the states of a weekday changes neither.
#
# Operate yourself: type two dates, and choose which characters' states are copied. The dates are lined up at their ends. **Predict**, then try: which states must you copy to change only the month? Only the year? And what happens when you copy all of them?

# %% tags=["nbval-ignore-output"]
explore_surgery(model, shown, source, "november 15, 1961")

# %% [markdown]
# With seed 0 and these two dates, one state is enough for the month, the one after "dece"; the states at the last two characters change the year. Copy all of them, and the second date is written: nothing but hs reaches the decoder.

# %% [markdown]
# ## 7. What maps don't show
#
# **They differ by seed.** Here is a second model, from another start, nearly as good. Same date, same task:

# %% tags=["nbval-ignore-output"]
other = trained(seed=1)
print(f"seed 1: {on_test(other)}")
maps = [forward(each.params, each.config, *ids)["a"][0] for each in (model, other)]
map_panels(maps, [f"seed {SEED}", "seed 1"], source, target, "Two models, one date")

# %% [markdown]
# **At hyphens the weights mostly spread.** And only there? A hyphen needs nothing from the source: it always comes in the same place. How large is the largest weight of a row, on average over all test dates, for each character that is written?

# %% tags=["nbval-ignore-output"]
a = forward(params, config, task.sources["test"], task.targets["test"])["a"]  # (N, U, T)
print("  ".join(f"{name:>5}" for name in [*"yyyy-mm-dd", "end"]))
print("  ".join(f"{weight:5.2f}" for weight in a.max(axis=2).mean(axis=0)))

# %% [markdown]
# Low at the hyphens and at the end, where nothing is needed, and at the second digit of the year: after a 1 comes 9, after a 2 comes 0, and the decoder was fed that digit. But the first digit of the year is just as low, 0.49 against
# 0.46 and 0.47 at the hyphens (seed 0), and it does need the source, as it may be 1 or 2: perhaps several states can tell the century. So spread weights don't prove that nothing is needed, just as a bright cell doesn't prove that
# something is.
#
# **A map describes one run only.** In the map before the operation, the last digit of the day has nearly all of its weight on the state at the digit itself, and hardly any at the comma. Now take pairs whose days differ in the last digit only, so that the digit before it stays as it is,
# and of these the ones in which the digit's state has the larger weight. Copy the state at the *comma* alone. Does the last digit ever follow a state to which the map gave the smaller weight?

# %% tags=["nbval-ignore-output"]
followed = []
for first, second in zip(dates, dates[1:]):
    if len(first[0]) != len(second[0]) or first[1][8] != second[1][8] or first[1][9] == second[1][9]:
        continue
    weights = model.write(first[0])[1][-1]  # (T,)   while the last digit is written
    if weights[-7] > weights[-6]:  # the digit's state before the comma's
        followed.append(operate(first[0], second[0], slice(-6, -5))[9:] == second[1][9:])
print(f"pairs with the larger weight at the digit: {len(followed)}")
print(f"and yet the last digit follows the comma's state in {np.mean(followed):.0%} of these")

# %% [markdown]
# With seed 0, the course measured 5% of 418 pairs. Mostly the map was a good guide, and in one pair of twenty it was not: a changed state also changes its own score, and so the weights, and what counts for the output is the weight *together with* what the state says. To know what a
# model uses, change it and see.
#
# **h_i is not character i.** It is everything read so far, as the encoder chose to keep it. You have seen what that does to maps: a bright comma does not mean that commas matter.
#
# **The debate.** Jain and Wallace (2019) found, mostly in text classifiers, that quite different weights can give nearly the same output (the twins of notebook 04), and that weights agree little with other measures of importance:
# *attention is not explanation*. Wiegreffe and Pinter (2019) answered that it depends on what one calls an explanation, that weights imposed from outside are not what a trained model would use, <!-- codespell:ignore pinter -->
# and that one should test: among their tests are uniform weights (section 5) and other seeds (above).
#
# ### Your map, and the model's
#
# In notebook 00, before any theory, you wrote down where *you* looked. Here it is, if you made one, and below it the model's for the same date. What do you both do? What does only one of you do? Was your guess from notebook 00 right?

# %%
mine = load_my_map()
if mine is None:
    print("There is no map of yours yet. Notebook 00 makes one in a few minutes; then run this cell again.")
text, _, looked = mine or ("tuesday, september 25, 1984", None, None)

# %% tags=["nbval-ignore-output"]
attention_map(looked, text, mine[1], "Your attention map") if mine else None

# %% tags=["nbval-ignore-output"]
written, a = model.write(text)
attention_map(a, text, written, "The model's attention map")

# %% [markdown]
# You looked at characters. The model looks at states, each of which comes after everything read up to there. And nobody showed it a map like yours.

# %% [markdown]
# ## 8. Where you meet attention again
#
# In **Transformers** (Vaswani et al., 2017), you will find all of this under other names. What asks, our h̃, is called the **query**. What is compared with it is the **key**, and what is summed is the **value**; in our
# model h_i serves as both (the additive score compares W₂ h_i, which is a key in this sense), and in a Transformer each of the three gets a learned matrix of its own. The score is a dot product divided by √d, with d how many numbers a query has: otherwise the scores
# grow with d, and you know from notebook 03 what a saturated softmax does to the gradient. Softmax over positions and weighted sum are those of notebooks 03 and 04.
#
# Two things are new. **Many heads**: several such attentions side by side, each with its own matrices, so that one position can look at several places at once. And **self-attention**: queries, keys and values come from the same sequence, with no
# recurrent network in between. Since attention knows no order (notebook 04: permute the states, and c stays), the original Transformer adds positions to the embeddings.
# Attention from a decoder to an encoder, as here, is in the original Transformer too.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** Two sentences, U = 3. The first has two real words, and the model gives the right ones p = 1/2 and p = 1/4. The second has one, with p = 1/8. The rest is padding. What is the loss? (log 2 = 0.69)
#
# <details><summary>Your number, then open</summary>
#
# (1 + 2 + 3) · log 2 / 3 = 2 · 0.69 = **1.39** nats. If you have 0.69, you divided by N · U = 6, and padding counted. If you have 1.56, you took the mean of the two sentences' means.
#
# </details>
#
# **2.** What are the attention weights trained towards?
#
# <details><summary>(a) Towards the right alignment, given in the data.</summary>
#
# No. The data hold dates and their ISO forms, no alignment. Nothing in the loss mentions a.
#
# </details>
# <details><summary>(b) Towards nothing of their own: the loss is about the next word, and its gradient reaches them through c.</summary>
#
# Yes. That is why maps may differ by seed while the written dates are the same.
#
# </details>
# <details><summary>(c) Towards 0 and 1, so that the model decides.</summary>
#
# No. Where spreading does no harm, they may stay spread: look at the hyphens of "1953-12-28".
#
# </details>
#
# **3.** (full track) By how many paths does one decoder step send a gradient into hs?
#
# <details><summary>(a) One: through the context.</summary>
#
# No. hs is also *compared*, in the scores. The gradient check of section 2 would fail.
#
# </details>
# <details><summary>(b) Two: h_i is summed in the context and compared in the scores.</summary>
#
# Yes. And all U steps add theirs. In addition hs[-1] is reached as the decoder's start, once per sentence.
#
# </details>
# <details><summary>(c) None: hs belongs to the encoder.</summary>
#
# No. This is how the encoder learns what to keep for the decoder. Without it, the encoder would learn only through the decoder's start.
#
# </details>
#
# **4.** Uniform attention got 78 to 90% after 150 steps, no attention 0.6% at most. What follows?
#
# <details><summary>(a) The decoder must choose where to look, or it can't do this task.</summary>
#
# No. Uniform weights choose nothing, and do most of it; with 300 steps nearly all of it.
#
# </details>
# <details><summary>(b) On this task and budget, most of the gain comes from access to all states; choosing has to be judged against uniform.</summary>
#
# Yes. A control that takes away only one thing at a time tells you which thing it was.
#
# </details>
# <details><summary>(c) Attention is useless.</summary>
#
# No. Additive scores were at 99.9% and more on all five seeds in the same number of steps. And dates are short: other tasks may ask for more choosing.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/06_training.ipynb).

# %% [markdown]
# ### Question 1
#
# A report shows one map, of the model of seed 0: while the 9 of "09" is written, 0.36 of the weight is on the t of "september", more than on any other
# letter. It says: "The network recognises September by the letter t." Name two flaws. Then design an operation that tests where this model takes the *month* from: what do
# you copy, which result would speak for your guess, what is your control, and what would stay open even then?

# %% [markdown]
# **A good answer.** h_i is not character i: the state there has read everything up to "sept". And a weight is a share of c, not a cause: h̃
# has its say, other states may hold the same (more of the weight, 0.55, is on the space after the month), and one map is one run. The operation: take many pairs of unseen dates of one length, with other days and
# years, whose months *end* at the same place. (No other month has nine letters, so a longer weekday makes up for it: "tuesday, september 25, 1984" and
# "thursday, november 16, 1961".) From the second date copy only the state at the place of that t into the first, and decode. If the month changes to the
# second date's, and day and year stay, that speaks for the guess. If it stays, or a third month comes out, other states have their say. The control: one
# state copied elsewhere, say at the year, must leave the month alone. Open: other seeds, and other ways of writing.

# %% [markdown]
# ### Question 2
#
# A colleague writes: "Dot attention 96.0%, uniform attention 99.9%. So it is better not to choose where to look." Both numbers stand in the table of
# section 5. What is wrong with the conclusion? What should have been reported, and which row of the table speaks against it directly?

# %% [markdown]
# **A good answer.** These are single runs, the worst of five seeds for dot beside the best for uniform, and the colleague leaves out that dot had 150 steps
# and uniform 300. With 150 steps each it is the other way round: 96.0 to 99.7% for dot, 78.3 to 90.3% for uniform, and these ranges don't even overlap.
# To be reported are several seeds of each, with the whole range, after the same number of steps, and that each score had its own tuned learning rate. The
# row of the additive score speaks against it: it chooses too, and its 99.9 to 100% took half the steps of uniform's 99.7 to 99.9%. What may be said: with
# 300 steps, uniform weights do nearly all of this task; with 150, the scores that choose were better on every seed.

# %% [markdown]
# ### Question 3
#
# Two models have each written three characters, all of them right. A gave the right characters the probabilities 0.9, 0.9 and 0.9; B gave them 0.999,
# 0.999 and 0.5, and 0.5 was still the largest. Work out both losses (−log 0.9 = 0.105, −log 0.999 = 0.001, −log 0.5 = 0.693). What does the loss see
# that exact match doesn't? Why is the model trained on the loss and not on exact match, and why is exact match reported all the same?

# %% [markdown]
# **A good answer.** A: 0.105. B: (0.001 + 0.001 + 0.693) / 3 = 0.232. Exact match sees only which word is the largest, and gives both full marks. The
# loss also sees how likely the right word was, and so that B is close to a mistake. Nudge a parameter a little, and nearly always every choice stays,
# and exact match with it: its slope is 0 and doesn't say which way to go. The loss moves with every nudge of a probability, so it has a gradient.
# Exact match is reported because one wrong digit spoils a date, and because it is measured while the model reads its own words back.

# %% [markdown]
# ## What we have now
#
# The whole of it, and built from parts that you know:
#
# | stage | what it does |
# |---|---|
# | 1 · provisional state | h̃: where the decoder stands before it looks |
# | 2 · scores | how well each h_i fits what h̃ is looking for |
# | 3 · softmax | scores become weights that sum to 1, exactly 0 at padding |
# | 4 · context | the weighted sum c of the states |
# | 5 · combine | h̃ and c give h^final, and a second softmax gives the next word |
# | 6 · training | the surprise about the next word, sent back through all of it |
#
# At every step the decoder looks again at the whole input, and takes from it what it needs now. Where it looks has been set by nobody: it came out of 150 steps of being surprised a little less.
#
# What it can't do: it knows dates of one century in six ways of writing, and nothing else. `python -m utils.train --pairs FILE` trains the same model on a task of yours: one pair a line, source, TAB, target. And to see more, vary one thing
# and measure: another seed, another size, fewer training dates.
#
# **Credits.** The date task and the way from a fixed vector to attention follow chapter 8 of Koki Saitoh's *Deep Learning from Scratch 2*. Additive attention is by Bahdanau, Cho and Bengio (2015), dot scores and the combination by concatenation by Luong, Pham and Manning (2015);
# clipping by Pascanu, Mikolov and Bengio (2013), Adam by Kingma and Ba (2015), Transformers by Vaswani et al. (2017). The references are in notebook [00](00_start_here.ipynb). Thank you for walking all the way: back to [05](05_combine.ipynb), or to the front page, or on to something of your own.

# %% tags=["nbval-ignore-output"]
progress()
