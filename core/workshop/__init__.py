"""The workshop: a room of people breaks it, sees why, and repairs it. Everything is computed from rows and processes.

planting.py   what a demo writes into a tenant, and removes again
atlas.py      the third seed's job, paused at review
screen.py     the first seed's screen, with three applicants
classroom.py  a tenant for each team, codes to sign in with, reset
sheet.py      addresses and codes to be printed
"""
