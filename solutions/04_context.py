# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 04 · Context: how does the decoder take what it needs?
#
# h̃ → scores → weights → **context** → h^final → next word
#
# **You will build** the context vector, the weighted sum of the encoder's states, for one sentence and for a batch; then `attention`,
# which puts the stages so far together. On the full track, their gradients too. At the end, attention learns where to look while nobody tells it.
#
# **You need** [notebook 03](03_softmax.ipynb), or only this much of it: comparing the decoder's state h̃ with every encoder state gives scores, and a softmax
# turns them into weights that sum to 1, with exactly 0 at padding. And NumPy's `@`, `sum` and broadcasting.
#
# **Minutes** about 45 on the forward track (sections 1 to 4, and 6), about 80 on the full track (section 5 as well).

# %%
import numpy as np

from utils.checks import check, progress
from utils.own import own_stages
from utils.plots import attention_map, context_plane, flow, learned_matrix, rising_weight, side_by_side
from utils.widgets import explore_context

# %% [markdown]
# You are here: the attention weights come in, and the decoder takes its context vector c from `hs`.

# %%
flow("context")

# %% [markdown]
# This stage stands on stages 2 and 3. Here are their functions: yours where they have passed their checks, else the course's. The cell says which.

# %% tags=["nbval-ignore-output"]
earlier = own_stages(["dot_score_one", "dot_score", "softmax_one", "softmax", "masked_softmax"])
dot_score_one, dot_score = earlier.dot_score_one, earlier.dot_score
softmax_one, softmax, masked_softmax = earlier.softmax_one, earlier.softmax, earlier.masked_softmax

# %% [markdown]
# ## The letters
#
# | equation | code | shape, one sentence | shape, a batch | what it is |
# |---|---|---|---|---|
# | h̃ | `h_tilde` | (H,) | (N, H) | the decoder's provisional state, at one step |
# | h_1 … h_T | `hs` | (T, H) | (N, T, H) | the encoder's states |
# | e_1 … e_T | `e` | (T,) | (N, T) | the scores |
# | a_1 … a_T | `a` | (T,) | (N, T) | the attention weights: each from 0 to 1, their sum is 1 |
# | c | `c` | (H,) | (N, H) | the context vector |
# | – | `keep` | – | (N, T) | True at real words, False at padding |
#
# N sentences in a batch, T input words, H numbers in a state. In the papers: Bahdanau et al. (2015) call the context c_i and the weights α; Luong et al. (2015) say c_t and a_t;
# we leave the t out. The weighted sum is the same in both. ᵀ as in the papers: dcᵀ h_i is a dot product.

# %% [markdown]
# ## The question that is open
#
# You know how much each input word matters *now*: one weight per word. But weights are only shares. The decoder can't write a word from
# "57% of the third": it needs what the third state *holds*, in a vector of a fixed size, however long the sentence is.
#
# Picking the state with the largest weight would be one answer. It throws the rest away, and it has a second fault: nudge a score a little, and nearly always the same state
# gets picked. Such a change would change nothing, so training would have no clue which way to move the scores. There is a softer way.

# %% [markdown]
# ## 1. The weighted sum, by hand
#
# Take some of every state, as much as its weight says, and add up:
#
# > `c = Σ_i a_i h_i`
#
# An example that you can follow on paper through three stages. Let h̃ = (ln 2, 0), and let the states be h_1 = (0, 7), h_2 = (1, 0), h_3 = (2, 7).
#
# | stage | by hand | result |
# |---|---|---|
# | 2, scores | dot: ln 2 · (first number of h_i) + 0 · (second) | 0, ln 2, 2 ln 2 |
# | 3, exp of the scores | exp(ln 2) = 2, and exp(2 ln 2) = 2² | 1, 2, 4 |
# | 3, weights | divide by 1 + 2 + 4 | 1/7, 2/7, 4/7 |
#
# **Before you run on**: work out c. Its first number is 1/7 · 0 + 2/7 · 1 + 4/7 · 2.

# %%
h_tilde = np.array([np.log(2), 0.0])
hs = np.array([[0.0, 7.0], [1.0, 0.0], [2.0, 7.0]])
a = softmax_one(dot_score_one(h_tilde, hs))
(a * 7).round(3)  # in sevenths

# %%
for k in range(2):
    parts = " + ".join(f"{7 * a[i]:.0f}/7 · {hs[i, k]:.0f}" for i in range(3))
    print(f"c_{k + 1} = {parts} = {sum(a[i] * hs[i, k] for i in range(3)):.3f}")

# %% [markdown]
# So c = (10/7, 5). **Every position contributes, the relevant ones most**: h_3 has more than half of the say, and h_1 and h_2 are heard as well.
#
# The loop, as the specification:


# %%
def context_loop(a, hs):
    T, H = hs.shape
    c = np.zeros(H)
    for i in range(T):
        for k in range(H):
            c[k] += a[i] * hs[i, k]
    return c


context_loop(a, hs).round(3)

# %% [markdown]
# ### Exercise: `context_one`
#
# The same without a loop. Use the weights as they are given: making them sum to 1 was stage 3's work, and is done.
#
# <details><summary>Hint 1: a nudge</summary>
#
# `@` multiplies and adds up. In the scores it added up over H. Here the T words have to disappear.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `a` is (T,) and `hs` is (T, H). Side by side, in which order do the two T meet? The result has to be (H,).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return ____ @ ____`, with the two arguments in the right order.
#
# </details>
#
# [The solution](../solutions/04_context.ipynb), for when you have tried.


# %%
def context_one(a, hs):
    """The context vector of one sentence.

    c = Σ_i a_i h_i

    Parameters
    ----------
    a : (T,) float
        Attention weights, used as given.
    hs : (T, H) float
        Encoder states.

    Returns
    -------
    (H,) float

    Source: Bahdanau, Cho and Bengio (2015), equation 5.
    """
    # 1. multiply every row of hs by its weight   2. add up the rows
    ### BEGIN SOLUTION
    return a @ hs
    ### END SOLUTION


# %%
context_one = check("context_one")

# %% [markdown]
# Two special cases are worth knowing. What is c when all weights are equal? And when one weight is 1 and the others are 0? Say it in words, then run.

# %%
print("equal weights:  ", context_one(np.array([1, 1, 1]) / 3, hs).round(2))
print("the mean state: ", hs.mean(axis=0).round(2))
print("one-hot weights:", context_one(np.array([0.0, 1.0, 0.0]), hs))

# %% [markdown]
# Equal weights give the mean of all states. One-hot weights, a single 1 among 0s, pick one state. Attention lives between the two: it can blur, and it can point.

# %% [markdown]
# ## 2. Where c lies
#
# The three states are points in the plane; stretch a rubber band around them and you get a triangle. **Predict**: where does c = (10/7, 5) lie? On a corner, on an
# edge, inside, outside?

# %%
c = context_one(a, hs)
context_plane([a], hs, [c], "Three states, and the context between them")

# %% [markdown]
# Inside. Weights that are at least 0 and sum to 1 can never lead out of the rubber band. The shape that it encloses is called the **convex hull** of the states.
#
# Look once more at where it lies: c is *no word's state*. No h_i equals (10/7, 5). In general c is a mixture that the encoder never computed for any word.
#
# Now the question gets louder: h̃ = (s · ln 2, 0), with s from 0 upward. At s = 1 you have the example. **Predict** two points: where is c at s = 0, and where does it go as s grows?

# %%
direction = np.array([np.log(2), 0.0])
many = np.array([softmax_one(dot_score_one(s * direction, hs)) for s in [0, 0.5, 1, 2, 3, 5, 8]])  # (7, T)
context_plane(many, hs, [context_one(row, hs) for row in many], "A question that gets louder")

# %% [markdown]
# At s = 0 every score is 0 and c is the mean of the states. As s grows, the weights sharpen (the low temperature of notebook 03) and c moves to h_3. The states
# haven't moved at all. Put `np.array([0.0, -0.5])` in as the direction: to which corner does c go now?
#
# <details><summary>Compare</summary>
#
# To h_2: −0.5 times the second number gives the scores −3.5, 0 and −3.5, and h_2 wins.
#
# </details>
#
# ### See it move
#
# The same three states, with your `context_one` behind the sliders (where they can't run, a picture stands in their place). You give each state a share, and the shares are divided by their sum:
# 1, 2 and 4 are the weights of the example. The thick arrows are the parts `a_i h_i`, one after the other from (0, 0), and where the last one ends is c. **Predict** before each:
#
# - Double all three shares, to 2, 4 and 8. Where does c go?
# - Set one share to 0, then a second one. Where is c each time? And is there any choice of shares that gets it out of the hull?
# - Go back to 1, 2 and 4, and move h_3 up by 2. Does c move up by 2, by more or by less? And if you move h_1 instead?

# %%
explore_context(context_one)

# %% [markdown]
# Doubled shares are the same weights, so c stays. One 0 puts it on the line between the two other states, a second 0 on the state that is left, and out of the hull it never gets unless all three shares are 0: then nothing is
# taken, and c is (0, 0). A state that moves takes c along in the same direction, `a_i` times as far: h_3 by 4/7 · 2 = 1.14, h_1 by only 1/7 · 2 = 0.29. The larger the weight of a state, the harder it pulls.

# %% [markdown]
# ## 3. A whole batch
#
# N sentences, each with its own weights and its own states. Sentence by sentence:

# %%
rng = np.random.RandomState(0)
N, T = 3, 5
a_batch, hs_batch = softmax(rng.randn(N, T)), rng.randn(N, T, 4)  # (N, T), (N, T, H)

c_loop = np.stack([context_loop(a_batch[n], hs_batch[n]) for n in range(N)])
c_loop.shape

# %% [markdown]
# To do it at once, line up the shapes. For one sentence, `a @ hs` multiplies (T,) by (T, H). `@` also multiplies two stacks of matrices, pair by pair: the last two axes are the
# matrix, and the axis before them counts the matrices. `hs_batch` (N, T, H) is such a stack. `a_batch` (N, T) would be taken for *one* matrix, and every sentence's states summed
# with everybody's weights. So the weights of each sentence have to become a matrix, of one row. Where does the new axis go, and what comes out? Predict both shapes, then run.

# %%
print(a_batch[:, None, :].shape, (a_batch[:, None, :] @ hs_batch).shape)

# %% [markdown]
# ### Exercise: `context`
#
# <details><summary>Hint 1: a nudge</summary>
#
# `@` multiplies, and adds up over the words. Which axis is left over?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, 1, T) @ (N, T, H) gives (N, 1, H). You need (N, H). Or multiply and add up yourself, as in `dot_score`: `a[:, :, None]` is (N, T, 1), times `hs` it is
# (N, T, H), and the words' axis has to go. That is right too, and takes longer: all N · T · H products are written down first.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return (a[____] @ hs)[____]`
#
# </details>
#
# [The solution](../solutions/04_context.ipynb), for when you have tried.


# %%
def context(a, hs):
    """The context vectors of a batch.

    c_n = Σ_i a_{n,i} h_{n,i}

    Parameters
    ----------
    a : (N, T) float
        Attention weights, used as given.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, H) float

    Source: Bahdanau, Cho and Bengio (2015), equation 5.
    """
    # 1. each sentence's weights as a matrix of one row   2. times its states   3. without the axis of length 1
    ### BEGIN SOLUTION
    return (a[:, None, :] @ hs)[:, 0]
    ### END SOLUTION


# %%
context = check("context")

# %% [markdown]
# Loop and vectorised form must agree.

# %%
np.allclose(context(a_batch, hs_batch), c_loop)

# %% [markdown]
# ## 4. Attention: stages 2 to 4 in one
#
# Compare, turn into weights, sum up. Three lines, and you know each of them. Together they are what is called **attention**: a state asks, a memory answers
# with one vector.
#
# ### Exercise: `attention`
#
# With the dot score, and with padding left out. It returns c, and the weights a as well, because you want to look at them.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Call your functions of three notebooks in the order of the flow line at the top. Which softmax knows about `keep`?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# Scores (N, T), weights (N, T), context (N, H). The score needs h_tilde and hs, the context needs the weights and hs.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `e = dot_score(____)`, then `a = ____(e, keep)`, then `c = context(____)`. Return c first.
#
# </details>
#
# [The solution](../solutions/04_context.ipynb), for when you have tried.


# %%
def attention(h_tilde, hs, keep):
    """Stages 2 to 4 in one: dot score, masked softmax, context.

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.

    Returns
    -------
    c : (N, H) float
        Context vectors; 0 where nothing is kept.
    a : (N, T) float
        Attention weights.
    """
    # 1. scores   2. weights, padding left out   3. the weighted sum
    ### BEGIN SOLUTION
    e = dot_score(h_tilde, hs)  # (N, T)
    a = masked_softmax(e, keep)  # (N, T)
    c = context(a, hs)  # (N, H)
    return c, a
    ### END SOLUTION


# %%
attention = check("attention")

# %% [markdown]
# Now ask it things. Two sentences, one of four words and one of two; the second is padded.

# %%
rng = np.random.RandomState(6)
query, memory = rng.randn(2, 3), 0.5 * rng.randn(2, 4, 3)  # in the roles of h̃ (N, H) and hs (N, T, H)
keep = np.array([[True, True, True, True], [True, True, False, False]])

taken, where = attention(query, memory, keep)  # c (N, H), a (N, T)
print(where.round(2))

# %% [markdown]
# **Does padding leak?** Write 1000 into every number of the padded states. c must not move.

# %%
dirty = memory.copy()
dirty[~keep] = 1000.0
np.allclose(attention(query, dirty, keep)[0], taken)

# %% [markdown]
# A mask that is computed and then forgotten makes nothing crash. This test finds it.
#
# **Nothing to keep?** Then there are no weights to give, and c is 0: no answer rather than `nan`, not a number.

# %%
nothing = np.zeros((2, 4), dtype=bool)
np.allclose(attention(query, memory, nothing)[0], 0)

# %% [markdown]
# ### Does attention know the order of the words?
#
# Shuffle the words: the same shuffle for `hs` and `keep`. **Predict**: what happens to c, and what to a?

# %%
order = [2, 0, 3, 1]
shuffled_c, shuffled_a = attention(query, memory[:, order], keep[:, order])
print("c stays the same:    ", np.allclose(shuffled_c, taken))
print("a is shuffled along: ", np.allclose(shuffled_a, where[:, order]))

# %% [markdown]
# c stays. A sum doesn't care about the order of its terms, and no score looks at its neighbours. **Attention itself knows no order.**
#
# In our model, word order does reach the decoder: it is *in* the h_i, because an RNN read the words one after another. In general, h_3 is another state when words 1 and 2 trade places. A
# Transformer has no RNN, and therefore is told the positions in another way; the original adds them to its inputs.
#
# ### What a weight doesn't say
#
# Weights look like explanations. Here is a reason to be careful: h_1 and h_2 are the same. Give first one, then the other most of the weight.

# %%
twins = np.array([[0.0, 7.0], [0.0, 7.0], [2.0, 7.0]])
for given in [(0.8, 0.1, 0.1), (0.1, 0.8, 0.1)]:
    print(given, "→ c =", context_one(np.array(given), twins).round(2))

# %% [markdown]
# Two different maps and the same c, so everything after it is the same too. In real models states are seldom equal, but they overlap: h_i holds what was read up to
# word i, and neighbours hold much of the same. **A high weight says where c was taken from. It doesn't prove that this word caused the answer.** To find causes you have to
# change something and look at what comes out. Notebook 06 does so.
#
# **On the forward track you are done with the exercises.** Skip section 5, but don't miss section 6.

# %% [markdown]
# ## 5. Backwards (full track)
#
# From the rest of the network arrives `dc`: if c moved a little, how would the loss move? You send it on to the weights and to the states.
#
# ### By hand
#
# T = 2, H = 2. The sum `c = a_1 h_1 + a_2 h_2` is linear in the weights and linear in the states, so each gets dc times the other:
#
# > `da_i = dcᵀ h_i` and `dh_i = a_i dc`
#
# The first of them is a dot score once more. dc points to where the loss rises, and da_i says how well h_i fits that direction: more weight on a state that points
# the other way makes the loss fall. With a = (1/2, 1/2), h_1 = (3, 0), h_2 = (1, 1)
# and dc = (1, −2), fill the blanks on paper:
#
# | by hand | result |
# |---|---|
# | da_1 = 1 · 3 + (−2) · 0 | = __ |
# | da_2 = 1 · 1 + (−2) · 1 | = __ |
# | dh_1 = 1/2 · (1, −2) | = ( __ , __ ) |
# | dh_2 = 1/2 · (1, −2) | = ( __ , __ ) |
#
# <details><summary>Compare</summary>
#
# da = (3, −1), dh_1 = (0.5, −1), dh_2 = (0.5, −1).
#
# </details>
#
# Nudge it: move one weight by a little, and see how much `dcᵀ c` moves. (The weights then no longer sum to 1. That doesn't matter here: keeping the sum is the softmax's business,
# and its own backward takes care of it.)

# %%
half, pair, dc = np.array([0.5, 0.5]), np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([1.0, -2.0])  # a, hs, dc
nudge = 1e-6
for i in range(2):
    step = nudge * np.eye(2)[i]  # moves number i only
    slope = (dc @ context_one(half + step, pair) - dc @ context_one(half - step, pair)) / (2 * nudge)
    print(f"da_{i + 1} = {slope:.3f}")

# %% [markdown]
# ### Exercise: `context_backward`
#
# For a batch.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Both lines multiply dc with something. Which of the two adds up, and over which axis: the words, or the numbers of a state?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# For da (N, T): `dc[:, :, None]` is (N, H, 1), a matrix of one column for each sentence, and `hs` is (N, T, H). For dhs (N, T, H): `dc[:, None, :]` is (N, 1, H), the
# same dc for all words, and `a[:, :, None]` is (N, T, 1).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `da = (hs @ dc[____])[____]`, then `dhs = ____ * dc[____]`
#
# </details>
#
# [The solution](../solutions/04_context.ipynb), for when you have tried.


# %%
def context_backward(dc, a, hs):
    """The gradients of c_n = Σ_i a_{n,i} h_{n,i}.

    da_i = dcᵀ h_i,   dh_i = a_i dc

    Parameters
    ----------
    dc : (N, H) float
        The gradient that arrives at the context.
    a : (N, T) float
    hs : (N, T, H) float

    Returns
    -------
    da : (N, T) float
    dhs : (N, T, H) float
    """
    # 1. da: how well does each state fit dc?   2. dhs: each state gets dc by its weight
    ### BEGIN SOLUTION
    da = (hs @ dc[:, :, None])[:, :, 0]
    dhs = a[:, :, None] * dc[:, None, :]
    return da, dhs
    ### END SOLUTION


# %%
context_backward = check("context_backward")

# %% [markdown]
# ### Where two gradients meet in hs
#
# Look at what hs is used for:
#
# ```text
#              h̃ ──┐
#                  ▼
#       ┌──────► score ──► softmax ──┐
#  hs ──┤                            ▼
#       └───────────────────────► context ──► c
# ```
#
# hs is used **twice**: it is *compared* in the score, and it is *summed* in the context. What is used twice receives the gradients of both uses, added up (the primer in notebook 01). So
# far you have the lower path only. The upper one goes back from c to the weights, through the softmax to the scores, and from there to hs.
#
# The same numbers again, and now with h̃ = (1, 2). Both scores are 3, therefore both weights 1/2, as before. Go on from da = (3, −1):
#
# | by hand | result |
# |---|---|
# | softmax: Σ_j a_j da_j = 1/2 · 3 + 1/2 · (−1) | = __ |
# | de_1 = 1/2 · (3 − 1) and de_2 = 1/2 · (−1 − 1) | = __ and __ |
# | score path: de_1 h̃ and de_2 h̃ | = ( __ , __ ) and ( __ , __ ) |
# | context path, from above | = (0.5, −1) and (0.5, −1) |
# | dh_1 and dh_2, both paths | = ( __ , __ ) and ( __ , __ ) |
#
# <details><summary>Compare</summary>
#
# The mean is 1; de = (1, −1). Score path: (1, 2) and (−1, −2). Together: dh_1 = (1.5, 1) and dh_2 = (−0.5, −3).
#
# </details>
#
# Now by the functions. First the two that stages 2 and 3 have for the way back:

# %% tags=["nbval-ignore-output"]
backwards = own_stages(["dot_score_backward", "softmax_backward"])
dot_score_backward, softmax_backward = backwards.dot_score_backward, backwards.softmax_backward

# %% [markdown]
# The context path needs one call, the score path two more:

# %%
q = np.array([1.0, 2.0])  # h̃
# [None] makes a batch of one
dhalf, by_context = context_backward(dc[None], half[None], pair[None])
dscores = softmax_backward(dhalf, half[None])
_, by_score = dot_score_backward(dscores, q[None], pair[None])

# %% [markdown]
# **Predict** before you run: when one number of hs is nudged and everything is computed afresh, which column will agree? The context path, the score path, or
# their sum?


# %%
def outcome(states):  # dcᵀ c, through all three stages
    return dc @ context_one(softmax_one(dot_score_one(q, states)), states)


print("          context path  score path     both   nudged")
for i in range(2):
    for k in range(2):
        step = np.zeros((2, 2))
        step[i, k] = nudge
        nudged = (outcome(pair + step) - outcome(pair - step)) / (2 * nudge)
        one, other = by_context[0][i][k], by_score[0][i][k]
        print(f"dh_{i + 1},{k + 1}   {one:12.3f}  {other:10.3f} {one + other:8.3f} {nudged:8.3f}")

# %% [markdown]
# Only the sum agrees. In the second and third row the context path alone even has the wrong sign: forget a path, and you walk the wrong
# way there. Nothing crashes, the shapes are right and the loss may still fall. That is why gradients get checked by nudging.
#
# h̃, on the other hand, is used in the score only. Its whole gradient from c comes through the softmax: when the weights are saturated, little of it arrives.

# %% [markdown]
# ### Exercise: `attention_backward`
#
# *Optional, the summit.* A decoder asks U times, with another h̃ at every step, and always the same hs. So hs is used 2 · U times, and dhs gathers both paths of
# every step. `dC` and `H_tilde` hold all steps, (N, U, H). Dot scores, no padding.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one step t you have done it above: forward to the weights, then context, softmax and score backwards. Each step has an h̃ gradient of its own, to be collected; the
# two gradients of hs are added to what the steps before have sent.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `H_tilde[:, t]` and `dC[:, t]` are (N, H): a step of a batch, as your functions want it. dhs starts as zeros, (N, T, H). U arrays (N, H) become (N, U, H) by
# `np.stack(…, axis=1)`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# In a loop over t: `a = softmax(____)`, `da, dhs_context = context_backward(____, a, hs)`, `de = ____(da, a)`,
# `dh_tilde, dhs_score = dot_score_backward(de, ____, hs)`; then append dh_tilde, and `dhs = dhs + ____ + ____`
#
# </details>
#
# [The solution](../solutions/04_context.ipynb), for when you have tried.


# %%
def attention_backward(dC, H_tilde, hs):
    """The gradients of dot attention over all U decoder steps, without padding.

    At every step hs is reached by two paths, as what is summed (context) and as what is compared
    (score); dhs gathers both, from every step.

    Parameters
    ----------
    dC : (N, U, H) float
        The gradients that arrive at the context vectors.
    H_tilde : (N, U, H) float
        Provisional states.
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    dH_tilde : (N, U, H) float
    dhs : (N, T, H) float
    """
    # 1. for every step: the weights again   2. context, softmax, score backwards   3. collect dh_tilde, add both dhs
    ### BEGIN SOLUTION
    dH_tilde = []
    dhs = np.zeros(hs.shape)
    for t in range(dC.shape[1]):
        a = softmax(dot_score(H_tilde[:, t], hs))
        da, dhs_context = context_backward(dC[:, t], a, hs)
        de = softmax_backward(da, a)
        dh_tilde, dhs_score = dot_score_backward(de, H_tilde[:, t], hs)
        dH_tilde.append(dh_tilde)
        dhs = dhs + dhs_context + dhs_score
    return np.stack(dH_tilde, axis=1), dhs
    ### END SOLUTION


# %%
attention_backward = check("attention_backward")

# %% [markdown]
# ## 6. Attention emerges (both tracks)
#
# So far you have been told that the weights "are learned". Now watch it happen, with nothing around that could help: no RNN, no words, no order.
#
# The game: six **items** lie on a table. Each has a random **key**, which is what it can be found by, and a random **value**, which is what it holds. (In our model each h_i plays both
# parts. Here they are two arrays, so that nothing can leak from one to the other.) A **question** names one of the six keys, and the model has to answer with that item's value.
#
# To make it harder, questions are in another language: the key's 16 numbers in a secret order, some with their sign flipped. Nobody tells the model the secret. It has one matrix
# W, (16, 16), to turn a question into a **query** that it can compare with keys, and W starts as all zeros.

# %%
H = 16
rng = np.random.RandomState(0)
secret_order, secret_sign = rng.permutation(H), rng.choice([-1.0, 1.0], size=H)


def in_secret(keys):
    return keys[..., secret_order] * secret_sign  # the last axis in another order, some signs turned


# %% [markdown]
# A batch: new items for every example. What the model gets to see are keys, values and the question. For the loss it gets the answer, a value. It never
# gets `asked`, the place where it should have looked.


# %%
def draw(rng, N):
    keys, values = rng.randn(N, 6, H), rng.randn(N, 6, H)
    asked, rows = rng.randint(6, size=N), np.arange(N)
    # [rows, asked]: from each example the item that is asked for
    return keys, values, in_secret(keys[rows, asked]), values[rows, asked], asked


for name, array in zip(["keys", "values", "question", "answer", "asked"], draw(np.random.RandomState(0), 64)):
    print(f"{name:9} {array.shape}")

# %% [markdown]
# The model is stages 2, 3 and 4, by your own functions where they have passed. The way back needs four backward functions, one for each step and `linear_backward` (notebook 01) for `question @ W`; on the forward track they are the course's. For now it is
# enough to know that each of them answers "how would the loss move if my inputs moved a little?" Those answers are **gradients**. The cell says whose function is whose.

# %% tags=["nbval-ignore-output"]
forwards = ["dot_score", "softmax", "context"]
own = own_stages([*forwards, "context_backward", "softmax_backward", "dot_score_backward", "linear_backward"])

# %% [markdown]
# One step of **gradient descent**: find out how the loss would move with each number of W, and take a small step the other way. The loss is the squared distance between c and
# the answer, averaged over the batch. Read `descend` from top to bottom: forward through the stages, then back through them in the opposite order.


# %%
def look(W, keys, question):
    return own.softmax(own.dot_score(question @ W, keys))  # (N, 6)   stages 2 and 3


def descend(W, keys, values, question, answer, rate=0.006):
    a = look(W, keys, question)
    c = own.context(a, values)  # (N, H)   stage 4
    # the loss is on the value, and on nothing else
    dc = 2 * (c - answer) / len(answer)  # the slope of a square is 2 · difference; / N for the mean
    da, _ = own.context_backward(dc, a, values)
    descores = own.softmax_backward(da, a)
    dquery, _ = own.dot_score_backward(descores, question @ W, keys)
    _, dW = own.linear_backward(dquery, question, W)  # query = question @ W
    return W - rate * dW


# %% [markdown]
# A hundred steps, a new batch of 64 for each. `[:4]` leaves `asked` out.


# %%
def train(seed, steps=100):
    rng, Ws = np.random.RandomState(seed), [np.zeros((H, H))]
    for _ in range(steps):
        Ws.append(descend(Ws[-1], *draw(rng, 64)[:4]))
    return Ws  # W after 0, 1, 2, … steps


# %% [markdown]
# To see what a W is worth, take 400 new examples and measure the mean weight on the right item. `asked` is used here, for measuring, and nowhere else.


# %%
def weight_on_right(W):
    keys, _, question, _, asked = draw(np.random.RandomState(1000), 400)
    return look(W, keys, question)[np.arange(400), asked].mean()


# %% [markdown]
# **Predict**: what is the mean weight on the right item before the first step, when W is all zeros? And where do you think it is after 100 steps?

# %%
Ws = train(seed=0)
rising_weight([weight_on_right(W) for W in Ws], chance=1 / 6)

# %% [markdown]
# It starts at 1/6: a query of zeros scores 0 with every key, all six weights are equal, and c is the mean of the values. Then it rises to over 0.9.
#
# Here is how it looks for one table of six new items, A to F. Each column is an item to read, and each row a question: in row C, the value of C is wanted. So the right
# weights lie on the diagonal. (The labels at the axes are those of translation; here nothing is written.)
# **Predict** the first of the four maps.

# %%
table = np.random.RandomState(7).randn(6, H)  # six new keys


def map_at(step):
    a = look(Ws[step], np.stack([table] * 6), in_secret(table))  # six questions to the same table
    return attention_map(a, "ABCDEF", "ABCDEF", f"After {step} steps")


side_by_side([map_at(step) for step in (0, 10, 30, 100)])

# %% [markdown]
# Nobody has drawn this diagonal. No line of `descend` says where to look, and these six keys were not in any batch. The weights came out of the data, because looking at
# the right item is what makes the *value* right.
#
# How can an error in the value teach where to look? By `da_i = dcᵀ v_i`, where dc says how the loss moves with c, da_i how it moves with weight i, and v_i is item i's value: on average da_i is lowest for the item whose value pulls c
# towards the answer. A step the other way raises that item's score compared with the rest. From the scores it goes on to the query, and from the query to W.
#
# So what did W learn? For the query to be like the key, W has to undo the secret. **Predict** what you will see: how many large entries in each row?

# %%
learned_matrix(Ws[100], "W after 100 steps")

# %%
found = np.abs(Ws[100]).argmax(axis=1)
print("the secret order was found:", (found == secret_order).all())
print("the secret signs were found:", (np.sign(Ws[100][np.arange(H), found]) == secret_sign).all())

# %% [markdown]
# One per row: where that number of the question belongs, and with which sign. W has deciphered the language of the questions, with the answers as its only teacher.
#
# Was it luck? Other examples, five times:

# %% tags=["nbval-ignore-output"]
for seed in range(5):
    print(f"seed {seed}: the mean weight on the right item is {weight_on_right(train(seed)[-1]):.3f}")

# %% [markdown]
# It was over 0.9 each time when this page was made. Whatever is missing to 1 is no mistake of yours: some random keys resemble each other, and W is still growing.
# Try other rates in `descend`, say 0.002 and 0.02, and run the section again from there.
#
# A learned matrix in front of a dot score: that is how Transformers ask, with one matrix for queries, one for keys and one for values.
# (Luong et al. call this score, `h̃ᵀ W h_i`, the *general* one.)
#
# A caution, so that you don't carry too much away: here the items are independent, and the value can reach c only through its weight. In this game a weight *is* where the answer
# comes from. In a model with an RNN, where h_i holds everything up to word i, it need not be.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** a = (0.5, 0.25, 0.25), and h_1 = (4, 0), h_2 = (0, 8), h_3 = (0, 0). What is c?
#
# <details><summary>Your numbers, then open</summary>
#
# 0.5 · (4, 0) + 0.25 · (0, 8) + 0.25 · (0, 0) = **(2, 2)**. If you have (4, 0), you picked the winner instead of mixing. If you have (2.67, 2.67), you left h_3 out and made the
# rest sum to 1: but a state of zeros takes its share too.
#
# </details>
#
# **2.** What is c?
#
# <details><summary>(a) The state of the word with the largest weight.</summary>
#
# Only if that weight is 1. Every state contributes.
#
# </details>
# <details><summary>(b) A mixture of all states, in general equal to none of them.</summary>
#
# Yes. It lies inside their hull, close to the heavy ones.
#
# </details>
# <details><summary>(c) A vector that is stored, one for each target word.</summary>
#
# No. It is computed afresh at every decoder step from h̃ and hs. Nothing about it is stored.
#
# </details>
#
# **3.** You shuffle the rows of hs, and keep in the same way. What happens?
#
# <details><summary>(a) c changes, because attention reads from left to right.</summary>
#
# No. The *encoder* reads from left to right. Attention compares and adds up, and a sum has no order.
#
# </details>
# <details><summary>(b) c and a both stay as they are.</summary>
#
# Half of it: c stays. Each weight belongs to a state and moves with it.
#
# </details>
# <details><summary>(c) c stays, and a is shuffled along.</summary>
#
# Yes. Where word order matters to the decoder, it is because the h_i themselves hold it.
#
# </details>
#
# **4.** While a trained model that rewrites dates writes the month, the weight at h_9 is 0.9. What do you know?
#
# <details><summary>(a) Nine tenths of c's weight were given to h_9.</summary>
#
# Yes, that and no more: c = 0.9 h_9 + the rest.
#
# </details>
# <details><summary>(b) Word 9 caused the answer.</summary>
#
# Not proved. h_9 also holds what was read before word 9, other states may hold the same, and what c does to the answer is decided further on. You would have to change
# something and see.
#
# </details>
# <details><summary>(c) During training, somebody marked word 9 as the right place for months.</summary>
#
# No. Nobody marks places. As in section 6, the loss is on the output only.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/04_context.ipynb).

# %% [markdown]
# ### Question 1
#
# h_1 = (0, 0), h_2 = (4, 0), h_3 = (0, 4) and h_4 = (1, 1), and at some step c = (1, 1). A friend concludes: "c is h_4, so the decoder looked at word 4 and
# nowhere else." Work out c for a = (0.45, 0.225, 0.225, 0.1). What is wrong with the conclusion? Do a and `hs` tell what c is? Do c and these four states
# tell what a is? And can c ever be (3, 3)?

# %% [markdown]
# **A good answer.** Both numbers of c are 0.225 · 4 + 0.1 · 1 = 1, so c = (1, 1) again, with only a tenth of the weight on h_4. a and `hs`
# always tell what c is. c and these four states don't tell what a is: quite different weights give the same c, and what comes after c can't tell them apart.
# (With other states it can be otherwise: in the triangle of section 2, every c belongs to one a only.) c is a mixture; that it lies where a state lies
# doesn't make it that state. (3, 3) is impossible: it lies outside the hull. The two numbers of c add up to 4 a_2 + 4 a_3 + 2 a_4, which is at
# most 4.

# %% [markdown]
# ### Question 2
#
# To do without the encoder, somebody lets attention look at the embeddings of the characters (notebook 00) in place of `hs`; they have as many numbers as
# h̃. The texts are "9 april 1948" and "9 april 1984", and the same h̃ asks. How do the two c differ? Give the reason. Why is it otherwise with `hs`? And
# what would you add to the embeddings so that it could work without an encoder?

# %% [markdown]
# **A good answer.** They don't differ. Both dates hold the same characters in another order, and a character has the same embedding wherever it
# stands. So the same scores and weights come out, at other places, and a sum has no order. Nobody could tell 1948 from 1984 by this c. With `hs` they
# differ, because h_i holds what was read up to there: the state at the 8 after "194" is another than the one after "19". The order is in the states,
# not in the attention. Without an encoder, each embedding must be told its place, for instance by adding numbers that depend on the position, as the
# original Transformer does.

# %% [markdown]
# ### Question 3
#
# A friend says of section 6: "It can have got over 0.9 only because `asked` told it where to look." What does `descend` get to see, and how can an
# error in the *value* move the *weights*? Then predict: the game is changed so that in each example all six items hold the **same** value, with
# different keys as before. Where is the mean weight on the right item after 100 steps, and why?

# %% [markdown]
# **A good answer.** `descend` sees keys, values, question and answer; `asked` is cut off and serves only to measure. When c is wrong, the
# gradient says for each weight whether more of it would bring c closer to the answer. That goes on to the scores and to W. If all six values are the same, c
# is that value whatever the weights are, since they sum to 1. So c is right from the start, the loss is 0, and W stays all zeros (but for rounding): the
# weight stays at 1/6. Where to look is learned only as far as it makes a difference to what comes out.

# %% [markdown]
# ## What we have now
#
# One vector c, of fixed size, for every decoder step: from all of the input, by what the decoder needs now. And you have seen that where to look can be learned without
# being told.
#
# What is missing: c says what was found, and h̃ says what for. Neither is a word yet. [Notebook 05](05_combine.ipynb) combines the two into h^final, and a *second* softmax, over
# words this time, chooses what to write.

# %% tags=["nbval-ignore-output"]
progress()
