"""The command line: a contract that people script (DESIGN.md §6).

Every command takes `--json`. Exit 0 on success, 3 when refused, 2 for a usage error; never a traceback.

main.py       the commands' tree; run
edge.py       open a home, run one command, say what came of it
options.py    the options that commands share
shapes.py     what rows look like as JSON
work.py       role, apply, worker, demo
looking.py    threads, thread, queue, effects, ask
deciding.py   decide, undo, release, amend, event, retry, park, cancel, effects settle
upkeep.py     verify, preflight, doctor, clock, person, tenant
"""
