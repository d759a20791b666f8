# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 05 · Combine: which word comes next?
#
# h̃ → scores → weights → context → **h^final → next word**
#
# **You will build** the rest of the decoder: two ways to put h̃ and c together, the layer and the second softmax that turn a state into a word,
# then one whole step of the decoder, and the loop that writes a sentence with it. On the full track, the gradients of both ways to combine.
#
# **You need** notebook [04](04_context.ipynb), or only this much of it: at every step the decoder has a provisional state `h̃` (in code `h_tilde`: where
# it stands), attention weights `a` (one per input word, they sum to 1) and the context `c`, the sum of the encoder's states weighted by them.
#
# **Minutes** about 95 on the forward track (sections 1 to 7), about 125 on the full track (section 8 as well).

# %%
import numpy as np

from utils.checks import check, progress
from utils.data import BOS, EOS, PAD, ended
from utils.dates import date_splits
from utils.model import init_params
from utils.own import own_stages
from utils.plots import attention_map, combine_plane, flow, word_bars
from utils.trained import TrainedModel
from utils.widgets import explore_combine

# %% [markdown]
# You are here: h̃ goes round the attention, meets c, and the two become h^final and the next word.

# %%
flow("combine")

# %% [markdown]
# This notebook puts everything together, so it needs what earlier notebooks built. Where you have passed an exercise, your function is taken, after
# it has been checked once more. For the others the course's own stands in. The cell says which is whose.

# %%
earlier = own_stages(
    ["embed", "rnn_step", "encode", "decoder_init", "additive_score", "softmax", "masked_softmax", "context"]
)
embed, encode, decoder_init, rnn_step = earlier.embed, earlier.encode, earlier.decoder_init, earlier.rnn_step
additive_score, softmax, masked_softmax = earlier.additive_score, earlier.softmax, earlier.masked_softmax
context = earlier.context

# %% [markdown]
# ## The letters
#
# | equation | code | shape, one sentence | shape, a batch | what it is |
# |---|---|---|---|---|
# | h̃ | `h_tilde` | (H,) | (N, H) | the provisional state, at one decoder step |
# | c | `c` | (H,) | (N, H) | the context, at the same step |
# | h^final | `h` | (O,) | (N, O) | the final hidden state; in the model O = H |
# | W_c | `Wc` | (2H, O) | (2H, O) | the learned matrix of the concatenation |
# | α | `alpha` | a number | a number or (N, 1) | the share of h̃ in a weighted sum |
# | W_o, b_o | `Wo`, `bo` | (H, V), (V,) | (H, V), (V,) | the learned output layer |
# | – | `logits` | (V,) | (N, V) | a score for every word of the vocabulary |
#
# N sentences in a batch, T input words, H numbers in a state, V words in the vocabulary that the decoder writes with. In the date task, a "word" is one character.
#
# In the papers: our h^final is the h̃ of Luong et al. (2015), who write h for our h̃ and call theirs the *attentional* hidden state.

# %% [markdown]
# ## The question that is open
#
# The decoder is about to write a word, and it holds two vectors. h̃ says **where it stands**: what is due now, after the word just written. c
# says **what it found**: a mixture of encoder states, with most of it from where it looked.
#
# Neither is enough. In our wiring, h̃ knows of the input only what hs[-1], the state that the decoder started from, could hold, and what shows in the words written so far. And c doesn't know
# what it was looked up for. Nor is either of them a word, one choice out of V. So there are two things to do: make **one state out of two**, and make **one word out of a state**.

# %% [markdown]
# ## 1. Side by side: concatenation
#
# Lay the two vectors side by side, [h̃ ; c], and let a learned matrix decide what to make of the 2H numbers:
#
# > `h^final = tanh(W_c [h̃ ; c])`
#
# The equation follows the papers and puts the matrix first; in code a state is a row, so it comes last: `[h̃ ; c] @ Wc`.
#
# To lay side by side is called *to concatenate*. By hand, with H = 2:

# %%
h_tilde, c = np.array([1.0, -1.0]), np.array([2.0, 0.0])
Wc = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.0, 0.5]])  # (2H, O) = (4, 2)
np.concatenate([h_tilde, c])

# %% [markdown]
# Each column of `Wc` makes one number of the result. The first is (1, 0, ½, 0): it takes the first number of h̃ and half the first number of c. **Before you run the
# cell**: what are the two sums inside the tanh?

# %%
both = [1.0, -1.0, 2.0, 0.0]
for k in range(2):
    z = sum(both[j] * Wc[j, k] for j in range(4))
    print(" + ".join(f"({both[j]:g})·{Wc[j, k]:g}" for j in range(4)), f"= {z:g},  and tanh of that: {np.tanh(z):.2f}")

# %% [markdown]
# The loop, as the specification:


# %%
def combine_concat_loop(h_tilde, c, Wc):
    both = [*h_tilde, *c]
    z = np.zeros(Wc.shape[1])
    for k in range(len(z)):
        for j in range(len(both)):
            z[k] += both[j] * Wc[j, k]
    return np.tanh(z)


combine_concat_loop(h_tilde, c, Wc).round(2)

# %% [markdown]
# ### Exercise: `combine_concat_one`
#
# The same without a loop, for one sentence.
#
# <details><summary>Hint 1: a nudge</summary>
#
# You have seen `np.concatenate` above: it takes a *list* of arrays. What it gives is the x of x W.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (H,) and (H,) become (2H,). Times (2H, O), that gives (O,).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return np.tanh(np.concatenate([____, ____]) @ ____)`: h̃ comes first.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def combine_concat_one(h_tilde, c, Wc):
    """The final hidden state of one sentence, by concatenation.

    h^final = tanh(W_c [h̃ ; c])

    Parameters
    ----------
    h_tilde : (H,) float
        The provisional state.
    c : (H,) float
        The context vector.
    Wc : (2H, O) float
        In the model O = H.

    Returns
    -------
    (O,) float

    Source: Luong, Pham and Manning (2015), equation 5 (there c comes first).
    """
    # 1. lay h_tilde and c side by side   2. through Wc   3. bend
    ### BEGIN SOLUTION
    return np.tanh(np.concatenate([h_tilde, c]) @ Wc)
    ### END SOLUTION


# %%
combine_concat_one = check("combine_concat_one")

# %% [markdown]
# Look at `Wc` again. Its upper H rows only ever meet h̃, its lower H rows only ever meet c. Call the two halves W_a and W_b; then
#
# > `tanh(W_c [h̃ ; c]) = tanh(W_a h̃ + W_b c)`
#
# So concatenation is a matrix for each of the two, the results added, and the sum bent by tanh. Don't believe it, try it:

# %%
Wa, Wb = Wc[:2], Wc[2:]
np.allclose(combine_concat_one(h_tilde, c, Wc), np.tanh(h_tilde @ Wa + c @ Wb))

# %% [markdown]
# You have met this form before, in the additive score: tanh(W₁ h̃ + W₂ h_i). There it compared two states, here it merges them.
#
# For a batch, h̃ and c are both (N, H), and now there are two axes to join along. Predict both shapes. Which of them is "side by side"?

# %%
batch_h_tilde, batch_c = np.zeros((3, 2)), np.ones((3, 2))  # N = 3, H = 2
print(np.concatenate([batch_h_tilde, batch_c], axis=0).shape, np.concatenate([batch_h_tilde, batch_c], axis=1).shape)

# %% [markdown]
# ### Exercise: `combine_concat`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Without an axis, `np.concatenate` joins along the first one: that would put 2N sentences of H numbers below one another.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, H) and (N, H) have to become (N, 2H). Times (2H, O), that gives (N, O).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# The line of `combine_concat_one`, with `axis=____` inside `np.concatenate`.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def combine_concat(h_tilde, c, Wc):
    """The final hidden states of a batch, by concatenation.

    h^final = tanh(W_c [h̃ ; c])

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    c : (N, H) float
        Context vectors.
    Wc : (2H, O) float
        In the model O = H.

    Returns
    -------
    (N, O) float

    Source: Luong, Pham and Manning (2015), equation 5 (there c comes first).
    """
    # 1. lay h_tilde and c side by side, sentence by sentence   2. through Wc   3. bend
    ### BEGIN SOLUTION
    return np.tanh(np.concatenate([h_tilde, c], axis=1) @ Wc)
    ### END SOLUTION


# %%
combine_concat = check("combine_concat")

# %% [markdown]
# Sentence by sentence and all at once must agree:

# %%
rng = np.random.RandomState(0)
batch_h_tilde, batch_c, batch_Wc = rng.randn(3, 4), rng.randn(3, 4), rng.randn(8, 4)  # N = 3, H = O = 4
loop = np.stack([combine_concat_loop(batch_h_tilde[n], batch_c[n], batch_Wc) for n in range(3)])
np.allclose(combine_concat(batch_h_tilde, batch_c, batch_Wc), loop)

# %% [markdown]
# ## 2. A weighted sum
#
# The second way is much simpler. One number α says how much of the final state comes from h̃; the rest comes from c:
#
# > `h^final = α h̃ + (1 − α) c`
#
# With h̃ = (1, −1), c = (2, 0) and α = ¼: (¼ · 1 + ¾ · 2, ¼ · (−1) + ¾ · 0) = (1.75, −0.25). There is no matrix and no tanh. α may be one
# number for all, learned like any other parameter. Or a network computes one for each sentence, and they come as an array of shape (N, 1). Here is the loop for the second case:


# %%
def combine_weighted_sum_loop(h_tilde, c, alpha):
    N, H = h_tilde.shape
    h = np.zeros((N, H))
    for n in range(N):
        for k in range(H):
            h[n, k] = alpha[n, 0] * h_tilde[n, k] + (1 - alpha[n, 0]) * c[n, k]
    return h


combine_weighted_sum_loop(np.array([[1.0, -1.0]]), np.array([[2.0, 0.0]]), np.array([[0.25]]))

# %% [markdown]
# ### Exercise: `combine_weighted_sum`
#
# `alpha` is a number, or an array of shape (N, 1). One line serves both.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write the equation as it stands. Broadcasting does the rest.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, 1) times (N, H) is (N, H): each sentence's α meets all H numbers of that sentence. A plain number meets everything.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return alpha * ____ + (____) * c`
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def combine_weighted_sum(h_tilde, c, alpha):
    """The final hidden states of a batch, by a weighted sum.

    h^final = α h̃ + (1 − α) c

    Parameters
    ----------
    h_tilde : (N, H) float
        Provisional states.
    c : (N, H) float
        Context vectors.
    alpha : float, or (N, 1) float for one per sentence

    Returns
    -------
    (N, H) float
    """
    # 1. alpha of h_tilde   2. the rest of c
    ### BEGIN SOLUTION
    return alpha * h_tilde + (1 - alpha) * c
    ### END SOLUTION


# %%
combine_weighted_sum = check("combine_weighted_sum")

# %% [markdown]
# With an α of its own for each sentence, the loop and your line must agree:

# %%
each = np.array([[0.1], [0.5], [0.9]])  # (N, 1)
np.allclose(combine_weighted_sum(batch_h_tilde, batch_c, each), combine_weighted_sum_loop(batch_h_tilde, batch_c, each))

# %% [markdown]
# What can each of the two make out of the same h̃ and c? Take two arrows in the plane, five values of α from 0 to 1, and five matrices W_c of random numbers
# (the seed was picked so that the five results lie well apart).
# **Predict**: where do the weighted sums lie? And in which region must the results of concatenation lie? (They come out of a tanh.)

# %%
rng = np.random.RandomState(244)
plane_h_tilde, plane_c = np.array([[1.0, 0.3]]), np.array([[-0.4, 0.9]])  # N = 1, H = 2
alphas = np.array([0, 0.25, 0.5, 0.75, 1])
sums = [combine_weighted_sum(plane_h_tilde, plane_c, alpha)[0] for alpha in alphas]
concats = [combine_concat(plane_h_tilde, plane_c, rng.randn(4, 2))[0] for _ in range(5)]
combine_plane(plane_h_tilde[0], plane_c[0], alphas, sums, concats, "The same h̃ and c, combined")

# %% [markdown]
# The weighted sum never leaves the line through the two tips, whatever α is. With the right W_c, concatenation can put h^final anywhere between −1 and 1 in each number.
#
# Here is a wish that the weighted sum can't fulfil: *take the first number from h̃ and the second from c*. Let h̃ = (1, −1) and c = (−1, 1), so that both numbers of
# the result should be positive. With any α it gives (2α − 1, 1 − 2α), and the second is minus the first. They can't both be positive:

# %%
wish_h_tilde, wish_c = np.array([[1.0, -1.0]]), np.array([[-1.0, 1.0]])
for alpha in [-1, 0, 0.25, 0.75, 2]:
    first, second = combine_weighted_sum(wish_h_tilde, wish_c, alpha)[0]
    print(f"α = {alpha:5}:  ({first:4.1f}, {second:4.1f})")

# %% [markdown]
# For concatenation this is easy. Which rows of `Wc` have to hold a 1? Answer first, then compare:

# %%
picks = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
combine_concat(wish_h_tilde, wish_c, picks).round(2)

# %% [markdown]
# Does concatenation also do what the weighted sum does? As closely as you like: near 0, tanh is almost a straight line, so that small numbers pass it nearly unchanged. Scale down
# in W_c, and scale up again afterwards. With the arrows of the picture, α = ¼ and a scale of 1/100:

# %%
quarter = np.concatenate([0.25 * np.eye(2), 0.75 * np.eye(2)])  # (2H, H)
scaled = 100 * combine_concat(plane_h_tilde, plane_c, quarter / 100)
print(f"concatenation {scaled.round(3)}, weighted sum {combine_weighted_sum(plane_h_tilde, plane_c, 0.25).round(3)}")

# %% [markdown]
# So the weighted sum with one α for all is **weaker in what it can express**. (This holds for one fixed α: if α is itself computed from the sentence, α h̃ is a product of two varying things, which one tanh layer can't form exactly.) That need not show in the loss: h̃ and the h_i are learned as well, and a network can arrange its
# states so that a weighted sum is good enough. Whether it is good enough on dates gets measured in notebook 06. From here on, our decoder concatenates.

# %% [markdown]
# ## 3. From a state to a word
#
# The final state is H numbers, and the choice is between V words. A *linear layer*, which is a product with a learned matrix, here with a bias added, gives every word a score of its own, called its **logit**:
#
# > `logits = h^final W_o + b_o`
#
# By hand, with H = 2 and a vocabulary of three words:

# %%
vocabulary = ["cat", "dog", "end"]
h = np.array([1.0, 2.0])
Wo, bo = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, 0.0]]), np.array([0.0, 0.0, 1.0])
for w in range(3):
    print(f"{vocabulary[w]}: 1·({Wo[0, w]:g}) + 2·({Wo[1, w]:g}) + {bo[w]:g} = {h @ Wo[:, w] + bo[w]:g}")

# %% [markdown]
# Each column of W_o belongs to one word, and its logit is a dot product: how well does h^final fit this word? A word's bias b_o is what it gets
# whatever the state is.
#
# ### Exercise: `output_logits`
#
# <details><summary>Hint 1: a nudge</summary>
#
# A product with a learned matrix, as `x @ Wx` in notebook 01, and a bias. No tanh.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, H) times (H, V) is (N, V). A bias of shape (V,) is added to every row.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return ____ @ ____ + ____`
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def output_logits(h, Wo, bo):
    """A score for every word of the vocabulary.

    logits = h Wo + bo

    Parameters
    ----------
    h : (N, H) float
        Final hidden states.
    Wo : (H, V) float
    bo : (V,) float

    Returns
    -------
    (N, V) float
    """
    # 1. through Wo   2. add the bias
    ### BEGIN SOLUTION
    return h @ Wo + bo
    ### END SOLUTION


# %%
output_logits = check("output_logits")

# %% [markdown]
# The three logits from above, now as a batch of one sentence:

# %%
logits = output_logits(h[None], Wo, bo)  # (1, 3): a batch of one
logits

# %% [markdown]
# Logits are like scores: any number may come out. A **softmax** turns them into probabilities, and you have one already. It is the same function, but it is *not the same
# softmax* of the model:
#
# | the question | the first softmax | the second softmax |
# |---|---|---|
# | over what | the T words of *this input* | the V words of *the vocabulary* |
# | from what | scores e: h̃ compared with each h_i | logits: h^final through W_o |
# | gives | attention weights a, (N, T) | probabilities of the next word, (N, V) |
# | used for | mixing the h_i into c | choosing the next word; the loss, in training |
# | what gets exactly 0 | padding | nothing, on paper: every word keeps a chance |
# | is the right answer known in training? | no, nobody says where to look | yes, the next word of the target |
#
# With "a dog sleeps" as the input and 10,000 words to write with, the first has 3 entries and the second 10,000.
#
# ### Exercise: `next_word_probs`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Notebook 03 did the work. Which of its functions takes a whole batch?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, V) in and (N, V) out; every row sums to 1. No mask is needed.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return ____(logits)`
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def next_word_probs(logits):
    """The second softmax: this one is over the words of the vocabulary.

    p_w = exp(logits_w) / Σ_j exp(logits_j)

    Parameters
    ----------
    logits : (N, V) float

    Returns
    -------
    (N, V) float
        Rows sum to 1.
    """
    # 1. turn each row into probabilities
    ### BEGIN SOLUTION
    return softmax(logits)
    ### END SOLUTION


# %%
next_word_probs = check("next_word_probs")

# %% [markdown]
# Before you run: which word has the highest probability, and does it get more than half?

# %%
word_bars(next_word_probs(logits), vocabulary, ["logits 1, 2, 0"], "Three words to choose from")

# %% [markdown]
# The simplest choice is the likeliest word. Softmax keeps the order, so the highest logit is also the highest probability, and to choose you
# don't even need the softmax. It is needed for training, and to see how sure the model is.
#
# One thing has to be settled: what if two words draw? We take the **first of equals**, so that the same logits always give the same word.
#
# ### Exercise: `next_word`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Not the highest number is wanted, but its *place*. NumPy's function for that takes the first of equals by itself.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, V) in, (N,) out: V disappears.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return logits.____(axis=____)`
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def next_word(logits):
    """The likeliest word; the first of equals.

    Parameters
    ----------
    logits : (N, V) float

    Returns
    -------
    (N,) int
    """
    # 1. the place of the highest logit in each row
    ### BEGIN SOLUTION
    return logits.argmax(axis=1)
    ### END SOLUTION


# %%
next_word = check("next_word")

# %% [markdown]
# Two sentences. In the second, "cat" and "end" draw:

# %%
[vocabulary[w] for w in next_word(np.array([[1.0, 2.0, 0.0], [3.0, 0.0, 3.0]]))]

# %% [markdown]
# ### See it move
#
# From h̃ and c to the next word, with your functions behind the sliders (where they can't run, a picture stands in their place). The columns of W_o are eight arrows of equal length, laid out by hand:
# nouns to the right and verbs to the left, dogs up and cats down. There are no biases. At first h̃ points right: a noun is due. And c points up: what was found is about a dog.
#
# **Predict** before each:
#
# - Which word wins at α = 1, at α = 0 and at α = ½?
# - Stay at ½ and make both h̃ and c half as long. What happens to the winner, and to its probability?
# - Put both back to 2, turn h̃ to −45° (towards "cat") and c to 135° (towards "barks"). Which words can win now while α goes from 0 to 1? And with concatenation, whose W_c takes the first number
# from h̃ and the second from c?

# %%
turns = np.deg2rad(45 * np.arange(8))
arrows = 3 * np.array([np.cos(turns), np.sin(turns)])  # (H, V) = (2, 8)
around = ["animal", "dog", "woof", "barks", "sleeps", "purrs", "miaow", "cat"]  # "animal" is to the right
explore_combine(combine_weighted_sum, combine_concat, output_logits, next_word_probs, around, arrows)

# %% [markdown]
# Without biases, the direction of h^final alone decides the order of the words (the arrows are equally long, so the nearest one wins); its length decides how sure the softmax is. One α serves both numbers
# of the state, so the weighted sum stays on the line between the tips. At first the line crosses the arrow of "dog". Between "cat" and "barks" it leads through (0, 0), where every word gets ⅛ (shown
# as 0.12), and "dog" can't win with any α. Concatenation can leave the line, and there it finds "dog".

# %% [markdown]
# ## 4. One whole step
#
# Now every stage exists, and one step of the decoder is all of them in order. This is the summit of the forward track: from the previous word to the scores
# of the next, in one function. Notebook 04 scored with dot products; from here on the score is additive, the model's default. Notebook 06 compares the two.
#
# | stage | function | takes | gives |
# |---|---|---|---|
# | 1 provisional state | `rnn_step` | the embedded previous word x, the previous hidden state | `h_tilde` (N, H) |
# | 2 scores | `additive_score` | h̃, all encoder states | `e` (N, T) |
# | 3 softmax | `masked_softmax` | the scores, `keep` | `a` (N, T) |
# | 4 context | `context` | the weights, all encoder states | `c` (N, H) |
# | 5 combine | `combine_concat` | h̃, c | `h` (N, H) |
# | next word | `output_logits` | h^final | `logits` (N, V) |
#
# Two things are new. All learned arrays arrive in one dict `p` under their names: `p["Wx"]`, `p["Wh"]`, `p["b"]`, `p["W1"]`, `p["W2"]`, `p["v"]`,
# `p["Wc"]`, `p["Wo"]`, `p["bo"]`.
#
# And there is the question which state the *next* step starts from: h̃ or h^final? Both are in use, so the step doesn't decide. It takes "the previous hidden state"
# under a neutral name, `carry`, and **returns both states; whoever calls it chooses** which one to carry on. Carrying h̃ is the course's default, and the wiring of the book
# that the course follows (Saitoh 2018, *Deep Learning from Scratch 2*, chapter 8). Notebook 06 compares the two. (Luong et al. carry their h, our h̃, and, in a variant called *input feeding*, give
# h^final to the next step along with the word.)
#
# ### Exercise: `decoder_step`
#
# Returns four things: `logits`, `a`, `h_tilde`, `h`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Six lines, one per row of the table, then the return. Each line uses what the lines above have made. Look up what a function takes, and in which order, in
# its own notebook or with `help(rnn_step)`.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# x (N, D) and carry (N, H) give h̃ (N, H). With hs (N, T, H) that gives e (N, T), a (N, T), and c (N, H). Then h (N, H), and logits (N, V). If a shape is
# off, print the shapes of the line before.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `h_tilde = rnn_step(x, ____, p["Wx"], p["Wh"], p["b"])`, `e = additive_score(____, hs, p["W1"], p["W2"], p["v"])`, `a = masked_softmax(____, ____)`, `c = context(____, ____)`,
# `h = combine_concat(____, ____, p["Wc"])`, `logits = output_logits(____, p["Wo"], p["bo"])`
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def decoder_step(x, carry, hs, keep, p):
    """One whole step of the decoder: all stages in order, additive scores, concatenation.

    Parameters
    ----------
    x : (N, D) float
        The embedded previous word.
    carry : (N, H) float
        The previous hidden state. Which one that is, h̃ or h^final, is the caller's choice.
    hs : (N, T, H) float
        Encoder states.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    p : dict of Wx (D, H), Wh (H, H), b (H,), W1 (H, A), W2 (H, A), v (A,), Wc (2H, H), Wo (H, V), bo (V,)
        The decoder's parameters.

    Returns
    -------
    logits : (N, V) float
    a : (N, T) float
        Attention weights.
    h_tilde : (N, H) float
        The provisional state.
    h : (N, H) float
        The final hidden state.

    Source: the order of the stages is that of Saitoh (2018), chapter 8;
    the score is Bahdanau et al.'s (2015), W_c Luong et al.'s (2015).
    """
    # 1. provisional state   2. scores   3. weights   4. context   5. final state   6. logits
    ### BEGIN SOLUTION
    h_tilde = rnn_step(x, carry, p["Wx"], p["Wh"], p["b"])  # (N, H)
    e = additive_score(h_tilde, hs, p["W1"], p["W2"], p["v"])  # (N, T)
    a = masked_softmax(e, keep)  # (N, T)
    c = context(a, hs)  # (N, H)
    h = combine_concat(h_tilde, c, p["Wc"])  # (N, H)
    logits = output_logits(h, p["Wo"], p["bo"])  # (N, V)
    return logits, a, h_tilde, h
    ### END SOLUTION


# %%
decoder_step = check("decoder_step")

# %% [markdown]
# Try it on two sentences of random numbers; the second has two words of padding. All sizes are different: N = 2, T = 5, D = 3, H = 4, A = 6, V = 7. Predict
# the four shapes.

# %%
rng = np.random.RandomState(2)
N, T, D, H, A, V = 2, 5, 3, 4, 6, 7
shapes = {"Wx": (D, H), "Wh": (H, H), "b": (H,), "W1": (H, A), "W2": (H, A), "v": (A,)}
shapes |= {"Wc": (2 * H, H), "Wo": (H, V), "bo": (V,)}
p = {name: rng.randn(*shape) for name, shape in shapes.items()}
x, carry, hs = rng.randn(N, D), rng.randn(N, H), rng.randn(N, T, H)
keep = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=bool)
[result.shape for result in decoder_step(x, carry, hs, keep, p)]

# %% [markdown]
# Sentences must not mix, and padding must not matter. So the second sentence alone, with its padding cut off, has to get the same logits:

# %%
in_batch = decoder_step(x, carry, hs, keep, p)[0][1]
alone = decoder_step(x[1:], carry[1:], hs[1:, :3], keep[1:, :3], p)[0][0]
np.allclose(in_batch, alone)

# %% [markdown]
# ## 5. Writing a sentence
#
# In training, notebook 01 fed the decoder the *right* previous word (teacher forcing). When it writes on its own there is no right word to feed: the decoder gets
# **the word that it has just chosen**, good or bad. To always take the likeliest is called *greedy* decoding.
#
# The loop needs to know little about the model. It gets a function `step(word, state)` that gives the logits and the next state, and doesn't care what is inside. For
# a first try, here is a "decoder" that is a table: row k holds the logits after word k, and its state counts steps. Three words of every vocabulary are not letters:
# *pad* fills up short sentences, *bos* begins a sentence, *eos* ends it. Their numbers are 0, 1 and 2, and the course calls them `PAD`, `BOS` and `EOS`.

# %%
letters = ["pad", "bos", "eos", "d", "a", "t", "e"]
follows = np.zeros((7, 7))
for before, after in [("bos", "d"), ("d", "a"), ("a", "t"), ("t", "e"), ("e", "eos")]:
    follows[letters.index(before), letters.index(after)] = 1


def table_step(word, state):
    return follows[word], state + 1


# %% [markdown]
# Two steps by hand. The first word fed is bos; it is not part of what gets written. What is fed next?

# %%
out, count = table_step(BOS, 0)
first = next_word(out[None])[0]
out, count = table_step(first, count)
second = next_word(out[None])[0]
print(f"fed bos, chose {letters[first]}; fed {letters[first]}, chose {letters[second]}; state {count}")

# %% [markdown]
# ### Exercise: `greedy_decode`
#
# Go on like this until eos has been chosen, which is written down too, or until there are `max_len` words. Without that second end, a decoder that never chooses
# eos would write for ever.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Keep three things from turn to turn: the words so far, the last word, the state. There are two reasons to stop; which of them is known before a step, and which only after it?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `step` gives logits of shape (V,): one sentence, no batch axis. The word is one whole number. The result is an array of shape (length,), with length at most `max_len`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# Start with `ids = []` and the word `bos`. While `len(ids) < ____`: get logits and state from `step(____, ____)`; the new word is `np.argmax(____)`; append it; if it equals
# `____`, `break`. Return `np.array(____, dtype=int)`.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def greedy_decode(step, state, bos, eos, max_len):
    """Write a sentence by always taking the likeliest next word.

    Parameters
    ----------
    step : function
        ``step(word, state)`` gives ``logits (V,), state``.
    state
        Whatever `step` starts from.
    bos : int
        The word that opens the sentence; it is not part of the result.
    eos : int
        The word that ends it; it is part of the result when it was chosen.
    max_len : int
        At most so many words.

    Returns
    -------
    (length,) int
    """
    # 1. begin with bos   2. step, take the likeliest word, write it down, feed it back   3. stop after eos or max_len
    ### BEGIN SOLUTION
    ids = []
    word = bos
    while len(ids) < max_len:
        logits, state = step(word, state)
        word = int(np.argmax(logits))
        ids.append(word)
        if word == eos:
            break
    return np.array(ids, dtype=int)
    ### END SOLUTION


# %%
greedy_decode = check("greedy_decode")

# %% [markdown]
# The whole word, with room for ten letters:

# %%
[letters[w] for w in greedy_decode(table_step, 0, BOS, EOS, max_len=10)]

# %% [markdown]
# Now change the table: let "t" be followed by "a", in the hope of "data". What comes out instead?

# %%
changed = follows.copy()
changed[letters.index("t")] = np.eye(7)[letters.index("a")]
[letters[w] for w in greedy_decode(lambda word, state: (changed[word], state + 1), 0, BOS, EOS, max_len=10)]

# %% [markdown]
# The table counts its steps and never looks at the count. It sees only the previous word, and after "a" it says the same every time: "t". To stop after the second "a", a decoder has to know *where it stands*. That is what the state is
# for, and a real step uses it: its h̃ is made from the previous word **and** the state.
#
# Greedy decoding has a weakness, too. The likeliest first word need not begin the likeliest sentence, and a chosen word is never taken back. (Beam search keeps several
# beginnings alive; this course does without.)

# %% [markdown]
# ## 6. When is it right?
#
# Two ways to mark what was written: count the right characters, or the sentences that are right from beginning to end. The second is the **exact match**. Suppose that a
# model gets each of ten characters right with 95%, independently. How many of its dates are right altogether? Guess, then run.

# %%
print(f"{0.95**10:.2f}")

# %% [markdown]
# A date with one wrong digit is a wrong date, so exact match is the stricter measure, and the one that a user feels. Here are three dates, with one wrong digit in all:

# %%
right = ["1984-09-25", "2001-05-17", "1999-12-31"]
wrote = ["1984-09-25", "2001-05-17", "1999-12-21"]
characters = [x == y for r, w in zip(right, wrote) for x, y in zip(r, w)]
print(
    f"characters right: {np.mean(characters):.2f}, dates right: {np.mean([r == w for r, w in zip(right, wrote)]):.2f}"
)

# %% [markdown]
# ### Exercise: `exact_match`
#
# Words are numbers, in two arrays of shape (N, U). A row's sentence goes up to its first eos. What stands behind it is ignored: one decoder fills up with padding there, another may leave
# anything. But the end itself counts: who doesn't stop where the answer stops is wrong.
#
# Take 2 as eos and 0 as padding, and decide which of these three rows is right before you write any code:
#
# | row | right answer | written | right? |
# |---|---|---|---|
# | 1 | 5 6 2 0 | 5 6 2 9 | ? |
# | 2 | 5 6 2 0 | 5 6 6 2 | ? |
# | 3 | 5 6 2 0 | 5 2 2 0 | ? |
#
# <details><summary>Compare</summary>
#
# Row 1 is right: the 9 stands after the eos. Row 2 is wrong: it didn't end in time. Row 3 is wrong: it ended too early.
#
# </details>
#
# <details><summary>Hint 1: a nudge</summary>
#
# Find the places after the *answer's* first eos. All others must agree, the eos included. If they do, the prediction ends at the same place by itself.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `gold == eos` is (N, U). Its `cumsum(axis=1)` counts how many eos there have been up to and including each place. You need a (N, U) of "must agree or is ignored", then one truth per row, then their mean.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# With `ends` for the places of eos, the number of eos *before* a place is `ends.cumsum(axis=1) - ____`; where it is above 0, the place is ignored. Then `((pred == ____) | ____).all(axis=____).mean()`, as a `float`.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def exact_match(pred, gold, eos):
    """The share of sentences that are right to the last word.

    Compared up to and including the first eos; what stands after it is ignored. A prediction that
    does not end where the answer ends is wrong.

    Parameters
    ----------
    pred : (N, U) int
        What the decoder wrote.
    gold : (N, U) int
        The right answers.
    eos : int
        The word that ends a sentence.

    Returns
    -------
    float
        From 0 to 1.
    """
    # 1. which places come after the answer's first eos?   2. all others must agree   3. the share of such rows
    ### BEGIN SOLUTION
    ends = gold == eos
    ignored = ends.cumsum(axis=1) - ends > 0  # (N, U)      after the answer's first eos
    return float(((pred == gold) | ignored).all(axis=1).mean())
    ### END SOLUTION


# %%
exact_match = check("exact_match")

# %% [markdown]
# The three rows of the table: one of them is right.

# %%
gold = np.array([[5, 6, 2, 0], [5, 6, 2, 0], [5, 6, 2, 0]])
pred = np.array([[5, 6, 2, 9], [5, 6, 6, 2], [5, 2, 2, 0]])
round(exact_match(pred, gold, eos=2), 2)

# %% [markdown]
# ## 7. A decoder that babbles, and one that reads
#
# You have a complete decoder. What it lacks is experience: its parameters. The course ships a set of trained ones in `utils/dates.npz`, made by the command
#
# > `python -m utils.train --seed 0 --save utils/dates.npz`
#
# which takes some seconds. Notebook 06 does the same with your own functions. Here are the model's 14 words (`course` is the folder that the first cell has found):

# %%
model = TrainedModel.load(f"{course}/utils/dates.npz")
words = ["pad", "bos", "eos", *model.target_vocabulary.characters]
" ".join(words)

# %% [markdown]
# The cell below is the longest of this notebook, and almost all of it is yours. It numbers a text's characters, encodes them, and makes a `step` for `greedy_decode` out of `decoder_step`: embed the
# previous word, do the step, carry h̃ on. On the way it notes the attention weights and the probabilities of every step.


# %%
def read(text, params):
    ids = model.source_vocabulary.numbers([text.lower()])  # (1, T)
    keep = ids != PAD
    X = embed(ids, params["E_source"])  # (1, T, D)
    hs = encode(X, keep, params["Wx_source"], params["Wh_source"], params["b_source"])  # (1, T, H)
    weights, probs = [], []

    def step(word, carry):
        x = embed(np.array([[word]]), params["E"])[:, 0]  # (1, D)
        logits, a, h_tilde, _ = decoder_step(x, carry, hs, keep, params)
        weights.append(a[0])
        probs.append(next_word_probs(logits)[0])
        return logits[0], h_tilde  # the course's default: h̃ is carried

    written = greedy_decode(step, decoder_init(hs), BOS, EOS, model.max_len)
    return written, np.array(weights), np.array(probs)  # (U,), (U, T), (U, V)


# %% [markdown]
# First with parameters that have learned nothing: random numbers, from four seeds. What will a decoder write that knows all the steps and has never seen a date?

# %%
date = "tuesday, september 25, 1984"
for seed in range(4):
    untrained = init_params(model.config, np.random.RandomState(seed))
    print(f"seed {seed}:", " ".join(words[i] for i in read(date, untrained)[0]))

# %% [markdown]
# It babbles. One seed ends before it has begun, another after two digits; the others play with digits, pad and bos. Nothing is broken: every stage does its work, on parameters that mean nothing yet.
#
# And now **the same functions**, yours, with other numbers in `params`:

# %%
written, weights, probs = read(date, model.params)
" ".join(words[i] for i in written)

# %% [markdown]
# It reads. No line of code has changed between the two cells; all that it knows about dates is in those arrays.
#
# Watch it write, step by step. Each line shows the word fed, the word chosen and its probability; then the largest attention weight, and the last eight characters of what the encoder had read at that
# place (remember that h_i is not character i, but everything up to it).

# %%
fed = "bos"
for i, a, prob in zip(written, weights, probs):
    place = a.argmax() + 1
    print(
        f"{fed:>3} → {words[i]:>3} ({prob[i]:.2f})   weight {a.max():.2f} on h_{place:<2}: …{date[:place][-8:].replace(' ', '␣')}"
    )
    fed = words[i]

# %% [markdown]
# Before you draw the whole map: in which rows do you expect one bright cell, and in which will the weights be spread?

# %%
attention_map(weights, date, [words[i] for i in written], "Where the trained decoder looks")

# %% [markdown]
# Nobody drew these cells. They came out of training on nothing but right answers.
#
# Now look closely, and distrust your eyes a little. The 1 of the year looks most at the **8**: by then the encoder has read "198", and its state can know all of it. The 2 of the day looks at the
# **comma** after "25". So a bright cell doesn't say "this character was read here"; it says that the *state* at this place got a large share in c.
#
# Nor does it say that something was needed there: the first hyphen, which is the same for every date, gives 0.66 to that 8 too, for the weights have to go somewhere. At the second hyphen and at eos they are spread further; at the 9 of the year and the 0 of the month as well (notebook 06 comes back to that). And it doesn't prove
# that this state caused the choice: h̃ had its say in h^final too. Another seed draws another map.
#
# How sure is it? Compare the third character of the year: untrained (seed 3); trained; and trained, but reading a year that its training never showed it, for those dates lie between 1950 and 2049.

# %%
third = [read(date, untrained)[2][2], probs[2], read("5 march 1850", model.params)[2][2]]
labels = ["untrained", "trained", 'trained, reading "5 march 1850"']
word_bars(third, words, labels, "The second softmax at the third step")

# %% [markdown]
# Untrained, no word stands out much. Trained, nearly everything is on the 8. For 1850 it gives 0.94 to the 3, and right would be a 5. Something is always likeliest, and a high probability says what the model expects, not that it is right.
#
# **Your turn.** Write a date of your own from 1950 to 2049 in one of these forms, and run the cell:
# "friday, july 4, 2025", "july 4, 2025", "jul 4, 2025", "friday, 4 july 2025", "4 july 2025", "4 jul 2025". Months are abbreviated to three letters. (A character that no date had in training, such as a full stop, is refused with a message.)

# %%
yours = "friday, july 4, 2025"
your_words, your_weights, _ = read(yours, model.params)
attention_map(your_weights, yours, [words[i] for i in your_words], "Your date")

# %% [markdown]
# Then try to trip it up. Here are a wrong weekday, a day that doesn't exist, and a year out of reach. Which will it notice?

# %%
for text in ["monday, september 25, 1984", "february 31, 1999", "5 march 1850"]:
    print(f"{text} → {model.target_vocabulary.text(read(text, model.params)[0])}")

# %% [markdown]
# It notices none of them. It has learned to rewrite dates, and not how a calendar works: here the false weekday changes nothing, 31 February is copied faithfully, and 1850 becomes 1930. Not only the 8 is wrong there, but also the 5, which it reads rightly in "5 march 1950": what it has never met can spoil what it knows.
#
# At last, the mark: exact match on 200 dates of the test split, which training has never seen, written by your functions. `ended` puts eos behind the right answers. It takes a few seconds.

# %%
test = date_splits()["test"][::18]  # every 18th: 200 of 3,592
gold = ended(model.target_vocabulary.numbers([target for _, target in test]))  # (200, 11)
pred = np.full(gold.shape, PAD)
for n, (source, _) in enumerate(test):
    ids = read(source, model.params)[0]
    pred[n, : len(ids)] = ids
print(f"{len(test)} dates, exact match {exact_match(pred, gold, EOS):.2f}")

# %% [markdown]
# **On the forward track you are done with the exercises.** Skip to *Check yourself*.

# %% [markdown]
# ## 8. Backwards (full track)
#
# From the next word's loss arrives `dh`, one number for each number of h^final. It has to be sent on to the two vectors that h^final was made of, and to what was learned on the way: α, or W_c.
#
# ### By hand: the weighted sum
#
# `h = α h̃ + (1 − α) c`. Each number of h̃ is used once, with the factor α; each number of c once, with 1 − α. But α is used for **every** number of the state, so its gradient adds up. Rewrite the
# equation as `h = c + α (h̃ − c)` and you see by what it is multiplied:
#
# > `dh̃ = α dh`, `dc = (1 − α) dh` and `dα = Σ dh (h̃ − c)`
#
# With h̃ = (2, 1), c = (0, 3), α = ¼ and dh = (1, −2), fill the blanks on paper:
#
# | by hand | result |
# |---|---|
# | dh̃ = ¼ · (1, −2) | = ( __ , __ ) |
# | dc = ¾ · (1, −2) | = ( __ , __ ) |
# | h̃ − c | = ( __ , __ ) |
# | dα = 1 · __ + (−2) · __ | = __ |
#
# <details><summary>Compare</summary>
#
# dh̃ = (0.25, −0.5), dc = (0.75, −1.5), h̃ − c = (2, −2), dα = 2 + 4 = 6.
#
# </details>
#
# Don't believe it, nudge it: move α by a little and see how much `Σ dh h` moves.

# %%
hand_h_tilde, hand_c, hand_dh = np.array([[2.0, 1.0]]), np.array([[0.0, 3.0]]), np.array([[1.0, -2.0]])
nudge = 1e-6
up = combine_weighted_sum(hand_h_tilde, hand_c, 0.25 + nudge)
down = combine_weighted_sum(hand_h_tilde, hand_c, 0.25 - nudge)
print(f"dα = {(hand_dh * (up - down)).sum() / (2 * nudge):.4f}")

# %% [markdown]
# ### Exercise: `combine_weighted_sum_backward`
#
# For a batch. How far dα adds up depends on how often α was used: one α for the whole batch gets *one number*, from all sentences. An α of shape (N, 1) was used by one sentence each, and gets (N, 1).
# `np.ndim(alpha)` is 0 for a number and 2 for an array of shape (N, 1).
#
# <details><summary>Hint 1: a nudge</summary>
#
# The products `dh (h̃ − c)` are the same in both cases. Only the adding up differs: over everything, or over the numbers of each sentence.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `dh * (h_tilde - c)` is (N, H). You need a number, or (N, 1): `keepdims=True` keeps a summed axis as an axis of length 1.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dh_tilde = ____ * dh`, `dc = ____ * dh`, then the products, and of them `.sum()` if `np.ndim(alpha) == ____`, else `.sum(axis=____, keepdims=True)`.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def combine_weighted_sum_backward(dh, h_tilde, c, alpha):
    """The gradients of h = α h̃ + (1 − α) c.

    dh̃ = α dh,   dc = (1 − α) dh,   dα = Σ dh (h̃ − c)

    Parameters
    ----------
    dh : (N, H) float
        The gradient that arrives at h.
    h_tilde : (N, H) float
    c : (N, H) float
    alpha : float, or (N, 1) float for one per sentence

    Returns
    -------
    dh_tilde : (N, H) float
    dc : (N, H) float
    dalpha : shaped like alpha
    """
    # 1. to h_tilde   2. to c   3. to alpha: add up wherever it was used
    ### BEGIN SOLUTION
    dh_tilde = alpha * dh
    dc = (1 - alpha) * dh
    dalpha = dh * (h_tilde - c)  # (N, H)
    dalpha = dalpha.sum() if np.ndim(alpha) == 0 else dalpha.sum(axis=1, keepdims=True)
    return dh_tilde, dc, dalpha
    ### END SOLUTION


# %%
combine_weighted_sum_backward = check("combine_weighted_sum_backward")

# %% [markdown]
# ### By hand: the concatenation
#
# From the outside to the inside. Call what goes into the tanh z. In rows, as in the code:
#
# | forward | backward | why |
# |---|---|---|
# | `h = tanh(z)` | `dz = dh (1 − h²)` | the slope of tanh is 1 − tanh² |
# | `z = [h̃ ; c] W_c` | `d[h̃ ; c] = dz W_cᵀ` and `dW_c = [h̃ ; c]ᵀ dz` | a linear layer, as in notebook 01 |
# | [h̃ ; c], laid side by side | cut it at H: the first half is dh̃, the second is dc | each number went to one place only |
#
# H = 2, O = 1: h̃ = (1, 0), c = (−1, 1), W_c is the column (1, 2, 2, 1), and dh = 3. Then z = 1 + 0 − 2 + 1 = 0 and h = tanh 0 = 0. Fill in:
#
# | by hand | result |
# |---|---|
# | dz = 3 · (1 − 0²) | = __ |
# | d[h̃ ; c] = dz · (1, 2, 2, 1) | = ( __ , __ , __ , __ ) |
# | so dh̃ | = ( __ , __ ) |
# | and dc | = ( __ , __ ) |
# | dW_c = (1, 0, −1, 1) · dz | = ( __ , __ , __ , __ ) |
#
# <details><summary>Compare</summary>
#
# dz = 3, d[h̃ ; c] = (3, 6, 6, 3), dh̃ = (3, 6), dc = (6, 3), dW_c = (3, 0, −3, 3).
#
# </details>
#
# ### Exercise: `combine_concat_backward`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Lay h̃ and c side by side again, as in the forward. Then three lines of the table, and one cut.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# [h̃ ; c] is (N, 2H), dz is (N, O), its gradient on the way back (N, 2H), dWc (2H, O). `np.split(array, 2, axis=1)` cuts into two halves of (N, H).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# With `both` for [h̃ ; c]: `dz = dh * (1 - np.tanh(____) ** 2)`, `dboth = dz @ ____`, `dWc = ____ @ dz`, and `np.split(____, 2, axis=____)` gives the two.
#
# </details>
#
# [The solution](../solutions/05_combine.ipynb), for when you have tried.


# %%
def combine_concat_backward(dh, h_tilde, c, Wc):
    """The gradients of h = tanh(W_c [h̃ ; c]).

    Parameters
    ----------
    dh : (N, O) float
        The gradient that arrives at h.
    h_tilde : (N, H) float
    c : (N, H) float
    Wc : (2H, O) float

    Returns
    -------
    dh_tilde : (N, H) float
    dc : (N, H) float
    dWc : (2H, O) float
    """
    # 1. side by side   2. through the tanh   3. through Wc   4. to Wc   5. cut in two
    ### BEGIN SOLUTION
    both = np.concatenate([h_tilde, c], axis=1)  # (N, 2H)
    dz = dh * (1 - np.tanh(both @ Wc) ** 2)  # (N, O)
    dboth = dz @ Wc.T  # (N, 2H)
    dWc = both.T @ dz
    dh_tilde, dc = np.split(dboth, 2, axis=1)
    return dh_tilde, dc, dWc
    ### END SOLUTION


# %%
combine_concat_backward = check("combine_concat_backward")

# %% [markdown]
# Here the way back forks: `dc` goes on through the context and the scores to hs, where notebook 04 added up two paths. `dh_tilde` goes to the provisional state directly. But h̃ was used
# elsewhere too: as the question in the scores, so that a second part of its gradient comes back through the attention, and, where it is carried, in the next step. Notebook 06 puts them together.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** Three words have the logits 0, 0 and ln 2. What is the probability of the third?
#
# <details><summary>Your number, then open</summary>
#
# exp gives 1, 1 and 2, so it is 2 / 4 = **0.5**. If you have 1, the logits 0 were taken to have no share: exp(0) is 1. If you have 0.69, that is the logit itself.
#
# </details>
#
# **2.** The input has 12 words, the vocabulary 500. What is true of the two softmaxes?
#
# <details><summary>(a) They are the same 500 numbers, once before and once after the context.</summary>
#
# No. The first gives 12 numbers, one per input word; the second gives 500.
#
# </details>
# <details><summary>(b) The first says how to mix 12 states, the second which of 500 words is likely next.</summary>
#
# Yes. The function is the same, and everything around it differs.
#
# </details>
# <details><summary>(c) In training, both are told the right answer.</summary>
#
# No. Only the second is compared with something, the next word of the target. The first learns through its effect on that.
#
# </details>
#
# **3.** While decoding "1984-09-25", the decoder has chosen a wrong second character: "10". What is it fed at the third step?
#
# <details><summary>(a) 9, the right character.</summary>
#
# No. That is teacher forcing, which needs the right answer. When decoding there is none.
#
# </details>
# <details><summary>(b) 0, its own character.</summary>
#
# Yes. So one mistake can lead to the next.
#
# </details>
# <details><summary>(c) The probabilities of all characters.</summary>
#
# No. It is fed the embedding of one character, the chosen one.
#
# </details>
#
# **4.** What decides which state the next step starts from?
#
# <details><summary>(a) Nothing: it is always h^final, which knows more.</summary>
#
# No. It does contain c as well, and some wirings carry it, but it isn't the only choice.
#
# </details>
# <details><summary>(b) The look: c is handed on, so that the next step knows where the last one looked.</summary>
#
# No. c goes into h^final. It is carried only as a part of that, by a caller who carries h^final.
#
# </details>
# <details><summary>(c) The caller: the step returns h̃ and h^final, and one of them is carried.</summary>
#
# Yes. `read` above carries h̃, the course's default. Parameters that were trained with one wiring fit that wiring.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/05_combine.ipynb).

# %% [markdown]
# ### Question 1
#
# When eos is due after "1984-09-25", the largest attention weight of the trained model is 0.27, and the probability of eos is 1.00. "So it's not sure, and
# it is sure," says a friend. From which softmax is each of the two numbers, and what does it say? Why is this no contradiction? And would it be a
# contradiction if the largest weight were 0.98 and the probability 0.50?

# %% [markdown]
# **A good answer.** 0.27 is from the first softmax, over the 27 characters read: this share of c comes from one state. 1.00 is from the second, over
# the 14 words that can be written: so likely is eos. They share out two different things, and neither limits the other. Every date ends after ten
# characters, so h̃ can know that eos is due, and nothing special is needed from `hs`. A weight is a share, and no measure of being sure.
# 0.98 and 0.50 would be no contradiction either: nearly all of the look at one state, and yet that state, together with h̃, doesn't settle the word.
# (In "5 june 2150" the first digit comes with the weight 0.96 and the probability 0.62.)

# %% [markdown]
# ### Question 2
#
# For the 1 and the 8 of 1984, the trained decoder looks most at one and the same place, the 8. Suppose that c were *exactly* the same at both steps.
# Could two different characters be written (a) with concatenation, (b) with a weighted sum and α = 0, (c) with a weighted sum and α = 1? Say in each
# case what h^final depends on. Which of the three doesn't use the attention at all?

# %% [markdown]
# **A good answer.** h̃ differs between the two steps: another word was fed, and another state was carried. (a) Yes: h^final = tanh(W_a h̃ + W_b c),
# and with another h̃ it can be another state, with other logits. (b) No: h^final = c, the same both times, so the logits and the word are the same. c
# says what was found, and not what for. (c) Yes, because h^final = h̃. But here c counts for nothing: this is the decoder without attention, which
# knows of the input only what h̃ has from hs[-1] and from the words written so far. That is why both are needed.

# %% [markdown]
# ### Question 3
#
# A decoder has written 100 dates of ten characters: 950 of the 1,000 characters are right, and 80 of the dates are right altogether. For 95%, section
# 6 computed 0.60. How can both be true, and how many wrong characters has a wrong date here, on average? What in the way a decoder writes makes you
# expect such a thing? And how many right dates could there be with 950 right characters, at least and at most?

# %% [markdown]
# **A good answer.** 0.60 holds if mistakes come independently. Here the 50 wrong characters stand in 20 dates, 2.5 in each: they come together. That
# is to be expected, because the decoder is fed the word that it has just chosen, so that a wrong one can lead to the next; and a date that it can't
# read goes wrong in several places. At least 50 dates are right (every mistake in another date) and at most 95 (five dates without one right
# character). So characters alone don't tell how many dates one can use.

# %% [markdown]
# ## What we have now
#
# The whole decoder, forward: where it stands, where it looks, what it finds, what it makes of both, and the word that it writes. With trained parameters it reads dates that it has never seen.
#
# What is missing: *your* parameters. These came out of a file. Where does the number come from that says how wrong a word is, and how does it find its way back through the second softmax, the combination,
# the context, the first softmax and the scores, into every parameter? Notebook [06](06_training.ipynb) trains the model on your own functions, and watches the map appear.

# %% tags=["nbval-ignore-output"]
progress()
