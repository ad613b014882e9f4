# Everything there is to run. `make` alone lists it.

.DEFAULT_GOAL := help

PORT ?= 8501
CASES ?= ../shared/cases
PEERS ?= ../shared/bench
ARGS ?=

PYTEST = .venv/bin/pytest $(if $(wildcard $(CASES)),--cases=$(CASES)) $(ARGS)

# Letters carry addresses of this app: on another port they must lead there, unless somebody named the address.
OWN_ADDRESS = $(if $(filter-out 8501,$(PORT)),grep -qs '^DAYBOOK_BASE_URL=' .env \
  || export DAYBOOK_BASE_URL="$${DAYBOOK_BASE_URL:-http://127.0.0.1:$(PORT)}";)

.PHONY: help setup run demo worker test test-fast test-crash test-kills storm class fuzz check fmt docs pictures bench bench-peers clean

help: ## list what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: .venv/ready ## build .venv with all that the app, the checks and the tests need

.venv/ready: requirements.txt requirements-dev.txt
	@set -e; python=; \
	for name in python3.11 python3; do \
	  if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "No Python 3.11 or newer is here: install python3.11 and its venv package, then run make again." >&2; exit 1; \
	fi; \
	echo "Building .venv with $$($$python --version); the first time takes a minute or two."; \
	$$python -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r requirements-dev.txt
	@touch $@

run: setup ## load the demo and start the app with its worker (PORT=8501)
	@.venv/bin/python -c 'import socket, sys; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1", int(sys.argv[1])))' '$(PORT)' 2>/dev/null \
	|| { echo "Port $(PORT) cannot be used: something listens there already, or it is not a free port number. Try: make run PORT=8502" >&2; exit 1; }
	@.venv/bin/python -m core demo --hold-seconds 10
	@echo "Daybook is starting on http://127.0.0.1:$(PORT) (Ctrl-C stops it)"
	@$(OWN_ADDRESS) exec .venv/bin/streamlit run app.py --server.address 127.0.0.1 --server.port '$(PORT)' \
	  --server.headless true --browser.gatherUsageStats false

demo: setup ## write the demo into the home; a second time changes nothing
	@.venv/bin/python -m core demo

worker: setup ## resume what is due, apart from the app (start the app with DAYBOOK_WORKER=off)
	@.venv/bin/python -m core worker

test: setup ## run every test, side by side on the machine's cores
	@$(PYTEST) -n auto --maxprocesses 4 --dist worksteal tests

test-fast: setup ## run the unit tests only
	@$(PYTEST) tests/unit

test-crash: setup ## run the tests that kill real processes
	@$(PYTEST) tests -m crash

test-kills: setup ## kill the worker of the whole migration fifty times, on both databases (KILLS=, SCALE=)
	@KILLS=$(or $(KILLS),50) SCALE=$(or $(SCALE),1) $(PYTEST) tests/crash/test_agent_kills.py

storm: setup ## kill workers at random and on sight for minutes, and count from outside (SECONDS=, SEED=, ENGINE=)
	@.venv/bin/python -m tests.storm --seconds $(or $(SECONDS),300) --seed $(or $(SEED),1) --engine $(or $(ENGINE),local)

class: setup ## a class of twenty sessions at one server: prints how long a press takes (SESSIONS=)
	@SESSIONS=$(or $(SESSIONS),20) $(PYTEST) -s tests/browser/test_workshop.py -k session

fuzz: setup ## read 10,000 damaged files: none hangs, ends the app or is read as rubbish (FILES=, SEED=)
	@.venv/bin/python -m tests.fuzz --files $(or $(FILES),10000) --seed $(or $(SEED),1)

check: setup ## run every check that needs no test: style, arrows, docs, types
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports
	.venv/bin/python -m tests.docs --check
	.venv/bin/mypy

fmt: setup ## format the code and mend what ruff can mend
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

docs: setup ## write docs/seeds.md, docs/schema.md and the code shown in docs again
	.venv/bin/python -m tests.docs

pictures: setup ## take the docs' pictures anew from the demo (needs the system's Chromium)
	@.venv/bin/python -m tests.pictures

bench: setup ## screen 150 applicants and print the figures as JSON
	@.venv/bin/python -m tests.benchmarks W1 --json

bench-peers: setup ## run W1 to W5 beside LangGraph, DBOS and Temporal, in one run (PEERS=, RUNS=, ONLY=)
	@test -d '$(PEERS)' || { echo "The peers' runner is not at $(PEERS): name its folder with PEERS=." >&2; exit 1; }
	@test -x .venv-peers/bin/python || python3 -m venv .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r tests/benchmarks/peers/requirements.txt
	@PY="$(CURDIR)/.venv-peers/bin/python" OURS="$(CURDIR)" OURS_PYTHON="$(CURDIR)/.venv/bin/python" '$(PEERS)/run_all.sh'

clean: ## remove .venv and every cache; the home (data/var) stays
	rm -rf .venv .venv-peers build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
