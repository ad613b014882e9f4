"""Temporal drives: a workflow for each thread sleeps and listens, and each step is an activity. The database decides.

workflow.py    what a workflow does: ask where its thread stands, sleep, listen, ask again
activities.py  one step, carried out by the runner that every engine uses
relay.py       tells the server what the nudges say, until it acknowledged them
line.py        the event loop that speaks to the server, in a thread of its own
engine.py      the worker as the doors see it

What stands in Temporal's history is ids and numbers. Async code is here and nowhere else.
"""
