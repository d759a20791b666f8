# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 00 · Start here: where do you look when you read?
#
# **start** → h̃ → scores → weights → context → h^final → next word
#
# Welcome. In seven notebooks you build a small program that reads a date as people write it and writes it in digits. While it writes, it
# looks back at what it read, and it learns by itself where to look. That is called *attention*. The line above is the road; every word and
# sign on it is explained when you reach it.
#
# **You will build** your own attention map, and one practice exercise.
#
# **You need** a little NumPy: arrays, shapes, and picking rows by number. You need to know nothing about attention.
#
# **Minutes** about 40. There are two tracks through the course: the *forward track* is enough to understand attention and to train the program, and
# the *full track* adds the gradients, which tell a network how to learn. This notebook has no gradients, so both tracks are the same.
#
# To run a cell, click on it and press Shift and Enter together. Begin with the next two cells, which fetch the course's code. You needn't read them.

# %%
from datetime import date

import numpy as np

from utils.checks import check, progress, report
from utils.dates import FORMATS, date_task, written
from utils.my_map import my_map
from utils.plots import flow
from utils.widgets import draw_my_map

# %% [markdown]
# ## 1. Your own attention map
#
# Before any theory, watch yourself for two minutes. Here is a date. The digits below it number its characters, read from top to bottom: the 9 of 1984 is
# character 25. Spaces and commas count.
#
# ```
# tuesday, september 25, 1984
#          111111111122222222
# 123456789012345678901234567
# ```
#
# Write it in digits, as year, month and day, with hyphens between them: four characters, a hyphen, two, a hyphen, two. That makes ten characters.
# (This form is called ISO 8601.)
#
# Take a sheet of paper and write slowly, one character at a time, with the date in view. **After each character, note where in the date you looked for it**:
# at a word, a single character, two places, or nowhere. There is no right answer. Where you did look is what counts.
#
# Done? Then enter your notes, by clicking or by typing. **Clicking** is the next cell: run it, press the characters you looked at for each one you wrote, and at the end *keep my map*. (Where buttons can't run, you see a picture
# of an example.)

# %%
draw_my_map("tuesday, september 25, 1984", "1984-09-25")

# %% [markdown]
# **Typing** is the cell below, one line for each character that you wrote. Between the quotation marks stands the piece of the date that you looked
# at. What stands there now is the example: another reader's notes. If you have clicked, leave them as they are, and compare them with yours.
#
# | you looked at | write |
# |---|---|
# | one piece, long or short | `"september"` or `"sep"` or `"8"` |
# | several pieces | `["tuesday", "25"]` |
# | nothing in the date | `""` |
# | a piece that the date has more than once, as the letter t | its number: `13` |
#
# The course then draws the map. A mistake does no harm: you are told what is wrong, change the line, and run the cell again.

# %%
source, target = "tuesday, september 25, 1984", "1984-09-25"
looked = [
    "1984",  # for the 1
    "1984",  # for the 9
    "1984",  # for the 8
    "1984",  # for the 4
    "",  # for the first hyphen
    "september",  # for the 0
    "september",  # for the 9
    "",  # for the second hyphen
    "25",  # for the 2
    "25",  # for the 5
]
my_map(source, target, looked)

# %% [markdown]
# This is an **attention map**. Each row is a character that was written, from top to bottom; each column is a character that was read. The brighter a cell,
# the larger its share of the look. The sign ␣ is a space.
#
# Every row shares out exactly 1. Whoever looked at "1984" gave each of its four characters 1/4. A long word looks dim, because its characters share
# the same 1. These shares are called **attention weights**.
#
# What about a row for which nobody looked anywhere? You may look nowhere; the program of this course can't. Its weights sum to 1 in every row, whether it needs
# something or not. So the map shows "nothing in particular" as 1/27 for each of the 27 characters.
#
# Now read the map as a story:
#
# - The year stands last in the date and comes first in the digits. Did your eyes go from left to right?
# - The date has no digits for the month. You found "september" and knew what to write for it. Looking and knowing are two things, and a program
#   has to learn both.
# - Which part of the date did you never look at?
#
# Once you have pressed *keep my map*, or the list is yours, your map is kept in a small file, `my_map.json` beside the notebooks, on the computer that runs them. In notebook 06 you lay it beside the map
# of the program that you have trained. **Make a guess now**, and write it down: in which rows will the program look where you looked?

# %% [markdown]
# ## The question that is open
#
# Nobody told you where to look, and nobody will tell the program. It gets pairs of texts, such as "tuesday, september 25, 1984" and "1984-09-25", and nothing else:
# no marks, no positions. **How can a program that only computes with numbers look somewhere? And how can it learn where?**
#
# The six notebooks after this one answer that, one stage at a time. The rest of this one lays out the tools.

# %% [markdown]
# ## 2. Words become rows of numbers
#
# Inside, the program is a *neural network*: it multiplies and adds arrays of numbers. Some of these numbers, its *parameters*, are changed while it learns, until what it
# writes comes out right.
#
# So words must become numbers. Every word gets a number, its *id*, and a row of D numbers, its *embedding*, which is learned like all parameters. A **word** is
# whatever is read or written one at a time. In this course that is nearly always a single character, because dates are read character by character.
#
# | code | shape | what it is |
# |---|---|---|
# | `ids` | (N, T) | the ids of N sentences of T words each |
# | `E` | (V, D) | all embeddings: one row for each of V words |
# | `X` | (N, T, D) | the embeddings of the words in the sentences |
# | `keep` | (N, T) | True at real words, False at padding |
#
# The letters always mean the same: N sentences at once (a *batch*), T words in a sentence, D numbers in an embedding, V words in the vocabulary (all words
# that the program knows).
#
# An example that fits into the hand: the vocabulary is a, m and y, with the ids 1, 2 and 3, and the sentences are "may" and "am". They differ in length, and an array
# needs rows of one length. So "am" is filled up with **padding**, which has the id 0.

# %%
ids = np.array([[2, 1, 3], [1, 2, 0]])  # (N, T)   m a y, a m and padding
E = np.array([[0, 0], [1, 0], [0, 1], [5, 5]])  # (V, D)   the rows of: padding, a, m, y

# %% [markdown]
# Putting in the embeddings means looking up one row of `E` for every id. By hand, for "may":
#
# | word | id | row of `E` |
# |---|---|---|
# | m | 2 | (0, 1) |
# | a | 1 | (1, 0) |
# | y | 3 | (5, 5) |
#
# As a loop over sentences and words, it looks like this. **Before you run the cell**: what shape does the result have, and what is its last row?


# %%
def embed_loop(ids, E):
    N, T = ids.shape
    X = np.zeros((N, T, E.shape[1]))
    for n in range(N):
        for t in range(T):
            X[n, t] = E[ids[n, t]]
    return X


embed_loop(ids, E)

# %% [markdown]
# The shape is (2, 3, 2): two sentences, three words, two numbers for each. The last row belongs to the padding. It is looked up like any other. What is a real
# word and what isn't, `keep` remembers:

# %%
keep = ids != 0
keep

# %% [markdown]
# Read it as "keep this one". Later stages use `keep` to leave padding out of what they compute.
#
# One more habit. In this course **vectors are rows**: a word is a row of D numbers, and a matrix W stands on its right, with the shape (in, out). Where an equation in a book says W x,
# the code says `x @ W`. One `@` then serves a single row and a whole batch alike. Predict the last shape:

# %%
W = np.ones((2, 4))  # (D, H)   from D = 2 numbers to H = 4
X = embed_loop(ids, E)  # (N, T, D)
print(X[0, 0].shape, "@", W.shape, "→", (X[0, 0] @ W).shape)
print(X.shape, "@", W.shape, "→", (X @ W).shape)

# %% [markdown]
# ## 3. How exercises and checks work
#
# Every stage is first shown as a loop, like the one above: slow and plain, it says exactly what is meant. Then it is your turn to write it *vectorised*, which means
# without loops in Python, on whole arrays at once.
#
# An exercise has its text, **three hints** that you open one at a time (a nudge, the shapes, almost the code) and a link to the solution. In the cell below it, write your code
# where the `...` stands, and run the cell. The cell after that **checks** your function and answers with one of three signs:
#
# | sign | it means | from here on runs |
# |---|---|---|
# | ✓ | passed | your own function |
# | ○ | not written yet | the course's function |
# | ✗ | something is wrong; the lines below say what | the course's function |
#
# So nothing stops you: while yours is missing or wrong, the course's function stands in for it, and every later cell works. Come back whenever you like.
#
# ### Exercise: `embed`
#
# The practice exercise: look up the embeddings of all words of all sentences, without a loop.
#
# <details><summary>Hint 1: a nudge</summary>
#
# NumPy can pick many rows at once: where one number may stand between the brackets, a whole array of numbers may stand as well.
#
# </details>
# <details><summary>Hint 2: the shapes</summary>
#
# `ids` is (N, T) and `E` is (V, D). You need (N, T, D): each id in `ids` is replaced by a row of D numbers.
#
# </details>
# <details><summary>Hint 3: almost the code</summary>
#
# `return ____[____]`, with the two arguments in the right places.
#
# </details>
#
# [The solution](../solutions/00_start_here.ipynb), for when you have tried.


# %%
def embed(ids, E):
    """Look up the vector of every word.

    X_{n,t} = E[ids_{n,t}]

    Parameters
    ----------
    ids : (N, T) int
        Word numbers, each from 0 to V - 1.
    E : (V, D) float
        The embedding matrix: one row per word of the vocabulary.

    Returns
    -------
    (N, T, D) float

    Source: Bengio, Ducharme, Vincent and Jauvin (2003), section 2.
    """
    # pick, for every number in ids, that row of E
    ### BEGIN SOLUTION
    return E[ids]
    ### END SOLUTION


# %%
embed = check("embed")

# %% [markdown]
# Whoever wrote it, `embed` now does what the loop does:

# %%
np.array_equal(embed(ids, E), embed_loop(ids, E))

# %% [markdown]
# ### When something is wrong
#
# Somebody else has written this. On our example it gives what the loop gives:


# %%
def first_and_second(ids, E):
    return np.stack([E[ids[0]], E[ids[1]]])


np.array_equal(first_and_second(ids, E), embed_loop(ids, E))

# %% [markdown]
# One example proves little, so a check tries many inputs: other sizes, one sentence, one word, large and small numbers. What will it find here? `report` gives the same verdict as
# `check`, for a function of any name.

# %%
print(report("embed", first_and_second).message)

# %% [markdown]
# Read a verdict from top to bottom:
#
# 1. **What is wrong**: the result, called X, has two sentences along its first axis and needs N, here three. Where a check recognises a mistake, it says here which one.
# 2. **A small call that shows it**: `ids` of shape (3, 5), and what came out. Short arrays are written out in full. You can make such a call
#    yourself, in a cell of your own (the + in the toolbar adds one).
# 3. **How far it goes**: when a function is right for ordinary inputs and wrong for a special one, a last line says for how many it was right, and names the one that is shown. This function fails on ordinary inputs too, so here that line is missing.
#
# The cause: the function takes two sentences, whatever it is given. And this is what a function that isn't written yet gets:


# %%
def not_yet(ids, E): ...


print(report("embed", not_yet).message)

# %% [markdown]
# What you pass is remembered in `progress.json`, a file beside the notebooks, so that you can close everything and go on tomorrow. `progress()`, the last cell of every notebook, shows how far you are.

# %% [markdown]
# ## 4. The date task
#
# The program of this course reads dates in six ways of writing and writes them in one. Here is one day in all six:

# %%
for style in FORMATS:
    print(written(date(1984, 9, 25), style))

# %% [markdown]
# The month is always a word and the year always has four digits. So no date can be read in two ways, as 03/04/2026 can.
#
# The data is made by code: one pair for each day from 1950 to 2049, written in one of the six ways. The next cell makes it, in a few seconds at most.

# %%
task = date_task()
for source, target in task.texts["train"][::5000]:
    print(f"{source:30} → {target}")

# %% [markdown]
# ### Three splits
#
# A program that has seen all the answers could know them by heart. So the pairs are **split** in three: the program learns from *train*, its makers choose its settings on *validation*, and
# what the course reports is measured on *test*, on dates that were never seen before.

# %%
for name, pairs in task.texts.items():
    print(f"{name:10} {len(pairs):6} pairs")

# %% [markdown]
# **The date decides** in which split a pair is. (More exactly, a *hash* of it does: a number computed from its text, the same on every computer.) Why not draw lots for each
# row of the data? In this data every date has one row, so each is in one split either way. But suppose that it had
# all six ways of writing, six rows for each date, and that each row were drawn on its own: into *train* with probability 0.8. You pick a row of *test*. How
# probable is it that the program has seen the same date in *train*, written in another way? Guess first.

# %%
round(1 - 0.2**5, 4)  # at least one of the five other rows is in train

# %% [markdown]
# Nearly certain: each of the others misses *train* with probability 0.2, and all five with 0.2⁵. A good result on such a test would not show that the program can read *new* dates. A split by date rules that out from the start.
#
# ### Characters and their numbers
#
# Each side has its own vocabulary:

# %%
print("source:", len(task.source_vocabulary), "words: padding and", repr(task.source_vocabulary.characters))
print("target:", len(task.target_vocabulary), "words: padding, begin, end and", repr(task.target_vocabulary.characters))

# %% [markdown]
# *Begin* and *end* (in code `BOS` and `EOS`) are two extra words. *Begin* is what the program is given before it writes its first character. With *end* it says that it is done. Here are the first pair's ids. Which
# zeros are padding, and which number is *end*?

# %%
print(task.texts["train"][0])
print("source:", *task.sources["train"][0])
print("target:", *task.targets["train"][0])

# %% [markdown]
# All zeros are padding: the digit 0 has an id of its own, as every character has. The 2 that closes the target is *end*.
#
# The longest source has T = 29 characters. Every target has U = 11 words, ten characters and *end*. **T counts what is read, U what is written.**
#
# To close the circle, a batch of 128 dates goes through the `embed` that you have checked, with 16 random numbers for each character. Predict the shape:

# %%
E_source = np.random.RandomState(0).randn(len(task.source_vocabulary), 16)  # (V, D)
embed(task.sources["train"][:128], E_source).shape

# %% [markdown]
# ## 5. The whole way in one picture
#
# Two parts share the work. The **encoder** reads the source, and after each word it has a *hidden state*: a row of H numbers that is made from all that it has read so far. All of them
# together are `hs`, with the rows h_1 to h_T. The **decoder** writes the target, one word at a time. **Before you look**: your map of section 1 must have a place in this picture. Which box is
# it?

# %%
flow()

# %% [markdown]
# It is *a*, the attention weights: each time the decoder goes through this picture, it makes one row of the map. The small numbers are notebooks. From left to right:
#
# | notebook | what happens | in words |
# |---|---|---|
# | 01 | **provisional state** h̃ ("h tilde") | Where do I stand, before I write my next word? Where to look is not decided yet. |
# | 02 | **scores** e | How well does each encoder state fit what I need now? One number for each. |
# | 03 | **softmax** gives the **attention weights** a | Scores become shares that sum to 1. |
# | 04 | **context vector** c | I take from each encoder state as much as its weight says, and add it all up. |
# | 05 | **combine** gives the **final state** h^final, then the **next word** | Where I stand and what I found, together, decide what I write. |
# | 06 | **training** | The encoder, the scores and all else are adjusted until the words come out right. The weights follow. |
#
# Then it goes round again: the word just written goes in, h̃ moves on, and the look falls somewhere else. You did that ten times.
#
# Two things that are often mixed up. Softmax is used twice: in notebook 03 it shares out 1 among the words that were *read*, and in notebook 05 among all words that could be *written*. They are
# two different steps. And h̃ is *provisional* because the decoder has not looked yet; h^final is its state after the look. (Papers use these letters in other ways.
# Notebooks 01, 02 and 05 say how.)

# %% [markdown]
# ## 6. Where it breaks without attention
#
# The plain encoder-decoder, as it was before attention, hands over only the encoder's last hidden state. In code that is `hs[-1]`: one row of H numbers, however long the
# sentence. From then on the decoder works from memory. It is as if you had read the date once, turned the page over, and then had to write.
#
# How much of `hs` is that? Take the date of section 1 and H = 64:

# %%
T, H = 27, 64
print(f"hs holds {T} × {H} = {T * H} numbers; hs[-1] holds {H} of them, 1 in {T}")

# %% [markdown]
# Everything that the ten characters need has to be squeezed into that one row, and to survive there until it is needed. Can a network learn that? The course
# measured it, on the 3592 dates of *test*. A date counts only if every one of its characters is right (*exact match*). Both programs learned for 150 steps,
# a step being one batch of 128 dates, and for each it was chosen on *validation* how far its numbers move at a step:
#
# | what the decoder gets | command | exact match, seed 0 | seed 1 |
# |---|---|---|---|
# | `hs[-1]` alone | `python -m utils.train --score none` | 0.6% | 0.3% |
# | attention | `python -m utils.train --score additive` | 100% | 99.9% |
#
# (The *seed* decides the random numbers that a program starts from; `--seed 1` gives the second. You can run both commands in a terminal, in the course's folder: each takes
# some seconds. Another machine may give slightly different numbers.)
#
# Does more time help? With ten times the steps, 1500, the decoder without attention still reached only 0.5% (`python -m utils.train --score none --steps 1500`, seed 0). That
# doesn't prove that no network can do it from its last state. It shows how hard it is for this one, and how few steps were needed with attention.
#
# What made the difference? Looking back at *all* of `hs`, or *choosing* where to look? That is a fair question, and notebook 06 takes the two apart.

# %% [markdown]
# ## Check yourself
#
# Choose an answer and open it.
#
# **1.** `ids` has the shape (32, 29) and `E` the shape (35, 16). How many numbers does `embed(ids, E)` hold?
#
# <details><summary>Your number, then open</summary>
#
# 32 · 29 · 16 = **14848**. If you have 928, you counted the ids, and each of them becomes 16 numbers. If you have 519680, you also multiplied by V = 35: only one of the 35 rows is picked
# for each id.
#
# </details>
#
# **2.** For a hyphen you looked nowhere. What do the program's attention weights do in such a row?
#
# <details><summary>(a) They are all 0.</summary>
#
# No. That would be a row that shares out nothing, and the softmax always shares out 1 among the words read.
#
# </details>
# <details><summary>(b) They sum to 1, as in every row.</summary>
#
# Yes. So a bright cell doesn't prove that something was needed there. The program had to put its weight somewhere.
#
# </details>
# <details><summary>(c) They are all 1/27.</summary>
#
# Not necessarily. That is how the course drew *your* row. The program may spread its weights or put them in one place.
#
# </details>
#
# **3.** Without attention, what does the decoder know of the source?
#
# <details><summary>(a) Only the last word.</summary>
#
# No. `hs[-1]` is the state *after* the last word, and the encoder has read the whole sentence by then. How much of it is left, notebook 01 measures. A state is more than its last word.
#
# </details>
# <details><summary>(b) What the encoder's last hidden state has kept of it.</summary>
#
# Yes: H numbers for a sentence of any length.
#
# </details>
# <details><summary>(c) Nothing.</summary>
#
# No. It starts from `hs[-1]`. That this is too little here, after 150 steps of learning, is what the table shows.
#
# </details>
#
# **4.** How does the program learn that the month is found at "september"?
#
# <details><summary>(a) The pairs say for each character where to look.</summary>
#
# No. You saw the pairs: two texts each, and nothing about positions.
#
# </details>
# <details><summary>(b) Somebody sets the weights to what people do.</summary>
#
# No. Your map is not shown to it. It is kept for a comparison, after the training.
#
# </details>
# <details><summary>(c) Nobody says so: it adjusts what the weights are computed from, until it writes the right characters.</summary>
#
# Yes. Where it looks is a by-product of learning what to write.
#
# </details>

# %% [markdown]
# ## In your own words
#
# Three questions to answer in writing, in a few sentences each. A teacher reads your answers, no program does. If you learn alone, write them all the
# same, and then compare them with [the solved notebook](../solutions/00_start_here.ipynb).

# %% [markdown]
# ### Question 1
#
# For one character a reader looked at "september", for another at the 5 of "25", and both rows were drawn as in section 1. What is the weight of one
# bright cell in each of the two rows? A friend sees the map and says: "You looked nine times as hard at the 5 as at september." What is wrong with
# that, and what would you compare instead?

# %% [markdown]
# **A good answer.** In the row of "september", each of its 9 characters has 1/9, about 0.11. In the other row, the 5 has 1. But both rows share out
# exactly 1: "september" as a whole got 9 · 1/9 = 1, as much as the 5. A cell is dim because the share is spread over many characters, not because the
# look was weaker. So one compares the sums over whole pieces. How hard somebody looked, or whether they needed to look at all, no map can say: every
# row sums to 1, that of a hyphen too.

# %% [markdown]
# ### Question 2
#
# A program is to read handwritten dates. 200 people have written 50 dates each, and the program will be used on the handwriting of people whom it has never
# met. How would you split the 10,000 pictures? What would the result on *test* mean if lots were drawn for each picture, so that chance alone decides in
# which split it is? And would the split by date, as in section 4, help here?

# %% [markdown]
# **A good answer.** Split by person: all 50 pictures of one person go into the same split, for instance 160 people into *train* and 20 into each of
# the others. With lots for each picture, practically every writer in *test* is in *train* as well, with dozens of pictures. The result would then say
# how well the program reads hands that it knows, and probably promise too much for new ones. A split by date alone doesn't help, because the same
# people would stand in all three splits. The rule behind both: what will be new when the program is used has to be new in *test*.

# %% [markdown]
# ### Question 3
#
# A friend says: "You don't need attention. Make the state larger: for a date of 27 characters, give it 27 · 64 = 1728 numbers. Then `hs[-1]` alone
# holds as much as all of `hs` did." Compare the two designs: name at least two differences that remain.

# %% [markdown]
# **A good answer.** The numbers are equal for this one length only: `hs` grows with the sentence, one row for each word, and `hs[-1]` has the same
# size for a sentence of any length. Second, to have room is not to have kept: in `hs[-1]`, what was read first must survive every later step, while
# in `hs` each h_i stays as it was when its word had just been read. Third, `hs[-1]` is handed over once and the decoder then works from memory; with
# attention it looks again before each word and takes what it needs now. (Whether the large state could learn the task all the same would have to be
# measured.)

# %% [markdown]
# ## What we have now
#
# Your attention map, kept for later. A way to write, check and mend functions. Words as rows of numbers, a task with dates that no split shares, and a picture of the way ahead.
#
# What is missing: everything in the picture. A lookup gives each character the same row wherever it stands: the 1 of 1984 and the 1 of "31" look alike. So far nobody *reads*. In
# [notebook 01](01_provisional_state.ipynb) the encoder does, one character after the other, and the decoder takes its first stand: h̃.
#
# What follows below is for looking things up.

# %% [markdown]
# ## Glossary
#
# The words of the whole course, with the Korean terms. You don't need to know them now. The last column is the notebook that introduces the word properly.
#
# | word | Korean | in one sentence | notebook |
# |---|---|---|---|
# | word | 단어 | Whatever is read or written one at a time; on dates, a character. | 00 |
# | vocabulary | 어휘 | All words that a program knows, with their ids. | 00 |
# | batch | 배치 | Several sentences that go through the program together. | 00 |
# | embedding | 임베딩 | The learned row of numbers that stands for a word. | 00 |
# | parameter | 매개변수 | A number that training changes. | 00 |
# | padding | 패딩 | What fills short sentences up to one length; `keep` is False there. | 00 |
# | attention | 어텐션 | Looking back at all encoder states at every decoder step, and taking from each a share. | 00 |
# | attention map | 어텐션 맵 | The attention weights of all decoder steps as a picture. | 00 |
# | encoder | 인코더 | The part that reads the source, word by word. | 01 |
# | decoder | 디코더 | The part that writes the target, word by word. | 01 |
# | hidden state | 은닉 상태 | A row of H numbers that is made from all that has been read or written so far. | 01 |
# | recurrent network (RNN) | 순환 신경망 | A network that makes its next state from its last state and the next word. | 01 |
# | provisional state h̃ | 잠정 상태 | The decoder's state before it has looked: where it stands. | 01 |
# | teacher forcing | 교사 강요 | In training, the decoder is given the right previous word, and not the one it would have written. | 01 |
# | gradient | 기울기 | For each number: how the loss moves when the number moves a little. | 01 |
# | backpropagation | 역전파 | Computing all gradients from the loss back to the beginning, one stage after the other. | 01 |
# | score e | 점수 | One number that says how well an encoder state fits what the decoder needs now. | 02 |
# | dot product | 내적 | Two vectors multiplied entry by entry, and added up. | 02 |
# | additive score | 덧셈 점수 | A score from a small network that is given both states. | 02 |
# | softmax | 소프트맥스 | Turns any numbers into shares: each between 0 and 1, together 1. | 03 |
# | attention weight a | 어텐션 가중치 | The share that one encoder state has in the context vector. | 03 |
# | mask | 마스크 | True and False for what counts and what doesn't; here always `keep`, True where it counts. | 03 |
# | temperature | 온도 | A number that scores are divided by: small makes the shares sharper, large more even. | 03 |
# | weighted sum | 가중합 | Things multiplied by their weights, and added up. | 04 |
# | context vector c | 문맥 벡터 | The weighted sum of the encoder states: what the look brought back. | 04 |
# | combine | 결합 | Making one state of the provisional state and the context vector. | 05 |
# | concatenation | 연결 | Laying two vectors end to end. | 05 |
# | final hidden state h^final | 최종 은닉 상태 | The decoder's state after the look, from which the next word is chosen. | 05 |
# | logits | 로짓 | One number for each word that could come next, before the second softmax. | 05 |
# | greedy decoding | 탐욕적 디코딩 | Always writing the word with the highest probability. | 05 |
# | exact match | 완전 일치 | The share of sentences written without a single error. | 05 |
# | loss | 손실 | One number that says how bad the predicted words are; training makes it small. | 06 |
# | cross-entropy | 교차 엔트로피 | The loss of this course: minus the logarithm of the right word's probability, averaged. | 06 |
# | learning rate | 학습률 | How large a step each training step takes. | 06 |
# | gradient check | 기울기 확인 | Comparing a computed gradient with what a small nudge does. | 06 |
# | gradient clipping | 기울기 클리핑 | Shortening a gradient that is longer than a limit. | 06 |
# | Adam | 아담 | A way to take training steps that fits the size of the step to each parameter. | 06 |
# | control | 대조 실험 | The same experiment without the thing in question. | 06 |
#
# ## References and credits
#
# The date task and the way from a fixed vector to attention follow chapter 8 of the book:
#
# - Koki Saitoh (2018), [*Deep Learning from Scratch 2*](https://www.oreilly.co.jp/books/9784873118369/) (ゼロから作る Deep Learning ❷), O'Reilly Japan.
#
# Attention:
#
# - Bahdanau, Cho and Bengio (2015), [Neural machine translation by jointly learning to align and translate](https://arxiv.org/abs/1409.0473).
# - Luong, Pham and Manning (2015), [Effective approaches to attention-based neural machine translation](https://arxiv.org/abs/1508.04025).
# - Vaswani and others (2017), [Attention is all you need](https://arxiv.org/abs/1706.03762): Transformers.
#
# What it is built from:
#
# - Bengio, Ducharme, Vincent and Jauvin (2003), [A neural probabilistic language model](https://www.jmlr.org/papers/v3/bengio03a.html): embeddings.
# - Elman (1990), [Finding structure in time](https://doi.org/10.1207/s15516709cog1402_1): recurrent networks.
# - Sutskever, Vinyals and Le (2014), [Sequence to sequence learning with neural networks](https://arxiv.org/abs/1409.3215): encoder and decoder, with the last state handed over.
# - Williams and Zipser (1989), [A learning algorithm for continually running fully recurrent neural networks](https://doi.org/10.1162/neco.1989.1.2.270): teacher forcing.
#
# How it learns:
#
# - Rumelhart, Hinton and Williams (1986), [Learning representations by back-propagating errors](https://doi.org/10.1038/323533a0).
# - Pascanu, Mikolov and Bengio (2013), [On the difficulty of training recurrent neural networks](https://arxiv.org/abs/1211.5063): clipping.
# - Kingma and Ba (2015), [Adam: a method for stochastic optimization](https://arxiv.org/abs/1412.6980).
#
# What a map shows, and what it doesn't:
#
# - Jain and Wallace (2019), [Attention is not explanation](https://arxiv.org/abs/1902.10186).
# - Wiegreffe and Pinter (2019), [Attention is not not explanation](https://arxiv.org/abs/1908.04626). <!-- codespell:ignore pinter -->
#
# The ways of writing dates are formats of Unicode's [CLDR](https://cldr.unicode.org). The colours of the pictures are Okabe and Ito's, chosen so that colour-blind
# eyes can tell them apart; attention maps use [cividis](https://doi.org/10.1371/journal.pone.0199239), for the same reason. Code is under the MIT licence, text under CC BY 4.0.

# %% tags=["nbval-ignore-output"]
progress()
