"""Erased subjects: a tombstone stands, and nothing of them but ids is left."""

from __future__ import annotations

from core.views.checks.look import Findings, Look
from core.views.checks.seals import SEALS

_FOUND_BY = ("lookups",)


def check_erased(look: Look, found: Findings) -> None:
    """Expect of every erased subject that its threads are erased, its sealed rows, look-ups and keys gone."""
    if not look.erased:
        return
    of_erased = {thread.id: thread for thread in look.threads.values() if thread.subject_id in look.erased}
    for thread in of_erased.values():
        found.expect(
            thread.status == "erased", f"thread {thread.id}: its subject was erased, but it is {thread.status}."
        )
    keys = look.vault.keys_of(look.tenant_id, list(of_erased))
    for thread_id in of_erased:
        found.expect(thread_id not in keys, f"thread {thread_id}: its subject was erased, but its keys are there.")
    for table, query in _queries(look.conn.dialect.name).items():
        left: dict[str, int] = {}
        for row in look.rows_of(query, list(of_erased)):
            left[row.thread_id] = left.get(row.thread_id, 0) + 1
        found.checked += 1
        for thread_id, count in sorted(left.items()):
            found.report(f"{table}: {count} row(s) of {thread_id} are left, whose subject was erased.")


def _queries(dialect: str) -> dict[str, str]:
    """Select, by table, what must be gone: sealed values that are not empty, and the hashes that find people."""
    queries: dict[str, str] = {}
    for seal in SEALS:
        name = f"{seal.table}.{seal.column}" if seal.table in queries else seal.table
        queries[name] = f"{seal.query(dialect)} AND LENGTH(x.{seal.column}) > 0"
    for table in _FOUND_BY:
        queries[table] = f"SELECT thread_id FROM {table} WHERE tenant_id = :tenant AND thread_id IN :threads"
    return queries
