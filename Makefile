# `make run` and `make test` create .venv and install everything they need.

PYTHON ?= python3
PORT ?= 8501
HOST ?= 127.0.0.1
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
ADAPTERS := .venv-adapters
# Python compiles modules on first import. Most installed modules are never imported.
QUIETLY := --quiet --disable-pip-version-check --no-compile

# Tests multiply small matrices in several processes. More threads would only slow them down.
unit pages quick fuzz: export OPENBLAS_NUM_THREADS = 1

# Keep compiled modules, because workers, servers and commands import them repeatedly.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test quick lint types web unit pages browser docs audit fuzz release-check check-adapters bench bench-load bench-replicas bench-board bench-corpus bench-coverage bench-data bench-peers bench-nab clean

run: $(VENV)/.run
	$(BIN)/python -m padf_core app --host $(HOST) --port $(PORT)

test: $(VENV)/.made
	@$(MAKE) --no-print-directory -j4 lint web
	@$(MAKE) --no-print-directory -j3 types unit pages

# All checks without a browser, in about a minute.
quick: $(VENV)/.made
	@$(MAKE) --no-print-directory -j4 lint types web
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" --hypothesis-profile quick --ignore tests/browser

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

# If the machine has Node, this needs no Python packages. If not, Node is installed as one of them.
NODE := $(shell $(PYTHON) -c 'from tests.web.find_node import machine_node as found; print(found() or "")' 2>/dev/null)
web: $(VENV)/$(if $(NODE),.made,.dev)
	$(BIN)/python -m tests.web.find_node check

# Browser tests often wait. The other tests use that time, at a slightly lower priority. At a much
# lower priority they would hardly run on a busy machine.
unit: $(VENV)/.dev
	nice -n 3 $(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/browser

pages: $(VENV)/.dev browser
	rm -rf .browser-failures
	$(BIN)/python -m pytest -n 2 --dist load --maxschedchunk 1 tests/browser

browser: $(VENV)/.dev
	$(BIN)/python -m tests.find_browser

# Build the documentation as HTML in docs/_site.
docs: $(VENV)/.dev
	$(BIN)/python -m docs.build

# Check the installed versions for known vulnerabilities. This needs network access.
audit: $(VENV)/.dev
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/python -m pip freeze > .venv-audit/frozen.txt
	.venv-audit/bin/pip-audit -r .venv-audit/frozen.txt --no-deps --disable-pip

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzzing $(COUNT) $(SEED)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" --hypothesis-profile search --ignore tests/browser

# Test the release in clean environments of the given Pythons: make release-check PYTHONS="python3.11 python3.13"
release-check: $(VENV)/.dev
	$(BIN)/python -m tests.release_check $(or $(PYTHONS),$(PYTHON))

check-adapters: $(ADAPTERS)/.ready
	$(ADAPTERS)/bin/python -m pytest -q -rs -p no:cacheprovider tests/test_adapters.py tests/core/test_scorers.py

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.core

bench-load: $(VENV)/.dev
	$(BIN)/python -m benchmarks.load $(SECONDS)

bench-board: $(VENV)/.dev browser
	$(BIN)/python -m benchmarks.board

bench-corpus: $(VENV)/.dev
	$(BIN)/python -m benchmarks.corpus $(NAB)

# Two replicas behind nginx: make bench-replicas NGINX=/usr/sbin/nginx
bench-replicas: $(VENV)/.dev
	$(BIN)/python -m benchmarks.replicas $(or $(NGINX),nginx)

# Many small matrix products are fastest in a single thread.
bench-coverage: $(VENV)/.dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.coverage

bench-data: $(VENV)/.dev browser
	$(BIN)/python -m benchmarks.data

bench-peers: $(VENV)/.dev $(PEERS)/.ready
	$(BIN)/python -m benchmarks.peers $(PEERS)/bin/python

bench-nab: $(VENV)/.dev
	@test -n "$(NAB)" || { echo "say where a checkout of numenta/NAB is: make bench-nab NAB=path"; exit 1; }
	$(BIN)/python -m benchmarks.nab $(NAB)

clean:
	rm -rf $(VENV) $(PEERS) $(ADAPTERS) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; say which with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) -m venv failed; on Debian: apt-get install python3-venv"; exit 1; }
	@touch $@

$(VENV)/.run: requirements.txt | $(VENV)/.made
	$(BIN)/python -m pip install $(QUIETLY) -r requirements.txt
	@touch $@

# A current pip resolves the dependencies in half the time.
$(VENV)/.dev: requirements.txt requirements-dev.txt | $(VENV)/.made
	$(BIN)/python -m pip install $(QUIETLY) --upgrade pip
	$(BIN)/python -m pip install $(QUIETLY) -r requirements-dev.txt
	@touch $@ $(VENV)/.run

$(PEERS)/.ready:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check tsadmetrics==1.0.16 tadpak==0.3.3 scikit-learn tqdm
	@touch $@

$(ADAPTERS)/.ready:
	$(PYTHON) -m venv $(ADAPTERS)
	$(ADAPTERS)/bin/python -m pip install --quiet --disable-pip-version-check "aeon~=1.6" "dtaianomaly~=0.5" scikit-learn pytest hypothesis
	@touch $@
