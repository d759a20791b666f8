"""Right and wrong answers to every exercise, collected from public mistakes and from the ways people rightly write
these functions: one module per exercise. They stand as they were collected, so no linter tidies them."""

from importlib import import_module

from tests.answers.register import ANSWERS

NAMES = """
rnn_step
decoder_init
provisional_states
shift_right
rnn_step_backward
dot_score_one
dot_score
additive_score_one
additive_score
dot_score_backward
additive_score_backward
softmax_one
softmax
masked_softmax
softmax_backward
context_one
context
context_backward
attention_backward
combine_concat_one
combine_concat
combine_weighted_sum
combine_concat_backward
cross_entropy
cross_entropy_backward
masked_cross_entropy
embedding_backward
clip_by_norm
adam_step
greedy_decode
exact_match
embed
encode
linear_backward
attention
combine_weighted_sum_backward
output_logits
next_word_probs
next_word
decoder_step
masked_cross_entropy_backward
decoder_step_backward
""".split()
for _name in NAMES:
    import_module(f"tests.answers.{_name}")

__all__ = ["ANSWERS"]
