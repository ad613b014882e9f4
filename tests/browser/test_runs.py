"""A run explains itself to a person at a keyboard: they walk its history, rehearse it, and lose no draft meanwhile."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Served, visit
from tests.browser.test_pages import RULES

pytestmark = pytest.mark.browser
PATIENCE = 15_000
THREAD = "role-14/app-0001"


@pytest.fixture
def run(served: Served) -> str:
    """The address of a run whose question stands."""
    home = served.home
    if not home.look("SELECT id FROM roles"):
        home.add_role()
        home.apply("Ann Example")
        home.run()
    return f"{served.url}/run?id={THREAD}"


def test_the_arrow_keys_walk_the_checkpoints_and_the_address_keeps_the_place(run: str, page: Page) -> None:
    visit(page, f"{run}&view=History")
    slider = page.get_by_role("slider")
    slider.wait_for(timeout=PATIENCE)

    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    page.get_by_role("heading", name="Checkpoint 4 of").wait_for(timeout=PATIENCE)
    page.reload()

    page.get_by_role("heading", name="Checkpoint 4 of").wait_for(timeout=PATIENCE)
    assert page.get_by_text("rubric version 1").count() > 0


def choose(page: Page, label: str, option: str) -> None:
    """Choose by keyboard: the first letters, then Enter."""
    box = page.get_by_role("combobox", name=label)
    box.wait_for(timeout=PATIENCE)
    box.click()
    page.keyboard.type(option, delay=20)
    page.keyboard.press("Enter")


def test_a_half_typed_draft_stays_while_the_run_moves(served: Served, run: str, page: Page) -> None:
    visit(page, run)
    choose(page, "What to do", "Record an event by hand")
    choose(page, "What happened", "withdraw")
    page.get_by_label("Why, if they said").fill("Rang to say")

    served.home.park(THREAD)
    page.get_by_text("Parked since").wait_for(timeout=PATIENCE)

    assert page.get_by_label("Why, if they said").input_value() == "Rang to say"
    served.home.retry(THREAD)


@pytest.mark.parametrize("view", ["Plan", "History", "What+the+model+saw", "What+happens+next", "Fork", "Compare"])
def test_no_view_of_a_run_keeps_anybody_out(run: str, page: Page, view: str) -> None:
    visit(page, f"{run}&view={view}")
    page.get_by_text("Screen role-14/app-0001").wait_for(timeout=PATIENCE)

    found = Axe().run(page, options=RULES)

    assert [one["id"] for one in found.response["violations"] if one["impact"] in ("serious", "critical")] == []
