"""Tenants, their clocks, and the people who act in them.

tenants.py   open a tenant; its clock; move a fixture clock
people.py    who may do what
tables.py    the tables of this room
"""
