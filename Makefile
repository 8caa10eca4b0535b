# Two commands do everything on a fresh clone: `make audit` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
WORKERS ?= 2
NIGHTLY ?= tests
.DEFAULT_GOAL := help

.PHONY: help audit test lint types imports pytest nightly mutation bench wild proofs coqchk docs map reach clean

help: ## This list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

# `make audit COQ=no` sets nothing up beside the Python environment.
COQ ?= yes
audit: $(INSTALLED) ## Audit the paper: every claim with a verdict (quick profile, under two minutes)
	@folder=$$(.ci/coq $(COQ)); PATH="$${folder:+$$folder:}$$PATH" $(BIN)/bufalu audit

test: lint types imports pytest ## Everything that must pass: ruff, mypy --strict, the import contract, pytest

lint: $(INSTALLED) ## ruff check and ruff format --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED) ## mypy --strict through mypy.ini
	$(BIN)/mypy

imports: $(INSTALLED) ## The import contract
	$(BIN)/lint-imports

pytest: $(INSTALLED) ## The tests alone
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/python -m pytest -q -rs -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# New examples every time; what a search finds is kept in .hypothesis/examples and tried first the next time.
nightly: $(INSTALLED) ## Long randomised searches, and everything marked nightly
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -q -rs -n $(WORKERS) --dist loadfile --no-loadscope-reorder --timeout 3600 $(NIGHTLY)

# Slips in reference, bounds, doubles, law, oracle and engine, each against the tests that run its line; the first time, all tests
# of the rooms run once, to see which lines they run.
SLIPS ?= 10
SEED ?= 0
mutation: $(INSTALLED) ## Put small slips into our own code and see whether the tests notice
	$(BIN)/python -m tests.mutation --slips $(SLIPS) --seed $(SEED)

# Needs `coqc` (Debian: apt-get install coq).
proofs: $(INSTALLED) ## Build the Coq development
	$(MAKE) -C proofs PYTHON=$(abspath $(BIN))/python

coqchk: $(INSTALLED) ## Let Coq's second checker read the built proofs again (a CPU minute more)
	$(MAKE) -C proofs coqchk PYTHON=$(abspath $(BIN))/python

# Ratios against other software, which gets an environment of its own; a peer that cannot be installed is left out.
BENCH_VENV := .venv-bench
# `make bench BENCH="--tests --readme"` times `make test` too, and writes the table into the README.
bench: peers ## Every target of speed in one table, measured in one run
	$(BIN)/python -m benchmarks.run --peers $(BENCH_VENV)/bin/python $(BENCH)

# docs/wild.md tells what comes out.
wild: peers ## Judge the UCBs of SMPyBandits and MABWiser
	$(BIN)/bufalu conform --timeout 120 -- $(BENCH_VENV)/bin/python examples/wild/smpybandits_ucb.py
	$(BIN)/bufalu conform --timeout 120 -- $(BENCH_VENV)/bin/python examples/wild/mabwiser_ucb1.py

.PHONY: peers
peers: $(INSTALLED)
	test -d $(BENCH_VENV) || $(PYTHON) -m venv $(BENCH_VENV)
	test -f $(BENCH_VENV)/.installed || ( $(BENCH_VENV)/bin/python -m pip install \
	  'numpy<1.27' 'scipy<1.12' 'SMPyBandits==0.9.7' 'mabwiser==2.7.4' && touch $(BENCH_VENV)/.installed ) \
	  || echo "some peers could not be installed; going on without them"

# The documentation as a static site in site/, and the pages of it that are written from the code.
docs: $(INSTALLED) ## The documentation as a static site in site/
	$(BIN)/python -m bufalu.pages.site --out site

reach: $(INSTALLED) ## Judge every planted defect and correct variant, and write the tables of docs/reach.md
	$(BIN)/python -m tests.oracle.planted --workers $(WORKERS)
	$(BIN)/python -m tests.oracle.planted --write

map: $(INSTALLED) ## Write the pages of docs/ that come from the code again
	$(BIN)/python -m bufalu.pages.paper_map

clean: ## Remove the environment and everything built
	rm -rf $(VENV) $(BENCH_VENV) build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is made once, and again only when the declared dependencies change.
$(INSTALLED): pyproject.toml
	@echo "Setting up $(VENV) (once; a minute or two)"
	$(PYTHON) -c 'import sys; sys.exit("bufalu needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --upgrade pip setuptools
	$(BIN)/python -m pip install --editable '.[dev,proofs,experiments,studies,cluster]'
	touch $(INSTALLED)
