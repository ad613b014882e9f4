"""Daybook's core: threads of work that outlive processes, and the record of who answered for them.

Rooms, lowest first; nothing points up (checked by import-linter, see pyproject.toml):

errors mail_server settings clock keys steps  leaves; steps is the vocabulary a workflow speaks
identity files limits                 who a text is from; what is read of a file; how long a text may be
db ports                              the database's doors; the shapes adapters must have
vault                                 sealing, keys, subjects
audit people catalog                  the chained log; who acts; versioned configuration
threads                               threads, checkpoints, plan, events
receipts memory costs duties nudges   files by reference; recall; model usage; local times; what an engine is told
review effects context retention      questions; the ledger; packets; the data map
views desk runner                     reads for screens; commands that span rooms; how a step runs
workflows engines adapters            what ships; who drives; one module per vendor
bootstrap                             the wiring of a home
workshop                              a class, and what breaks and repairs in it
worker cli web                        the doors
"""
