# Targets: run, test, soak, bench, lint, lock. uv is used where it is installed, pip otherwise.
SHELL := /bin/bash
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)

.PHONY: run test soak bench lint lock clean

# Compiled is what a command imports, once and here: most of what is installed never is imported.
# The stamp changes only when the lock or the project's metadata does, so a second `make run` starts at once.
.venv/.installed: requirements.lock pyproject.toml
	@test -x $(BIN)/python || { if [ -n "$(UV)" ]; then uv venv -q --python $(PYTHON) .venv; else $(PYTHON) -m venv .venv; fi; }
	@test -n "$(UV)" || $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip -q
	@echo "installing from the lock"
	@if [ -n "$(UV)" ]; then uv pip install -q --python $(BIN)/python --require-hashes -r requirements.lock; \
	else $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile --require-hashes -r requirements.lock; fi
	@if [ -n "$(UV)" ]; then uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .; fi
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c "import analytics.assess, dashboard.serving.server, pipeline.night"
	@touch $@

run: .venv/.installed
	@$(BIN)/benchhealth init
	@exec $(BIN)/benchhealth serve --port $(PORT)

lint: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -m "not soak" -n 2 --dist loadfile

soak: .venv/.installed
	$(BIN)/pytest -m soak

bench: .venv/.installed
	$(BIN)/python -m perf

# Rewrites requirements.lock for the newest releases that pyproject.toml admits.
lock:
	uv pip compile pyproject.toml --all-extras --generate-hashes --python-version 3.11 --universal \
		--no-emit-index-url --allow-unsafe -q -o requirements.lock --upgrade

clean:
	rm -rf .venv var build *.egg-info
