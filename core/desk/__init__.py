"""Commands that span rooms. Each takes an open transaction and never commits; the edge opens exactly one.

desk.py       what the desk is wired with; who acts
decisions.py  decide, undo, release, amend
intake.py     an application becomes a thread
roles.py      add a role, close it, open it again
versions.py   a new version of what a role says: what stands undecided goes by it
rubrics.py    another version of a role's rubric: what it would do, and doing it
pricing.py    what scoring anew would cost, by estimate
trial.py      score a sample with a rubric that is not saved
taking.py     take held answers back whose basis moved
booking.py    what an applicant answers on their own page
asking.py     what a person asks of a thread that waits
api_keys.py   keys for programs
outside.py    events; the unknown desk; the sending switch
repairs.py    retry, park, cancel
packets.py    what a model is sent, then and now
forking.py    another run from a checkpoint of one
rehearsal.py  what happens next, as a dry run; rehearsal_kit.py is what its steps are handed
people.py     sign in and out; add people, change access and passwords
removal.py    take a demo away again
"""
