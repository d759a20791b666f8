"""What a missing package leads to: a sentence that says what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

from utils.packages import required

ROOT = Path(__file__).resolve().parents[1]


def python(code):
    """Run code in a Python of its own; what it printed."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_package_that_is_there_is_handed_over():
    assert required("xml.dom", "This test") is sys.modules["xml.dom"]


@pytest.mark.parametrize("package", ["no_such_package", "no_such_package.part"])
def test_a_missing_package_is_named_with_its_purpose_and_the_command(package):
    with pytest.raises(ImportError) as error:
        required(package, "Flying")
    assert str(error.value) == (
        "Flying needs no_such_package, which is not installed here."
        " Install it with: python -m pip install no_such_package"
    )
    assert error.value.__suppress_context__


def test_without_numpy_the_course_says_so_at_once():
    code = (
        "import sys; sys.modules['numpy'] = None\ntry: import utils.stages\nexcept ImportError as error: print(error)"
    )
    assert python(code).startswith("The course needs numpy, which is not installed here.")


@pytest.mark.parametrize("module", ["utils.stages", "utils.checks", "utils.model", "utils.plots", "utils.train"])
def test_an_import_brings_no_package_that_only_some_parts_need(module):
    optional = {"matplotlib", "ipywidgets", "tqdm", "threadpoolctl", "IPython"}
    assert python(f"import sys, {module}; print(sorted({optional} & set(sys.modules)))") == "[]"


def test_stages_checks_and_training_can_be_imported_without_any_optional_package():
    names = "matplotlib ipywidgets tqdm threadpoolctl IPython babel"
    python(
        f"import sys; sys.modules.update(dict.fromkeys('{names}'.split()))\n"
        "import utils.stages, utils.checks, utils.plots, utils.train"
    )
