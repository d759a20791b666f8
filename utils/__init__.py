"""What the notebooks of Attention, Stage by Stage import, and nothing else."""

from utils.packages import required

required("numpy", "The course")
