PYTHON ?= python3
VENV ?= .venv
FLOOR ?= .venv-floor
BIN := $(VENV)/bin

.PHONY: demo test floor test-floor coverage mutation check-wheel lint bench fidelity docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[demo]"
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	@touch $@ $(VENV)/.demo

$(VENV)/.coverage: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable ".[coverage]"
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable ".[lint]"
	@touch $@

$(VENV)/.bench: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	@touch $@

$(VENV)/.docs: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@touch $@

demo: $(VENV)/.demo
	$(BIN)/labelsift demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal

$(FLOOR)/.test: pyproject.toml
	$(PYTHON) -m venv $(FLOOR)
	$(PYTHON) .ci/floor.py > $(FLOOR)/floor.txt
	$(FLOOR)/bin/python -m pip install --quiet --requirement $(FLOOR)/floor.txt
	$(FLOOR)/bin/python -m pip install --quiet --no-deps --editable .
	$(FLOOR)/bin/python -m pip check
	@touch $@

floor: $(FLOOR)/.test

test-floor: $(FLOOR)/.test
	$(FLOOR)/bin/python -m pytest -n auto --dist worksteal -m "not slow" --hypothesis-profile few \
		--ignore tests/contract/test_degenerate.py --ignore tests/contract/test_examples.py \
		$(addprefix tests/,contract read encode select learn engine report)

# Which test reaches which line, and how long each takes, stay in .coverage and
# .times.xml: benchmarks/mutation.py reads them.
coverage: $(VENV)/.coverage
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-branch \
		--cov-context=test --cov-report= --junitxml=.times.xml -o junit_family=xunit1
	$(BIN)/coverage combine -q --append # workers that ended after the tests
	$(BIN)/coverage json -q -o .covered.json
	$(BIN)/python .ci/branches.py .covered.json 95

mutation: $(VENV)/.coverage
	$(BIN)/python benchmarks/mutation.py

check-wheel:
	PYTHON=$(PYTHON) .ci/check_wheel

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run_all.py

fidelity: $(VENV)/.test
	$(BIN)/python benchmarks/fidelity.py

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf docs/_build docs/generated docs/gallery $(VENV) .mypy_cache .ruff_cache .pytest_cache labelsift-demo
