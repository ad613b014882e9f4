"""Reads for screens and the command line. A view may select any table and writes none; it answers frozen dataclasses.

sentence.py  the one sentence a thread can say
threads.py   the list of threads; one thread whole
runs.py      the list of runs, paged; runs_order.py its orders; near_names.py names spelt nearly so
run.py       one run for its page; asked.py its approvals
history.py   a run at each checkpoint, what changed and why; differences.py field by field
after.py     what a run did outside after a point
compare.py   two runs side by side
fixture.py   a run's shape, for a test
queue.py     what waits for a person
roles.py     a role with every version of its rubric
letters.py   a role's letters, each with the version it is of
of_role.py   the rows that a role's changes touch, counted before they are made
overrides.py what the store knows of how somebody read the points
ask.py       exact answers from rows
doubts.py    what is known of effects that nobody knows of
health.py    workers and what is overdue
verify.py    what is broken, by name
lab.py       the third seed's schema as database views
"""
