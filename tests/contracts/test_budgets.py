"""Budgets: what a call may cost is held before it leaves, and one that does not fit asks a person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.costs.budgets import Used, budgets_over, find_budget, used_of
from core.costs.money import usd
from core.desk.budgets import NewCard, add_rates, set_budget
from core.errors import NotAllowed, NotFound
from core.ports import Rates
from core.views.costs import list_calls, read_costs
from tests import messages_api as api
from tests.contracts.test_model_calls import PAID
from tests.homes import ROLE, Home, open_home
from tests.messages_api import MODEL, MessagesApi, messages_api

CENT = 10**10
UNPRICED = f"{MODEL}-of-ours"


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def home(tmp_path: Path, server: MessagesApi) -> Home:
    opened = open_home(tmp_path / "home").with_model(server.model()).with_calls(1)
    opened.add_role()
    return opened


def give(home: Home, limit: int | None, role_id: str | None = ROLE) -> None:
    actor = home.actor
    home.app.act(actor, "budget set", lambda tx: set_budget(tx, actor, role_id, limit))


def price_at(home: Home, card: NewCard) -> None:
    actor = home.actor
    home.app.act(actor, "rates add", lambda tx: add_rates(tx, actor, card))


def used(home: Home, role_id: str = ROLE) -> Used:
    with home.app.read() as conn:
        budget = find_budget(conn, home.tenant_id, role_id)
        assert budget is not None
        return used_of(conn, budget)


def limit_of(home: Home, role_id: str = ROLE) -> str:
    with home.app.read() as conn:
        budget = find_budget(conn, home.tenant_id, role_id)
    assert budget is not None
    return "none" if budget.limit is None else usd(budget.limit)


@pytest.mark.parametrize("scope", [ROLE, None])
def test_a_call_over_its_budget_is_asked_about_and_leaves_once_it_is_allowed(
    home: Home, server: MessagesApi, scope: str | None
):
    give(home, CENT, scope)
    thread_id = home.apply()
    home.run()

    question = home.question(thread_id)
    assert (home.ending(thread_id)[0], question.kind, question.about) == (
        "awaiting_review", "budget", f"role {scope}" if scope else "the tenant",
    )  # fmt: skip
    assert (server.asked, home.look("SELECT id FROM model_calls")) == ([], [])
    assert ("which the budget of" in question.title, question.facts["limit_usd"]) == (True, "0.01")

    home.decide(thread_id)
    home.run()

    assert home.question(thread_id).kind == "review"
    assert (len(server.asked), used(home, scope or "")) == (1, Used(recorded=PAID))
    assert limit_of(home, scope or "") == "0.01"

    second = home.apply("Ben Example", "ben@example.com")
    home.run()
    assert home.question(second).kind == "budget"  # what was allowed was that one call
    assert home.verify() == []


def test_an_answer_with_a_new_limit_raises_the_budget_for_all_who_asked(home: Home, server: MessagesApi):
    give(home, CENT)
    first, second = home.apply(), home.apply("Ben Example", "ben@example.com")
    home.run()
    assert [home.question(one).kind for one in (first, second)] == ["budget", "budget"]

    home.decide(first, limit_usd=1)
    home.run()

    assert [home.question(one).kind for one in (first, second)] == ["review", "review"]
    assert (limit_of(home), used(home).recorded) == ("1.00", 2 * PAID)
    (raised,) = [one for one in home.audit("budget_set") if one["thread"] == first]
    assert (raised["limit"], raised["by"]) == ("1.00", home.actor.member.id)
    asked = home.look("SELECT status FROM approvals WHERE kind = 'budget' ORDER BY status")
    assert [row[0] for row in asked] == ["approved", "withdrawn"]


def test_a_limit_that_is_still_too_low_is_asked_about_again(home: Home, server: MessagesApi):
    give(home, CENT)
    thread_id = home.apply()
    home.run()
    before = home.question(thread_id).id
    home.decide(thread_id, limit_usd=0.02)
    home.run()

    assert (home.question(thread_id).kind, home.question(thread_id).id != before) == ("budget", True)
    assert (server.asked, limit_of(home)) == ([], "0.02")


def test_a_stop_parks_the_thread_until_there_is_room(home: Home, server: MessagesApi):
    give(home, CENT)
    thread_id = home.apply()
    home.run()
    home.decide(thread_id, "reject")
    home.run()

    assert (home.ending(thread_id)[0], server.asked) == ("parked", [])
    assert home.thread(thread_id).thread.parked_why == "budget_stopped"

    home.retry(thread_id)
    home.run()
    assert (home.ending(thread_id)[0], server.asked) == ("parked", [])

    give(home, 100 * CENT)
    home.retry(thread_id)
    home.run()
    assert (home.question(thread_id).kind, len(server.asked)) == ("review", 1)


def test_a_budget_that_is_raised_by_hand_lets_them_go_on(home: Home, server: MessagesApi):
    give(home, CENT)
    thread_id = home.apply()
    home.run()

    give(home, 100 * CENT)
    home.run()

    assert home.question(thread_id).kind == "review"
    give(home, None)
    with home.app.read() as conn:
        assert budgets_over(conn, home.tenant_id, ROLE) == []


@pytest.mark.case("C06")
def test_a_model_that_nobody_can_price_stops_at_a_budget_and_nowhere_else(home: Home, server: MessagesApi):
    free = home.apply()
    home.run()
    give(home, 100 * CENT)
    server.say(api.by_evidence(model=UNPRICED))
    dear = home.with_model(server.model(UNPRICED))
    thread_id = dear.apply("Ben Example", "ben@example.com")
    dear.run()

    assert (home.question(free).kind, home.question(thread_id).kind) == ("review", "budget")
    assert home.question(thread_id).title.startswith(f"Nobody can price a call to {UNPRICED}")
    assert len(server.asked) == 1

    home.decide(thread_id)
    dear.run()

    assert home.question(thread_id).kind == "review"
    assert used(home) == Used(recorded=PAID, unpriced_calls=1)
    with home.app.read() as conn:
        found = read_costs(conn, home.tenant_id)
    assert (found.total("recorded"), found.total("unpriced_calls"), found.total("calls")) == (PAID, 1, 2)


def test_a_call_that_is_out_holds_its_most_and_a_dead_one_what_it_was_expected_to_cost(home: Home):
    thread_id = home.apply()
    home.run()
    give(home, 100 * CENT)
    assert used(home) == Used(recorded=PAID)

    # As a process leaves it that died while the call was out, seen before and after another worker came.
    home.change(
        "UPDATE model_calls SET status = 'open', closed_at = NULL, fresh_tokens = NULL, picodollars = NULL,"
        " unpriced_why = 'usage_unknown'"
    )
    ((most, forecast),) = home.look("SELECT estimated_picodollars, forecast_picodollars FROM model_calls")
    home.change("UPDATE threads SET lease_holder = 'w-gone', lease_no = (SELECT lease_no FROM model_calls)")
    alive = used(home)
    home.change("UPDATE threads SET lease_no = lease_no + 1 WHERE id = :id", id=thread_id)
    dead = used(home)

    assert (alive, dead) == (Used(reserved=int(str(most))), Used(estimated=int(str(forecast))))
    assert int(str(forecast)) < int(str(most))


def test_of_two_calls_at_once_the_second_sees_what_the_first_holds(home: Home, server: MessagesApi):
    give(home, 6 * CENT)  # room for one call at its most, or for six as they turn out
    server.say(api.HANGING, api.by_evidence())
    both = [home.apply(), home.apply("Ben Example", "ben@example.com")]
    working = threading.Thread(target=home.with_calls(2).run)
    working.start()
    assert server.reached.wait(20)
    while "budget" not in (kinds := [str(row[0]) for row in home.look("SELECT kind FROM approvals")]):
        working.join(0.02)
    held = used(home)
    server.let_go.set()
    working.join()

    assert (kinds, len(server.asked)) == (["budget"], 1)
    assert (held.recorded, 4 * CENT < held.reserved < 6 * CENT) == (0, True)
    assert sorted(home.ending(one)[0] for one in both) == ["awaiting_review", "ready"]


def test_a_viewer_and_a_reviewer_set_no_budget_and_no_rates(home: Home):
    for who in ("viewer@example.com", "reviewer@example.com"):
        acting = home.add_person(who, "viewer" if who.startswith("viewer") else "reviewer")
        with pytest.raises(NotAllowed):
            give(acting, CENT)
        card = NewCard(MODEL, Rates(0, 1, 1, 1, 1, 1), date(2026, 8, 1), "Mine")
        with pytest.raises(NotAllowed):
            price_at(acting, card)
    with pytest.raises(NotFound):
        give(home, CENT, "role-99")


@pytest.mark.case("C11")
def test_another_card_prices_the_calls_that_follow_and_none_before(home: Home, server: MessagesApi):
    first = home.apply()
    home.run()
    price_at(
        home, NewCard(MODEL, Rates(0, 800_000, 800_000, 800_000, 800_000, 4_000_000), date(2026, 8, 1), "A contract")
    )
    second = home.apply("Ben Example", "ben@example.com")
    home.run()

    with home.app.read() as conn:
        (before,), (after,) = (list_calls(conn, home.tenant_id, one) for one in (first, second))
    assert before.picodollars == PAID
    assert after.picodollars == 800_000 * (3_700 + 10 + 20 + 40) + 4_000_000 * 250
    rows = home.look("SELECT rates_source FROM model_calls ORDER BY rates_source")
    assert [str(row[0])[:12] for row in rows] == ["genai-prices", "own card 1 o"]
    assert home.verify() == []
