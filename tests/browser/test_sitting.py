"""A whole sitting by keyboard: forty questions, five of which somebody else answers first; nobody touches the mouse."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk.decisions import Answer, decide_approval
from tests.browser.conftest import Served, end, fork, free_port, log_of, visit, wait_until_served
from tests.browser.test_review import ready
from tests.homes import Home, open_home

pytestmark = pytest.mark.browser
APPLICANTS = 40
FIRST_BY_ANOTHER = (3, 11, 12, 25, 38)  # in the order in which they come up
SOON = 15_000


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server over a home where forty questions stand, and what is answered leaves when the sitting ends."""
    home = open_home(tmp_path / "home", hold_seconds=900)
    home.add_role()
    for number in range(APPLICANTS):
        home.apply(f"Applicant {number:02} Example", f"applicant-{number}@example.com")
    home.run()
    port, folder = free_port(), tmp_path / "home"
    process = fork(folder, port=port, DAYBOOK_HOLD_SECONDS="900")
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(folder))
        yield Served(url, home, process)
    finally:
        end(process)
        home.app.close()


def shown(page: Page) -> str:
    """Answer the run whose question is on the page."""
    return page.locator(".card-head code").first.inner_text()


def press_until_it_moves(page: Page, key: str) -> None:
    """Press as a person does: once, and again where the page asked to pause after ten equal answers."""
    before = shown(page)
    for _ in range(2):
        ready(page)
        page.keyboard.press(key)
        page.wait_for_function(
            "(before) => document.querySelector('.card-head code')?.textContent !== before"
            " || document.body.innerText.includes('press again')",
            arg=before,
            timeout=SOON,
        )
        if shown(page) != before:
            return
        page.get_by_text("press again").first.wait_for(state="hidden", timeout=SOON)


def press_until_held(page: Page, held: int) -> None:
    """Approve, and once more where the page asked to pause."""
    for _ in range(2):
        press(page, "a")
        page.wait_for_timeout(3_000)
        if f"held {held}" in page.locator(".strip").inner_text():
            return
    expect(page.locator(".strip")).to_contain_text(f"held {held}", timeout=SOON)


def reject_first(ben: Home, thread_id: str) -> None:
    """Answer as another person does in a session of their own."""
    question, actor = ben.question(thread_id), ben.actor
    answer = Answer("reject", question.version)
    ben.app.act(actor, "decide", lambda tx: decide_approval(tx, ben.app.desk, actor, question.id, answer))


def test_a_whole_sitting_of_forty_questions_by_keyboard(served: Served, page: Page) -> None:
    home = served.home
    ben = home.add_person("ben@example.com")
    visit(page, f"{served.url}/review")
    page.locator(".then.yes").wait_for()
    seen, lost = answer_all(page, ben)

    expect(page.locator(".strip")).to_contain_text("0 to decide", timeout=SOON)
    approved = [one for one in seen if home.question(one).status == "approved"]
    assert (len(set(seen)), len(approved), len(lost)) == (APPLICANTS, APPLICANTS - len(lost), len(FIRST_BY_ANOTHER))
    assert {home.question(one).decided_by for one in approved} == {home.actor.member.id}
    assert {home.question(one).decided_by for one in lost} == {ben.actor.member.id}
    assert home.letters() == []  # all of it is held

    aside = take_back(page, 39)
    press(page, "h")
    page.get_by_text("Aside until?").wait_for(timeout=SOON)
    page.keyboard.press("2")
    expect(page.get_by_text("Snoozed · 1")).to_be_visible(timeout=SOON)
    again = take_back(page, 38)
    press_until_held(page, 39)
    assert (home.question(aside).status, home.question(again).status) == ("pending", "approved")
    end_sitting(page)
    expect(page.locator(".card-head")).to_contain_text("34 verdicts · 2 taken back", timeout=SOON)

    for one in approved:
        if one != aside:
            home.release(one)
    wait_for_letters(home, len(approved) - 1)
    sent = {str(letter["X-Daybook-Key"]) for letter in read_all(home)}
    assert sent == {f"{one}/invite" for one in approved if one != aside}
    assert home.verify() == []


def answer_all(page: Page, ben: Home) -> tuple[list[str], list[str]]:
    """Approve whatever comes up; answer what came up, and what Ben had answered first."""
    seen: list[str] = []
    lost: list[str] = []
    for place in range(APPLICANTS):
        thread_id = shown(page)
        seen.append(thread_id)
        if place in FIRST_BY_ANOTHER:
            ready(page)
            reject_first(ben, thread_id)
            page.keyboard.press("a")
            # Before the page has heard of Ben's answer this is a conflict; after it, there is nothing left to answer.
            said = page.locator(".conflict, .banner.done").filter(has_text="Decline by Ben, Thu 20 Aug 10:00 BST")
            expect(said.first).to_be_visible(timeout=SOON)
            lost.append(thread_id)
            page.keyboard.press("j")
            expect(page.locator(".card-head code").first).not_to_have_text(thread_id, timeout=SOON)
        elif place < APPLICANTS - 1:
            press_until_it_moves(page, "a")
        else:
            press_until_held(page, APPLICANTS)
    return seen, lost


def press(page: Page, key: str) -> None:
    ready(page)
    page.keyboard.press(key)


def take_back(page: Page, held: int) -> str:
    """Undo the newest answer, and answer whose question stands again."""
    page.keyboard.press("u")
    expect(page.locator(".strip")).to_contain_text(f"held {held}", timeout=SOON)
    return shown(page)


def end_sitting(page: Page) -> None:
    """End it; what was answered in a hurry is offered once more first, and let go."""
    page.keyboard.press("Shift+E")
    expect(page.locator(".banner.back")).to_contain_text("Second look", timeout=SOON)
    page.keyboard.press("Shift+E")
    page.get_by_role("heading", name="This sitting").wait_for(timeout=SOON)


def wait_for_letters(home: Home, count: int) -> None:
    """Wait for the server's own worker to send."""
    until = time.monotonic() + 30
    while len(home.letters()) < count and time.monotonic() < until:
        time.sleep(0.1)
    assert len(home.letters()) == count


def read_all(home: Home) -> list[Message]:
    return [message_from_bytes(path.read_bytes()) for path in home.letters()]
