"""The database's one door.

types.py        column types: Instant, Sealed, JsonText
base.py         the metadata every room's tables hang on
store.py        Store: read() and write(), one transaction each; Tx, what functions below are handed
locks.py        life locks and the home's own lock: freed by the kernel when a process dies
migrations/     Alembic revisions, forward only
"""
