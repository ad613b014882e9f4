"""Edit and note in drawers over the card."""

from __future__ import annotations

from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, press


def save(app: object, word: str) -> None:
    next(one for one in app.button if one.label == word).click().run()  # type: ignore[attr-defined]
    assert not app.exception  # type: ignore[attr-defined]


def test_an_edited_subject_and_total_are_on_the_card_with_the_new_seal_before_anything_is_approved(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    before = home.question(two_asked[0])
    app = press(look(), "edit")
    next(one for one in app.text_input if one.label == "Subject").set_value("Come and see us")
    app.number_input(key=f"review.edit.total.{before.id}").set_value(20)
    save(app, "Save as a new version")

    after = home.question(two_asked[0])
    seal = next(one.payload_hash for one in after.choices if one.edited_by) or ""
    assert (after.status, after.version) == ("pending", before.version + 1)
    shown = drawn(app)
    assert [word in shown for word in ("Come and see us", f"seal {seal[:8]}", "edited by hand", "Your total: 20.")] == [
        True, True, True, True,
    ]  # fmt: skip
    pulse.wait(1)
    press(app, "approve")
    assert home.question(two_asked[0]).remark["total"] == 20


def test_an_edit_that_does_not_fit_is_refused_in_the_drawer(home: Home, two_asked: list[str], look: Look) -> None:
    before = home.question(two_asked[0])
    app = press(look(), "edit")
    next(one for one in app.text_input if one.label == "Subject").set_value(" ")

    save(app, "Save as a new version")

    assert home.question(two_asked[0]) == before


def test_a_note_is_written_into_the_run(home: Home, two_asked: list[str], look: Look) -> None:
    app = press(look(), "note")
    app.text_area(key="review.note.text").set_value("Call her <b>before</b> Friday.")
    save(app, "Write it down")

    with home.app.read() as conn:
        assert conn.exec_driver_sql("SELECT thread_id FROM notes").scalars().all() == [two_asked[0]]
