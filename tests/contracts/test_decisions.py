"""Who may decide what, on which version, and what every refusal says (contracts C4, C5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.decisions import Answer
from core.errors import AlreadyDecided, AlreadyReleased, BadInput, NotAllowed, NotFound, StaleVersion
from core.views.queue import list_queue
from tests.contracts.screened import (
    APPROVED,
    DEADLINE,
    HOLD,
    SECOND,
    THREAD,
    day_one,
    day_two,
    invited,
    letters_of,
    pending,
    sent_at,
)
from tests.homes import Home, open_home

APPROVE = ("approve", 1)


def seen(home: Home, verdict: str = "approve", **more: object) -> tuple[str, Answer]:
    """Answer the question's id, and an answer on the version that stands."""
    question = home.question(THREAD)
    return question.id, Answer(verdict, question.version, **more)  # type: ignore[arg-type]


# Versions


def test_an_answer_to_a_version_that_moved_is_refused_and_nothing_is_decided(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    approval_id, stale = seen(home)
    home.decide(THREAD)
    home.undo(THREAD)
    home.run()
    before = home.question(THREAD)
    with pytest.raises(StaleVersion, match=rf"You saw version {stale.seen_version} .* version {before.version} now"):
        home.answer(approval_id, stale)
    assert (home.question(THREAD), letters_of(home)) == (before, [])


def test_a_version_that_was_never_there_is_refused(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    approval_id, answer = seen(home)
    with pytest.raises(StaleVersion):
        home.answer(approval_id, Answer("approve", answer.seen_version + 1))
    assert pending(home) == [THREAD]


@pytest.mark.case("A01", "A04")
@pytest.mark.seed("atlas.acceptance.2", "atlas.boundary.3")
def test_the_second_of_two_answers_to_one_version_is_told_who_decided_what_and_when(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    second = home.add_person("ruth@example.com")
    approval_id, answer = seen(home)
    home.answer(approval_id, answer)
    with pytest.raises(
        AlreadyDecided, match=r"decided already: approve by Owner at 2026-08-19T09:00:00Z \(version 2\)"
    ):
        second.answer(approval_id, Answer("reject", answer.seen_version))
    home = home.at(APPROVED + HOLD)
    home.run()
    assert letters_of(home) == ["invite"]


@pytest.mark.case("A02")
def test_a_double_click_decides_once(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    approval_id, answer = seen(home, "reject")
    home.answer(approval_id, answer)
    with pytest.raises(AlreadyDecided):
        home.answer(approval_id, answer)
    home.run()
    with pytest.raises(AlreadyDecided):
        home.answer(approval_id, answer)
    home.run()
    assert letters_of(home) == ["decline"]


def test_a_question_that_was_withdrawn_can_no_longer_be_answered(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    approval_id, answer = seen(home)
    home.tell(THREAD, "withdraw")
    home.run()
    with pytest.raises(AlreadyDecided, match="closed: withdrawn"):
        home.answer(approval_id, Answer("approve", home.question(THREAD).version))
    with pytest.raises(AlreadyDecided):
        home.answer(approval_id, answer)
    assert (letters_of(home), home.ending(THREAD)) == ([], ("completed", "withdrawn"))


# Who


def test_a_reviewer_may_decide(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.add_person("ruth@example.com", "reviewer").decide(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]


@pytest.mark.parametrize("act", ["decide", "undo", "release", "amend", "cancel"])
@pytest.mark.parametrize(("access", "active"), [("viewer", True), ("reviewer", False), ("owner", False)])
def test_who_may_only_look_or_has_left_changes_nothing(tmp_path: Path, act: str, access: str, active: bool) -> None:
    home = day_two(tmp_path)
    outsider = home.add_person("vera@example.com", access, active=active)  # type: ignore[arg-type]
    if act in ("undo", "release"):
        home.decide(THREAD)
    before = home.question(THREAD)
    with pytest.raises(NotAllowed):
        outsider.amend(THREAD, name="Somebody Else") if act == "amend" else getattr(outsider, act)(THREAD)
    assert home.question(THREAD) == before
    (refusal,) = home.audit("refused")
    assert refusal == {
        "actor": outsider.actor.member.id, "thread": None, "wanted": act, "code": "not_allowed", "by": "command line",
    }  # fmt: skip


def test_an_address_that_is_nobody_s_here_decides_nothing_and_the_attempt_is_logged(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    with pytest.raises(NotFound, match=r"nobody@example.com is not a person of tenant home"):
        home.acted_by("nobody@example.com").decide(THREAD)
    assert pending(home) == [THREAD]
    assert [(entry["actor"], entry["code"]) for entry in home.audit("refused")] == [("nobody", "not_found")]


def test_a_person_of_another_tenant_is_nobody_here(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.add_tenant("north").add_person("nils@example.com", "owner")
    with pytest.raises(NotFound):
        home.acted_by("nils@example.com").decide(THREAD)
    assert pending(home) == [THREAD]


def test_a_foreign_approval_answers_exactly_as_a_missing_one(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    north = home.add_tenant("north")
    approval_id, answer = seen(home)
    said = {}
    for name in (approval_id, "apr-000000000000"):
        with pytest.raises(NotFound) as refused:
            north.answer(name, answer)
        said[name] = refused.value.sentence.replace(name, "…")
    assert len(set(said.values())) == 1
    assert pending(home) == [THREAD]


@pytest.mark.parametrize("act", ["undo_approval", "release_approval"])
def test_a_foreign_answer_is_taken_back_by_nobody(tmp_path: Path, act: str) -> None:
    home = day_two(tmp_path)
    held = home.decide(THREAD)
    with pytest.raises(NotFound, match=f"There is no approval '{held.id}' in tenant north"):
        getattr(home.add_tenant("north"), act)(held.id)
    assert home.question(THREAD) == held


@pytest.mark.parametrize("act", ["thread", "book", "park", "retry", "cancel"])
def test_a_foreign_thread_answers_exactly_as_a_missing_one(tmp_path: Path, act: str) -> None:
    home = day_two(tmp_path)
    north = home.add_tenant("north")
    before = home.thread(THREAD)
    for thread_id in (THREAD, "role-14/app-0999"):
        with pytest.raises(NotFound, match=f"^There is no thread '{thread_id}' in tenant north;"):
            getattr(north, act)(thread_id)
    assert home.thread(THREAD) == before


# What comes with an answer


@pytest.mark.parametrize("total", [0, 15, 25])
def test_a_total_within_the_rubric_s_range_is_kept_with_the_answer(tmp_path: Path, total: int) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.answer(*seen(home, total=total, reason="Her portfolio says more."))
    home.run()
    remark = home.question(THREAD).remark
    assert (remark["total"], remark["reason"], letters_of(home)) == (total, "Her portfolio says more.", ["invite"])


@pytest.mark.parametrize("total", [-1, 26, 10**12])
def test_a_total_outside_the_rubric_s_range_is_refused_and_the_question_stays(tmp_path: Path, total: int) -> None:
    home = day_one(tmp_path).at(APPROVED)
    with pytest.raises(BadInput, match="outside 0 to 25"):
        home.answer(*seen(home, total=total))
    assert (pending(home), letters_of(home)) == ([THREAD], [])


def test_a_field_that_the_question_does_not_ask_for_is_refused(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    with pytest.raises(BadInput, match="no field 'salary'"):
        home.decide(THREAD, salary=1)
    assert pending(home) == [THREAD]


# The hold


@pytest.mark.case("A09")
def test_amending_a_name_brings_a_held_answer_back_and_names_what_moved(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    approval_id, _ = seen(home)
    home.amend(THREAD, name="Anne Sample")
    home.run()
    question = home.question(THREAD)
    assert (question.id, question.status, home.ending(THREAD)) == (approval_id, "pending", ("awaiting_review", None))
    assert question.came_back == {
        "verdict": "approve", "by": home.actor.member.id, "at": "2026-08-19T09:00:00Z",
        "moved": ["the name", "person 1 → 2"],
    }  # fmt: skip
    home = home.at(APPROVED + HOLD + SECOND)
    home.run()
    assert letters_of(home) == []


@pytest.mark.case("A15")
def test_an_answer_given_before_three_edits_stands_in_the_queue_as_one_that_needs_a_look(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    approved = home.decide(THREAD)
    for name in ("Anne Sample", "Annie Sample", "Anna Sample"):
        home.amend(THREAD, name=name)
        home.run()
    with home.app.read() as conn:
        (line,) = list_queue(conn, home.app.vault, home.tenant_id)
    assert (line.id, line.status, line.version > approved.version) == (approved.id, "pending", True)
    assert line.came_back is not None
    assert (line.came_back["verdict"], line.came_back["moved"][0], line.came_back["moved"][-1]) == (
        "approve", "the name", "person 3 → 4",
    )  # fmt: skip
    home = home.at(APPROVED + HOLD + SECOND)
    home.run()
    assert letters_of(home) == []


def test_an_amended_name_stands_in_the_letter(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.amend(THREAD, name="Zoe Sample")
    home.run()
    home.decide(THREAD)
    home.run()
    assert "Hello Zoe," in home.mail(THREAD)["invite"].get_content()


def test_an_amended_address_is_where_the_letter_goes(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.amend(THREAD, email="ann@example.org")
    home.run()
    home.decide(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert {name: str(letter["To"]) for name, letter in home.mail(THREAD).items()} == {"invite": "ann@example.org"}


@pytest.mark.case("A06")
def test_an_answer_seen_before_an_amendment_is_refused_with_what_moved(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    approval_id, stale = seen(home)
    home.amend(THREAD, name="Anne Sample")
    home.run()
    with pytest.raises(StaleVersion, match="person 1 → 2"):
        home.answer(approval_id, stale)


@pytest.mark.parametrize("fields", [{}, {"email": "not an address"}, {"email": ""}])
def test_an_amendment_without_a_name_or_an_address_changes_nothing(tmp_path: Path, fields: dict[str, str]) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    before = home.question(THREAD)
    with pytest.raises(BadInput):
        home.amend(THREAD, **fields)
    assert home.question(THREAD) == before


def test_amending_after_the_letter_left_asks_nothing_anew(tmp_path: Path) -> None:
    home = invited(tmp_path)
    before = home.question(THREAD)
    home.amend(THREAD, name="Anne Sample")
    home.run()
    assert (home.question(THREAD), home.ending(THREAD)) == (before, ("waiting", None))


def test_an_event_in_the_hold_leaves_the_answer_held_until_its_time(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    held = home.decide(THREAD)
    home.book(THREAD)
    home.run()
    assert (home.question(THREAD), letters_of(home)) == (held, [])
    home = home.at(APPROVED + HOLD - SECOND)
    home.run()
    assert letters_of(home) == []
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), sent_at(home, "invite")) == (["invite"], APPROVED + HOLD)


def test_an_answer_is_undone_once(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.undo(THREAD)
    before = home.question(THREAD)
    with pytest.raises(BadInput, match="nothing to undo"):
        home.undo(THREAD)
    assert home.question(THREAD) == before


def test_another_reviewer_may_undo(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.add_person("ruth@example.com").undo(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), pending(home)) == ([], [THREAD])


@pytest.mark.case("A14")
def test_an_undone_answer_does_not_bring_an_earlier_one_back(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    for _ in range(2):
        home.decide(THREAD)
        home.undo(THREAD)
        home.run()
    home = home.at(DEADLINE)
    home.run()
    assert (home.question(THREAD).status, letters_of(home)) == ("pending", [])


@pytest.mark.seed("atlas.boundary.2")
@pytest.mark.parametrize("change", ["active = false", "access = 'viewer'"])
def test_who_loses_access_during_the_hold_sends_nothing_and_the_question_stands_again(
    tmp_path: Path, change: str
) -> None:
    home = day_two(tmp_path)
    ruth = home.add_person("ruth@example.com")
    ruth.decide(THREAD)
    home.change(f"UPDATE people SET {change} WHERE email = 'ruth@example.com'")
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), pending(home), home.ending(THREAD)) == ([], [THREAD], ("awaiting_review", None))


def test_who_keeps_access_is_not_asked_again(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.add_person("ruth@example.com").decide(THREAD)
    home.change("UPDATE people SET access = 'owner' WHERE email = 'ruth@example.com'")
    home = home.at(APPROVED + HOLD)
    home.run()
    assert letters_of(home) == ["invite"]


def test_a_role_closed_in_the_hold_sends_no_invite_and_says_why(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.change("UPDATE roles SET status = 'closed'")
    home = home.at(APPROVED + HOLD)
    home.run()
    ledger = home.ledger(THREAD)
    assert (letters_of(home), home.ending(THREAD)) == ([], ("completed", "not_sent"))
    assert {name: (one.status, one.why) for name, one in ledger.items()} == {"invite": ("void", "role_closed")}


def test_a_role_closed_in_the_hold_still_declines(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD, "reject")
    home.change("UPDATE roles SET status = 'closed'")
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["decline"], ("rejected", "declined"))


def test_a_role_closed_before_the_reminder_stops_it(tmp_path: Path) -> None:
    home = invited(tmp_path)
    home.change("UPDATE roles SET status = 'closed'")
    home = home.at(DEADLINE)
    home.run()
    assert (letters_of(home), home.ending(THREAD)) == (["invite"], ("completed", "expired"))


def test_an_undo_that_lost_the_race_says_when_the_letter_left(tmp_path: Path) -> None:
    home = invited(tmp_path)
    with pytest.raises(AlreadyReleased, match="released 2026-08-19T09:00:00Z"):
        home.undo(THREAD)


def test_the_record_holds_after_every_kind_of_refusal(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    viewer = home.add_person("vera@example.com", "viewer")
    approval_id, answer = seen(home)
    for who, given in ((viewer, answer), (home, Answer("approve", 99)), (home, Answer("approve", 1, {"x": 1}))):
        with pytest.raises((NotAllowed, StaleVersion, BadInput)):
            who.answer(approval_id, given)
    assert [entry["code"] for entry in home.audit("refused")] == ["not_allowed", "stale_version", "bad_input"]
    assert home.verify() == []


def test_a_home_without_anything_is_whole(tmp_path: Path) -> None:
    assert open_home(tmp_path / "home").verify() == []
