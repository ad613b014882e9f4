"""What the model is sent (contract C6): a packet of declared slots inside a budget, and the manifest we keep of it.

tables.py     manifests
sources.py    the rows a packet is built from, in one snapshot, and what is left out of it
stale.py      which summaries state what only a row may state
packets.py    admit a packet, estimate its tokens, write its manifest
freshness.py  whether what a packet was built from still stands
memory_files.py  what a model asks of memory by itself, for declared keys only
documents.py  items as documents that no text can end or open
show.py       a packet's manifest as it was sent, or as it would be now
"""
