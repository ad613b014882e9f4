"""Threads: rows that outlive processes.

tables.py    threads, checkpoints, sections, plan, attempts, events, workers
rows.py      a thread's row as others see it
codec.py     a workflow's state to saved fields and back, strictly
open.py      begin a thread
claim.py     leases: take what is due, take over from the dead
load.py      a claimed thread with its state, as a step will find it
save.py      write what settled steps established, guarded by the lease number
failures.py  a try that did not settle, as a row
events.py    what came from outside
pinned.py    the configuration a thread pins
notes.py     a person's lines, and who approved them
repair.py    retry, park, cancel, and put back at a question
of_role.py   what happens to many threads of a role at once
"""
