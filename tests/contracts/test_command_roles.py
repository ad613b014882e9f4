"""The commands that change a role: each previews first, refuses in one sentence, and writes nothing when it refuses."""

from __future__ import annotations

import pytest

from tests.contracts.command_line import AS, CLOSED, HELD, INVITED, WAITS, CommandLine
from tests.contracts.rubrics import FIVE, SIX
from tests.homes import ROLE

VIEWER, REVIEWER = "vi@example.com", "rae@example.com"


def test_a_rubric_is_previewed_first_and_saved_with_yes(at: CommandLine) -> None:
    file, before = at.write("six.md", SIX), at.rows()

    said = at.read("role", "rubric", ROLE, file, *AS)
    unchanged = at.rows() == before
    did = at.read("role", "rubric", ROLE, file, "--yes", *AS)
    at.read("worker", "--until-idle")

    assert unchanged
    assert (said["saved"], said["version"], said["rescored"], said["kept"], said["came_back"]) == (False, 2, 3, 2, 1)
    assert said["cost"] == {"model": "practice model", "usd": "0", "text": "practice model: nothing"}
    assert (said["sample"]["size"], said["changes"][0]["criterion"]) == (3, 6)
    assert (did["saved"], did["version"], did["rescored"], did["kept"], did["came_back"]) == (True, 2, 3, 2, 1)
    queue = {one["thread"]: one["came_back"] for one in at.read("queue")}
    assert (queue[WAITS]["moved"], queue[HELD]["verdict"]) == (["rubric 1 → 2"], "approve")
    shown = at.read("role", "show", ROLE)
    assert [one["version"] for one in shown["rubrics"]] == [1, 2]
    assert shown["rubrics"][1]["threads"] == {"going": 3, "ended": 0}


def test_a_role_is_closed_with_yes_and_opened_again(at: CommandLine) -> None:
    before = at.rows()

    said = at.read("role", "close", ROLE, *AS)
    unchanged = at.rows() == before
    did = at.read("role", "close", ROLE, "--yes", *AS)

    counts = ("undecided", "held", "reminders", "bookings", "bookings_until", "ended")
    assert unchanged
    assert (said["status"], did["status"]) == ("open", "closed")
    assert [said[name] for name in counts] == [did[name] for name in counts] == [3, 1, 1, 1, "2026-08-22T09:00:00Z", 0]
    assert at.read("role", "show", ROLE)["closed_at"] == "2026-08-20T09:00:00Z"
    assert [one["status"] for one in at.read("effects", "--thread", INVITED)] == ["done", "void"]
    assert at.read("role", "open", ROLE, *AS) == {"role": ROLE, "status": "open"}
    assert at.read("role", "show", ROLE)["closed_at"] is None


def test_a_question_of_a_closed_role_says_so_in_the_queue(at: CommandLine) -> None:
    at.read("role", "close", ROLE, "--yes", *AS)

    assert {one["thread"]: one["lane"] for one in at.read("queue") if one["lane"]}[WAITS] == "role closing"
    assert at.run(*at.decide()).code == "role_closed"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "role-99"), "not_found"),
        (("rubric", "role-99", "six.md", "--yes", *AS), "not_found"),
        (("rubric", "role-99", "six.md", *AS), "not_found"),
        (("rubric", ROLE, "five.md", "--yes", *AS), "bad_input"),
        (("rubric", ROLE, "prose.md", "--yes", *AS), "bad_input"),
        (("rubric", ROLE, "broken.toml", "--yes", *AS), "bad_input"),
        (("rubric", ROLE, "absent.md", "--yes", *AS), "bad_input"),
        (("rubric", ROLE, "six.md", "--yes", "--as", VIEWER), "not_allowed"),
        (("rubric", ROLE, "six.md", "--as", VIEWER), "not_allowed"),
        (("rubric", ROLE, "six.md", "--yes", "--as", REVIEWER), "not_allowed"),
        (("rubric", ROLE, "six.md", "--yes", "--as", "nobody@example.com"), "not_found"),
        (("close", "role-99", "--yes", *AS), "not_found"),
        (("close", CLOSED, "--yes", *AS), "role_closed"),
        (("close", CLOSED, *AS), "role_closed"),
        (("close", ROLE, "--yes", "--as", VIEWER), "not_allowed"),
        (("close", ROLE, "--as", VIEWER), "not_allowed"),
        (("close", ROLE, "--yes", "--as", REVIEWER), "not_allowed"),
        (("open", ROLE, *AS), "bad_input"),
        (("open", "role-99", *AS), "not_found"),
        (("open", CLOSED, "--as", VIEWER), "not_allowed"),
        (("open", CLOSED, "--as", REVIEWER), "not_allowed"),
    ],
)
def test_what_is_refused_says_why_and_changes_nothing(at: CommandLine, words: tuple[str, ...], code: str) -> None:
    for name, text in (("six.md", SIX), ("five.md", FIVE), ("prose.md", "# Role 14: a text\n\nProse.\n"),
                       ("broken.toml", "criteria = [")):  # fmt: skip
        at.write(name, text)
    at.read("person", "add", VIEWER, "--name", "Vi", "--access", "viewer", *AS)
    at.read("person", "add", REVIEWER, "--name", "Rae", *AS)
    before = at.rows()

    said = at.run("role", *words)

    assert (said.exit, said.broke, said.code) == (3, None, code)
    assert said.sentence.count("\n") == 0
    assert at.rows() == before


@pytest.mark.parametrize("points", ["3", "x=1", "3=", "3=-1"])
def test_points_that_are_none_are_refused(at: CommandLine, points: str) -> None:
    assert at.run(*at.decide(), "--points", points).code == "bad_input"


def test_points_of_one_s_own_stand_beside_the_answer(at: CommandLine) -> None:
    at.read(*at.decide(), "--points", "3=1", "--points", "5=2")

    (approval,) = at.read("thread", WAITS)["approvals"]
    assert approval["points_given"] == {"3": 1, "5": 2}
