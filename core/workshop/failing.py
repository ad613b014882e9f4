"""The two sides of each failure: caused in a prototype or a lab's own process, and repaired by the product."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.bootstrap import App
from core.context.packets import admit
from core.desk.desk import Actor
from core.errors import BadInput, ContextOverBudget, NotFound
from core.memory.reading import show_memory
from core.people.teams import Team
from core.steps import estimate_tokens
from core.workshop.atlas import EXPIRED, FOREIGN, JOB, OTHER, VALID
from core.workshop.crash import AFTER_DISPATCH, run_crash
from core.workshop.naive import nearest, resume_by_replay, shorten
from core.workshop.team_rows import Rows

Side = Literal["cause", "repair"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one side of a failure came to: whether it failed as the seed says, in a sentence, and the facts of it."""

    has_failed: bool
    says: str
    facts: tuple[tuple[str, str], ...] = ()


def crash_side(side: Side) -> Seen:
    """F1: kill a process after its letter left, without a ledger (cause) or with one (repair), and count letters."""
    ran = run_crash("none" if side == "cause" else "keys", AFTER_DISPATCH)
    facts = (
        ("killed by signal", str(ran.killed_by)),
        ("letters when it was killed", str(ran.killed_letters)),
        ("letters after the resume", str(ran.letters)),
        ("ledger when it was killed", ran.left or "there is none"),
        ("ledger at the end", ran.status or "there is none"),
    )
    if ran.letters > 1:
        return Seen(
            has_failed=True, says=f"The resumed process sent again: {ran.letters} letters under one key.", facts=facts
        )
    return Seen(
        has_failed=False,
        says="The resumed process asked the ledger and sent the same key again: one letter.",
        facts=facts,
    )


def stale_side(side: Side, app: App, actor: Actor, rows: Rows) -> Seen:
    """F2: resume by replay (cause) or build the context from rows (repair), and hold what each says against the row."""
    row = rows.run.approvals[-1]
    standing = ("the approval's row", f"{row.status}, version {row.version}")
    if side == "cause":
        replayed = resume_by_replay(app, actor, rows.run)
        facts = (standing, (f"message {replayed.believes_from} of the transcript", replayed.believes))
        if replayed.believes == row.status:
            return Seen(
                has_failed=False,
                says="The transcript is right so far. Decide about d_08, and cause it again.",
                facts=facts,
            )
        return Seen(
            has_failed=True, says=f"It believes “{replayed.believes}”, while the row says {row.status}.", facts=facts
        )
    said = rows.value("approvals")
    facts = (standing, ("the packet", "nothing" if said is None else f"{said[0]}, version {said[1]}"))
    return Seen(
        has_failed=said != (row.status, row.version),
        says="The packet is built from the row, with its version.",
        facts=facts,
    )


def foreign_side(side: Side, app: App, actor: Actor, team: Team) -> Seen:
    """F3: rank by likeness over everybody's notes (cause), or ask for the foreign record by its own id (repair).

    The notes of the cause are the fixture's texts: no row of another tenant is read for it.
    """
    if side == "cause":
        notes = [(OTHER, FOREIGN), (actor.tenant_id, VALID), (actor.tenant_id, EXPIRED)]
        found = nearest("What do we know of Winter Garden, and is it to be shown to anyone?", notes, 2)
        facts = tuple((f"note {n} of {whose}", text) for n, (whose, text) in enumerate(found, 1))
        has_failed = any(whose == OTHER for whose, _ in found)
        return Seen(
            has_failed=has_failed,
            says=f"The best match belongs to {found[0][0]}: likeness was asked first.",
            facts=facts,
        )
    try:
        with app.read() as conn:
            show_memory(conn, app.vault, actor.tenant_id, team.foreign_memory_id, actor.now)
    except NotFound as missing:
        return Seen(
            has_failed=False,
            says="Tenant first: the record is not there.",
            facts=(("asked by its own id", missing.sentence),),
        )
    return Seen(has_failed=True, says="The foreign record was handed out.")


def compacted_side(side: Side, rows: Rows) -> Seen:
    """F4: shorten the packet as a brief summarizer does (cause) or as the product does (repair), at one budget.

    The budget is what the packet weighs without its two longest items, so that something must go.
    """
    if rows.packet is None:
        raise BadInput("There is no packet to shorten: reset the team.")
    items, packet = rows.packet.admitted.items, rows.packet.admitted.packet
    texts = [(f"{one.source}/{one.id}", one.text) for one in items]
    longest = sorted((estimate_tokens(text) for _, text in texts), reverse=True)
    budget = sum(longest) - sum(longest[:2])
    golden = {f"{one.source}/{one.id}" for one in packet.required}
    if side == "cause":
        kept = {name for name, _ in shorten(texts, budget)}
        lost = sorted(golden - kept)
        facts = (("budget", f"{budget} tokens"), ("golden list kept", f"{len(golden & kept)} of {len(golden)}"),
                 ("dropped", ", ".join(lost) or "nothing"))  # fmt: skip
        return Seen(
            has_failed=bool(lost),
            says=f"It fits, and {len(lost)} of what the decision needs is gone without a word.",
            facts=facts,
        )
    return _admitted(rows, golden, budget)


def _admitted(rows: Rows, golden: set[str], budget: int) -> Seen:
    assert rows.packet is not None  # noqa: S101 - whoever calls has looked
    packet = replace(rows.packet.admitted.packet, budget_tokens=budget)
    slots = list(dict.fromkeys(one.slot for one in (*packet.required, *packet.optional)))
    try:
        kept = {f"{one.source}/{one.id}" for one in admit(packet, slots, JOB).items}
    except ContextOverBudget as over:
        facts = (("budget", f"{budget} tokens"), ("said", over.sentence))
        return Seen(
            has_failed=False, says="What must stay does not fit, so nothing is sent and no money is spent.", facts=facts
        )
    facts = (("budget", f"{budget} tokens"), ("golden list kept", f"{len(golden & kept)} of {len(golden)}"))
    return Seen(
        has_failed=not golden <= kept, says="Prose went; everything that the decision needs stayed.", facts=facts
    )
