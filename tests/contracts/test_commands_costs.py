"""`costs`, and the start with a Claude model, by command line."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from typing import Any

import pytest

from tests import messages_api as api
from tests.contracts.command_line import AS, CommandLine
from tests.homes import CV
from tests.messages_api import KEY, MODEL, MessagesApi, messages_api

UNPRICED = "claude-sonnet-5-5-of-ours"


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


def score_one(at: CommandLine, server: MessagesApi, name: str, model: str = MODEL) -> None:
    """Let one applicant be scored by a Claude model."""
    at.set(DAYBOOK_MODEL=model, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=server.url)
    email = f"{name.lower()}@example.com"
    cv = at.write(f"{name}.txt", CV.format(name=name, email=email))
    at.read("apply", "role-14", "--cv", cv, "--name", name, "--email", email)
    at.read("worker", "--until-idle")


def test_where_only_the_practice_model_scored_nothing_was_paid(still: CommandLine):
    costs = still.read("costs")

    assert [costs[name] for name in ("recorded_usd", "estimated_usd", "unpriced_calls", "calls")] == [
        "0.00", "0.00", 0, 0,
    ]  # fmt: skip
    assert "practice model costs nothing" in still.say("costs").out


def test_recorded_estimated_and_unpriced_stand_apart(at: CommandLine, server: MessagesApi):
    score_one(at, server, "Fay")
    server.say(api.DROPPED)
    score_one(at, server, "Gus")
    server.say(api.by_evidence(model=UNPRICED))
    score_one(at, server, "Hal", UNPRICED)

    costs = at.read("costs", "--role", "role-14")
    by_model = {one["model"]: one for one in costs["models"]}

    told = [costs[name] for name in ("recorded_usd", "unpriced_calls", "unknown_calls", "calls")]
    assert told == ["0.010009", 1, 1, 3]
    assert costs["estimated_usd"] == by_model[MODEL]["estimated_usd"] != "0.00"
    assert (by_model[UNPRICED]["recorded_usd"], by_model[UNPRICED]["unpriced_tokens"]) == ("0.00", 4_020)
    said = at.say("costs").out
    assert "Recorded: $0.010009, without 1 call that nobody can price." in said
    assert f"Unpriced: 1 call to {UNPRICED}, 0.004 M tokens." in said
    assert "for 1 call of unknown usage" in said


def test_the_sum_is_what_the_ledgers_counts_come_to_at_their_own_rates(at: CommandLine, server: MessagesApi):
    server.say(api.TRUNCATED, api.by_evidence(), api.by_evidence(output_tokens=900))
    for name in ("Fay", "Gus"):
        score_one(at, server, name)

    kinds = ("fresh", "cache_write_5m", "cache_write_1h", "cache_read", "output")
    columns = ", ".join(f"{kind}_tokens" for kind in kinds)
    with closing(sqlite3.connect(at.folder / "daybook.sqlite")) as database:
        rows = database.execute(f"SELECT rates, {columns} FROM model_calls").fetchall()
    again = sum(
        Decimal(json.loads(rates)[0][kind]) * count
        for rates, *counts in rows
        for kind, count in zip(kinds, counts, strict=True)
    )

    assert (len(rows), Decimal(at.read("costs")["recorded_usd"])) == (3, again.scaleb(-12))


def test_an_error_is_counted_and_costs_nothing(at: CommandLine, server: MessagesApi):
    server.say(api.NO_KEY)
    score_one(at, server, "Fay")

    costs = at.read("costs")

    assert [costs[name] for name in ("recorded_usd", "estimated_usd", "unpriced_calls", "calls", "unbilled_calls")] == [
        "0.00", "0.00", 0, 1, 1,
    ]  # fmt: skip
    (call,) = at.read("thread", "role-14/app-0006")["calls"]
    assert (call["usage"], call["usd"], call["why"]) == ("none", None, "model_key_refused")


@pytest.mark.parametrize("applicants", [50, 97, 150, 400])
@pytest.mark.seed(
    "screen.number.190000", "screen.number.95", "screen.number.9.3M", "screen.number.18.60", "screen.number.1.11",
    "screen.number.0.30", "screen.number.1.41", "screen.number.3.76", "screen.number.6.4MB", "screen.number.14MB",
    "screen.number.1200", "screen.check.1",
)  # fmt: skip
def test_the_course_is_read_out_from_its_inputs(still: CommandLine, applicants: int):
    found = still.read("costs", "course", "--applicants", str(applicants))
    told = still.say("costs", "course", "--applicants", str(applicants)).out

    assert (found["applicants"], found["fits"], found["bytes_per_thread"]) == (applicants, 95, 16_000)
    expected = {
        50: ("5.30", "0.47", 800_000, "50 applicants: 50 fit."),
        97: ("18.62", "0.9118", 1_552_000, "95 fit, applicant 96 does not, nor does the one after it."),
        150: ("18.62", "1.41", 2_400_000, "95 fit, applicant 96 does not, nor do the 54 after it."),
        400: ("18.62", "3.76", 6_400_000, "95 fit, applicant 96 does not, nor do the 304 after it."),
    }[applicants]
    assert (found["conversation_usd"], found["threads_usd"], found["bytes_total"]) == expected[:3]
    assert expected[3] in told
    if applicants == 150:
        for line in (
            "200,000 - 2,000 - 8,000 = 190,000", "9.31 M", "$18.62", "$1.11 + $0.30 = $1.41", "16 KB a thread, 2.4 MB",
            "about 14 MB and 1,200 copies", "45 in the band", "5m cache: conversation $20.02",
        ):  # fmt: skip
            assert line in told


def test_an_input_that_is_changed_changes_the_course(still: CommandLine):
    plain, longer, wider = (
        still.read("costs", "course", *more)
        for more in ((), ("--output", "500"), ("--window", "1000000", "--applicants", "400"))
    )

    assert (plain["threads_output_usd"], longer["threads_output_usd"]) == ("0.30", "0.60")
    assert (wider["fits"], wider["left_out"], wider["conversation_usd"]) == (495, 0, "322.40")
    assert wider["large_window"]["conversation_usd"] == "323.40"


def test_other_rates_are_looked_at_and_written_nowhere(at: CommandLine, server: MessagesApi):
    score_one(at, server, "Fay")
    server.say(api.by_evidence(model=UNPRICED))
    score_one(at, server, "Hal", UNPRICED)
    at.read("rates", "add", MODEL, "--input", "1", "--output", "5", "--note", "A contract", "--from", "2030-01-01", *AS)
    at.read("rates", "add", UNPRICED, "--input", "1", "--output", "1", "--note", "A guess", "--from", "2030-01-01", *AS)
    before = (at.read("costs"), at.rows())

    then, soon = (at.read("costs", "reprice", "--as-of", day) for day in ("2026-11-02", "2030-01-01"))

    assert (then["recorded_usd"], then["repriced_usd"]) == ("0.010009", "0.010009")
    assert soon["repriced_usd"] == "0.00502"  # 3,770 in at $1, 250 out at $5
    by_model = {one["model"]: one for one in soon["models"]}
    assert by_model[UNPRICED]["first_priced_usd"] == "0.00402"
    assert (at.read("costs"), at.rows()) == before
    cards = {(one["model"], one["version"]): one["holds"] for one in at.read("rates", "list")}
    assert (cards[MODEL, None], cards[MODEL, 1], cards[UNPRICED, None]) == (True, False, True)
    assert at.run("rates", "add", MODEL, "--input", "x", "--output", "5", "--note", "n", *AS).code == "bad_input"
    assert at.run("costs", "reprice", "--as-of", "soon").code == "bad_input"


def test_models_that_retire_are_shown_with_the_roles_that_call_them(at: CommandLine, server: MessagesApi):
    assert at.run("rates", "models", "--ask", *AS).code == "bad_input"  # the practice model has no provider
    score_one(at, server, "Fay")
    assert at.read("rates", "models") == {"asked_at": None, "retiring": []}

    found = at.read("rates", "models", "--ask", *AS)

    assert found["retiring"] == [
        {
            "model": MODEL, "lifecycle": "deprecated", "retires_at": "2027-03-01T00:00:00Z", "roles": ["role-14"],
            "is_set": True,
        }
    ]  # fmt: skip
    assert "called by" in at.say("rates", "models").out


def test_an_invoice_is_held_against_the_ledger_and_the_difference_is_explained(at: CommandLine, server: MessagesApi):
    score_one(at, server, "Fay")
    server.say(api.DROPPED)
    score_one(at, server, "Gus")

    def reconciled(text: str, *more: str) -> Any:
        return at.read("costs", "reconcile", at.write("invoice.txt", text), *more)

    same = reconciled(f"{MODEL} 0.010009")
    assert (same["difference_usd"], same["models"][0]["reasons"]) == ("0.00", [])
    over = reconciled(f"model,usd,tokens\n{MODEL},0.03,4020\n")
    reasons = {one["code"]: one["usd"] for one in over["models"][0]["reasons"]}
    assert (over["difference_usd"], over["unexplained_usd"]) == ("0.019991", "0.00")
    assert (reasons["rounding"], reasons["usage_unknown"]) == ("0.005", "0.014991")
    half = reconciled(f"model,usd,tokens\n{MODEL},0.0050045,4020\nclaude-elsewhere-1,2.00,10\n")
    told = {one["model"]: [why["code"] for why in one["reasons"]] for one in half["models"]}
    assert told == {MODEL: ["rounding", "rates"], "claude-elsewhere-1": ["not_recorded"]}
    assert (half["unexplained_usd"], half["recorded_usd"]) == ("2.00", "0.010009")
    early = reconciled("claude-elsewhere-1 1", "--to", "2020-01-01")
    assert [one["model"] for one in early["models"]] == ["claude-elsewhere-1"]
    absent = reconciled("claude-elsewhere-1 1")
    assert [why["code"] for why in absent["models"][1]["reasons"]] == ["not_invoiced"]
    for wrong in ("", "no amount here", "model,note\na,b\n", "model,usd\na\n", "model,usd\na,many\n"):
        assert at.run("costs", "reconcile", at.write("wrong.txt", wrong)).code == "bad_input"
    assert at.run("costs", "reconcile", "nowhere.csv").code == "bad_input"


def test_costs_of_a_role_that_is_not_there_are_refused(still: CommandLine):
    assert still.run("costs", "--role", "role-99").code == "not_found"


def test_another_tenant_sees_none_of_it(at: CommandLine, server: MessagesApi):
    score_one(at, server, "Fay")

    assert (at.read("costs")["calls"], at.read("costs", "--tenant", "atlas")["calls"]) == (1, 0)


@pytest.mark.parametrize("key", ["", "  "])
def test_a_claude_model_without_a_key_stops_the_start_with_one_sentence(still: CommandLine, key: str):
    still.set(DAYBOOK_MODEL=MODEL, ANTHROPIC_API_KEY=key)

    said = still.run("threads")

    assert said.code == "settings_wrong"
    assert said.sentence == (
        f"DAYBOOK_MODEL is {MODEL}, which needs a key, and ANTHROPIC_API_KEY is not set; set it, or set"
        " DAYBOOK_MODEL to practice."
    )


@pytest.mark.parametrize("name", ["gpt-9", "Claude", "claude-", "claude-x y", "practice "])
def test_a_model_of_another_kind_is_refused_with_what_may_stand_there(still: CommandLine, name: str):
    still.set(DAYBOOK_MODEL=name, ANTHROPIC_API_KEY=KEY)

    said = still.run("threads")

    assert (said.code, KEY in said.out) == ("settings_wrong", False)
    assert "claude-sonnet-5-5" in said.sentence


def test_an_address_that_is_none_is_refused_by_the_name_it_was_set_under(still: CommandLine):
    still.set(DAYBOOK_MODEL=MODEL, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="localhost:1")

    assert still.run("threads").sentence.startswith("ANTHROPIC_BASE_URL is 'localhost:1'")


def test_the_key_stands_nowhere_in_the_home(at: CommandLine, server: MessagesApi):
    score_one(at, server, "Fay")

    assert at.read("doctor")["model"] == MODEL
    held = [path for path in at.folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert held == []
