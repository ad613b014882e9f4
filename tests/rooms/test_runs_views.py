"""The list of runs as rows: its orders, its pages, what it finds and what it only offers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from core.clock import FIXTURE_START
from core.errors import BadInput
from core.views import near_names, runs, runs_order
from core.views.near_names import Offers, offer_names
from core.views.runs import Page, Wanted, list_runs
from core.views.runs_order import Place, read_place
from tests.homes import Home, open_home

NAMES = ("Ann Example", "Ben Example", "Priya Shah", "Zoë Quick", "Eve Example", "Jon Example", "Kim Example")
NOW = FIXTURE_START + timedelta(minutes=len(NAMES))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Give one home to all, for nothing here changes what its list shows: asked, invited, ended, parked, not begun."""
    home = open_home(tmp_path_factory.mktemp("runs") / "home", hold_seconds=0)
    home.add_role()
    home.add_role("role-15")
    for minute, name in enumerate(NAMES):
        home = home.at(FIXTURE_START + timedelta(minutes=minute))
        home.apply(
            name, f"{name.partition(' ')[0].lower()}@example.com", role_id="role-15" if minute == 1 else "role-14"
        )
        if minute == 3:
            home.run()
            home.decide("role-14/app-0001")
            home.run()
            home.park("role-14/app-0002")
            home.cancel("role-14/app-0003")
    yield home
    home.app.close()


def page(home: Home, wanted: Wanted = Wanted(), place: Place | None = None, now: datetime = NOW) -> Page:  # noqa: B008 - frozen
    with home.app.read() as conn:
        return list_runs(conn, home.app.vault, home.tenant_id, wanted, place, now)


def ids(home: Home, wanted: Wanted, now: datetime = NOW) -> list[str]:
    """Every run that fits, page by page, and never one twice."""
    found, place = [], None
    while True:
        shown = page(home, wanted, place, now)
        found += [line.thread.id for line in shown.lines]
        if shown.after is None:
            assert len(set(found)) == len(found)
            return found
        place = shown.after


ORDERS = [Wanted(sort=sort, is_descending=falls) for sort in runs_order.SORTS for falls in (False, True)]


@pytest.mark.parametrize("narrowed", [{}, {"status": "ready"}, {"role_id": "role-14"}, {"workflow": "screening"}])
@pytest.mark.parametrize("wanted", ORDERS, ids=lambda one: f"{one.sort}-{one.is_descending}")
def test_many_runs_stand_in_the_order_that_few_do(
    home: Home, monkeypatch: pytest.MonkeyPatch, wanted: Wanted, narrowed: dict[str, str]
) -> None:
    asked = Wanted(sort=wanted.sort, is_descending=wanted.is_descending, **narrowed)
    few = ids(home, asked)
    monkeypatch.setattr(runs, "MOST", 0)  # every list is one of too many now
    monkeypatch.setattr(runs, "PAGE_SIZE", 2)

    assert ids(home, asked) == few
    assert few


@pytest.mark.parametrize("most", [0, 100])
def test_the_page_before_the_second_is_the_first(home: Home, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(runs, "MOST", most)
    monkeypatch.setattr(runs, "PAGE_SIZE", 2)
    first = page(home)
    third = page(home, place=page(home, place=first.after).after)

    second = page(home, place=third.before)

    assert page(home, place=second.before).lines == first.lines
    assert page(home, place=second.before).before is None


def test_what_goes_on_stands_first_and_of_it_what_has_waited_longest(home: Home) -> None:
    found = [line.thread for line in page(home).lines]

    going = [one.since_at for one in found if not one.has_ended]
    assert going == sorted(going)
    assert [one.has_ended for one in found] == sorted(one.has_ended for one in found)
    assert found[-1].id == "role-14/app-0003"


def test_a_filter_by_each_column_answers_what_fits_and_nothing_else(home: Home) -> None:
    owner = home.actor.member.id

    assert ids(home, Wanted(status="parked")) == ["role-14/app-0002"]
    assert ids(home, Wanted(role_id="role-15")) == ["role-15/app-0001"]
    assert ids(home, Wanted(workflow="reconciliation")) == []
    assert len(ids(home, Wanted(owner_id=owner))) == len(NAMES)
    assert ids(home, Wanted(owner_id="person-nobody")) == []
    assert ids(home, Wanted(status="parked", role_id="role-15")) == []


def test_an_age_leaves_what_has_stood_for_so_long(home: Home) -> None:
    an_hour_ago = FIXTURE_START + timedelta(minutes=4)

    stood = ids(home, Wanted(stood_for=timedelta(hours=1)), now=an_hour_ago + timedelta(hours=1))

    assert sorted(stood) == sorted(line.thread.id for line in page(home).lines if line.thread.since_at <= an_hour_ago)
    assert 0 < len(stood) < len(NAMES)


@pytest.mark.parametrize(
    ("find", "found"),
    [
        ("shah priya", ["role-14/app-0002"]),
        ("zoe", ["role-14/app-0003"]),
        ("role-15/", ["role-15/app-0001"]),
        ("ROLE-15", ["role-15/app-0001"]),
        ("role-14/app-0001/nothing", []),
        ("Pria Sha", []),
        ("shah pri", []),
        ("role_15", []),
    ],
)
def test_a_run_is_found_by_whole_words_or_the_start_of_its_id_and_by_nothing_near(
    home: Home, find: str, found: list[str]
) -> None:
    assert ids(home, Wanted(find=find)) == found


def test_a_run_is_found_by_the_key_of_what_it_sent(home: Home) -> None:
    assert ids(home, Wanted(find="role-14/app-0001/invite")) == ["role-14/app-0001"]


def offered(home: Home, typed: str) -> Offers:
    with home.app.read() as conn:
        return offer_names(conn, home.app.vault, home.tenant_id, typed)


def test_names_spelt_nearly_so_are_offered_and_others_are_not(home: Home) -> None:
    assert offered(home, "Pria Shaw") == Offers(["Priya Shah"], len(NAMES), is_all=True)
    assert offered(home, "Somebody Else").names == []


def test_an_offer_says_that_not_every_name_was_looked_at(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_names, "SCANNED", 2)

    assert offered(home, "Pria Shaw") == Offers([], 2, is_all=False)  # hers is an older one
    assert offered(home, "Kim Exampel").names == ["Kim Example"]


def test_another_tenant_finds_counts_and_is_offered_nothing(home: Home) -> None:
    other = home.add_tenant("other")

    assert page(other) == Page([], {}, 0, None, None, is_empty=True)
    assert ids(other, Wanted(find="role-14/")) == ids(other, Wanted(find="Priya Shah")) == []
    assert offered(other, "Pria Shaw") == Offers([], 0, is_all=True)


def test_a_place_is_read_as_it_is_written_and_anything_else_is_refused() -> None:
    place = Place(1, "2026-08-20T09:00:00.000Z", "role-14/app-0001~x", is_before=True)

    assert read_place(str(place)) == place
    for wrong in ("+", "x~0~a~b", "+~x~a~b", "+~0~a", "+~11~a~b"):
        with pytest.raises(BadInput):
            read_place(wrong)
