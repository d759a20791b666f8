# This cell finds the course's own code, the folder utils/, or fetches a copy of the course. It installs nothing.
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def find_course(address, copy="attention-stage-by-stage"):
    for folder in [Path.cwd(), *Path.cwd().parents, Path.cwd() / copy]:
        if (folder / "utils" / "stages").is_dir():
            return str(folder)
    if not address:
        stop("The folder utils/ is not here: put this notebook into the notebooks/ folder that came with it.")
    if Path(copy).exists():
        stop(f"What is named {copy} here is not the course: rename or delete it, and run this cell again.")
    try:
        new = tempfile.TemporaryDirectory(prefix=".course-", dir=".")
    except OSError as error:
        stop(
            f"The course's code is not here, and this folder cannot be written ({error.strerror}): "
            "put this notebook in a folder of your own, and run this cell again."
        )
    try:
        with new as part:  # no copy that was cut short leaves it
            clone = ["git", "clone", "--depth=1", address, f"{part}/{copy}"]
            subprocess.run(clone, check=True, capture_output=True, timeout=300)
            os.rename(f"{part}/{copy}", copy)
    except (OSError, subprocess.SubprocessError):
        stop(
            f"The course's code is not here, and git could not fetch it: download the course as a ZIP from {address}, "
            "unpack it, put this notebook in its notebooks/ folder, and run this cell again."
        )
    return find_course(address)


def stop(sentence):
    from IPython.core.error import UsageError  # shown as one line

    raise UsageError(sentence) from None


course = find_course(os.environ.get("COURSE_REPO", "REPOSITORY"))
sys.path[:] = [course] + [folder for folder in sys.path if folder != course]
if list(getattr(sys.modules.get("utils"), "__path__", [])) != [os.path.join(course, "utils")]:
    for name in [name for name in sys.modules if name.split(".")[0] == "utils"]:
        del sys.modules[name]  # another utils, imported earlier
