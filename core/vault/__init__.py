"""Sealing (contract C10): personal content is readable only through keys that can be destroyed.

    wrapping key (a 0600 file of its own, never in a backup)
      └─ wraps a key per subject, and a pepper per tenant
           └─ a subject's key wraps one data key per (thread, retention rule)
                └─ a data key seals what that thread keeps under that rule

Destroying a data key ends one retention section; destroying a subject's key ends everything of theirs.

keystore.py   wrapped keys in a small database of their own
sealing.py    Keys: seal, open, hash for one thread; Vault: finds them
subjects.py   subjects, their fields, look-ups by keyed hash, tombstones
tables.py     the tables of this room
"""
