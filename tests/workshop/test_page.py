"""The workshop's page, as a team and as the teacher press it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.bootstrap import WORKFLOWS
from core.clock import real_now
from core.people.teams import read_ticks
from core.workshop.atlas import JOB
from core.workshop.classroom import pause_class
from core.workshop.crash import NURSERY
from core.workshop.facts import FACTS, place_all
from core.workshop.running import BENCH
from tests.pages.conftest import drawn
from tests.workshop.conftest import ONE, TEACHER, TWO
from tests.workshop.test_class import Class

Open = Callable[..., AppTest]


@pytest.fixture(scope="module", autouse=True)
def _nursery() -> Iterator[None]:
    yield
    NURSERY.close()
    for tenant in ("home", ONE, TWO):
        BENCH.forget(tenant)


def ticks(classroom: Class, tenant: str = ONE) -> dict[str, object]:
    home = classroom(tenant)
    with home.app.read() as conn:
        return {name: dict(one.detail) for name, one in read_ticks(conn, tenant).items()}


def test_a_fact_is_placed_checked_against_the_map_and_kept(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop()
    assert "Fact 1 of 20 · Atlas" in drawn(app)
    app.button(key="workshop.facts.goal.memory").click().run()
    shown = drawn(app)
    assert ("Not memory" in shown, "threads · goal" in shown, "Fact 2 of 20" in shown) == (True, True, True)
    app.button(key="workshop.facts.step.state").click().run()
    assert "2 of 20 placed, 1 right" in drawn(app)
    assert ticks(classroom)["facts"] == {"said": {"goal": "memory", "step": "state"}, "right": 1}
    assert ticks(classroom, TWO) == {}


def test_the_wrong_ones_are_placed_again_and_the_first_tick_comes_on(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop()
    placed = place_all(WORKFLOWS.values())
    for fact in FACTS:
        app.button(key=f"workshop.facts.{fact.id}.discard").click().run()
    assert "20 of 20 placed, 3 right" in drawn(app)
    app.button(key="workshop.facts.again").click().run()
    for fact in FACTS:
        if placed[fact.id].place != "discard":
            app.button(key=f"workshop.facts.{fact.id}.{placed[fact.id].place}").click().run()
    assert ticks(classroom)["facts"]["right"] == 20  # type: ignore[index]
    assert "1 of 5" not in drawn(open_workshop(part="3 Atlas"))
    assert "2 of 5 steps" in drawn(open_workshop(part="3 Atlas"))


def test_atlas_is_looked_at_rejected_resumed_and_contaminated_until_every_tick_is_on(
    classroom: Class, open_workshop: Open
) -> None:
    team = classroom(ONE)
    app = open_workshop(part="3 Atlas")
    assert "1 of 5 steps" in drawn(app)
    app.button(key="workshop.atlas.build").click().run()
    assert "The client extended Winter Garden" in drawn(app)
    app.button(key="workshop.atlas.reject.2").click().run()
    team.run()
    app.button(key="workshop.atlas.replay").click().run()
    shown = drawn(app)
    assert "2: 693 bytes came a second time" in shown
    assert ("pending, from message 4" in shown, "rejected, version 3, from its row" in shown) == (True, True)
    for press in ("delete", "poison", "again"):
        app.button(key=f"workshop.atlas.{press}").click().run()
    assert "4 of 5 steps" in drawn(app)
    assert team.ending(JOB) == ("rejected", "rejected")
    assert team.verify() == []


@pytest.mark.crash
def test_a_prediction_is_held_against_the_letters_that_were_counted(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop(part="4 Crash")
    app.segmented_control(key="workshop.crash.seam").set_value("after dispatch").run()
    app.segmented_control(key="workshop.crash.guess").set_value("1").run()
    app.button(key="workshop.crash.kill").click().run()
    BENCH.wait(ONE, "crash")
    app.run()
    shown = drawn(app)
    assert ("Killed by signal 9" in shown, "You said: 1 letter. 2 letters." in shown) == (True, True)
    kept = ticks(classroom)["crash.none.after dispatch"]
    assert (kept["letters"], kept["right"]) == (2, False)  # type: ignore[index]


def test_what_contaminates_is_pressed_and_what_was_left_out_shows(open_workshop: Open) -> None:
    app = open_workshop(part="5 Contaminate")
    for what in ("expire", "foreign", "document"):
        app.button(key=f"workshop.contaminate.{what}").click().run()
    shown = drawn(app)
    assert "3 of 7 tried" in shown
    assert ("There is no memory" in shown, " expired" in shown, " quarantined" in shown) == (True, True, True)
    assert "Policy: version 1 is pinned" in shown


def test_the_deletion_lab_shows_every_file_at_every_step(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop(part="6 Deletion")
    app.toggle(key="workshop.deletion.secure").set_value(True).run()
    app.button(key="workshop.deletion.run").click().run()
    BENCH.wait(ONE, "deletion")
    app.run()
    shown = drawn(app)
    assert ("data.sqlite-wal" in shown, "Proven: no byte is left" in shown) == (True, True)
    assert ticks(classroom)["deletion.secure"]["verdict"] == "proven"  # type: ignore[index]


@pytest.mark.crash
def test_f1_is_broken_and_repaired_without_a_team(
    classroom: Class, open_workshop: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_workshop("home", part="7 Clinic")
    for side in ("cause", "repair"):
        app.button(key=f"workshop.clinic.F1.{side}").click().run()
        BENCH.wait("home", f"clinic.F1.{side}")
        app.run()
    shown = drawn(app)
    assert ("sent again: 2 letters" in shown, "one letter." in shown) == (True, True)
    assert "1 of 4 broken and repaired" in shown


def test_the_other_failures_are_caused_and_repaired_on_the_teams_rows(classroom: Class, open_workshop: Open) -> None:
    classroom(ONE).decide(JOB, "reject")
    app = open_workshop(part="7 Clinic")
    for failure in ("F2", "F3", "F4"):
        app.segmented_control(key="workshop.clinic.failure").set_value(failure).run()
        for side in ("cause", "repair"):
            app.button(key=f"workshop.clinic.{failure}.{side}").click().run()
    kept = ticks(classroom)
    assert [kept[f"clinic.{one}.cause"]["failed"] for one in ("F2", "F3", "F4")] == [True] * 3  # type: ignore[index]
    assert [kept[f"clinic.{one}.repair"]["failed"] for one in ("F2", "F3", "F4")] == [False] * 3  # type: ignore[index]


# The class


def test_a_paused_team_sees_that_and_nothing_it_presses_is_done(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop()
    pause_class(classroom(ONE).app, real_now())
    app.button(key="workshop.facts.goal.memory").click().run()
    assert ticks(classroom) == {}
    assert "The teacher has paused the class" in drawn(app)
    assert app.button(key="workshop.facts.goal.memory").disabled


def test_the_teacher_sees_every_teams_ticks_pauses_resets_and_looks(classroom: Class, open_workshop: Open) -> None:
    team = classroom(ONE)
    team.decide(JOB, "reject")
    team.run()
    app = open_workshop(TEACHER)
    shown = drawn(app)
    assert ("Team 1" in shown, "Team 2" in shown, "2 teams" in shown) == (True, True, True)
    app.button(key="workshop.board.pause").click().run()
    assert "2 teams, paused" in drawn(app)
    app.button(key="workshop.board.pause").click().run()
    app.button(key="workshop.board.code.make").click().run()
    assert "It works once." in drawn(app)
    app.selectbox(key="workshop.board.team").set_value(ONE).run()
    app.segmented_control(key="part").set_value("3 Atlas").run()
    assert "d_08 is rejected, version 3" in drawn(app)
    assert app.button(key="workshop.atlas.poison").disabled
    app.button(key="workshop.board.ask").click().run()
    app.button(key="workshop.board.reset").click().run()
    BENCH.wait(ONE, "reset")
    assert "1 of 5 steps" in drawn(open_workshop(ONE, part="3 Atlas"))


def test_a_team_has_no_board_and_presses_none(classroom: Class, open_workshop: Open) -> None:
    shown = drawn(open_workshop())
    assert ("The board" in shown, "Team 2" in shown) == (False, False)


def test_the_results_are_a_line_a_team(classroom: Class) -> None:
    from core.workshop.board import read_board, write_results  # noqa: PLC0415 - beside its one use

    head, *lines = write_results(read_board(classroom(TEACHER).app)).splitlines()
    assert head.startswith("team,name,facts,window,atlas 1")
    assert [line.split(",")[:3] for line in lines] == [[ONE, "Team 1", "0/20"], [TWO, "Team 2", "0/20"]]


def test_an_owner_without_a_team_opens_one_and_is_led_to_it(classroom: Class, open_workshop: Open) -> None:
    app = open_workshop("home")
    app.button(key="workshop.start.open").click().run()
    job = BENCH.wait("home", "open")
    assert job is not None
    assert job.state == "done"
    app.run()
    assert 'href="/team/team-03/' in drawn(app)
    assert classroom("team-03").ending(JOB) == ("awaiting_review", None)


@pytest.mark.seed(
    "screen.check.1",
    "screen.number.95",
    "screen.number.1.41",
    "screen.number.18.60",
    "screen.number.3.76",
    "screen.number.16KB",
    "screen.number.2.4MB",
    "screen.number.6.4MB",
    "screen.number.14MB",
    "screen.number.1200",
)
def test_the_window_fails_at_applicant_96_and_the_same_question_is_asked_of_both(
    classroom: Class, open_workshop: Open
) -> None:
    app = open_workshop(part="2 Window")
    shown = drawn(app)
    for figure in (
        "9.31 M tokens for 95",
        "$18.62",
        "$1.41 for all 150",
        "16 KB each",
        "2.4 MB in all",
        "14.0 MB in 1,200 copies",
    ):
        assert figure in shown, figure
    assert "Applicant 96 does not fit, nor do the 54 after it." in shown
    app.button(key="workshop.window.ask").click().run()
    shown = drawn(app)
    assert ("Somewhere after token 186,000 of 200,000" in shown, "The record: " in shown) == (True, True)
    assert "window" in ticks(classroom)
    app.slider(key="workshop.window.applicants").set_value(400).run()
    assert ("$3.76 for all 400" in drawn(app), "6.4 MB in all" in drawn(app)) == (True, True)
    app.slider(key="workshop.window.applicants").set_value(95).run()
    assert "0 more would fit." in drawn(app)
    assert "does not fit" not in drawn(app)
