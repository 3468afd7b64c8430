# Both `make demo` and `make test` set up all they need: a virtual environment, pinned requirements, a browser.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin

.PHONY: demo test lint format train evaluate figures bench bench-page clean

demo: .venv/installed
	$(BIN)/python app.py

test: .venv/installed-dev
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/browser/install.sh
	$(BIN)/python -m pytest

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

train: .venv/installed
	$(BIN)/python -m seq2seq_demo train

evaluate: .venv/installed
	$(BIN)/python -m seq2seq_demo evaluate

figures: .venv/installed
	$(BIN)/python -m seq2seq_demo figures README.md
	$(BIN)/python -m seq2seq_demo.interface.example

bench: .venv/installed-dev
	$(BIN)/python -m bench.decoding

bench-page: .venv/installed-dev
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/browser/install.sh
	$(BIN)/python -m bench.page

clean:
	rm -rf .venv

.venv/pip:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed and was not found; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: requirements.txt .venv/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/installed-dev: requirements-dev.txt requirements-ray.txt .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
