"""An edited message is another frozen payload under a new version: what is approved after it is what leaves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from core.desk.decisions import Answer
from core.desk.editing import edit_effects
from core.errors import AlreadyDecided, BadInput, NotAllowed, StaleVersion
from core.review.edit import edited
from core.review.read import Approval, Choice
from core.steps import Json
from tests.homes import Home, open_home

INVITE = "role-14/app-0001/invite"
DECLINE = "role-14/app-0001/decline"


@pytest.fixture
def asked(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_role()
    home.apply()
    home.run()
    return home


def question(home: Home) -> Approval:
    return home.question("role-14/app-0001")


def payload(home: Home, key: str = INVITE) -> Mapping[str, Json]:
    return next(one.payload for one in question(home).choices if one.key == key and one.payload is not None)


def edit(home: Home, version: int, **fields: Json) -> Approval:
    actor, one = home.actor, question(home)
    return home.app.act(
        actor, "edit", lambda tx: edit_effects(tx, home.app.desk, actor, one.id, version, {INVITE: fields})
    )


def test_an_edited_letter_leaves_as_edited_once_its_new_version_is_approved(asked: Home) -> None:
    before = question(asked)
    body = f"{payload(asked)['body']}\nBring your sketchbook.\n"

    after = edit(asked, before.version, subject="Come and see us", body=body)
    asked.answer(after.id, Answer("approve", after.version))
    asked.run()

    letter = asked.mail("role-14/app-0001")["invite"]
    assert letter["Subject"] == "Come and see us"
    assert "Bring your sketchbook." in letter.get_content()
    hashes = [next(one.payload_hash for one in each.choices if one.key == INVITE) for each in (before, after)]
    assert (hashes[0] != hashes[1], after.version) == (True, before.version + 1)
    assert asked.verify() == []


def test_a_verdict_on_the_version_before_the_edit_is_refused_and_nothing_leaves(asked: Home) -> None:
    before = question(asked)
    edit(asked, before.version, subject="Come and see us")

    with pytest.raises(StaleVersion):
        asked.answer(before.id, Answer("approve", before.version))

    asked.run()
    assert (question(asked).status, asked.letters()) == ("pending", [])


def test_who_edited_is_kept_and_the_audit_log_names_both_payloads_without_their_text(asked: Home) -> None:
    edit(asked, question(asked).version, subject="Come and see us")

    choice = next(one for one in question(asked).choices if one.key == INVITE)
    noted = asked.audit("message_edited")[-1]
    assert choice.edited_by == asked.actor.member.id
    assert (noted["payload"] != noted["before"], "Come and see us" in str(noted)) == (True, False)


def test_an_edit_outlives_an_undo(asked: Home) -> None:
    after = edit(asked, question(asked).version, subject="Come and see us")
    asked.answer(after.id, Answer("approve", after.version))
    asked.undo("role-14/app-0001")
    asked.run()

    assert payload(asked)["subject"] == "Come and see us"


def test_an_edit_that_was_frozen_anew_is_gone_and_the_question_says_so(asked: Home) -> None:
    edit(asked, question(asked).version, subject="Come and see us")
    asked.amend("role-14/app-0001", name="Anna Example")
    asked.run()

    now = question(asked)
    assert payload(asked)["subject"] != "Come and see us"
    assert "your edit of invite is gone" in (now.came_back or {})["moved"]


def test_an_edit_that_changes_nothing_raises_no_version(asked: Home) -> None:
    before = question(asked)

    assert edit(asked, before.version).version == before.version
    assert edit(asked, before.version, subject=payload(asked)["subject"]).version == before.version


@pytest.mark.parametrize(
    "fields",
    [{"to": "other@example.com"}, {"subject": ""}, {"subject": "a\nBcc: x@example.com"}, {"subject": 5},
     {"body": " \n"}, {"body": "x" * 10_001}, {"body": "No link is left in here."}],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_nothing_changes(asked: Home, fields: dict[str, Json]) -> None:
    before = question(asked)

    with pytest.raises(BadInput):
        edit(asked, before.version, **fields)

    assert question(asked) == before


def test_neither_a_viewer_nor_an_old_version_nor_a_decided_question_may_be_edited(asked: Home) -> None:
    one = question(asked)
    viewer = asked.add_person("vic@example.com", "viewer")
    with pytest.raises(NotAllowed):
        edit(viewer, one.version, subject="Hello")
    with pytest.raises(StaleVersion):
        edit(asked, one.version + 1, subject="Hello")
    asked.decide("role-14/app-0001", "reject")
    with pytest.raises(AlreadyDecided):
        edit(asked, question(asked).version, subject="Hello")


TOOL = Choice(
    "approve", "tiny/one/act", "tool", "h", (), {"rows": 5, "ratio": 0.5, "dry": True, "name": "a", "in": [1]}
)


@pytest.mark.parametrize(
    "fields", [{"rows": "6"}, {"rows": 6.0}, {"rows": True}, {"dry": 1}, {"ratio": 1}, {"in": [2]}]
)
def test_a_tools_values_keep_their_type(fields: dict[str, Json]) -> None:
    with pytest.raises(BadInput):
        edited(TOOL, fields)


def test_a_tools_number_may_become_another_number() -> None:
    assert edited(TOOL, {"rows": 6}) == {**(TOOL.payload or {}), "rows": 6}
