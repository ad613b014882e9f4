"""The catalogue: roles, and the versioned configuration that threads pin.

role_text.py      read a role from Markdown or TOML (role_markdown, role_toml, role_parts, role_notices)
roles.py          add, list, find a role; hand out application numbers
configs.py        versions of rubric, rules, letters, description
tables.py         the tables of this room
"""
