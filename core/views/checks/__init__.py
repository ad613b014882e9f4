"""What `verify` checks, one module a kind of damage. Each check takes a `Look` and counts and says what it found.

look.py       what is looked at, and what was found
threads.py    checkpoints without a hole, plan in step, timers that wake
seals.py      sealed rows that open, sections that are what their checkpoints add up to
ledger.py     effects that were planned, let out and approved
guard.py      the database's own triggers
questions.py  approvals that a person of the tenant answered, and none that nobody can answer
calls.py      model calls that cost what their counts come to
values.py     times that are times, JSON that is JSON
named.py      configuration that threads pin, look-ups that people are found by
places.py     columns on the data map, rows that belong somewhere, blobs and their receipts
erased.py     erased subjects of whom nothing is left
"""
