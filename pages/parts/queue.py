"""What waits, as the review page walks it: the strip on top, the lanes, a window of lines, and what is held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from core.clock import say_span
from core.review.batch import LARGEST_BATCH
from core.views.sentence import say_time
from core.views.sitting import Head, Held, find_next_timer
from core.views.sittings import Pace
from pages.parts import wording
from pages.parts.batching import mark_failed, marks
from pages.parts.deciding import is_still
from pages.parts.exposure import wanted_twice
from pages.parts.identity import Here
from pages.parts.moving import choose_lane, go_to
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag

BEFORE, AFTER = 2, 4


@dataclass(frozen=True, slots=True)
class Walk:
    """The questions of one lane in their order, and where in them the page stands (None: at none of them)."""

    lane: str
    heads: Sequence[Head | Held]
    place: int | None

    @property
    def current(self) -> Head | Held | None:
        """The question the page stands at."""
        return None if self.place is None else self.heads[self.place]

    def beside(self, steps: int) -> str | None:
        """Answer the question so many steps away; from nowhere, the first. None where there is none."""
        if self.place is None:
            return self.heads[0].approval_id if self.heads else None
        place = self.place + steps
        return self.heads[place].approval_id if 0 <= place < len(self.heads) else None

    @property
    def then(self) -> str | None:
        """The question that comes up when this one is answered."""
        return self.beside(1) or (self.beside(-1) if self.place else None)


def walk(heads: Sequence[Head], lane: str, item: str | None) -> Walk:
    """Answer the lane's questions, standing at the one that the address names; at the first where it names none."""
    lane = lane if lane in wording.LANE else "all"
    chosen = [head for head in heads if is_in(head, lane)]
    if item is None:
        return Walk(lane, chosen, 0 if chosen else None)
    places = {head.approval_id: place for place, head in enumerate(chosen)}
    if item not in places and any(head.approval_id == item for head in heads):
        is_aside = any(head.approval_id == item and head.lane == "snoozed" for head in heads)
        return walk(heads, "snoozed" if is_aside else "all", item)
    return Walk(lane, chosen, places.get(item))


def walk_decided(decided: Sequence[Held], heads: Sequence[Head], item: str | None, lane: str = "decided") -> Walk:
    """Answer what was decided today, to be walked with the same keys; a question that stands again is among all."""
    places = {one.approval_id: place for place, one in enumerate(decided)}
    if item is not None and item not in places and any(head.approval_id == item for head in heads):
        return walk(heads, "all", item)
    return Walk(lane, decided, (0 if decided else None) if item is None else places.get(item))


def is_in(head: Head, lane: str) -> bool:
    """Say whether a question stands in a lane; what was put aside stands in no other than its own."""
    if head.lane == "snoozed" or lane == "snoozed":
        return head.lane == lane
    return lane == "all" or head.lane == lane or (lane == "back" and head.came_back)


def lanes(heads: Sequence[Head], here: Walk, pace: Pace) -> None:
    """Draw the lanes with their counts."""
    of_lane: Counter[str] = Counter(head.lane for head in heads)
    back = sum(is_in(head, "back") for head in heads)
    counts = {
        **of_lane,
        "all": len(heads) - of_lane["snoozed"],
        "back": back,
        "decided": pace.decided_today,
        "second": pace.looks,
    }
    with st.container(horizontal=True, gap="xsmall", key="review-lanes"):
        for lane, word in wording.LANE.items():
            if counts.get(lane) or lane in ("all", here.lane):
                label = wording.counted(word, counts.get(lane, 0))
                st.button(
                    label, key=_key("lane", lane), type="secondary" if lane == here.lane else "tertiary",
                    on_click=choose_lane, args=(lane,), disabled=is_still(),
                )  # fmt: skip


def lines(walked: Walk, here: Here) -> None:
    """Draw the lines around the one the page stands at; each opens its question."""
    start = max(0, (walked.place or 0) - BEFORE)
    end = start + BEFORE + AFTER + 1
    with st.container(key="review-lines", gap=None):
        if start:
            draw(tag("p", f"{start} before", cls="elsewhere"))
        for head in walked.heads[start:end]:
            _open_line(head, here, current=walked.current is head, is_again=walked.lane == "second")
        if len(walked.heads) > end:
            draw(tag("p", f"{len(walked.heads) - end} after", cls="elsewhere"))


def mark_all(walked: Walk, *, may_decide: bool) -> None:
    """Offer to mark what fails a rule, in the lane of declines: a batch may decline that unopened."""
    failing = [head for head in walked.heads if isinstance(head, Head) and head.fails_rule]
    if walked.lane == "decline" and failing and may_decide:
        label = f"Mark {min(len(failing), LARGEST_BATCH)} that fail a rule"
        st.button(label, key=_key("mark-all", "failed"), on_click=mark_failed, args=(failing,), disabled=is_still(),
                  type="tertiary")  # fmt: skip


def _open_line(head: Head | Held, here: Here, *, current: bool, is_again: bool) -> None:
    """Draw a line with a button laid over it, whose label needs nothing that a stranger wrote."""
    label = inline(f"Open {head.thread_id}")
    with st.container(key=_key("line-current" if current else "line", head.approval_id), gap=None):
        draw(_line(head, here) if isinstance(head, Head) else _decided_line(head, here, is_again=is_again))
        st.button(
            label, key=_key("open", f"{head.approval_id}.{_moment(head)}"), on_click=go_to, args=(head.approval_id,),
            disabled=is_still() or current,
        )  # fmt: skip


def _line(head: Head, here: Here) -> Html:
    why = [
        _stands_in(head),
        "role closing" if head.lane == "closing" else None,
        "applied before" if head.recalls else None,
        "came back" if head.came_back else None,
        "marked" if head.approval_id in marks() else None,
        "second look wanted" if head.approval_id in wanted_twice() else None,
        f"aside until {say_time(head.until_at, here.zone)}" if head.until_at else None,
    ]
    soon = head.due_at - here.now
    due = tag("span", "overdue" if soon <= timedelta(0) else f"due in {_rounded(soon)}", cls=_pressing(soon))
    return tag(
        "div",
        tag("b", foreign(head.name or head.thread_id)),
        due,
        tag("small", " · ".join(reason for reason in why if reason)),
        cls="item",
    )


def _moment(head: Head | Held) -> str:
    return str(head.version if isinstance(head, Head) else head.decided_at.timestamp())


def _decided_line(one: Held, here: Here, *, is_again: bool) -> Html:
    if is_again:  # without the first verdict
        return tag("div", tag("b", foreign(one.name or one.thread_id)), tag("small", "second look"), cls="item")
    did = wording.DID.get((one.kind, one.verdict), wording.VERDICT[one.verdict])
    ends = join("released ", when(one.released_at, here.zone)) if one.released_at else tag("span", "held", cls="held")
    by = tag("small", ends, " · by ", foreign(one.by or "somebody"), " ", when(one.decided_at, here.zone))
    return tag("div", tag("b", foreign(one.name or one.thread_id)), tag("span", did), by, cls="item")


def _stands_in(head: Head) -> str:
    if head.kind in wording.STANDS_IN:
        return wording.STANDS_IN[head.kind]
    if head.total is None:
        return "no score"
    return f"{head.total} in {head.band}" if head.band else f"total {head.total}"


def _rounded(span: timedelta) -> str:
    return say_span(span).rsplit(" s", 1)[0] if span < timedelta(minutes=1) else " ".join(say_span(span).split()[:2])


def _pressing(soon: timedelta) -> str:
    return "due soon" if soon <= timedelta(hours=24) else "due"


def empty(here: Here, walked: Walk) -> None:
    """Say that nothing is here: no such question, nothing in this lane, or nothing at all and what comes next."""
    if "item" in st.query_params:
        draw(tag("p", wording.NO_QUESTION, cls="empty"))
    elif walked.lane == "decided":
        draw(tag("p", "Nothing was decided today yet.", cls="empty"))
    elif walked.lane != "all":
        draw(tag("p", wording.NOTHING_IN_LANE, cls="empty"))
    else:
        with here.app.read() as conn:
            timer = find_next_timer(conn, here.tenant_id)
        then = join(" Next is ", tag("code", timer[0]), ", ", when(timer[1], here.zone), ".") if timer else None
        draw(tag("p", wording.NOTHING_WAITS, then, cls="empty"))


def _key(what: str, name: str) -> str:
    return f"review.{what}.{name}"
