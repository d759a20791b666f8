"""Binder builds the learner's environment from environment.yml, with conda."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from rattler import MatchSpec

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
SPECS = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]


@pytest.fixture(scope="module")
def plan():
    """What repo2docker would build, and what it says of it; it needs no Docker for that."""
    if os.name == "nt":
        pytest.skip("repo2docker does not run on Windows")
    words = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("spec", SPECS)
def test_conda_reads_each_line_strictly_and_as_pip_does(spec):
    strict, pip = MatchSpec(spec, strict=True), Requirement(spec)
    assert (strict.name.normalized, str(strict.version)) == (pip.name, str(pip.specifier))


def test_binder_builds_with_conda_from_the_courses_file_and_from_nothing_else(plan):
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "environment.yml"' in plan
    assert "requirements.txt" not in plan and "pyproject.toml" not in plan


def test_binders_own_python_is_one_that_the_course_supports(plan):
    (python,) = re.findall(r"Building conda environment for python=(\S+)", plan)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert Requirement(f"python{project['requires-python']}").specifier.contains(python)
