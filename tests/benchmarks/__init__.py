"""Benchmarks: `python -m tests.benchmarks W1 --json`. They print figures; no test fails on time."""
