"""Approvals as the rooms above see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, bindparam, select

from core.errors import NotFound, StateUnreadable
from core.keys import effect_key
from core.review.tables import ApprovalRow, OptionRow
from core.steps import Decided, Effect, Json, OnlyIf, Rule, Verdict
from core.vault.sealing import Keys, Vault

approvals = ApprovalRow.__table__  # type: ignore[attr-defined]
options = OptionRow.__table__  # type: ignore[attr-defined]
QUESTION_RULE = Rule.CLOSE_6_MONTHS
PAYLOAD_RULE = Rule.ROLE_CLOSE


@dataclass(frozen=True, slots=True)
class Choice:
    """One effect of one verdict; `payload` is None where it is not opened or gone.

    `edited_by` is who changed it by hand.
    """

    verdict: Verdict
    key: str | None
    kind: str | None
    payload_hash: str | None
    only_if: tuple[OnlyIf, ...]
    payload: Mapping[str, Json] | None
    edited_by: str | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class Approval:
    """One approval, opened. `labels` and `answers` are per verdict."""

    tenant_id: str
    id: str
    thread_id: str
    step: str
    kind: str
    about: str
    status: str
    version: int
    basis: Mapping[str, Json]
    asked_at: datetime
    due_at: datetime
    expires_at: datetime | None
    verdict: Verdict | None
    decided_by: str | None
    decided_at: datetime | None
    release_at: datetime | None
    released_at: datetime | None
    consumed_by: int | None
    came_back: Mapping[str, Json] | None
    title: str
    facts: Mapping[str, Json]
    labels: Mapping[str, str]
    answers: Mapping[str, Mapping[str, str]]
    remark: Mapping[str, Json]
    choices: tuple[Choice, ...] = field(default=())

    @property
    def is_decided(self) -> bool:
        """Say whether a person answered and the answer stands."""
        return self.status in ("approved", "rejected")

    @property
    def is_held(self) -> bool:
        """Say whether the answer can still be undone."""
        return self.is_decided and self.released_at is None

    def effects(self, verdict: Verdict) -> tuple[Effect, ...]:
        """Answer the effects a verdict releases, payloads as they were frozen."""
        return tuple(
            Effect(one.key.removeprefix(effect_key(self.thread_id, "")), one.kind, one.payload or {}, one.only_if)  # type: ignore[arg-type]
            for one in self.choices
            if one.verdict == verdict and one.key is not None
        )


def list_approvals(conn: Connection, vault: Vault, tenant_id: str, where: ColumnElement[bool]) -> list[Approval]:
    """Answer the tenant's approvals that fit, most urgent first; those whose keys are gone are left out."""
    query = select(approvals).where(approvals.c.tenant_id == tenant_id, where)
    return open_rows(conn, vault, tenant_id, conn.execute(query.order_by(*_MOST_URGENT)).all())


def list_readable(conn: Connection, vault: Vault, tenant_id: str, where: ColumnElement[bool]) -> list[Approval]:
    """Answer the same for what looks and never acts: those whose rows are damaged are left out too."""
    query = select(approvals).where(approvals.c.tenant_id == tenant_id, where)
    return open_readable(conn, vault, tenant_id, conn.execute(query.order_by(*_MOST_URGENT)).all())


def get_approval(conn: Connection, vault: Vault, tenant_id: str, approval_id: str) -> Approval:
    """Answer one approval, or raise NotFound."""
    found = open_rows(conn, vault, tenant_id, conn.execute(_BY_ID, {"tenant": tenant_id, "id": approval_id}).all())
    if not found:
        raise NotFound(f"There is no approval {approval_id!r} in tenant {tenant_id}.")
    return found[0]


def list_decided(conn: Connection, vault: Vault, tenant_id: str, thread_ids: Sequence[str]) -> list[Approval]:
    """Answer the decided approvals of these threads, consumed ones included."""
    rows = conn.execute(_DECIDED, {"tenant": tenant_id, "ids": list(thread_ids)}).all()
    return open_rows(conn, vault, tenant_id, rows)


def list_standing(conn: Connection, vault: Vault, tenant_id: str, thread_id: str) -> list[Approval]:
    """Answer a thread's questions that stand: open ones, and those whose answer does."""
    rows = conn.execute(_STANDING, {"tenant": tenant_id, "thread": thread_id}).all()
    return open_rows(conn, vault, tenant_id, rows)


def has_pending(conn: Connection, tenant_id: str, thread_id: str) -> bool:
    """Say whether a thread has a question that nobody has answered."""
    return conn.execute(_PENDING, {"tenant": tenant_id, "thread": thread_id}).first() is not None


_PENDING = (
    select(approvals.c.id)
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.thread_id == bindparam("thread"),
        approvals.c.status == "pending",
    )
    .limit(1)
)
_MOST_URGENT = (approvals.c.due_at, approvals.c.thread_id, approvals.c.about, approvals.c.id)
_BY_ID = select(approvals).where(approvals.c.tenant_id == bindparam("tenant"), approvals.c.id == bindparam("id"))
_DECIDED = (
    select(approvals)
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.thread_id.in_(bindparam("ids", expanding=True)),
        approvals.c.status.in_(("approved", "rejected")),
    )
    .order_by(approvals.c.asked_at, approvals.c.id)
)
_STANDING = (
    select(approvals)
    .where(
        approvals.c.tenant_id == bindparam("tenant"),
        approvals.c.thread_id == bindparam("thread"),
        approvals.c.status.in_(("pending", "approved", "rejected")),
    )
    .order_by(*_MOST_URGENT)
)
_OPTIONS = (
    select(options)
    .where(options.c.tenant_id == bindparam("tenant"), options.c.approval_id.in_(bindparam("ids", expanding=True)))
    .order_by(options.c.approval_id, options.c.verdict, options.c.position)
)
_BATCH = 500


def open_rows(conn: Connection, vault: Vault, tenant_id: str, rows: Sequence[Row[Any]]) -> list[Approval]:
    """Open rows of the approvals table; those whose keys are gone are left out."""
    if not rows:
        return []
    keys = vault.keys_of(tenant_id, list({row.thread_id for row in rows}))
    readable = [row for row in rows if row.thread_id in keys]
    choices = _choices(conn, tenant_id, readable, keys)
    return [_opened(row, keys[row.thread_id], choices[row.id]) for row in readable]


def open_readable(conn: Connection, vault: Vault, tenant_id: str, rows: Sequence[Row[Any]]) -> list[Approval]:
    """Open rows for what looks and never acts: a damaged one is left out, and is in no other's way."""
    try:
        return open_rows(conn, vault, tenant_id, rows)
    except StateUnreadable:
        return [one for row in rows for one in _open_alone(conn, vault, tenant_id, row)]


def _open_alone(conn: Connection, vault: Vault, tenant_id: str, row: Row[Any]) -> list[Approval]:
    try:
        return open_rows(conn, vault, tenant_id, [row])
    except StateUnreadable:
        return []


def of_threads(thread_ids: Sequence[str]) -> ColumnElement[bool]:
    """Select the approvals of these threads."""
    chosen: ColumnElement[bool] = approvals.c.thread_id.in_(list(thread_ids))
    return chosen


def _choices(
    conn: Connection, tenant_id: str, rows: Sequence[Row[Any]], keys: Mapping[str, Keys]
) -> dict[str, list[Choice]]:
    of = {row.id: keys[row.thread_id] for row in rows}
    found: dict[str, list[Choice]] = defaultdict(list)
    ids = list(of)
    for start in range(0, len(ids), _BATCH):
        for row in conn.execute(_OPTIONS, {"tenant": tenant_id, "ids": ids[start : start + _BATCH]}):
            found[row.approval_id].append(_choice(row, of[row.approval_id]))
    return found


def _choice(row: Row[Any], keys: Keys) -> Choice:
    payload = None
    if row.payload is not None:
        place = option_place(row.approval_id, row.verdict, row.position)
        payload = msgspec.json.decode(keys.open(PAYLOAD_RULE, "approval_options", place, row.payload))
    only_if = tuple(OnlyIf(word) for word in row.only_if or ())
    return Choice(
        row.verdict, row.effect_key, row.kind, row.payload_hash, only_if, payload, row.edited_by, row.position
    )  # fmt: skip


def option_place(approval_id: str, verdict: str, position: int) -> str:
    """Name the row of an option, for its seal."""
    return f"{approval_id}#{verdict}#{position}"


def _opened(row: Row[Any], keys: Keys, choices: Sequence[Choice]) -> Approval:
    question = msgspec.json.decode(keys.open(QUESTION_RULE, "approvals", row.id, row.question))
    remark = {}
    if row.remark is not None:
        remark = msgspec.json.decode(keys.open(QUESTION_RULE, "approvals.remark", row.id, row.remark))
    named = {name: row._mapping[name] for name in _OF_ROW}
    return Approval(
        **named,
        title=question["title"],
        facts=question["facts"],
        labels=question["labels"],
        answers=question["answers"],
        remark=remark,
        choices=tuple(choices),
    )


_OPENED = ("title", "facts", "labels", "answers", "remark", "choices")
_OF_ROW = tuple(name for name in Approval.__dataclass_fields__ if name not in _OPENED)


def decided_of(approval: Approval) -> Decided:
    """Answer a decided approval as a step is handed it."""
    assert approval.verdict and approval.decided_by and approval.decided_at  # noqa: S101, PT018 - a CHECK holds it
    remark = approval.remark
    return Decided(
        approval_id=approval.id,
        kind=approval.kind,
        about=approval.about,
        verdict=approval.verdict,
        version=approval.version,
        decided_by=approval.decided_by,
        decided_at=approval.decided_at,
        answer=remark.get("answer") or {},
        reason=remark.get("reason"),
        total=remark.get("total"),
        effects=approval.effects(approval.verdict),
        points={int(number): points for number, points in (remark.get("points") or {}).items()},
    )
