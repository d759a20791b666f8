# The course's commands: `make` alone lists them. Every path is relative, for folders with a space in their name, and
# nothing is newer than GNU make 3.81, which is what macOS has.

WINDOWS := $(filter Windows_NT,$(OS))
PYTHON ?= $(if $(WINDOWS),python,python3)
BIN := $(if $(WINDOWS),Scripts,bin)
VERSION := $(shell $(PYTHON) -c "import sys; print('%d.%d' % sys.version_info[:2])" 2>/dev/null)
# uv trusts the certificates that the machine trusts, as pip does: a school's network may add its own.
export UV_SYSTEM_CERTS := 1

.PHONY: help lab train grade handout slides fresh update test test-all mutants bench build check format pins home
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile
	@echo 'More goes in ARGS (make train ARGS="--seed 3"), another Python in PYTHON (make lab PYTHON=python3.13).'

# The learner's environment is .venv; what tests and builds the course stays out of it, in .venv-dev, and what it is
# measured against in .venv-bench. Each has two marks: `python-3.x`, made with that Python, and `packages-3.x`, the
# pinned packages are in. So a second call installs nothing, an edit of the pins installs the difference, and another
# Python starts afresh.
LEARNER := .venv/packages-$(VERSION)
DEV := .venv-dev/packages-$(VERSION)
BENCH := .venv-bench/packages-$(VERSION)

lab: $(LEARNER)  ## open the course in JupyterLab, at its first notebook
	@first=$$(ls notebooks | grep '^[0-9][0-9]_[a-z_]*\.ipynb$$' | head -n 1); \
	.venv/$(BIN)/python -m jupyterlab --allow-root --LabApp.default_url="/lab/tree/notebooks/$$first" $(ARGS)

train: $(LEARNER)  ## train the model on dates and draw its attention map
	@.venv/$(BIN)/python -m utils.train $(ARGS)

grade: $(DEV)  ## grade a folder of submissions (make grade ARGS="submitted --out marks.csv")
	@.venv-dev/$(BIN)/python -m tools.grade $(ARGS)

handout: $(DEV)  ## make the course without its solutions, for a class, in handout/
	@.venv-dev/$(BIN)/python -m tools.handout

slides: $(DEV)  ## draw pictures for a teacher's slides, and notes with the answers
	@.venv-dev/$(BIN)/python -m tools.slides

fresh: $(DEV)  ## put back one clean notebook, and keep yours beside it (make fresh NB=03)
	@.venv-dev/$(BIN)/python -m tools.learner fresh "$(NB)"

update:  ## bring the newest course; what you wrote stays
	@$(PYTHON) -m tools.learner update

PYTEST = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONWARNDEFAULTENCODING=1 .venv-dev/$(BIN)/python -m pytest \
	--numprocesses auto --dist loadfile
test: $(DEV)  ## run every test but the slow ones (some: ARGS="tests/test_scores.py")
	$(PYTEST) -m "not slow" $(ARGS)

test-all: $(DEV)  ## run every test
	$(PYTEST) $(ARGS)

mutants: $(DEV)  ## change the course's functions in small ways: do the checks notice? (some: ARGS="dot_score")
	OMP_NUM_THREADS=1 .venv-dev/$(BIN)/python -m tools.mutants $(ARGS)

bench: $(BENCH)  ## measure training, checks and explorers (some: ARGS="step accuracy growth own start checks redraw")
	@.venv-bench/$(BIN)/python -m benchmarks $(ARGS)

build: $(DEV)  ## write both notebooks of every solutions/*.py
	@.venv-dev/$(BIN)/python -m tools.build $(ARGS)

check: $(DEV)  ## write nothing; fail when a notebook is older than its source
	@.venv-dev/$(BIN)/python -m tools.build --check $(ARGS)

format: $(DEV)  ## tidy the code, and name what can't be tidied
	@.venv-dev/$(BIN)/python -m ruff format
	@.venv-dev/$(BIN)/python -m ruff check --fix

home: $(DEV)  ## change the course's address everywhere (make home REPO=https://github.com/NAME/REPOSITORY)
	@.venv-dev/$(BIN)/python -m tools.home "$(REPO)" && $(MAKE) --no-print-directory build

COMPILE = .venv-dev/$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.10 --no-python-downloads \
	--no-annotate --custom-compile-command "make pins" pyproject.toml
pins: .venv-dev/python-$(VERSION)  ## pin what pyproject.toml asks for (the newest: ARGS="--upgrade")
	@$(COMPILE) --output-file requirements.txt $(ARGS)
	@$(COMPILE) --group dev --constraints requirements.txt --output-file requirements-dev.txt $(ARGS)
	@$(COMPILE) --group bench --constraints requirements-dev.txt --output-file requirements-bench.txt $(ARGS)

$(LEARNER): requirements.txt .venv/python-$(VERSION)
$(DEV): requirements-dev.txt .venv-dev/python-$(VERSION)
$(BENCH): requirements-bench.txt .venv-bench/python-$(VERSION)

# uv takes seconds where pip takes a minute; where it can't be had or can't reach the packages, pip does the same.
$(LEARNER) $(DEV):
	@echo 'Installing the packages of $< in $(@D) ...'
	@$(@D)/$(BIN)/python -m uv pip install --quiet --python $(@D)/$(BIN)/python -r $< || \
	$(@D)/$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $< || \
	{ echo 'The packages could not be installed. Is there a network? The same command tries again.' >&2; exit 1; }
	@touch $@

# With pip: where PyTorch is to be had in a build for CPUs, it takes that one, and uv the large one for graphics cards.
$(BENCH):
	@echo 'Installing the packages of $< in $(@D), which takes some minutes ...'
	@$(@D)/$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $< || \
	{ echo 'The packages could not be installed. Is there a network? The same command tries again.' >&2; exit 1; }
	@touch $@

.venv/python-$(VERSION) .venv-dev/python-$(VERSION) .venv-bench/python-$(VERSION):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { echo 'The course needs Python 3.10' \
	'or newer, and $(PYTHON) is $(or $(VERSION),not one). Name another: make $(MAKECMDGOALS) PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo '$(PYTHON) cannot make environments:' \
	'its venv module is missing (on Debian and Ubuntu: apt install python3-venv).' >&2; exit 1; }
	@echo 'Making $(@D) ...'
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/$(BIN)/python -m pip install --quiet --disable-pip-version-check uv || echo 'No uv here; pip does its work.'
	@touch $@
