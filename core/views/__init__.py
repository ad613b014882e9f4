"""Reads for screens and the command line. A view may select any table and writes none; it answers frozen dataclasses.

sentence.py  the one sentence a thread can say
threads.py   the list of threads; one thread whole
queue.py     what waits for a person
ask.py       exact answers from rows
health.py    workers and what is overdue
verify.py    what is broken, by name
lab.py       the third seed's schema as database views
"""
