"""The labs: a prototype that really replays, processes that are really killed, files that are really read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.errors import BadInput, StepFailed
from core.people.teams import Team, find_team
from core.workshop.atlas import JOB
from core.workshop.clinic import FAILURES, get_failure
from core.workshop.contaminate import TROUBLES, contaminate, count_documents
from core.workshop.crash import AFTER_DISPATCH, BEFORE_DISPATCH, BEFORE_SAVE, NURSERY, run_crash
from core.workshop.deletion import ANEW, CLOSED, CUT, CUT_AGAIN, DESTROYED, GONE, WRITTEN, Wanted, run_deletion
from core.workshop.failing import compacted_side, crash_side, foreign_side, stale_side
from core.workshop.naive import nearest, resume_by_replay, shorten
from core.workshop.running import Bench
from core.workshop.team_rows import Rows, read_rows
from core.workshop.ticks import read_steps
from tests.homes import Home
from tests.workshop.conftest import ONE
from tests.workshop.test_class import Class


def team_of(home: Home) -> Team:
    with home.app.read() as conn:
        team = find_team(conn, home.tenant_id)
    assert team is not None
    return team


def rows_of(home: Home) -> Rows:
    rows = read_rows(home.app, home.actor, team_of(home))
    assert rows is not None
    return rows


def trouble(home: Home, what: str) -> str:
    return contaminate(home.app, home.actor, team_of(home), rows_of(home), what).says


def done(home: Home) -> list[bool]:
    return [step.is_done for step in read_steps(rows_of(home))]


# Atlas


def test_the_replay_reads_the_export_again_and_believes_what_the_transcript_says(classroom: Class) -> None:
    team = classroom(ONE)
    team.decide(JOB, "reject")
    team.run()
    replayed = resume_by_replay(team.app, team.actor, rows_of(team).run)
    assert (replayed.reads, replayed.read_bytes > 500, replayed.believes) == (2, True, "pending")
    assert rows_of(team).value("approvals") == ("rejected", 3)
    assert rows_of(team).sendings == 1


def test_the_ticks_follow_the_rows_from_the_first_step_to_the_last(classroom: Class) -> None:
    team = classroom(ONE)
    assert done(team) == [False, True, False, False, False]
    team.decide(JOB, "reject")
    team.run()
    assert done(team)[3]
    trouble(team, "delete")
    trouble(team, "poison")
    assert [one.is_so for one in read_steps(rows_of(team))[4].checks] == [True, True, True, False]


def test_an_accepted_discrepancy_is_no_tick_of_the_fourth_step(classroom: Class) -> None:
    team = classroom(ONE)
    team.decide(JOB, "approve")
    team.run()
    assert done(team)[3] is False


# Contaminate


@pytest.mark.parametrize(("what", "reason"), [("expire", "expired"), ("delete", "deleted")])
def test_what_has_ended_or_was_forgotten_is_left_out(classroom: Class, what: str, reason: str) -> None:
    team = classroom(ONE)
    valid = rows_of(team).valid
    trouble(team, what)
    rows = rows_of(team)
    assert (rows.used, rows.filtered[valid.id]) == ([], reason)  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="gone already"):
        trouble(team, what)


def test_another_tenants_note_is_not_there(classroom: Class) -> None:
    team = classroom(ONE)
    assert "There is no memory" in trouble(team, "foreign")


@pytest.mark.parametrize("what", ["poison", "document", "stale", "delimiter"])
def test_nothing_that_is_said_moves_policy_or_approval(classroom: Class, what: str) -> None:
    team = classroom(ONE)
    before = rows_of(team)
    trouble(team, what)
    rows = rows_of(team)
    assert (rows.value("policies"), rows.value("approvals")) == (before.value("policies"), before.value("approvals"))
    assert rows.filtered[f"{JOB}#compare"] == "stale-summary"
    assert count_documents(rows) == (len(rows.packet.admitted.items),) * 2  # type: ignore[union-attr]


def test_a_document_that_says_it_waits_and_a_person_who_says_it_contradicts(classroom: Class) -> None:
    team = classroom(ONE)
    trouble(team, "document")
    assert "quarantined" in rows_of(team).filtered.values()
    trouble(team, "poison")
    assert list(rows_of(team).filtered.values()).count("contested") == 2
    with pytest.raises(BadInput):
        trouble(team, "nothing")
    assert len(TROUBLES) == 7


# The crash lab


@pytest.fixture(scope="module", autouse=True)
def _nursery() -> Iterator[None]:
    yield
    NURSERY.close()


@pytest.mark.crash
@pytest.mark.parametrize(
    ("way", "outcomes"),
    [
        ("none", {BEFORE_DISPATCH: "1", AFTER_DISPATCH: "2", BEFORE_SAVE: "2"}),
        ("keys", {BEFORE_DISPATCH: "1", AFTER_DISPATCH: "1", BEFORE_SAVE: "1"}),
        ("no-keys", {BEFORE_DISPATCH: "asks", AFTER_DISPATCH: "asks", BEFORE_SAVE: "asks"}),
    ],
)
def test_a_process_is_killed_at_each_place_and_the_letters_are_counted(way: str, outcomes: dict[str, str]) -> None:
    ran = {seam: run_crash(way, seam) for seam in outcomes}  # type: ignore[arg-type]
    assert {seam: one.answer for seam, one in ran.items()} == outcomes
    assert {one.killed_by for one in ran.values()} == {9}
    assert [one.killed_letters for one in ran.values()] == [0, 1, 1]
    if way == "no-keys":
        assert {(one.status, one.thread) for one in ran.values()} == {("unknown", "parked")}
        assert [one.letters for one in ran.values()] == [0, 1, 1]


def test_the_crash_lab_knows_no_other_place() -> None:
    with pytest.raises(StepFailed):
        run_crash("none", "whenever")


# Deletion


def hits(wanted: Wanted) -> dict[str, int]:
    ran = run_deletion(wanted)
    assert all(line.control > 0 for line in ran.lines)
    return {line.step: line.total for line in ran.lines}


@pytest.mark.seed("screen.retention.one-delete")
def test_a_deleted_row_stands_in_the_files_until_they_are_written_anew_and_the_log_is_cut() -> None:
    off, on = hits(Wanted()), hits(Wanted(secure_delete=True))
    assert (off[WRITTEN] >= 300, off[GONE] >= 300, off[CUT] > 0, off[CUT_AGAIN]) == (True, True, True, 0)
    assert (on[WRITTEN], on[CUT] < off[CUT], on[ANEW], on[CUT_AGAIN]) == (300, True, 0, 0)


def test_an_open_reader_makes_it_pending_and_proven_once_it_ends() -> None:
    kept = run_deletion(Wanted(secure_delete=True, open_reader=True), close_reader=False)
    assert (kept.verdict, kept.lines[-1].total > 0) == ("pending", True)
    assert "nothing was cut" in kept.lines[-1].note
    ended = run_deletion(Wanted(secure_delete=True, open_reader=True))
    assert (ended.verdict, ended.lines[-1].step, ended.lines[-1].total) == ("proven", CLOSED, 0)


def test_a_destroyed_key_leaves_nothing_to_open_wherever_the_bytes_stand() -> None:
    ran = run_deletion(Wanted(open_reader=True, sealed=True))
    opened = {line.step: line.can_be_opened for line in ran.lines}
    assert (opened[WRITTEN], opened[GONE], opened[DESTROYED], ran.verdict) == (300, 300, 0, "proven")
    assert {line.total for line in ran.lines} == {0}


# The clinic


@pytest.mark.crash
def test_f1_without_a_ledger_sends_twice_and_with_one_once() -> None:
    cause, repair = crash_side("cause"), crash_side("repair")
    assert (cause.has_failed, repair.has_failed) == (True, False)
    assert dict(cause.facts)["letters after the resume"] == "2"
    assert dict(repair.facts)["letters after the resume"] == "1"


def test_f2_the_transcript_is_believed_and_the_packet_is_built_from_the_row(classroom: Class) -> None:
    team = classroom(ONE)
    assert stale_side("cause", team.app, team.actor, rows_of(team)).has_failed is False
    team.decide(JOB, "reject")
    sides = {one: stale_side(one, team.app, team.actor, rows_of(team)) for one in ("cause", "repair")}  # type: ignore[arg-type]
    assert (sides["cause"].has_failed, sides["repair"].has_failed) == (True, False)
    assert "pending" in sides["cause"].says


def test_f3_likeness_finds_another_tenants_note_and_the_tenant_first_finds_none(classroom: Class) -> None:
    team = classroom(ONE)
    sides = [foreign_side(one, team.app, team.actor, team_of(team)) for one in ("cause", "repair")]  # type: ignore[arg-type]
    assert [one.has_failed for one in sides] == [True, False]
    assert nearest("winter", [("a", "winter garden"), ("b", "summer")], 1) == [("a", "winter garden")]


def test_f4_brevity_drops_what_decides_and_the_product_sends_all_of_it_or_nothing(classroom: Class) -> None:
    team = classroom(ONE)
    cause, repair = (compacted_side(one, rows_of(team)) for one in ("cause", "repair"))  # type: ignore[arg-type]
    assert (cause.has_failed, repair.has_failed) == (True, False)
    assert shorten([("a", "x" * 100), ("b", "y")], 2) == [("b", "y")]


def test_every_failure_names_a_test_that_is_there() -> None:
    for failure in FAILURES.values():
        path, _, name = failure.test.partition("::")
        with open(path) as file:
            assert f"def {name}(" in file.read()
    with pytest.raises(BadInput):
        get_failure("F5")


# Beside the page


def test_a_team_has_one_run_of_an_exercise_at_a_time_and_sees_what_came_of_it() -> None:
    bench, ran = Bench(), []
    assert bench.look("team-01", "crash") is None
    assert bench.start("team-01", "crash", lambda: ran.append(1) or "ended")  # type: ignore[func-returns-value]
    job = bench.wait("team-01", "crash")
    assert (job.state, job.result, ran) == ("done", "ended", [1])  # type: ignore[union-attr]

    def breaks() -> None:
        raise StepFailed("It was not to be.")

    bench.start("team-01", "crash", breaks)
    assert bench.wait("team-01", "crash").sentence == "It was not to be."  # type: ignore[union-attr]
    assert bench.look("team-02", "crash") is None
    bench.forget("team-01")
    assert bench.look("team-01", "crash") is None
