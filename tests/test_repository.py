"""What holds for the repository as a whole: links, lint, format, spelling."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("solutions/*.ipynb")])


def prose(page):
    if page.suffix == ".md":
        return page.read_text(encoding="utf-8")
    cells = nbformat.read(page, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file(page):
    links = re.findall(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"", prose(page))
    for link in ("".join(pair).partition("#")[0] for pair in links):
        if link and not link.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_in_the_prose_has_alt_text(page):
    assert not re.search(r"!\[\s*\]|<img(?![^>]*alt=\"[^\"]+\")", prose(page))


@pytest.mark.parametrize(
    "command",
    [["ruff", "check"], ["ruff", "format", "--check"], ["codespell_lib"]],
    ids=["lint", "format", "spelling"],
)
def test_the_tree_is_clean(command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", ["README.md", "solutions/06_training.py"])
def test_quoted_measurements_stand_in_the_table_of_all(page):
    measured = (ROOT / "benchmarks" / "measured.md").read_text(encoding="utf-8").splitlines()
    lines = [line.lstrip("# ") for line in (ROOT / page).read_text(encoding="utf-8").splitlines()]
    first = lines.index("| measured | figure | spread | from |")
    quoted = lines[first : lines.index("", first)]
    assert len(quoted) > 4 and set(quoted) <= set(measured)
