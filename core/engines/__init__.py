"""Who drives: what asks the runner to run.

local.py   the embedded engine: a metronome that asks what is due
"""
