"""Scoring that waits for nobody: one batch at night, half the price on record, whatever order its answers come in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time, timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.costs.ways import Way
from core.desk.budgets import set_way
from core.runner.overnight import LOOK_AGAIN_AFTER
from core.views.costs import list_calls
from core.views.spending import tokens_by_step
from tests import messages_api as api
from tests.contracts.test_budgets import give, used
from tests.contracts.test_model_calls import PAID, scores
from tests.homes import ROLE, ROLE_FILE, Home, open_home
from tests.messages_api import MessagesApi, messages_api

NIGHT = Way("none", (time(18), time(10)), "UTC")  # the fixture time is nine in the morning
LATER = FIXTURE_START + LOOK_AGAIN_AFTER + timedelta(seconds=1)


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def home(tmp_path: Path, server: MessagesApi) -> Home:
    opened = open_home(tmp_path / "home").with_model(server.model()).with_calls(2)
    opened.add_role()
    ask_by(opened, NIGHT)
    return opened


def ask_by(home: Home, way: Way) -> None:
    actor = home.actor
    home.app.act(actor, "costs way", lambda tx: set_way(tx, actor, ROLE, way))


def paid(home: Home, thread_id: str) -> list[tuple[str, str | None, int | None]]:
    with home.app.read() as conn:
        return [(one.status, one.why, one.picodollars) for one in list_calls(conn, home.tenant_id, thread_id)]


def apply_two(home: Home) -> list[str]:
    return [home.apply(f"{name} Example", f"{name.lower()}@example.com") for name in ("Ann", "Ben")]


def test_a_night_of_applicants_is_one_batch_at_half_the_price(home: Home, server: MessagesApi):
    first, second = apply_two(home)
    home.run()

    assert [home.ending(one)[0] for one in (first, second)] == ["waiting", "waiting"]
    assert (server.asked, [len(one) for one in server.batches.values()]) == ([], [2])
    rows = home.look("SELECT id, batch_id, processing, status FROM model_calls ORDER BY id")
    assert [tuple(row[1:]) for row in rows] == [("msgbatch_1", "batch", "open")] * 2
    assert sorted(one["custom_id"] for one in server.batches["msgbatch_1"]) == [row[0] for row in rows]
    home.at(LATER).run()
    assert [home.ending(one)[0] for one in (first, second)] == ["waiting", "waiting"]  # it has not ended

    server.has_ended = True
    at = home.at(LATER + 2 * LOOK_AGAIN_AFTER)
    at.run()

    assert [scores(at, one) for one in (first, second)] == [[5, 0, 3, 3, 4]] * 2
    assert [paid(at, one) for one in (first, second)] == [[("answered", None, PAID // 2)]] * 2
    assert len(server.batches) == 1
    assert [one["calls"] for one in at.audit("batch_sent")] == [2]
    assert at.verify() == []


def test_by_day_each_call_goes_by_itself(home: Home, server: MessagesApi):
    ask_by(home, Way("none", (time(18), time(8)), "UTC"))
    thread_id = home.apply()
    home.run()

    assert (len(server.asked), server.batches, paid(home, thread_id)) == (1, {}, [("answered", None, PAID)])


@pytest.mark.parametrize("why", ["errored", "expired", "canceled"])
def test_what_a_batch_did_not_answer_costs_nothing_and_is_asked_by_itself(home: Home, server: MessagesApi, why: str):
    first, second = apply_two(home)
    home.run()
    server.unanswered["Ben"] = why
    server.has_ended = True
    at = home.at(LATER)
    at.run()

    codes = {"errored": "batch_request_refused", "expired": "batch_expired", "canceled": "batch_canceled"}
    assert paid(at, first) == [("answered", None, PAID // 2)]
    assert paid(at, second) == [("failed", codes[why], None), ("answered", None, PAID)]
    assert scores(at, second) == [5, 0, 3, 3, 4]


def test_a_batch_that_is_refused_is_told_and_its_calls_go_by_themselves(home: Home, server: MessagesApi):
    server.say(api.BAD_REQUEST, api.BAD_REQUEST)
    thread_id = home.apply()
    home.run()
    server.say(api.by_evidence())
    home.at(LATER).run()

    assert next(one[:2] for one in paid(home, thread_id)) == ("failed", "model_request_refused")
    assert [one["why"] for one in home.audit("batch_not_sent")] == ["model_request_refused"]


def test_a_process_that_ends_before_its_batch_is_on_record_leaves_what_is_unknown(home: Home, server: MessagesApi):
    thread_id = home.apply()
    home.run()
    home.change("UPDATE model_calls SET batch_id = NULL")
    again = open_home(home.app.home, now=LATER).with_model(server.model())
    again.run()

    assert [one[:2] for one in paid(again, thread_id)] == [("unknown", "batch_lost"), ("answered", None)]
    assert len(server.asked) == 1
    again.app.close()


def test_a_rubric_saved_meanwhile_has_the_applicant_asked_anew(home: Home, server: MessagesApi):
    thread_id = home.apply()
    home.run()
    server.has_ended = True
    home.save_rubric(ROLE_FILE.read_text().replace("hard to follow", "hard to read"))
    at = home.at(LATER)
    at.run()

    assert at.question(thread_id).kind == "review"
    assert paid(at, thread_id) == [("answered", None, PAID // 2), ("answered", None, PAID)]


def test_a_batch_holds_its_most_against_the_budget_until_it_is_read(home: Home, server: MessagesApi):
    give(home, 100 * 10**10)
    home.apply()
    home.run()
    held = used(home)
    server.has_ended = True
    home.at(LATER).run()

    assert (held.recorded, held.reserved > 0, held.estimated) == (0, True, 0)
    assert (used(home).recorded, used(home).reserved) == (PAID // 2, 0)


def test_a_budget_has_a_new_steps_calls_counted_before_they_leave(home: Home, server: MessagesApi):
    ask_by(home, Way())
    home.apply()
    home.run()
    assert server.counted == 0
    give(home, 100 * 10**10)
    second = home.apply("Ben Example", "ben@example.com")
    home.run()

    assert server.counted == 1
    rows = home.look("SELECT estimate_source, estimated_input_tokens FROM model_calls WHERE thread_id = :id", id=second)
    assert rows == [("counted", 3_770)]


@pytest.mark.parametrize("cache", ["5m", "1h"])
def test_rubric_and_description_are_cached_and_nothing_of_an_applicant_is(home: Home, server: MessagesApi, cache: str):
    ask_by(home, Way(cache))  # type: ignore[arg-type]
    thread_id = home.apply()
    home.run()

    (body,) = server.asked
    kept, rest = body["messages"][0]["content"]
    assert kept["cache_control"] == {"type": "ephemeral", "ttl": cache}
    assert ('slot="rubric"' in kept["text"], 'slot="description"' in kept["text"], "Ann" in kept["text"]) == (
        True, True, False,
    )  # fmt: skip
    assert ("cache_control" in rest, "Ann" in rest["text"]) == (False, True)
    assert scores(home, thread_id) == [5, 0, 3, 3, 4]
    with home.app.read() as conn:
        (step,) = tokens_by_step(conn, home.tenant_id)
    assert step.hit_share == pytest.approx(40 / 3_770)
