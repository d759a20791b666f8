# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 02 · Scores: what fits what I am looking for?
#
# h̃ → **scores** → weights → context → h^final → next word
#
# **You will build** two ways to compare the decoder's provisional state with every encoder state: the *dot score* and the
# *additive score*, for one sentence and then for a batch. On the full track, their gradients too.
#
# **You need** [notebook 01](01_provisional_state.ipynb), or only this much of it: `hs` holds the encoder's states, one row per input word, and `h̃` (in
# code `h_tilde`) is the decoder's provisional state: where it stands before it writes its next word. And NumPy's `@`, `sum` and
# broadcasting.
#
# **Minutes** about 45 on the forward track (sections 1 to 4), about 90 on the full track (section 5 as well).

# %%
import numpy as np

from utils.checks import check, progress, report
from utils.plots import flow, score_plane
from utils.widgets import explore_scores

# %% [markdown]
# You are here: h̃ and hs go in, one number per input word comes out.

# %%
flow("scores")

# %% [markdown]
# ## The letters
#
# | equation | code | shape, one sentence | shape, a batch | what it is |
# |---|---|---|---|---|
# | h̃ | `h_tilde` | (H,) | (N, H) | the provisional state, at one decoder step |
# | h_1 … h_T | `hs` | (T, H) | (N, T, H) | the encoder's states |
# | e_1 … e_T | `e` | (T,) | (N, T) | the scores: one number per input word |
# | W₁, W₂ | `W1`, `W2` | (H, A) | (H, A) | learned matrices of the additive score |
# | v | `v` | (A,) | (A,) | its learned vector |
#
# N sentences in a batch, T input words, H numbers in a state, A numbers inside the additive score. In code vectors are rows (`h_tilde @ W1`); in this notebook's equations, up to section 5, they are columns, as in the papers (W₁ h̃), unlike in notebook 01 (the code's W1 and W2 are the papers' matrices transposed). So `h̃ᵀ h_i` is the dot product of the two.
#
# In the papers: our h̃ is the h of Luong et al. (2015), who write h̃ for what we call h^final. Bahdanau et al. (2015) compare with
# the decoder's state *before* the recurrent step, because there the context vector c (notebook 04) is an input of that step; we, like Luong et al., with the state after it. The encoder of
# Bahdanau et al. also reads in both directions, so their h_i has seen the whole sentence, words around i best; ours has seen words 1 to i. How one scores and which state asks are independent choices.

# %% [markdown]
# ## The question that is open
#
# You are translating, and about to write the next word. You know where you stand: that is h̃. Behind you lie T encoder states. Which of
# them holds what you need *now*?
#
# An answer needs one number per state: how well does h_i fit what h̃ is looking for? That number is a **score**, and this notebook is about
# where it comes from. Nobody writes it down by hand and nobody labels it: it is computed from two states, and so it can be learned.
#
# One caution. h_i is not "word i". It is the state *after* word i: what the encoder keeps of everything up to there.

# %% [markdown]
# ## 1. The dot score, by hand
#
# The simplest way to compare two vectors is to multiply them entry by entry and add up:
#
# > `e_i = h̃ᵀ h_i`
#
# Take three input words and states of two numbers. **Before you run the cell**: which state gets the highest score?

# %%
h_tilde = np.array([1.0, 2.0])
hs = np.array([[3.0, 0.0], [1.0, 1.0], [0.0, 2.0]])

# %%
for i in range(3):
    print(f"e_{i + 1} = 1·{hs[i, 0]:.0f} + 2·{hs[i, 1]:.0f} = {h_tilde[0] * hs[i, 0] + h_tilde[1] * hs[i, 1]:.0f}")

# %% [markdown]
# h_3 wins with 4. h_1 is the longest of the three, but h_1 points further away from h̃. The two others draw at 3, one by its length and one by its
# direction. That is all there is to a dot product: `e_i = |h̃| · |h_i| · cos(angle between them)`, so **direction and length** both count.
#
# Written as a loop over words and numbers, this is the specification. Whatever you write must agree with it.


# %%
def dot_score_loop(h_tilde, hs):
    T, H = hs.shape
    e = np.zeros(T)
    for i in range(T):
        for k in range(H):
            e[i] += h_tilde[k] * hs[i, k]
    return e


dot_score_loop(h_tilde, hs)

# %% [markdown]
# ### Exercise: `dot_score_one`
#
# The same without a loop. Predict the shape of `hs @ h_tilde` before you try it in a cell of your own.
#
# <details><summary>Hint 1: a nudge</summary>
#
# `@` multiplies and adds up along the last axis of what stands on its left. Along which axis do you want to add up?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `hs` is (T, H) and `h_tilde` is (H,). The result has to be (T,): H must disappear.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return ____ @ ____`, with the two arguments in the right order.
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def dot_score_one(h_tilde, hs):
    """Dot scores of one provisional state.

    e_i = h̃ᵀ h_i

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    hs : (T, H) float
        The encoder states, one row per input word.

    Returns
    -------
    (T,) float
        One score per input word.

    Source: Luong, Pham and Manning (2015), section 3.1.
    """
    # 1. multiply every row of hs by h_tilde, entry by entry   2. add up each row
    ### BEGIN SOLUTION
    return hs @ h_tilde
    ### END SOLUTION


# %%
dot_score_one = check("dot_score_one")

# %% [markdown]
# A check tries your function on many inputs: other sizes, equal sizes under which a wrong axis goes unnoticed, whole numbers, single precision.
# Once it passes, everything below runs on *your* function. Until then the course's own stands in, so that you can go on.

# %% [markdown]
# ## 2. In the plane
#
# States of two numbers are arrows, and arrows can be drawn. Here are four encoder states and one h̃ of length 1.


# %%
def arrow(degrees, length=1.0):
    angle = np.deg2rad(degrees)
    return length * np.array([np.cos(angle), np.sin(angle)])


plane = np.stack([arrow(0), arrow(60, 1.2), arrow(110, 0.8), arrow(250)])

# %% [markdown]
# h̃ points to 15°. Which state wins: the one closest in direction, or the longest?

# %%
q = arrow(15)  # h̃
score_plane(q, plane, dot_score_one(q, plane), "The provisional state at 15°")

# %% [markdown]
# Now turn h̃ to 45°. The states have not changed, only the question has. Change the angle yourself and run the cell again: where does the winner
# flip, and where does h_3 get its turn?

# %%
q = arrow(45)
score_plane(q, plane, dot_score_one(q, plane), "The provisional state at 45°")

# %% [markdown]
# **One memory, many questions**: that is what a decoder does at every step. It asks the same hs with another h̃, and other words come out on top.
#
# Next, turn h̃ to 30° and lengthen h_3. It stands almost at a right angle to h̃, so it should hardly matter. By what factor must it
# grow to win? Guess, then run.

# %%
q = arrow(30)
for factor in [1, 2, 4, 8]:
    longer = plane.copy()
    longer[2] *= factor
    e = dot_score_one(q, longer)
    print(f"h_3 times {factor}: e = {e.round(2)}   h_{e.argmax() + 1} wins")

# %%
score_plane(q, longer, e, "h_3 eight times as long")

# %% [markdown]
# h_3 fits badly and wins all the same, by length alone. This is no mistake in your code: the dot score means it so. In a trained
# model the lengths are learned along with everything else, and a long state can be the network's way of saying "I matter, to all who ask in my direction".

# %% [markdown]
# ## 3. A whole batch
#
# Training works on N sentences at once, each with its own h̃ and its own hs. The loop is easy: sentence by sentence.

# %%
rng = np.random.RandomState(0)
N, T, H = 3, 5, 4
h_tilde, hs = rng.randn(N, H), rng.randn(N, T, H)  # (N, H), (N, T, H)

e_loop = np.stack([dot_score_one(h_tilde[n], hs[n]) for n in range(N)])
e_loop.shape

# %% [markdown]
# Without a loop, shapes have to be lined up. NumPy aligns them from the right, so `h_tilde * hs` would lay (N, H) under (N, **T**, H) and pair
# sentences with words. Here N is 3 and T is 5, so it raises an error. With N = T it would run, and be wrong without a sound.
#
# The cure is an axis of length 1 that says: "the same h̃ for all T words". Predict both shapes, then run.

# %%
print(h_tilde[:, None, :].shape, (h_tilde[:, None, :] * hs).shape)

# %% [markdown]
# ### Exercise: `dot_score`
#
# <details><summary>Hint 1: a nudge</summary>
#
# The product above already holds every multiplication that you need. What is left to do with its last axis?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, 1, H) times (N, T, H) gives (N, T, H). You need (N, T).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return (h_tilde[____] * hs).sum(axis=____)`
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def dot_score(h_tilde, hs):
    """Dot scores for a batch: every sentence has a provisional state of its own.

    e_{n,i} = h̃_nᵀ h_{n,i}

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, T) float
        One score per input word.

    Source: Luong, Pham and Manning (2015), section 3.1.
    """
    # 1. give h_tilde an axis for the words   2. multiply   3. add up over H
    ### BEGIN SOLUTION
    return (h_tilde[:, None, :] * hs).sum(axis=2)
    ### END SOLUTION


# %%
dot_score = check("dot_score")

# %% [markdown]
# ### A wrong answer, and how to read its verdict
#
# Here is another attempt. It runs without an error and gives the right shape. **Before you run the cell**: what does it do to the second sentence?


# %%
def first_question_for_all(h_tilde, hs):
    return (hs * h_tilde[0]).sum(axis=2)


print(report("dot_score", first_question_for_all).message)

# %% [markdown]
# The first line names a cause when the results fit one known mistake, on every input, and no other. The second shows a small call with the first wrong number: row 0 is right here, row 1 is not. Try that call yourself, and you see
# it happen. Where no cause is named, compare what came with what was expected: a sign, a factor, another place?

# %% [markdown]
# The loop and the vectorised form must agree, for these sentences and for any others.

# %%
np.allclose(dot_score(h_tilde, hs), e_loop)

# %% [markdown]
# ## 4. The additive score
#
# The dot score compares h̃ and h_i *as they are*. It has nothing of its own to learn, and for one h̃ it can only say "the further in this direction, the
# better". Look at three states on a line. Can the one in the middle win?

# %%
line = np.array([[-2.0], [0.0], [2.0]])  # T = 3 states of one number
for q in [-1.0, 0.5, 1.0]:
    print(f"h̃ = {q:4}:  e =", dot_score_one(np.array([q]), line))

# %% [markdown]
# It never can: whatever h̃ is, one of the ends scores at least as high. The **additive score** first transforms both, then compares:
#
# > `e_i = vᵀ tanh(W₁ h̃ + W₂ h_i)`
#
# W₁ and W₂ bring the two states into one space of A numbers, where they are added; tanh bends; v weighs the A results into one number. W₁, W₂ and v are
# learned, like all parameters of the network. By hand, with one number per state and A = 2:

# %%
W1, W2, v = np.array([[1.0, -1.0]]), np.array([[1.0, 1.0]]), np.array([1.0, -1.0])
h = 1.0  # h̃
for x in [-2.0, 0.0, 2.0]:
    print(f"h_i = {x:4}:  e = tanh({x + h:.0f}) - tanh({x - h:.0f}) = {np.tanh(x + h) - np.tanh(x - h):.2f}")

# %% [markdown]
# The middle wins. Here v says "the first, minus the second", and two bent lines make a bump. That is the general point: the additive score is a small
# neural network with one hidden layer, so it can learn shapes of preference that a dot product can't have.
#
# There is a price: W₁, W₂ and v have to be learned, and A tanhs have to be computed for every pair of decoder step and input word.
# Whether it pays depends on the task, and notebook 06 measures it on dates. Transformers, the networks behind today's language models, first multiply both sides by learned matrices and then take a dot product, divided by a fixed number: there the matrices do the learning.
#
# The loop, as the specification:


# %%
def additive_score_loop(h_tilde, hs, W1, W2, v):
    T, A = len(hs), len(v)
    e = np.zeros(T)
    for i in range(T):
        for k in range(A):
            e[i] += v[k] * np.tanh(h_tilde @ W1[:, k] + hs[i] @ W2[:, k])
    return e


additive_score_loop(np.array([1.0]), line, W1, W2, v).round(2)

# %% [markdown]
# ### Exercise: `additive_score_one`
#
# <details><summary>Hint 1: a nudge</summary>
#
# W₁ h̃ is the same for all T words, so compute it once and let broadcasting repeat it.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `h_tilde @ W1` is (A,). `hs @ W2` is (T, A). Their sum is (T, A), and so is its tanh. The result has to be (T,).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return np.tanh(h_tilde @ ____ + ____ @ W2) @ ____`
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def additive_score_one(h_tilde, hs, W1, W2, v):
    """Additive scores of one provisional state.

    e_i = vᵀ tanh(W₁ h̃ + W₂ h_i)

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    hs : (T, H) float
        The encoder states, one row per input word.
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    (T,) float
        One score per input word.

    Source: Bahdanau, Cho and Bengio (2015), appendix A.1.2.
    """
    # 1. transform h_tilde and hs   2. add and bend   3. weigh with v
    ### BEGIN SOLUTION
    return np.tanh(h_tilde @ W1 + hs @ W2) @ v
    ### END SOLUTION


# %%
additive_score_one = check("additive_score_one")

# %% [markdown]
# ### Exercise: `additive_score`
#
# The same for a batch. Every sentence has its own h̃ and hs; W₁, W₂ and v are shared by all.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Only one of the two transformed arrays lacks an axis for the words. It is the same cure as in `dot_score`.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `h_tilde @ W1` is (N, A) and has to become (N, 1, A). `hs @ W2` is (N, T, A). After the tanh, `@ v` removes A.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `query = (h_tilde @ W1)[____]`, then `keys = ____`, then `return np.tanh(query + keys) @ ____`
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def additive_score(h_tilde, hs, W1, W2, v):
    """Additive scores for a batch.

    e_{n,i} = vᵀ tanh(W₁ h̃_n + W₂ h_{n,i})

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    (N, T) float
        One score per input word.

    Source: Bahdanau, Cho and Bengio (2015), appendix A.1.2.
    """
    # 1. transform both; give the first an axis for the words   2. add and bend   3. weigh with v
    ### BEGIN SOLUTION
    query = (h_tilde @ W1)[:, None, :]  # (N, 1, A)
    keys = hs @ W2  # (N, T, A)
    return np.tanh(query + keys) @ v
    ### END SOLUTION


# %%
additive_score = check("additive_score")

# %% [markdown]
# Loop and vectorised form agree:

# %%
N, T, H, A = 3, 5, 4, 6
h_tilde, hs = rng.randn(N, H), rng.randn(N, T, H)
W1, W2, v = rng.randn(H, A), rng.randn(H, A), rng.randn(A)
e_loop = np.stack([additive_score_loop(h_tilde[n], hs[n], W1, W2, v) for n in range(N)])
np.allclose(additive_score(h_tilde, hs, W1, W2, v), e_loop)

# %% [markdown]
# One more look at length. tanh stays between −1 and 1, so an additive score can never leave the range from −Σ|v| to Σ|v|. Take the plane
# of section 2 again, W₁ and W₂ that change nothing, v = (1, 1), and lengthen h_3 as before. Does it still steal the win?

# %%
q, same, ones = arrow(30), np.eye(2), np.ones(2)
for factor in [1, 2, 4, 8]:
    longer = plane.copy()
    longer[2] *= factor
    e = additive_score_one(q, longer, same, same, ones)
    print(f"h_3 times {factor}: e = {e.round(2)}   h_{e.argmax() + 1} wins")

# %% [markdown]
# Not here: h_3's score can't pass 2, however long it grows, and with these weights it stays behind. At eight times the length,
# the first number in its tanh is below 0, near −1 when bent, and the second far above, bent to +1: together about 0. With other weights it may win. The bound holds for
# all of them.
#
# ### See it move
#
# The same plane, with your functions behind the sliders (where they can't run, a picture stands in their place). **Predict** before each: turn h̃ through a whole circle under the dot score: which
# states win at some angle? Halve the length of h̃: who wins now? Lengthen h_3 until it steals the win, then switch to the additive score. And there, make the first number of v negative:
# what does h̃'s direction mean now?

# %%
explore_scores(dot_score_one, additive_score_one, plane)

# %% [markdown]
# Under the dot score the length of h̃ changes all scores by the same factor, so never the winner; under the additive score it can change the winner too, because tanh bends.
#
# **On the forward track you are done with the exercises.** Skip to *Check yourself*.

# %% [markdown]
# ## 5. Backwards (full track)
#
# To learn, the network has to know: if a score should rise a little, how should h̃, the h_i and the weights change? From the loss arrives
# `de`, one number per score, with the same shape as `e`. You send it on.
#
# ### By hand
#
# T = 2, H = 2. For the dot score, `e_i = h̃_1 h_{i,1} + h̃_2 h_{i,2}`. Each number of h̃ is used once in *every* score, so its gradient **adds up** over the
# words; each h_i is used in one score only:
#
# > `dh̃ = Σ_i de_i h_i` and `dh_i = de_i h̃`
#
# With h̃ = (1, 2), h_1 = (3, 0), h_2 = (1, 1) and de = (1, −2), fill the blanks on paper:
#
# | by hand | result |
# |---|---|
# | dh̃ = 1 · (3, 0) + (−2) · (1, 1) | = ( __ , __ ) |
# | dh_1 = 1 · (1, 2) | = ( __ , __ ) |
# | dh_2 = −2 · (1, 2) | = ( __ , __ ) |
#
# <details><summary>Compare</summary>
#
# dh̃ = (1, −2), dh_1 = (1, 2), dh_2 = (−2, −4).
#
# </details>
#
# Don't believe it, nudge it: move one number of h̃ by a little and see how much `Σ_i de_i e_i` moves.

# %%
h_tilde, hs, de = np.array([1.0, 2.0]), np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([1.0, -2.0])
nudge = 1e-6
for k in range(2):
    up, down = h_tilde.copy(), h_tilde.copy()
    up[k] += nudge
    down[k] -= nudge
    slope = (de @ dot_score_one(up, hs) - de @ dot_score_one(down, hs)) / (2 * nudge)
    print(f"dh̃_{k + 1} = {slope:.4f}")

# %% [markdown]
# ### Exercise: `dot_score_backward`
#
# For a batch now.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Both lines of the equation are products of `de` with something. Which of the two adds up over the words?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `de[:, :, None]` is (N, T, 1), `hs` is (N, T, H), `h_tilde[:, None, :]` is (N, 1, H). You need dh_tilde (N, H) and dhs (N, T, H).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dh_tilde = (de[:, :, None] * ____).sum(axis=____)`, then `dhs = de[:, :, None] * ____`
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def dot_score_backward(de, h_tilde, hs):
    """The gradients of e_{n,i} = h̃_nᵀ h_{n,i}.

    dh̃ = Σ_i de_i h_i,   dh_i = de_i h̃

    Parameters
    ----------
    de : (N, T) float
        The gradient that arrives at the scores.
    h_tilde : (N, H) float
    hs : (N, T, H) float

    Returns
    -------
    dh_tilde : (N, H) float
    dhs : (N, T, H) float
    """
    # 1. dh_tilde: every word sends something back   2. dhs: each word gets its own
    ### BEGIN SOLUTION
    dh_tilde = (de[:, :, None] * hs).sum(axis=1)
    dhs = de[:, :, None] * h_tilde[:, None, :]
    return dh_tilde, dhs
    ### END SOLUTION


# %%
dot_score_backward = check("dot_score_backward")

# %% [markdown]
# ### The additive score backwards
#
# Go back through the equation from the outside to the inside. Call what the tanh gives s. From here on vectors are rows, as in the code: W₁ h̃ is `h̃ W₁`.
#
# | forward | backward | why |
# |---|---|---|
# | `e_i = vᵀ s_i` | `dv = Σ de_i s_i`, and `de_i v` arrives at s_i | v is shared by all words and sentences: add up |
# | `s_i = tanh(z_i)` | `dz_i = de_i v (1 − s_i²)` | the slope of tanh is 1 − tanh² |
# | `z_i = h̃ W₁ + h_i W₂` | dz_i goes to both | a sum passes its gradient on to each part |
# | `h̃ W₁`, once for all words | `Σ_i dz_i` arrives here | used T times: add up |
# | `h_i W₂`, each word its own | dz_i arrives here | used once |
#
# The last two are linear layers, and you know their gradients from notebook 01: for y = x W, dx = dy Wᵀ and dW = xᵀ dy.
#
# By hand, T = 2, H = 1, A = 1: h̃ = 0, h = (0, 1), W₁ = W₂ = v = 1, de = (1, 1). Then s = (tanh 0, tanh 1) = (0, 0.76). Fill in:
#
# | by hand | result |
# |---|---|
# | dz_1 = 1 · 1 · (1 − 0²) | = __ |
# | dz_2 = 1 · 1 · (1 − 0.76²) | = __ |
# | dh̃ = (dz_1 + dz_2) · W₁ | = __ |
# | dv = 1 · 0 + 1 · 0.76 | = __ |
#
# <details><summary>Compare</summary>
#
# dz_1 = 1, dz_2 = 0.42, dh̃ = 1.42, dv = 0.76.
#
# </details>
#
# ### Exercise: `additive_score_backward`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Compute s and dz first: both are (N, T, A). Then let five short lines follow, one for each result. W₁ met h̃ once per sentence, W₂ met every h_i.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `dz = de[:, :, None] * v * (1 - s**2)` is (N, T, A). Summed over the words, `dquery` is (N, A). `dW2` and `dv` sum over both N and T, so all words of all sentences may stand
# below each other: `hs.reshape(-1, H)` is (N · T, H), and `de.ravel()` is (N · T,). Take the sizes from the arguments: H is `len(W2)`, A is `len(v)`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dquery = dz.sum(axis=____)`, `dh_tilde = dquery @ ____`, `dhs = dz @ ____`, `dW1 = ____ @ dquery`,
# `dW2 = hs.reshape(-1, ____).T @ dz.reshape(-1, ____)`, `dv = de.ravel() @ ____`
#
# </details>
#
# [The solution](../solutions/02_scores.ipynb), for when you have tried.


# %%
def additive_score_backward(de, h_tilde, hs, W1, W2, v):
    """The gradients of e_{n,i} = vᵀ tanh(W₁ h̃_n + W₂ h_{n,i}).

    Rows, as in the code: z = h̃ W₁ + h_i W₂, s = tanh(z), dz = de_i v (1 − s²):
    dh̃ = Σ_i dz W₁ᵀ,   dh_i = dz W₂ᵀ,   dW₁ = Σ h̃ᵀ dz,   dW₂ = Σ h_iᵀ dz,   dv = Σ de_i s

    Parameters
    ----------
    de : (N, T) float
        The gradient that arrives at the scores.
    h_tilde : (N, H) float
    hs : (N, T, H) float
    W1 : (H, A) float
    W2 : (H, A) float
    v : (A,) float

    Returns
    -------
    dh_tilde : (N, H) float
    dhs : (N, T, H) float
    dW1 : (H, A) float
    dW2 : (H, A) float
    dv : (A,) float
    """
    # 1. s, then dz   2. through W1: what all T words send back to h_tilde   3. through W2, word by word   4. dv
    ### BEGIN SOLUTION
    s = np.tanh((h_tilde @ W1)[:, None, :] + hs @ W2)  # (N, T, A)
    dz = de[:, :, None] * v * (1 - s**2)  # (N, T, A)
    dquery = dz.sum(axis=1)  # (N, A)      h̃ served all T words
    dh_tilde = dquery @ W1.T
    dhs = dz @ W2.T
    dW1 = h_tilde.T @ dquery
    dW2 = hs.reshape(-1, len(W2)).T @ dz.reshape(-1, len(v))  # all words of all sentences as rows
    dv = de.ravel() @ s.reshape(-1, len(v))
    return dh_tilde, dhs, dW1, dW2, dv
    ### END SOLUTION


# %%
additive_score_backward = check("additive_score_backward")

# %% [markdown]
# Remember where `dhs` came from: the *comparison*. In notebook 04 a second path will reach hs, through the weighted sum, and the two have to be added.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** h̃ = (2, −1) and h_i = (0.5, 3). What is the dot score?
#
# <details><summary>Your number, then open</summary>
#
# 2 · 0.5 + (−1) · 3 = **−2**. If you have 4, the minus sign got lost; if you have (1, −3), the adding up is missing.
#
# </details>
#
# **2.** A score is 0. What does that say about the word?
#
# <details><summary>(a) It is ignored.</summary>
#
# No. 0 is a score like any other: if all others are below 0, this word even fits best.
#
# </details>
# <details><summary>(b) Nothing by itself: it has to be compared with the other scores.</summary>
#
# Yes. Only the differences to the other scores will matter, as notebook 03 shows.
#
# </details>
# <details><summary>(c) It is padding.</summary>
#
# No. Padding is marked by `keep`, never by a score. Notebook 03 takes care of it.
#
# </details>
#
# **3.** Every h_i is doubled. What happens under the dot score?
#
# <details><summary>(a) Nothing.</summary>
#
# No. Length counts: every e_i doubles too.
#
# </details>
# <details><summary>(b) The ranking may flip.</summary>
#
# No. It flipped in section 2 because *one* state grew. If all grow by the same positive factor, the order stays.
#
# </details>
# <details><summary>(c) The ranking stays, and the gaps between scores double.</summary>
#
# Yes. After the softmax, the winner then gets a larger share (if there is a single winner).
#
# </details>
#
# **4.** In "we meet on tuesday", read here as four words and not as characters, what is h_4?
#
# <details><summary>(a) The vector of "tuesday".</summary>
#
# No. That is its embedding, which is the same in every sentence.
#
# </details>
# <details><summary>(b) The encoder's state after reading "we meet on tuesday".</summary>
#
# Yes. A high score for h_4 therefore doesn't prove that "tuesday" alone was wanted.
#
# </details>
# <details><summary>(c) A state that somebody has marked as important.</summary>
#
# No. Nobody marks anything. Scores are computed, and what they are computed from is learned.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/02_scores.ipynb).

# %% [markdown]
# ### Question 1
#
# h̃ = (1, 1), and the states are h_1 = (1, 1), h_2 = (3, 0) and h_3 = (−1, 1). "The dot score says how similar two vectors are," says a friend, "so a
# state that equals h̃ has the highest score." Work out the three scores, and say what the friend overlooks. How could the score be changed so that
# direction alone decides who wins, and what would be lost?

# %% [markdown]
# **A good answer.** The scores are 2, 3 and 0. h_2 wins, although h_1 *is* h̃ and h_2 points 45° away from it: `e_i = |h̃| · |h_i| · cos(angle)`, so
# length counts as well, and h_2 is 3 long, h_1 only 1.41. Divide each score by the length of its state, and they are 1.41, 1 and 0: now h_1 wins.
# What is lost: a state can no longer use its length to say "I matter, to all who ask in my direction". (The 0 of h_3 means a right angle. It is the
# lowest of these three scores, and not a mark for "ignored".)

# %% [markdown]
# ### Question 2
#
# To save time, somebody leaves out the tanh of the additive score: `e_i = vᵀ (W₁ h̃ + W₂ h_i)`. What happens to the ranking of the words when h̃
# changes? Show it by the equation, then by the W₁, W₂, v and the three states of section 4. What would it mean for a decoder?

# %% [markdown]
# **A good answer.** Written out, `e_i = vᵀ W₁ h̃ + vᵀ W₂ h_i`. The first part is the same for all words: h̃ adds one number to all scores, so the
# ranking never changes, nor do the gaps. In section 4, vᵀ W₂ h_i is h_i − h_i = 0 and vᵀ W₁ h̃ is 2 h̃, so all three words draw, whatever h̃ is. Such
# a decoder would prefer the same words at every step, no matter what it needs: it has a memory and can't ask. It is the tanh that lets the two act
# together: how much h_i changes the score depends on where h̃ has moved it along the curve.

# %% [markdown]
# ### Question 3
#
# For `dot_score`, somebody writes `(h_tilde * hs).sum(axis=2)`. With N = T = 4 there is no error, and the shape is (4, 4). Which h̃ has met which
# state here, and which of the 16 scores are right? With N = 1 and T = 4 the result even agrees with the loop. Why? And which test shows the mistake?

# %% [markdown]
# **A good answer.** NumPy aligns from the right, so (N, H) lies under the axes (T, H) of `hs`. The score at [n, i] is h̃ of sentence *i* times
# h_{n,i}: word i meets the h̃ of sentence number i, and not that of its own sentence. Only the 4 scores with n = i are right, those on the diagonal. With
# N = 1 there is only one h̃, and broadcasting repeats it for all words, which is just what is wanted. N ≠ T, both above 1, raises an error; with N = T one has
# to compare the *numbers* with the loop, for the shape looks right. One example, and a small one, proves little.

# %% [markdown]
# ## What we have now
#
# One number for every input word, at every decoder step, from two kinds of comparison: as they are (dot), or after learned transforms (additive).
#
# What is missing: scores can be any numbers. −2, 0.3 and 17 are not shares of anything. How much of each h_i should the decoder take?
# [Notebook 03](03_softmax.ipynb) turns scores into weights that sum to 1, and meets padding, which must get exactly none.

# %% tags=["nbval-ignore-output"]
progress()
