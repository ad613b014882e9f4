"""Decide, undo, release: each one compare-and-set on the approval's row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, bindparam, case, true, update

from core.clock import iso
from core.db.store import Tx
from core.errors import AlreadyDecided, AlreadyReleased, BadInput, StaleVersion
from core.identity import check_email, display_name, storable
from core.limits import ANSWER, check_length
from core.review.ask import UNDECIDED, came_back
from core.review.read import QUESTION_RULE, Approval, approvals
from core.steps import Json, Verdict
from core.vault.sealing import Keys

_STATUS = {"approve": "approved", "reject": "rejected"}
_HERE = (approvals.c.tenant_id == bindparam("b_tenant"), approvals.c.id == bindparam("b_id"))
_DECIDE = (
    update(approvals)
    .where(*_HERE, approvals.c.status == "pending", approvals.c.version == bindparam("b_version"))
    .values(
        status=bindparam("status"),
        version=approvals.c.version + 1,
        verdict=bindparam("verdict"),
        decided_by=bindparam("decided_by"),
        decided_at=bindparam("decided_at", type_=approvals.c.decided_at.type),
        remark=bindparam("remark", type_=approvals.c.remark.type),
        release_at=bindparam("release_at", type_=approvals.c.release_at.type),
        came_back=None,
    )
)


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer as a person gives it: on the version they saw. `points` are their own, by criterion."""

    verdict: Verdict
    seen_version: int
    by: str
    release_at: datetime
    answer: Mapping[str, Json]
    reason: str | None = None
    total: int | None = None
    points: Mapping[int, int] = field(default_factory=dict)


def decide(tx: Tx, keys: Keys, approval: Approval, decision: Decision, now: datetime) -> Approval:
    """Write the answer if the question still stands as it was seen, and answer what the approval is now.

    Raises StaleVersion, or BadInput where the answer does not fit; the question then stays. Call `refuse_moved` first:
    it says who, when and what changed.
    """
    answer = check_answer(approval, decision)
    points = {str(number): one for number, one in sorted(decision.points.items())}
    remark = {"answer": answer, "reason": decision.reason, "total": decision.total, "points": points}
    written = {
        "status": _STATUS[decision.verdict],
        "verdict": decision.verdict,
        "decided_by": decision.by,
        "decided_at": now,
        "remark": keys.seal(QUESTION_RULE, "approvals.remark", approval.id, msgspec.json.encode(remark)),
        "release_at": decision.release_at,
    }
    where = {"b_tenant": approval.tenant_id, "b_id": approval.id, "b_version": decision.seen_version}
    if tx.conn.execute(_DECIDE, {**where, **written}).rowcount == 0:
        raise StaleVersion(f"{approval.id} changed while you decided; look again.")
    said: dict[str, Any] = {name: value for name, value in written.items() if name != "remark"}
    return replace(approval, version=approval.version + 1, remark=remark, came_back=None, **said)


def refuse_expired(approval: Approval, now: datetime) -> None:
    """Raise if the question's own time has passed, whether a worker has come by since or not."""
    if approval.status == "pending" and approval.expires_at is not None and approval.expires_at <= now:
        raise AlreadyDecided(
            f"{approval.about} of {approval.thread_id} is closed: it expired {iso(approval.expires_at)}."
        )


def refuse_moved(approval: Approval, seen_version: int, who: str | None) -> None:
    """Raise if the question is not as it was seen."""
    if approval.is_decided:
        raise AlreadyDecided(
            f"{approval.about} of {approval.thread_id} was decided already: {approval.verdict} by {who or 'somebody'} "
            f"at {iso(approval.decided_at)} (version {approval.version})."
        )
    if approval.status != "pending":
        raise AlreadyDecided(f"{approval.about} of {approval.thread_id} is closed: {approval.status}.")
    if approval.version != seen_version:
        raise StaleVersion(
            f"You saw version {seen_version} of {approval.about} of {approval.thread_id}; it is version "
            f"{approval.version} now{_what_moved(approval)}. Look again and decide on what it is now."
        )


def _what_moved(approval: Approval) -> str:
    moved = (approval.came_back or {}).get("moved")
    return f" (changed: {', '.join(moved)})" if moved else ""


def check_answer(approval: Approval, decision: Decision) -> dict[str, Json]:
    """Answer what an approve carries, checked against the question's options and schema; raises BadInput."""
    if decision.verdict not in approval.labels:
        offered = " or ".join(approval.labels)
        raise BadInput(f"{approval.about} of {approval.thread_id} offers no {decision.verdict}; it offers {offered}.")
    schema = approval.answers.get(decision.verdict, {})
    unknown = sorted(set(decision.answer) - set(schema))
    if unknown:
        raise BadInput(f"This answer has no field {unknown[0][:40]!r}; it takes {', '.join(schema) or 'none'}.")
    if decision.total is not None:
        _check_total(approval, decision.total)
    for number, points in decision.points.items():
        _check_points(approval, number, points)
    return {name: _fit(name, kind, decision.answer.get(name)) for name, kind in schema.items()}


def _check_total(approval: Approval, total: int) -> None:
    most = approval.facts.get("max_total")
    if most is None:
        raise BadInput("This question has no total to change.")
    if not 0 <= total <= most:
        raise BadInput(f"A total of {total} is outside 0 to {most}.")


def _check_points(approval: Approval, number: int, points: int) -> None:
    most = {score["number"]: score["maximum"] for score in approval.facts.get("scores") or ()}
    if number not in most:
        raise BadInput(f"This question has no score for criterion {number}.")
    if not 0 <= points <= most[number]:
        raise BadInput(f"{points} points for criterion {number} are outside 0 to {most[number]}.")


def _fit(name: str, kind: str, value: Json) -> Json:
    """Answer a value of this kind; a kind that ends in a question mark may be left out. Raises BadInput."""
    if kind.endswith("?"):
        return None if value in (None, "") else _fit(name, kind.removesuffix("?"), value)
    if kind == "email":
        return check_email(value if isinstance(value, str) else "")
    if kind == "text" and isinstance(value, str) and value.strip():
        return storable(check_length(value.strip(), ANSWER, f"The answer {name!r}"))
    if kind == "integer" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise BadInput(f"The answer needs {name!r} as {kind}; {display_name(repr(value)[:60])} was given.")


def undo(tx: Tx, approval: Approval) -> None:
    """Make a held answer pending again; raises AlreadyReleased after its release, BadInput if there is none."""
    if approval.released_at is not None:
        raise AlreadyReleased(f"{approval.about} of {approval.thread_id} was released {iso(approval.released_at)}.")
    if not approval.is_decided:
        raise BadInput(f"{approval.about} of {approval.thread_id} is {approval.status}; there is nothing to undo.")
    restore(tx, approval)


def restore(tx: Tx, approval: Approval, moved: Sequence[str] | None = None) -> bool:
    """Write a decided, unreleased approval back to pending under a new version; False where it was released.

    `moved` says why the answer no longer holds; it is kept as a draft then. None: the person took it back.
    """
    why = None if moved is None else came_back(approval, moved)
    done = tx.conn.execute(_RESTORE, {"b_tenant": approval.tenant_id, "b_id": approval.id, "why": why})
    return done.rowcount == 1


def say_moved(tx: Tx, approval: Approval, moved: Sequence[str]) -> None:
    """Note on a question that stands what it rests on and has moved; it is asked anew for that by its step."""
    tx.conn.execute(
        update(approvals)
        .where(approvals.c.tenant_id == approval.tenant_id, approvals.c.id == approval.id)
        .values(came_back=came_back(approval, moved))
    )


def restore_each(tx: Tx, held: Sequence[tuple[Row[Any], Sequence[str]]]) -> None:
    """Write many decided, unreleased approvals back to pending at once: the row of each, and what moved for it."""
    if held:
        rows = [{"b_tenant": one.tenant_id, "b_id": one.id, "why": came_back(one, moved)} for one, moved in held]
        tx.conn.execute(_RESTORE, rows)


_RESTORE = (
    update(approvals)
    .where(*_HERE, approvals.c.released_at.is_(None))
    .values(
        status="pending",
        version=approvals.c.version + 1,
        came_back=bindparam("why", type_=approvals.c.came_back.type),
        **UNDECIDED,
    )
)


def release_now(tx: Tx, approval: Approval, now: datetime) -> None:
    """End a hold; raises AlreadyReleased or BadInput."""
    if approval.released_at is not None:
        raise AlreadyReleased(f"{approval.about} of {approval.thread_id} was released {iso(approval.released_at)}.")
    if not approval.is_decided or approval.release_at is None:
        raise BadInput(f"{approval.about} of {approval.thread_id} is {approval.status}; there is nothing to release.")
    tx.conn.execute(
        update(approvals)
        .where(approvals.c.tenant_id == approval.tenant_id, approvals.c.id == approval.id)
        .values(release_at=min(approval.release_at, now), version=approvals.c.version + 1)
    )


def consume(tx: Tx, tenant_id: str, taken: Sequence[tuple[str, int, bool]], now: datetime) -> None:
    """Note which checkpoint an answer led to: (approval, checkpoint, releases).

    An answer that releases no effect is released here; one that does, only by the gate.
    """
    if not taken:
        return
    tx.conn.execute(_CONSUME, [{"b_tenant": tenant_id, "b_id": one, "by": by} for one, by, _ in taken])
    plain = [{"b_tenant": tenant_id, "b_id": one, "at": now} for one, _, releases in taken if releases]
    if plain:
        tx.conn.execute(_RELEASE, plain)


def mark_released(tx: Tx, tenant_id: str, approval_ids: Sequence[str], now: datetime) -> None:
    """Write that something of these answers may have left or did: they can no longer be undone."""
    if approval_ids:
        tx.conn.execute(_MARK, [{"b_tenant": tenant_id, "b_id": one, "at": now} for one in approval_ids])


_MARK = (
    update(approvals)
    .where(
        *_HERE,
        approvals.c.status.in_(("approved", "rejected")),
        approvals.c.released_at.is_(None),
        approvals.c.release_at <= bindparam("at", type_=approvals.c.release_at.type),
    )
    .values(
        released_at=bindparam("at", type_=approvals.c.released_at.type),
        version=approvals.c.version + 1,
    )
)
_CONSUME = update(approvals).where(*_HERE).values(consumed_by=bindparam("by"))
_RELEASE = (
    update(approvals)
    .where(*_HERE, approvals.c.released_at.is_(None))
    .values(released_at=bindparam("at", type_=approvals.c.released_at.type))
)


def close_open(tx: Tx, tenant_id: str, thread_ids: Sequence[str], now: datetime) -> None:
    """Close what still stands in threads that went on without it, an answer that no step took up included."""
    _close(tx, tenant_id, thread_ids, now, approvals.c.consumed_by.is_(None))


def close_all(tx: Tx, tenant_id: str, thread_ids: Sequence[str], now: datetime) -> None:
    """Close whatever was not released in threads that ended: nothing of it is carried out any more.

    It is withdrawn or expired then, an answer that a step had taken up included.
    """
    _close(tx, tenant_id, thread_ids, now, true())


def _close(tx: Tx, tenant_id: str, thread_ids: Sequence[str], now: datetime, which: ColumnElement[bool]) -> None:
    if thread_ids:
        tx.conn.execute(
            update(approvals)
            .where(
                approvals.c.tenant_id == tenant_id,
                approvals.c.thread_id.in_(list(thread_ids)),
                approvals.c.status.in_(("pending", "approved", "rejected")),
                approvals.c.released_at.is_(None),
                which,
            )
            .values(
                status=case((approvals.c.expires_at <= now, "expired"), else_="withdrawn"),
                version=approvals.c.version + 1,
                **UNDECIDED,
            )
        )
