"""Ask the record: exact answers from rows, and None where rows do not say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core.bootstrap import open_tenant
from core.clock import FIXTURE_START
from core.views.ask import A_SEARCH, NO_ROW, Answer, ask
from core.views.ask_answers import VERBS, Verb
from core.views.ask_words import take_apart
from core.views.near_names import Offers
from tests.homes import Home, open_home

HELD = 15 * 60


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = open_home(tmp_path / "home")
    home.add_role()
    yield home
    home.app.close()


@pytest.fixture
def holding(tmp_path: Path) -> Iterator[Home]:
    """A home whose decisions are held for a quarter of an hour."""
    home = open_home(tmp_path / "holding", hold_seconds=HELD)
    home.add_role()
    yield home
    home.app.close()


def asked(home: Home, question: str) -> Answer:
    with home.app.read() as conn:
        now = home.app.now(home.tenant_id)
        return ask(conn, home.app.vault, home.tenant_id, question, home.app.zone, now)


def apply_as(home: Home, name: str, email: str | None = None, role_id: str = "role-14") -> str:
    thread = home.apply(name, email or f"{name.split()[0].lower()}@example.com", role_id=role_id)
    home.run()
    return thread


def invite(home: Home, name: str, email: str | None = None) -> str:
    thread = apply_as(home, name, email)
    home.decide(thread)
    home.run()
    return thread


@pytest.mark.seed("screen.check.asked")
@pytest.mark.parametrize("question", ["Did we invite Priya Shah?", "did we invite priya shah", "Priya Shah", "PRIYA"])
def test_an_invited_person_is_a_yes_with_time_key_person_and_rubric(home: Home, question: str):
    invite(home, "Priya Shah")

    answer = asked(home, question)

    assert answer.answer is True
    assert answer.text == "Yes. Thu 20 Aug 10:00 BST, key role-14/app-0001/invite, approved by Owner, rubric v1."
    assert [row["thread"] for row in answer.rows] == ["role-14/app-0001"]


def test_a_person_nobody_decided_on_is_a_no_that_says_what_it_waits_for(home: Home):
    apply_as(home, "Priya Shah")

    answer = asked(home, "Did we invite Priya Shah?")

    assert (answer.answer, answer.text.startswith("No. Waits for a person (invite) since")) == (False, True)


def test_a_held_approval_says_when_it_leaves_and_is_no_yes(holding: Home):
    thread = apply_as(holding, "Priya Shah")
    holding.decide(thread)

    answer = asked(holding, "Did we invite Priya Shah?")

    assert answer.answer is False
    assert answer.text == ("Approved, leaves 10:15 (Thu 20 Aug 10:15 BST), approved by Owner, rubric v1.")


def test_an_approval_taken_back_is_no_yes(holding: Home):
    thread = apply_as(holding, "Priya Shah")
    holding.decide(thread)
    holding.undo(thread)
    later = holding.at(FIXTURE_START + timedelta(hours=1))
    later.run()

    answer = asked(later, "Did we invite Priya Shah?")

    assert (answer.answer, answer.text.startswith("No. ")) == (False, True)
    assert asked(later, "Who approved Priya Shah?").answer is False


def test_an_approval_asked_anew_is_no_yes(holding: Home):
    thread = apply_as(holding, "Priya Shah")
    holding.decide(thread)
    with holding.app.write() as tx:
        tx.conn.exec_driver_sql(
            "UPDATE approvals SET status = 'superseded', verdict = NULL, decided_by = NULL, decided_at = NULL"
        )

    assert asked(holding, "Did we invite Priya Shah?").answer is False


def test_a_declined_person_was_not_invited_and_it_says_by_whom(home: Home):
    thread = apply_as(home, "Priya Shah")
    home.decide(thread, "reject")
    home.run()

    assert asked(home, "Did we invite Priya Shah?").text == "No. Declined by Owner Thu 20 Aug 10:00 BST."
    assert asked(home, "Was Priya Shah declined?").text == (
        "Yes. Thu 20 Aug 10:00 BST, key role-14/app-0001/decline, declined by Owner, rubric v1."
    )


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Did Priya Shah apply?", True, "Yes. Thu 20 Aug 10:00 BST, as role-14/app-0001."),
        ("Who invited Priya Shah?", True, "Approved by Owner Thu 20 Aug 10:00 BST, rubric v1."),
        ("By whom was Priya Shah invited?", True, "Approved by Owner Thu 20 Aug 10:00 BST, rubric v1."),
        ("What is Priya Shah's total?", True, "14 of 25, rubric v1."),
        ("Which rubric version was used for Priya Shah?", True, "Rubric v1."),
        ("Was Priya Shah declined?", False, "No. Approved by Owner Thu 20 Aug 10:00 BST."),
        (
            "Did Priya Shah book?",
            False,
            "No. Waits for booking or withdraw since Thu 20 Aug 10:00 BST, until Sat 22 Aug 10:00 BST; "
            "Fri 21 Aug 10:00 BST a reminder goes if nothing comes.",
        ),
        (
            "Where is Priya Shah?",
            True,
            "Waits for booking or withdraw since Thu 20 Aug 10:00 BST, until Sat 22 Aug 10:00 BST; "
            "Fri 21 Aug 10:00 BST a reminder goes if nothing comes.",
        ),
    ],
)
def test_each_kind_of_question_is_answered_from_the_rows(home: Home, question: str, answer: bool, text: str):
    invite(home, "Priya Shah")

    said = asked(home, question)

    assert (said.answer, said.text) == (answer, text)


def test_a_booking_and_a_reminder_are_told_with_their_times(home: Home):
    thread = invite(home, "Priya Shah")
    day_3 = home.at(FIXTURE_START + timedelta(hours=24))
    day_3.run()
    day_3.book(thread)
    day_3.run()

    assert asked(day_3, "Was Priya Shah reminded?").text == (
        "Yes. Fri 21 Aug 10:00 BST, key role-14/app-0001/reminder, approved by Owner, rubric v1."
    )
    assert asked(day_3, "Has Priya Shah booked?") == Answer(
        answer=True,
        text="Yes. Slot Thu 27 Aug 11:00 BST, booked Fri 21 Aug 10:00 BST.",
        rows=asked(day_3, "Priya Shah").rows,
    )


def test_a_late_booking_is_no_booking(home: Home):
    thread = invite(home, "Priya Shah")
    late = home.at(FIXTURE_START + timedelta(hours=48))
    late.run()
    late.book(thread)
    late.run()

    assert asked(late, "Did Priya Shah book?").text == "No. A booking came too late, Sat 22 Aug 10:00 BST."


def test_two_people_of_one_name_are_all_rows_and_no_single_yes(home: Home):
    invite(home, "Priya Shah", "priya.one@example.com")
    apply_as(home, "Priya Shah", "priya.two@example.com")

    answer = asked(home, "Did we invite Priya Shah?")

    assert answer.answer is None
    assert [row["thread"] for row in answer.rows] == ["role-14/app-0002", "role-14/app-0001"]
    assert answer.text.startswith("2 people are called that, so there is no single answer: role-14/app-0002")


def test_an_address_tells_two_people_of_one_name_apart(home: Home):
    invite(home, "Priya Shah", "priya.one@example.com")
    apply_as(home, "Priya Shah", "priya.two@example.com")

    assert asked(home, "Did we invite Priya.One@example.com?").answer is True
    assert asked(home, "Did we invite priya.two@example.com?").answer is False
    assert asked(home, "Did we invite role-14/app-0001?").answer is True


def test_one_person_in_two_roles_is_a_yes_where_any_row_says_so_and_it_names_which(home: Home):
    home.add_role("role-15")
    invite(home, "Priya Shah")
    apply_as(home, "Priya Shah", role_id="role-15")

    answer = asked(home, "Did we invite Priya Shah?")

    assert answer.answer is True
    assert answer.text.startswith("role-14/app-0001: Yes. ")
    assert "role-15/app-0001: No. " in answer.text
    assert len(answer.rows) == 2


@pytest.mark.parametrize(
    "question", ["Did we invite Priya Sharma?", "Priya Shah designer", "nobody@example.com", "role-14/app-0999", "Zoë"]
)
def test_whom_no_row_names_is_answered_by_no_row(home: Home, question: str):
    invite(home, "Priya Shah")

    answer = asked(home, question)

    assert (answer.answer, answer.text, answer.rows) == (None, NO_ROW, [])


def test_a_question_that_names_nobody_is_told_so(home: Home):
    invite(home, "Priya Shah")

    answer = asked(home, "Who did we invite?")

    assert (answer.answer, answer.rows) == (None, [])
    assert "names nobody" in answer.text


@pytest.mark.seed("screen.packet.search-refused")
@pytest.mark.parametrize(
    "question",
    ["candidates like the designer we hired last year", "Who is best?", "somebody similar to Priya Shah"],
)
def test_a_search_is_called_a_search(home: Home, question: str):
    invite(home, "Priya Shah")

    assert asked(home, question) == Answer(None, A_SEARCH, [])


@pytest.mark.parametrize("name", ["王小明", "Zoë Ångström", "محمد علي", "An Do", "Will Book", "Siân O'Neil-Smith"])
def test_a_name_of_any_script_and_of_any_words_is_found(home: Home, name: str):
    invite(home, "Priya Shah")
    invite(home, name, "other@example.com")

    answer = asked(home, f"Did we invite {name}?")

    assert ([row["name"] for row in answer.rows], answer.answer) == ([name], True)


@pytest.mark.parametrize("question", ["Did we invite Will Book?", "Was Will Book invited?", "Will Book"])
def test_a_name_that_is_a_verb_asks_after_the_other_verb(home: Home, question: str):
    invite(home, "Will Book")

    assert asked(home, question).answer is True
    assert asked(home, "Did Will Book book?").answer is False


def test_another_tenants_person_is_never_found(home: Home):
    invite(home, "Priya Shah")
    with home.app.write() as tx:
        open_tenant(tx, "other", "Other", FIXTURE_START)
    other = Home(home.app, "other")

    for question in ("Did we invite Priya Shah?", "priya@example.com", "role-14/app-0001"):
        answer = asked(other, question)
        assert (answer.answer, answer.text, answer.rows) == (None, NO_ROW, [])


def test_another_tenants_names_are_neither_offered_nor_counted(home: Home):
    invite(home, "Priya Shah")
    other = home.add_tenant("other")

    assert asked(other, "Did we invite Pria Shaw?").near == Offers([], 0, is_all=True)
    assert asked(home, "Did we invite Pria Shaw?").near == Offers(["Priya Shah"], 1, is_all=True)


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("Did we invite Pria Shaw?", "Did we invite Priya Shah?"),
        ("Pria Shaw", "Did we invite Priya Shah?"),
        ("Where is Pria Shah?", "What is the status of Priya Shah?"),
        ("Who approved Priya Sha?", "Who decided on Priya Shah?"),
        ("has pria shah booked", "Has Priya Shah booked?"),
        ("What is Pria Shah's score?", "What is the score of Priya Shah?"),
        ("did we invte priya shah", "Did we invite Priya Shah?"),
    ],
)
def test_a_name_nobody_has_is_answered_by_no_row_and_offered_the_near_one(home: Home, question: str, again: str):
    invite(home, "Priya Shah")
    apply_as(home, "Ann Example")

    answer = asked(home, question)

    assert (answer.answer, answer.text, answer.rows) == (None, NO_ROW, [])
    assert answer.near is not None
    assert [answer.again(name) for name in answer.near.names] == [again]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_what_an_offer_asks_is_the_same_kind_of_question_about_exactly_that_person(home: Home, verb: Verb):
    invite(home, "Priya Shah")

    exact = asked(home, verb.asks.replace("{}", "Priya Shah"))

    assert take_apart(verb.asks.replace("{}", "Priya Shah")).verb("Priya Shah") == verb
    assert [row["name"] for row in exact.rows] == ["Priya Shah"]


@pytest.mark.parametrize("question", ["Did we invite Priya Shah?", "pria@example.com", "role-14/app-0009", "who?"])
def test_nothing_is_offered_for_a_name_somebody_has_an_address_a_thread_or_nobody(home: Home, question: str):
    invite(home, "Priya Shah")

    assert asked(home, question).near is None


def test_a_letter_nobody_knows_of_is_neither_yes_nor_no(home: Home):
    invite(home, "Priya Shah")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE effects SET status = 'unknown', result_ref = NULL, done_at = NULL")

    answer = asked(home, "Did we invite Priya Shah?")

    assert answer.answer is None
    assert answer.text == "Nobody knows whether role-14/app-0001/invite was sent; a person settles it."


def test_a_letter_on_its_way_is_neither_yes_nor_no(home: Home):
    invite(home, "Priya Shah")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE effects SET status = 'unknown', result_ref = NULL, done_at = NULL")
        tx.conn.exec_driver_sql("UPDATE effects SET status = 'sending'")

    assert asked(home, "Did we invite Priya Shah?").answer is None
