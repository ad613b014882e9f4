"""Plan, send, settle (contract C3): what happens outside happens once, and what nobody knows is for a person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.errors import EffectNotSent
from core.ports import Delivery, Envelope, NotSent
from core.steps import Advance, Effect, Finish, Kit, Outcome
from tests.contracts.tiny import (
    ACT,
    ONE,
    SOON,
    Slip,
    acts,
    after_tries,
    begun,
    done,
    dying,
    raising,
    said_of,
    saying,
    tool,
    workflow,
)
from tests.fakes import Died, FakeAdapter

# One key, one payload


def test_a_payload_may_change_while_it_certainly_was_not_sent_as_a_new_attempt(tmp_path: Path) -> None:
    payload = {"slot": "Tuesday"}
    adapter = FakeAdapter(delivering=saying(NotSent("busy")))
    home = begun(tmp_path, workflow(acts(payload)), adapter)
    home.run()
    payload["slot"] = "Thursday"
    home = after_tries(home, 1)
    assert [sent for _, _, sent in adapter.outside] == [{"slot": "Thursday"}]
    attempts = home.look("SELECT attempt, status FROM effect_attempts ORDER BY attempt")
    assert (attempts, home.ledger()["act"].attempt) == ([(1, "void"), (2, "planned")], 3)


@pytest.mark.case("X11")
def test_a_key_that_was_used_is_refused_for_another_payload(tmp_path: Path) -> None:
    def first(kit: Kit, state: Slip) -> Outcome:
        kit.once(tool("act", slot="Tuesday"))
        return Advance(state, "")

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(first, acts({"slot": "Thursday"})), adapter)
    home.run()
    assert [sent for _, _, sent in adapter.outside] == [{"slot": "Tuesday"}]
    assert (home.ending(ONE), home.thread(ONE).thread.parked_why) == (("parked", None), "payload_mismatch")


@pytest.mark.case("X09")
def test_a_key_that_was_used_for_one_kind_is_refused_for_another(tmp_path: Path) -> None:
    def first(kit: Kit, state: Slip) -> Outcome:
        kit.once(Effect("act", "read", {}))
        return Advance(state, "")

    reader, adapter = FakeAdapter(), FakeAdapter()
    home = begun(tmp_path, workflow(first, acts({})), adapter).with_code(read=reader)
    home.run()
    assert (reader.happened, adapter.happened, home.ending(ONE)[0]) == (["act"], [], "parked")


@pytest.mark.seed("atlas.F1.repair")
def test_a_key_that_was_used_answers_the_first_result_and_sends_nothing(tmp_path: Path) -> None:
    def first(kit: Kit, state: Slip) -> Outcome:
        kit.once(tool("act"))
        return Advance(state, "")

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(first, acts({})), adapter)
    home.run()
    assert (adapter.tries, home.summaries(ONE)["act"]) == (["act"], f"Done: fake:{ACT}.")


@pytest.mark.case("X10")
def test_a_key_in_sending_is_refused_for_another_payload(tmp_path: Path) -> None:
    payload = {"slot": "Tuesday"}
    adapter = FakeAdapter(delivering=raising(Died()))
    home = begun(tmp_path, workflow(acts(payload)), adapter)
    dying(home)
    payload["slot"], adapter.delivering = "Thursday", saying()
    home.run()
    assert (adapter.outside, home.thread(ONE).thread.parked_why) == ([], "payload_mismatch")
    assert (home.ledger()["act"].status, home.ledger()["act"].attempt) == ("sending", 1)


@pytest.mark.case("X13")
def test_two_tenants_may_use_one_key_and_learn_nothing_of_each_other(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    tiny = workflow(acts({"n": 1}))
    home = begun(tmp_path, tiny, adapter)
    home.run()
    north = home.add_tenant("north")
    assert north.ledger() == {}
    north = north.with_code(workflow(acts({"n": 2})))
    north.begin(tiny, ONE, Slip())
    north.run()
    assert adapter.outside == [("home", ACT, {"n": 1}), ("north", ACT, {"n": 2})]
    assert [one.ending(ONE) for one in (home, north)] == [("completed", "done")] * 2


def test_a_key_is_not_asked_for_twice_at_once_with_two_payloads(tmp_path: Path) -> None:
    def notify(kit: Kit, state: Slip) -> Outcome:
        kit.once_each([tool("act", n=1), tool("act", n=2)])
        return done(kit, state)

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(notify), adapter)
    home.run()
    assert (adapter.tries, home.thread(ONE).thread.parked_why) == ([], "payload_mismatch")


def test_a_key_that_is_asked_for_twice_at_once_with_one_payload_happens_once(tmp_path: Path) -> None:
    def notify(kit: Kit, state: Slip) -> Outcome:
        first, second = kit.once_each([tool("act"), tool("act")])
        return Finish(state, "done", "completed", f"{first == second}")

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(notify), adapter)
    home.run()
    assert (adapter.tries, home.summaries(ONE)) == (["act"], {"notify": "True"})


def test_a_payload_that_json_cannot_hold_is_refused_by_name_and_is_no_other_thread_s_trouble(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(acts({"at": FIXTURE_START})), adapter)
    other = workflow(acts({}), name="other")
    home = home.with_code(other)
    home.begin(other, "tiny/two", Slip())
    home.run()
    assert (adapter.happened, home.ending("tiny/two")) == (["act"], ("completed", "done"))
    assert home.thread(ONE).thread.parked_why == "outcome_refused"


# Several at once


@pytest.mark.parametrize("honours_keys", [True, False])
@pytest.mark.parametrize("trouble", ["not sent", "cannot be prepared", "prepare breaks"])
@pytest.mark.case("X04")
def test_of_five_recipients_the_third_is_tried_again_and_nobody_gets_two(
    tmp_path: Path, honours_keys: bool, trouble: str
) -> None:
    names = ["one", "two", "three", "four", "five"]
    left = [1, 1]

    def fail(envelope: Envelope) -> Delivery | None:
        if envelope.key.endswith("/three") and left:
            left.pop()
            match trouble:
                case "not sent":
                    return NotSent("no such address")
                case "cannot be prepared":
                    raise EffectNotSent("The address cannot be written.")
                case _:
                    raise ValueError("no such address")
        return None

    def notify(kit: Kit, state: Slip) -> Outcome:
        receipts = kit.once_each([tool(name) for name in names])
        return Finish(state, "done", "completed", ", ".join(said_of(receipts)))

    place = "delivering" if trouble == "not sent" else "preparing"
    adapter = FakeAdapter(honours_keys=honours_keys, **{place: fail})  # type: ignore[arg-type]
    home = begun(tmp_path, workflow(notify), adapter)
    home.run()
    assert (sorted(adapter.happened), home.ending(ONE)) == (["five", "four", "one", "two"], ("ready", None))
    assert home.summaries(ONE) == {}
    home = after_tries(home, 1)
    assert (len(adapter.happened), home.ending(ONE)) == (4, ("ready", None))
    home = after_tries(home.at(FIXTURE_START + SOON), 2)
    assert (sorted(adapter.happened), home.ending(ONE)) == (sorted(names), ("completed", "done"))
    assert home.summaries(ONE) == {"notify": "one, two, three, four, five"}


def test_what_was_sent_before_a_death_is_not_sent_again_to_the_others(tmp_path: Path) -> None:
    def notify(kit: Kit, state: Slip) -> Outcome:
        kit.once_each([tool(name) for name in ("one", "two", "three")])
        return done(kit, state)

    adapter = FakeAdapter(honours_keys=False)
    adapter.delivering = lambda envelope: _die() if envelope.key.endswith("/two") else None
    home = begun(tmp_path, workflow(notify), adapter)
    dying(home)
    home.run()
    home.settle(f"{ONE}/two", None)
    adapter.delivering = saying()
    home.run()
    assert (adapter.happened, home.ending(ONE)) == (["one", "three", "two"], ("completed", "done"))


def _die() -> None:
    raise Died


# Preparing


@pytest.mark.parametrize("error", [EffectNotSent(), ValueError("no address"), TimeoutError()])
def test_what_cannot_be_prepared_has_not_left_and_is_parked_after_the_last_try(
    tmp_path: Path, error: Exception
) -> None:
    adapter = FakeAdapter(honours_keys=False, preparing=raising(error))
    home = begun(tmp_path, workflow(acts({})), adapter)
    home.run()
    assert (home.ledger()["act"].status, home.ending(ONE)) == ("planned", ("ready", None))
    home = after_tries(home, 4)
    assert (adapter.tries, home.ledger()["act"].status, home.ending(ONE)[0]) == ([], "planned", "parked")
    adapter.preparing = saying()
    home.retry(ONE)
    home.run()
    assert (adapter.happened, home.ending(ONE)) == (["act"], ("completed", "done"))


def test_an_effect_that_nothing_carries_out_parks_its_thread_and_no_other(tmp_path: Path) -> None:
    def call(kit: Kit, state: Slip) -> Outcome:
        kit.once(Effect("call", "read", {}))
        return done(kit, state)

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(call), adapter)
    other = workflow(acts({}), name="other")
    home = home.with_code(other)
    carried_out = {kind: one for kind, one in home.app.parts.adapters.items() if kind != "read"}
    home = replace(home, app=replace(home.app, parts=replace(home.app.parts, adapters=carried_out)))
    home.begin(other, "tiny/two", Slip())
    home.run()
    assert home.thread(ONE).thread.parked_why == "outcome_refused"
    assert (adapter.happened, home.ending("tiny/two")) == (["act"], ("completed", "done"))


def test_an_effect_that_needs_an_approval_and_has_none_does_not_leave(tmp_path: Path) -> None:
    adapter = FakeAdapter(approved_only=True)
    home = begun(tmp_path, workflow(acts({})), adapter)
    home.run()
    assert (adapter.tries, home.thread(ONE).thread.parked_why) == ([], "effect_refused")


def test_one_thread_s_trouble_with_sending_is_no_other_s(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    adapter.preparing = lambda envelope: _break() if envelope.key.startswith("tiny/two/") else None
    tiny = workflow(acts({}))
    home = begun(tmp_path, tiny, adapter)
    for name in ("tiny/two", "tiny/three"):
        home.begin(tiny, name, Slip())
    home.run()
    endings = [home.ending(name)[0] for name in (ONE, "tiny/two", "tiny/three")]
    assert (len(adapter.outside), endings) == (2, ["completed", "ready", "completed"])


def _break() -> None:
    raise ValueError("no address")
