"""Edit what an answer would let out: another frozen payload with its own hash, and a new version of the question.

Typed by what was frozen: a number stays a number, a text a text. Whom a letter goes to is no part of it; that is a new
version of the person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import bindparam, update

from core.db.store import Tx
from core.errors import BadInput, StaleVersion
from core.identity import storable
from core.keys import effect_key
from core.limits import LETTER_BODY, LETTER_HEAD, check_length
from core.review.ask import payload_hash
from core.review.read import PAYLOAD_RULE, Approval, Choice, approvals, option_place, options
from core.steps import Effect, Json
from core.vault.sealing import Keys

MAIL_FIELDS = ("subject", "body")
_LINK = re.compile(r"https?://[^\s<>]+")
_RAISE = (
    update(approvals)
    .where(
        approvals.c.tenant_id == bindparam("b_tenant"),
        approvals.c.id == bindparam("b_id"),
        approvals.c.status == "pending",
        approvals.c.version == bindparam("b_version"),
    )
    .values(version=approvals.c.version + 1)
)
_FREEZE = (
    update(options)
    .where(
        options.c.tenant_id == bindparam("b_tenant"),
        options.c.approval_id == bindparam("b_id"),
        options.c.verdict == bindparam("b_verdict"),
        options.c.position == bindparam("b_position"),
    )
    .values(
        payload=bindparam("payload", type_=options.c.payload.type),
        payload_hash=bindparam("payload_hash"),
        edited_by=bindparam("by"),
        edited_at=bindparam("at", type_=options.c.edited_at.type),
    )
)


@dataclass(frozen=True, slots=True)
class Edit:
    """What is frozen in the place of an option's payload, by whom and when."""

    choice: Choice
    payload: Mapping[str, Json]
    by: str
    at: datetime


def fields_of(choice: Choice) -> dict[str, Json]:
    """Answer what of a payload may be edited, as it is frozen now: a letter's words, a tool's plain values."""
    payload = choice.payload or {}
    if choice.kind == "mail":
        return {name: payload[name] for name in MAIL_FIELDS if isinstance(payload.get(name), str)}
    if choice.kind == "tool":
        return {name: value for name, value in payload.items() if isinstance(value, str | int | float | bool)}
    return {}


def find_choice(approval: Approval, key: str) -> Choice:
    """Answer the option under an effect's key, or raise BadInput."""
    for choice in approval.choices:
        if choice.key == key:
            return choice
    raise BadInput(f"{approval.about} of {approval.thread_id} has nothing under {key[:80]!r}.")


def edited(choice: Choice, changes: Mapping[str, Json]) -> dict[str, Json] | None:
    """Answer a payload with changes that fit, None where they change nothing; raises BadInput."""
    may = fields_of(choice)
    if choice.payload is None or set(changes) - set(may):
        raise BadInput(f"{choice.key} can be edited in {', '.join(may) or 'nothing'} only.")
    checked = {name: _fit(choice, name, may[name], value) for name, value in changes.items()}
    return None if all(may[name] == value for name, value in checked.items()) else {**choice.payload, **checked}


def _fit(choice: Choice, name: str, before: Json, value: Json) -> Json:
    if type(value) is not type(before):
        raise BadInput(f"{name} of {choice.key} is a {_word(before)}; it stays one.")
    if not isinstance(value, str):
        return value
    if choice.kind != "mail":
        return storable(check_length(value, LETTER_BODY, name))
    return _fit_mail(choice, name, str(before), value)


def _fit_mail(choice: Choice, name: str, before: str, value: str) -> str:
    most = LETTER_HEAD if name == "subject" else LETTER_BODY
    text = storable(check_length(value.replace("\r\n", "\n"), most, f"The {name}"))
    if not text.strip() or (name == "subject" and "\n" in text):
        raise BadInput(f"The {name} of {choice.key} needs text{', in one line' if name == 'subject' else ''}.")
    lost = [link for link in _LINK.findall(before) if link not in text]
    if lost:
        raise BadInput(f"The letter would lose its link {lost[0]}, so that nobody could answer by it; keep it.")
    return text.rstrip() + ("\n" if before.endswith("\n") else "")


def _word(value: Json) -> str:
    return {bool: "yes or no", int: "whole number", float: "number"}.get(type(value), "text")


def freeze(tx: Tx, keys: Keys, approval: Approval, edit: Edit) -> str:
    """Freeze an edited payload under its key and raise the question's version; answer the payload's hash.

    Raises StaleVersion where the question moved or was answered meanwhile.
    """
    here = {"b_tenant": approval.tenant_id, "b_id": approval.id}
    if tx.conn.execute(_RAISE, {**here, "b_version": approval.version}).rowcount == 0:
        raise StaleVersion(f"{approval.id} changed while you edited; look again.")
    name = (edit.choice.key or "").removeprefix(effect_key(approval.thread_id, ""))
    hashed = payload_hash(keys, Effect(name, edit.choice.kind or "mail", edit.payload, edit.choice.only_if))  # type: ignore[arg-type]
    place = option_place(approval.id, edit.choice.verdict, edit.choice.position)
    sealed = keys.seal(PAYLOAD_RULE, "approval_options", place, msgspec.json.encode(dict(edit.payload)))
    where = {**here, "b_verdict": edit.choice.verdict, "b_position": edit.choice.position}
    tx.conn.execute(_FREEZE, {**where, "payload": sealed, "payload_hash": hashed, "by": edit.by, "at": edit.at})
    return hashed
