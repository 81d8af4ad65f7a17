# Two targets do all the set-up on a fresh machine: `make profile` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
FAST := analysis checks core datasets generate storage tables theory test_cli.py test_structure.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: profile test test-fast lint types tests site clean

profile: .venv/.base
	$(BIN)/grice profile -o profile

test: .venv/.test
	$(MAKE) --no-print-directory lint types tests

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.test
	$(BIN)/mypy

# A file's tests share their fixtures in one worker.
tests: .venv/.test
	$(BIN)/pytest -n 2 --dist loadfile

# Without models, browsers, servers, the site and notebooks.
test-fast: .venv/.test
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow" $(addprefix tests/,$(FAST))

site: .venv/.test
	$(BIN)/python -m tools.site -o site

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.base: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	touch $@

.venv/.test: .venv/bin/python pyproject.toml constraints.txt packages/grice-parser/pyproject.toml
	$(PIP) torch==2.13.0
	$(PIP) -e packages/grice-parser -e '.[all,test]'
	touch $@ .venv/.base

clean:
	rm -rf .venv dist build site .pytest_cache .mypy_cache .ruff_cache
