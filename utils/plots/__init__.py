"""Pictures, each with a description in words: one module for attention maps, one per notebook for its own."""

from utils.plots.attention_map import attention_map, text_map
from utils.plots.picture import Picture
from utils.plots.scores import score_plane

__all__ = ["Picture", "attention_map", "score_plane", "text_map"]
