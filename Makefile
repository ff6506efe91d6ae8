# `make run` and `make test` set up everything they need in .venv and start from nothing.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers

.PHONY: run test lint types web unit browser bench bench-board bench-data bench-peers clean

run: $(VENV)/.run
	@echo "PAdf Explorer: http://localhost:$(PORT)"
	$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.headless true

test: lint types web unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

web: $(VENV)/.dev
	$(BIN)/python -m tests.web.find_node check

unit: $(VENV)/.dev browser
	$(BIN)/python -m pytest -n 2 --dist load --maxschedchunk 1

browser: $(VENV)/.dev
	$(BIN)/python -m tests.find_browser

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.core

bench-board: $(VENV)/.dev browser
	$(BIN)/python -m benchmarks.board

bench-data: $(VENV)/.dev browser
	$(BIN)/python -m benchmarks.data

bench-peers: $(VENV)/.dev $(PEERS)/.ready
	$(BIN)/python -m benchmarks.peers $(PEERS)/bin/python

clean:
	rm -rf $(VENV) $(PEERS) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; say which with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) -m venv failed; on Debian: apt-get install python3-venv"; exit 1; }
	@touch $@

$(VENV)/.run: requirements.txt | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.run

$(PEERS)/.ready:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check tsadmetrics==1.0.16 tadpak==0.3.3 scikit-learn tqdm
	@touch $@
