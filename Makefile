# On a fresh clone `make audit` and `make test` need nothing before them but Python; .ci/run does all that CI does.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AUDIT := $(VENV)/.audit
INSTALLED := $(VENV)/.installed
WORKERS ?= 2
NIGHTLY ?= tests
.DEFAULT_GOAL := help
# One after another, also under `make -j`: the set-up is shared, and what is printed is read.
.NOTPARALLEL:
# Compiled once and kept, whatever the environment says: the audit and the tests start hundreds of programs.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help audit test lint types imports pytest long nightly mutation bench wild adapters peers proofs pin rests coqchk docs map reach pins clean

help: ## This list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

# `make audit COQ=no` sets nothing up beside the Python environment.
COQ ?= yes
audit: $(AUDIT) ## Audit the paper: every claim with a verdict (quick profile, under two minutes)
	@folder=$$([ $(COQ) = no ] || .ci/tools coq); PATH="$${folder:+$$folder:}$$PATH" $(BIN)/bufalu audit

test: lint types imports pytest ## What must pass at every commit: ruff, mypy --strict, the import contract, pytest

lint: $(INSTALLED) ## ruff check and ruff format --check
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@echo "ruff: nothing to say"

types: $(INSTALLED) ## mypy --strict through mypy.ini
	@$(BIN)/mypy

imports: $(INSTALLED) ## The import contract
	@said=$$($(BIN)/lint-imports) || { echo "$$said"; exit 1; }; echo "$$said" | tail -n 1

pytest: $(INSTALLED) ## The tests alone, but for those of `make long` and `make nightly`
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# New examples every time; what a search finds is kept in .hypothesis/examples and tried first the next time.
nightly: $(INSTALLED) ## Long randomised searches, and everything marked nightly
	@HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder --timeout 3600 $(NIGHTLY)

# Left out of `make test`, and a part of `.ci/run`.
long: $(INSTALLED) ## What is long by nature: Coq, pages in a browser, foreign programs, planted defects, tutorials
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "browser or coq or long"

# Slips in reference, bounds, doubles, live, law, oracle and engine, each against the tests that run its line; the first time, all tests
# of the rooms run once, to see which lines they run. After `make adapters` the adapters are tried under the real libraries.
SLIPS ?= 10
SEED ?= 0
mutation: $(INSTALLED) ## Put small slips into our own code and see whether the tests notice
	$(BIN)/python -m tests.mutation --slips $(SLIPS) --seed $(SEED)

# Needs `coqc` (Debian: apt-get install coq).
proofs: $(INSTALLED) ## Build the Coq development
	$(MAKE) -C proofs PYTHON="$(CURDIR)/$(BIN)/python"

pin: $(INSTALLED) ## Write proofs/statements.txt again from what Coq prints of the proofs; read its difference
	$(BIN)/python -m bufalu.properties.coq.kernel

rests: $(INSTALLED) ## Write proofs/rests.txt again: what the kernel's proofs go back to (four CPU minutes)
	$(BIN)/python -m bufalu.properties.coq.relying

coqchk: $(INSTALLED) ## Let Coq's second checker read the built proofs again (a CPU minute more)
	$(MAKE) -C proofs coqchk PYTHON="$(CURDIR)/$(BIN)/python"

# Ratios against other software, which gets an environment of its own; a peer that cannot be installed is left out.
BENCH_VENV := .venv-bench
# `make bench BENCH="--tests --write"` times `make test` too, and writes the table into docs/speed.md.
bench: peers ## Every target of speed in one table, measured in one run
	$(BIN)/python -m benchmarks.run --peers $(BENCH_VENV)/bin/python $(BENCH)

# Each library has an environment of its own below .venv-wild/; nothing of them comes into the environment of the tests.
wild: $(INSTALLED) ## Judge the UCBs of other people's libraries, and write the table of docs/wild.md
	$(BIN)/python examples/wild/judge.py --write

# In a folder of its own, which the tests do not need; what cannot be installed is skipped by name.
ADAPTERS := .venv-adapters
adapters: $(INSTALLED) ## Try the adapters under the real river, Gymnasium and MABWiser
	@test -f $(ADAPTERS)/.installed || ( $(BIN)/python -m pip install --quiet --constraint bufalu/pins.txt --target $(ADAPTERS) \
	  'gymnasium>=1.0' 'river>=0.21' 'mabwiser>=2.7' && touch $(ADAPTERS)/.installed ) || echo "some libraries could not be installed"
	@PYTHONPATH=$(ADAPTERS) $(BIN)/python -m pytest -q tests/live/test_adapters.py

peers: $(INSTALLED) ## SMPyBandits and MABWiser, in an environment of their own
	test -d $(BENCH_VENV) || "$(PYTHON)" -m venv $(BENCH_VENV)
	test -f $(BENCH_VENV)/.installed || ( $(BENCH_VENV)/bin/python -m pip install --quiet \
	  'numpy<1.27' 'scipy<1.12' 'SMPyBandits==0.9.7' 'mabwiser==2.7.4' && touch $(BENCH_VENV)/.installed ) \
	  || echo "some peers could not be installed; going on without them"

# The documentation as a static site in site/, and the pages of it that are written from the code.
docs: $(INSTALLED) ## The documentation as a static site in site/
	$(BIN)/python -m bufalu.pages.site --out site --goals

reach: $(INSTALLED) ## Print what the games reach, judge every planted defect, and write the tables of docs/reach.md
	$(BIN)/python -m tests.oracle.coverage
	$(BIN)/python -m tests.oracle.planted --workers $(WORKERS)
	$(BIN)/python -m tests.oracle.planted --write

map: $(INSTALLED) ## Write the pages of docs/ that come from the code again
	$(BIN)/python -m bufalu.pages.paper_map

pins: ## Take the newest version of every package, and write them into bufalu/pins.txt
	@PYTHON="$(PYTHON)" .ci/setup pins

clean: ## Remove the environment and everything built
	rm -rf $(VENV) $(BENCH_VENV) $(ADAPTERS) .venv-wild .setup.log build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is made once, and again only when what is declared or pinned changes. The audit needs less than the tests.
$(AUDIT): pyproject.toml bufalu/pins.txt
	@PYTHON="$(PYTHON)" .ci/setup audit

$(INSTALLED): pyproject.toml bufalu/pins.txt
	@PYTHON="$(PYTHON)" .ci/setup tests
