"""Names that are spelt nearly so: offers for a search that found nobody, from a scan that is bounded and says so.

Names are sealed, so there is no index to look near in: the newest ones are opened and compared. Nothing is found by
this, and nothing is decided by it: it offers words that may be looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from sqlalchemy import Connection, select

from core.identity import fold_words
from core.threads.rows import threads
from core.vault.sealing import Vault
from core.vault.subjects import read_readable_people

SCANNED = 2_000
OFFERED = 5
_ALIKE = 70.0


@dataclass(frozen=True, slots=True)
class Offers:
    """Names as they are typed, the nearest first, and how many were looked at; `is_all`: there are no more."""

    names: Sequence[str]
    scanned: int
    is_all: bool


def offer_names(conn: Connection, vault: Vault, tenant_id: str, typed: str) -> Offers:
    """Answer up to OFFERED names near to what was typed, among the SCANNED newest of the tenant."""
    wanted = fold_words(typed)
    newest = (
        select(threads.c.id)
        .where(threads.c.tenant_id == tenant_id)
        .order_by(threads.c.created_at.desc(), threads.c.id.desc())
        .limit(SCANNED + 1)
    )
    ids = list(conn.execute(newest).scalars())
    people = read_readable_people(conn, tenant_id, vault.keys_of(tenant_id, ids[:SCANNED]))
    near: dict[str, float] = {}
    for person in people.values():
        likeness = _likeness(wanted, fold_words(person.name or ""))
        if person.name and likeness >= _ALIKE:
            near[person.name] = max(near.get(person.name, 0.0), likeness)
    names = sorted(near, key=lambda name: (-near[name], name))[:OFFERED]
    return Offers(names, len(people), is_all=len(ids) <= SCANNED)


def _likeness(wanted: Sequence[str], words: Sequence[str]) -> float:
    """Say how alike, up to 100: by the word of theirs that is least like any word of the name."""
    if not wanted or not words:
        return 0.0
    return min(max(fuzz.ratio(one, word) for word in words) for one in wanted)
