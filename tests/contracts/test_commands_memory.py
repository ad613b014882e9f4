"""The memory browser's verbs about the end of records and about alarms, by command line."""

from __future__ import annotations

from typing import Any

from core.clock import FIXTURE_START, iso
from tests.contracts.command_line import AS, OWNER, CommandLine
from tests.contracts.remembering import DAY


def day(number: int) -> str:
    return str(iso(FIXTURE_START + number * DAY))


def remember(at: CommandLine, key: str, kind: str = "fact", source: str = "invoices") -> str:
    words = ("remember", kind, key, f"Fact about {key}.", "--confidence", "0.9", "--source", source)
    return str(at.read("memory", *words, *AS)["id"])


def ends(at: CommandLine) -> dict[str, Any]:
    return {one["id"]: one["expires_at"] for one in at.read("memory", "list")}


def test_several_records_end_at_another_time_and_each_says_what_became_of_it(at: CommandLine) -> None:
    first, second = remember(at, "a"), remember(at, "b", "observation")
    said = at.read("memory", "expire", first, second, "--at", day(91), *AS)
    assert {one["id"]: (one["changed"], one["why_not"]) for one in said} == {
        first: (True, None),
        second: (False, f"may be kept until {day(90)} at the latest"),
    }
    assert (ends(at)[first], ends(at)[second]) == (day(91), day(90))


def test_a_preview_says_who_would_leave_when_and_changes_nothing(at: CommandLine) -> None:
    one = remember(at, "a")
    before = at.rows()
    (said,) = at.read("memory", "expire", one, "--at", day(9), "--preview", *AS)
    assert (said["would_expire_at"], said["expires_at"], said["changed"]) == (day(9), day(366), False)
    assert at.rows() == before


def test_a_record_may_be_let_live_longer_again_up_to_its_kinds_longest_life(at: CommandLine) -> None:
    one = remember(at, "a", "observation")
    at.read("memory", "expire", one, "--at", day(9), *AS)
    at.read("memory", "expire", one, "--at", day(90), *AS)
    assert ends(at)[one] == day(90)
    assert at.run("memory", "expire", one, "--at", day(91), *AS).code == "bad_input"
    assert ends(at)[one] == day(90)


def test_what_cannot_be_is_refused_in_one_sentence(at: CommandLine) -> None:
    one = remember(at, "a")
    for words, code in (
        ((one, "--at", day(0)), "bad_input"),
        ((one, "--at", "tomorrow"), "bad_input"),
        ((one, "mem-0", "--at", day(9)), "not_found"),
        (("--at", day(9)), "bad_input"),
        ((one, "--preview"), "bad_input"),
    ):
        assert at.run("memory", "expire", *words, *AS).code == code
    assert ends(at)[one] == day(366)


def test_a_viewer_ends_nothing(at: CommandLine) -> None:
    one = remember(at, "a")
    at.read("person", "add", "vic@example.com", "--name", "Vic", "--access", "viewer", *AS)
    assert at.run("memory", "expire", one, "--at", day(9), "--as", "vic@example.com").code == "not_allowed"


def test_an_expired_record_is_shown_to_nobody(at: CommandLine) -> None:
    one = remember(at, "a")
    assert at.read("memory", "show", one)["text"] == "Fact about a."
    at.read("memory", "expire", one, *AS)
    said = at.run("memory", "show", one, "--as", OWNER)
    assert (said.code, "Fact about a." in said.out) == ("not_found", False)


def test_a_source_is_named_once_it_passed_its_bound(at: CommandLine) -> None:
    for number in range(60):
        remember(at, f"k{number}")
    assert at.read("memory", "alarms") == []
    assert "No bound was passed." in at.say("memory", "alarms").out
    remember(at, "one more")
    (alarm,) = at.read("memory", "alarms")
    assert alarm == {"kind": "writes", "name": "invoices", "count": 61, "bound": 60, "at": day(0)}
    assert at.run("memory", "alarms", "--tenant", "nowhere").code == "not_found"
