# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 01 · Provisional state: where does the decoder stand before it looks?
#
# **h̃** → scores → weights → context → h^final → next word
#
# **You will build** the encoder, which reads a sentence word by word and leaves one state behind for every word, and the decoder's *provisional
# state* h̃, its standpoint before it writes. On the full track, five rules for gradients, and the *backward* of one recurrent step: the function that computes its gradients.
#
# **You need** [notebook 00](00_start_here.ipynb), or only this much of it: words are numbers, `embed` turns each number into a vector, and a batch is a
# stack of sentences. And NumPy's `@` and broadcasting.
#
# **Minutes** about 55 on the forward track (sections 1 to 5), about 100 on the full track (section 6 as well).

# %%
import numpy as np

from utils.checks import check, progress
from utils.data import BOS, PAD
from utils.model import init_params
from utils.own import own_stages
from utils.plots import flow, state_distances
from utils.trained import TrainedModel
from utils.widgets import explore_states

# %% [markdown]
# You are here: the input words become the states `hs`, and the last of them starts h̃.

# %%
flow("provisional_state")

# %% [markdown]
# And `embed` from notebook 00: yours where it has passed its check, else the course's. The cell says which.

# %% tags=["nbval-ignore-output"]
embed = own_stages(["embed"]).embed

# %% [markdown]
# ## The letters
#
# | equation | code | shape, one sentence | shape, a batch | what it is |
# |---|---|---|---|---|
# | x_1 … x_T | `X` | (T, D) | (N, T, D) | the embedded words that the encoder reads |
# | h_1 … h_T | `hs` | (T, H) | (N, T, H) | the encoder's states: `h_t` is what it keeps of words 1 to t |
# | – | `keep` | (T,) | (N, T) | True at real words, False at padding |
# | y_1 … y_U | `Y` | (U, D) | (N, U, D) | the embedded words that the decoder reads |
# | h̃ | `h_tilde` | (H,) | (N, H) | the provisional state, at one decoder step |
# | `h̃_1 … h̃_U` | `H_tilde` | (U, H) | (N, U, H) | the provisional states of all steps |
# | Wx, Wh | `Wx`, `Wh` | (D, H), (H, H) | the same | learned matrices of a recurrent step |
# | b | `b` | (H,) | the same | its learned bias |
#
# N sentences in a batch, T input words, U target words, D numbers in an embedded word, H numbers in a state. Encoder and decoder each have a Wx, a Wh and a b of
# their own. A *word* is whatever is read in one step: in our dates, one character. Vectors are rows, so the code says `x @ Wx`.
#
# In the papers: our h̃ is the h of Luong et al. (2015), who write h̃ for what we call h^final.

# %% [markdown]
# ## The question that is open
#
# Notebook 00 turned words into vectors. But "3 september 1984" is sixteen of them, and "may 3, 1984" is eleven. What has a network *read* when it
# has seen a row of vectors, of any length? And the part that writes must begin somewhere: **where does it stand before it looks back at the input?**
#
# This notebook answers both with one and the same small machine: a recurrent step.

# %% [markdown]
# ## 1. One step, by hand
#
# A **recurrent network** has a state: H numbers that it carries along. At every word it makes a new state from two things, the word and the old state:
#
# > `h = tanh(x Wx + h_prev Wh + b)`
#
# tanh is an S-shaped curve that squeezes any number into the range from −1 to 1. Take D = H = 1, Wx = 1, Wh = 0.5 and b = 0, start at h = 0, and read one loud word, 1, and then
# three silent ones, 0. **Before you run the cell**: what is left of the first word after the fourth?

# %%
h = 0.0
for x in [1.0, 0.0, 0.0, 0.0]:
    z = x * 1.0 + h * 0.5 + 0.0
    print(f"h = tanh({x:.0f} + 0.5 · {h:.2f}) = tanh({z:.2f}) = {np.tanh(z):.2f}")
    h = np.tanh(z)

# %% [markdown]
# 0.76, 0.36, 0.18, 0.09: the state remembers, and every step halves what it remembers, more or less. Keep this in mind for section 5.
#
# With more numbers per word and state, each number of the new state mixes all numbers of the word and of the old state. As a loop, for one sentence, this is the specification:


# %%
def rnn_step_loop(x, h_prev, Wx, Wh, b):
    D, H = Wx.shape
    z = b.copy()
    for k in range(H):
        for d in range(D):
            z[k] += x[d] * Wx[d, k]
        for j in range(H):
            z[k] += h_prev[j] * Wh[j, k]
    return np.tanh(z)


# %% [markdown]
# ### Exercise: `rnn_step`
#
# Without loops, and for N sentences at once: `x` holds one word of each sentence, `h_prev` each one's state.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The inner loops multiply and add up: that is what `@` does. Each row of `x` is a sentence of its own, and `@` keeps rows apart.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `x` (N, D) with `Wx` (D, H) gives (N, H). `h_prev` (N, H) with `Wh` (H, H) gives (N, H). `b` is (H,) and is added to every row.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return np.tanh(x @ ____ + ____ @ ____ + ____)`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def rnn_step(x, h_prev, Wx, Wh, b):
    """One step of the recurrent network.

    h = tanh(x Wx + h_prev Wh + b)

    Parameters
    ----------
    x : (N, D) float
        The embedded word.
    h_prev : (N, H) float
        The state before the word.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, H) float
        The state after the word.

    Source: Elman (1990).
    """
    # 1. the word's part   2. the old state's part   3. add both and the bias, and bend
    ### BEGIN SOLUTION
    return np.tanh(x @ Wx + h_prev @ Wh + b)
    ### END SOLUTION


# %%
rnn_step = check("rnn_step")

# %% [markdown]
# A check tries your function on many inputs. Once it passes, everything below runs on *your* function; until then, on the course's.
#
# Loop and vectorised form agree:

# %%
rng = np.random.RandomState(0)
N, D, H = 3, 2, 4
x, h_prev = rng.randn(N, D), rng.randn(N, H)
Wx, Wh, b = rng.randn(D, H), rng.randn(H, H), rng.randn(H)

h_loop = np.stack([rnn_step_loop(x[n], h_prev[n], Wx, Wh, b) for n in range(N)])
np.allclose(rnn_step(x, h_prev, Wx, Wh, b), h_loop)

# %% [markdown]
# ## 2. The encoder reads word by word
#
# The **encoder** starts at a state of zeros and takes one step per word, always with the same Wx, Wh and b. It keeps every state on the way: h_1 after the first word, h_2 after
# the second, and so on. These T states are `hs`, and the rest of the course looks at them.
#
# There is a difficulty. A batch is one rectangular array, and sentences differ in length, so the short ones are filled up with **padding**: places where no word
# stands. `keep` says which is which. What should the encoder do there?
#
# Here is the network of section 1 again (Wx = 1, Wh = 0.5, b = 0) with two sentences, "1 2" and "1 2 −1 1", and zeros as padding. First the wrong way, reading padding
# like words. The left column is the short sentence: what will become of its state in steps 3 and 4?

# %%
one, half, zero = np.array([[1.0]]), np.array([[0.5]]), np.array([0.0])  # Wx, Wh, b
words = np.array([[1.0, 2.0, 0.0, 0.0], [1.0, 2.0, -1.0, 1.0]])  # two zeros of padding in the first row

state = np.zeros((2, 1))
for i in range(4):
    state = rnn_step(words[:, i, None], state, one, half, zero)  # None inserts an axis: (2,) becomes (2, 1)
    print(f"h_{i + 1}: {state[0, 0]:5.2f} {state[1, 0]:5.2f}")

# %% [markdown]
# The short sentence ended with 0.98. Two steps of padding made that 0.22: the encoder went on forgetting after there was nothing left to read. And had the same sentence stood in
# another batch, with less padding, another number would have come out.
#
# So we say: **padding carries the state**. Where no word stands, the new state is the old one. Then the last column, `hs[:, -1]`, holds each sentence's state after
# its last *real* word, whatever its length. As a loop over the words of one sentence:


# %%
def encode_loop(X, keep, Wx, Wh, b):
    h = np.zeros((1, len(b)))  # (1, H): a batch of one
    states_so_far = []
    for x, is_word in zip(X, keep):
        if is_word:
            h = rnn_step(x[None], h, Wx, Wh, b)
        states_so_far.append(h[0])
    return np.array(states_so_far)  # (T, H)


encode_loop(words[0][:, None], [True, True, False, False], one, half, zero).round(2)

# %% [markdown]
# ### Exercise: `encode`
#
# For a batch. You still need a loop over the words, because each state needs the one before it. But all N sentences step together, and then some of them must take
# the step back: `np.where(condition, this, that)` picks, number by number.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Do the step for all N sentences, padding or not. Then choose, for each sentence: the new state where a word stands, else the old one.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# The state `h` is (N, H), at the start all zeros. `X[:, t]` is (N, D). `keep[:, t]` is (N,) and needs a second axis, (N, 1), to choose whole rows of (N, H). Stack T states of
# (N, H) along axis 1 to get (N, T, H).
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# Before the loop: `h = np.zeros((____, ____), X.dtype)`, as precise as X. In it: `h = np.where(keep[:, t, None] != 0, rnn_step(____), ____)`, and put `h` on a list. After it:
# `return np.stack(____, axis=____)`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def encode(X, keep, Wx, Wh, b):
    """Read a batch of sentences, word by word.

    h_0 = 0, and h_t = tanh(x_t Wx + h_{t-1} Wh + b) at a real word; at padding h_t = h_{t-1}.

    Parameters
    ----------
    X : (N, T, D) float
        The embedded words.
    keep : (N, T) bool
        True (or 1) at real words, False (or 0) at padding.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, T, H) float
        hs: the state after every word. hs[:, -1] is the state after each sentence's last real word.

    Source: Sutskever, Vinyals and Le (2014), section 2.
    """
    # 1. start at zeros   2. for each word: step, but carry the old state at padding   3. stack all states
    ### BEGIN SOLUTION
    N, T, D = X.shape
    h = np.zeros((N, len(b)), X.dtype)
    hs = []
    for t in range(T):
        real = keep[:, t, None] != 0  # (N, 1)
        h = np.where(real, rnn_step(X[:, t], h, Wx, Wh, b), h)
        hs.append(h)
    return np.stack(hs, axis=1)
    ### END SOLUTION


# %%
encode = check("encode")

# %% [markdown]
# Now the same two sentences again, of lengths 2 and 4. Predict the first row before you run it.

# %%
keep = np.array([[True, True, False, False], [True, True, True, True]])
hs_two = encode(words[:, :, None], keep, one, half, zero)  # (2, 4, 1)
hs_two[:, :, 0].round(2)

# %% [markdown]
# `hs_two[0, -1]` is the state after word 2 of the short sentence, `hs_two[1, -1]` the one after word 4 of the long one. Both are each sentence's last, and both sit in the same column:

# %%
print("in the last column:      ", hs_two[:, -1, 0].round(2))
print("after words 2 and 4 each:", np.array([hs_two[0, 1, 0], hs_two[1, 3, 0]]).round(2))

# %% [markdown]
# And loop and batch agree, for random sentences of lengths 5, 2 and 3:

# %%
N, T = 3, 5
X = rng.randn(N, T, D)
keep = np.arange(T) < np.array([[5], [2], [3]])  # (N, T)
hs_loop = np.stack([encode_loop(X[n], keep[n], Wx, Wh, b) for n in range(N)])
np.allclose(encode(X, keep, Wx, Wh, b), hs_loop)

# %% [markdown]
# One caution, which will come back: **h_i is not word i**. It is made of x_i *and* of `h_{i-1}`, hence of everything read up to there. Section 5 makes that visible.

# %% [markdown]
# ## 3. Where the decoder starts
#
# The second half of the model, the **decoder**, writes. It is a recurrent network too, with parameters of its own, and it needs a state to start from. The encoder's last state has
# read the whole sentence, so it is handed over: `hs[-1]` of each sentence.
#
# In a plain encoder-decoder, *this is all that the decoder ever gets*: H numbers for a sentence of any length. With attention it is only where the decoder starts, and it may look
# back at all of `hs` at every step.
#
# ### Exercise: `decoder_init`
#
# The smallest exercise of the course. Thanks to your work on padding, you don't need to know any lengths.
#
# <details><summary>Hint 1: a nudge</summary>
#
# `hs[-1]` is right for one sentence, where `hs` is (T, H). In a batch, which axis do the words run along?
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# From (N, T, H) to (N, H): take one index of the middle axis and all of the others.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return hs[____, ____]`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def decoder_init(hs):
    """The state that the decoder starts from: the encoder's last one.

    Parameters
    ----------
    hs : (N, T, H) float
        Encoder states.

    Returns
    -------
    (N, H) float

    Source: Sutskever, Vinyals and Le (2014), section 2.
    """
    # 1. the last state of every sentence
    ### BEGIN SOLUTION
    return hs[:, -1]
    ### END SOLUTION


# %%
decoder_init = check("decoder_init")

# %% [markdown]
# ## 4. The provisional state
#
# At every step the decoder takes its previous state and the word that it wrote last, and makes one recurrent step:
#
# > `h̃_t = tanh(y_t Wx + h̃_{t-1} Wh + b)` with `h̃_0 = hs[-1]`
#
# Here `y_t` is the embedding of the word *before* the one to be written. For the first word there is none, so a special word is fed, `bos` (beginning of sentence).
# (Papers write `y_{t−1}` for it; careful: in the exercise `shift_right`, `y` means the numbers of the words to be *written*.)
#
# The result `h̃_t` is the **provisional state**, the decoder's present standpoint. Read it as an answer to the question: *how ready am I to make the next word?* That is: where do I stand, before I look? It is made from the
# state the decoder came from and the word that it wrote last. Where in the input to look is **not decided yet**; h̃ is what will be used to ask. That is why it is provisional: from the next notebook
# on, it looks around, and only then does it become the final state, from which a word is made.
#
# ### What the decoder reads while it learns
#
# In training, the right words are known: the **targets**. So the decoder is fed the right previous word, whatever it would have written itself. This is
# called **teacher forcing**. One early mistake then doesn't spoil all the steps behind it, and all the inputs are known before the first step.
#
# The inputs are the targets, moved one place to the right, with `bos` in front. The last target drops out: nothing is written after it. The first four steps of a date in 1984:
#
# | step | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|
# | reads | bos | 1 | 9 | 8 |
# | is to write | 1 | 9 | 8 | 4 |
#
# What if the inputs were *not* shifted? Then the decoder would be fed the very word that it has to write, and could learn to copy its input and nothing else.
#
# ### Exercise: `shift_right`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Make a new array shaped like `y` (never change `y` itself), fill its first column, then the others.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# (N, U) in, (N, U) out. Columns 1 to U − 1 of the result are columns 0 to U − 2 of `y`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `shifted = np.empty_like(____)`, then `shifted[:, ____] = bos`, then `shifted[:, ____] = y[:, ____]`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def shift_right(y, bos):
    """What the decoder reads while it is trained: bos, then the targets but the last.

    Parameters
    ----------
    y : (N, U) int
        Target words.
    bos : int
        The word that opens every sentence.

    Returns
    -------
    (N, U) int
    """
    # 1. a new array like y   2. bos into the first column   3. the targets but the last into the others
    ### BEGIN SOLUTION
    shifted = np.empty_like(y)
    shifted[:, 0] = bos
    shifted[:, 1:] = y[:, :-1]
    return shifted
    ### END SOLUTION


# %%
shift_right = check("shift_right")

# %% [markdown]
# Two target sentences of three words. Which number will be gone from each row?

# %%
targets = np.array([[5, 7, 2], [6, 8, 2]])
shift_right(targets, BOS)  # BOS is 1 in this course

# %% [markdown]
# **At test time there are no targets.** Then the decoder reads the word that it has written itself, one step after the other, and a mistake may lead to more. `shift_right` belongs to training alone.
#
# Either way, what it reads is a *word's embedding*, a row of E. It never reads the probabilities that it gave to all the words: from those, one word is chosen first, and that word is
# looked up.

# %% [markdown]
# ### All steps, by hand
#
# Take D = H = 1, Wx = 1, Wh = 1, b = 0, a start at `hs[-1]` = 0.5, and the *same* input, 0, three times. The input never changes; does h̃?

# %%
h = 0.5  # hs[-1]
for step in [1, 2, 3]:
    print(f"h̃_{step} = tanh(0 + {h:.2f}) = {np.tanh(h):.2f}")
    h = np.tanh(h)

# %% [markdown]
# It does: the standpoint moves on, even when the same word comes again. So "8" written as the year's third digit and "8" written as the day lead to different states.
#
# As a loop over the words of one sentence, the specification:


# %%
def provisional_states_loop(hs, Y, Wx, Wh, b):
    h, found = hs[-1], []
    for y in Y:
        h = rnn_step_loop(y, h, Wx, Wh, b)
        found.append(h)
    return np.array(found)  # (U, H)


# %% [markdown]
# ### Exercise: `provisional_states`
#
# For a batch, with your own `decoder_init` and `rnn_step`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# It is `encode` without padding, with another start.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# The start is (N, H), `Y[:, t]` is (N, D), each state (N, H). The U states stacked along axis 1 are (N, U, H). U comes from `Y`, not from `hs`: a sentence and its translation may
# differ in length.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# Before the loop: `h_tilde = decoder_init(____)`. In it: `h_tilde = rnn_step(Y[:, t], ____, Wx, Wh, b)`, and put it on a list. After it: `return np.stack(____, axis=____)`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def provisional_states(hs, Y, Wx, Wh, b):
    """The decoder's provisional states for all target words (teacher forcing).

    h̃_0 = hs[-1], and h̃_t = tanh(y_t Wx + h̃_{t-1} Wh + b)

    Parameters
    ----------
    hs : (N, T, H) float
        Encoder states.
    Y : (N, U, D) float
        The embedded decoder inputs: bos, then the targets but the last.
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    (N, U, H) float

    Source: Saitoh (2018), chapter 8; the h of Luong, Pham and Manning (2015).
    """
    # 1. start at the encoder's last state   2. one step a word, the state carried on   3. stack all states
    ### BEGIN SOLUTION
    h_tilde = decoder_init(hs)
    states = []
    for t in range(Y.shape[1]):
        h_tilde = rnn_step(Y[:, t], h_tilde, Wx, Wh, b)
        states.append(h_tilde)
    return np.stack(states, axis=1)
    ### END SOLUTION


# %%
provisional_states = check("provisional_states")

# %% [markdown]
# Loop and batch agree, here with T = 5 words read and U = 3 written:

# %%
memory, Y = rng.randn(N, T, H), rng.randn(N, 3, D)
Ht_loop = np.stack([provisional_states_loop(memory[n], Y[n], Wx, Wh, b) for n in range(N)])
np.allclose(provisional_states(memory, Y, Wx, Wh, b), Ht_loop)

# %% [markdown]
# ### Two choices made for you
#
# - **Which state is "the previous hidden state"?** Here it is `h̃_{t-1}`: provisional state follows provisional state. That is the wiring in Saitoh's *Deep Learning from Scratch 2*, chapter 8, and the
#   course's default. One can also carry on the *final* state of the step before, which has looked around already. Notebook 06 compares the two.
# - **Where does it start?** Here `hs[-1]` is the state *before* the first step. Some authors count differently: they call `hs[-1]` itself `h̃_1`, and step only after the first word.

# %% [markdown]
# ## 5. What does the last state still know?
#
# Now to a real encoder. The course brings parameters that were trained on dates, with attention (how they were trained is notebook 06's matter). Your `encode` reads with them: D = 16
# numbers per character, H = 64 per state. `course` is the folder that the first cell has found.

# %%
model = TrainedModel.load(f"{course}/utils/dates.npz")
p = model.params
for name in ["E_source", "Wx_source", "Wh_source", "b_source"]:
    print(f"{name:10}", p[name].shape)

# %% [markdown]
# Reading a text takes three steps: number its characters, look up their vectors (`embed`, from notebook 00), encode.


# %%
def read(texts, p):
    ids = model.source_vocabulary.numbers(texts)  # (N, T)
    X = embed(ids, p["E_source"])  # (N, T, 16)
    return encode(X, ids != PAD, p["Wx_source"], p["Wh_source"], p["b_source"])  # (N, T, 64)


# %% [markdown]
# Two dates that differ in **one early character**, the very first:
#
#     3 september 1984
#     8 september 1984
#
# Everything behind it is the same. Your encoder reads both, and gives states `h_1 … h_16` for the first and `h′_1 … h′_16` for the second. How far apart are `h_i` and `h′_i`? The distance is
# `|h_i − h′_i|`, the length of the difference.
#
# **Predict before you run.** Draw a curve on paper: large at the first character, where the dates differ. And then? Does the difference stay, grow, or fade? Is it 0 at "s", where
# both read the same character?

# %%
pair = ["3 september 1984", "8 september 1984"]
hs = read(pair, p)
distance = np.linalg.norm(hs[0] - hs[1], axis=1)  # (T,)
for i in [0, 1, 2, 5, 10, len(distance) - 1]:
    print(f"after {pair[0][: i + 1]!r:19} {distance[i]:.2f}")
print(f"to compare: the states are {np.linalg.norm(hs, axis=2).mean():.1f} long on average")

# %% [markdown]
# Two things to see:
#
# - At "s", the third character, both read the same, and their states are still 5.69 apart. So h_3 is not "s": it is "3 s" in one sentence and "8 s" in the other.
# - At the end, 0.04 is left of 6.29. `hs[-1]` has read the day, and has hardly anything left of it.
#
# Is that a result of training, or do all such networks forget? Compare with an encoder of the same size whose parameters are random numbers, never trained. Which of the two lets go first?

# %%
untrained = init_params(model.config, np.random.RandomState(0))
hs_untrained = read(pair, untrained)
distances = {"trained": distance, "untrained": np.linalg.norm(hs_untrained[0] - hs_untrained[1], axis=1)}
state_distances(pair, distances, "One early character differs")

# %% [markdown]
# Both fade. Every step multiplies the difference by Wh and flattens it by tanh, and with these weights it shrinks, as in section 1. The untrained one lets go first: at "s" it has six tenths
# of its difference left, and the trained one nine tenths. But from the "t" on the two are nearly level, and at the end the trained one has even less. It keeps the day for a while, and not to the end. And the
# end is what the decoder is handed.
#
# Is this one unlucky pair? Take nine dates, the 1st to the 9th of september 1984, and ask how far apart their last states are at most. Then nine dates that differ in the *last* character, the years 1981 to 1989.


# %%
def farthest(states):
    return max(np.linalg.norm(h - other) for h in states for other in states)


days = read([f"{day} september 1984" for day in range(1, 10)], p)
years = read([f"3 september 198{digit}" for digit in range(1, 10)], p)
print(f"nine days:  hs[-1] at most {farthest(days[:, -1]):.2f} apart")
print(f"nine years: hs[-1] at most {farthest(years[:, -1]):.2f} apart")

# %% [markdown]
# Seen from their last states, the nine days lie almost on one point, and the nine years far apart. `hs[-1]` is mostly about what was read *last*.
#
# Change `pair` above to dates of your own (same length, written in the formats of notebook 00) and run again. What about "june 3, 1984" and "july 3, 1984"? Put the old `pair` back and run both cells again before you go on.

# %% [markdown]
# ### See it move
#
# The same encoder, one step at a time, with your functions behind the controls (where they can't run, a picture stands in their place). Above, every state is a column of colours; below, what goes into
# the present step and what comes out. **Predict** before each:
#
# - Go to steps 4, 7 and 10, the three e's of "september". The same x goes in each time. Does the same state come out?
# - Go on to steps 17, 18 and 19. What do the columns of the padding look like? At the end, untick "padding carries": does the decoder now start somewhere else?
# - Tick it again. The row *apart* holds every state against the one in the same column of another text, "8 september 1984". Compare with "3 september 1985" instead: which numbers of the row are 0.00, and how
#   large is the last one?

# %%
explore_states(embed, encode, decoder_init, model)

# %% [markdown]
# The same e comes out as three different states, because three different states went in with it. Padding repeats h_16 until the decoder starts from it; read like words, the same three places move that start by 5.15. And
# what is left of the day's digit fades from 6.29 to 0.04 on the way, while the two years are 0.00 apart up to the last digit, where they are the same text, and 3.91 from there on.
#
# ### And the decoder?
#
# It starts from `hs[-1]`. Let it write both dates with the right words fed: "1984-09-03" and "1984-09-08". Up to the last digit it is fed the same words, so the two decoders differ only by their start.
# When they are about to write that last digit, 3 or 8, at step 10: how far apart are their provisional states?

# %%
targets = model.target_vocabulary.numbers(["1984-09-03", "1984-09-08"])  # (2, 10)
Y = embed(shift_right(targets, BOS), p["E"])  # (2, 10, 16)
H_tilde = provisional_states(hs, Y, p["Wx"], p["Wh"], p["b"])  # (2, 10, 64)
print(f"h̃_1  of the two dates:     {np.linalg.norm(H_tilde[0, 0] - H_tilde[1, 0]):.5f} apart")
print(f"h̃_10 of the two dates:     {np.linalg.norm(H_tilde[0, 9] - H_tilde[1, 9]):.5f} apart")
print(f"h̃_9 and h̃_10 of one date: {np.linalg.norm(H_tilde[0, 8] - H_tilde[0, 9]):.1f} apart")

# %% [markdown]
# Both decoders stand at practically the same place. The last line shows what h̃ *does* know: from step to step it moves far (in part because another word is read). It can tell "now comes the day's second digit" from "now comes the day's
# first". That is the meaning of *how ready am I to make the next word*: the standpoint, the same for both dates. But *which* digit? And still the whole trained model writes:

# %%
for text in pair:
    print(text, "→", model.write(text)[0])

# %% [markdown]
# Both are right. It can hardly have that 3 and that 8 from h̃. But it also has `hs`: near the day, the two sentences' states are far apart, and attention lets the decoder look *there*, now that
# it needs the day. How it finds the place is what the next three notebooks build, and notebook 06 puts it to the test by exchanging states.
#
# What this doesn't show: a difference of 0.04 is small, not zero, and this encoder was trained *with* attention, so it did not need to keep the day to the end. A model that has
# `hs[-1]` alone would have every reason to. `python -m utils.train --score none --steps 400` trains one: when we measured (seed 0), it wrote 0.5% of 3,592 unseen dates right. That is the plainest recurrent
# step and a short training; there are recurrent steps that are built to hold on longer (LSTM, GRU). Notebook 06 compares models with and without attention.
#
# **On the forward track you are done with the exercises.** Skip to *Check yourself*.

# %% [markdown]
# ## 6. Backwards (full track)
#
# To learn, a network has to know, for each of its numbers: if this one rises a little, does the loss rise or fall, and how fast? That speed is the number's **gradient**. This section is a primer: five rules, each tried
# out in two lines, and then three exercises that put them together. The later notebooks build on these.
#
# ### Nudge a number and watch the loss
#
# The **loss** is one number that says how wrong the network is. Suppose it depends on one number w, and we want 3 w to be 5:

# %%
loss = lambda w: (3 * w - 5) ** 2
print(f"{loss(1.0):.3f}  {loss(1.001):.3f}")

# %% [markdown]
# A nudge of 0.001 lowered the loss by 0.012, so it falls about 12 times as fast as w rises: the gradient is about **−12**, and w should rise. This works for any loss. A nudge in both directions is more exact:


# %%
def slope(f, x, nudge=1e-6):
    return round(float(f(x + nudge) - f(x - nudge)) / (2 * nudge), 3)


slope(loss, 1.0)

# %% [markdown]
# Then why have rules at all? Because a network has tens of thousands of numbers, and nudging means to compute the loss twice for each. The rules give all gradients in one go, backwards from the loss. Nudging remains the judge:
# the checks of this course nudge.
#
# We write `dw` for the gradient of the loss with respect to w. It always has the shape of w. A backward function is given the gradient that arrives at its result, say `dy`,
# the *upstream* gradient, and sends on what that means for its inputs.
#
# ### Rule 1: through a step, multiply by its slope
#
# The loss above is made in steps: y = 3 w, and then (y − 5)². At w = 1, y is 3, and there the second step has the slope 2 (y − 5) = −4 (the slope of a square), so dy = −4. The first has the slope 3. So dw = −4 · 3 = −12, as nudged. This is the **chain rule**.
#
# ### Rule 2: in a product, each gets the other
#
# If a rises by 1, then a · b rises by b. So from y = a b follow `da = dy b` and `db = dy a`.

# %%
print(slope(lambda a: a * 4.0, 3.0))  # b = 4
print(slope(lambda b: 3.0 * b, 4.0))  # a = 3

# %% [markdown]
# ### Rule 3: the slope of tanh is 1 − tanh²
#
# It can be told from the *result*. Where tanh is close to 1 or −1, its curve is flat: next to nothing gets through. Which of the three points has the smallest slope?

# %%
for z in [0.0, 0.5, 3.0]:
    print(f"z = {z}: nudged {slope(np.tanh, z):.3f}, 1 - tanh² = {1 - np.tanh(z) ** 2:.3f}")

# %% [markdown]
# ### Rule 4: in a sum, each gets the whole
#
# If a rises by 1, then a + b rises by 1. From y = a + b follow `da = dy` and `db = dy`. With dy = 10 and b = 4:

# %%
slope(lambda a: 10 * (a + 4.0), 3.0)

# %% [markdown]
# ### Rule 5: what is used twice, adds up
#
# A number that is used in two places moves the loss by two paths, and the paths **add up**. If it is used once in 2 a and once in 5 a, its gradient is 2 + 5. Predict the second one, a · a at a = 3, by rules 2 and 5:

# %%
print(slope(lambda a: 2 * a + 5 * a, 1.0))
print(slope(lambda a: a * a, 3.0))

# %% [markdown]
# Broadcasting is a hidden way to use a number many times. Here one bias is added to three rows, and each row has its own upstream gradient: 1, 2 and 3. What arrives at the bias?

# %%
upstream, rows = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.1, 0.7])
slope(lambda bias: (upstream * (rows + bias)).sum(), 0.0)

# %% [markdown]
# 1 + 2 + 3 = 6. Forwards something is repeated, backwards it is summed. You will use this rule in every notebook.
#
# ### The brick: y = x W
#
# Nearly every layer contains a product with a matrix. Written out, `y_{n,o}` is the sum of all `x_{n,i} W_{i,o}` over i. Each product sends two things back (rule 2), and whatever is used more than once adds up (rule 5). As a loop:


# %%
def linear_backward_loop(dy, x, W):
    to_x, to_W = np.zeros(x.shape), np.zeros(W.shape)
    for n in range(len(x)):
        for i in range(len(W)):
            for o in range(W.shape[1]):  # forwards: y[n, o] += x[n, i] * W[i, o]
                to_x[n, i] += dy[n, o] * W[i, o]
                to_W[i, o] += x[n, i] * dy[n, o]
    return to_x, to_W  # dx, dW


# %% [markdown]
# By hand, with two sentences and two numbers everywhere:
#
# | row | x | W | dy |
# |---|---|---|---|
# | first | (1, 2) | (1, −1) | (1, 0) |
# | second | (3, 0) | (0, 2) | (2, 1) |
#
# | by hand | result |
# |---|---|
# | first row of dx: ( 1 · 1 + 0 · (−1) , 1 · 0 + 0 · 2 ) | = ( __ , __ ) |
# | second row of dx: ( 2 · 1 + 1 · (−1) , 2 · 0 + 1 · 2 ) | = ( __ , __ ) |
# | first row of dW: ( 1 · 1 + 3 · 2 , 1 · 0 + 3 · 1 ) | = ( __ , __ ) |
# | second row of dW: ( 2 · 1 + 0 · 2 , 2 · 0 + 0 · 1 ) | = ( __ , __ ) |
#
# In the rows of dx, which numbers are multiplied with those of dy: a row of W, or a column? And in dW, where W is shared by both sentences, what is added up?
#
# <details><summary>Compare</summary>
#
# dx = (1, 0), (1, 2). dW = (7, 3), (2, 0). Each number of dx takes a *row* of W, so W stands transposed. Each number of dW adds up over the *sentences*.
#
# </details>
#
# The loop, on the same numbers:

# %%
x, W, dy = np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[1.0, -1.0], [0.0, 2.0]]), np.array([[1.0, 0.0], [2.0, 1.0]])
dx, dW = linear_backward_loop(dy, x, W)
print(dx, dW, sep="\n\n")

# %% [markdown]
# ### Exercise: `linear_backward`
#
# Two lines, no loop. Several of the later backwards use this brick, or its two lines.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Both are matrix products with `dy`. In each, one index must disappear: o in dx, n in dW. `@` removes the last axis of its left side and the first axis of its right side.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `dy` is (N, O), `x` is (N, I), `W` is (I, O). For dx: (N, O) with (O, I). For dW: (I, N) with (N, O). The shapes remind you of the order. That it is *right*, the loop shows.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dx = dy @ ____`, then `dW = ____ @ dy`. Each blank is something transposed: `.T`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def linear_backward(dy, x, W):
    """The gradients of y = x W: a brick of many others.

    dx_{n,i} = Σ_o dy_{n,o} W_{i,o},   dW_{i,o} = Σ_n x_{n,i} dy_{n,o}

    Parameters
    ----------
    dy : (N, O) float
        The gradient that arrives at y.
    x : (N, I) float
    W : (I, O) float

    Returns
    -------
    dx : (N, I) float
    dW : (I, O) float
        Summed over the batch.
    """
    # 1. dx: each row of dy goes back through W   2. dW: each sentence's share, added up
    ### BEGIN SOLUTION
    dx = dy @ W.T
    dW = x.T @ dy
    return dx, dW
    ### END SOLUTION


# %%
linear_backward = check("linear_backward")

# %% [markdown]
# Loop and vectorised form agree, for dx and for dW:

# %%
dy, x, W = rng.randn(4, 5), rng.randn(4, 3), rng.randn(3, 5)  # (N, O), (N, I), (I, O)
pairs = zip(linear_backward(dy, x, W), linear_backward_loop(dy, x, W))
[np.allclose(mine, loop) for mine, loop in pairs]

# %% [markdown]
# ### One recurrent step backwards
#
# Go through `h = tanh(z)`, `z = x Wx + h_prev Wh + b` from the outside to the inside:
#
# | forward | backward | why |
# |---|---|---|
# | `h = tanh(z)` | `dz = dh (1 − h²)` | rules 1 and 3 |
# | a sum of three | dz goes to each part | rule 4 |
# | `x Wx` and `h_prev Wh` | the brick, twice | |
# | b, added to every sentence | `db = Σ_n dz_n` | rule 5 |
#
# By hand, N = 2 and D = H = 1. The weights are Wx = 1, Wh = −2, b = 0. The first sentence has x = 1, h_prev = 0.5, so z = 1 − 1 = 0 and h = 0. The second has x = 1, h_prev = 0, so z = 1 and
# h = 0.76. What arrives is dh = 3 and dh = 1. Fill in:
#
# | by hand | result |
# |---|---|
# | dz, first sentence: 3 · (1 − 0²) | = __ |
# | dz, second sentence: 1 · (1 − 0.76²) | = __ |
# | dh_prev, first sentence: dz · Wh | = __ |
# | dWx: 1 · dz of the first + 1 · dz of the second | = __ |
# | dWh: 0.5 · dz of the first + 0 · dz of the second | = __ |
# | db: both dz | = __ |
#
# <details><summary>Compare</summary>
#
# dz = 3 and 0.42. dh_prev = −6. dWx = 3.42. dWh = 1.5. db = 3.42.
#
# </details>
#
# Let a nudge of Wx and one of Wh judge. Upstream gradients of 3 and 1 mean that the loss is 3 h of the first sentence plus 1 h of the second:

# %%
xs, before, dh, zero = np.array([[1.0], [1.0]]), np.array([[0.5], [0.0]]), np.array([[3.0], [1.0]]), np.zeros(1)
print(slope(lambda Wx: (dh * rnn_step(xs, before, np.array([[Wx]]), np.array([[-2.0]]), zero)).sum(), 1.0))
print(slope(lambda Wh: (dh * rnn_step(xs, before, np.array([[1.0]]), np.array([[Wh]]), zero)).sum(), -2.0))

# %% [markdown]
# ### Exercise: `rnn_step_backward`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Compute h with your `rnn_step`, then dz. Then the brick does nearly all of the rest: call it once for each of the two products.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# h, dh and dz are (N, H). `linear_backward(dz, x, Wx)` gives dx (N, D) and dWx (D, H). `b` is (H,), so dz must lose its first axis.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dz = dh * (1 - ____)`, `dx, dWx = linear_backward(dz, ____, ____)`, `dh_prev, dWh = linear_backward(dz, ____, ____)`, `db = dz.sum(axis=____)`
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def rnn_step_backward(dh, x, h_prev, Wx, Wh, b):
    """The gradients of h = tanh(x Wx + h_prev Wh + b).

    dz = dh (1 − h²); then each product is a linear layer, and b was used once per sentence.

    Parameters
    ----------
    dh : (N, H) float
        The gradient that arrives at h.
    x : (N, D) float
    h_prev : (N, H) float
    Wx : (D, H) float
    Wh : (H, H) float
    b : (H,) float

    Returns
    -------
    dx : (N, D) float
    dh_prev : (N, H) float
    dWx : (D, H) float
    dWh : (H, H) float
    db : (H,) float

    Source: Rumelhart, Hinton and Williams (1986).
    """
    # 1. h again, then dz   2. through the word's product   3. through the old state's product   4. the bias
    ### BEGIN SOLUTION
    h = rnn_step(x, h_prev, Wx, Wh, b)
    dz = dh * (1 - h**2)  # (N, H)
    dx, dWx = linear_backward(dz, x, Wx)
    dh_prev, dWh = linear_backward(dz, h_prev, Wh)
    db = dz.sum(axis=0)
    return dx, dh_prev, dWx, dWh, db
    ### END SOLUTION


# %%
rnn_step_backward = check("rnn_step_backward")

# %% [markdown]
# The numbers of the table, from your function. Are they the ones in your blanks?

# %%
names = ["dx", "dh_prev", "dWx", "dWh", "db"]
for name, grad in zip(names, rnn_step_backward(dh, xs, before, np.array([[1.0]]), np.array([[-2.0]]), zero)):
    print(f"{name:8}", grad.ravel().round(2))

# %% [markdown]
# The `dh_prev` that comes out here is what arrives as `dh` at the step *before*. So the steps can be chained, from the last word to the first; that is **backpropagation through time**. You don't have to write it: the loops around
# your backwards, through the encoder and the decoder, are course code, which notebook 06 shows and explains.
#
# ### Words that occur twice
#
# Last, the embedding: X = E[ids] looks up rows. A word's row is used wherever the word stands, so rule 5 applies. By hand: the sentence "a b a", with a = 0 and b = 2 in a vocabulary of three words, D = 1, and dX = 1, 10, 100.
#
# | by hand | result |
# |---|---|
# | dE, row 0 (a): 1 + 100 | = __ |
# | dE, row 1 (does not occur) | = __ |
# | dE, row 2 (b) | = __ |
#
# <details><summary>Compare</summary>
#
# 101, 0 and 10.
#
# </details>
#
# Going back looks as easy as going forth: `dE[ids] = dX`. Predict what that gives for row 0. And does `+=` mend it?

# %%
ids, dX = np.array([[0, 2, 0]]), np.array([[[1.0], [10.0], [100.0]]])
stored, added = np.zeros((3, 1)), np.zeros((3, 1))
stored[ids] = dX
added[ids] += dX
print(stored.ravel(), added.ravel())

# %% [markdown]
# Both are wrong, in silence: 100 where it should be 101. With `=`, the later value overwrites the earlier one. With `+=`, NumPy first *reads* all rows, then adds, then stores: both a's start from 0, and again the last one wins.
# Either a loop over all places adds up rightly, or `np.add.at`, NumPy's own "add at these places, one after another".
#
# ### Exercise: `embedding_backward`
#
# <details><summary>Hint 1: a nudge</summary>
#
# Start from zeros, one row per word of the vocabulary. Then every place (n, t) adds its gradient to the row of its word.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `dX` is (N, T, D) and `ids` (N, T): together they say which row of (V, D) gets which D numbers. D is `dX.shape[2]`.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `dE = np.zeros((____, ____))`, then `np.add.at(____, ____, ____)`: the array, the places, what is added.
#
# </details>
#
# [The solution](../solutions/01_provisional_state.ipynb), for when you have tried.


# %%
def embedding_backward(dX, ids, V):
    """The gradient of X = E[ids]: a word's row collects from every place where the word stands.

    dE_v = Σ dX_{n,t} over all n, t with ids_{n,t} = v

    Parameters
    ----------
    dX : (N, T, D) float
        The gradient that arrives at X.
    ids : (N, T) int
    V : int
        The number of words in the vocabulary.

    Returns
    -------
    (V, D) float
        dE; rows of words that do not occur are 0.
    """
    # 1. zeros for the whole vocabulary   2. add every place's gradient to its word's row
    ### BEGIN SOLUTION
    dE = np.zeros((V, dX.shape[2]))
    np.add.at(dE, ids, dX)
    return dE
    ### END SOLUTION


# %%
embedding_backward = check("embedding_backward")

# %% [markdown]
# The sentence "a b a" once more:

# %%
embedding_backward(dX, ids, 3).ravel()

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** Wx = 2, Wh = −1, b = 0. The word is x = 0.5 and the old state is h_prev = 1. What is the new state h?
#
# <details><summary>Your number, then open</summary>
#
# tanh(2 · 0.5 + (−1) · 1) = tanh(0) = **0**. If you have 0.76, the old state got lost: that is tanh(1). If you have 0.96, the minus sign did: that is tanh(2).
#
# </details>
#
# **2.** In "8 september 1984", what is h_3?
#
# <details><summary>(a) The vector of "s".</summary>
#
# No. That is x_3, which is the same wherever an "s" stands. With "3" in place of "8", h_3 would be another.
#
# </details>
# <details><summary>(b) The encoder's state after reading "8 s".</summary>
#
# Yes. It is made of everything up to there, and the latest characters count most.
#
# </details>
# <details><summary>(c) A summary of the whole date.</summary>
#
# No. Our encoder reads from left to right, so h_3 knows nothing of what comes after the "s".
#
# </details>
#
# **3.** A sentence of 2 words stands in a batch with T = 4. Where is its state after the last real word?
#
# <details><summary>(a) In hs[n, 1] and nowhere else.</summary>
#
# No. It is there, but padding carries it on: hs[n, 2] and hs[n, 3] are the same.
#
# </details>
# <details><summary>(b) In hs[n, -1], because padding is a vector of zeros and changes nothing.</summary>
#
# No. The place is right, the reason is wrong: a step on zeros changes the state, as the 0.98 that became 0.22 in section 2.
#
# </details>
# <details><summary>(c) In hs[n, -1], because the encoder takes no step at padding.</summary>
#
# Yes. That is what `keep` is for.
#
# </details>
#
# **4.** The trained model writes a date that it has never seen. What does the decoder read at step 5?
#
# <details><summary>(a) The right fourth word.</summary>
#
# No. That is teacher forcing, and needs targets. There are none at test time.
#
# </details>
# <details><summary>(b) The probabilities of all words from step 4.</summary>
#
# No. One word is chosen from them first. The decoder reads vectors of words, as it did in training.
#
# </details>
# <details><summary>(c) The embedding of the word that it wrote itself at step 4.</summary>
#
# Yes. If that word was wrong, it goes on from there.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/01_provisional_state.ipynb).

# %% [markdown]
# ### Question 1
#
# Suppose that the encoder read every text from its last character to its first, and handed over the state that it has at the end of this. Section 5
# compared nine days ("1 september 1984" to "9 september 1984") and nine years (1981 to 1989). Predict for the reversed encoder: which nine last
# states are far apart, and which lie almost on one point? And of what is its state made when it has just read the "s" of "3 september 1984"? Give
# your reasons.

# %% [markdown]
# **A good answer.** Now the day is read last, and the year's last digit first. So the nine days should end far apart and the nine years almost on one
# point, the other way round than before: each step multiplies an old difference by Wh and flattens it by tanh, so that what was read first has faded
# most. (With section 5's trained parameters and reversed texts: the nine days at most 6.10 apart, the nine years 0.23.) The state at the "s" is made
# of "4891 rebmetpes", the year and the month, and of nothing of the day, which comes later for this encoder. Either way, a state is not its
# character. It is what has been read so far.

# %% [markdown]
# ### Question 2
#
# To do without `keep`, somebody puts the padding in *front* of the short sentences and gives it an embedding of zeros. Take Wx = 1, Wh = 0.5 and a
# start at h = 0. What is the state after one place of padding, and after two, if b = 0? And if b = 0.5? When does the idea work, and why is carrying
# the state safer?

# %% [markdown]
# **A good answer.** With b = 0 it is tanh(0 + 0.5 · 0 + 0) = 0 after any number of places. The first real word then starts from 0, as without
# padding, and the idea works. With b = 0.5 it is tanh(0.5) = 0.46 after one place, and tanh(0.5 · 0.46 + 0.5) = tanh(0.73) = 0.62 after two. So the
# sentence starts from another state, and from which one depends on how long the *other* sentences of the batch are. b is learned, and nothing keeps
# it at 0. To carry the state means to take no step at padding, which is right for all parameters.

# %% [markdown]
# ### Question 3
#
# When the last digit of the day is due, the provisional states of "3 september 1984" and "8 september 1984" are practically the same, and still a 3
# and an 8 get written. A friend concludes: "So h̃ knows nothing, and one could leave it out." Find the flaw. What does h̃ contribute, where does the
# difference come from, and what if the decoder asked with one and the same h̃ at every step?

# %% [markdown]
# **A good answer.** h̃ can hardly tell *which* digit, that is true. But it isn't there to hold the answer. It says where the decoder stands,
# here "the day's second digit comes next", and that is the same for both dates. The difference comes from `hs`: the same question meets other states, for
# near the day the states of the two sentences are far apart. From step to step h̃ moves far, so that every step asks something else. With one and the same h̃
# the decoder would ask the same each time, and it could not look for the year first and for the day later.

# %% [markdown]
# ## What we have now
#
# `hs`, one state for every word read, and h̃, the decoder's standpoint at every step, which starts from `hs[-1]`.
#
# What is missing: h̃ knows *that* the day's second digit comes next, and not which one; the states that know it lie back in `hs`. Which of them fit what h̃ is looking for?
# [Notebook 02](02_scores.ipynb) compares h̃ with every h_i.

# %% tags=["nbval-ignore-output"]
progress()
