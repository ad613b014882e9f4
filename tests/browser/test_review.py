"""The review page pressed as a person presses it: real keys, real double clicks, two tabs, a real worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LOOKS, Served, end, fork, free_port, log_of, sign_in, visit, wait_until_served
from tests.browser.test_pages import RULES
from tests.homes import Home, open_home

pytestmark = pytest.mark.browser
LONG_ENOUGH = 600  # ms: what a press sets off is drawn by then
HOSTILE = "![x](https://evil.example.org/p.png) <img src=x onerror=alert(1)> **Eve** www.evil.example.org"
NAMES = ("Ann Example", "Ben Example", "Cara Example", HOSTILE)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server over a home where four questions stand."""
    home = open_home(tmp_path / "home", hold_seconds=900)
    home.add_role()
    for number, name in enumerate(NAMES):
        home.apply(name, f"applicant-{number}@example.com")
    home.run()
    port = free_port()
    folder = tmp_path / "home"
    process = fork(folder, port=port, DAYBOOK_HOLD_SECONDS="900")
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(folder))
        yield Served(url, home, process)
    finally:
        end(process)
        home.app.close()


def look(page: Page, served: Served, path: str = "/review") -> None:
    """Open the page and look at it for long enough to answer."""
    visit(page, served.url + path)
    page.locator(".then.yes").wait_for()
    ready(page)


def ready(page: Page) -> None:
    """Wait until what is asked has been on screen for long enough, as the browser itself counts it."""
    page.locator("body[data-sitting=armed]").wait_for(state="attached", timeout=15_000)


def thread(number: int) -> str:
    return f"role-14/app-000{number}"


def statuses(home: Home) -> list[str]:
    return [home.question(thread(number)).status for number in range(1, len(NAMES) + 1)]


def shows(page: Page, name: str) -> None:
    expect(page.locator("h2.who")).to_have_text(name, timeout=15_000)


def test_approve_undo_approve_again_and_release_by_keys_sends_one_invite(served: Served, page: Page) -> None:
    look(page, served)

    page.keyboard.press("a")
    shows(page, "Ben Example")
    ready(page)
    page.keyboard.press("u")
    shows(page, "Ann Example")
    ready(page)
    page.wait_for_timeout(3000)  # a faster verdict asks for a second look, which holds its release
    page.keyboard.press("a")
    shows(page, "Ben Example")
    ready(page)
    page.get_by_role("button", name="Release now").click()
    expect(page.locator(".strip")).to_contain_text("held 0", timeout=20_000)

    assert [path.name for path in served.home.letters()] == [path.name for path in served.home.letters()[:1]]
    assert list(served.home.mail(thread(1))) == ["invite"]
    page.keyboard.press("u")
    expect(page.get_by_text("was released 10:00:00")).to_be_visible(timeout=10_000)


KEY = 'new KeyboardEvent("keydown", { key: "a", code: "KeyA", bubbles: true, cancelable: true })'
CLICK = 'new MouseEvent("click", { bubbles: true, cancelable: true })'
TWICE = """async (gap) => {
  let at;
  for (const after of [0, gap]) {
    await new Promise((done) => setTimeout(done, after));
    const press = PRESS, button = document.querySelector("[class*=st-key-review-approve-] button");
    at ??= press.timeStamp;
    Object.defineProperty(press, "timeStamp", { value: at + after });  // however late a busy machine comes to it
    (press.type === "click" ? button : document.body).dispatchEvent(press);
  }
}"""
ON_PAINT = """() => new MutationObserver((_, observer) => {
  const button = document.querySelector("[class*=st-key-review-approve-] button:enabled");
  if (!button?.textContent.startsWith("Invite Ben")) return;
  observer.disconnect();
  button.click();
}).observe(document.body, { subtree: true, childList: true, characterData: true })"""


@pytest.mark.parametrize("gap", [60, 120, 180, 250])
@pytest.mark.parametrize("press", [CLICK, KEY], ids=["click", "key"])
def test_pressing_twice_decides_one_question_and_not_the_next(served: Served, page: Page, press: str, gap: int) -> None:
    look(page, served)

    page.evaluate(TWICE.replace("PRESS", press), gap)
    shows(page, "Ben Example")
    ready(page)

    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]


def test_a_double_click_by_the_mouse_decides_one_question(served: Served, page: Page) -> None:
    look(page, served)

    page.get_by_role("button", name="Invite Ann").dblclick(delay=10)
    shows(page, "Ben Example")
    ready(page)

    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]


def test_a_press_that_the_server_would_take_is_held_back_until_the_question_was_painted_long_enough(
    served: Served, page: Page
) -> None:
    look(page, served)

    page.evaluate(ON_PAINT)
    page.keyboard.press("j")
    shows(page, "Ben Example")
    expect(page.locator(".early")).to_have_text("Too quick to count: this question had only just come up.")
    ready(page)

    assert statuses(served.home) == ["pending"] * 4


def test_keys_are_dead_behind_the_open_drawer_and_live_when_it_is_closed(served: Served, page: Page) -> None:
    look(page, served)

    page.keyboard.press("o")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(LONG_ENOUGH)
    for key in ("a", "d", "1", "j"):
        page.keyboard.press(key)
    page.wait_for_timeout(LONG_ENOUGH)
    assert statuses(served.home) == ["pending"] * 4

    page.keyboard.press("Escape")
    page.locator(".sheet").wait_for(state="detached")
    shows(page, "Ann Example")
    expect(page.get_by_role("button", name="Invite Ann")).to_be_enabled(timeout=15_000)
    ready(page)
    page.keyboard.press("a")
    shows(page, "Ben Example")
    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]


def test_a_key_that_comes_before_the_drawer_is_drawn_decides_nothing(served: Served, page: Page) -> None:
    look(page, served)

    page.keyboard.press("o")
    page.wait_for_timeout(60)
    page.keyboard.press("a")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(LONG_ENOUGH)

    assert statuses(served.home) == ["pending"] * 4


def test_a_decline_takes_a_reason_by_number(served: Served, page: Page) -> None:
    look(page, served)

    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Evidence thin")).to_be_visible()
    ready(page)
    page.keyboard.press("2")
    shows(page, "Ben Example")

    assert statuses(served.home)[0] == "rejected"
    assert served.home.question(thread(1)).remark["reason"] == "Evidence thin"


def test_enter_never_decides_and_space_on_the_focused_button_does(served: Served, page: Page) -> None:
    look(page, served)

    for name in ("Invite Ann", "Decline"):
        page.get_by_role("button", name=name).first.focus()
        page.keyboard.press("Enter")
    page.wait_for_timeout(LONG_ENOUGH)
    assert statuses(served.home) == ["pending"] * 4
    assert page.get_by_role("button", name="Evidence thin").count() == 0

    page.get_by_role("button", name="Invite Ann").focus()
    page.keyboard.press("Space")
    shows(page, "Ben Example")
    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]


def test_a_key_held_down_decides_once(served: Served, page: Page) -> None:
    look(page, served)

    for _ in range(30):
        page.keyboard.down("a")  # a second one without an up is the keyboard's own repeat
        page.wait_for_timeout(40)
    page.keyboard.up("a")
    ready(page)

    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]


def test_keys_walk_the_questions_and_the_address_follows(served: Served, page: Page) -> None:
    look(page, served)

    page.keyboard.press("j")
    shows(page, "Ben Example")
    page.keyboard.press("k")
    shows(page, "Ann Example")
    assert f"item={served.home.question(thread(1)).id}" in page.url
    page.get_by_role("button", name=f"Open {thread(3)}").click()
    shows(page, "Cara Example")
    page.keyboard.press("l")
    page.locator(".plan").wait_for()
    assert page.url.endswith("/run?id=role-14%2Fapp-0003")


def test_a_conflict_between_two_people_tells_who_and_when(served: Served, browser: Browser) -> None:
    bea = served.home.add_person("bea@example.com")
    context = browser.new_context()
    sign_in(context, served)
    page = context.new_page()
    with page.expect_websocket() as found:
        look(page, served)
    with found.value.expect_event("framereceived"):
        pass  # the page has just looked; it looks again in two seconds

    bea.decide(thread(1), "reject")
    page.keyboard.press("a")

    panel = page.locator(".conflict")
    expect(panel).to_contain_text("Decline by Bea, Thu 20 Aug 10:00 BST", timeout=10_000)
    expect(panel).to_contain_text("Your answer, kept")
    assert served.home.question(thread(1)).verdict == "reject"
    context.close()


def test_two_people_in_two_tabs_see_each_others_answers(served: Served, browser: Browser) -> None:
    served.home.add_person("bea@example.com")
    tabs = []
    for email in ("owner@example.com", "bea@example.com"):
        context = browser.new_context()
        sign_in(context, served, served.home.acted_by(email))
        tabs.append(context.new_page())
        look(tabs[-1], served)

    tabs[0].keyboard.press("a")
    shows(tabs[0], "Ben Example")

    expect(tabs[1].locator(".banner.done")).to_contain_text("Invite by Owner, Thu 20 Aug 10:00 BST", timeout=15_000)
    tabs[1].keyboard.press("u")
    tabs[1].wait_for_timeout(LONG_ENOUGH)
    assert statuses(served.home)[0] == "approved"
    for tab in tabs:
        tab.context.close()


def test_one_person_in_two_tabs_answers_once(served: Served, browser: Browser) -> None:
    context = browser.new_context()
    sign_in(context, served)
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        look(tab, served)

    for tab in tabs:
        tab.bring_to_front()
        tab.keyboard.press("a")
    tabs[1].wait_for_timeout(LONG_ENOUGH)
    tabs[0].bring_to_front()
    shows(tabs[0], "Ben Example")

    assert statuses(served.home) == ["approved", "pending", "pending", "pending"]
    context.close()


def test_a_hostile_name_is_text_everywhere(served: Served, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    look(page, served, f"/review?item={served.home.question(thread(4)).id}")

    shows(page, HOSTILE)
    page.keyboard.press("a")
    expect(page.locator(".strip")).to_contain_text("held 1")
    page.wait_for_timeout(LONG_ENOUGH)

    assert page.locator("a[href*=evil], img[src*=evil], img[src=x]").count() == 0
    assert [url for url in asked if "evil" in url] == []


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_a_reviewer(served: Served, browser: Browser, scheme: str, width: int) -> None:
    served.home.decide(thread(2))
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    sign_in(context, served)
    page, found = context.new_page(), {}
    for name, keys in {"card": "", "reason": "d", "drawer": "o", "keys": "F1"}.items():
        look(page, served)
        if keys and (width > 640 or name in ("drawer", "keys")):
            page.keyboard.press(keys)
            page.wait_for_timeout(LONG_ENOUGH)
        violations = Axe().run(page, options=RULES).response["violations"]
        bad = [one for one in violations if one["impact"] in ("serious", "critical")]
        found[name] = [(one["id"], one["nodes"][0]["html"][:200]) for one in bad]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()

    assert found == {name: [] for name in found}


def test_a_phone_reads_and_does_not_decide(served: Served, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    sign_in(context, served)
    page = context.new_page()
    look(page, served)

    acts = page.locator(".st-key-review-acts").get_by_role("button").all_inner_texts()
    assert {one.split()[0] for one in acts} == {"Next", "Previous", "Open", "Run", "Keys"}
    context.close()
