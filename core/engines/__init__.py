"""Who drives: what asks the runner to run.

engine.py      what every engine is to the doors
local.py       the embedded engine: asks what is due
temporal/      Temporal asks, and sleeps; its workers carry steps out
worker.py      one worker's row, life and pulse, whatever drives it
duties.py      what is due at a local time
metronome.py   its beat, which a clock set back does not stop
"""
