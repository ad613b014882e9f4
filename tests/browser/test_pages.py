from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LOOKS, START_SECONDS, Served, free_port, log_of, sign_in, start, visit

pytestmark = pytest.mark.browser
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}}
RUN = "/run?id=role-14/app-0001"


@pytest.mark.parametrize("path", ["/runs", RUN, "/runs/role-14/app-0001", "/"])
def test_a_fresh_servers_first_page_has_the_shell_around_it(served: Served, page: Page, path: str) -> None:
    visit(page, served.url + path)

    assert page.title().endswith("· Daybook")
    assert page.locator(".acting").inner_text().replace("\n", " ") == "Daybook Owner · owner of home Password Sign out"
    assert page.locator("[data-testid=stSidebarNav]").count() == 0
    assert page.get_by_text("Ann Example").count() == 1


def test_a_row_opens_its_run_and_the_way_back_leads_to_the_filter(served: Served, page: Page) -> None:
    visit(page, f"{served.url}/runs?find=ann")

    page.get_by_role("link", name="Ann Example").click()
    page.wait_for_selector(".plan")
    at_run = page.url
    page.go_back()
    page.wait_for_selector("table.runs")

    assert at_run == served.url + RUN
    assert page.url == f"{served.url}/runs?find=ann"
    expect(page.get_by_role("textbox")).to_have_value("ann", timeout=15_000)


def test_a_run_redraws_itself_when_its_rows_moved(served: Served, page: Page) -> None:
    visit(page, served.url + RUN)

    served.home.decide("role-14/app-0001", "approve")
    page.get_by_text("Held for 15 min").wait_for(timeout=15_000)

    assert page.locator(".plan .p-waiting_event").count() == 1


def test_an_open_fold_stays_open_while_the_page_redraws_itself(served: Served, page: Page) -> None:
    visit(page, f"{served.url}{RUN}&view=History")
    fold = page.locator(".st-key-run-state details")
    fold.locator("summary").click()
    expect(fold).to_have_attribute("open", "")

    served.home.decide("role-14/app-0001", "approve")
    expect(page.locator(".chip").first).not_to_contain_text("person", timeout=15_000)

    expect(fold).to_have_attribute("open", "")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reader(served: Served, browser: Browser, scheme: str, width: int) -> None:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    sign_in(context, served)
    page, found = context.new_page(), {}
    for path in ("/runs", RUN, "/runs?find=nobody", "/run?id=none"):
        visit(page, served.url + path)
        violations = Axe().run(page, options=RULES).response["violations"]
        found[path] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

    assert found == {path: [] for path in found}


def test_pages_ask_no_other_server(served: Served, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    visit(page, served.url + "/runs")
    visit(page, served.url + RUN)

    elsewhere = [url for url in asked if not url.startswith((served.url, "ws://", "data:", "blob:"))]
    assert elsewhere == []


def test_the_policy_blocks_nothing_that_pages_need(served: Served, page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))

    visit(page, served.url + "/runs")
    visit(page, served.url + RUN)

    assert [text for text in said if "Content Security Policy" in text] == []


def test_the_app_refuses_to_start_on_another_address(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    process = start(folder, "--server.address", "0.0.0.0", port=free_port())  # noqa: S104 - what is refused

    code = process.wait(timeout=START_SECONDS)

    said = log_of(folder).read_text()
    assert code != 0
    assert "server.address is 0.0.0.0, where others can reach Daybook: first set DAYBOOK_BASE_URL" in said
    assert "Traceback" not in said


def test_a_server_stops_within_five_seconds_and_leaves_no_worker(served: Served) -> None:
    served.process.terminate()
    try:
        served.process.wait(timeout=8)
    except subprocess.TimeoutExpired:
        pytest.fail("The server was still there after 8 s.")

    with served.home.app.read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM workers").scalar_one() == 0


@pytest.mark.case("J07")
def test_four_tabs_and_twenty_reruns_have_one_worker_and_the_server_ends_within_five_seconds(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context()
    sign_in(context, served)
    tabs = [context.new_page() for _ in range(4)]
    for tab in tabs:
        visit(tab, f"{served.url}/runs")
    workers = {tuple(served.home.look("SELECT id, pid FROM workers WHERE kind = 'embedded'"))}
    for number in range(20):
        visit(tabs[number % 4], f"{served.url}/{'runs' if number % 2 else 'today'}")
        workers.add(tuple(served.home.look("SELECT id, pid FROM workers WHERE kind = 'embedded'")))
    begun = time.monotonic()
    served.process.send_signal(signal.SIGINT)
    served.process.wait(timeout=10)
    took = time.monotonic() - begun
    context.close()

    assert [len(one) for one in workers] == [1]
    assert took < 5
    assert served.home.look("SELECT id FROM workers WHERE kind = 'embedded'") == []
