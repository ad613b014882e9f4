"""Who drives: what asks the runner to run.

local.py       the embedded engine: asks what is due
metronome.py   its beat, which a clock set back does not stop
"""
