"""Who applied: one application a person and role; earlier ones are recalled by an exact key."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.intake import Incoming, Outcome, accept
from core.errors import RoleClosed
from tests.contracts.screened import THREAD
from tests.homes import CV, ROLE, Home, open_home


def apply_as(home: Home, email: str, *, role_id: str = ROLE, again: bool = False) -> Outcome:
    """Take one application from whoever types this address."""
    content = CV.format(name="Ann Example", email="").encode()
    incoming = [Incoming("cv.txt", content, name="Ann Example", email=email)]
    (outcome,) = accept(home.app.write, home.app.desk, home.actor, role_id, incoming, again=again)
    return outcome


def opened(folder: Path, *roles: str) -> Home:
    """Open a home with these roles."""
    home = open_home(folder / "home")
    for role_id in roles or (ROLE,):
        home.add_role(role_id)
    return home


SAME = ["ann@example.com", "ANN@Example.COM", " ann@example.com", "ann@example.com\t", "\u00a0ann@example.com\u00a0"]
OTHERS = ["a.nn@example.com", "ann+jobs@example.com", "ann@example.org", "anna@example.com"]


@pytest.mark.parametrize("typed", SAME)
@pytest.mark.case("E01")
def test_the_same_address_typed_otherwise_is_the_same_person_and_is_pointed_to_the_first(
    tmp_path: Path, typed: str
) -> None:
    home = opened(tmp_path)
    assert apply_as(home, "ann@example.com").thread_id == THREAD
    second = apply_as(home, typed)
    assert (second.thread_id, second.code, THREAD in (second.reason or "")) == (None, "already_applied", True)
    assert home.look("SELECT id FROM threads") == [(THREAD,)]


@pytest.mark.parametrize("typed", OTHERS)
def test_an_address_that_only_looks_alike_is_another_person(tmp_path: Path, typed: str) -> None:
    home = opened(tmp_path)
    apply_as(home, "ann@example.com")
    assert apply_as(home, typed).thread_id == f"{ROLE}/app-0002"


@pytest.mark.case("I14")
def test_submit_clicked_five_times_is_one_application(tmp_path: Path) -> None:
    home = opened(tmp_path)
    outcomes = [apply_as(home, "ann@example.com") for _ in range(5)]
    assert [one.thread_id for one in outcomes] == [THREAD, None, None, None, None]
    assert home.look("SELECT count(*) FROM threads, receipts") == [(1,)]


def test_one_batch_with_the_same_person_twice_takes_the_first(tmp_path: Path) -> None:
    home = opened(tmp_path)
    content = CV.format(name="Ann Example", email="").encode()
    incoming = [Incoming(f"{typed}.txt", content, name="Ann Example", email=typed) for typed in SAME[:2]]
    outcomes = accept(home.app.write, home.app.desk, home.actor, ROLE, incoming)
    assert [one.thread_id for one in outcomes] == [THREAD, None]
    assert home.verify() == []


def test_the_same_person_may_be_added_again_on_purpose(tmp_path: Path) -> None:
    home = opened(tmp_path)
    apply_as(home, "ann@example.com")
    assert apply_as(home, "ann@example.com", again=True).thread_id == f"{ROLE}/app-0002"


def test_the_same_person_may_apply_for_another_role_and_in_another_tenant(tmp_path: Path) -> None:
    home = opened(tmp_path, ROLE, "role-15")
    north = home.add_tenant("north")
    north.add_role()
    apply_as(home, "ann@example.com")
    assert apply_as(home, "ann@example.com", role_id="role-15").thread_id == "role-15/app-0001"
    assert apply_as(north, "ann@example.com").thread_id == THREAD


@pytest.mark.seed("screen.kind.recall")
@pytest.mark.parametrize(
    ("typed", "recalled"), [("ANN@example.com ", "applied in August, declined at review"), ("ann@example.org", None)]
)
def test_an_earlier_application_is_recalled_by_the_exact_address_and_no_other(
    tmp_path: Path, typed: str, recalled: str | None
) -> None:
    home = opened(tmp_path, ROLE, "role-15")
    apply_as(home, "ann@example.com")
    home.run()
    home.decide(THREAD, "reject")
    home.run()
    later = apply_as(home, typed, role_id="role-15").thread_id
    assert later is not None
    home.run()
    assert home.question(later).facts["recall"] == recalled


def test_another_tenant_s_applicants_are_never_recalled(tmp_path: Path) -> None:
    home = opened(tmp_path)
    apply_as(home, "ann@example.com")
    home.run()
    home.decide(THREAD, "reject")
    home.run()
    north = home.add_tenant("north")
    north.add_role()
    apply_as(north, "ann@example.com")
    north.run()
    assert north.question(THREAD).facts["recall"] is None


@pytest.mark.case("E05")
def test_a_letter_goes_to_the_address_as_it_was_typed(tmp_path: Path) -> None:
    home = opened(tmp_path)
    apply_as(home, " Mixed.Case@Example.com ")
    home.run()
    home.decide(THREAD)
    home.run()
    assert str(home.mail(THREAD)["invite"]["To"]) == "Mixed.Case@Example.com"


def test_nobody_applies_for_a_role_that_is_closed(tmp_path: Path) -> None:
    home = opened(tmp_path)
    home.change("UPDATE roles SET status = 'closed'")
    with pytest.raises(RoleClosed):
        apply_as(home, "ann@example.com")
    assert home.look("SELECT id FROM threads") == []
