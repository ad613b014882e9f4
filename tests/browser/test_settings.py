"""Settings in a browser: a rubric edited, previewed and saved; a role closed; nothing in a reader's way."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DRAWN, LOOKS, Served, sign_in, visit
from tests.browser.test_pages import RULES
from tests.contracts.rubrics import SIX

WOULD = '.would:not([aria-label="The next seven times"])'  # each duty's form has one of its own
pytestmark = pytest.mark.browser
SIXTH = SIX[SIX.index("| #") :]


def preview_sixth(page: Page) -> None:
    """Open the rubric's text, add a sixth criterion, and ask what saving would do."""
    page.get_by_text("Edit as text").click()
    area = page.get_by_role("textbox", name="The rubric's text")
    area.fill(SIXTH)
    area.press("Control+Enter")
    page.wait_for_selector(DRAWN)
    page.get_by_role("button", name="Preview").click()
    page.locator(WOULD).wait_for()


def test_a_rubric_is_previewed_saved_and_stands_beside_the_old_one(served: Served, page: Page) -> None:
    page.set_viewport_size({"width": 1360, "height": 1000})
    visit(page, f"{served.url}/settings")

    preview_sixth(page)
    page.get_by_role("button", name="Save version 2").click()

    expect(page.locator(".versions thead th")).to_have_count(2)
    expect(page.locator(".versions mark").first).to_be_visible()


def test_a_role_is_closed_only_after_its_preview(served: Served, page: Page) -> None:
    visit(page, f"{served.url}/settings")

    page.get_by_role("button", name="Close role-14 …").click()
    expect(page.locator(WOULD)).to_contain_text("Nobody is rejected or mailed.")
    page.get_by_role("button", name="Close role-14", exact=True).click()

    expect(page.locator(".states .state")).to_contain_text("Closed since")


def test_what_is_typed_and_saved_at_once_is_what_was_typed(served: Served, page: Page) -> None:
    visit(page, f"{served.url}/settings")
    page.get_by_text("Set the time").first.click()

    page.get_by_role("textbox", name="Local time").first.fill("04:45")
    page.get_by_role("button", name="Save the time").first.click()  # as it leaves the field, the page draws anew

    expect(page.get_by_text("The time is saved.")).to_be_visible()
    assert served.home.look("SELECT at_time FROM duties") == [("04:45",)]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reader(served: Served, browser: Browser, scheme: str, width: int) -> None:
    served.home.save_rubric(SIX.replace("Writes plainly", "Writes clearly"))
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    sign_in(context, served)
    page, found = context.new_page(), {}
    visit(page, f"{served.url}/settings")
    page.get_by_role("button", name="Close role-14 …").click()
    page.locator(WOULD).wait_for()
    page.get_by_text("Edit as text").click()
    page.get_by_role("button", name="Preview").wait_for()
    for name in ("settings", "review"):
        if name != "settings":
            visit(page, f"{served.url}/{name}")
        violations = Axe().run(page, options=RULES).response["violations"]
        found[name] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

    assert found == {"settings": [], "review": []}
