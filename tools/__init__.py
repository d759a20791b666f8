"""How the course is made and graded. Notebooks never import anything from here."""

import re

QUESTION = re.compile(r"### Question (\d+)\s*$", re.MULTILINE)
"""How the cell of a written question begins."""

UNANSWERED = "*Write your answer here.*"
"""What stands in the place of a written answer until a student writes one."""


class BuildError(Exception):
    """A notebook that cannot be built; the message is a sentence for its author."""
