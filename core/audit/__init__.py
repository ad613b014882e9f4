"""The audit log (contract C14): append-only, one chain per tenant, one link per transaction.

An entry holds ids, versions and codes; never private content. Each is committed to by a salted digest, each link
hashes the digests of its transaction and the link before it. The newest link is appended to a file outside the
database after the commit, so that a tail cut from the database shows.

note.py     note(tx, ...): what a command or a step adds; chained when its transaction commits
chain.py    verify a chain and hold it against the heads file
tables.py   the tables of this room
"""
