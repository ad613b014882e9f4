"""Costs in a browser: every view, light and dark, wide and narrow, with nothing in a reader's way."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.costs import VIEWS
from tests.benchmarks.costs import fill as record_calls
from tests.browser.conftest import DRAWN, LOOKS, Served, sign_in, visit
from tests.browser.test_pages import RULES

pytestmark = pytest.mark.browser
CALLS = 120


def test_a_chart_folds_its_table_open_and_a_run_that_stands_out_is_a_press_away(served: Served, page: Page) -> None:
    record_calls(served.home, CALLS)
    visit(page, f"{served.url}/costs")

    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    page.locator(".st-key-costs-fold-steps summary").click()
    expect(page.get_by_role("region", name="Tokens of each step").get_by_text("Cache hits")).to_be_visible()
    page.get_by_role("radio", name="Calls").click()
    expect(page.get_by_role("region", name="Model calls, the newest first")).to_be_visible()
    assert "show=Calls" in page.url


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reader(served: Served, browser: Browser, scheme: str, width: int) -> None:
    record_calls(served.home, CALLS)
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    sign_in(context, served)
    page, found = context.new_page(), {}
    for view in VIEWS:
        visit(page, f"{served.url}/costs?show={view.replace(' ', '+')}")
        page.wait_for_selector(DRAWN)
        page.wait_for_timeout(800)
        violations = Axe().run(page, options=RULES).response["violations"]
        found[view] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

    assert found == {view: [] for view in VIEWS}
