"""The commands for letters, booking, retraction and keys: shown first, saved on a word, refused with a sentence."""

from __future__ import annotations

import pytest

from tests.contracts.command_line import AS, INVITED, WAITS, CommandLine
from tests.homes import ROLE

LETTER = "Subject: Meet us, {first_name}\n\nDear {name}, {how_to_book}\n"
BOOKING = 'time_zone = "Europe/London"\nslots = ["2026-08-25T10:00"]\n'


def test_a_letter_is_shown_for_a_sample_person_and_saved_only_on_a_word(at: CommandLine) -> None:
    words = ("role", "letters", ROLE, "--set", "invite", at.write("invite.txt", LETTER))
    before = at.rows()

    shown = at.read(*words)
    assert shown["preview"]["invite"]["subject"] == "Meet us, Sam"
    assert (shown["saved"], shown["version"], shown["undecided"]) == (None, 1, 3)
    assert at.rows() == before

    saved = at.read(*words, "--yes", *AS)
    assert (saved["saved"], saved["undecided"], saved["came_back"]) == (2, 3, shown["came_back"])
    assert at.read("role", "letters", ROLE)["letters"]["invite"]["subject"] == "Meet us, {first_name}"
    assert at.read("role", "letters", ROLE)["version"] == 2


def test_times_to_choose_are_shown_and_saved_only_on_a_word(at: CommandLine) -> None:
    words = ("role", "booking", ROLE, "--set", at.write("booking.toml", BOOKING))

    assert at.read(*words)["way"] == "slot"
    assert at.read("role", "booking", ROLE)["way"] == "by_mail"
    assert at.read(*words, "--yes", *AS)["saved"] == 1
    assert at.read("role", "booking", ROLE)["slots"] == ["2026-08-25T09:00:00Z"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("role", "letters", "role-99"), "not_found"),
        (("role", "booking", "role-99"), "not_found"),
        (("role", "letters", ROLE, "--set", "farewell", "{letter}", "--yes", *AS), "bad_input"),
        (("role", "letters", ROLE, "--set", "invite", "{broken}", "--yes", *AS), "bad_input"),
        (("role", "letters", ROLE, "--set", "invite", "none.txt", "--yes", *AS), "bad_input"),
        (("role", "booking", ROLE, "--set", "{letter}", "--yes", *AS), "bad_input"),
        (("retract", WAITS, *AS), "bad_input"),
        (("retract", "role-14/app-9999", *AS), "not_found"),
        (("key", "add", "calendar", "--may", "apply", *AS), "bad_input"),
        (("key", "add", "Careers Page", "--may", "apply", *AS), "bad_input"),
        (("key", "add", "careers-page", "--may", "everything", *AS), "bad_input"),
        (("key", "revoke", "nobodys", *AS), "not_found"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(at: CommandLine, words: tuple[str, ...], code: str) -> None:
    files = {"letter": at.write("a.txt", LETTER), "broken": at.write("b.txt", "Subject: S\n\n{nobody}\n")}
    before = at.rows()

    said = at.run(*(word.format(**files) for word in words))

    assert (said.exit, said.broke, said.code) == (3, None, code)
    assert said.sentence.endswith(".")
    assert at.rows() == before


def test_only_an_owner_makes_and_revokes_keys(at: CommandLine) -> None:
    at.read("person", "add", "rev@example.com", "--name", "Rev", *AS)
    before = at.rows()

    made = at.run("key", "add", "careers-page", "--may", "apply", "--as", "rev@example.com")
    revoked = at.run("key", "revoke", "calendar", "--as", "rev@example.com")

    assert (made.code, revoked.code) == ("not_allowed", "not_allowed")
    assert at.rows() == before


def test_a_key_is_shown_once(at: CommandLine) -> None:
    key = at.read("key", "add", "careers-page", "--may", "apply", "--may", "events", *AS)["key"]

    listed = at.read("key", "list")
    assert [(one["name"], one["may"]) for one in listed] == [
        ("calendar", ["events"]),
        ("careers-page", ["apply", "events"]),
    ]
    assert key.split(".")[1] not in str(listed)


def test_a_retraction_is_asked_and_answered_like_any_question(at: CommandLine) -> None:
    at.read("retract", INVITED, *AS)
    at.read("worker", "--until-idle")

    (asked,) = [one for one in at.read("queue") if one["kind"] == "retraction"]
    assert [(one["verdict"], one["key"]) for one in asked["options"]] == [
        ("approve", f"{INVITED}/invite/retract"), ("reject", None)
    ]  # fmt: skip
