"""Questions and the answers to them (contracts C4, C5).

                 decide (compare-and-set)             the gate, at release_at or later
    pending v ──────────────────────────► approved or rejected, held ──────────────────► released
       ▲                                        │ undo, or its basis moved
       └────────────────────────────────────────┘ version raised

tables.py   approvals and their options
ask.py      write a question, or see that it stands already
decide.py   decide, undo, release, withdraw
read.py     approvals as others see them
"""
