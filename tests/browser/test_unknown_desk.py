"""A letter whose reply got lost, settled by a person in a real browser; the embedded worker then goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from core.clock import FIXTURE_START
from tests.browser.conftest import LOOKS, Served, end, fork, free_port, log_of, sign_in, visit, wait_until_served
from tests.browser.test_pages import RULES
from tests.homes import open_home
from tests.mail_servers import DROP, Scripted, scripted

pytestmark = pytest.mark.browser
THREAD = "role-14/app-0001"
RUN = f"/run?id={THREAD}"
PATIENCE = 15_000


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted(letter=DROP) as running:
        yield running


@pytest.fixture
def served(tmp_path: Path, server: Scripted, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server whose home has one invite that was taken, and whose reply got lost."""
    monkeypatch.setenv("DAYBOOK_MAIL", server.address)
    home = open_home(tmp_path / "home", now=FIXTURE_START, hold_seconds=0)
    home.add_role()
    home.apply("Ann Example")
    home.run()
    home.decide(THREAD)
    home.run()
    del server.script["letter"]
    port = free_port()
    process = fork(tmp_path / "home", port=port)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(tmp_path / "home"))
        yield Served(url, home, process)
    finally:
        end(process)
        home.app.close()


def test_a_person_finds_the_doubt_on_today_and_says_it_was_sent(served: Served, server: Scripted, page: Page) -> None:
    visit(page, f"{served.url}/")
    page.get_by_role("link", name="Settle it on its page").click()
    page.get_by_role("heading", name="Nobody knows whether this was sent").wait_for(timeout=PATIENCE)
    assert page.locator(".known").get_by_text(server.address).count() == 1

    page.get_by_label("Reference: where you found it").fill("4QX71")
    page.get_by_role("button", name="It was sent", exact=True).click()
    page.get_by_text("Waits for booking or withdraw").wait_for(timeout=PATIENCE)

    assert page.get_by_role("heading", name="Nobody knows whether this was sent").count() == 0
    assert (len(server.accepted), served.home.ledger()["invite"].result_ref) == (1, "4QX71")


def test_two_quick_presses_on_send_it_again_send_one_more(served: Served, server: Scripted, page: Page) -> None:
    visit(page, served.url + RUN)
    again = page.get_by_role("button", name="It was not sent: send it again")
    again.wait_for()
    page.wait_for_timeout(600)  # a press before anybody could read does not count

    again.dblclick(delay=30)
    page.get_by_text("Waits for booking or withdraw").wait_for(timeout=PATIENCE)

    assert (len(server.accepted), served.home.ledger()["invite"].attempt) == (2, 2)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_at_the_desk_stands_in_the_way_of_a_reader(
    served: Served, browser: Browser, scheme: str, width: int, tmp_path: Path
) -> None:
    served.home.switch(on=False)
    viewport = {"width": width, "height": 1400}
    context = browser.new_context(color_scheme=scheme, viewport=viewport, bypass_csp=True)  # type: ignore[arg-type]
    sign_in(context, served)
    page = context.new_page()
    found = {}
    for path in (RUN, "/"):
        visit(page, served.url + path)
        page.get_by_text("Sending is off.").wait_for(timeout=PATIENCE)
        violations = Axe().run(page, options=RULES).response["violations"]
        found[path] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        page.screenshot(path=tmp_path / f"desk{len(found)}-{scheme}-{width}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert found == {RUN: [], "/": []}
