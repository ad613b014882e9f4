"""Approvals as the rooms above see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, select

from core.errors import NotFound
from core.keys import effect_key
from core.review.tables import ApprovalRow, OptionRow
from core.steps import Effect, Json, OnlyIf, Rule, Verdict
from core.vault.sealing import Keys, Vault

approvals = ApprovalRow.__table__  # type: ignore[attr-defined]
options = OptionRow.__table__  # type: ignore[attr-defined]
QUESTION_RULE = Rule.CLOSE_6_MONTHS
PAYLOAD_RULE = Rule.ROLE_CLOSE


@dataclass(frozen=True, slots=True)
class Choice:
    """One effect of one verdict; `payload` is None where it is not opened or gone."""

    verdict: Verdict
    key: str | None
    kind: str | None
    payload_hash: str | None
    only_if: tuple[OnlyIf, ...]
    payload: Mapping[str, Json] | None


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
    rows = conn.execute(
        select(approvals).where(approvals.c.tenant_id == tenant_id, where).order_by(approvals.c.due_at, approvals.c.id)
    ).all()
    keys = vault.keys_of(tenant_id, list({row.thread_id for row in rows}))
    readable = [row for row in rows if row.thread_id in keys]
    choices = _choices(conn, tenant_id, readable, keys)
    return [_opened(row, keys[row.thread_id], choices[row.id]) for row in readable]


def get_approval(conn: Connection, vault: Vault, tenant_id: str, approval_id: str) -> Approval:
    """Answer one approval, or raise NotFound."""
    found = list_approvals(conn, vault, tenant_id, approvals.c.id == approval_id)
    if not found:
        raise NotFound(f"There is no approval {approval_id!r} in tenant {tenant_id}.")
    return found[0]


def of_threads(thread_ids: Sequence[str]) -> ColumnElement[bool]:
    """Select the approvals of these threads."""
    return approvals.c.thread_id.in_(list(thread_ids))


def _choices(
    conn: Connection, tenant_id: str, rows: Sequence[Row[Any]], keys: Mapping[str, Keys]
) -> dict[str, list[Choice]]:
    of = {row.id: keys[row.thread_id] for row in rows}
    found: dict[str, list[Choice]] = defaultdict(list)
    ids = list(of)
    for start in range(0, len(ids), 500):
        wanted = options.c.approval_id.in_(ids[start : start + 500])
        query = select(options).where(options.c.tenant_id == tenant_id, wanted)
        for row in conn.execute(query.order_by(options.c.verdict, options.c.position)):
            found[row.approval_id].append(_choice(row, of[row.approval_id]))
    return found


def _choice(row: Row[Any], keys: Keys) -> Choice:
    payload = None
    if row.payload is not None:
        place = option_place(row.approval_id, row.verdict, row.position)
        payload = msgspec.json.decode(keys.open(PAYLOAD_RULE, "approval_options", place, row.payload))
    only_if = tuple(OnlyIf(word) for word in row.only_if or ())
    return Choice(row.verdict, row.effect_key, row.kind, row.payload_hash, only_if, payload)


def option_place(approval_id: str, verdict: str, position: int) -> str:
    """Name the row of an option, for its seal."""
    return f"{approval_id}#{verdict}#{position}"


def _opened(row: Row[Any], keys: Keys, choices: Sequence[Choice]) -> Approval:
    question = msgspec.json.decode(keys.open(QUESTION_RULE, "approvals", row.id, row.question))
    remark = {}
    if row.remark is not None:
        remark = msgspec.json.decode(keys.open(QUESTION_RULE, "approvals.remark", row.id, row.remark))
    return Approval(
        row.tenant_id, row.id, row.thread_id, row.step, row.kind, row.about, row.status, row.version, row.basis,
        row.asked_at, row.due_at, row.expires_at, row.verdict, row.decided_by, row.decided_at, row.release_at,
        row.released_at, row.consumed_by, question["title"], question["facts"], question["labels"], question["answers"], remark,
        tuple(choices),
    )  # fmt: skip
