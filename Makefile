# Targets: run, test, check, soak, bench, wheel, release, docs, audit, screenshots, lint, lock. uv is used where it is installed,
# pip otherwise.
SHELL := /bin/bash
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)
RUN := .venv/.run
DEV := .venv/.dev
COMPILED := .venv/.compiled

DOCS := .venv-docs/.docs

.PHONY: run test check soak bench wheel release docs audit screenshots lint suite changed lock clean

ifdef UV
venv = uv venv -q --python $(PYTHON) .venv
install = uv pip install -q --python $(BIN)/python
else
venv = $(PYTHON) -m venv .venv
install = $(BIN)/python -m pip install -q --disable-pip-version-check --no-compile
endif

# What `make run` needs and no more; the project itself is built by the setuptools of the lock.
# Compiled is what a command imports, once and here: most of what is installed never is imported.
# A stamp changes only when its lock or the project's metadata does, so a second `make run` starts at once.
$(RUN): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(venv)
	@test -n "$(UV)" || $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	@echo "installing from the lock"
	@$(install) --require-hashes -r requirements.lock
	@$(install) --no-deps --no-build-isolation -e .
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c \
		"import benchhealth.analytics.assess, benchhealth.dashboard.serving.server, benchhealth.pipeline.night, \
		scipy.signal, scipy.stats, sklearn.linear_model"
	@touch $@

# What tests, lint and measurements need besides: the same packages and more.
$(DEV): $(RUN) requirements-dev.lock
	@echo "adding what tests need"
	@$(install) --require-hashes -r requirements-dev.lock
	@touch $@

# What tests import is compiled once, and not by each process of tests.
$(COMPILED): $(DEV)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -q -p no:cacheprovider >/dev/null || true
	@touch $@

run: $(RUN)
	@$(BIN)/benchhealth init
	@exec $(BIN)/benchhealth serve --port $(PORT)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Lint and, beside it, the whole suite: types are checked by one process, which leaves the other processors idle.
test: $(DEV)
	@$(MAKE) --no-print-directory -j 2 lint suite

# The longest files are begun first (tests/support/longest_first.py).
suite: $(COMPILED)
	$(BIN)/pytest -m "not soak" -n 3 --dist loadfile --no-loadscope-reorder

# While at work: lint and, beside it, the tests of what changed since main, but for those that run the whole.
check: $(DEV)
	@$(MAKE) --no-print-directory -j 2 --output-sync lint changed

changed: $(COMPILED)
	$(BIN)/pytest -m "not soak and not whole" -n 2 --dist loadfile $$($(BIN)/python -m tests.support.changed)

# Everything long, the longest files first, in three processes, as each waits at times; its last lines are the figures.
# BENCHHEALTH_SOAK_SEED repeats a run, BENCHHEALTH_SOAK_MINUTES and BENCHHEALTH_SOAK_READERS make the readers' part
# longer and larger.
soak: $(COMPILED)
	$(BIN)/pytest -m soak -n 3 --dist loadfile --no-loadscope-reorder

bench: $(DEV)
	$(BIN)/python -m perf

# dist/: one wheel with the program, its facts and the tables of its first generation, of what is committed.
wheel: $(DEV)
	@.ci/wheel dist
	@ls dist/*.whl

# dist/: wheel and source archive of what is committed, checked and tried, with checksums. Nothing is published.
release: $(DEV)
	@.ci/release dist

# build/site: the documentation, in an environment of its own; its notebooks are run over the bundled facts, some minutes.
$(DOCS): requirements-docs.lock
	@test -x .venv-docs/bin/python || $(PYTHON) -m venv .venv-docs
	@.venv-docs/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

docs: $(DEV) $(DOCS)
	@mkdir -p build/docs && cp docs/*.md docs/pages.css build/docs/
	@sed -i -E 's/\.ipynb\)/.md)/; s/\[[^]]*\]\(\.\.\/([^)]*)\)/`\1`/' build/docs/*.md # links out of docs/ are names there
	@$(BIN)/python -m tests.support.notebooks build/docs/notebooks
	@.venv-docs/bin/mkdocs build -q -f docs/mkdocs.yml

# Asks the advisories about the locks, with pip-audit from the path; exit 69 where they could not be asked.
audit:
	@.ci/audit

# Writes pictures of every page to build/pictures, over the bundled facts; README's own to docs/pictures too.
screenshots: $(DEV)
	$(BIN)/python -m perf.pictures

# Rewrites the locks for the newest releases that pyproject.toml admits.
COMPILE_ALONE := uv pip compile --generate-hashes --python-version 3.11 --universal --no-emit-index-url --allow-unsafe \
	-q --upgrade
COMPILE := $(COMPILE_ALONE) pyproject.toml
lock:
	$(COMPILE) --extra install -o requirements.lock
	$(COMPILE) --extra install --extra login --extra lake --extra mcp -c requirements.lock -o requirements-full.lock
	$(COMPILE) --all-extras -c requirements-full.lock -o requirements-dev.lock
	$(COMPILE_ALONE) --group release -c requirements-dev.lock -o requirements-release.lock
	uv pip compile --group pyproject.toml:docs --generate-hashes --python-version 3.11 --universal \
		--no-emit-index-url -q --upgrade -o requirements-docs.lock

clean:
	rm -rf .venv .venv-docs var build *.egg-info
