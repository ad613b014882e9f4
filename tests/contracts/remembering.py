"""Memory as its own tests write and read it: one key, and threads of a few lines that recall it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.desk.memory import Draft, change_memory, purge_memory, remember_by_hand, supersede_by_hand
from core.memory.reading import MemoryLine, Read, Wanted, list_memories, read_memory
from core.steps import Finish, Kit, Outcome
from tests.contracts.tiny import Slip
from tests.homes import Home

KEY = "client/harbour"
TEXT = "Harbour is billed by the week."
DAY = timedelta(days=1)


def remember(home: Home, text: str = TEXT, *, key: str = KEY, kind: str = "fact", **more: Any) -> MemoryLine:
    """Keep a record as a person does."""
    draft = Draft(kind, key, text, more.pop("confidence", 0.9), **more)
    actor = home.actor
    return home.app.attempt(actor, "remember", lambda: remember_by_hand(home.app.write, home.app.desk, actor, draft))


def change(home: Home, act: str, memory_id: str, new_id: str | None = None) -> MemoryLine:
    """Allow, refuse, forget, restore, expire or supersede a record."""
    actor = home.actor
    return home.app.act(actor, act, lambda tx: change_memory(tx, actor, act, memory_id, new_id=new_id))


def replace_text(home: Home, memory_id: str, text: str) -> MemoryLine:
    """Put a new text in a record's place."""
    draft = Draft("", "", text, 1.0)
    return supersede_by_hand(home.app.write, home.app.desk, home.actor, memory_id, draft)


def purge(home: Home, memory_id: str) -> None:
    """Delete a record for good."""
    actor = home.actor
    home.app.attempt(actor, "purge", lambda: purge_memory(home.app.write, home.app.desk, actor, memory_id))


def look(home: Home, *, key: str = KEY, kind: str = "fact", owner_id: str | None = None) -> Read:
    """Read memory as a thread's packet does."""
    with home.app.read() as conn:
        return read_memory(conn, home.app.vault, Wanted(home.tenant_id, kind, key, owner_id), home.actor.now)


def texts(read: Read) -> list[str]:
    return [one.text for one in read.used]


def reasons(read: Read) -> dict[str, str]:
    return {one.id: one.reason for one in read.filtered}


def states(home: Home, *, deleted: bool = False) -> dict[str, str]:
    """Answer the state of each record that is listed."""
    with home.app.read() as conn:
        return {one.id: one.state for one in list_memories(conn, home.tenant_id, home.actor.now, deleted=deleted)}


def recalls(kit: Kit, state: Slip) -> Outcome:
    """End with what memory holds under the key."""
    found = kit.recall("fact", KEY)
    return Finish(Slip((found.text if found else "",)), "done", "completed", "Looked.")
