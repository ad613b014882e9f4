"""`python -m core COMMAND`."""

from core.cli.main import run

run()
