"""What a crash test asserts on."""

from __future__ import annotations

from collections import Counter
from email import message_from_bytes

from core.effects.plan import list_entries
from core.threads.rows import Thread, get_thread
from tests.homes import Home


def assert_clean(home: Home) -> None:
    """Let verify look at the whole home; it finds nothing."""
    problems = home.verify()
    assert problems == [], problems


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


def attempts(home: Home, thread_id: str | None = None) -> list[tuple[str, str, str]]:
    """Answer each try that did not settle: thread, result, code."""
    found = home.look("SELECT thread_id, result, code FROM attempts ORDER BY id")
    return [(str(one), str(result), str(code)) for one, result, code in found if thread_id in (None, one)]
