"""What of a class rests on the database: one of two who type a code is let in, and a reset leaves nothing behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.clock import real_now
from core.desk.codes import sign_in_by_code
from core.desk.people import Door
from core.errors import NotAllowed
from core.people.teams import read_ticks, write_tick
from core.workshop.atlas import JOB
from core.workshop.classroom import give_seat, open_team, reset_team
from tests.databases import POSTGRES, SQLITE, homes_on
from tests.homes import Home, close_homes, open_home


@pytest.fixture(params=[SQLITE, POSTGRES])
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    with homes_on(request.param):
        home = open_home(tmp_path / "home", hold_seconds=None)
        home = replace(home, app=replace(home.app, settings=home.app.settings.model_copy(update={"now": None})))
        open_team(home.app, 1)
        yield replace(home, tenant_id="team-01")
        close_homes()


def test_one_of_four_who_type_a_code_at_once_is_let_in_and_a_reset_team_begins_anew(team: Home) -> None:
    door, code = Door(team.app.read, team.app.write, team.app.vault), give_seat(team.app, team.tenant_id).code
    said: list[str] = []

    def come() -> None:
        try:
            said.append("in" if sign_in_by_code(door, team.tenant_id, code, real_now()) else "")
        except NotAllowed:
            said.append("out")

    comers = [threading.Thread(target=come) for _ in range(4)]
    for one in comers:
        one.start()
    for one in comers:
        one.join()
    assert sorted(said) == ["in", "out", "out", "out"]

    team.decide(JOB, "reject")
    team.run()
    with team.app.write() as tx:
        write_tick(tx, team.tenant_id, "facts", {"right": 1}, real_now())
        write_tick(tx, team.tenant_id, "facts", {"right": 2}, real_now())
    reset_team(team.app, team.tenant_id)

    with team.app.read() as conn:
        assert read_ticks(conn, team.tenant_id) == {}
    assert (team.ending(JOB), team.question(JOB).version) == (("awaiting_review", None), 2)
    assert team.verify() == []
