"""Nudges: what an engine outside of the database is to be told.

tables.py  nudges, who drives the home, and the triggers that write nudges
nudges.py  read and forget nudges; switch the engine
"""
