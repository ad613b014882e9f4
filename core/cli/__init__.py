"""The command line: a contract that people script (DESIGN.md §6).

Every command takes `--json`. Exit 0 on success, 3 when refused, 2 for a usage error; never a traceback.

main.py       the commands' tree; run
edge.py       open a home, run one command, say what came of it
options.py    the options that commands share
told.py       what questions look like to a person
shapes.py     what rows look like as JSON
work.py       role add and list, apply, worker
role_changes.py  role show, rubric, close, open
demo.py       demo
looking.py    threads, thread, queue, effects, ask
jobs.py       reconcile, token, resume
memory.py     the memory browser's verbs
notes.py      note add, approve, list
context.py    a packet's manifest, then and now
deciding.py   decide, undo, release, amend, event, retry, park, cancel, effects settle
letters.py    role letters, role booking, retract
keys.py       key add, revoke, list
upkeep.py     verify, preflight, doctor, clock, person, tenant
"""
