# Two commands do everything on a fresh clone: `make audit` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
WORKERS ?= 2

.PHONY: audit test lint types imports pytest bench proofs docs clean

audit: $(INSTALLED)
	$(BIN)/bufalu audit

test: lint types imports pytest

lint: $(INSTALLED)
	$(BIN)/ruff check .

types: $(INSTALLED)
	$(BIN)/mypy

imports: $(INSTALLED)
	$(BIN)/lint-imports

pytest: $(INSTALLED)
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# The Coq development. Needs `coqc` (Debian: apt-get install coq).
proofs:
	$(MAKE) -C proofs

clean:
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is made once, and again only when the declared dependencies change.
$(INSTALLED): pyproject.toml
	@echo "Setting up $(VENV) (once; a minute or two)"
	$(PYTHON) -c 'import sys; sys.exit("bufalu needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --upgrade pip setuptools
	$(BIN)/python -m pip install --editable '.[dev,proofs,experiments]'
	touch $(INSTALLED)
