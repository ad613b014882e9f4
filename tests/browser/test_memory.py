"""Memory in a browser: found, looked at, forgotten, undone; the address holds the filter; nothing in a reader's way."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DRAWN, LOOKS, Served, sign_in, visit
from tests.browser.test_pages import RULES
from tests.contracts.remembering import TEXT, remember, states, texts
from tests.contracts.remembering import look as read
from tests.homes import Home

pytestmark = pytest.mark.browser


def fill(home: Home) -> str:
    """Write a record, one that waits for a person, and two that contradict each other."""
    line = remember(home)
    remember(home, "<b>Harbour</b> pays late.", key="pays", origin="document", source="a letter")
    for text in ("Drafts on Fridays.", "Drafts on Mondays."):
        remember(home, text, key="drafts")
    return line.id


def test_a_record_is_found_forgotten_and_undone_and_a_reload_keeps_the_search(served: Served, page: Page) -> None:
    memory_id = fill(served.home)
    visit(page, f"{served.url}/memory")
    box = page.get_by_role("textbox", name="Find")
    box.fill("billed week")
    box.press("Enter")
    expect(page.locator(".memories tbody tr")).to_have_count(1)
    page.reload()
    expect(page.locator(".memories tbody tr")).to_have_count(1)
    assert "text=billed" in page.url

    page.get_by_text(TEXT).click()
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.get_by_text("It was forgotten")).to_be_visible()
    assert read(served.home).used == ()
    page.get_by_role("button", name="Undo: restore it").click()
    expect(page.locator("blockquote.recalled")).to_have_text(TEXT)
    assert (texts(read(served.home)), states(served.home)[memory_id]) == ([TEXT], "live")

    page.get_by_text("← All records").click()
    expect(page.locator(".memories tbody tr")).to_have_count(1)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reader(served: Served, browser: Browser, scheme: str, width: int) -> None:
    memory_id = fill(served.home)
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    sign_in(context, served)
    page, found = context.new_page(), {}
    for name, address in {"table": "/memory", "record": f"/memory?id={memory_id}"}.items():
        visit(page, served.url + address)
        if name == "record":  # that it was looked at is noted, which draws the page once more
            page.get_by_text("Looked at").wait_for()
        page.wait_for_selector(DRAWN)
        page.get_by_text("Change when").click()
        page.get_by_role("button", name="Show who leaves when").wait_for()
        page.wait_for_selector(DRAWN)
        page.get_by_role("button", name="Show who leaves when").click()
        page.locator(".would").wait_for()
        page.wait_for_selector(DRAWN)
        violations = Axe().run(page, options=RULES).response["violations"]
        found[name] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

    assert found == {"table": [], "record": []}
