"""pyproject.toml is the truth about the environments; what repeats it agrees with it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


PYPROJECT = tomllib.loads(read("pyproject.toml"))
LEARNER = PYPROJECT["project"]["dependencies"]
DEV = LEARNER + PYPROJECT["dependency-groups"]["dev"]
BENCH = DEV + [package for package in PYPROJECT["dependency-groups"]["bench"] if isinstance(package, str)]
WORKFLOW = yaml.safe_load(read(".github/workflows/ci.yml"))["jobs"]["test"]
PYTHONS = WORKFLOW["strategy"]["matrix"]["python"]
PINNED = {"requirements.txt": LEARNER, "requirements-dev.txt": DEV, "requirements-bench.txt": BENCH}


def bounds(requirements):
    """Each package's name and the versions that will do."""
    return {canonicalize_name(r.name): r.specifier for r in map(Requirement, requirements)}


def on(python, requirements):
    """Those of the requirements that hold for this Python."""
    machine = {"python_version": python, "python_full_version": f"{python}.0"}
    return [str(r) for r in map(Requirement, requirements) if r.marker is None or r.marker.evaluate(machine)]


def pins(name):
    return [line for line in read(name).splitlines() if not line.startswith("#")]


def make(folder, *words):
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, encoding="utf-8")


def test_conda_gets_the_same_packages_within_the_same_bounds():
    conda = bounds(yaml.safe_load(read("environment.yml"))["dependencies"])
    conda["matplotlib"] = conda.pop("matplotlib-base")
    assert conda == {"python": PYPROJECT["project"]["requires-python"], **bounds(LEARNER)}


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", PINNED)
def test_every_dependency_is_pinned_once_and_within_its_bounds(name, python):
    pinned = on(python, pins(name))
    assert len(bounds(pinned)) == len(pinned)
    for package, wanted in bounds(on(python, PINNED[name])).items():
        (pin,) = bounds(pinned)[package]
        assert pin.operator == "==" and pin.version in wanted, f"{package}: run `make pins`"


def test_the_learners_pins_are_those_of_the_tests_and_of_the_benchmarks():
    learners, tests, benchmarks = ({line.partition(" ;")[0] for line in pins(name)} for name in PINNED)
    assert learners < tests < benchmarks


@pytest.mark.parametrize("name", PINNED)
def test_pins_say_how_they_are_made_and_name_no_address(name):
    assert "make pins" in read(name).splitlines()[1]
    assert not re.search(r"://|^-|--hash| @ ", read(name), re.MULTILINE)


def test_the_oldest_python_tested_is_the_oldest_that_will_do():
    assert PYPROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"


def test_the_workflow_runs_what_a_change_must_pass():
    commands = [step["run"] for step in WORKFLOW["steps"] if "run" in step]
    assert commands == ["bash .ci/run"] and "make check test" in read(".ci/run")


def test_make_alone_lists_every_target():
    targets = re.search(r"^\.PHONY:(.*)$", read("Makefile"), re.MULTILINE)[1].split()
    assert sorted([*re.findall(r"^make ([\w-]+) ", make(ROOT).stdout, re.MULTILINE), "help"]) == sorted(targets)


def test_a_missing_or_too_old_python_gets_one_clear_sentence(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    run = make(tmp_path, "lab", "PYTHON=false")
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert run.returncode and f"needs Python {oldest} or newer" in run.stderr and "Traceback" not in run.stderr
