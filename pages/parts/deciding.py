"""What a press does on the review page: one command in one transaction, by whoever is here at that moment.

A verdict counts only for the very version of a question that has been on screen for EXPOSURE_SECONDS, and never while
a drawer lies over it: the second half of a double click, or a key meant for the drawer, decides nothing. The browser
holds such presses back by the same rule (core/web/sitting.js), from when the question was painted; here they are
counted from when it began to be sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from core.clock import pulse
from core.desk.decisions import Answer, read_points
from core.desk.sittings import Look, decide_in_sitting
from core.errors import AlreadyDecided, BadInput, Refused, StaleVersion
from core.review.read import Approval, get_approval
from core.steps import Json, Verdict
from pages.parts import identity, wording
from pages.parts.exposure import looked_ms, note_look, wanted_twice, was_up
from pages.parts.identity import Here
from pages.parts.moving import REASON, REFUSED, SHOWN, go_to
from pages.parts.untrusted import toast

EXPOSURE_SECONDS = 0.4
STREAK, STREAK_SECONDS = 10, 60.0
STREAKS = "review.streak"
DRAWER, DRAFTS, TOTALS = (f"review.{what}" for what in ("drawer", "drafts", "totals"))
POINTS = "points"


@dataclass(frozen=True, slots=True)
class Seen:
    """A question as it stood on the page: what may move, and which question comes after it."""

    approval_id: str
    version: int
    basis: Mapping[str, Json]
    total: int | None
    hashes: Mapping[str, str | None]
    fields: Mapping[str, str] = field(default_factory=dict)
    then: str | None = None
    scored: bool = False

    @property
    def name(self) -> str:
        """The question and its version, as widget keys carry them."""
        return f"{self.approval_id}.{self.version}"

    @property
    def says(self) -> tuple[str, ...]:
        """What there is to read: whose question, what it rests on, the letters. A version may change without it."""
        return (self.approval_id, *(f"{name} {value}" for name, value in (*self.basis.items(), *self.hashes.items())))


@dataclass(frozen=True, slots=True)
class Draft:
    """A verdict that did not count because the world had moved: what was seen, and what was answered."""

    seen: Seen
    answer: Answer


def see(approval: Approval, then: str | None) -> Seen:
    """Note what is about to be shown."""
    return Seen(
        approval_id=approval.id,
        version=approval.version,
        basis=approval.basis,
        total=approval.facts.get("total"),
        hashes={one.key: one.payload_hash for one in approval.choices if one.key is not None},
        fields=approval.answers.get("approve", {}),
        then=then,
        scored=bool(approval.facts.get("scores")),
    )


def is_still() -> bool:
    """Say whether a drawer lies over the page."""
    return st.session_state.get(DRAWER) is not None


def asks_reason(seen: Seen) -> bool:
    """Say whether the page asks for the reason of a decline."""
    return bool(st.session_state.get(REASON) == seen.name)


def note_shown(seen: Seen | None) -> None:
    """Note, before a page is drawn, what will stand on it and since when: a browser shows it later, never earlier."""
    name = None if seen is None else shown_name(seen)
    before = st.session_state.get(SHOWN)
    if before is None or before[0] != name:
        st.session_state[SHOWN] = (name, pulse())
    if seen is None:
        note_look(None, None)
    else:
        note_look(seen.name, seen.says)


def was_opened(approval_id: str, version: int) -> bool:
    """Say whether a question's card has been on this page at this version, long enough to answer it."""
    return was_up(f"{approval_id}.{version}", EXPOSURE_SECONDS)


def shown_name(seen: Seen) -> str:
    """Name what stands on the page: a question's version, and whether a reason is asked for."""
    return f"{seen.name}.reason" if asks_reason(seen) else seen.name


def counts(seen: Seen) -> bool:
    """Say whether a verdict counts; one that comes too early begins the time anew, so that a held key decides once."""
    name, since = st.session_state.get(SHOWN) or (None, 0.0)
    if is_still() or name != shown_name(seen):
        return False
    if pulse() - since >= EXPOSURE_SECONDS:
        return True
    st.session_state[SHOWN] = (name, pulse())
    toast("That press was too quick to count: this question had only just come up.")
    return False


def decide(seen: Seen, verdict: Verdict, reason: str | None = None) -> None:
    """Answer a question as it was seen, and go on to the next one."""
    if counts(seen) and not _brakes(verdict):
        fields = _typed(seen) if verdict == "approve" else {}
        try:
            own = read_points(st.session_state.get(field_key(seen, POINTS)) or "")
        except BadInput as refused:
            _refuse(seen, refused)
        else:
            _answer(seen, Answer(verdict, seen.version, fields, reason, own_total(seen.approval_id), own))


def _brakes(verdict: Verdict) -> bool:
    """Ask once to pause after STREAK equal verdicts within STREAK_SECONDS; the next press counts."""
    streak: list[tuple[Verdict, float]] = st.session_state.setdefault(STREAKS, [])
    last = streak[-STREAK:]
    if len(last) == STREAK and {one for one, _ in last} == {verdict} and pulse() - last[0][1] < STREAK_SECONDS:
        streak.clear()
        toast(f"{STREAK} equal verdicts in under a minute. Pause, look at this one, and press again.")
        return True
    streak.append((verdict, pulse()))
    return False


def decide_draft(seen: Seen, draft: Draft) -> None:
    """Give an answer again, on what the question is now."""
    if counts(seen):
        _answer(seen, replace(draft.answer, seen_version=seen.version))


def _typed(seen: Seen) -> dict[str, Json]:
    typed = {name: st.session_state.get(field_key(seen, name)) for name in seen.fields}
    return {name: value.strip() if isinstance(value, str) else value for name, value in typed.items()}


def field_key(seen: Seen, name: str) -> str:
    """Name the field in which an answer is typed."""
    return f"review.answer.{name}.{seen.name}"


def _answer(seen: Seen, answer: Answer) -> None:
    here = identity.require("viewer")
    try:
        here.app.act(
            here.actor,
            "decide",
            lambda tx: decide_in_sitting(
                tx,
                here.app.desk,
                here.actor,
                seen.approval_id,
                answer,
                Look(looked_ms(seen.says), wants_another=seen.approval_id in wanted_twice()),
            ),
        )
    except (AlreadyDecided, StaleVersion) as moved:
        if _keep(here, Draft(seen, answer), moved):
            return
    except Refused as refused:
        _refuse(seen, refused)
        return
    drafts().pop(seen.approval_id, None)
    wanted_twice().discard(seen.approval_id)
    keep_total(seen.approval_id, None)
    go_to(seen.then)


def _refuse(seen: Seen, refused: Refused) -> None:
    st.session_state[REFUSED] = (seen.name, wording.refusal(refused))
    toast(wording.refusal(refused))


def _keep(here: Here, draft: Draft, moved: Refused) -> bool:
    """Keep a verdict as a draft and say what moved; False where this person's own same verdict stands already.

    A second press can cut a page run short right after the first one was written.
    """
    with here.app.read() as conn:
        now = get_approval(conn, here.app.vault, here.tenant_id, draft.seen.approval_id)
    is_own = now.decided_by == here.actor.member.id
    if is_own and now.verdict == draft.answer.verdict:
        return False
    toast(wording.refusal(moved))
    if not is_own:
        drafts()[draft.seen.approval_id] = draft
    st.session_state.pop(REASON, None)
    return True


def drafts() -> dict[str, Draft]:
    """Answer the verdicts that did not count, by question."""
    kept: dict[str, Draft] = st.session_state.setdefault(DRAFTS, {})
    return kept


def drop_draft(approval_id: str) -> None:
    """Let a verdict that did not count go."""
    drafts().pop(approval_id, None)


def refused_of(seen: Seen) -> str | None:
    """Answer why the last answer to this question was refused, or None."""
    name, sentence = st.session_state.get(REFUSED) or (None, None)
    return sentence if name == seen.name else None


def ask_reason(seen: Seen) -> None:
    """Ask why, before a decline is written; nothing is decided yet."""
    if not is_still():
        st.session_state[REASON] = seen.name


def keep_total(approval_id: str, total: int | None) -> None:
    """Keep a total of one's own until the question is answered; None lets it go."""
    totals: dict[str, int] = st.session_state.setdefault(TOTALS, {})
    if total is None:
        totals.pop(approval_id, None)
    else:
        totals[approval_id] = total


def own_total(approval_id: str) -> int | None:
    """Answer the total of one's own that goes with the answer, or None."""
    totals: dict[str, int] = st.session_state.get(TOTALS, {})
    return totals.get(approval_id)


def keep_looking() -> None:
    """Put the question for a reason away."""
    st.session_state.pop(REASON, None)


def open_drawer(what: str) -> None:
    """Lay a drawer over the page."""
    st.session_state[DRAWER] = what


def close_drawer() -> None:
    """Take the drawer away."""
    st.session_state.pop(DRAWER, None)
