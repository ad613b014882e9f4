"""Memory (contract C7): records kept for later threads, each with a passport, read by exact key in code.

tables.py   memories, and which thread was handed which
kinds.py    the kinds there are, the longest life of each, and whether a key has one value
door.py     what is refused at the door: no passport, secrets, raw reasoning, how to score
secrets.py  finds a secret in a text
memory.py   remember: the passport, trust over the lineage
expiry.py   when a record expires, and the events that set that anew
reading.py  the one function that reads; what the memory browser lists and shows
changing.py allow, refuse, forget, restore, supersede, expire, set another date, purge
alarms.py   a source that writes too much, a record that reaches too many subjects
"""
