"""Settings: roles closed and opened with a preview, rubrics side by side and edited as text, facts without secrets."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import without_secret
from tests.contracts.rubrics import FIVE, SIX
from tests.contracts.test_letters import save_letter
from tests.homes import ROLE, Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_around_pages import MOST_STATEMENTS, counted
from tests.pages.test_foreign_text import EVIL

TEXT = SIX[SIX.index("| #") :]


def button(app: AppTest, start: str) -> Any:
    """Answer the one button whose key begins so, or None."""
    return next((one for one in app.button if str(one.key).startswith(f"settings.{start}")), None)


def press(app: AppTest, start: str) -> AppTest:
    found = button(app, start)
    assert found is not None, [one.key for one in app.button]
    found.click().run()
    assert not app.exception, app.exception
    return app


def edit(app: AppTest, text: str) -> AppTest:
    (area,) = [one for one in app.text_area if str(one.key).startswith("settings.rubric.")]
    return area.set_value(text).run()


def status(home: Home) -> list[tuple[object, ...]]:
    return home.look("SELECT status FROM roles WHERE id = :id", id=ROLE)


def versions(home: Home) -> list[int]:
    rows = home.look("SELECT version FROM configs WHERE kind = 'rubric' ORDER BY version")
    return [int(str(row[0])) for row in rows]


@pytest.fixture
def asked(home: Home) -> str:
    """An applicant at the question, in a home with one role."""
    home.add_role()
    thread_id = home.apply()
    home.run()
    return thread_id


def test_without_a_role_the_page_says_so_and_still_shows_the_facts(open_page: Open) -> None:
    shown = drawn(open_page("settings"))

    assert "No role yet." in shown
    assert "practice model" in shown


def test_closing_shows_what_it_does_first_and_then_does_it(home: Home, asked: str, open_page: Open) -> None:
    app = press(open_page("settings"), "close.")
    first = (drawn(app), status(home))

    press(app, "confirm.")

    assert "<b>1</b> undecided go to the lane Role closing. Nobody is rejected or mailed." in first[0]
    assert (first[1], status(home)) == ([("open",)], [("closed",)])
    assert "Closed since" in drawn(app)
    assert [toast.value for toast in app.toast] == ["The role is closed."]


def test_keeping_it_open_changes_nothing(home: Home, asked: str, open_page: Open) -> None:
    app = press(press(open_page("settings"), "close."), "keep.")

    assert (status(home), button(app, "confirm.")) == ([("open",)], None)


def test_a_closed_role_is_opened_again(home: Home, asked: str, open_page: Open) -> None:
    home.close_role()

    app = press(open_page("settings"), "open.")

    assert (status(home), button(app, "close.") is not None) == ([("open",)], True)


@pytest.mark.parametrize("access", ["viewer", "reviewer"])
def test_whoever_is_no_owner_reads_and_changes_nothing(
    home: Home, asked: str, open_page: Open, sign_in: SignIn, access: Any
) -> None:
    sign_in(home.add_person("rae@example.com", access))

    app = open_page("settings")

    assert "Changing a rubric or a letter and closing a role is for owners." in drawn(app)
    assert "Led a brand from brief to launch" in drawn(app)
    assert [button(app, what) for what in ("close.", "open.", "rubric.")] == [None, None, None]
    assert list(app.text_area) == []


def test_somebody_who_is_an_owner_no_more_closes_nothing(home: Home, asked: str, open_page: Open) -> None:
    home.add_person("ola@example.com", "owner")
    app = press(open_page("settings"), "close.")
    home.change("UPDATE people SET access = 'reviewer' WHERE email = 'owner@example.com'")

    press(app, "confirm.")

    assert status(home) == [("open",)]


def test_the_text_that_is_edited_is_the_rubric_as_it_stands(home: Home, asked: str, open_page: Open) -> None:
    app = press(open_page("settings"), f"rubric.{ROLE}.1.preview")

    assert "That is the rubric of role-14 as it stands, version 1" in drawn(app)
    assert button(app, f"rubric.{ROLE}.1.save") is None


def test_a_preview_says_what_saving_does_and_writes_nothing(home: Home, asked: str, open_page: Open) -> None:
    app = press(edit(open_page("settings"), TEXT), f"rubric.{ROLE}.1.preview")

    shown = drawn(app)
    assert "<b>1</b> undecided are scored anew" in shown
    assert "Cost: <bdi>practice model: nothing</bdi>." in shown
    assert "On a sample of <b>1</b>" in shown
    assert "criterion 6: added &quot;Mentions agency work, 0 to 5&quot;" in shown
    assert versions(home) == [1]


def test_saving_what_was_previewed_writes_the_version_and_shows_both(home: Home, asked: str, open_page: Open) -> None:
    app = press(edit(open_page("settings"), TEXT), f"rubric.{ROLE}.1.preview")

    press(app, f"rubric.{ROLE}.1.save")
    home.run()

    shown = drawn(app)
    assert versions(home) == [1, 2]
    assert ("Version 1" in shown, "Version 2" in shown, "<mark>new</mark>" in shown) == (True, True, True)
    assert home.question(asked).facts["max_total"] == 30


def test_what_was_changed_after_the_preview_cannot_be_saved(home: Home, asked: str, open_page: Open) -> None:
    app = press(edit(open_page("settings"), TEXT), f"rubric.{ROLE}.1.preview")

    edit(app, TEXT.replace("Mentions agency work", "Something else"))

    assert button(app, f"rubric.{ROLE}.1.save") is None
    assert "Nothing is saved yet." in drawn(app)


def test_text_that_is_no_rubric_is_refused_with_its_line_and_stays(home: Home, asked: str, open_page: Open) -> None:
    app = press(edit(open_page("settings"), "Only prose."), f"rubric.{ROLE}.1.preview")

    assert "the file states no criteria, so it is no rubric" in drawn(app)
    assert app.text_area[0].value == "Only prose."
    assert versions(home) == [1]


def test_a_version_that_somebody_else_wrote_meanwhile_is_not_written_over(
    home: Home, asked: str, open_page: Open
) -> None:
    app = press(edit(open_page("settings"), TEXT), f"rubric.{ROLE}.1.preview")
    home.save_rubric(FIVE.replace("Below 12", "Below 10").replace("12 to 17", "10 to 17"))

    press(app, f"rubric.{ROLE}.1.save")

    assert versions(home) == [1, 2]
    assert "You saw version 1" in " ".join(toast.value for toast in app.toast)


@pytest.mark.parametrize("evil", EVIL[:4])
def test_a_rubric_s_words_are_shown_as_text(home: Home, asked: str, open_page: Open, evil: str) -> None:
    home.save_rubric(FIVE.replace("Writes plainly", evil.replace("|", "")))

    shown = drawn(open_page("settings"))

    assert [one for one in ("<script", "<img") if one in shown] == []
    assert "Version 2" in shown


def test_letters_stand_as_a_sample_person_gets_them_with_their_versions(
    home: Home, asked: str, open_page: Open
) -> None:
    save_letter(home, "decline", "Subject: No, {first_name}\nSender: Ana of Example Studio\n\nNo, {name}.\n")

    shown = drawn(open_page("settings"))

    assert "Letters of role-14" in shown
    assert "No, Sam Sample." in shown
    assert "<bdi>No, Sam</bdi>" in shown
    assert "Ana of Example Studio" in shown
    assert "decline</b>, version 2" in shown
    assert "invite</b>, version 1" in shown
    assert "{first_name}" not in shown


@pytest.mark.parametrize("evil", EVIL[:4])
def test_a_letter_s_words_are_shown_as_text(home: Home, asked: str, open_page: Open, evil: str) -> None:
    save_letter(home, "decline", f"Subject: No\n\n{evil.replace('{', '').replace('}', '')}\n")

    shown = drawn(open_page("settings"))

    assert [one for one in ("<script", "<img") if one in shown] == []
    assert "decline</b>, version 2" in shown


def test_another_tenant_s_role_is_not_shown(home: Home, asked: str, open_page: Open) -> None:
    other = home.add_tenant("other")
    other.add_role("role-99")

    assert "role-99" not in drawn(open_page("settings", role="role-99"))


def test_the_page_is_drawn_from_a_few_statements(home: Home, asked: str, open_page: Open) -> None:
    home.save_rubric(SIX)
    app = open_page("settings")

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_facts_name_the_setting_that_changes_them(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = drawn(open_page("settings"))

    for setting in ("DAYBOOK_MODEL", "DAYBOOK_MAIL", "DAYBOOK_HOLD_SECONDS", "DAYBOOK_TIMEZONE", "DAYBOOK_WORKER"):
        assert f"<code>{setting}</code>" in shown
    assert "None: runs stand still" in shown
    assert "SQLite, in the home" in shown


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("outbox", "outbox"),
        ("smtp://ana:secret@mail.example.com:587/?tls=1", "smtp://mail.example.com:587/"),
        ("postgresql://ana:secret@db.example.com/daybook?password=secret", "postgresql://db.example.com/daybook"),
    ],
)
def test_an_address_is_shown_without_its_secret(address: str, said: str) -> None:
    assert without_secret(address) == said


def test_applications_offers_no_files_to_a_closed_role_and_says_why(home: Home, asked: str, open_page: Open) -> None:
    before = [one.key for one in open_page("applications").file_uploader]
    home.close_role()

    app = open_page("applications")

    after = [one.key for one in app.file_uploader]
    assert [any(str(key).startswith("applications.files.") for key in keys) for keys in (before, after)] == [
        True,
        False,
    ]
    assert "This role is closed: it takes no applications" in drawn(app)


def test_today_says_why_a_question_of_a_closed_role_is_there(home: Home, asked: str, open_page: Open) -> None:
    home.close_role()

    assert "Invite or decline, role closing" in drawn(open_page("today"))


def test_the_review_page_says_that_a_role_is_closing(home: Home, asked: str, look: Open) -> None:
    home.close_role()

    app = look()

    assert "<b>Role closing.</b>" in drawn(app)
    assert any("Role closing" in one.label for one in app.button)


def test_points_of_one_s_own_are_given_on_the_card_and_recalled_on_the_next(
    home: Home, asked: str, look: Open, pulse: Any
) -> None:
    second = home.apply("Ben Example", "ben@example.com")
    home.run()
    app = look(item=home.question(asked).id)
    app.text_input(key=f"review.answer.points.{home.question(asked).id}.1").set_value("3=5").run()
    pulse.wait(1)
    next(one for one in app.button if str(one.key).startswith("review.approve.")).click().run()
    home.release(asked)
    home.run()

    shown = drawn(look(item=home.question(second).id))

    assert "<b>You </b>raised criterion 3 in 1 of 1, raised the total in 1 of 1." in shown
    assert "role-14/rubric@1" in shown


def test_points_that_are_none_are_refused_and_stay(home: Home, asked: str, look: Open, pulse: Any) -> None:
    app = look(item=home.question(asked).id)
    field = f"review.answer.points.{home.question(asked).id}.1"
    app.text_input(key=field).set_value("three=5").run()
    pulse.wait(1)
    next(one for one in app.button if str(one.key).startswith("review.approve.")).click().run()

    assert home.question(asked).status == "pending"
    assert "is not a criterion and its points" in drawn(app)
    assert app.text_input(key=field).value == "three=5"
