"""The ledger (contract C3): what may leave, what left, and what nobody knows.

    planned ──gate──► sending ──► done
       ▲  │              │  └───► unknown ──a person──► done or planned
       │  └──► void ◄────┘(certainly not sent: planned again)
       └───────┘ a new attempt

tables.py   effects and the attempts before the current one
plan.py     plan an effect, or see what the ledger knows of its key
gate.py     let planned effects out: one guarded UPDATE each, and the reason where it holds one back
switch.py   the sending switch
ahead.py    what the journal names beyond the ledger: unknown, for a person
settle.py   write what became of it; the unknown desk
role_closing.py  what a closed role keeps in
journal.py  the append-only file beside the database, flushed before each send
"""
