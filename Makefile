# Two commands matter: `make demo` and `make test`. Each line below also works without make: see README, "Without make".
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= -n 2 --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/python -m pytest -p tests.progress -o console_output_style=classic
unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: compiling modules anew in each doubles their time

.PHONY: help demo test test-all test-quick test-lts figures image lint hooks down install
help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: install  ## from nothing to an answer with its path, on a Neo4j that is brought along
	@$(BIN)/filigraph demo

test: install  ## the tests but the slow ones, on the real Neo4j: two workers, each with a Neo4j of its own
	@$(PYTEST) $(WORKERS) -m "not slow" --junitxml build/tests.xml

test-all: install  ## every test, with kills, a cluster, a full disk and more examples of the same
	@$(PYTEST) $(WORKERS) --junitxml build/tests.xml

test-quick: install  ## the tests that need neither Neo4j nor a model: under a minute
	@$(PYTEST) $(WORKERS) tests/unit -m "not models"

test-lts: install  ## the store's tests on Neo4j 5.26 LTS
	@FILIGRAPH_NEO4J_VERSION=5.26.15 $(PYTEST) $(WORKERS) tests/store tests/runs

figures: install  ## the figures in README and docs, from bench/results
	@$(BIN)/python -m bench.figures

image: install  ## the container image: built by docker, podman or buildah, and tried
	@sh docker/build.sh
	@$(PYTEST) tests/app/test_image.py

lint: install  ## style, types, architecture, known vulnerabilities of dependencies (needs the internet, else it says so)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@mkdir -p .lint/filigraph && for room in app graph prompts; do ln -sfn ../../$$room .lint/filigraph/$$room; done
	@ln -sfn ../../package/__init__.py .lint/filigraph/__init__.py
	@MYPYPATH=.lint $(BIN)/mypy -p filigraph -p bench -p tests
	@PYTHONPATH=.lint $(BIN)/lint-imports
	@.ci/web/check
	@.ci/subjects
	@.ci/audit

hooks:  ## check the subject of each commit you make (at most 72 characters)
	@git config core.hooksPath .ci/hooks

down: install  ## stop the server and the Neo4j that `make demo` left running
	@$(BIN)/filigraph down

# SLIM=1 leaves PyTorch out, and the tools of the tests: a third of the time and of the space.
install: $(if $(SLIM),.venv/.installed-slim,.venv/.installed)
.venv/.installed .venv/.installed-slim: pyproject.toml constraints.txt install.sh slim.txt
	@PYTHON=$(PYTHON) SLIM=$(SLIM) sh install.sh
	@touch $@
