"""Tenants, their clocks, and the people who act in them.

tenants.py   open a tenant; its clock; move a fixture clock
people.py    who may do what
accounts.py  passwords, and the wait after failed sign-ins
sessions.py  rows behind a cookie
api_keys.py  keys by which programs act, and what each may do
requests.py  which requests were carried out already
tables.py    the tables of this room
"""
