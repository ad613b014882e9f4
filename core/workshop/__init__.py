"""The workshop: a room of people breaks it, sees why, and repairs it. Everything is computed from rows and processes.

planting.py   what a demo writes into a tenant, and removes again
atlas.py      the third seed's job, paused at review
screen.py     the first seed's screen, with three applicants
classroom.py  a tenant for each team, codes to sign in with, reset
sheet.py      addresses and codes to be printed
facts.py      where twenty facts belong, by the data map
team_rows.py  what a team's ticks are read from; ticks.py the five steps of the lab
naive.py      the prototype that replays its transcript
contaminate.py  what a team does to its own packet
crash.py      kills a process and counts the letters; crash_child.py is what it kills
deletion.py   looks for a deleted row in every byte of its files
clinic.py     the four failures, with their tests; failing.py causes and repairs them
running.py    what takes longer than a page run
"""
