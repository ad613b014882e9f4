"""Claude chooses the next act by its tool use, in our own loop, against a server of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.agents import RUN, running, tried
from tests.homes import Home
from tests.messages_api import Answer, MessagesApi, chosen, message, messages_api

PLAN = chosen("write_plan", reason="Look first.", steps=["Look"])
LOOK = chosen("inspect_schema", database="a.db")
END = chosen("finish", outcome="done", line="All is in place.")
FULL = Answer(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api() as server:
        yield server


def led(folder: Path, api: MessagesApi, *said: Answer) -> Home:
    """Open a home with a run that the server leads."""
    home, _, _ = running(folder, {})
    api.say(*said)
    return home.with_model(api.model())


def calls(home: Home) -> list[tuple[str, bool]]:
    """Answer each call: how it ended, and whether its usage is known."""
    return [(one.status, one.fresh is not None) for one in home.thread(RUN).calls]


def test_each_turn_is_one_call_with_its_usage_and_no_conversation(tmp_path: Path, api: MessagesApi) -> None:
    home = led(tmp_path, api, PLAN, LOOK, END)
    home.run()

    assert home.ending(RUN) == ("completed", "done")
    assert calls(home) == [("answered", True)] * 3
    assert [len(body["messages"]) for body in api.asked] == [1, 1, 1]
    assert api.asked[1]["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assert "inspect_schema" in {one["name"] for one in api.asked[1]["tools"]}
    assert {one["name"] for one in api.asked[0]["tools"]} == {"write_plan", "keep_line"}


def test_schemas_are_whole_and_name_what_is_needed(tmp_path: Path, api: MessagesApi) -> None:
    home = led(tmp_path, api, PLAN, LOOK, END)
    home.run()

    for tool in api.asked[1]["tools"]:
        assert tool["input_schema"]["type"] == "object", tool
        assert "$ref" not in str(tool), tool


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (chosen("inspect_schema", "max_tokens", database="a.db"), "model_unfit"),
        (message("I would rather talk."), "model_unfit"),
        (chosen("launch_rocket"), "unknown_tool"),
    ],
)
def test_an_answer_that_cannot_be_used_is_paid_for_and_asked_again(
    tmp_path: Path, api: MessagesApi, said: Answer, code: str
) -> None:
    home = led(tmp_path, api, PLAN, said, LOOK, END)
    home.run()

    assert [one for one, _ in tried(home)] == [code]
    assert [known for _, known in calls(home)] == [True] * 4
    assert home.ending(RUN) == ("completed", "done")


def test_a_refusal_is_asked_of_a_person(tmp_path: Path, api: MessagesApi) -> None:
    home = led(tmp_path, api, PLAN, message("", "refusal"))
    home.run()

    assert home.ending(RUN)[0] == "awaiting_review"
    assert "declined to answer" in home.question(RUN).title
    assert calls(home) == [("answered", True), ("unfit", True)]


def test_overload_and_a_dropped_line_wait_and_do_nothing_twice(tmp_path: Path, api: MessagesApi) -> None:
    home = led(tmp_path, api, PLAN, FULL, Answer(drops=True), LOOK, END)
    home.run()
    first = home.thread(RUN).thread
    home.retry_at_once()
    home.run()
    home.retry_at_once()
    home.run()

    assert first.status == "ready"
    assert home.ending(RUN) == ("completed", "done")
    assert calls(home) == [
        ("answered", True), ("failed", False), ("unknown", False), ("answered", True), ("answered", True),
    ]  # fmt: skip
    assert len(home.thread(RUN).effects) == 1


def test_a_timeout_is_a_call_whose_usage_nobody_knows(tmp_path: Path, api: MessagesApi) -> None:
    home = led(tmp_path, api, PLAN, Answer(hangs=True), LOOK, END)
    home.with_model(api.model(timeout_s=0.3)).run()

    assert calls(home)[1] == ("unknown", False)
    assert tried(home)[0][0] == "model_timeout"
