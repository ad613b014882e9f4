"""Where somebody sits in the workshop: whose page, which team, whether they may act; and what a part waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.clock import real_now
from core.errors import Refused
from core.people.teams import Team, find_team, read_ticks, write_tick
from core.steps import Json
from core.web import current_app
from core.workshop.running import BENCH, Job
from core.workshop.team_rows import Rows, read_rows
from pages.parts import identity, wording
from pages.parts.identity import Here
from pages.parts.untrusted import Html, draw, foreign, tag, toast

POLL_SECONDS = 0.5
PAUSED = "The teacher has paused the class. Look up; the page goes on when the class does."
NO_TEAM = "This part works on a team's own rows. Open a team first."


@dataclass(frozen=True, slots=True)
class Seat:
    """One page run in the workshop. `team` is None in a tenant that is none; `is_looking`: it is not one's own."""

    here: Here
    team: Team | None
    is_looking: bool = False

    @property
    def may_act(self) -> bool:
        """Say whether what stands on the page may be pressed."""
        paused = self.team is not None and self.team.paused_at is not None
        return not paused and not self.is_looking and self.here.may("reviewer")

    def rows(self) -> Rows | None:
        """Read the team's rows; None where there is no team or no job."""
        return None if self.team is None else read_rows(self.here.app, self.here.actor, self.team)

    def tick(self, name: str) -> dict[str, Json]:
        """Answer what came of an exercise, or nothing."""
        with self.here.app.read() as conn:
            found = read_ticks(conn, self.here.tenant_id).get(name)
        return {} if found is None else dict(found.detail)

    def ticks(self, start: str) -> dict[str, dict[str, Json]]:
        """Answer what came of the exercises whose names begin so."""
        with self.here.app.read() as conn:
            found = read_ticks(conn, self.here.tenant_id)
        return {name: dict(one.detail) for name, one in sorted(found.items()) if name.startswith(start)}


def sit(here: Here) -> Seat:
    """Answer where who is here sits."""
    with here.app.read() as conn:
        return Seat(here, find_team(conn, here.tenant_id))


def seat_now() -> Seat | None:
    """Answer where who presses sits now, or None, with a toast, where nothing may be pressed."""
    seat = sit(identity.require("viewer"))
    if seat.may_act:
        return seat
    toast(PAUSED if seat.team is not None and seat.team.paused_at is not None else wording.ONLY_ACT)
    return None


def keep(seat: Seat, name: str, **detail: Json) -> None:
    """Write what came of an exercise that a press ended."""
    with seat.here.app.write() as tx:
        write_tick(tx, seat.here.tenant_id, name, detail, real_now())


def run_beside(name: str, work: Callable[[Seat], tuple[str, dict[str, Json]]]) -> None:
    """Let an exercise run beside the page; what it answers, a tick's name and detail, is written when it ends."""
    seat = seat_now()
    if seat is None:
        return
    tenant_id, app = seat.here.tenant_id, current_app()

    def run() -> dict[str, Json]:
        tick, detail = work(seat)
        with app.write() as tx:
            write_tick(tx, tenant_id, tick, detail, real_now())
        return detail

    if not BENCH.start(tenant_id, name, run):
        toast("It runs already; one at a time.")


def follow(seat: Seat, name: str, show: Callable[[Any], None]) -> None:
    """Draw how an exercise stands, and what came of it as soon as it ends."""
    job = BENCH.look(seat.here.tenant_id, name)
    if job is None:
        return
    if job.state in ("done", "failed"):
        _ended(job, show)
        return
    _watch(seat.here.tenant_id, name)


@st.fragment(run_every=POLL_SECONDS)
def _watch(tenant_id: str, name: str) -> None:
    job = BENCH.look(tenant_id, name)
    if job is None or job.state in ("done", "failed"):
        identity.run_again()
    said = f"{job.before} before it" if job.state == "waiting" and job.before else "It runs"
    draw(tag("p", tag("span", cls="dot"), f" {said} …", cls="lab-runs", role="status"))


def _ended(job: Job, show: Callable[[Any], None]) -> None:
    if job.state == "failed":
        draw(tag("p", foreign(job.sentence), cls="turned-down"))
    else:
        show(job.result)


def mark(is_so: bool, word_yes: str = "Yes", word_no: str = "Not yet") -> Html:  # noqa: FBT001 - a tick is a yes or a no
    """Draw a tick with its word."""
    return _sign("✓" if is_so else "○", word_yes if is_so else word_no, "is-so" if is_so else "is-not")


def verdict(is_right: bool, word_right: str, word_wrong: str) -> Html:  # noqa: FBT001 - as above
    """Draw right or wrong with its word."""
    return _sign("✓" if is_right else "✗", word_right if is_right else word_wrong, "is-so" if is_right else "is-no")


def _sign(sign: str, word: str, kind: str) -> Html:
    return tag("span", sign, tag("span", word, cls="unseen"), cls=f"tick {kind}")


def attempt(act: Callable[[], str]) -> str | None:
    """Do one thing that a door may refuse; answer what it said, or None with the refusal as a toast."""
    try:
        return act()
    except Refused as refused:
        toast(wording.refusal(refused))
        return None
