"""The seeds' own laboratories, run as a reader of them would."""
