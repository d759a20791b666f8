"""Known wrong answers: one module per notebook, and what is said to a learner who gave one of them.

A mistake is a function that does what the misconception does, decorated with the exercise and the sentence that the
learner reads. Its name is the diagnosis. The sentence starts with a small letter: it follows the exercise's name.

    @mistake("softmax", "it is a softmax over the batch: your columns sum to 1, and the rows should.")
    def over_the_batch(e): ...
"""

from utils.checks.mistakes.register import MISTAKES, Mistake, mistake

from utils.checks.mistakes import combine, context, provisional_state, scores, softmax, start_here, training  # isort: skip

__all__ = [
    "MISTAKES",
    "Mistake",
    "combine",
    "context",
    "mistake",
    "provisional_state",
    "scores",
    "softmax",
    "start_here",
    "training",
]
