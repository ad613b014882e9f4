"""Damaged files: `python -m tests.fuzz [--files 10000] [--seed 1]`. Each is refused in one sentence or read rightly."""
