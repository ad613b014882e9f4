"""What is kept, of what kind, whose, until when, and what erases it (contract C9).

datamap.py          the map's rows, and what compares them with what is there
entry.py            the words of a row
columns.py          every column, room by room
stores.py           every file store
tables_of_rooms.py  imports every table of every room
"""
