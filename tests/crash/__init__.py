"""Tests that start real processes and kill them.

nursery.py    forks a process for each order it is given (it has imported the product once, so that a start is cheap)
acts.py       what such a process does: works, decides, applies, serves
seams.py      where in it a process dies or waits; the product itself knows nothing of this
errands.py    a workflow of two steps, for what screening cannot show
processes.py  the test's side: start, wait, kill, signals between processes
records.py    what a test asserts on: letters, rows, verify
"""
