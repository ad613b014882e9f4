"""The catalogue: roles, and the versioned configuration that threads pin.

role_text.py      read a role from Markdown or TOML (role_markdown, role_toml, role_parts, role_notices)
rubric_text.py    write a rubric as text that reads back as itself
rubric_changes.py what differs between two versions of a rubric
roles.py          add, list, find, close and re-open a role; hand out application numbers
configs.py        versions of rubric, rules, letters, description
policies.py       versions of a workflow's limits and settings
tables.py         the tables of this room
"""
