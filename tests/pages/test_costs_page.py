"""The Costs page: three figures never added together, each chart with its table, and nothing of a stranger's."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest

from core.costs.budgets import find_budget
from core.costs.money import usd
from core.desk.budgets import set_budget
from core.views.call_ledger import export_calls
from core.views.costs import read_costs
from core.views.forecasts import accuracy, list_forecasts
from core.views.spending import burnt, cost_by_thread, tokens_by_step, waste
from tests import messages_api as api
from tests.contracts.test_model_calls import PAID
from tests.homes import ROLE, Home
from tests.messages_api import MODEL, MessagesApi, messages_api
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.reviewing import press
from tests.pages.test_around_pages import counted

UNPRICED = f"{MODEL}-of-ours"
VIEWS = ("Spent", "Expected", "What if", "Calls", "Rates and budgets")


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def spent(home: Home, server: MessagesApi) -> Home:
    """Eight runs that were scored, one dearer than the others, one twice, one cut off; one call nobody can price, one
    of unknown usage."""
    scored = home.with_model(server.model()).with_calls(1)
    scored.add_role()
    server.say(api.TRUNCATED, api.by_evidence())
    for name in ("Ann", "Ben", "Cleo", "Dai", "Eve", "Fay", "Gil"):
        scored.apply(f"{name} Example", f"{name.lower()}@example.com")
        scored.run()
    server.say(api.by_evidence(output_tokens=4_000))
    scored.apply("Hal Example", "hal@example.com")
    scored.run()
    server.say(api.by_evidence(model=UNPRICED, input_tokens=55_000_000))
    odd = scored.with_model(server.model(UNPRICED))
    odd.apply("Ida Example", "ida@example.com")
    odd.run()
    server.say(api.DROPPED)
    scored.apply("Jo Example", "jo@example.com")
    scored.run()
    return scored


def test_the_three_figures_stand_apart_and_are_what_the_rows_add_up_to(spent: Home, open_page: Open) -> None:
    shown = drawn(open_page("costs"))

    with spent.app.read() as conn:
        found = read_costs(conn, spent.tenant_id)
    rows = spent.look("SELECT picodollars FROM model_calls WHERE picodollars IS NOT NULL")
    assert found.total("recorded") == sum(int(str(row[0])) for row in rows) == 8 * PAID + PAID + 3_750 * 10_000_000
    assert f'title="${usd(found.total("recorded"))}"' in shown
    assert f'title="${usd(found.total("estimated"))}"' in shown
    assert "without 1 call that nobody can price" in shown
    assert "at most, for 1 call that left" in shown


@pytest.mark.case("C04")
def test_what_nobody_can_price_is_said_with_its_tokens_and_never_as_nothing(spent: Home, open_page: Open) -> None:
    shown = drawn(open_page("costs"))

    assert f"Unpriced, 55.0 M tokens: <bdi>{UNPRICED}</bdi>" in shown
    assert "<b>1 call</b>" in shown


def test_every_view_is_drawn_for_an_empty_home_and_a_full_one(spent: Home, open_page: Open) -> None:
    said = {view: drawn(open_page("costs", show=view)) for view in VIEWS}
    role = drawn(open_page("costs", show="Calls", of=ROLE))

    assert "Stand out, above" in said["Spent"]
    assert f'href="/run?id={ROLE}/app-0008"' in said["Spent"]
    assert "truncated" in said["Spent"]
    assert "from bytes alone" in said["Expected"]
    for number in ("190,000 tokens", "9.31 M", "$18.62", "$1.11 + $0.30 = $1.41", "$3.76", "2.4 MB", "14 MB", "1,200"):
        assert number in said["What if"]
    assert ("11 that left" in said["Calls"], "none: no_rates" in said["Calls"]) == (True, True)
    assert "11 that left" in role
    assert "genai-prices" in said["Rates and budgets"]


@pytest.mark.parametrize("view", VIEWS)
def test_a_home_without_calls_says_so(home: Home, open_page: Open, view: str) -> None:
    with counted() as statements:
        shown = drawn(open_page("costs", show=view))

    assert "Recorded" in shown
    assert len(statements) < 60  # several page runs
    if view in ("Spent", "Calls", "Expected"):
        assert "No model call has left this machine" in shown


def test_another_tenant_sees_nothing_of_it(spent: Home, open_page: Open, sign_in: SignIn) -> None:
    sign_in(spent.add_tenant("atlas"))

    for view in VIEWS:
        shown = drawn(open_page("costs", show=view))
        assert ("app-000" in shown, MODEL in shown, "$0.00" in shown) == (False, False, True)


def test_an_owner_sets_a_budget_and_a_reviewer_is_not_offered_one(
    spent: Home, open_page: Open, sign_in: SignIn
) -> None:
    app = open_page("costs", show="Rates and budgets", of=ROLE)
    app.number_input(key="costs.budget.limit").set_value(5.0).run()
    app.button(key="costs.budget.set").click().run()

    with spent.app.read() as conn:
        budget = find_budget(conn, spent.tenant_id, ROLE)
    assert budget is not None
    assert (usd(budget.limit or 0), budget.set_by) == ("5.00", spent.actor.member.id)
    assert "free of" in drawn(app)
    app.button(key="costs.budget.none").click().run()
    assert "nothing stops a call" in drawn(app)

    sign_in(spent.add_person("ana@example.com", "reviewer"))
    assert [one for one in open_page("costs", show="Rates and budgets").button if "budget" in str(one.key)] == []


def test_a_question_about_a_budget_is_answered_on_the_review_page(home: Home, server: MessagesApi, look: Open) -> None:
    scored = home.with_model(server.model())
    scored.add_role()
    owner = scored.actor
    scored.app.act(owner, "budget set", lambda tx: set_budget(tx, owner, ROLE, 10**10))
    thread_id = scored.apply()
    scored.run()

    app = look()
    assert "over budget" in drawn(app)
    assert "The call is made, and the run goes on from there." in drawn(app)
    (field,) = [one for one in app.number_input if str(one.key).startswith("review.answer.limit_usd.")]
    field.set_value(2.5).run()
    press(app, "approve")
    assert scored.question(thread_id).remark["answer"] == {"limit_usd": 2.5}
    scored.release(thread_id)
    scored.run()

    with scored.app.read() as conn:
        budget = find_budget(conn, scored.tenant_id, ROLE)
    assert budget is not None
    assert (usd(budget.limit or 0), scored.question(thread_id).kind) == ("2.50", "review")


def test_an_invoice_that_is_pasted_is_held_against_the_ledger(spent: Home, open_page: Open) -> None:
    app = open_page("costs", show="Rates and budgets")
    app.text_area(key="costs.invoice").set_value(f"{MODEL} 1.00\n<b>other</b> 2").run()

    shown = drawn(app)
    assert "1 calls of unknown usage are estimated at up to" in shown
    assert "No call to it is in this ledger" in shown
    assert "<b>other</b>" not in shown
    app.text_area(key="costs.invoice").set_value("nonsense").run()
    assert "Line 1 of the invoice is no model and an amount" in drawn(app)


def test_a_baseline_is_pinned_and_what_is_set_is_held_against_it(home: Home, open_page: Open) -> None:
    app = open_page("costs", show="What if")
    assert drawn(app).count("as the baseline") == 2

    app.toggle(key="costs.if.batch").set_value(True).run()
    assert "$0.71 less" in drawn(app) or "$0.70 less" in drawn(app)
    app.button(key="costs.pin").click().run()
    assert drawn(app).count("as the baseline") == 2
    app.slider(key="costs.if.applicants").set_value(400).run()
    assert "more" in drawn(app)
    app.selectbox(key="costs.if.window").set_value(1_000_000).run()
    assert "400 of 400" in drawn(app)
    app.selectbox(key="costs.if.cache").set_value("1h").run()
    assert "arrivals at random over three days are assumed" in drawn(app)
    app.button(key="costs.course").click().run()
    assert drawn(app).count("as the baseline") == 2


def test_views_by_another_path(spent: Home) -> None:
    tenant = spent.tenant_id
    with spent.app.read() as conn:
        steps, each, lost = (one(conn, tenant, ROLE) for one in (tokens_by_step, cost_by_thread, waste))
        over_time, forecasts = burnt(conn, tenant, ROLE), list_forecasts(conn, tenant, ROLE)
        total = read_costs(conn, tenant, ROLE).total("recorded")
        table = list(csv.DictReader(io.StringIO(export_calls(conn, tenant).decode("utf-8-sig"))))

    assert sum(one.recorded for one in steps) == sum(one.recorded for one in each.costs) == over_time[-1].until == total  # type: ignore[attr-defined]
    assert [one.thread_id for one in each.outliers] == [f"{ROLE}/app-0008"]  # type: ignore[attr-defined]
    by_cause = {one.cause: (one.calls, one.recorded, one.unknown_calls) for one in lost}  # type: ignore[attr-defined]
    assert by_cause == {"truncated": (1, PAID, 0), "retried": (1, 0, 1)}
    assert {one.source for one in accuracy(forecasts)} == {"bytes", "calls"}
    assert (len(table), sum(round(float(row["recorded_usd"] or 0) * 1e12) for row in table)) == (11, total)
