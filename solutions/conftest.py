"""How pytest --nbval runs the solved notebooks."""

import os

import matplotlib.font_manager  # noqa: F401  (on a new machine it searches for fonts and says so: here, not in a notebook)

# As when they were built: checks raise, and a learner's progress is left alone.
os.environ["COURSE_STRICT"] = "1"
# Make's wish to hear of files opened without an encoding is for the tests' own process, not for kernels.
os.environ.pop("PYTHONWARNDEFAULTENCODING", None)
