"""Explorers: one module per notebook for its own, `explorer` for what they share, `svg` for the drawing."""

from utils.widgets.combine import explore_combine
from utils.widgets.context import explore_context
from utils.widgets.provisional_state import explore_states
from utils.widgets.scores import explore_scores
from utils.widgets.softmax import explore_softmax
from utils.widgets.start_here import draw_my_map
from utils.widgets.training import explore_surgery, explore_training, microscope

__all__ = [
    "draw_my_map",
    "explore_combine",
    "explore_context",
    "explore_scores",
    "explore_softmax",
    "explore_states",
    "explore_surgery",
    "explore_training",
    "microscope",
]
