# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 03 · Softmax: how much of each?
#
# h̃ → scores → **weights** → context → h^final → next word
#
# **You will build** the softmax, which turns scores into attention weights: for one sentence, for a batch, and for a batch with padding,
# which must get a weight of exactly 0. On the full track, its gradient too.
#
# **You need** [notebook 02](02_scores.ipynb), or only this much of it: at every decoder step, each input word has a *score*, a number that says how well
# the encoder's state at that word fits what the decoder is looking for. And NumPy's `sum`, `axis` and broadcasting.
#
# **Minutes** about 55 on the forward track (sections 1 to 4), about 80 on the full track (section 5 as well).

# %%
import numpy as np

from utils.checks import check, progress
from utils.plots import flow, scores_to_weights, temperature_jacobians
from utils.widgets import explore_softmax

# %% [markdown]
# You are here: scores come in, attention weights go out.

# %%
flow("softmax")

# %% [markdown]
# ## The letters
#
# | equation | code | shape, one sentence | shape, a batch | what it is |
# |---|---|---|---|---|
# | e_1 … e_T | `e` | (T,) | (N, T) | the scores: any numbers |
# | a_1 … a_T | `a` | (T,) | (N, T) | the attention weights: from 0 to 1, sum 1 |
# | z_1 … z_T | `z` | (T,) | (N, T) | on the way from one to the other: the exponentials |
# | – | `keep` | – | (N, T) | True at real words, False at padding |
# | τ | `tau` | a number | a number | the temperature (section 4) |
# | – | `da`, `de` | – | (N, T) | how the loss changes when a weight, or a score, rises (section 5) |
#
# N sentences in a batch, T input words. *ln* is the natural logarithm, `np.log`: it undoes exp, so `exp(ln 4) = 4`.

# %% [markdown]
# ## The question that is open
#
# Notebook 02 left you with one score per input word: −2, 0.3 and 17, say. The decoder wants to take *some* of every state: much of those that fit,
# little of those that don't. How much of each?
#
# What you need are **shares**: positive numbers that sum to 1. A higher score should get a larger share. And small changes of the scores should make
# small changes of the shares, because that is how a network learns.

# %% [markdown]
# ## 1. From scores to shares, by hand
#
# The first idea is to divide every score by their sum, as one does with votes. Take three sets of scores. **Before you run the cell**: which of them
# become shares?

# %%
for some in [np.array([1.0, 3.0]), np.array([-1.0, 3.0]), np.array([-1.0, 1.5, -0.7])]:
    print(some, "sum", round(some.sum(), 2), " gives", (some / some.sum()).round(2))

# %% [markdown]
# Only the first. In the second, one word gets a negative share and the other takes 150%. In the third, the sum is below 0 and
# the order is upside down: the best score has the lowest share. With scores of −1 and 1, there would be a division by 0.
#
# So first make every number positive *without changing the order*: exp does that. Then divide by the sum:
#
# > `a_i = exp(e_i) / Σ_j exp(e_j)`
#
# This is the **softmax**. Numbers that you can follow by hand: e = (ln 1, ln 2, ln 4), which is about (0, 0.69, 1.39).
#
# | word | e_i | exp(e_i) | a_i |
# |---|---|---|---|
# | 1 | ln 1 | 1 | 1/7 |
# | 2 | ln 2 | 2 | 2/7 |
# | 3 | ln 4 | 4 | 4/7 |
#
# Written as a loop, this is the specification:


# %%
def softmax_loop(e):
    total = 0.0
    for score in e:
        total += np.exp(score)
    a = np.zeros(len(e))
    for i in range(len(e)):
        a[i] = np.exp(e[i]) / total
    return a


e = np.log([1.0, 2.0, 4.0])
print(softmax_loop(e).round(3), "   by hand:", np.array([1 / 7, 2 / 7, 4 / 7]).round(3))

# %% [markdown]
# Word 1 has a score of **0 and is not ignored**: exp(0) = 1, and it gets a seventh. If all scores are 0, all words get the same. If the others are below
# 0, the word with 0 wins.
#
# ### Only differences matter
#
# Two changes of the same scores: add 5 to all of them, or double them. What do you expect of the weights, in each case?

# %%
scores = np.stack([e, e + 5, 2 * e])
weights = np.stack([softmax_loop(row) for row in scores])
scores_to_weights(scores, weights, ["e", "e + 5", "2 e"])

# %% [markdown]
# Adding 5 changes nothing. The reason is that two weights compare like this:
#
# > `a_i / a_j = exp(e_i) / exp(e_j) = exp(e_i − e_j)`
#
# Their *ratio* depends on the *difference* of their scores, and a number that is added to both drops out. Doubling the scores doubles the differences, so it
# sharpens: ratios of 1 : 2 : 4 become 1 : 4 : 16. So a score of 3 means nothing by itself. Three more than another word's means a weight about 20 times as large.
#
# ### Where the formula breaks
#
# Scores can be large: the dot score of notebook 02, `h̃ᵀ h_i` (multiply number by number, add up), grows with the lengths of both states. A softmax has to take what comes. Try three scores around 1000, then three around
# −1000. The differences are 1 and 2, so the weights should be ordinary. What will the loop's formula give?

# %%
with np.errstate(all="ignore"):  # NumPy would warn
    for large in [np.array([1000.0, 1001, 1002]), np.array([-1000.0, -1001, -1002])]:
        z = np.exp(large)
        print("z =", z, "  z / sum =", z / z.sum())

# %% [markdown]
# exp(1000) is too large for a floating-point number: NumPy gives `inf`, and `inf / inf` is `nan` (*not a number*). exp(−1000) is too small: it becomes 0, and
# `0 / 0` is `nan` as well. Every sum or product with a `nan` is `nan` again, so one of them soon ruins a network's parameters. How much is too much?

# %%
for kind in [np.float64, np.float32]:
    print(f"{kind.__name__}: exp overflows above {np.log(np.finfo(kind).max):.1f}")

# %% [markdown]
# Notebook 06 trains in float32: there the end comes before 89.
#
# The cure is the property that you saw: a number added to all scores changes nothing. So choose a good one. Take m, the highest score, away from all of
# them. One line proves that the weights stay the same:
#
# > `exp(e_i − m) / Σ_j exp(e_j − m) = exp(e_i) exp(−m) / (Σ_j exp(e_j) exp(−m)) = exp(e_i) / Σ_j exp(e_j)`
#
# Now the highest score becomes 0 and no other is above it, so no exponential is larger than 1. And one of them *is* 1, so that the sum is never 0.
#
# ### Exercise: `softmax_one`
#
# The stable form, for one sentence.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Three things in a row, without a loop: shift, exponentiate, divide by the sum. By what do you shift?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `e` is (T,) and its highest score is one number. NumPy subtracts one number from every entry. The result is (T,).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `z = np.exp(e - ____)`, then `return ____ / ____`
#
# </details>
#
# [The solution](../solutions/03_softmax.ipynb), for when you have tried.


# %%
def softmax_one(e):
    """Attention weights from the scores of one sentence.

    a_i = exp(e_i) / Σ_j exp(e_j)

    Parameters
    ----------
    e : (T,) float
        Scores.

    Returns
    -------
    (T,) float
        Positive, sum 1; finite however large the scores are.
    """
    # 1. take the highest score away from all   2. exponentiate   3. divide by the sum
    ### BEGIN SOLUTION
    z = np.exp(e - np.max(e))
    return z / z.sum()
    ### END SOLUTION


# %%
softmax_one = check("softmax_one")

# %% [markdown]
# It agrees with the loop where the loop works, and goes on where the loop breaks:

# %%
e = np.log([1.0, 2.0, 4.0])
print(np.allclose(softmax_one(e), softmax_loop(e)))
print(softmax_one(e).round(3), softmax_one(e + 1000).round(3), softmax_one(e - 1000).round(3))

# %% [markdown]
# The small print: on paper every weight is above 0. In the machine, a score that lies 800 below the highest gets exactly 0, because exp(−800) is too small to
# be stored. That is harmless: such a word would have had no influence anyway.
#
# ### How to read the weights
#
# They are positive and sum to 1, so they can be *read like* a probability distribution, and the tools for those can be used on them (section 4 uses one). But
# nothing is drawn at random here. The decoder takes some of *every* state, and a_3 = 0.57 says: h_3 enters the weighted sum of notebook 04 with 0.57. It does
# not say that word 3 is important with a probability of 57%. And h_3 is not "word 3" but the encoder's state after word 3.
#
# Nobody sets these weights, and they are not stored anywhere: they are computed anew from the scores, at every decoder step.
#
# Notebook 05 uses a softmax a second time, over the words that could be written. Same formula, another job.

# %% [markdown]
# ## 2. A whole batch
#
# Now N sentences, each with a row of scores. Every row is a softmax of its own: its own highest score, its own sum. The loop is easy:

# %%
rng = np.random.RandomState(0)
e_batch = rng.randn(3, 5)  # (N, T)
a_loop = np.stack([softmax_one(row) for row in e_batch])
a_loop.sum(axis=1).round(3)

# %% [markdown]
# Without the loop, three things can go wrong, and each can do so without an error. To see the first, take two sentences of two words, with the scores (0, ln 3)
# in both. Right would be (0.25, 0.75) in each row.
#
# **The wrong axis.** `axis=0` runs down the columns, across the *sentences*. Who shares with whom then?

# %%
z = np.array([[1.0, 3.0], [1.0, 3.0]])  # exp of the scores
z / z.sum(axis=0)

# %% [markdown]
# The columns sum to 1: the sentences compete with each other for each word. Within a row, (0.5, 0.5) has lost the order of the scores. You need the *last*
# axis, `axis=-1`.
#
# **The lost axis.** A sum over the last axis leaves one number per sentence: shape (N,). NumPy aligns shapes from the right, so those numbers get laid under the
# *words*. With N ≠ T (both above 1) that is an error. With N = T it runs. Let the two words of the second sentence have equal
# scores. What will the rows sum to?

# %%
z = np.array([[1.0, 3.0], [1.0, 1.0]])
shares = z / z.sum(axis=-1)
shares.sum(axis=-1)

# %% [markdown]
# 1.75 and 0.75 in place of 1 and 1. `keepdims=True` keeps the axis that was summed, with length 1: (N, 1) under (N, T) means "the same number for all words of
# this sentence". Compare the shapes:

# %%
print(z.sum(axis=-1).shape, z.sum(axis=-1, keepdims=True).shape)

# %% [markdown]
# **One maximum for all.** Taking the highest score of the whole *batch* away would also be allowed on paper. But the sentences may lie at different heights:

# %%
e_heights = np.array([[1.0, 2.0, 3.0], [-899.0, -898.0, -897.0]])
np.exp(e_heights - e_heights.max()).round(3)

# %% [markdown]
# The second sentence has nothing left to divide by. Each row needs its own maximum.
#
# ### Exercise: `softmax`
#
# <details><summary>Hint 1: a nudge</summary>
#
# The same three steps as in `softmax_one`. Twice you reduce a row to one number: tell NumPy along which axis, and to keep that axis.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `e` is (N, T). The highest scores and the sums are both (N, 1). The result is (N, T).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `z = np.exp(e - e.max(____))`, then `return z / z.sum(____)`, and the same two arguments fill both blanks.
#
# </details>
#
# [The solution](../solutions/03_softmax.ipynb), for when you have tried.


# %%
def softmax(e):
    """Attention weights from the scores of a batch.

    a_{n,i} = exp(e_{n,i}) / Σ_j exp(e_{n,j})

    Parameters
    ----------
    e : (N, T) float
        Scores.

    Returns
    -------
    (N, T) float
        Rows sum to 1; finite however large the scores are.
    """
    # 1. take each row's highest score away   2. exponentiate   3. divide each row by its sum
    ### BEGIN SOLUTION
    z = np.exp(e - e.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %%
softmax = check("softmax")

# %% [markdown]
# The loop and the vectorised form agree, and the sentences at different heights get ordinary weights:

# %%
print(np.allclose(softmax(e_batch), a_loop))
print(softmax(e_heights).round(3))

# %% [markdown]
# ## 3. Padding gets nothing
#
# Sentences of a batch differ in length. The short ones are filled up with *padding*, words that aren't there, and `keep` says which ones are real: **True at
# real words**. (Some libraries have masks whose True means "hide". Always look.)
#
# Here the first sentence has four words and the second has two. The encoder of notebook 01 carries its state unchanged over padding, so the two padded
# positions hold the state of the last real word, and get its score, 3:

# %%
e_pad = np.array([[2.0, 1.0, 0.0, 1.0], [1.0, 3.0, 3.0, 3.0]])
keep = np.array([[True, True, True, True], [True, True, False, False]])
softmax(e_pad).round(3)

# %% [markdown]
# The last real word counts three times: once as itself and twice as padding. How much it gets would depend on how long the *other* sentences in the batch are.
# On its own, the sentence should give the softmax of (1, 3):

# %%
softmax_one(np.array([1.0, 3.0])).round(3)

# %% [markdown]
# The first idea that many people have is to multiply the scores by the mask, so that padding has a score of 0. You know what is wrong with it: what does exp make of
# a 0? Predict which word wins when the two real scores are −2 and −1.

# %%
low = np.array([[-2.0, -1.0, -1.0, -1.0]])
softmax(low * keep[1:]).round(3)

# %% [markdown]
# Padding takes 80% of the attention. There are two right ways:
#
# - **before**: give padding a score of −inf. exp(−inf) is exactly 0.
# - **after**: exponentiate, put zeros at the padding, and only then divide by the sum, so that the real words' weights sum to 1.
#
# Whichever you choose, three places need care.
#
# **A row with nothing to keep**, such as an empty sentence that fills up a batch. Its highest score is −inf, or its sum is 0. What is −inf minus −inf?

# %%
with np.errstate(all="ignore"):  # NumPy would warn
    nothing = np.array([-np.inf, -np.inf])
    print(nothing - nothing.max())

# %% [markdown]
# `nan`. We want such a row to be all 0: no word, no attention. A popular substitute for −inf, a number such as −1e9, avoids the `nan`, but gives every word of
# such a row the same weight.
#
# **The highest score has to be a kept one.** If you subtract a padded score that lies far above the rest, all real words become exp(−something large) = 0, and
# the row is 0 / 0 again. With −inf *before*, this comes by itself.
#
# **Nothing may be written into the caller's array.** A slice of a NumPy array is a *view*: it looks at the same memory. Which numbers will `table` hold?

# %%
table = np.array([[1.0, 3.0, 3.0, 3.0]])
row = table[0]  # a view, no copy
row[2:] = -np.inf
table

# %% [markdown]
# The caller's scores are gone, and whoever uses them next gets a surprise. `e[...] = …` inside a function does the same to the array that was passed in.
# `np.where(condition, this, that)` makes a new array: `this` where the condition holds, `that` elsewhere.
#
# The specification: sentence by sentence, the softmax of the kept words alone.


# %%
def masked_softmax_loop(e, keep):
    a = np.zeros(e.shape)
    for n in range(len(e)):
        kept = np.flatnonzero(keep[n])  # the numbers of the kept words
        if len(kept) > 0:
            a[n, kept] = softmax_one(e[n, kept])
    return a


masked_softmax_loop(e_pad, keep).round(3)

# %% [markdown]
# ### Exercise: `masked_softmax`
#
# Without the loop. `keep` may come as True and False or as 1 and 0. `np.where` takes both; `~keep` does not, as `~1` is −2.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Put −inf at padding, in a new array, and go on as in `softmax`. Then look at the two places where a row with nothing to keep breaks: the highest score, and
# the sum.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `e`, `keep` and the result are (N, T). The highest scores and the sums are (N, 1). In a row with nothing to keep, the highest score is −inf (replace it by 0:
# then exp(−inf − 0) is 0) and the sum is 0 (replace it by 1: then 0 / 1 is 0). `np.isfinite` is False for ±inf and nan.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `e = np.where(keep, ____, ____)`, `highest = e.max(____)`, `highest = np.where(np.isfinite(____), highest, ____)`, `z = np.exp(____)`, `total = z.sum(____)`,
# `return z / np.where(total == 0, ____, total)`
#
# </details>
#
# [The solution](../solutions/03_softmax.ipynb), for when you have tried.


# %%
def masked_softmax(e, keep):
    """Turn scores into attention weights, leaving padding out.

    a_i = exp(e_i) / Σ_j exp(e_j), over the words that are kept.

    Parameters
    ----------
    e : (N, T) float
        Scores.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.

    Returns
    -------
    (N, T) float
        Rows sum to 1; exactly 0 at padding; a row with nothing to keep is all 0.

    Source: Bahdanau, Cho and Bengio (2015), equation 6; the mask belongs to batches.
    """
    # 1. padding to −inf, in a new array   2. each row's highest kept score   3. exponentiate   4. divide, but not by 0
    ### BEGIN SOLUTION
    e = np.where(keep, e, -np.inf)  # exp(-inf) is exactly 0
    highest = e.max(axis=-1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0)  # a row with nothing to keep
    z = np.exp(e - highest)
    total = z.sum(axis=-1, keepdims=True)
    return z / np.where(total == 0, 1, total)
    ### END SOLUTION


# %%
masked_softmax = check("masked_softmax")

# %% [markdown]
# It agrees with the loop, also when padding stands in the middle and when a row has nothing to keep:

# %%
e_odd = rng.randn(3, 5)
keep_odd = np.array([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)
print(np.allclose(masked_softmax(e_odd, keep_odd), masked_softmax_loop(e_odd, keep_odd)))
masked_softmax(e_odd, keep_odd).sum(axis=-1).round(3)

# %% [markdown]
# And the sentence of two words gets the same weights, however much padding follows. The 0 at padding is an exact one: `== 0`, not "nearly".

# %%
for extra in [0, 1, 5]:
    e_longer = np.array([[1.0, 3.0] + extra * [3.0]])
    keep_longer = np.array([[True, True] + extra * [False]])
    a = masked_softmax(e_longer, keep_longer)
    print(f"{extra} padded: {a[0, :2].round(3)}   all padding exactly 0: {np.all(a[~keep_longer] == 0)}")

# %% [markdown]
# ## 4. Temperature: from one word to all words
#
# Doubling the scores sharpened the weights. Take that further and divide the scores by a number τ, the **temperature**, before the softmax:
#
# > `a = softmax(e / τ)`
#
# Predict the weights of e = (ln 1, ln 2, ln 4) for a temperature near 0 and for a very large one.

# %%
e = np.log([1.0, 2.0, 4.0])
for tau in [0.05, 1, 1000]:
    print(f"τ = {tau:6}:  a =", " ".join(f"{share:.3f}" for share in softmax_one(e / tau)))

# %% [markdown]
# Near 0 the softmax becomes an **argmax**: all the weight on the highest score. (If several scores share the top, they share the weight.) At a large
# temperature it becomes **uniform**: the differences are nearly gone, and everybody gets 1/T. The softmax is a soft choice between these two.
#
# How soft, in one number? The **entropy** of the weights measures it:
#
# > `entropy = Σ_i a_i ln(1/a_i)`
#
# Its unit is the *nat*, since the logarithm is natural. It is 0 when one word has everything, and at most ln T, when all T words have the same. Its exp is
# easier to imagine: "as spread out as an even split among so many words".


# %%
def entropy(a):
    a = a[a > 0]  # a weight of 0 adds nothing
    return (a * np.log(1 / a)).sum()


for tau in [0.05, 0.3, 1, 4, 20]:
    nats = entropy(softmax_one(e / tau))
    print(f"τ = {tau:4}:  {nats:.2f} nats, like an even split among {np.exp(nats):.2f} words")

# %% [markdown]
# The model of this course has no temperature: its τ is 1. It doesn't need one, because training sets how far apart the scores are.
#
# ### What a nudge does
#
# Training changes scores a little at a time. So ask: when score i rises a little, how does *each* weight move? Don't derive it, measure it. Nudge a score up
# and down, and see how much the weights differ, per unit of nudge. Which signs do you expect in the first row, where score 1 is nudged?


# %%
def slopes(e, nudge=1e-5):
    table = np.zeros((len(e), len(e)))  # row i: score i is nudged; column j: how weight j moves
    for i in range(len(e)):
        up, down = e.copy(), e.copy()
        up[i] += nudge
        down[i] -= nudge
        table[i] = (softmax_one(up) - softmax_one(down)) / (2 * nudge)
    return table


slopes(e).round(3)

# %% [markdown]
# On the diagonal all is positive: a word's own score raises its weight. Everywhere else it is negative: what one word wins, the others lose. Each row sums to
# 0, because the weights go on summing to 1.
#
# This table of slopes is called the **Jacobian**. It needs no measuring, as the weights alone determine it: a_i (1 − a_i) on the diagonal, −a_i a_j elsewhere.
# In NumPy that is one line. (Section 5, on the full track, says where it comes from.) With a = (1, 2, 4)/7, it is in 49ths:


# %%
def jacobian(a):
    return np.diag(a) - np.outer(a, a)  # a on the diagonal, minus the table of all a_i a_j


a = softmax_one(e)
print(np.allclose(slopes(e), jacobian(a)))
(49 * jacobian(a)).round(2)

# %% [markdown]
# ### The moment to remember
#
# Next, five temperatures from 0.05 to 20, the weights above and the Jacobian below. Orange is negative, purple is positive, and white is 0: *a nudge here changes
# nothing*. All five tables share one colour scale.
#
# **Before you run it**: in which of the five does a nudge of e / τ, of what goes into the softmax, change the weights the least? Is it where the weights are even, or where one word has
# everything?

# %%
temperatures = [0.05, 0.3, 1, 4, 20]
weights = np.stack([softmax_one(e / tau) for tau in temperatures])
jacobians = np.stack([jacobian(a) for a in weights])
temperature_jacobians(temperatures, weights, jacobians, "Weights, and what a nudge of a score does to them")

# %% [markdown]
# At τ = 0.05 the table is blank: nine cells, and none of them lets anything through. Word 3 has it all, and neither raising nor
# lowering any score a little changes that. The softmax is **saturated**.
#
# Why that matters: to learn, a network asks how the *loss*, the number that training makes smaller, changes when a score does. The answer passes through this
# table. If it is all zeros, the answer is "not at all", *even when the choice is wrong*. A model that is sure of the right word has lost nothing. A model that is
# sure of the wrong one hears next to nothing about its scores. Even weights are the opposite: every score can still move something.
#
# The second softmax, over the vocabulary, is spared: its loss takes a logarithm, which undoes this. Notebook 06 comes to it.
#
# One fine point. The table shows slopes for a nudge of what goes *into the softmax*, e / τ. For e itself, each slope is divided by τ:

# %%
for tau, table in zip(temperatures, jacobians):
    print(f"τ = {tau:4}:  largest slope {table.max():.2f}, for e itself {table.max() / tau:.2f}")

# %% [markdown]
# So for e itself the slopes are small at both ends, for two reasons: at the cold end the weights are stuck, at the hot end the scores hardly count.
#
# ### Saturated by size
#
# Nobody has to set a temperature for that to happen. A dot score adds up H products, so with more numbers per state, scores spread further: if the numbers are drawn by
# `rng.randn` (around 0, of typical size 1), the typical size of a score, its *standard deviation*, is √H. Take such states and T = 10 words. The largest weight would be 0.1 if all were even and 1.0 if one
# had everything. How does it grow with H? And what if the scores are divided by √H?

# %%
for H in [1, 16, 64, 256]:
    h_tilde, hs = rng.randn(300, 1, H), rng.randn(300, 10, H)
    e_dot = (h_tilde * hs).sum(axis=2)  # (300, 10)
    plain, scaled = (softmax(some).max(axis=1).mean() for some in [e_dot, e_dot / np.sqrt(H)])
    print(f"H = {H:3}:  largest weight, on average {plain:.2f}, scores divided by √H {scaled:.2f}")

# %% [markdown]
# Size alone drives the softmax towards *one-hot* (one weight 1, all others 0), before anything has been learned. Vaswani et al. (2017, section 3.2.1) suspect this, and
# therefore divide a Transformer's dot products by the root of the size. That is a temperature, after all: τ = √H.
#
# ### See it move
#
# Five words, with your `masked_softmax` behind the controls (where they can't run, a picture stands in their place). Word 5 starts as padding. The first slider moves τ from 0.05 to 20, and
# the slopes are those *for e itself*. **Predict** before each: at which of its two ends are the slopes near 0? Lower e_3 to 2, where it ties with e_1, and go to
# τ = 0.05: what are the weights, and are the slopes near 0 now? Then go back to τ = 1 and make word 3 padding (untick *keep word 3*): who gets its share, and in what proportions?

# %%
explore_softmax(masked_softmax)

# %% [markdown]
# Slopes are near 0 at both ends. A tie at the top changes the cold end: at τ = 0.05 each of the two words has half of the weight, and slopes are as steep as 5, because a small nudge decides
# between them. What word 3 loses as padding goes to the other real words, each times the same factor, so that their ratios stay; word 5 still gets exactly 0.
#
# **On the forward track you are done with the exercises.** Skip to *Check yourself*.

# %% [markdown]
# ## 5. Backwards (full track)
#
# From the context arrives `da`: one number per weight, which says how the loss changes when that weight rises. You turn it into `de`: how the loss changes when
# a *score* rises.
#
# ### Where the Jacobian comes from
#
# Call the sum s = Σ_k exp(e_k). Then `a_j = exp(e_j) / s`, and the logarithm turns the quotient into a difference: `ln a_j = e_j − ln s`. Now nudge e_i:
#
# | what | its slope when e_i is nudged | why |
# |---|---|---|
# | e_j | 1 if i = j, else 0 | only e_i moves |
# | ln s | `exp(e_i) / s = a_i` | the slope of ln s is 1/s, times the slope of s |
# | ln a_j | `(i = j) − a_i` | the difference of the two; read (i = j) as 1 or 0 |
# | a_j | `a_j ((i = j) − a_i)` | the slope of ln a_j is the slope of a_j divided by a_j |
#
# On the diagonal that is a_i (1 − a_i), elsewhere −a_i a_j. As a matrix, with a as a row: `diag(a) − aᵀ a`.
#
# ### By hand
#
# T = 2, e = (0, ln 3), so a = (1/4, 3/4). Fill the blanks on paper:
#
# | by hand | result |
# |---|---|
# | slope of a_1 when e_1 is nudged: 1/4 · (1 − 1/4) | = __ |
# | slope of a_2 when e_1 is nudged: −3/4 · 1/4 | = __ |
# | slope of a_1 when e_2 is nudged: −1/4 · 3/4 | = __ |
# | slope of a_2 when e_2 is nudged: 3/4 · (1 − 3/4) | = __ |
#
# <details><summary>Compare</summary>
#
# 3/16, −3/16, −3/16, 3/16. With two words, what one wins the other loses.
#
# </details>
#
# Now let da = (2, −2) arrive. e_1 reaches the loss through *both* weights, so both paths add up:
#
# | by hand | result |
# |---|---|
# | de_1 = 2 · 3/16 + (−2) · (−3/16) | = __ |
# | de_2 = 2 · (−3/16) + (−2) · 3/16 | = __ |
#
# <details><summary>Compare</summary>
#
# de_1 = 3/4 and de_2 = −3/4.
#
# </details>
#
# Don't believe it, nudge it:

# %%
e_hand, da_hand, nudge = np.array([0.0, np.log(3)]), np.array([2.0, -2.0]), 1e-6
for i in range(2):
    up, down = e_hand.copy(), e_hand.copy()
    up[i] += nudge
    down[i] -= nudge
    slope = (da_hand @ softmax_one(up) - da_hand @ softmax_one(down)) / (2 * nudge)
    print(f"de_{i + 1} = {slope:.4f}")

# %% [markdown]
# As the specification, the loop with the whole Jacobian: score i collects from all weights j.


# %%
def softmax_backward_loop(da, a):
    N, T = a.shape
    de = np.zeros((N, T))
    for n in range(N):
        J = np.diag(a[n]) - np.outer(a[n], a[n])  # (T, T)
        for i in range(T):
            for j in range(T):
                de[n, i] += J[i, j] * da[n, j]
    return de


softmax_backward_loop(np.array([[2.0, -2.0]]), np.array([[0.25, 0.75]]))

# %% [markdown]
# ### Without the Jacobian
#
# T × T numbers per sentence and step are a waste, since T weights determine them. Put the slopes into the sum and look at its two parts:
#
# > `de_i = Σ_j a_j ((i = j) − a_i) da_j = a_i da_i − a_i Σ_j a_j da_j = a_i (da_i − Σ_j a_j da_j)`
#
# The sum at the end is the **weighted mean** of all da: one number per sentence. So each da_i is compared with the mean. Where it lies above, de_i is
# positive and training will lower that score; where below, raise it. The weight says how strongly. Once more by hand:
#
# | by hand | result |
# |---|---|
# | mean = 1/4 · 2 + 3/4 · (−2) | = __ |
# | de_1 = 1/4 · (2 − mean) | = __ |
# | de_2 = 3/4 · (−2 − mean) | = __ |
#
# <details><summary>Compare</summary>
#
# The mean is −1, and then de_1 = 1/4 · 3 = 3/4 and de_2 = 3/4 · (−1) = −3/4, as before.
#
# </details>
#
# Two things follow. The de of a sentence sum to 0: scores compete, and only their differences matter. And where a_i is 0, de_i is 0: padding needs no mask on
# the way back.
#
# ### Exercise: `softmax_backward`
#
# For a batch. It takes the weights, the forward's own result: with those, the scores are not needed any more.
#
# <details><summary>Hint 1: a nudge</summary>
#
# First the weighted mean of da in every row. Then one line that is the equation.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `da` and `a` are (N, T). The mean is (N, 1): one number for all words of a sentence. The result is (N, T).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `mean = (____ * ____).sum(axis=____, keepdims=____)`, then `return ____ * (____ - mean)`
#
# </details>
#
# [The solution](../solutions/03_softmax.ipynb), for when you have tried.


# %%
def softmax_backward(da, a):
    """The gradient of the softmax, from its own result.

    de_i = a_i (da_i − Σ_j a_j da_j)

    Parameters
    ----------
    da : (N, T) float
        The gradient that arrives at the weights.
    a : (N, T) float
        The attention weights. Where they are 0 (padding), so is the gradient.

    Returns
    -------
    (N, T) float
        de: rows sum to 0.
    """
    # 1. the weighted mean of da in each row   2. compare each da with it
    ### BEGIN SOLUTION
    mean = (a * da).sum(axis=-1, keepdims=True)  # (N, 1)
    return a * (da - mean)
    ### END SOLUTION


# %%
softmax_backward = check("softmax_backward")

# %% [markdown]
# It agrees with the whole Jacobian, rows sum to 0, and padding gets exactly 0, also in the sentence with nothing to keep:

# %%
a, da = masked_softmax(e_odd, keep_odd), rng.randn(3, 5)
de = softmax_backward(da, a)
print(np.allclose(de, softmax_backward_loop(da, a)), np.allclose(de.sum(axis=-1), 0), np.all(de[~keep_odd] == 0))

# %% [markdown]
# Last, the vanishing gradient in numbers. Two words: the loss would fall if the first got more and the second less, da = (−1, 1). But the second is ahead by a gap.
# How does what reaches score 1 change as the gap grows, while the mistake gets *worse*?

# %%
for gap in [1, 5, 10, 20]:
    a = softmax(np.array([[0.0, gap]]))
    de = softmax_backward(np.array([[-1.0, 1.0]]), a)
    print(f"gap {gap:2}:  weight of the right word {a[0, 0]:.1e}, de_1 = {de[0, 0]:.1e}")

# %% [markdown]
# The more wrong and the surer, the weaker the call to change. Remember this when training stalls.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** Two words have the scores 5 and 5 + ln 3 (about 6.1). What is the weight of the second?
#
# <details><summary>Your number, then open</summary>
#
# The 5 drops out, exp gives 1 and 3, so it is 3/4 = **0.75**. If you have 0.55, you divided the scores without exp. If you have 3, the division is missing. If
# you have 0.25, that is the first word's.
#
# </details>
#
# **2.** You multiply the scores by `keep` and then take the softmax. What weight does padding get?
#
# <details><summary>(a) Exactly 0.</summary>
#
# No. Its *score* is 0, and exp(0) = 1.
#
# </details>
# <details><summary>(b) Something, but never as much as a real word.</summary>
#
# No. When the real scores are below 0, padding gets more than they do.
#
# </details>
# <details><summary>(c) Something, and possibly the most.</summary>
#
# Yes. It depends on the real scores. That is why padding needs −inf before, or a zero after exp and before dividing.
#
# </details>
#
# **3.** At some decoder step, word 3 has the weight 0.7. What do you know?
#
# <details><summary>(a) With a probability of 70%, word 3 is the important one.</summary>
#
# No. Nothing is drawn at random. The weights are shares that *can be read like* a distribution.
#
# </details>
# <details><summary>(b) h_3 enters this step's weighted sum with 0.7.</summary>
#
# Yes. That is all it says. At another step the same word may have another weight.
#
# </details>
# <details><summary>(c) Word 3 is the cause of what the decoder writes.</summary>
#
# No. A weight says what was looked at, and a cause would have to be shown by changing something. Besides, h_3 holds what was read *up to* word 3.
#
# </details>
# <details><summary>(d) The next word is word 3 with a probability of 70%.</summary>
#
# No. That would be the second softmax: over the vocabulary, in notebook 05. This one is over the input words.
#
# </details>
#
# **4.** A model puts weight 1.00 on the *wrong* word. How much does the loss change when a score is nudged?
#
# <details><summary>(a) Much, as the mistake is large.</summary>
#
# No. Whatever arrives at the weights is multiplied by the Jacobian, and with all the weight on one word, that is nearly zero everywhere.
#
# </details>
# <details><summary>(b) Hardly any: the softmax is saturated.</summary>
#
# Yes. The mistake may be large, and hardly any of it gets through to the scores.
#
# </details>
# <details><summary>(c) All of it, because softmax is a soft choice.</summary>
#
# No. Soft is what it can be; with all the weight on one word it is nearly flat.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/03_softmax.ipynb).

# %% [markdown]
# ### Question 1
#
# A sentence has two words. At one decoder step, word 1 has the score 3 and the weight 0.2. At the next step it has the score 1 and the weight 0.9.
# "Impossible," says a friend, "a lower score can't get a larger weight." Work out the score of word 2 at both steps, and explain what the friend has
# overlooked.

# %% [markdown]
# **A good answer.** The ratio of two weights is exp of the difference of their scores. At the first step it is 0.2 : 0.8 = 1 : 4, so word 2 lies ln 4
# above: 3 + ln 4, about 4.39. At the next it is 0.9 : 0.1 = 9 : 1, so word 2 lies ln 9 below: 1 − ln 9, about −1.20. *Within* a row the higher score
# gets the larger weight. Between two steps, scores can't be compared, because each row is divided by its own sum. A score of 3 (or of 0) means
# nothing by itself. What counts is how far it lies above or below the others of its row.

# %% [markdown]
# ### Question 2
#
# The scores are (ln 1, ln 3, ln 4), and the third place is padding (with a score of its own: this encoder doesn't carry its state). Somebody takes
# the softmax of all three, and then sets the third weight to 0. Work out this result, and the right one. What is right about the first, what is wrong
# with it, and what has it to do with the other sentences of the batch? How would you mend it?

# %% [markdown]
# **A good answer.** The softmax is (1, 3, 4)/8, so the result is (1/8, 3/8, 0). Right is (1/4, 3/4, 0). The padding has exactly 0, and the ratio 1 :
# 3 is right, too. But the row sums to 1/2: the half that went to padding is lost, and the decoder would take only half as much of the states. With a
# second place of padding with the same score, the sum would be 4/12, a third: so the longest sentence of the batch decides how much this one gets. To
# mend it, let only kept words share: −inf before exp, or zeros after exp and *before* dividing. (Here, dividing each row by its sum again would also
# do.)

# %% [markdown]
# ### Question 3
#
# Two models before training. In A all weights are even. B, by the accident of its start, gives one word nearly everything. "B has made up its mind
# and A hasn't, so B will learn faster," says a friend. Take two words, of which the second is the right one: a = (0.5, 0.5) in A, and a = (0.99,
# 0.01) in B. How much does a_2 move, per unit of nudge, when e_2 is nudged? What follows for training? And if B's favourite had been the right word?

# %% [markdown]
# **A good answer.** The slope is a_2 (1 − a_2): in A 0.5 · 0.5 = 0.25, in B 0.01 · 0.99 = 0.0099, about 25 times less. From even weights every nudge
# of a score moves something, so the loss can say which way to go. B is saturated: the loss hardly changes when its scores do, so B hears next to
# nothing, *although* its choice is the worse one. Undecided doesn't mean that nothing can be learned. It means that everything can still move. Had
# B's favourite been right, its slopes would be just as small, and that would do no harm: nothing needs to change.

# %% [markdown]
# ## What we have now
#
# Attention weights: positive, sum 1 over the real words of each sentence, exactly 0 at padding, finite for scores of any size. Differences of scores decide,
# and their size decides how sharp the choice is.
#
# What is missing: weights are only numbers beside the states, and nothing has been taken yet. How do T weights and T states become *one* vector that the
# decoder can work with? [Notebook 04](04_context.ipynb) takes the weighted sum, and with it attention is complete.

# %% tags=["nbval-ignore-output"]
progress()
