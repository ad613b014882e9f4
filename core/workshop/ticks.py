"""The five checkpoints of the third seed's lab as live ticks, each read from the team's own rows whenever it is asked.

A tick counts ids, versions and reasons. It opens no memory for anybody: the packet is shown where a person asks for it,
which is audited.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.steps import Json
from core.workshop.atlas import JOB
from core.workshop.facts import FACTS, TICK
from core.workshop.naive import EXPORT_KEY
from core.workshop.team_rows import Rows

STATUS_WORDS = ("pending", "approved", "rejected", "done", "completed")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be so, whether it is, and the row that says so."""

    is_so: bool
    what: str
    row: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the lab with the seed's own checkpoint."""

    number: int
    title: str
    checkpoint: str
    checks: tuple[Check, ...]

    @property
    def is_done(self) -> bool:
        """Say whether everything of it is so."""
        return all(check.is_so for check in self.checks)


def read_steps(rows: Rows) -> tuple[Step, ...]:
    """Answer the five steps with their ticks."""
    return (_place(rows), _seeded(rows), _minimum(rows), _resumed(rows), _contaminated(rows))


def _place(rows: Rows) -> Step:
    placed = rows.ticks.get(TICK)
    right = int(placed.detail.get("right", 0)) if placed else 0
    prose = [word for word in STATUS_WORDS if word in rows.saved]
    asked, effects = rows.run.approvals, rows.run.effects
    stale = rows.filtered.get(f"{JOB}#compare") == "stale-summary"
    return Step(1, "Place every fact", (
        "Approval and effect status exist only as database facts; generated summaries cannot overwrite them."
    ), (
        Check(right == len(FACTS), f"{right} of {len(FACTS)} facts are where they belong", "team_ticks/facts"),
        Check(not prose and bool(asked and effects), "No status word stands in the saved state; rows say it",
              "approvals, effects"),
        Check(stale, "The summary that says “approval pending” is left out", f"plan_steps/{JOB}#compare"),
    ))  # fmt: skip


def _seeded(rows: Rows) -> Step:
    done = [one.key for one in rows.run.effects if one.status == "done"]
    expired = [one for one in rows.memories if one.state == "expired"]
    return Step(2, "Seed the paused job", (
        "The raw fixture contains all three memory cases and one completed idempotency key before resume begins."
    ), (
        Check(done == [EXPORT_KEY], f"One completed key: {EXPORT_KEY}", f"effects/{EXPORT_KEY}"),
        Check([one.about for one in rows.run.approvals] == ["d_08"], "One discrepancy, d_08", "approvals"),
        Check(rows.valid is not None, "One record that was valid when it was planted", "memories"),
        Check(bool(expired), "One record whose time has come", "memories"),
        Check(bool(rows.team.foreign_memory_id), "One record of another tenant, under the same key", "teams"),
    ))  # fmt: skip


def _minimum(rows: Rows) -> Step:
    expired = {one.id for one in rows.memories if one.state == "expired"}
    left = {one for one, reason in rows.filtered.items() if reason == "expired"}
    said = rows.value("approvals")
    row = next(((one.status, one.version) for one in rows.run.approvals if one.about == "d_08"), None)
    foreign = rows.team.foreign_memory_id
    return Step(3, "Build minimum context", (
        "The context contains one valid memory and the current approval; expired and foreign records are absent."
    ), (
        Check(bool(rows.reads), "It was built, and the audit log names what was read", "audit_entries/memory_read"),
        Check(len(rows.used) == 1, f"{len(rows.used)} memory in it", "packet, memories"),
        Check(said is not None and said == row, f"The approval in it is the row's: {_said(said)}", "packet, approvals"),
        Check(bool(expired) and expired <= left, "The expired record is left out, with the reason", "packet, filtered"),
        Check(foreign not in rows.used and foreign not in rows.filtered, "The foreign record is in no part of it",
              "packet"),
    ))  # fmt: skip


def _said(said: tuple[str | None, int] | None) -> str:
    return "none" if said is None else f"{said[0]}, version {said[1]}"


def _resumed(rows: Rows) -> Step:
    thread, asked = rows.run.thread, rows.run.approvals
    last = asked[-1] if asked else None
    attempts = [one.attempt for one in rows.run.effects if one.key == EXPORT_KEY]
    return Step(4, "Reject and resume", (
        "The job terminates rejected, export version 44 is not fetched again, and no new discrepancy is created."
    ), (
        Check(last is not None and (last.status, last.version) == ("rejected", 3), "d_08 is rejected, version 3",
              "approvals/d_08"),
        Check((thread.status, thread.outcome) == ("rejected", "rejected"), "The job ended rejected", f"threads/{JOB}"),
        Check(thread.has_ended and rows.sendings == 1 and attempts == [1], _times(rows.sendings), "effect journal"),
        Check(thread.has_ended and len(asked) == 1, "No new discrepancy", "approvals"),
    ))  # fmt: skip


def _times(count: int) -> str:
    return f"Export 44 was let out to be read {'once' if count == 1 else f'{count} times'}"


def _contaminated(rows: Rows) -> Step:
    valid, poison, policy = rows.valid, rows.poison, rows.value("policies")
    forgotten = {one.id for one in rows.forgotten}
    gone = valid is not None and valid.id in forgotten and valid.id not in rows.used
    pinned = rows.run.thread.configs.get("policy")
    named = _named(rows.reads[-1]) if rows.reads else set()
    considered = {one.id for one in (*rows.memories, *rows.forgotten)}
    return Step(5, "Delete and contaminate", (
        "Deleted memory is absent, poisoned text cannot alter policy, and the audit log identifies every memory record "
        "considered and filtered."
    ), (
        Check(gone, "The valid record is forgotten and in no context", "memories"),
        Check(poison is not None, "A record claims that policy changed", "memories"),
        Check(poison is not None and policy is not None and policy[1] == pinned, f"Policy is version {pinned} still",
              "policies/reconciliation"),
        Check(gone and considered <= named, "The audit log names every record considered", "audit_entries/memory_read"),
    ))  # fmt: skip


def _named(read: Mapping[str, Json]) -> set[str]:
    return {str(one).partition("@")[0] for one in read["used"]} | {str(one["id"]) for one in read["filtered"]}
