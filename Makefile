# Each target does its own set-up from a fresh clone: a .venv, the tools, the build.
# Needed beforehand: Python 3.11+, a Rust toolchain, and the package registries.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCHES := $(patsubst benches/bench_%.py,%,$(wildcard benches/bench_*.py))

RESULTS := $(patsubst benches/results_%.py,%,$(wildcard benches/results_*.py))

# One build serves the package, clippy and the Rust tests. Only the crates with tests are compiled
# once more for them, with overflow checks and debug assertions.
TESTED := headway-core headway-fragment
CHECKS := opt-level=1 debug-assertions=true overflow-checks=true
CHECKED := --release $(foreach crate,$(TESTED),$(CHECKS:%=--config profile.release.package.$(crate).%))
MINUTES ?= 10

.PHONY: help setup demo test quick peers explore lint format bench results wheel clean $(subst _,-,$(RESULTS:%=results-%) $(BENCHES:%=bench-%))

help:  ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10
	@echo "bench-NAME  one of: $(subst _,-,$(BENCHES))"
	@echo "results-NAME  one of: $(subst _,-,$(RESULTS))"

setup: $(VENV)/built  ## build headway into .venv

demo: $(VENV)/built  ## the main job on the built-in corpus
	$(BIN)/headway demo

test: lint  ## lint, Rust tests, Python tests
	cargo test $(CHECKED) --quiet $(TESTED:%=--package %) --lib
	$(BIN)/pytest --numprocesses auto --dist loadfile --durations 25

quick: $(VENV)/tools  ## the tests of what changed since the last commit, without lint
	$(BIN)/python tests/quick.py

peers: $(VENV)/built $(VENV)/peer-tools  ## tests against other programs, which are compiled first
	$(BIN)/pytest tests/peers --override-ini addopts=-q

explore: $(VENV)/built  ## draw new random tests for MINUTES=10; what they find is kept in explored/
	$(BIN)/python tests/explore.py $(MINUTES) $(CHECKED)

lint: $(VENV)/built  ## order of modules, formatting, clippy, ruff, types, stubs
	$(BIN)/python tests/layers.py
	cargo fmt --check
	cargo clippy --release --quiet --all-targets -- -D warnings
	$(BIN)/ruff format --check
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/stubtest headway._core --ignore-disjoint-bases --allowlist tests/stubtest.allow

format:  ## rewrite the sources as `make lint` wants them
	cargo fmt
	$(BIN)/ruff format
	$(BIN)/ruff check --quiet --fix

bench: $(subst _,-,$(BENCHES:%=bench-%))  ## every bench, one after the other

$(subst _,-,$(BENCHES:%=bench-%)): bench-%: $(VENV)/built $(VENV)/bench-tools
	$(BIN)/python benches/bench_$(subst -,_,$*).py

results: $(VENV)/built  ## every system on every corpus, in one table: takes hours, and can be interrupted
	$(BIN)/python benches/results_systems.py

# `make results-phrase-defaults` runs benches/results_phrase_defaults.py: quality on real data.
$(subst _,-,$(RESULTS:%=results-%)): results-%: $(VENV)/built
	$(BIN)/python benches/results_$(subst -,_,$*).py

# The wheel runs on every Linux with glibc 2.17 or later; zig provides the linker for that.
wheel: $(VENV)/wheel-tools  ## a wheel and an sdist in dist/; the wheel is tried in an empty environment
	$(BIN)/python release/notices.py THIRD-PARTY.txt
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/maturin build --release --zig --compatibility manylinux2014 --out dist
	$(BIN)/maturin sdist --out dist
	$(BIN)/python release/smoke.py dist

clean:  ## remove everything that is built
	rm -rf $(VENV) target explored dist THIRD-PARTY.txt

# Python tools, in a file of their own so that a change of sources does not ask pip again.
$(VENV)/tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet 'pip>=25.1'
	$(BIN)/pip install --quiet --group dev
	touch $@

$(VENV)/peer-tools: $(VENV)/tools
	$(BIN)/pip install --quiet --group peers
	touch $@

$(VENV)/wheel-tools: $(VENV)/tools
	$(BIN)/pip install --quiet --group wheel
	touch $@

$(VENV)/bench-tools: $(VENV)/tools
	$(BIN)/pip install --quiet --group bench
	touch $@

SOURCES := Cargo.toml Cargo.lock $(shell find crates -type f)

$(VENV)/built: $(VENV)/tools $(SOURCES)
	$(BIN)/maturin develop --release --quiet
	touch $@
