"""Sign-in and sign-out, as plain routes answer them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from core.bootstrap import App
from core.desk.people import set_access
from core.web import COOKIE, current_app
from core.web.forms import SignIn, sign_in_page
from core.web.signed_in import own_page
from tests.homes import Home
from tests.pages.conftest import ANA, RIGHT, give_password, session_of
from tests.pages.forms import WRONG, is_let_in, post, said, sign_in, token_in
from tests.pages.test_http import NAMED, ORIGIN, client


def test_the_right_password_opens_a_session_and_leads_to_the_page_asked_for(ana: Home) -> None:
    answer = sign_in(next="/run?id=role-14/app-0001")

    assert (answer.status_code, answer.headers["location"]) == (303, "/run?id=role-14/app-0001")
    assert is_let_in(token_in(answer))


def test_the_cookie_is_for_this_site_and_for_no_script_and_ends_in_seven_days(ana: Home) -> None:
    name, *flags = sign_in().headers["set-cookie"].split("; ")

    assert name.startswith("daybook=")
    assert {flag.lower() for flag in flags} == {"httponly", "samesite=lax", "path=/", "max-age=604800"}


def test_the_cookie_is_secure_where_people_type_https(ana: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYBOOK_BASE_URL", NAMED)
    form = {"email": ANA, "password": RIGHT}

    answer = client(NAMED).post("/login", data=form, headers={"origin": NAMED})

    assert "secure" in answer.headers["set-cookie"].lower().split("; ")


def test_only_a_hash_of_the_token_is_kept(ana: Home) -> None:
    token = token_in(sign_in())
    kept = str(ana.look("SELECT * FROM sessions"))

    assert (len(token) >= 43, token in kept) == (True, False)


def test_every_sign_in_has_a_new_token_and_ends_the_session_it_came_with(ana: Home) -> None:
    first = token_in(sign_in())
    second = token_in(post("/login", cookie=first, email=ANA, password=RIGHT))
    chosen = "a-token-that-somebody-else-planted-in-the-browser"
    third = token_in(post("/login", cookie=chosen, email=ANA, password=RIGHT))

    assert len({first, second, third, chosen}) == 4
    assert [is_let_in(token) for token in (first, second, third, chosen)] == [False, True, True, False]


@pytest.mark.parametrize("email", [ANA, "nobody@example.com", "", "é\u202e@example.com", "x" * 4000])
def test_a_wrong_password_and_an_unknown_name_are_answered_alike(ana: Home, email: str) -> None:
    answer = sign_in("not the password", email)

    assert (answer.status_code, said(answer), COOKIE in answer.cookies) == (403, WRONG, False)


def test_what_was_typed_is_shown_as_text_and_the_password_never(ana: Home) -> None:
    answer = sign_in("a wrong password", '"><script>alert(1)</script>@example.com')

    assert "&quot;&gt;&lt;script&gt;" in answer.text
    assert ("<script" in answer.text, "a wrong password" in answer.text) == (False, False)


@pytest.mark.parametrize("access", ["reviewer", None])
def test_who_is_no_longer_active_is_not_let_in(home: Home, ana: Home, access: Any) -> None:
    owner = home.actor
    home.app.act(owner, "access", lambda tx: set_access(tx, owner, ANA, access))

    assert sign_in().status_code == (303 if access else 403)


def test_who_has_no_password_is_not_let_in(home: Home) -> None:
    home.add_person("ben@example.com")

    assert [said(sign_in(password, "ben@example.com")) for password in ("", RIGHT)] == [WRONG, WRONG]


PATHS = ["/login", "/logout", "/password"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", [None, "null", "https://evil.example.org", "http://127.0.0.1:9999"])
def test_a_form_of_another_page_is_refused(ana: Home, path: str, origin: str | None) -> None:
    token = session_of(ana)
    headers = {} if origin is None else {"origin": origin}
    form = {"email": ANA, "password": RIGHT, "old": RIGHT, "new": "x" * 20, "again": "x" * 20, "demo": "yes"}

    answer = client(cookies={COOKIE: token}).post(path, data=form, headers=headers)

    assert (answer.status_code, "set-cookie" in answer.headers, is_let_in(token)) == (403, False, True)


def test_signing_out_and_changing_a_password_are_no_links(ana: Home) -> None:
    token = session_of(ana)

    assert client(cookies={COOKIE: token}).get("/logout").status_code == 405
    assert is_let_in(token)


@pytest.mark.parametrize("path", ["/login", "/password"])
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"a=" + b"x" * (64 * 1024), "application/x-www-form-urlencoded", 413),
        (b'{"email": "x"}', "application/json", 415),
        (b"email=x", "text/plain", 415),
        (b"email=x", "multipart/form-data; boundary=x", 415),
        (b"email=%ff%fe", "application/x-www-form-urlencoded", 400),
        (b"&".join([b"a=1"] * 30), "application/x-www-form-urlencoded; charset=utf-8", 400),
    ],
)
def test_what_is_no_form_of_ours_is_not_read(ana: Home, path: str, body: bytes, kind: str, status: int) -> None:
    headers = {"origin": ORIGIN, "content-type": kind}

    answer = client(cookies={COOKIE: session_of(ana)}).post(path, content=body, headers=headers)

    assert answer.status_code == status


OURS = [
    "/",
    "/runs",
    "/run?id=role-14/app-0093",
    "/runs/role-14/app-0093",
    "/runs?find=a%20b&status=Waiting",
    "/resume/a.b-c_d=",
]
NOT_OURS = [
    "//evil.example.org", "///evil.example.org", "/\\evil.example.org", "\\\\evil.example.org",
    "https://evil.example.org", "https:evil.example.org", "javascript:alert(1)", "/%2fevil.example.org",
    "/%5cevil.example.org", "/%09/evil.example.org", "/\t/evil.example.org", "/ /evil.example.org",
    "/.//evil.example.org", "/..//evil.example.org", "/@evil\n.example.org", "/runs\r\nset-cookie: a=b",
    "/runs?a=b\r\nset-cookie: a=b", "evil.example.org", "", "/login", "/login?next=/runs", "/logout",
    "/_stcore/health", "/media/x", "/static/x", "/healthz", "/\u2044evil.example.org",
]  # fmt: skip


@pytest.mark.parametrize("page", OURS)
def test_sign_in_leads_back_to_a_page_of_ours(ana: Home, page: str) -> None:
    assert (own_page(page), sign_in(next=page).headers["location"]) == (page, page)


@pytest.mark.parametrize("page", NOT_OURS)
def test_sign_in_leads_nowhere_else(ana: Home, page: str) -> None:
    there = client(cookies={COOKIE: session_of(ana)}).get(f"/login?next={quote(page, safe='')}")

    assert (sign_in(next=page).headers["location"], there.headers["location"]) == ("/", "/")


def test_who_is_signed_in_already_is_led_on(ana: Home) -> None:
    answer = client(cookies={COOKIE: session_of(ana)}).get("/login?next=/runs")

    assert (answer.status_code, answer.headers["location"]) == (303, "/runs")


def test_signing_out_ends_this_session_and_no_other(ana: Home) -> None:
    here, elsewhere = session_of(ana), session_of(ana)

    answer = post("/logout", cookie=here)

    assert (answer.status_code, answer.headers["location"]) == (303, "/login?out=1")
    assert 'daybook="";' in answer.headers["set-cookie"]
    assert (is_let_in(here), is_let_in(elsewhere)) == (False, True)
    assert [entry["actor"] for entry in ana.audit("signed_out")] == [ana.actor.member.id]


@pytest.mark.parametrize("cookie", [None, "", "nonsense"])
def test_signing_out_without_a_session_changes_nothing(ana: Home, cookie: str | None) -> None:
    assert post("/logout", cookie=cookie).status_code == 303
    assert ana.audit("signed_out") == []


def test_a_person_of_another_tenant_signs_in_there_and_not_here(home: Home) -> None:
    there = home.add_tenant("atlas").add_person("cara@example.com")
    give_password(there.acted_by("owner@example.com"), "cara@example.com")

    assert said(sign_in(email="cara@example.com")) == WRONG
    assert is_let_in(token_in(sign_in(email="cara@example.com", tenant="atlas")))


def test_a_tenant_asked_for_stays_in_the_form(home: Home) -> None:
    page = client().get("/login?tenant=atlas").text

    assert '<input type="hidden" name="tenant" value="atlas">' in page
    assert 'name="tenant"' not in client().get("/login").text


@pytest.mark.parametrize("tenant", ["", "A", "../x", "a b", "<b>", "x" * 64, "home\n"])
def test_a_tenants_name_that_is_none_is_refused(home: Home, tenant: str) -> None:
    answers = client().get(f"/login?tenant={quote(tenant, safe='')}"), sign_in(tenant=tenant)

    assert [answer.status_code for answer in answers] == [400, 400]


def test_a_tenant_that_is_not_there_looks_like_one_that_is(home: Home) -> None:
    home.add_tenant("atlas")
    names = ("atlas", "nobody-has-it")

    pages = [client().get(f"/login?tenant={name}").text.replace(name, "T") for name in names]
    answers = [sign_in(tenant=name) for name in names]

    assert [said(answer) for answer in answers] == [WRONG, WRONG]
    assert pages[0] == pages[1]


def test_the_sign_in_page_names_nobody(home: Home) -> None:
    page = client().get("/login").text

    assert "Nobody has a password here yet. Set the first one: <code>python -m core person password EMAIL" in page
    assert "owner@example.com" not in page


def test_from_elsewhere_nobody_learns_whether_there_are_passwords(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYBOOK_BASE_URL", NAMED)

    assert "Nobody has a password" not in client(NAMED).get("/login").text


def test_the_sign_in_page_says_to_browsers_what_each_field_is(home: Home) -> None:
    page = client().get("/login")

    assert page.headers["cache-control"] == "no-store"
    for part in (
        '<label for="email">', 'autocomplete="username"', '<label for="password">', 'autocomplete="current-password"',
        " autofocus", '<html lang="en">',
    ):  # fmt: skip
        assert part in page.text
    assert ("<script" in page.text, "onclick" in page.text) == (False, False)


def test_a_refusal_is_an_alert_and_the_focus_goes_where_typing_goes_on() -> None:
    page = sign_in_page(SignIn(email=ANA, refusal="No."))

    assert 'role="alert">No.</p>' in page
    assert re.search(r'name="password"[^>]* autofocus', page)
    assert not re.search(r'name="email"[^>]* autofocus', page)


def test_a_sign_in_is_in_the_audit_log_and_a_refused_one_too(ana: Home) -> None:
    sign_in("not the password")
    sign_in()

    assert [entry["by"] for entry in ana.audit("signed_in")] == ["password"]
    assert [ANA in str(entry) for entry in ana.audit("sign_in_refused")] == [False]
    assert ana.verify() == []


def test_a_broken_database_lets_nobody_in(ana: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    token = session_of(ana)
    current_app()

    def broken(_app: App) -> None:
        raise OSError("disk")

    monkeypatch.setattr(App, "read", broken)

    with pytest.raises(OSError, match="disk"):
        client(cookies={COOKIE: token}).get("/act")
