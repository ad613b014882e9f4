"""What models cost (contract C13): each call that leaves the machine is a row, opened before it goes.

tables.py   model_calls
calls.py    open a call, settle it by its id
money.py    whole picodollars: what counts come to at a card's rates, and how an amount is said
"""
