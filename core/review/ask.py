"""Write a question, or see that it stands already.

A step that is woken for another reason asks its question again. The same question is left as it is, decided and held
included; one whose content or basis moved gets a new version and is pending, whatever was answered before. A step that
was handed an answer and asks again has used that answer: it asks a new question, and the old one keeps what was said.
An answer that would release effects is not used up by asking again: its question gets a new version.
A step stands at the questions it asked last, one or several: another one of its own that is still open is superseded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
from sqlalchemy import Row, bindparam, delete, insert, select, update

from core.clock import iso
from core.db.store import Tx
from core.keys import effect_key, random_id
from core.review.read import PAYLOAD_RULE, QUESTION_RULE, Approval, approvals, option_place, options
from core.steps import Effect, Json, Option, Question
from core.vault.sealing import Keys

_ADD, _ADD_OPTION = insert(approvals), insert(options)
_OPEN = select(approvals).where(
    approvals.c.tenant_id == bindparam("tenant"),
    approvals.c.thread_id.in_(bindparam("ids", expanding=True)),
    approvals.c.status.in_(("pending", "approved", "rejected")),
    approvals.c.consumed_by.is_(None),
)
_Place = tuple[str, str, str, str]
Standing = Literal["asked", "stands", "asked_anew", "held"]


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that a step of a thread asks; `answered` is the approval that the step was handed, if any."""

    keys: Keys
    step: str
    question: Question
    answered: Approval | None = None

    def used(self, approval_id: str) -> bool:
        """Say whether the step was handed this approval's answer: asking again is a new question then."""
        return self.answered is not None and self.answered.id == approval_id


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of it. `release_at` is set where an answer is held."""

    approval_id: str
    version: int
    standing: Standing
    release_at: datetime | None = None


def ask(tx: Tx, askings: Sequence[Asking], now: datetime) -> list[Asked]:
    """Write the questions of a group of threads of one tenant, and answer how each stands."""
    if not askings:
        return []
    open_rows = _find_open(tx, askings)
    new_rows: list[dict[str, Any]] = []
    new_options: list[dict[str, Any]] = []
    answers = []
    for asking in askings:
        held = open_rows.get(_place(asking))
        if held is None or (asking.used(held.id) and _is_spent(held, asking.answered)):
            row = _row(asking, random_id("apr"), 1, now)
            new_rows.append(row)
            new_options += option_rows(asking.keys, row["id"], asking.question)
            answers.append(Asked(row["id"], 1, "asked"))
        else:
            answers.append(_ask_again(tx, asking, held, now))
    if new_rows:
        tx.conn.execute(_ADD, new_rows)
        tx.conn.execute(_ADD_OPTION, new_options)
    _supersede(tx, askings, open_rows)
    return answers


def _supersede(tx: Tx, askings: Sequence[Asking], open_rows: Mapping[_Place, Row[Any]]) -> None:
    """Close what these steps asked before and ask no more, so that nobody answers a question nobody waits on."""
    asked = {_place(one) for one in askings}
    steps = {(one.keys.thread_id, one.step): one for one in askings}  # those of one step were handed the same answer
    for place, row in open_rows.items():
        asking = steps.get((row.thread_id, row.step))
        if asking is None or place in asked or asking.used(row.id) or row.released_at is not None:
            continue
        here = (approvals.c.tenant_id == row.tenant_id, approvals.c.id == row.id)
        superseded = {"status": "superseded", "version": row.version + 1, **UNDECIDED}
        tx.conn.execute(update(approvals).where(*here).values(**superseded))


def _place(asking: Asking) -> _Place:
    return (asking.keys.thread_id, asking.step, asking.question.kind, asking.question.about)


def _find_open(tx: Tx, askings: Sequence[Asking]) -> dict[_Place, Row[Any]]:
    ids = [one.keys.thread_id for one in askings]
    found = tx.conn.execute(_OPEN, {"tenant": askings[0].keys.tenant_id, "ids": ids})
    return {(row.thread_id, row.step, row.kind, row.about): row for row in found}


def _is_spent(held: Row[Any], answered: Approval | None) -> bool:
    """Say whether an answer has nothing left to release."""
    if held.released_at is not None or answered is None:
        return True
    return not answered.effects(answered.verdict or "approve")


def _ask_again(tx: Tx, asking: Asking, held: Row[Any], now: datetime) -> Asked:
    if held.released_at is not None:  # what a person said is being carried out; it is not asked again
        return Asked(held.id, held.version, "held", held.release_at)
    if held.asked_hash == asked_hash(asking.keys, asking.question) and not asking.used(held.id):
        if held.status == "pending":
            return Asked(held.id, held.version, "stands")
        return Asked(held.id, held.version, "held", held.release_at)
    row = _row(asking, held.id, held.version + 1, now) | UNDECIDED
    moved = [*list_moved(held.basis, asking.question.basis), *_list_edited(tx, held)]
    row["came_back"] = came_back(held, moved)
    here = (approvals.c.tenant_id == row["tenant_id"], approvals.c.id == held.id)
    tx.conn.execute(update(approvals).where(*here).values(**row))
    tx.conn.execute(delete(options).where(options.c.tenant_id == row["tenant_id"], options.c.approval_id == held.id))
    tx.conn.execute(insert(options), option_rows(asking.keys, held.id, asking.question))
    return Asked(held.id, held.version + 1, "asked_anew")


def _list_edited(tx: Tx, held: Row[Any]) -> list[str]:
    """Name what a person had edited and is frozen anew without that."""
    edited = tx.conn.execute(_EDITED, {"tenant": held.tenant_id, "id": held.id}).scalars()
    return [f"your edit of {key.rsplit('/', 1)[-1]} is gone" for key in edited]


_EDITED = select(options.c.effect_key).where(
    options.c.tenant_id == bindparam("tenant"),
    options.c.approval_id == bindparam("id"),
    options.c.edited_by.is_not(None),
)


def came_back(asked: Any, moved: Sequence[str]) -> dict[str, Json]:
    """Say why a question stands again: the answer that no longer holds (a draft now), and what moved.

    `asked` is an approval or its row, as it stood before.
    """
    before = asked.came_back or {"verdict": None, "by": None, "at": None, "moved": []}
    if asked.verdict is not None:
        before = {**before, "verdict": asked.verdict, "by": asked.decided_by, "at": iso(asked.decided_at)}
    return {**before, "moved": list(dict.fromkeys([*before["moved"], *moved]))}


def list_moved(before: Mapping[str, Json], now: Mapping[str, Json]) -> list[str]:
    """Name what a question rests on that moved (`person 1 → 2`), or that only what is shown did."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [f"{name} {before.get(name, 'none')} → {now.get(name, 'none')}" for name in names] or ["what is shown"]


UNDECIDED: dict[str, Any] = {
    "verdict": None, "decided_by": None, "decided_at": None, "remark": None,
    "release_at": None, "released_at": None, "consumed_by": None,
}  # fmt: skip


def _row(asking: Asking, approval_id: str, version: int, now: datetime) -> dict[str, Any]:
    keys, question = asking.keys, asking.question
    content = {
        "title": question.title,
        "facts": dict(question.facts),
        "labels": {option.verdict: option.label for option in question.options},
        "answers": {option.verdict: dict(option.answer) for option in question.options},
    }
    return {
        "tenant_id": keys.tenant_id,
        "id": approval_id,
        "thread_id": keys.thread_id,
        "step": asking.step,
        "kind": question.kind,
        "about": question.about,
        "status": "pending",
        "version": version,
        "question": keys.seal(QUESTION_RULE, "approvals", approval_id, msgspec.json.encode(content)),
        "basis": dict(question.basis),
        "asked_hash": asked_hash(keys, question),
        "asked_at": now,
        "due_at": now + timedelta(hours=question.due_hours),
        "expires_at": question.expires_at,
    }


def option_rows(keys: Keys, approval_id: str, question: Question) -> list[dict[str, Any]]:
    """Answer the rows of a question's options, payloads sealed and hashed."""
    rows = []
    for option in question.options:
        effects: Sequence[Effect | None] = option.effects or (None,)
        for position, effect in enumerate(effects):
            row = {
                "tenant_id": keys.tenant_id,
                "approval_id": approval_id,
                "verdict": option.verdict,
                "position": position,
            }
            rows.append(row | _effect_columns(keys, option_place(approval_id, option.verdict, position), effect))
    return rows


def _effect_columns(keys: Keys, place: str, effect: Effect | None) -> dict[str, Any]:
    if effect is None:
        return {"effect_key": None, "kind": None, "only_if": None, "payload": None, "payload_hash": None}
    content = msgspec.json.encode(dict(effect.payload))
    return {
        "effect_key": effect_key(keys.thread_id, effect.name),
        "kind": effect.kind,
        "only_if": [str(word) for word in effect.only_if],
        "payload": keys.seal(PAYLOAD_RULE, "approval_options", place, content),
        "payload_hash": payload_hash(keys, effect),
    }


def payload_hash(keys: Keys, effect: Effect) -> str:
    """Hash what a key stands for: its kind and thread are part of the payload (contract C3)."""
    return keys.hash(
        {
            "key": effect_key(keys.thread_id, effect.name),
            "kind": effect.kind,
            "thread": keys.thread_id,
            "payload": dict(effect.payload),
        }
    )


def asked_hash(keys: Keys, question: Question) -> str:
    """Hash all that a person is shown and answers, so that the same question is known again."""
    return keys.hash(
        {
            "title": question.title,
            "facts": dict(question.facts),
            "basis": dict(question.basis),
            "options": [_shown(option) for option in question.options],
        }
    )


def _shown(option: Option) -> Json:
    effects = [[one.name, one.kind, dict(one.payload), [str(word) for word in one.only_if]] for one in option.effects]
    return [option.verdict, option.label, dict(option.answer), effects]
