PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[demo]"
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	@touch $@ $(VENV)/.demo

$(VENV)/.lint: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable ".[lint]"
	@touch $@

$(VENV)/.bench: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	@touch $@

demo: $(VENV)/.demo
	$(BIN)/labelsift demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run_all.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache labelsift-demo
