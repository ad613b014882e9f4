"""What a crash test asserts on."""

from __future__ import annotations

from collections import Counter
from email import message_from_bytes
from typing import Any

from sqlalchemy import text

from core.effects.plan import list_entries
from core.threads.rows import Thread, get_thread
from core.views.verify import verify
from tests.homes import Home


def assert_clean(home: Home) -> None:
    """Let verify look at the whole home; it finds nothing."""
    problems = verify(home.app.parts).problems
    assert problems == (), problems


def thread(home: Home, thread_id: str) -> Thread:
    with home.app.read() as conn:
        return get_thread(conn, home.tenant_id, thread_id)


def ledger(home: Home) -> dict[str, str]:
    """Answer the status of each effect."""
    with home.app.read() as conn:
        return {entry.key: entry.status for entry in list_entries(conn, home.tenant_id)}


def letters(home: Home) -> Counter[str]:
    """Answer how many letters there are of each key."""
    return Counter(str(message_from_bytes(path.read_bytes())["X-Daybook-Key"]) for path in home.letters())


def rows(home: Home, query: str, **values: Any) -> list[tuple[Any, ...]]:
    """Answer what a query finds."""
    with home.app.read() as conn:
        return [tuple(row) for row in conn.execute(text(query), values)]


def change(home: Home, statement: str, **values: Any) -> None:
    """Change rows behind the product's back."""
    with home.app.store.write() as tx:
        tx.conn.execute(text(statement), values)


def attempts(home: Home, thread_id: str | None = None) -> list[tuple[str, str, str]]:
    """Answer each try that did not settle: thread, result, code."""
    found = rows(home, "SELECT thread_id, result, code FROM attempts ORDER BY id")
    return [one for one in found if thread_id in (None, one[0])]
