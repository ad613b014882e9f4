"""Another rubric version: undecided threads are scored anew, released ones keep theirs, held answers come back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from core.desk.decisions import Answer
from core.desk.rubrics import save_rubric
from core.errors import BadInput, NotAllowed, NotFound, StaleVersion
from core.views.roles import read_role_whole
from tests.contracts.rubrics import FIVE, LENIENT, SIX, STATED, watched
from tests.contracts.screened import APPROVED, HOLD, NAMELESS, THREAD, day_one, day_two, invited, letters_of
from tests.homes import ROLE, Home


def rows(home: Home) -> list[list[tuple[object, ...]]]:
    """Answer all that a preview may not touch."""
    tables = ("threads", "approvals", "configs", "roles", "effects", "memories", "checkpoints", "audit_entries")
    return [home.look(f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in tables]


def pins(home: Home, thread_id: str = THREAD) -> int:
    return home.thread(thread_id).thread.configs["rubric"]


def test_a_sixth_criterion_scores_an_undecided_thread_anew_under_the_same_question(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    before = home.question(THREAD)

    saved = home.save_rubric(SIX)
    home.run()

    now = home.question(THREAD)
    assert (saved.version, saved.undecided, saved.kept, saved.came_back) == (2, 1, 0, 0)
    assert (now.id, now.version, now.status) == (before.id, before.version + 1, "pending")
    assert now.came_back is not None
    assert (now.came_back["moved"], now.came_back["verdict"]) == (["rubric 1 → 2"], None)
    assert (now.basis["rubric"], now.facts["rubric_version"], now.facts["max_total"]) == (2, 2, 30)
    assert [score["number"] for score in now.facts["scores"]] == [1, 2, 3, 4, 5, 6]
    assert home.verify() == []


def test_a_released_answer_keeps_its_version_and_nothing_more_is_sent(tmp_path: Path) -> None:
    home = invited(tmp_path)
    before = home.thread(THREAD)

    saved = home.save_rubric(SIX)
    home.run()

    assert (saved.undecided, saved.kept, pins(home)) == (0, 1, 1)
    assert home.thread(THREAD).checkpoints == before.checkpoints
    assert letters_of(home) == ["invite"]


def test_an_ended_thread_keeps_its_version(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD, "reject")
    home.run()

    home.save_rubric(SIX)
    home.run()

    assert (home.ending(THREAD), pins(home), letters_of(home)) == (("rejected", "declined"), 1, ["decline"])


@pytest.mark.case("A09")
@pytest.mark.parametrize("verdict", ["approve", "reject"])
def test_a_held_answer_comes_back_with_what_moved_and_does_not_leave(tmp_path: Path, verdict: str) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD, verdict)  # type: ignore[arg-type]

    saved = home.save_rubric(SIX)
    at_once = home.question(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()

    asked = home.question(THREAD)
    assert (saved.came_back, at_once.status, asked.status) == (1, "pending", "pending")
    assert asked.came_back is not None
    assert (asked.came_back["verdict"], asked.came_back["by"]) == (verdict, home.actor.member.id)
    assert asked.came_back["moved"] == ["rubric 1 → 2"]
    assert (letters_of(home), home.ledger(THREAD)) == ([], {})
    assert home.verify() == []


def test_an_answer_that_waits_at_the_gate_comes_back_too(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.change("INSERT INTO switches VALUES ('sending', :off, 'somebody', '2026-08-19T09:00:00.000Z')", off=False)
    home.decide(THREAD)
    home.run()
    assert home.thread(THREAD).thread.step == "invite"

    home.save_rubric(SIX)
    home.change("DELETE FROM switches")
    home = home.at(APPROVED + timedelta(hours=1))
    home.run()

    assert (home.question(THREAD).status, home.question(THREAD).facts["max_total"]) == ("pending", 30)
    assert (letters_of(home), home.thread(THREAD).thread.step) == ([], "review")
    home.decide(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]


def test_until_it_is_asked_anew_nobody_answers_the_old_question(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    asked = home.question(THREAD)
    home.save_rubric(SIX)

    with pytest.raises(StaleVersion, match="version 1 of the rubric, which is 2 now; it is asked anew"):
        home.answer(asked.id, Answer("approve", asked.version))

    home.run()
    assert letters_of(home) == []
    home.decide(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_held_address_stays_given_and_its_thread_is_asked_under_the_new_rubric(tmp_path: Path) -> None:
    home = day_one(tmp_path, cv=NAMELESS, email="", hold_seconds=900).at(APPROVED)
    home.decide(THREAD, email="ann@example.org")

    home.save_rubric(SIX)
    home.run()
    home = home.at(APPROVED + HOLD)
    home.run()

    asked = home.question(THREAD)
    assert (asked.kind, asked.status, asked.facts["max_total"]) == ("review", "pending", 30)
    assert {one.effects("approve")[0].payload["to"] for one in (asked,)} == {"ann@example.org"}


def test_a_parked_thread_stays_parked_and_is_scored_anew_when_it_is_retried(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    asked = home.question(THREAD)
    home.park(THREAD)

    home.save_rubric(SIX)
    home.run()
    assert home.ending(THREAD)[0] == "parked"
    home.retry(THREAD)
    home.run()

    assert (home.question(THREAD).id, home.question(THREAD).facts["max_total"]) == (asked.id, 30)


def test_scores_that_were_under_way_are_given_up_and_made_under_the_new_version(tmp_path: Path) -> None:
    home, model = watched(day_one(tmp_path).at(APPROVED))
    second = home.apply("Ben Example", "ben@example.com")
    model.meanwhile = lambda: None if len(model.asked) > 1 else home.save_rubric(SIX)

    home.run()

    asked = home.question(second)
    assert (asked.version, asked.facts["rubric_version"], len(asked.facts["scores"])) == (1, 2, 6)
    assert home.verify() == []


def test_a_new_applicant_is_scored_under_the_newest_version(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.save_rubric(SIX)

    later = home.apply("Ben Example", "ben@example.com")

    assert pins(home, later) == 2


def test_another_role_and_another_tenant_are_left_alone(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.add_role("role-15")
    beside = home.apply("Ben Example", "ben@example.com", role_id="role-15")
    other = home.add_tenant("other")
    other.add_role()
    theirs = other.apply("Cy Example", "cy@example.com")

    home.save_rubric(SIX)

    assert (pins(home, beside), pins(other, theirs)) == (1, 1)


def test_a_preview_says_what_would_happen_and_writes_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path, cv=STATED).at(APPROVED)
    ben, cy = (home.apply(f"{name} Example", f"{name}@example.com", cv=STATED) for name in ("ben", "cy"))
    home.run()
    home.decide(ben)
    home.run()
    home.with_hold(900).decide(cy)
    before = rows(home)

    preview = home.preview_rubric(LENIENT)

    assert (preview.version, preview.standing.undecided, preview.standing.kept, preview.standing.held) == (2, 2, 1, 1)
    assert (preview.cost.usd, preview.cost.sentence) == (0, "practice model: nothing")
    assert [change.place for change in preview.changes] == ["bands"]
    assert preview.sample is not None
    assert [one.thread_id for one in preview.sample if one.changes_sides] == [THREAD, cy]
    assert {(one.before.proposal, one.after.proposal) for one in preview.sample} == {("review", "invite")}
    assert rows(home) == before


def test_the_sample_says_what_the_worker_then_does(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)

    preview = home.preview_rubric(SIX)
    home.save_rubric(SIX)
    home.run()

    assert preview.sample is not None
    (tried,) = preview.sample
    facts = home.question(THREAD).facts
    assert (tried.after.total, tried.after.max_total, tried.after.proposal) == (
        facts["total"], facts["max_total"], facts["proposal"],
    )  # fmt: skip


def test_no_more_than_twenty_are_tried_and_a_model_that_costs_money_is_not_asked(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    for number in range(22):
        home.apply(f"Ann {number}", f"ann-{number}@example.com")
    home.run()
    home, model = watched(home)

    tried = home.preview_rubric(LENIENT).sample
    asked = len(model.asked)
    model.leaves_machine = True  # type: ignore[attr-defined]
    preview = home.preview_rubric(LENIENT)

    assert (tried is not None and len(tried), asked) == (20, 20)
    assert (preview.sample, preview.cost.usd, len(model.asked)) == (None, None, 20)


def test_what_is_no_new_version_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    viewer = home.add_person("vi@example.com", "viewer")
    content = read_role_content(home)

    with pytest.raises(BadInput, match="as it stands, version 1"):
        home.save_rubric(FIVE)
    with pytest.raises(BadInput, match="it is no rubric"):
        home.save_rubric("# A role without criteria\n\nSome prose.\n")
    with pytest.raises(NotFound):
        home.save_rubric(SIX, role_id="role-99")
    with pytest.raises(NotAllowed):
        viewer.save_rubric(SIX)
    with pytest.raises(NotAllowed):
        viewer.preview_rubric(SIX)
    with pytest.raises(StaleVersion, match="You saw version 7"):
        home.app.act(home.actor, "role rubric", lambda tx: save_rubric(tx, home.actor, ROLE, {}, after=7))

    assert read_role_content(home) == content
    assert [one["code"] for one in home.audit("refused")] == [
        "bad_input", "not_found", "not_allowed", "not_allowed", "stale_version",
    ]  # fmt: skip


def read_role_content(home: Home) -> list[object]:
    with home.app.read() as conn:
        return [one.content for one in read_role_whole(conn, home.tenant_id, ROLE).rubrics]


def test_versions_stand_side_by_side_with_what_changed_and_how_many_rest_on_each(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.apply("Ben Example", "ben@example.com")
    home.run()
    home.save_rubric(SIX)

    with home.app.read() as conn:
        first, second = read_role_whole(conn, home.tenant_id, ROLE).rubrics

    assert [(one.version, one.by, one.going, one.ended) for one in (first, second)] == [
        (1, "Owner", 1, 0), (2, "Owner", 1, 0),
    ]  # fmt: skip
    assert first.changes == ()
    assert [(one.place, one.number) for one in second.changes] == [
        ("criterion", 6), ("bands", None), ("maximum", None),
    ]  # fmt: skip
    assert home.audit("version_saved") == [
        {"actor": home.actor.member.id, "thread": None, "role": ROLE, "kind": "rubric", "version": 2, "undecided": 1,
         "kept": 1, "back": 0, "by": "command line"},
    ]  # fmt: skip


def test_many_threads_take_as_many_statements_as_few(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    few = statements(home, SIX)
    home.run()
    for number in range(30):
        home.apply(f"Ann {number}", f"ann-{number}@example.com")
    home.run()

    many = statements(home, LENIENT)

    assert [pins(home, f"{ROLE}/app-{number:04d}") for number in range(1, 32)] == [3] * 31
    assert many == few


def statements(home: Home, text: str) -> int:
    """Save a rubric, and count what that sent to the database."""
    said: list[str] = []

    def note(_conn: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    event.listen(home.app.store.engine, "before_cursor_execute", note)
    home.save_rubric(text)
    event.remove(home.app.store.engine, "before_cursor_execute", note)
    return len(said)
