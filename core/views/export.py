"""A role's applications as a table for a spreadsheet. What people wrote stays text there: no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, select

from core.clock import iso
from core.threads.load import load_fields
from core.threads.rows import COLUMNS, threads, to_thread
from core.vault.sealing import Vault
from core.vault.subjects import read_people

HEAD = ("thread", "name", "address", "status", "outcome", "applied_at", "total", "maximum")

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CHUNK = 200


def export_role(conn: Connection, vault: Vault, tenant_id: str, role_id: str) -> bytes:
    """Answer the role's applications as CSV in UTF-8 with its mark, by id; another tenant's role has none."""
    target = io.StringIO(newline="")
    rows = csv.writer(target, quoting=csv.QUOTE_ALL)
    rows.writerow(HEAD)
    rows.writerows([plain_cell(cell) for cell in row] for row in _rows(conn, vault, tenant_id, role_id))
    return target.getvalue().encode("utf-8-sig")


def plain_cell(text: str) -> str:
    """Answer the cell as text to a spreadsheet: one that would begin a formula gets an apostrophe before it."""
    text = text.replace("\0", "")
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_BEGINS_A_FORMULA) else text


def _rows(conn: Connection, vault: Vault, tenant_id: str, role_id: str) -> Iterator[tuple[str, ...]]:
    of_role = (threads.c.tenant_id == tenant_id, threads.c.role_id == role_id, threads.c.forked_from.is_(None))
    query = select(*COLUMNS).where(*of_role)
    found = [to_thread(row) for row in conn.execute(query.order_by(threads.c.created_at, threads.c.id))]
    for start in range(0, len(found), _CHUNK):
        some = found[start : start + _CHUNK]
        keys = vault.keys_of(tenant_id, [thread.id for thread in some])
        people, saved = read_people(conn, tenant_id, keys), load_fields(conn, tenant_id, keys)
        for thread in some:
            person, fields = people.get(thread.id), saved.get(thread.id, {})
            total, most = (_number(fields.get(name, b"null")) for name in ("total", "max_total"))
            name, address = (person.name or "", person.email or "") if person is not None else ("", "")
            yield (
                thread.id,
                name,
                address,
                thread.status,
                thread.outcome or "",
                iso(thread.created_at) or "",
                total,
                most,
            )


def _number(saved: bytes) -> str:
    value = msgspec.json.decode(saved)
    return "" if value is None else str(value)
