"""Exact answers from rows (the first seed: "did we invite Priya Shah?"). No model and no search.

ask_words.py    which question, and the words that name somebody
ask_facts.py    the rows of a thread
ask_answers.py  the table of questions and how rows answer each
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from core.identity import normalise_email
from core.limits import one_line
from core.steps import Json
from core.threads.rows import Thread, find_thread
from core.vault.sealing import Vault
from core.vault.subjects import find_by_hash, find_names
from core.views.ask_answers import Verb
from core.views.ask_facts import Facts, read_facts
from core.views.ask_words import Asked, take_apart
from core.views.near_names import Offers, offer_names

MOST_CHARACTERS = 1_000
NO_ROW = "No row says so."
A_SEARCH = "That is a search; the record does not answer it."
NAMES_NOBODY = (
    "No row says so: the question names nobody. Give a name, an address or a thread such as role-14/app-0093."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """True or false where one person's rows say so; None where there is no row, or several people's.

    Where nobody has the name, `near` are names that somebody has, and `asks` is the question with a place for one of
    them. They answer nothing.
    """

    answer: bool | None
    text: str
    rows: list[dict[str, Json]]
    near: Offers | None = None
    asks: str = "{}"

    def again(self, name: str) -> str:
        """Answer the same question, asked after somebody whose name is exactly this."""
        return self.asks.replace("{}", name)


def ask(conn: Connection, vault: Vault, tenant_id: str, question: str, zone: ZoneInfo, now: datetime) -> Answer:
    """Answer a question about one person from the tenant's rows, with times in `zone`.

    Raises BadInput where it is longer than MOST_CHARACTERS.
    """
    asked = take_apart(one_line(question, MOST_CHARACTERS, "The question") or "")
    if asked.is_search and not asked.threads and asked.email is None:
        return Answer(None, A_SEARCH, [])
    found = [find_thread(conn, tenant_id, one) for one in _find(conn, vault, tenant_id, asked)]
    threads = [thread for thread in found if thread is not None and thread.status != "erased"]
    if not threads:
        return _nobody(conn, vault, tenant_id, asked)
    facts = read_facts(conn, vault, tenant_id, _newest_first(threads), zone, now)
    rows = [one.row() for one in facts]
    if len({one.thread.subject_id for one in facts}) > 1:
        return Answer(None, _several(facts), rows)
    return Answer(*_one_person(asked.verb(facts[0].name), facts), rows)


def _nobody(conn: Connection, vault: Vault, tenant_id: str, asked: Asked) -> Answer:
    """Say that no row says so; a name is offered names near to it, an address and a thread are what they are."""
    if asked.threads or asked.email is not None:
        return Answer(None, NO_ROW, [])
    if not asked.names:
        return Answer(None, NAMES_NOBODY, [])
    typed = " ".join(word for word in asked.words if word in asked.names)
    return Answer(None, NO_ROW, [], offer_names(conn, vault, tenant_id, typed), asked.verb(None).asks)


def _find(conn: Connection, vault: Vault, tenant_id: str, asked: Asked) -> list[str]:
    if asked.threads:
        return list(asked.threads)
    if asked.email is not None:
        value = vault.lookup_hash(tenant_id, "address", normalise_email(asked.email))
        return [one.thread_id for one in find_by_hash(conn, tenant_id, "address", value)]
    return _find_named(conn, vault, tenant_id, asked)


def _find_named(conn: Connection, vault: Vault, tenant_id: str, asked: Asked) -> list[str]:
    """Answer the threads whose name has all of the question's name words, and most of those that may be such.

    A question without any is about whoever's whole name stands in it (An Do, Will Book).
    """
    hits: dict[str, int] = defaultdict(int)
    named = find_names(conn, vault, tenant_id, asked.names | asked.maybe)
    for thread_id, (words, size) in named.items():
        if asked.names <= words if asked.names else len(words) == size > 1:
            hits[thread_id] = len(words)
    most = max(hits.values(), default=0)
    return [thread_id for thread_id, count in hits.items() if count == most]


def _newest_first(threads: Sequence[Thread]) -> list[Thread]:
    return sorted(threads, key=lambda thread: (thread.created_at, thread.id), reverse=True)


def _several(facts: Sequence[Facts]) -> str:
    people = len({one.thread.subject_id for one in facts})
    listed = "; ".join(f"{one.thread.id} {one.name or 'without a name'}, {one.thread.status}" for one in facts[:10])
    more = f"; and {len(facts) - 10} more" if len(facts) > 10 else ""
    return f"{people} people are called that, so there is no single answer: {listed}{more}."


def _one_person(verb: Verb, facts: Sequence[Facts]) -> tuple[bool | None, str]:
    said = [(one.thread.id, *verb.answer(one)) for one in facts]
    if len(said) == 1:
        return said[0][1], said[0][2]
    order = (True, None, False)
    said.sort(key=lambda one: order.index(one[1]))
    return said[0][1], " ".join(f"{thread_id}: {text}" for thread_id, _, text in said)
