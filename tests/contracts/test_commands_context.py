"""What a model is sent, shown by command: field by field, then and now (contract C6)."""

from __future__ import annotations

import pytest

from tests.contracts.command_line import WAITS, CommandLine


@pytest.mark.seed("screen.packet.contents", "screen.question.4")
def test_what_an_applicants_scorer_is_sent_is_shown_field_by_field_then_and_now(at: CommandLine) -> None:
    sent, now = at.read("context", WAITS, "--step", "score"), at.read("context", WAITS)
    slots = ["rubric", "description", "cv", "form", "rules"]
    assert [one["slot"] for one in sent["items"]] == [one["slot"] for one in now["items"]] == slots
    assert [one["stands"] for one in sent["items"]] == ["same"] * 5
    assert (sent["step"], at.read("context", WAITS, "--step", str(sent["checkpoint"]))) == ("score", sent)


@pytest.mark.seed("screen.packet.no-other")
def test_no_other_applicant_is_in_a_packet(at: CommandLine) -> None:
    sent = at.read("context", WAITS, "--step", "score")
    named = [one["id"] for one in sent["items"] if one["source"] in ("subject_fields", "checkpoints")]
    assert set(named) == {WAITS}


def test_an_amended_person_is_a_new_version_of_what_would_be_sent(at: CommandLine) -> None:
    at.read("amend", WAITS, "--name", "Anne Example", "--as", "owner@example.com")
    sent, now = at.read("context", WAITS, "--step", "score"), at.read("context", WAITS)
    versions = [[one["version"] for one in packet["items"] if one["slot"] == "form"] for packet in (sent, now)]
    assert versions == [[1], [2]]


def test_a_step_that_sent_nothing_names_those_that_did(at: CommandLine) -> None:
    said = at.run("context", WAITS, "--step", "intake")
    assert (said.code, "4 (score)" in said.sentence) == ("not_found", True)
