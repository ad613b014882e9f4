"""Sign-in with a real server: what a stranger's bytes hold, and what tabs do."""

from __future__ import annotations

import re
import socket
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from core.clock import real_now
from core.desk.people import set_password
from core.people.accounts import hash_password
from core.web import COOKIE
from tests.browser.conftest import LOOKS, Served, end, log_of, sign_in, start, visit, wait_until_served
from tests.browser.test_pages import RULES, RUN
from tests.homes import Home

pytestmark = pytest.mark.browser
CANARY = "Zuzanna Kanarek"
RIGHT = "a long enough password"
ADDRESSES = [
    "/", "/runs", RUN, "/runs/role-14/app-0001", "/run", "/today", "/review", "/settings", "/pages/run.py",
    "/pages/runs", "/app.py", "/data/var/daybook.sqlite", "/_stcore/health", "/_stcore/host-config",
    "/_stcore/metrics", "/_stcore/stream", "/_stcore/script-health-check", "/_stcore/agent/mcp", "/media/x",
    "/component/x", "/app/static/x", "/static/x", "/login", "/login?next=/runs", "/healthz", "/logout",
    "/password", "/static/../runs", "/static/%2e%2e/runs", "//runs",
]  # fmt: skip
TELLING = [CANARY, "Zuzanna", "Kanarek", "Ann Example", "app-0001", "owner@example.com", "ana@example.com"]


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_asked: object) -> None:
        return None


def bytes_of(url: str) -> bytes:
    """Answer all that a server sends for one address: status, headers and body."""
    try:
        answer = urllib.request.build_opener(_Stay).open(url, timeout=10)
    except HTTPError as error:
        answer = error
    with answer:
        return f"{answer.status} {answer.headers}".encode() + answer.read()


def bytes_of_websocket(served: Served, path: str, **headers: str) -> bytes:
    """Knock at a websocket as a browser does, and answer all that comes back until it closes or falls silent."""
    host = served.url.removeprefix("http://")
    asked = {
        "Host": host, "Origin": served.url, "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Protocol": "streamlit", **headers,
    }  # fmt: skip
    lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
    heard = bytearray()
    with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=2) as wire:
        wire.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        try:
            while part := wire.recv(65536):
                heard += part
        except TimeoutError:
            pass
    return bytes(heard)


def telling(heard: bytes, asked: str = "") -> list[str]:
    """Answer what an answer gives away; the address that was asked for may stand in the way back to it."""
    text = re.sub(r"next=\S*", "", heard.decode("utf-8", "replace"))
    return [word for word in TELLING if word in text and word not in asked]


def test_a_fresh_server_tells_a_stranger_nothing(served: Served) -> None:
    """The very first bytes it is asked for, by every address; it stays a test of the first request for each kind."""
    served.home.apply(CANARY, "ana@example.com")

    sockets = {path: bytes_of_websocket(served, path) for path in ("/_stcore/stream", "/runs/_stcore/stream", "/")}
    answers = {path: bytes_of(served.url + path) for path in ADDRESSES}

    assert {path: telling(heard) for path, heard in answers.items() if telling(heard)} == {}
    assert {path: heard.split(b"\r\n")[0] for path, heard in sockets.items()} == dict.fromkeys(
        sockets, b"HTTP/1.1 403 Forbidden"
    )
    assert [telling(heard) for heard in sockets.values()] == [[], [], []]


@pytest.mark.parametrize("path", ["/", "/runs", RUN])
def test_a_private_window_is_led_to_sign_in_and_receives_no_row(served: Served, private: Page, path: str) -> None:
    served.home.apply(CANARY, "ana@example.com")
    bodies: list[bytes] = []
    private.on("websocket", lambda opened: opened.on("framereceived", lambda frame: bodies.append(as_bytes(frame))))
    private.on("response", lambda answer: bodies.append(b"" if 300 <= answer.status < 400 else answer.body()))

    private.goto(served.url + path)

    assert private.url.startswith(f"{served.url}/login")
    assert private.get_by_label("E-mail address").is_visible()
    assert telling(b"".join(bodies), asked=path) == []


def as_bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame


def test_a_cookie_that_is_no_session_opens_no_websocket(served: Served, browser: Browser) -> None:
    context = browser.new_context()
    token = sign_in(context, served)

    opened = bytes_of_websocket(served, "/_stcore/stream", Cookie=f"{COOKIE}={token}")
    closed = bytes_of_websocket(served, "/_stcore/stream", Cookie=f"{COOKIE}={token[:-1]}")
    context.close()

    assert (opened.split(b"\r\n")[0], closed.split(b"\r\n")[0]) == (
        b"HTTP/1.1 101 Switching Protocols",
        b"HTTP/1.1 403 Forbidden",
    )


@pytest.fixture
def ana(served: Served) -> Home:
    """A reviewer with a password."""
    owner = served.home.actor
    reviewer = served.home.add_person("ana@example.com")
    member = reviewer.actor.member
    hashed = hash_password(RIGHT, member)
    served.home.app.act(owner, "password", lambda tx: set_password(tx, owner, member, hashed, real_now()))
    return reviewer


def type_in(page: Page, password: str = RIGHT) -> None:
    page.get_by_label("E-mail address").fill("ana@example.com")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_signing_in_leads_to_the_page_asked_for_and_a_reload_keeps_it(served: Served, ana: Home, private: Page) -> None:
    private.goto(served.url + RUN)
    assert private.evaluate("document.activeElement.id") == "email"
    type_in(private, "not the password")
    refused = private.get_by_role("alert").inner_text(), private.evaluate("document.activeElement.id")
    type_in(private)
    private.wait_for_selector(".plan")
    private.reload()
    private.wait_for_selector(".plan")

    assert refused == ("That address and password do not fit together.", "password")
    assert private.url == served.url + RUN
    assert "Ana · reviewer of home" in private.locator(".acting").inner_text().replace("\n", " ")
    assert private.evaluate("document.cookie").find(COOKIE) == -1


def test_sign_in_works_without_a_script(served: Served, ana: Home, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served.url}/password")
    type_in(page, "not the password")
    was_refused = page.get_by_role("alert").is_visible()
    type_in(page)
    page.get_by_label("Password now").fill(RIGHT)
    page.get_by_label("New password", exact=True).fill("another long password")
    page.get_by_label("New password again").fill("another long password")
    page.get_by_role("button", name="Change password").click()

    assert was_refused
    assert page.get_by_role("status").inner_text().startswith("Your password is changed.")
    context.close()


def test_signing_out_in_one_tab_locks_the_other_at_its_next_tick(served: Served, page: Page) -> None:
    other = page.context.new_page()
    visit(other, f"{served.url}/runs")
    visit(page, served.url + RUN)

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login?out=1")
    other.wait_for_selector(".signed-out")

    assert page.get_by_role("status").inner_text() == "You are signed out."
    assert other.get_by_text("Ann Example").count() == 0
    assert other.get_by_role("link", name="Sign in").get_attribute("href") == "/login?next=%2Fruns"
    page.go_back()
    page.wait_for_url("**/login*")


def test_a_new_password_locks_other_browsers_and_keeps_this_one(
    served: Served, ana: Home, browser: Browser, private: Page
) -> None:
    elsewhere = browser.new_context()
    sign_in(elsewhere, served, ana)
    left = elsewhere.new_page()
    visit(left, f"{served.url}/runs")
    sign_in(private.context, served, ana)
    visit(private, f"{served.url}/runs")
    private.get_by_role("link", name="Password").click()
    private.get_by_label("Password now").fill(RIGHT)
    private.get_by_label("New password", exact=True).fill("another long password")
    private.get_by_label("New password again").fill("another long password")
    private.get_by_role("button", name="Change password").click()
    private.get_by_role("status").wait_for()

    left.wait_for_selector(".signed-out", timeout=15_000)
    visit(private, f"{served.url}/runs")

    assert left.get_by_text("Ann Example").count() == 0
    assert private.get_by_text("Ann Example").count() == 1
    elsewhere.close()


def test_a_restart_of_the_server_keeps_the_sign_in(served: Served, page: Page, tmp_path: Path) -> None:
    visit(page, f"{served.url}/runs")
    end(served.process)
    again = start(tmp_path / "home", port=int(served.url.rpartition(":")[2]))
    try:
        wait_until_served(served.url, again, log_of(tmp_path / "home"))
        visit(page, f"{served.url}/runs")
        assert page.get_by_text("Ann Example").count() == 1
    finally:
        end(again)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_stands_in_the_way_of_signing_in(
    served: Served, ana: Home, browser: Browser, scheme: str, width: int
) -> None:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # axe is put into the page
    )
    page, found = context.new_page(), {}

    def look(name: str) -> None:
        violations = Axe().run(page, options=RULES).response["violations"]
        found[name] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.goto(f"{served.url}/login")
    look("sign-in")
    type_in(page, "not the password")
    look("refused")
    sign_in(context, served, ana)
    page.goto(f"{served.url}/password?changed=1")
    look("password")
    visit(page, f"{served.url}/runs")
    with served.home.app.write() as tx:
        tx.conn.exec_driver_sql("DELETE FROM sessions")
    page.wait_for_selector(".signed-out", timeout=15_000)
    look("signed out")
    context.close()

    assert found == {name: [] for name in found}


def test_the_policy_blocks_nothing_that_sign_in_needs(served: Served, ana: Home, private: Page) -> None:
    said: list[str] = []
    private.on("console", lambda message: said.append(message.text))

    private.goto(f"{served.url}/login")
    type_in(private)
    private.wait_for_selector(".acting")
    private.get_by_role("button", name="Sign out").click()
    private.wait_for_url("**/login?out=1")

    assert [text for text in said if "Content Security Policy" in text] == []
