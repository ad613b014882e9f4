"""What the model is sent (contract C6): a packet of declared slots inside a budget, and the manifest we keep of it.

tables.py   manifests
packets.py  admit a packet, estimate its tokens, write its manifest
"""
