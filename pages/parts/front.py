"""The front page, drawn: what waits, what fires next, what happened lately, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from urllib.parse import quote

from core.clock import iso, say_span
from core.views.frame import living
from core.views.preflight import Blocked
from core.views.sentence import say_time, sentence
from core.views.today import Moment, Today
from core.views.today_rows import BACK
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.times import how_long, when
from pages.parts.untrusted import Html, foreign, join, tag


def hero(today: Today, here: Here) -> Html:
    """Show in one sentence what waits, and the way to it."""
    figures = today.figures
    if figures.waiting == 0:
        return tag("div", tag("p", tag("b", "Nothing waits for you."), " ", *_next(today, here)), cls="hero calm")
    asks = tag("b", wording.plural(figures.waiting, "question waits for you", "questions wait for you"))
    more = [
        join("nearest due ", when(figures.due_soonest_at, here.zone)),
        f"{figures.past_due} past due" if figures.past_due else None,
        f"{figures.came_back} came back" if figures.came_back else None,
        f"{figures.held} held, can be undone" if figures.held else None,
    ]
    facts = [tag("li", fact) for fact in more if fact]
    lead = tag("a", "Open Review", href="/review", cls="act")
    return tag("div", tag("div", tag("p", asks), tag("ul", *facts, cls="counts")), lead, cls="hero")


def _next(today: Today, here: Here) -> tuple[str | Html | None, ...]:
    at = today.figures.next_at
    if at is None:
        return ("No timer is set for the next two days either.",)
    first = next((one for one in today.fires if one.at == at), None)
    if first is None:  # another page of the list is open
        return ("Next is ", when(at, here.zone), ".")
    return ("Next is ", when(at, here.zone), ": ", _what(first), ", ", _who(first), ".")


def waits(today: Today, here: Here) -> Html:
    """Show the questions with the least time left, and the events that nothing followed from."""
    rows = [*(_question(one, here) for one in today.waiting), *(_left_over(one, here) for one in today.left_over)]
    if not rows:
        return tag("p", "No question is open and no event was left over.", cls="none")
    rest = today.figures.waiting + today.figures.left_over - len(rows)
    more = tag("p", f"and {rest} more", cls="more") if rest else None
    return join(tag("ul", *rows, cls="rows", aria_label="Waits for you"), more)


def _question(one: Moment, here: Here) -> Html:
    left = one.at - here.now
    due = f"due in {_coarse(left)}" if left > timedelta(0) else f"past due by {_coarse(left)}"
    timed = tag("time", due, datetime=iso(one.at), title=say_time(one.at, here.zone))
    state = tag(
        "span", tag("span", cls="dot"), timed, cls=f"state {'a-pending' if left > timedelta(0) else 'a-expired'}"
    )
    asked = wording.ASKED.get(one.what, one.what)
    back = (", came back" if one.version > 1 else "") + (", role closing" if one.is_closing else "")
    lead = tag("a", foreign(one.name or one.thread_id), href=f"/review?item={quote(one.detail or '')}", cls="lead")
    run = tag("a", foreign(one.thread_id), href=f"/run?id={quote(one.thread_id)}", cls="id")
    who = tag("span", lead, run, tag("span", f"{asked}{back}", cls="id"), cls="who")
    return tag("li", tag("div", who, state, cls="line"))


def _coarse(span: timedelta) -> str:
    """Say a span in minutes at the finest: the page is not drawn anew with every second."""
    minutes = abs(span) // timedelta(minutes=1)
    return say_span(timedelta(minutes=minutes)) if minutes else "less than a minute"


def _left_over(one: Moment, here: Here) -> Html:
    said = "Came too late" if one.detail == "late" else "Not needed any more"
    word = tag("span", tag("span", cls="dot"), said, cls="state v-late")
    received = tag(
        "p", f"{one.what.capitalize()} received ", when(one.at, here.zone),
        "; nothing followed from it. Its run has a button that takes it off this list.",
    )  # fmt: skip
    return tag("li", tag("div", _who(one), word, cls="line"), received)


def fires(today: Today, here: Here) -> Html:
    """Show the instants ahead as a timeline, day by day."""
    if not today.fires:
        return tag("p", "Nothing fires by itself in the next 48 hours.", cls="none")
    days = groupby(today.fires, key=lambda one: one.at.astimezone(here.zone).date())
    return tag("div", *(_day(day, list(moments), here) for day, moments in days), cls="timeline")


def _day(day: date, moments: Sequence[Moment], here: Here) -> Html:
    distance = (day - here.now.astimezone(here.zone).date()).days
    zone = moments[0].at.astimezone(here.zone).strftime("%Z")
    word = {0: "Today", 1: "Tomorrow"}.get(distance, "")
    named = f"{day.strftime('%a %-d %b')}, {zone}"
    head = tag("h3", f"{word} · {named}" if word else named)
    return join(head, tag("ol", *(_instant(one, here) for one in moments)))


def _instant(one: Moment, here: Here) -> Html:
    at = tag("time", one.at.astimezone(here.zone).strftime("%H:%M"), datetime=iso(one.at), title=iso(one.at))
    away = tag("span", f"in {_coarse(one.at - here.now)}", cls="away")
    said = tag("p", _who(one), tag("span", _what(one), cls="what"))
    return tag("li", at, said, away, cls=f"f-{one.what}")


def _what(one: Moment) -> str:
    if one.what == "retry":
        return "the step is tried again"
    return f"the wait for {one.detail} ends" if one.what == "window" else one.detail or "it goes on"


def lately_title(today: Today, here: Here) -> str:
    """Say since when what happened is told: since the person's last sitting, or for a day."""
    return "Lately" if today.since == here.now - BACK else "Since your last sitting"


def lately(today: Today, here: Here) -> Html:
    """Show what left and what ended since then, the newest first."""
    if not today.lately:
        return tag("p", "Nothing left and nothing ended since ", when(today.since, here.zone), ".", cls="none")
    rows = [_happened(one, here) for one in today.lately]
    return tag("ul", *rows, cls="rows", aria_label="What happened lately")


def lately_figures(today: Today) -> str:
    """Say how often each thing happened since then."""
    named = sorted(today.figures.lately.items(), key=lambda item: (item[0] not in _LEFT, item[0]))
    return " · ".join(f"{count} {_LEFT.get(what, what.replace('_', ' '))}" for what, count in named) or "nothing"


_LEFT = {"mail": "sent", "read": "read", "tool": "done"}
_COLOUR = {
    "booked": "a-approved",
    "expired": "a-expired",
    "mail": "e-sending",
    "read": "e-sending",
    "tool": "e-sending",
}


def _happened(one: Moment, here: Here) -> Html:
    letter = (one.detail or "").rsplit("/", 1)[-1]
    word = f"{letter} {_LEFT[one.what]}" if one.what in _LEFT else one.what.replace("_", " ")
    state = tag("span", tag("span", cls="dot"), word.capitalize(), cls=f"state {_COLOUR.get(one.what, 'a-rejected')}")
    key = join(" ", tag("code", foreign(one.detail))) if one.detail else None
    return tag("li", tag("div", _who(one), state, cls="line"), tag("p", when(one.at, here.zone), key))


def wrong(today: Today, noticed: Sequence[Html], here: Here) -> Html:
    """Show what keeps runs from going on, and what was `noticed` elsewhere; or that nothing is wrong."""
    rows = [*_wrongs(today, here), *noticed]
    if not rows:
        return tag("p", tag("span", cls="dot"), "Nothing is wrong.", cls="none fine")
    figures = today.figures
    shown = len(today.parked) + len(today.unknown) + len(today.overdue)
    rest = figures.parked + figures.unknown + figures.overdue - shown
    runs = tag("a", "all parked runs", href="/runs?status=Parked")
    more = tag("p", f"and {rest} more; see ", runs, cls="more") if rest else None
    return join(tag("ul", *rows, cls="rows", aria_label="What is wrong"), more)


def wrong_figures(today: Today) -> str | None:
    """Say how often each thing keeps runs from going on."""
    figures = today.figures
    named = (
        (figures.unknown, "unknown"), (figures.parked, "parked"), (figures.overdue, "overdue"),
        (figures.unpriced, "unpriced"),
    )  # fmt: skip
    return " · ".join(f"{count} {word}" for count, word in named if count) or None


def _wrongs(today: Today, here: Here) -> Iterator[Html]:
    workers = living(here.frame.workers, here.app.is_gone)
    if all(worker.is_silent for worker in workers):
        said = "Nobody carries runs on." if not workers else "No worker was heard for more than 30 s."
        yield _trouble(tag("b", "No worker"), "Stands still", said)
    for parked in today.parked:
        yield _trouble(_link(parked.thread.id, parked.name), "Parked", sentence(parked.thread, here.zone))
    for one in today.unknown:
        key = tag("code", foreign(one.detail or ""))
        settle = tag("a", "Settle it on its page", href=f"/run?id={quote(one.thread_id)}")
        yield _trouble(_who(one), "Unknown", "Nobody knows whether it happened: ", key, ". ", settle, ".")
    if today.figures.unpriced:
        calls = wording.plural(today.figures.unpriced, "model call has", "model calls have")
        said = "What they cost nobody can say; they count as nothing and block a budget. "
        yield _trouble(tag("b", f"{calls} no price"), "Unpriced", said, tag("code", "python -m core costs"))
    for one in today.overdue:
        yield _trouble(_who(one), "Overdue", "Due for ", how_long(one.at, here.now), "; no worker took it.")


def blocked(found: Sequence[Blocked]) -> Html:
    """Show which runs the loaded code could not resume, and why."""
    if not found:
        return tag("p", "The loaded code can resume every run that goes on.", cls="none")
    rows = [_trouble(_link(one.thread_id, None), f"At {one.step}", foreign(one.reason)) for one in found[:50]]
    more = tag("p", f"and {len(found) - 50} more", cls="more") if len(found) > 50 else None
    return join(tag("ul", *rows, cls="rows", aria_label="Runs the loaded code cannot resume"), more)


def _trouble(who: Html, word: str, *said: str | Html | None) -> Html:
    state = tag("span", tag("span", cls="dot"), word, cls="state e-unknown")
    return tag("li", tag("div", who, state, cls="line"), tag("p", *said))


def _who(one: Moment) -> Html:
    return _link(one.thread_id, one.name)


def _link(thread_id: str, name: str | None) -> Html:
    lead = tag("a", foreign(name or thread_id), href=f"/run?id={quote(thread_id)}", cls="lead")
    below = tag("span", foreign(thread_id), cls="id") if name else None
    return tag("span", lead, below, cls="who")
