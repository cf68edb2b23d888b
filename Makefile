# Each target makes its own environment: a fresh machine needs Python (3.11 or newer) and make, nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test lint check bench fuzz clean

demo: $(READY)          ## the main job on a small shipped scenario
	@$(BIN)/laser-rdf demo --out demo-out

test: $(READY)          ## all tests
	$(BIN)/python -m pytest -n auto -q

lint: $(READY)          ## format, lint, types, import contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test        ## everything CI checks

bench: $(READY)         ## the benchmarks, into bench-out/
	$(BIN)/laser-rdf bench laser --out bench-out

fuzz: $(READY)          ## generated programs and texts, for longer
	LASER_RDF_EXAMPLES=20000 $(BIN)/python -m pytest -n auto -q tests -m fuzz

# The stamp is newer than pyproject.toml exactly when what it asks for is installed.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

clean:
	rm -rf $(VENV) build demo-out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
