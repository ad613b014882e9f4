"""A newcomer's way through the browser: add a role, drop CVs, watch them screened, open one; and ask the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.web import COOKIE
from tests.browser.conftest import DRAWN, LOOKS, Served, end, fork, free_port, log_of, visit, wait_until_served
from tests.browser.test_pages import RULES
from tests.homes import CV, ROLE_FILE, open_home
from tests.pages.conftest import session_of

pytestmark = pytest.mark.browser
UPLOADER = "presentation-role-conflict"  # minor, and Streamlit's own: its file uploader is a focusable presentation
NAMES = ("Ann", "Ben", "Cy")
Enter = Callable[..., Page]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Served]:
    """A fresh server over a home with no role."""
    home, port = open_home(tmp_path / "home", hold_seconds=900), free_port()
    process = fork(tmp_path / "home", port=port)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(tmp_path / "home"))
        yield Served(url, home, process)
    finally:
        end(process)
        home.app.close()


@pytest.fixture
def enter(browser: Browser) -> Iterator[Enter]:
    """Open a tab in which the owner of a served home is signed in."""
    contexts: list[BrowserContext] = []

    def open_tab(served: Served, **how: object) -> Page:
        context = browser.new_context(**how)  # type: ignore[arg-type]
        context.add_cookies([{"name": COOKIE, "value": session_of(served.home), "url": served.url}])
        contexts.append(context)
        return context.new_page()

    yield open_tab
    for context in contexts:
        context.close()


def cvs(folder: Path) -> list[Path]:
    """Write three invented CVs."""
    paths = [folder / f"{name.lower()}.txt" for name in NAMES]
    for name, path in zip(NAMES, paths, strict=True):
        path.write_text(CV.format(name=f"{name} Example", email=f"{name.lower()}@example.com"))
    return paths


def test_a_role_is_added_and_three_cvs_are_screened_before_the_readers_eyes(
    empty: Served, enter: Enter, tmp_path: Path
) -> None:
    page = enter(empty, viewport={"width": 1360, "height": 1000})
    visit(page, f"{empty.url}/applications")
    page.get_by_label("Or paste its text").fill(ROLE_FILE.read_text())
    page.get_by_label("Or paste its text").press("Control+Enter")
    page.locator(".preview").wait_for()
    page.get_by_role("button", name="Save role").click()
    page.get_by_text("Nobody has applied to this role yet.").wait_for()

    page.locator("input[type=file]").last.set_input_files(cvs(tmp_path))
    page.get_by_text("cy.txt").wait_for()
    page.get_by_role("button", name="Add applications").dblclick()
    page.get_by_text("3 added").wait_for()
    expect(page.locator(".applications .chip", has_text="Waiting for a person")).to_have_count(3, timeout=30_000)

    page.get_by_role("link", name="Ben Example").click()
    page.locator(".lines").wait_for()
    marked = page.locator(".lines mark")
    expect(marked.first).to_be_visible()
    assert page.locator(".lines li").first.inner_text() == "Ben Example"
    assert page.locator(".scores li").count() == 5


def test_what_is_typed_stays_while_the_page_redraws_itself(served: Served, enter: Enter) -> None:
    page = enter(served)
    visit(page, served.url)
    page.get_by_label("Ask the record").press_sequentially("Did we invite Ann")

    served.home.decide("role-14/app-0001", "approve")
    page.get_by_text("Nothing waits for you.").wait_for(timeout=15_000)

    assert page.get_by_label("Ask the record").input_value() == "Did we invite Ann"


def test_a_question_is_answered_with_its_rows(served: Served, enter: Enter) -> None:
    page = enter(served)
    visit(page, served.url)

    page.get_by_label("Ask the record").fill("Did we invite Ann Example?")
    page.get_by_label("Ask the record").press("Enter")
    page.locator(".told").wait_for()

    assert "No. Waits for a person" in page.locator(".told .said").inner_text()
    page.locator(".told").get_by_role("link", name="Ann Example").click()
    page.locator(".plan").wait_for()


def test_the_logo_leads_to_today(served: Served, enter: Enter) -> None:
    page = enter(served)
    visit(page, f"{served.url}/runs")

    page.get_by_test_id("stLogoLink").click()
    page.get_by_role("heading", name="Today").wait_for()

    assert page.url.rstrip("/") == served.url


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reader(served: Served, enter: Enter, scheme: str, width: int) -> None:
    page = enter(served, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    found = {}
    for path in ("/", "/applications", "/application?id=role-14/app-0001", "/application?id=none"):
        visit(page, served.url + path)
        if path == "/applications":
            page.get_by_text("Add a role").click()
            page.get_by_label("Or paste its text").fill(f"{ROLE_FILE.read_text()}\nApplications close 1/9/2025.\n")
            page.get_by_label("Or paste its text").press("Control+Enter")
            page.locator(".preview").wait_for()
        if path == "/":
            page.get_by_label("Ask the record").fill("Ann Example")
            page.get_by_label("Ask the record").press("Enter")
            page.locator(".told").wait_for()
        page.wait_for_selector(DRAWN)
        violations = Axe().run(page, options=RULES).response["violations"]
        found[path] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations if one["id"] != UPLOADER]
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    assert found == {path: [] for path in found}
