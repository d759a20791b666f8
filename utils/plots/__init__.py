"""Pictures, each with a description in words: one module for attention maps, one per notebook for its own."""

from utils.plots.attention_map import attention_map, map_panels, text_map
from utils.plots.combine import combine_plane, word_bars
from utils.plots.context import context_plane, learned_matrix, rising_weight
from utils.plots.picture import Picture, side_by_side
from utils.plots.provisional_state import state_distances
from utils.plots.scores import score_plane
from utils.plots.softmax import scores_to_weights, temperature_jacobians
from utils.plots.start_here import flow
from utils.plots.training import loss_curve

__all__ = [
    "Picture",
    "attention_map",
    "combine_plane",
    "context_plane",
    "flow",
    "learned_matrix",
    "loss_curve",
    "map_panels",
    "rising_weight",
    "score_plane",
    "scores_to_weights",
    "side_by_side",
    "state_distances",
    "temperature_jacobians",
    "text_map",
    "word_bars",
]
