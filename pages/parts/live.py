"""What every page says by itself: who is signed in, banners, and the tick that redraws the page when its rows moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from core.clock import pulse, real_now, say_span
from core.views.frame import Frame, living, read_visit
from core.views.health import WorkerHealth
from core.views.sentence import say_time
from pages.parts.clock import clock_controls
from pages.parts.identity import Here, run_again
from pages.parts.untrusted import Html, draw, foreign, join, tag

TICK_SECONDS = 2
WORKER = "python -m core worker"
SENDING_ON = "python -m core sending on --as EMAIL"
STALE_SECONDS = 60  # spans such as "held for 9 min" are drawn once a page run


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a page was drawn from: the mark of its rows, whose rows, at which pulse, and whether it keeps still."""

    mark: int
    thread_id: str | None
    at: float
    still: bool


def stay_live(here: Here, *, mark: int, thread_id: str | None = None, still: bool = False) -> None:
    """Draw who is signed in and the banners, and keep them true; run the page again when its rows' mark moved.

    A page that is `still` is not run again: that would close the drawer which lies over it.
    """
    draw(_account(here))
    _tick(here, Drawn(mark, thread_id, pulse(), still), [here.frame])
    clock_controls(here)


@st.fragment(run_every=TICK_SECONDS)
def _tick(here: Here, drawn: Drawn, unread: list[Frame]) -> None:
    """Draw from what the page has just read; only a later tick asks the database, with one cheap statement."""
    if unread:
        frame = unread.pop()
    else:
        with here.app.read() as conn:
            visit = read_visit(conn, here.app.token, real_now(), drawn.thread_id)
        if visit is None or visit.member != here.actor.member:
            run_again()
        frame = visit.frame
        if not drawn.still and (frame.mark != drawn.mark or pulse() - drawn.at > STALE_SECONDS):
            run_again()
    draw(tag("div", *_banners(here, frame), cls="around"))


def _account(here: Here) -> Html:
    """Say who is signed in, with the way out."""
    member = here.actor.member
    who = tag("span", tag("b", foreign(member.name)), f" · {member.access} of ", tag("b", here.tenant_id))
    leave = tag("form", tag("button", "Sign out", type="submit"), method="post", action="/logout")
    own = here.app.settings.serves == "all"  # a workshop's team signed in by a code
    password = tag("a", "Password", href="/password", target="_self") if own else None
    ways = tag("span", password, leave, cls="ways")
    return tag("div", tag("b", "Daybook"), tag("div", who, ways, cls="account"), cls="acting", title=member.email)


def _banners(here: Here, frame: Frame) -> Iterator[Html]:
    frozen = here.app.settings.frozen_now
    if frozen is not None:
        yield _banner("clock", "Time stands still", f"DAYBOOK_NOW holds it at {say_time(frozen, here.zone)}.")
    elif frame.tenant.is_fixture:
        now = say_time(frame.tenant.now(None), here.zone)
        yield _banner("clock", "Fixture clock", f"It is {now} here until an owner moves the clock.")
    if frame.sending_off_since is not None:
        since = f"Nothing leaves since {say_time(frame.sending_off_since, here.zone)}; letters wait. An owner ends it: "
        yield _banner("alarm", "Sending is off.", since, tag("code", SENDING_ON))
    workers = living(frame.workers, here.app.is_gone)
    if not workers:
        yield _banner("alarm", "No worker is running", "Runs stand still. Start one: ", tag("code", WORKER))
    for worker in workers:
        if worker.is_silent:
            yield _banner("alarm", f"Worker {worker.id} is silent", _silence(worker))


def _silence(worker: WorkerHealth) -> str:
    return f"The {worker.kind} worker was last heard {_rounded(worker.silent_for)} ago; what it holds stands still."


def _rounded(seconds: float) -> str:
    """Say a silence so coarsely that the banner does not change with every tick."""
    from_minutes = int(seconds) // 60 * 60
    return say_span(timedelta(seconds=from_minutes)) if from_minutes else "more than 30 s"


def _banner(kind: str, what: str, *then: str | Html) -> Html:
    return tag("p", tag("b", what), " ", join(*then), cls=f"banner {kind}")
