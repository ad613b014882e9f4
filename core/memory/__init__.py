"""Memory (contract C7): records kept for later threads, each with a passport, read by exact key in code.

tables.py   memories
memory.py   remember, and the one function that reads
"""
