"""Duties: what a tenant does at a local time of its own, once for each local day, such as a nightly sweep.

calendar.py   when one is due next, also on days on which the clocks change; pure
duties.py     the rows: which there are, when each is due, what each run came to
"""
