"""How a step runs: claim, load, admit, perform, settle, and on to the next under the same lease.

    claim ─► load ─► admit ─► perform ─┬─► outcome ─► settle ─┬─► next step
                        │              │                      └─► Interrupt, Wait, Finish: lease given back
                        │              ├─► wants effects ─► carry out ─► perform again from the top
                        └─ unknown ─┐  └─► error ─┐
                                    └─► park      └─► retry as a row, then park

Due threads run in groups: each step of the group is performed in turn, with no transaction open, and what the group
established lands in one commit (docs/adr/0011).

runner.py    Runner: takes what is due and drives groups; takes over from the dead
run.py       Run: one claimed thread in memory while its lease is held
kit.py       what a step is handed
calls.py     model calls that leave the machine: open, ask, settle
perform.py   admit and perform one step
carry.py     effects: plan, gate, journal, deliver, settle
asking.py    what steps ask of people when they settle
leaving.py   what is on its way out, and what may become of the run that wanted it
doubts.py    what an earlier process left in sending
settle.py    one commit for a group of outcomes
parts.py     what the runner is wired with
"""
