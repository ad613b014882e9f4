"""What a run left outside and was asked: effects, approvals, events; and its plumbing. Drawn from rows."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.clock import say_span
from core.costs.money import usd
from core.effects.plan import Entry
from core.threads.load import StoredEvent
from core.views.asked import AskedLine
from core.views.costs import Call
from core.views.threads import Attempt, Checkpoint
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, join, tag


def effects(entries: Sequence[Entry], here: Here) -> Html:
    """Show each effect under its key: what is certain of it, and since when."""
    if not entries:
        return _none("Nothing has left yet.")
    return tag("ul", *(_effect(entry, here) for entry in entries), cls="rows", aria_label="Effects")


def _effect(entry: Entry, here: Here) -> Html:
    at = when(entry.done_at or entry.sending_at or entry.planned_at, here.zone)
    facts = [entry.kind, f"attempt {entry.attempt}" if entry.attempt > 1 else None, entry.why]
    return tag(
        "li",
        tag("div", tag("code", entry.key), _state("e", entry.status, wording.EFFECT[entry.status]), cls="line"),
        tag("p", at, *(join(" · ", foreign(fact)) for fact in facts if fact)),
        tag("p", tag("code", foreign(entry.result_ref))) if entry.result_ref else None,
    )


def approvals(asked: Sequence[AskedLine], here: Here) -> Html:
    """Show each question with its answer, who gave it, when, on which version, and the hold."""
    if not asked:
        return _none("Nobody has been asked yet.")
    return tag("ul", *(_approval(one, here) for one in asked), cls="rows", aria_label="Approvals")


def _approval(one: AskedLine, here: Here) -> Html:
    return tag(
        "li",
        tag("div", tag("b", one.about), _state("a", one.status, wording.APPROVAL[one.status]), cls="line"),
        _answer(one, here),
        _hold(one, here),
        tag("p", tag("code", one.id), f" · version {one.version}", cls="id"),
    )


def _answer(one: AskedLine, here: Here) -> Html:
    if one.decided_by is None:
        return tag("p", "Asked ", when(one.asked_at, here.zone), " · due ", when(one.due_at, here.zone))
    return tag("p", "By ", foreign(one.decided_by), ", ", when(one.decided_at, here.zone))


def _hold(one: AskedLine, here: Here) -> Html | None:
    if one.released_at is not None:
        return tag("p", "Released ", when(one.released_at, here.zone), "; it can no longer be undone.")
    if not one.is_held or one.release_at is None:
        return None
    if one.release_at <= here.now:
        return tag("p", "The hold is over: a worker carries it out.")
    left = say_span(one.release_at - here.now)
    return tag("p", f"Held for {left}, until ", when(one.release_at, here.zone), ". Undo until then.", cls="held")


def events(stored: Sequence[StoredEvent], here: Here) -> Html:
    """Show what came from outside, with what it carried and which checkpoint took it."""
    if not stored:
        return _none("Nothing has come from outside yet.")
    return tag("ul", *(_event(one, here) for one in stored), cls="rows", aria_label="Events")


def _event(one: StoredEvent, here: Here) -> Html:
    happened = one.happened
    taken = "nobody took it" if one.consumed_by is None else f"taken by checkpoint {one.consumed_by}"
    seen = "" if one.seen_by is None else " · seen"
    carried = json.dumps(dict(happened.data), ensure_ascii=False) if happened.data else None
    state, word = ("late", "Late") if happened.late else ("in", "In time")
    return tag(
        "li",
        tag("div", tag("b", happened.name), _state("v", state, word), cls="line"),
        tag("p", when(happened.received_at, here.zone), f" · {taken}{seen}"),
        tag("p", tag("code", foreign(carried))) if carried else None,
    )


def checkpoints(settled: Sequence[Checkpoint], here: Here) -> Html:
    """Show the checkpoints in order: number, step, why, when."""
    rows = [(f"{one.number}", one.step, wording.CAUSE[one.cause], when(one.at, here.zone)) for one in settled]
    return _grid("Checkpoints", ("Number", "Step", "Why", "When"), rows)


def attempts(tried: Sequence[Attempt], here: Here) -> Html:
    """Show the tries that did not settle, in order."""
    rows = [(one.step, wording.ATTEMPT[one.result], one.said or one.code, when(one.at, here.zone)) for one in tried]
    return _grid("Attempts", ("Step", "What happened", "Why", "When"), rows)


def calls(asked: Sequence[Call], here: Here) -> Html:
    """Show each model call: who was asked, what it used, what that cost; what nobody knows says so."""
    rows = [
        (one.model, wording.CALL[one.status], _used(one), _cost(one), when(one.opened_at, here.zone)) for one in asked
    ]
    return _grid("Model calls", ("Model", "What came of it", "Tokens", "Cost", "When"), rows)


def _used(call: Call) -> str:
    if call.is_usage_unknown:
        return "unknown usage"
    if call.fresh is None:
        return "none"
    cached = (call.cache_write_5m or 0) + (call.cache_write_1h or 0) + (call.cache_read or 0)
    return f"{call.fresh + cached:,} in, {call.output or 0:,} out"


def _cost(call: Call) -> str:
    if call.picodollars is not None:
        return f"${usd(call.picodollars)}"
    if call.is_usage_unknown:
        return "unknown" if call.estimated is None else f"at most about ${usd(call.estimated)}"
    return "not billed" if call.fresh is None else "unpriced"


def _grid(name: str, heads: Sequence[str], rows: Sequence[Sequence[str | Html | None]]) -> Html:
    return tag(
        "table",
        tag("caption", name, cls="unseen"),
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
        tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row)) for row in rows)),
        cls="grid",
    )


def _state(prefix: str, status: str, word: str) -> Html:
    return tag("span", tag("span", cls="dot"), join(word), cls=f"state {prefix}-{status}")


def _none(text: str) -> Html:
    return tag("p", text, cls="none")
