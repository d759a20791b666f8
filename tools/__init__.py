"""How the course is made and graded. Notebooks never import anything from here."""


class BuildError(Exception):
    """A notebook that cannot be built; the message is a sentence for its author."""
