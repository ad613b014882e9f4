"""The letters of a role edited on Settings: previewed for a sample person, saved as the command saves them."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.contracts.test_letters import save_letter
from tests.homes import ROLE, Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_foreign_text import EVIL
from tests.pages.test_settings import button, press

BODY = "Dear {name},\n\n{how_to_book}\n"


@pytest.fixture
def asked(home: Home) -> str:
    """An applicant at the question, in a home with one role."""
    home.add_role()
    thread_id = home.apply()
    home.run()
    return thread_id


def field(app: AppTest, name: str, letter: str = "invite", version: int = 1) -> Any:
    key = f"settings.letter.{ROLE}.{version}.{letter}.{name}"
    return app.text_area(key=key) if name == "body" else app.text_input(key=key)


def typed(app: AppTest, letter: str = "invite", **fields: str) -> AppTest:
    """Type into a letter's fields and ask what saving would do."""
    if letter != "invite":
        app.segmented_control(key=f"settings.letter.{ROLE}.1.name").set_value(letter).run()
    for name, text in fields.items():
        field(app, name, letter).set_value(text)
    app.run()
    return press(app, f"letter.{ROLE}.1.preview")


def save(app: AppTest, version: int = 1) -> AppTest:
    return press(app, f"letter.{ROLE}.{version}.save")


def letters(home: Home) -> list[int]:
    rows = home.look("SELECT version FROM configs WHERE kind = 'letters' ORDER BY version")
    return [int(str(row[0])) for row in rows]


def test_a_preview_shows_the_letter_for_a_sample_person_and_what_comes_back_and_writes_nothing(
    home: Home, asked: str, open_page: Open
) -> None:
    held = home.apply("Ben Example", "ben@example.com")
    home.run()
    home.decide(held)
    before = home.question(asked).version

    shown = drawn(typed(open_page("settings"), subject="Meet us, {first_name}", body=BODY))

    assert "<bdi>Meet us, Sam</bdi>" in shown
    assert "Dear Sam Sample," in shown
    assert "<b>1</b> question that stands comes back with the new text." in shown
    assert "<b>1</b> held answer comes back to be given again." in shown
    assert (letters(home), home.question(asked).version, home.question(held).status) == ([1], before, "approved")


def test_what_was_previewed_is_saved_and_every_question_that_stands_comes_back_with_it(
    home: Home, asked: str, open_page: Open
) -> None:
    before = home.question(asked)
    app = typed(
        open_page("settings"), subject="Meet us, {first_name}", sender="Ana of Example Studio",
        reply_to="hiring@example.com", language="en-GB", body=BODY,
    )  # fmt: skip

    save(app)
    home.run()

    after = home.question(asked)
    (invite,) = [one.payload for one in after.choices if one.key == f"{asked}/invite"]
    assert invite is not None
    assert (letters(home), after.version > before.version) == ([1, 2], True)
    assert (invite["subject"], invite["sender"], invite["reply_to"], invite["language"]) == (
        "Meet us, Ann", "Ana of Example Studio", "hiring@example.com", "en-GB"
    )  # fmt: skip
    assert str(invite["body"]).startswith("Dear Ann Example,")
    (noted,) = home.audit("version_saved")
    assert (noted["kind"], noted["version"], noted["back"]) == ("letters", 2, 0)
    assert "invite</b>, version 2" in drawn(open_page("settings"))


@pytest.mark.parametrize("letter", ["reminder", "decline", "retraction"])
def test_each_letter_is_changed_and_the_others_stay(home: Home, asked: str, open_page: Open, letter: str) -> None:
    save(typed(open_page("settings"), letter, subject="Another subject", body="Another text, {first_name}."))

    shown = drawn(open_page("settings"))
    assert f"{letter}</b>, version 2" in shown
    assert "invite</b>, version 1" in shown
    assert "Another text, Sam." in shown


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"body": "Hello {nobody},\n\n{how_to_book}"}, "The body, line 1: the letter invite has {nobody}"),
        ({"body": "Hello,\n\n{how_to_book}\n\n{salary}"}, "The body, line 5: the letter invite has {salary}"),
        ({"body": "Hello {first_name}."}, "lacks {how_to_book}"),
        ({"subject": " "}, "needs a subject and a body"),
        ({"reply_to": "no address"}, "a reply_to that is no e-mail address"),
        ({"language": "english please"}, "a language that is no tag"),
        ({}, "as it stands, version 1; no version was written"),
    ],
)
def test_what_is_no_letter_is_refused_with_its_place_and_stays_typed(
    home: Home, asked: str, open_page: Open, fields: dict[str, str], said: str
) -> None:
    app = typed(open_page("settings"), **fields)

    assert said in drawn(app)
    assert button(app, f"letter.{ROLE}.1.save") is None
    assert [field(app, name).value for name in fields] == list(fields.values())
    assert letters(home) == [1]


def test_what_was_changed_after_the_preview_cannot_be_saved(home: Home, asked: str, open_page: Open) -> None:
    app = typed(open_page("settings"), subject="Meet us")

    field(app, "subject").set_value("Something else").run()

    assert button(app, f"letter.{ROLE}.1.save") is None


def test_a_version_that_somebody_else_wrote_meanwhile_is_not_written_over(
    home: Home, asked: str, open_page: Open
) -> None:
    app = typed(open_page("settings"), subject="Meet us")
    save_letter(home, "decline", "Subject: No\n\nNo.\n")

    save(app)

    assert letters(home) == [1, 2]
    assert "You saw version 1 of the letters" in " ".join(toast.value for toast in app.toast)


@pytest.mark.parametrize("access", ["viewer", "reviewer"])
def test_whoever_is_no_owner_reads_the_letters_and_changes_none(
    home: Home, asked: str, open_page: Open, sign_in: SignIn, access: Any
) -> None:
    sign_in(home.add_person("rae@example.com", access))

    app = open_page("settings")

    assert "Letters of role-14" in drawn(app)
    assert button(app, "letter.") is None


def test_an_owner_who_is_one_no_more_saves_nothing(home: Home, asked: str, open_page: Open) -> None:
    home.add_person("ola@example.com", "owner")
    app = typed(open_page("settings"), subject="Meet us")
    home.change("UPDATE people SET access = 'reviewer' WHERE email = 'owner@example.com'")

    save(app)

    assert letters(home) == [1]


@pytest.mark.parametrize("evil", EVIL[:4])
def test_what_is_typed_is_shown_as_text(home: Home, asked: str, open_page: Open, evil: str) -> None:
    text = evil.replace("{", "").replace("}", "")

    shown = drawn(typed(open_page("settings"), "decline", body=text))

    assert [one for one in ("<script", "<img") if one in shown] == []
    assert "Version 2 would do this" in shown


# Times


def hours(app: AppTest, name: str) -> Any:
    return app.number_input(key=f"settings.times.{ROLE}.1.{name}")


@pytest.mark.case("R05")
def test_times_are_changed_and_saved_and_what_comes_back_is_said_first(home: Home, asked: str, open_page: Open) -> None:
    app = open_page("settings")
    hours(app, "window_hours").set_value(36)
    app = hours(app, "reminder_hours").set_value(12).run()
    assert "Questions that stand and come back: <b>1</b>." in drawn(app)

    press(app, f"times.{ROLE}.1.save")

    rows = home.look("SELECT content FROM configs WHERE kind = 'role' ORDER BY version")
    assert ['"window_hours":36' in str(row[0]) and '"reminder_hours":12' in str(row[0]) for row in rows] == [
        False,
        True,
    ]


def test_a_role_that_reminds_at_the_end_itself_is_shown_as_it_is(home: Home, asked: str, open_page: Open) -> None:
    old, new = '"reminder_hours":24', '"reminder_hours":0'
    home.change("UPDATE configs SET content = replace(content, :old, :new)", old=old, new=new)

    assert hours(open_page("settings"), "reminder_hours").value == 0


def test_times_that_stand_are_not_saved_again_and_not_by_a_reviewer(
    home: Home, asked: str, open_page: Open, sign_in: SignIn
) -> None:
    found = button(open_page("settings"), "times.")
    sign_in(home.add_person("rae@example.com", "reviewer"))

    assert found.disabled
    assert button(open_page("settings"), "times.") is None
