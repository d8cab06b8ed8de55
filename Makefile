# Everything runs from the virtual environment that `make setup` fills.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup run test check bench bench-ui format

setup: .venv/ready

.venv/ready: requirements-dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch $@

run: setup
	$(BIN)/python -m streamlit run app.py

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python -m pip install --quiet -r requirements-bench.txt
	$(BIN)/python benchmarks/bench.py

bench-ui: setup
	$(BIN)/python benchmarks/bench_ui.py
