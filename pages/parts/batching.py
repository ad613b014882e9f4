"""Batch: mark questions, see in a drawer one row per effect, answer them together, read each one's own result."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.clock import pulse
from core.desk.batches import Result, decide_batch, read_batch
from core.errors import Refused
from core.review.batch import LARGEST_BATCH, Marked, check_alike
from core.review.read import Approval
from core.steps import Verdict
from core.views.sitting import Head
from core.views.threads import read_people_of
from pages.parts import deciding, identity, moving, wording
from pages.parts.deciding import EXPOSURE_SECONDS, Seen, close_drawer
from pages.parts.identity import Here
from pages.parts.untrusted import Html, draw, foreign, inline, tag, toast

MARKS, SINCE, RESULTS = "review.marks", "review.batch.since", "review.batch.results"
Names = dict[str, str | None]
WHO = "review.batch.who"
_BECAME = {"done": "Done", "stale": "Skipped: it changed", "failed": "Failed"}


def marks() -> dict[str, int]:
    """Answer what is marked: the version seen, by question."""
    found: dict[str, int] = st.session_state.setdefault(MARKS, {})
    return found


def toggle(seen: Seen) -> None:
    """Mark the question that is shown, or take its mark away."""
    if deciding.is_still():
        return
    if marks().pop(seen.approval_id, None) is None:
        marks()[seen.approval_id] = seen.version


def mark_failed(heads: Sequence[Head]) -> None:
    """Mark what fails a rule, unopened, up to a batch's size."""
    for head in heads:
        if head.fails_rule and len(marks()) < LARGEST_BATCH:
            marks()[head.approval_id] = head.version


def forget() -> None:
    """Take all marks away."""
    marks().clear()


def open_bar() -> None:
    """Lay the batch bar over the page."""
    st.session_state.pop(RESULTS, None)
    st.session_state[SINCE] = pulse()
    deciding.open_drawer("batch")


def _marked() -> list[Marked]:
    return [Marked(one, version, deciding.was_opened(one, version)) for one, version in marks().items()]


@st.dialog("Batch", width="large", on_dismiss=close_drawer)
def bar(here: Here) -> None:
    """Draw what is marked with its effects, then the acts; afterwards each one's result."""
    results: dict[str, Result] | None = st.session_state.get(RESULTS)
    if results is not None:
        _results(results)
        return
    marked = _marked()
    with here.app.read() as conn:
        standing = read_batch(conn, here.app.desk, here.actor, marked)
        names = read_people_of(conn, here.app.vault, here.tenant_id, [one.thread_id for one in standing])
    st.session_state[WHO] = {one.id: names.get(one.thread_id) or one.thread_id for one in standing}
    moved = len(marked) - len(standing)
    if moved:
        draw(tag("p", f"{wording.plural(moved, 'question', 'questions')} changed since it was marked; skipped."))
    for verdict in ("approve", "reject"):
        _offer(verdict, standing, marked, names)
    st.button("Take all marks away", key="review.batch.forget", on_click=_forget_all, type="tertiary")


def _offer(
    verdict: Verdict, standing: Sequence[Approval], marked: Sequence[Marked], names: dict[str, str | None]
) -> None:
    word = {"approve": "Approve", "reject": "Decline"}[verdict]
    draw(tag("h3", f"{word} {len(standing)}"))
    try:
        ids = {one.id for one in standing}
        check_alike(standing, [one for one in marked if one.approval_id in ids], verdict)
    except Refused as refused:
        draw(tag("p", foreign(wording.refusal(refused)), cls="none"))
        return
    draw(_effects(verdict, standing, names))
    given = (verdict, tuple(marked))
    label = inline(f"{word} all {len(standing)}")
    st.button(label, key=f"review.batch.{verdict}", on_click=_answer, args=given)


def _effects(verdict: Verdict, standing: Sequence[Approval], names: Names) -> Html:
    rows = [
        tag("tr", tag("td", foreign(names.get(one.thread_id) or one.thread_id)),
            tag("td", tag("code", choice.key or "")),
            tag("td", foreign(str((choice.payload or {}).get("to", "")))),
            tag("td", foreign(str((choice.payload or {}).get("subject", choice.kind or "")))),
            tag("td", tag("code", (choice.payload_hash or "")[:8])))
        for one in standing for choice in one.choices if choice.verdict == verdict and choice.key is not None
    ]  # fmt: skip
    heads = tag("tr", *(tag("th", word, scope="col") for word in ("Who", "Key", "To", "Subject", "Seal")))
    return tag("table", tag("thead", heads), tag("tbody", *rows), cls="batch")


def _answer(verdict: Verdict, marked: tuple[Marked, ...]) -> None:
    if pulse() - st.session_state.get(SINCE, 0.0) < EXPOSURE_SECONDS or st.session_state.get(RESULTS) is not None:
        toast("That press was too quick to count: the batch had only just come up.")
        return
    here = identity.require("viewer")
    reason = wording.REASONS[0] if verdict == "reject" and not all(one.is_opened for one in marked) else None
    try:
        results = here.app.attempt(
            here.actor, "decide batch",
            lambda: decide_batch(
                here.app.read, lambda command: here.app.act(here.actor, "decide", command), here.app.desk, here.actor,
                marked, (verdict, reason),
            ),
        )  # fmt: skip
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    st.session_state[RESULTS] = {one.approval_id: one for one in results}
    forget()


def _results(results: dict[str, Result]) -> None:
    who: dict[str, str] = st.session_state.get(WHO, {})
    count = {became: sum(one.became == became for one in results.values()) for became in _BECAME}
    draw(tag("p", tag("b", f"{count['done']} done · {count['stale']} skipped · {count['failed']} failed")))
    lines = [
        tag("li", foreign(who.get(one.approval_id, one.approval_id)), tag("span", _BECAME[one.became]),
            tag("small", foreign(one.sentence)) if one.sentence else None)
        for one in results.values()
    ]  # fmt: skip
    draw(tag("ul", *lines, cls="given"))
    if st.button("Back to the queue", key="review.batch.close", type="primary"):
        close_drawer()
        moving.go_to(None)
        st.rerun()


def _forget_all() -> None:
    forget()
    close_drawer()
