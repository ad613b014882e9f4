"""Commands that span rooms. Each takes an open transaction and never commits; the edge opens exactly one.

desk.py       what the desk is wired with; who acts
decisions.py  decide, undo, release, amend
intake.py     an application becomes a thread
roles.py      add a role
outside.py    events; the unknown desk; the sending switch
repairs.py    retry, park, cancel
people.py     sign in and out; add people, change access and passwords
removal.py    take a demo away again
"""
