"""The page of a letter: found through the letter's own link, it shows little, and takes one answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.clock import FIXTURE_START, iso
from core.db.base import Base
from core.web import close_app
from tests.contracts.test_left_over import left_over
from tests.contracts.test_letters import save, save_letter
from tests.databases import POSTGRES, SQLITE
from tests.homes import ROLE, Home
from tests.pages.test_http import client

SLOTS = ["2026-08-25T09:00:00Z", "2026-08-25T13:30:00Z", "2026-08-26T09:00:00Z"]
BOOKING: dict[str, object] = {"time_zone": "Europe/London", "slots": SLOTS, "address": None}
LINK = re.compile(r"http://127\.0\.0\.1:8501(/book/[A-Za-z0-9_-]{43})\b")
FORM = re.compile(r'name="form" value="([^"]+)"')
DEADLINE = FIXTURE_START + timedelta(hours=48)
pytestmark = pytest.mark.parametrize("database", [SQLITE, POSTGRES], indirect=True)


@pytest.fixture
def role(home: Home) -> Home:
    """A role with three slots; nothing is held."""
    home.add_role()
    save(home, "booking", BOOKING)
    return home


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Move the server's clock."""

    def move(to: datetime) -> None:
        close_app()
        monkeypatch.setenv("DAYBOOK_NOW", str(iso(to)))

    yield move
    close_app()


def invite(home: Home, name: str = "Ann", role_id: str = ROLE) -> tuple[str, str]:
    """Have somebody apply and be invited; answer the thread and the path that stands in the letter."""
    thread_id = home.apply(f"{name} Example", f"{name.lower()}@example.com", role_id=role_id)
    home.run()
    home.decide(thread_id)
    home.release(thread_id)
    home.run()
    return thread_id, link_in(home, thread_id)


def link_in(home: Home, thread_id: str, letter: str = "invite") -> str:
    found = LINK.search(str(home.mail(thread_id)[letter].get_content()))
    assert found is not None
    return found[1]


def press(path: str, origin: str | None = "null", **fields: str) -> Any:
    """Answer as the page's form does, with the token that it shows."""
    shown = FORM.search(client().get(path).text)
    form = {"form": shown[1]} if shown else {}
    return client().post(path, data={**form, **fields}, headers={} if origin is None else {"origin": origin})


def dump(home: Home) -> dict[str, list[Any]]:
    return {name: home.look(f"SELECT * FROM {name}") for name in sorted(Base.metadata.tables)}


@pytest.mark.seed("screen.story.day-3-11-30")
def test_a_booking_through_the_letters_own_link_ends_the_thread_as_booked(role: Home) -> None:
    thread_id, path = invite(role)

    answer = press(path, act="book", slot=SLOTS[1])
    role.run()

    assert (answer.status_code, role.ending(thread_id)) == (200, ("completed", "booked"))
    assert "You chose" in answer.text
    assert "Tue 25 Aug 2026, 14:30" in answer.text
    (event,) = role.thread(thread_id).events
    assert event.happened.data == {"slot": SLOTS[1]}
    assert [(one["actor"], one["by"]) for one in role.audit("event_received")] == [("applicant", "the letter's link")]
    assert role.verify() == []


@pytest.mark.case("R16")
def test_a_storm_of_looking_changes_no_byte_of_the_database(role: Home) -> None:
    _, path = invite(role)
    before = dump(role)

    with client() as scanner:
        for _ in range(10):
            answers = [
                scanner.get(path),
                scanner.head(path),
                scanner.options(path),
                scanner.get(path, headers={"sec-purpose": "prefetch"}),
                scanner.get(f"{path}?act=withdraw&slot={SLOTS[0]}"),
                scanner.get(f"/book/{'x' * 43}"),
                scanner.post(f"/book/{'x' * 43}", data={"act": "withdraw"}),
            ]

    assert [one.status_code for one in answers] == [200, 200, 405, 200, 200, 404, 404]
    assert dump(role) == before


def test_the_page_shows_role_slots_and_deadline_and_nothing_of_the_person(role: Home) -> None:
    _, path = invite(role)

    page = client().get(path).text

    assert "Senior brand designer" in page
    assert "Tue 25 Aug 2026, 10:00 <small>(UTC+01:00, Europe/London)</small>" in page
    assert "Sat 22 Aug 2026, 10:00" in page
    assert not re.search(r"Ann|Example|ann@|app-0001", page)


def test_the_page_runs_nothing_and_is_kept_and_found_by_nobody(role: Home) -> None:
    _, path = invite(role)

    answer = client().get(path)

    headers = answer.headers
    assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in headers["content-security-policy"]
    assert (headers["referrer-policy"], headers["cache-control"]) == ("no-referrer", "no-store")
    assert headers["x-robots-tag"] == "noindex, nofollow"
    assert not re.search(r"<script|javascript:|\son\w+=|src=|set-cookie", answer.text + str(headers), re.IGNORECASE)


def test_the_plain_token_stands_in_the_letter_and_nowhere_else(role: Home) -> None:
    _, path = invite(role)
    token = path.removeprefix("/book/").encode()

    files = [one for one in role.app.home.rglob("*") if one.is_file() and token in one.read_bytes()]

    assert [one.suffix for one in files] == [".eml"]
    assert token.decode() not in str(dump(role))


def test_the_second_answer_is_told_what_stands(role: Home) -> None:
    thread_id, path = invite(role)
    press(path, act="book", slot=SLOTS[0])
    form = {"act": "book", "slot": SLOTS[2]}

    before, after = press(path, **form), None
    role.run()
    after = press(path, **form)

    for answer in (before, after):
        assert answer.status_code == 200
        assert "Tue 25 Aug 2026, 10:00" in answer.text
    assert len(role.thread(thread_id).events) == 1


def test_a_withdrawal_closes_the_application(role: Home) -> None:
    thread_id, path = invite(role)

    answer = press(path, act="withdraw")
    role.run()

    assert (answer.status_code, role.ending(thread_id)) == (200, ("completed", "withdrawn"))
    assert "rather not go on. That stands" in client().get(path).text


def test_a_slot_is_taken_once(role: Home) -> None:
    _, first = invite(role)
    other, second = invite(role, "Ben")
    press(first, act="book", slot=SLOTS[0])

    late = press(second, act="book", slot=SLOTS[0])

    assert late.status_code == 409
    assert "no longer free" in late.text
    assert SLOTS[0] not in client().get(second).text
    assert role.thread(other).events == []
    assert press(second, act="book", slot=SLOTS[1]).status_code == 200


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"act": "book", "slot": SLOTS[0], "form": "another"}, "too old"),
        ({"act": "book", "slot": "2026-09-01T09:00:00Z"}, "no longer free"),
        ({"act": "book", "slot": "tomorrow"}, "Choose one of these times first"),
        ({"act": "book"}, "Choose one of these times first"),
        ({}, "Choose one of these times first"),
    ],
)
def test_what_is_no_answer_changes_nothing_of_the_thread(role: Home, fields: dict[str, str], said: str) -> None:
    thread_id, path = invite(role)

    answer = press(path, **fields)

    assert (answer.status_code, said in answer.text) == (409, True)
    assert role.thread(thread_id).events == []


def test_after_five_wrong_answers_the_page_waits_and_its_neighbour_does_not(role: Home) -> None:
    thread_id, path = invite(role)
    _, other = invite(role, "Ben")

    statuses = [press(path, act="book", slot="never").status_code for _ in range(5)]
    waits = press(path, act="book", slot=SLOTS[0])

    assert statuses == [409] * 5
    assert (waits.status_code, int(waits.headers["retry-after"]) > 0) == (429, True)
    assert role.thread(thread_id).events == []
    assert client().get(path).status_code == 200
    assert press(other, act="book", slot=SLOTS[0]).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example.org", "http://127.0.0.1:9999"])
def test_another_page_answers_for_nobody(role: Home, origin: str) -> None:
    thread_id, path = invite(role)

    assert press(path, origin, act="withdraw").status_code == 403
    assert role.thread(thread_id).events == []


@pytest.mark.parametrize("origin", [None, "null", "http://127.0.0.1:8501"])
def test_the_pages_own_form_is_taken_whatever_origin_its_browser_names(role: Home, origin: str | None) -> None:
    _, path = invite(role)

    assert press(path, origin, act="withdraw").status_code == 200


def test_an_answer_after_the_deadline_is_stored_late_and_a_person_sees_it(role: Home, moved: Any) -> None:
    thread_id, path = invite(role)
    form = FORM.search(client().get(path).text)
    assert form is not None
    moved(DEADLINE)

    answer = client().post(path, data={"form": form[1], "act": "book", "slot": SLOTS[0]}, headers={"origin": "null"})
    role = role.at(DEADLINE)
    role.run()

    assert answer.status_code == 410
    assert "written down as late" in answer.text
    assert role.ending(thread_id) == ("completed", "expired")
    assert left_over(role) == [("booking", True)]


def test_a_moment_before_the_deadline_counts(role: Home, moved: Any) -> None:
    thread_id, path = invite(role)
    moved(DEADLINE - timedelta(milliseconds=1))

    assert press(path, act="book", slot=SLOTS[0]).status_code == 200
    role = role.at(DEADLINE)
    role.run()

    assert role.ending(thread_id) == ("completed", "booked")


def test_every_link_that_opens_nothing_shows_the_same_page(role: Home, moved: Any) -> None:
    thread_id, path = invite(role)
    cancelled, other = invite(role, "Ben")
    waiting = role.apply("Cleo Example", "cleo@example.com")
    role.run()
    role.cancel(cancelled)
    expired = client().get(other)
    paths = [path[:-1], f"{path}x", f"{path}/x", "/book/", "/book/%00", f"/book/{'é' * 43}", f"/book/{'x' * 43}"]

    answers = [client().get(one) for one in paths]
    role.change("INSERT INTO tombstones SELECT tenant_id, subject_id, '2026-08-20T09:00:00.000Z' FROM threads "
                "WHERE id = :id", id=thread_id)  # fmt: skip
    erased = client().get(path)

    assert [one.status_code for one in answers] == [404] * len(paths)
    assert (expired.status_code, erased.status_code) == (410, 404)
    assert {one.text for one in (*answers, expired, erased)} == {expired.text}
    assert role.ending(waiting) == ("awaiting_review", None)


def test_a_link_opens_nothing_before_its_letter_left(role: Home) -> None:
    thread_id = role.apply()
    role.run()
    (invite,) = [one for one in role.question(thread_id).choices if one.key and one.key.endswith("/invite")]
    assert invite.payload is not None
    found = LINK.search(str(invite.payload["body"]))
    assert found is not None

    assert client().get(found[1]).status_code == 404


def test_the_question_asked_anew_keeps_its_link(role: Home) -> None:
    thread_id = role.apply()
    role.run()
    before = letter_asked_about(role, thread_id)

    save_letter(role, "invite", "Subject: S\n\nOther words: {booking_link}\n")
    role.run()

    after = letter_asked_about(role, thread_id)
    assert "Other words" in after
    assert LINK.search(before)[1] == LINK.search(after)[1]  # type: ignore[index]
    assert role.look("SELECT count(*) FROM answer_links") == [(1,)]


def letter_asked_about(home: Home, thread_id: str) -> str:
    (letter,) = [one for one in home.question(thread_id).choices if one.key and one.key.endswith("/invite")]
    return str((letter.payload or {})["body"])


def test_a_role_without_slots_leads_to_its_address_elsewhere(home: Home) -> None:
    home.add_role()
    save(home, "booking", {**BOOKING, "slots": [], "address": "https://calendar.example.com/studio"})
    thread_id, path = invite(home)

    assert "https://calendar.example.com/studio" in str(home.mail(thread_id)["invite"].get_content())
    page = client().get(path).text
    assert 'href="https://calendar.example.com/studio"' in page
    assert press(path, act="withdraw").status_code == 200


def test_a_role_that_says_nothing_asks_to_answer_by_mail(home: Home) -> None:
    home.add_role()
    thread_id, path = invite(home)

    assert "Answer this letter with the times that suit you" in str(home.mail(thread_id)["invite"].get_content())
    assert "Answer the letter with the times that suit you" in client().get(path).text


def test_slots_that_passed_are_not_offered(role: Home, moved: Any) -> None:
    save(role, "booking", {**BOOKING, "slots": ["2026-08-21T09:00:00Z", *SLOTS]})
    _, path = invite(role)
    moved(datetime(2026, 8, 21, 9, 0, tzinfo=UTC))

    page = client().get(path).text

    assert [slot in page for slot in ("2026-08-21T09:00:00Z", *SLOTS)] == [False, True, True, True]


def test_another_tenants_link_opens_its_own_thread(role: Home) -> None:
    other = role.add_tenant("atlas")
    other.add_role("role-21")
    save(other, "booking", BOOKING, "role-21")
    mine, _ = invite(role)
    theirs, path = invite(other, role_id="role-21")

    press(path, act="book", slot=SLOTS[0])
    role.run()
    other.run()

    assert (role.ending(mine)[1], other.ending(theirs)[1]) == (None, "booked")
