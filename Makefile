# make run            opens the program (ARGS="panda" opens that robot)
# make test           runs the tests that tests/quick.txt lists (LONG=1 runs all, as .ci/run does; SOAK=1 adds the very long ones and
#                     draws new random examples; ARGS="-k singular" runs some)
# make docs           builds the documentation, build/docs/index.html, and checks it
# make lint · make format · make bench · make clean
# make wheel          a wheel in dist/ with its kernels compiled; make app: the program with its own Python, as a folder and a .tar.gz
# Each sets up what it needs first: system libraries, .venv, pinned packages; tests and benchmarks the compiled kernels, too.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test docs lint format bench wheel app clean

ARGS ?=
JOBS ?= 2
VENV := .venv/bin
SELECT := $(if $(SOAK),,-m "not soak" $(if $(LONG)$(ARGS),,--quick --cases 3))

help:
	@sed -n '/^#/!q;s/^# //p' Makefile

# Bytecode is written on first import: uv leaves that to Python, and each start would else compile all packages again.
run:
	@scripts/setup.sh run
	@PYTHONDONTWRITEBYTECODE= $(VENV)/python main.py $(ARGS)

# tests/conftest.py gives each worker a virtual X display of its own, so that their windows never compete for the focus.
test:
	@JOBS=$(JOBS) scripts/test.sh $(SELECT) $(ARGS)

# A fresh build each time, since a check of half a site says little; pictures that are still true are kept.
docs:
	@scripts/setup.sh docs
	@rm -rf build/docs
	@$(VENV)/python -m sphinx -q -W --keep-going -E -d build/doctrees -b html docs build/docs
	@$(VENV)/python -m docs.machinery.site_check build/docs

lint:
	@scripts/setup.sh dev
	@scripts/lint.sh

format:
	@scripts/setup.sh dev
	@$(VENV)/ruff check --fix --quiet .
	@$(VENV)/ruff format .

bench:
	@scripts/setup.sh kernels
	@$(VENV)/python -m tests.benchmarks $(ARGS)

wheel:
	@scripts/setup.sh test
	@scripts/wheel.sh

app: wheel
	@scripts/app.sh

clean:
	@rm -rf .venv .venv-newer build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis tests/output docs/pictures
	@find engine app tests scripts docs -name __pycache__ -type d -prune -exec rm -rf {} +
