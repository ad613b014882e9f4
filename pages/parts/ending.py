"""The end of a sitting: its verdicts, what stood out on top, what is held, the next 48 hours, and a receipt."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.clock import iso, say_span
from core.desk.sittings import end_sitting
from core.errors import DaybookError, Refused
from core.views.sittings import Ended, Given, read_ended
from core.views.today import Place, Today, read_today
from pages.parts import again, deciding, front, identity, moving, wording
from pages.parts.identity import Here
from pages.parts.plan import heading
from pages.parts.taking_back import release_each
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag, toast

ADDRESS = "sitting"


def end_now(looks: int) -> None:
    """End the sitting of whoever is here and show its end; where second looks wait, show those first."""
    if deciding.is_still():
        return
    if looks:
        again.begin()
        return
    here = identity.require("viewer")
    try:
        sitting_id = here.app.act(here.actor, "end sitting", lambda tx: end_sitting(tx, here.actor))
    except Refused as refused:
        toast(wording.refusal(refused))
        return
    moving.go_to(None)
    st.query_params[ADDRESS] = sitting_id


def show(here: Here) -> bool:
    """Draw the sitting that the address names, and say whether it names one."""
    named = st.query_params.get(ADDRESS)
    if named is None:
        return False
    try:
        with here.app.read() as conn:
            ended = read_ended(conn, here.app.vault, here.tenant_id, named, here.now)
            today = read_today(conn, here.app.vault, here.tenant_id, here.now, Place())
    except DaybookError:
        draw(tag("p", "There is no such sitting here.", cls="empty"))
    else:
        _draw(here, ended, today)
    st.button("Back to the queue", key="review.queue.back", on_click=leave, shortcut="escape", type="tertiary")
    return True


def leave() -> None:
    """Go back to what waits."""
    st.query_params.pop(ADDRESS, None)


def _draw(here: Here, ended: Ended, today: Today) -> None:
    draw(_head(ended, here))
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        draw(heading("Verdicts", "against the total, edited and fastest on top"))
        draw(_verdicts(ended, here))
    with right:
        draw(heading("Held", wording.plural(len(ended.held), "can still be undone", "can still be undone")))
        _held(here, ended)
        draw(heading("Next 48 hours"))
        draw(front.fires(today, here))
        text, name = "\n".join(receipt(ended)).encode(), f"{ended.id}.txt"
        st.download_button(
            "Receipt", text, name, "text/plain",
            key="review.receipt", on_click="ignore", icon=":material/receipt_long:",
        )  # fmt: skip


def _head(ended: Ended, here: Here) -> Html:
    word = {"idle": "Ended by itself after 30 idle minutes", "by hand": "Ended"}.get(ended.ended_why or "", "Open")
    until = (ended.ended_at or here.now) - ended.opened_at
    stood = [one for one in ended.given if one.stands]
    counts = [
        wording.plural(len(stood), "verdict", "verdicts"),
        wording.plural(len(ended.given) - len(stood), "taken back", "taken back"),
        wording.plural(sum(one.is_against for one in stood), "against the total", "against the total"),
    ]
    return tag(
        "header",
        tag("h2", "This sitting", cls="who"),
        tag("p", word, " ", when(ended.ended_at, here.zone), f", after {say_span(until)}, by ", foreign(ended.by)),
        tag("p", " · ".join(counts), cls="id"),
        cls="card-head",
    )


def _verdicts(ended: Ended, here: Here) -> Html:
    if not ended.given:
        return tag("p", "No verdict was given in it.", cls="none")
    return tag("ul", *(_verdict(one, here) for one in ended.given), cls="given")


def _verdict(one: Given, here: Here) -> Html:
    marks = [*(["against the total"] if one.is_against else []), *(["edited"] if one.is_edited else [])]
    marks += ["in a batch" if one.took_ms is None else f"looked for {one.took_ms / 1000:.1f} s"]
    return tag(
        "li",
        tag("a", foreign(one.name or one.thread_id), href=f"/review?item={one.approval_id}", target="_self"),
        tag("span", _did(one)),
        tag("small", " · ".join(marks), " · ", _stands(one, here)),
        cls="item",
    )


def _did(one: Given) -> str:
    return wording.DID.get((one.kind, one.verdict), wording.VERDICT[one.verdict])


def _stands(one: Given, here: Here) -> Html:
    if not one.stands:
        return tag("span", "taken back, or asked again")
    if one.released_at is not None:
        return tag("span", "released ", when(one.released_at, here.zone))
    return tag("span", "held until ", when(one.release_at, here.zone), cls="held")


def _held(here: Here, ended: Ended) -> None:
    held = [one for one in ended.held if one.release_at is not None and one.release_at > here.now]
    if not held:
        draw(tag("p", "Nothing of it is held any more.", cls="none"))
        return
    lines = [
        tag("li", foreign(one.name or one.thread_id), " ", tag("span", _did(one)), " ", when(one.release_at, here.zone))
        for one in held
    ]
    draw(tag("ul", *lines, cls="given"))
    if here.actor.member.may_decide:
        ids = tuple(one.approval_id for one in held)
        with st.container(horizontal=True):
            label = inline(f"Release {len(held)} now")
            st.button(label, key="review.release.all", on_click=release_each, args=(ids,))
            st.button("Keep holding", key="review.keep.all", on_click=leave, type="tertiary")
    draw(join(tag("p", "What is kept held leaves by itself at its time; until then it can be undone.", cls="id")))


def receipt(ended: Ended) -> Iterator[str]:
    """Yield the lines of a sitting's receipt: ids, times and verdicts, no names."""
    ends = f"ended {iso(ended.ended_at)} ({ended.ended_why})" if ended.ended_at else "still open"
    yield f"Sitting {ended.id}, opened {iso(ended.opened_at)}, {ends}"
    for one in sorted(ended.given, key=lambda given: given.n):
        stood = "stands" if one.stands else "taken back"
        leaves = f"released {iso(one.released_at)}" if one.released_at else f"held until {iso(one.release_at)}"
        said = f"{stood}, {leaves}" if one.stands else stood
        yield f"{one.n}. {iso(one.at)} {one.thread_id} {one.approval_id} {one.verdict}: {said}"
