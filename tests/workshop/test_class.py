"""A class: a tenant a team, codes that work once, and a server that is the teams' alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from httpx2 import Response

from core.bootstrap import open_tenant
from core.cli.main import app as commands
from core.clock import FIXTURE_START, iso, real_now
from core.desk.codes import give_code, sign_in_by_code
from core.desk.people import Door
from core.errors import BadInput, NotAllowed, NotFound
from core.people.codes import KEPT
from core.people.sessions import find_session
from core.people.teams import find_team, read_ticks, write_tick
from core.web import COOKIE
from core.workshop.atlas import JOB
from core.workshop.classroom import give_seat, open_class, open_team, pause_class, reset_team, teams_of
from core.workshop.sheet import draw_sheet, team_address
from tests.contracts.command_line import CommandLine
from tests.homes import Home
from tests.pages.conftest import session_of
from tests.pages.forms import token_in
from tests.pages.test_http import ORIGIN, client
from tests.workshop.conftest import ONE, TEACHER, TWO

Class = Callable[[str], Home]


def join(tenant: str, code: str, cookie: str | None = None) -> Response:
    cookies = {} if cookie is None else {COOKIE: cookie}
    return client(cookies=cookies).post("/team", data={"tenant": tenant, "code": code}, headers={"origin": ORIGIN})


def door(home: Home) -> Door:
    return Door(home.app.read, home.app.write, home.app.vault)


def test_a_team_has_the_paused_job_and_the_screen_on_a_clock_of_its_own(classroom: Class) -> None:
    team, other = classroom(ONE), classroom(TWO)
    waits = {one: team.thread(one).thread.status for one in (JOB, "role-14/app-0001", "role-14/app-0003")}
    assert waits == dict.fromkeys(waits, "awaiting_review")
    assert (team.question(JOB).version, team.ledger(JOB)["44"].status) == (2, "done")
    assert iso(team.actor.now) == iso(FIXTURE_START)
    team.app.act(team.actor, "clock", lambda tx: _advance(tx, team))
    assert (team.actor.now - other.actor.now) == timedelta(days=1)
    assert team.verify() == []


def _advance(tx: object, team: Home) -> datetime:
    from core.desk.clock import advance_clock  # noqa: PLC0415 - beside its one use

    return advance_clock(tx, team.actor, timedelta(days=1), held_at=None)  # type: ignore[arg-type]


def test_opening_the_class_again_makes_new_codes_and_touches_no_row_of_a_team(classroom: Class) -> None:
    team = classroom(ONE)
    before = team.look("SELECT id, version FROM threads ORDER BY tenant_id, id")
    seats = open_class(team.app, 2)
    assert [one.tenant for one in seats] == [TEACHER, ONE, TWO]
    assert team.look("SELECT id, version FROM threads ORDER BY tenant_id, id") == before
    assert [len(seat.code.replace("-", "")) for seat in seats] == [8, 8, 8]


@pytest.mark.parametrize("teams", [0, 41])
def test_a_class_that_cannot_be_is_refused(classroom: Class, teams: int) -> None:
    with pytest.raises(BadInput, match="1 to 40 teams"):
        open_class(classroom(ONE).app, teams)


def test_a_tenant_of_that_name_that_is_no_team_is_left_alone(classroom: Class) -> None:
    home = classroom(ONE)
    with home.app.write() as tx:
        open_tenant(tx, "team-03", "Somebody", real_now())
    with pytest.raises(BadInput, match="team-03 is there and is no team"):
        open_team(home.app, 3)


# Codes


def test_a_code_signs_in_once_however_it_is_typed(classroom: Class) -> None:
    home = classroom(ONE)
    code = give_seat(home.app, ONE).code
    first = join(" Team-01 ", code.lower().replace("-", " "))
    assert (first.status_code, first.headers["location"]) == (303, "/workshop")
    with home.app.read() as conn:
        found = find_session(conn, token_in(first), real_now())
    assert found is not None
    assert (found[0].tenant_id, found[0].access) == (ONE, "owner")
    again = join(ONE, code)
    assert (again.status_code, "lets nobody in" in again.text, COOKIE in again.cookies) == (403, True, False)
    assert code not in str(home.look("SELECT * FROM sign_in_codes"))


def test_a_code_is_one_teams_and_no_others(classroom: Class) -> None:
    home = classroom(ONE)
    code = give_seat(home.app, ONE).code
    assert join(TWO, code).status_code == 403
    assert join("home", code).status_code == 403
    assert join("nowhere", code).status_code == 403
    assert join(ONE, code).status_code == 303


def test_looking_at_a_codes_address_signs_nobody_in_and_takes_nothing(classroom: Class) -> None:
    home = classroom(ONE)
    seat = give_seat(home.app, ONE)
    looked = client().get(team_address("", seat))
    assert (looked.status_code, COOKIE in looked.cookies, f'value="{seat.code}"' in looked.text) == (200, False, True)
    assert join(ONE, seat.code).status_code == 303


def test_after_wrong_codes_a_team_waits_until_it_is_given_a_new_one(classroom: Class) -> None:
    home, now = classroom(ONE), real_now()
    code = give_seat(home.app, ONE).code
    for _ in range(5):
        with pytest.raises(NotAllowed, match="lets nobody in"):
            sign_in_by_code(door(home), ONE, "AAAA-AAAA", now)
    with pytest.raises(NotAllowed, match="Too many wrong codes"):
        sign_in_by_code(door(home), ONE, code, now)
    with home.app.write() as tx:
        fresh = give_code(tx, home.app.vault, home.actor.member, now)
    assert sign_in_by_code(door(home), ONE, fresh, now)


def test_a_code_of_last_week_lets_nobody_in(classroom: Class) -> None:
    home = classroom(ONE)
    code = give_seat(home.app, ONE).code
    with pytest.raises(NotAllowed):
        sign_in_by_code(door(home), ONE, code, real_now() + KEPT + timedelta(seconds=1))


def test_the_sheet_has_every_seat_with_its_picture(classroom: Class) -> None:
    seats = [give_seat(classroom(ONE).app, one) for one in (ONE, TWO)]
    drawn = draw_sheet("http://school.example:8501/", seats)
    assert [drawn.count(seat.code) for seat in seats] == [1, 1]
    assert (drawn.count("<svg"), drawn.count("http://school.example:8501/team<")) == (2, 2)


# Only the teams


@pytest.fixture
def served(classroom: Class, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("DAYBOOK_SERVES", "workshop")
    return classroom(ONE)


def test_a_server_of_the_workshop_lets_teams_in_and_nobody_else(served: Home, classroom: Class) -> None:
    team, owner = session_of(served), session_of(classroom("home"))
    assert [client(cookies={COOKIE: one}).get("/act").status_code for one in (team, owner)] == [200, 303]


@pytest.mark.parametrize("path", ["/login", "/password", "/book/abc", "/api/applications"])
def test_a_server_of_the_workshop_leads_other_doors_to_the_teams(served: Home, path: str) -> None:
    said = client().get(path)
    assert (said.status_code, said.headers["location"]) == (303, "/team")
    assert client().post(path, data={"email": "a"}, headers={"origin": ORIGIN}).headers.get("location") == "/team"


def test_its_worker_carries_on_the_teams_runs_only(served: Home, classroom: Class) -> None:
    home = classroom("home")
    home.add_role()
    one = home.apply()
    settings = served.app.settings.model_copy(update={"serves": "workshop"})
    engine = served.app.__class__(**{**vars(served.app), "settings": settings}).engine("test")
    engine.run_until_idle()
    engine.stop()
    assert home.thread(one).thread.status == "ready"
    home.run()
    assert home.thread(one).thread.status == "awaiting_review"


# Pause and reset


def test_a_pause_is_every_teams_and_not_the_teachers(classroom: Class) -> None:
    home = classroom(ONE)
    pause_class(home.app, real_now())
    with home.app.read() as conn:
        paused = {one: find_team(conn, one).paused_at is not None for one in (ONE, TWO, TEACHER)}  # type: ignore[union-attr]
    assert paused == {ONE: True, TWO: True, TEACHER: False}
    pause_class(home.app, None)
    assert [team.paused_at for team in teams_of(home.app)] == [None, None]


def test_a_reset_team_stands_where_it_began_and_stays_signed_in(classroom: Class) -> None:
    team, other = classroom(ONE), classroom(TWO)
    token = session_of(team)
    others = other.look("SELECT id, version FROM threads WHERE tenant_id = :id", id=TWO)
    team.decide(JOB, "reject")
    team.run()
    with team.app.write() as tx:
        write_tick(tx, ONE, "facts", {"right": 3}, real_now())
    assert team.ending(JOB) == ("rejected", "rejected")

    reset_team(team.app, ONE)

    assert (team.ending(JOB), team.question(JOB).version) == (("awaiting_review", None), 2)
    with team.app.read() as conn:
        assert (read_ticks(conn, ONE), find_session(conn, token, real_now()) is not None) == ({}, True)
    assert other.look("SELECT id, version FROM threads WHERE tenant_id = :id", id=TWO) == others
    assert team.verify() == []


def test_only_a_team_is_reset(classroom: Class) -> None:
    home = classroom("home")
    for one in ("home", TEACHER, "nowhere"):
        with pytest.raises(NotFound):
            reset_team(home.app, one)


# By command


@pytest.fixture
def at(classroom: Class, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> CommandLine:
    assert commands
    return CommandLine(classroom(ONE).app.home, monkeypatch, classroom(ONE).app.home)


def test_the_command_answers_each_team_with_its_code_and_the_sheet(at: CommandLine) -> None:
    said = at.read("workshop", "--teams", "2")
    assert [one["tenant"] for one in said["teams"]] == [ONE, TWO]
    assert said["teacher"]["tenant"] == TEACHER
    sheet = at.folder / "exports" / "workshop-sheet.html"
    assert said["sheet"] == str(sheet)
    assert sheet.stat().st_mode & 0o077 == 0
    assert all(one["code"] in sheet.read_text() for one in said["teams"])
    assert join(ONE, said["teams"][0]["code"]).status_code == 303


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--teams", "0"), "1 to 40"),
        (("--bind", "0.0.0.0"), "give it with --host"),  # noqa: S104 - what is refused
        (("--bind", "127.0.0.1", "--host", "a b/c"), "no name of a host"),
    ],
)
def test_the_command_refuses_what_cannot_be_served(at: CommandLine, words: tuple[str, ...], sentence: str) -> None:
    said = at.run("workshop", *words)
    assert (said.exit, said.code, sentence in said.sentence) == (3, "bad_input", True)
