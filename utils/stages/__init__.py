"""The course's own version of every exercise, exported by name.

One module per notebook. A solution cell of a notebook is the same code, letter for letter.
"""

from utils.stages.combine import (
    combine_concat,
    combine_concat_backward,
    combine_concat_one,
    combine_weighted_sum,
    combine_weighted_sum_backward,
    decoder_step,
    exact_match,
    greedy_decode,
    next_word,
    next_word_probs,
    output_logits,
)
from utils.stages.context import (
    attention,
    attention_backward,
    context,
    context_backward,
    context_one,
)
from utils.stages.provisional_state import (
    decoder_init,
    embedding_backward,
    encode,
    linear_backward,
    provisional_states,
    rnn_step,
    rnn_step_backward,
    shift_right,
)
from utils.stages.scores import (
    additive_score,
    additive_score_backward,
    additive_score_one,
    dot_score,
    dot_score_backward,
    dot_score_one,
)
from utils.stages.softmax import (
    masked_softmax,
    softmax,
    softmax_backward,
    softmax_one,
)
from utils.stages.start_here import embed
from utils.stages.training import (
    adam_step,
    clip_by_norm,
    cross_entropy,
    cross_entropy_backward,
    decoder_step_backward,
    masked_cross_entropy,
    masked_cross_entropy_backward,
)

__all__ = [
    "embed",
    "rnn_step",
    "encode",
    "decoder_init",
    "shift_right",
    "provisional_states",
    "linear_backward",
    "rnn_step_backward",
    "embedding_backward",
    "dot_score_one",
    "dot_score",
    "additive_score_one",
    "additive_score",
    "dot_score_backward",
    "additive_score_backward",
    "softmax_one",
    "softmax",
    "masked_softmax",
    "softmax_backward",
    "context_one",
    "context",
    "attention",
    "context_backward",
    "attention_backward",
    "combine_concat_one",
    "combine_concat",
    "combine_weighted_sum",
    "output_logits",
    "next_word_probs",
    "next_word",
    "decoder_step",
    "greedy_decode",
    "exact_match",
    "combine_weighted_sum_backward",
    "combine_concat_backward",
    "cross_entropy",
    "masked_cross_entropy",
    "cross_entropy_backward",
    "masked_cross_entropy_backward",
    "decoder_step_backward",
    "clip_by_norm",
    "adam_step",
]
