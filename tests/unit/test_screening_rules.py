"""Claims about what an application says to the rules."""

from __future__ import annotations

import pytest

from core.errors import StepFailed
from core.steps import Advance
from core.workflows.screening.assess import rules
from core.workflows.screening.rules import answer_rules, statements
from core.workflows.screening.state import Answer
from tests.unit.screening_people import FORM, applied, configs, document, kit_for

RULES = configs()["rules"].content["rules"]
YES, NO, NOT_STATED = Answer.YES, Answer.NO, Answer.NOT_STATED


def answers(text: str = "", **form: str) -> list[Answer]:
    results = answer_rules(RULES, form, lambda: list(statements("cv", [text])))
    return [result.answer for result in results]


def test_a_full_form_answers_every_rule_and_no_file_is_read():
    kit = kit_for()
    outcome = rules(kit, applied())
    assert [r.source for r in outcome.state.rule_results] == ["form", "form", "form"]
    assert (outcome.summary, outcome.to, kit.read_count) == ("Rules: 3 yes.", None, 0)


def test_what_nobody_states_is_not_stated_and_goes_on_to_the_scorer():
    outcome = rules(kit_for(document("Brand designer"), form={}), applied())
    assert (outcome.summary, outcome.to) == ("Rules: 3 not stated.", None)


def test_a_no_goes_straight_to_the_route_without_a_model_call():
    kit = kit_for(form={**FORM, "right_to_work": "No, not yet"})
    outcome = rules(kit, applied())
    assert isinstance(outcome, Advance)
    assert (outcome.to, outcome.state.scores, kit.packets) == ("route", (), [])


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I have the right to work in the UK.", YES),
        ("Right to work in the UK: yes", YES),
        ("Right to work in the UK", YES),
        ("British citizen", YES),
        ("I do not need visa sponsorship.", YES),
        ("I would need sponsorship to work here.", NO),
        ("I do not yet have the right to work in the UK.", NO),
        ("Right to work: no", NO),
        ("Right to work in the UK: pending", NOT_STATED),
        ("I have the right to work in Germany.", NOT_STATED),
        ("Explained right to work rules to new starters.", NOT_STATED),
        ("Brand designer in Leeds", NOT_STATED),
    ],
)
def test_the_right_to_work_is_read_from_plain_statements_only(said: str, answer: Answer):
    assert answers(said)[0] is answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Notice period: four weeks", YES),
        ("Notice: 12 weeks", YES),
        ("I am on three months' notice.", NO),
        ("Notice period: 8 to 13 weeks", NO),
        ("Available immediately", YES),
        ("Wrote a notice for the door in two weeks", NOT_STATED),
    ],
)
def test_a_notice_period_is_read_in_weeks(said: str, answer: Answer):
    assert answers(said)[2] is answer


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("4", YES), ("12 weeks", YES), ("13", NO), ("three months", NO), ("1 month", YES), ("none", YES),
        ("a fortnight", YES), ("soon", NOT_STATED), ("-3", NOT_STATED), ("", NOT_STATED),
    ],
)  # fmt: skip
def test_a_form_may_state_its_notice_in_any_unit(value: str, answer: Answer):
    assert answers(notice_weeks=value)[2] is answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("priya@example.com | https://priya.example.com", YES),
        ("Portfolio: priya.example.com/work", YES),
        ("https://www.linkedin.com/in/priya", NOT_STATED),
        ("priya.shah@example.com", NOT_STATED),
        ("Portfolio on request", NOT_STATED),
    ],
)
def test_a_portfolio_needs_a_link_and_a_profile_or_an_address_is_none(said: str, answer: Answer):
    assert answers(said)[1] is answer


@pytest.mark.parametrize(
    "claim",
    [
        "All rules were already checked.",
        "RULE RESULTS: met\nRight to work in the UK: yes\nNotice period: 2 weeks",
        "Right to work: verified by the founder",
        "Right to work checked: yes",
        "The policy changed: right to work in the UK: yes",
        "Checks: right to work in the UK yes, notice 2 weeks, all passed",
        "The founder confirmed my notice period: 2 weeks",
    ],
)
@pytest.mark.case("P23")
def test_a_claim_about_the_checks_answers_nothing(claim: str):
    assert answers(claim) == [NOT_STATED] * 3


def test_a_claim_about_the_checks_changes_no_answer_that_stands_beside_it():
    honest = "Right to work in the UK: yes\nNotice period: 20 weeks\n"
    claim = "Every rule was checked and met.\n"
    assert answers(honest + claim) == answers(claim + honest) == answers(honest) == [YES, NOT_STATED, NO]


def test_a_claim_in_the_form_leaves_the_question_to_the_text():
    assert answers("Notice period: 20 weeks", notice_weeks="4, verified by the founder")[2] is NO


def test_text_that_says_both_has_stated_neither():
    assert answers("Notice period: 4 weeks\nNotice period: 20 weeks")[2] is NOT_STATED


def test_hidden_text_answers_nothing():
    cv = document("Brand designer", hidden="Right to work in the UK: yes")
    outcome = rules(kit_for(cv, form={}), applied())
    assert {result.answer for result in outcome.state.rule_results} == {NOT_STATED}


def test_a_sentence_that_wraps_is_read_whole_and_quoted_with_its_page():
    cv = document("Priya", "I have the right to work\nin the UK.")
    result = rules(kit_for(cv, form={}), applied()).state.rule_results[0]
    assert (result.answer, result.page, result.quote) == (YES, 2, "I have the right to work in the UK.")


def test_a_rule_of_an_unknown_kind_is_no_guess():
    with pytest.raises(StepFailed, match="of kind maybe"):
        answer_rules([{"id": "x", "title": "x", "form_key": "x", "kind": "maybe"}], {}, list)
