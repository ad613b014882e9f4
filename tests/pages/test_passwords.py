"""What a password lets in, what waits, and how one's own is changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from argon2 import PasswordHasher

from core.clock import real_now, write_instant
from core.people import accounts
from core.web import COOKIE
from tests.homes import Home
from tests.pages.conftest import ANA, RIGHT, give_password, session_of
from tests.pages.forms import WAITS, WRONG, is_let_in, post, said, sign_in, token_in
from tests.pages.test_http import client


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hashes that passwords were verified against."""
    against: list[str] = []

    class Counting:
        def __init__(self, hasher: PasswordHasher) -> None:
            self._hasher = hasher

        def __getattr__(self, name: str) -> Any:
            return getattr(self._hasher, name)

        def verify(self, hashed: str, password: str) -> bool:
            against.append(hashed)
            return self._hasher.verify(hashed, password)

    monkeypatch.setattr(accounts, "_hasher", Counting(accounts._hasher))
    return against


@pytest.mark.parametrize(
    ("email", "tenant"),
    [(ANA, "home"), ("nobody@example.com", "home"), ("owner@example.com", "home"), (ANA, "no-such")],
)
def test_every_try_costs_one_verification_of_the_same_cost(
    ana: Home, verified: list[str], email: str, tenant: str
) -> None:
    for _ in range(accounts.FREE_FAILURES + 2):  # the last ones while the name waits
        sign_in("not the password", email, tenant=tenant)

    costs = {hashed.split("$")[3] for hashed in verified}
    assert (len(verified), len(costs)) == (accounts.FREE_FAILURES + 2, 1)


@pytest.mark.parametrize(("email", "tenant"), [(ANA, "home"), ("nobody@example.com", "home"), (ANA, "no-such-tenant")])
def test_the_sixth_try_waits_whoever_is_named(ana: Home, email: str, tenant: str) -> None:
    answers = [said(sign_in("not the password", email, tenant=tenant)) for _ in range(6)]

    assert answers[:5] == [WRONG] * 5
    assert answers[5].startswith(WAITS)


def test_the_right_password_is_refused_while_its_name_waits_and_taken_after(ana: Home) -> None:
    for _ in range(5):
        sign_in("not the password")
    waiting = sign_in()
    ana.change("UPDATE sign_in_tries SET until_at = :past", past="2020-01-01T00:00:00.000Z")
    after = sign_in()

    assert (waiting.status_code, COOKIE in waiting.cookies, said(waiting)[: len(WAITS)]) == (403, False, WAITS)
    assert after.status_code == 303


def test_another_name_does_not_wait_and_a_name_that_signed_in_starts_afresh(home: Home, ana: Home) -> None:
    home.add_person("ben@example.com")
    give_password(home, "ben@example.com")
    for _ in range(5):
        sign_in("not the password")
    other = sign_in(email="ben@example.com")
    for _ in range(4):
        sign_in("not the password", "ben@example.com")
    sign_in(email="ben@example.com")

    afresh = said(sign_in("not the password", "ben@example.com"))

    assert (other.status_code, afresh) == (303, WRONG)


def test_many_tries_at_once_get_no_further_than_five(ana: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    real = accounts.read_claim
    before = sign_in("not the password")  # opens the home
    assert before.status_code == 403
    reads: list[Any] = []
    monkeypatch.setattr("core.desk.people.read_claim", lambda *asked: as_if_first(real, asked, reads))
    ana.change(
        "UPDATE sign_in_tries SET failures = 5, until_at = :later",
        later=write_instant(real_now() + timedelta(minutes=5)),
    )

    assert said(sign_in()).startswith(WAITS)


def as_if_first(real: Any, asked: tuple[Any, ...], reads: list[Any]) -> Any:
    """Read as a try does that began before the others had failed: what it saw at first says that nobody waits."""
    claim = real(*asked)
    reads.append(claim)
    return claim if len(reads) > 1 else accounts.Claim(claim.member, claim.hash, 0, None)


def test_a_password_changed_during_a_try_lets_nobody_in_by_the_old_one(
    home: Home, ana: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = accounts.verify

    def change_meanwhile(claim: accounts.Claim, password: str) -> Any:
        right = real(claim, password)
        give_password(home, ANA, "another long password")
        return right

    monkeypatch.setattr("core.desk.people.verify", change_meanwhile)

    assert said(sign_in()) == WRONG


def test_a_new_password_ends_every_session_and_opens_one(ana: Home) -> None:
    here, elsewhere = session_of(ana), session_of(ana)

    answer = post("/password", cookie=here, old=RIGHT, new="another long password", again="another long password")

    assert [is_let_in(token) for token in (here, elsewhere, token_in(answer))] == [False, False, True]
    assert (sign_in().status_code, sign_in("another long password").status_code) == (403, 303)


@pytest.mark.parametrize(
    ("old", "new", "again", "sentence"),
    [
        ("not the password", "another long password", "another long password", "That is not your password now."),
        (RIGHT, "another long password", "another long passwort", "The new password was not typed the same way twice."),
        (RIGHT, "short", "short", "A password has at least 12 characters; this one has 5."),
        (RIGHT, "Ana@Example.com", "Ana@Example.com", "A password is not the address it belongs to."),
    ],
)
def test_a_password_that_does_not_fit_changes_nothing(ana: Home, old: str, new: str, again: str, sentence: str) -> None:
    token = session_of(ana)

    answer = post("/password", cookie=token, old=old, new=new, again=again)

    assert (answer.status_code, said(answer), is_let_in(token)) == (403, sentence, True)
    assert sign_in().status_code == 303


def test_guessing_the_old_password_waits_as_sign_in_does(ana: Home) -> None:
    token, new = session_of(ana), "another long password"
    for _ in range(5):
        post("/password", cookie=token, old="not the password", new=new, again=new)

    assert said(post("/password", cookie=token, old=RIGHT, new=new, again=new)).startswith(WAITS)
    assert said(sign_in()).startswith(WAITS)


def test_nobody_else_changes_a_password(ana: Home) -> None:
    answer = post("/password", old=RIGHT, new="another long password", again="another long password")

    assert answer.status_code == 401
    assert sign_in().status_code == 303


def test_who_has_no_password_is_told_where_the_first_one_is_set(home: Home) -> None:
    page = client(cookies={COOKIE: session_of(home)}).get("/password").text

    assert "python -m core person password owner@example.com --as owner@example.com" in page
    assert 'name="new"' not in page


def test_tries_of_long_ago_are_forgotten(home: Home, ana: Home) -> None:
    sign_in("not the password", "nobody@example.com")
    home.change("UPDATE sign_in_tries SET until_at = :past", past="2020-01-01T00:00:00.000Z")

    sign_in()

    assert home.look("SELECT count(*) FROM sign_in_tries") == [(0,)]
