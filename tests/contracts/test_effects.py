"""Plan, send, settle (contract C3): what happens outside happens once, and what nobody knows is for a person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.clock import FIXTURE_START
from core.errors import BadInput, EffectNotSent, NotAllowed, NotFound
from core.ports import Delivery, Envelope, NotSent, Sent, Unknown
from core.steps import Advance, Effect, Finish, Kit, Outcome
from core.views.sentence import sentence
from tests.contracts.tiny import ONE, Slip, begun, done, said_of, tool, workflow
from tests.fakes import Died, FakeAdapter
from tests.homes import Home

SOON = timedelta(seconds=10)
LATER = [SOON, timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)]
ACT = f"{ONE}/act"


def acts(payload: dict[str, Any]) -> Callable[[Kit, Slip], Outcome]:
    """Make a step that acts once with what `payload` holds at the time."""

    def act(kit: Kit, state: Slip) -> Outcome:
        receipt = kit.once(tool("act", **payload))
        return Finish(Slip((str(receipt.result_ref),)), "done", "completed", f"Done: {receipt.result_ref}.")

    return act


def dying(home: Home) -> None:
    """Drive a home until its process ends."""
    with pytest.raises(Died):
        home.run()


def after_tries(home: Home, count: int) -> Home:
    """Let so many waits before the next try pass, driving after each."""
    now = home.actor.now
    for wait in LATER[:count]:
        now += wait
        home = home.at(now)
        home.run()
    return home


def raising(error: BaseException) -> Callable[[Envelope], Any]:
    """Answer an adapter's deed that raises."""

    def deed(_envelope: Envelope) -> Any:
        raise error

    return deed


def saying(*said: Delivery | None) -> Callable[[Envelope], Delivery | None]:
    """Answer a deed that says these things in turn, and then that it happened."""
    left = list(said)
    return lambda _envelope: left.pop(0) if left else None


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


def test_a_key_that_was_used_is_refused_for_another_payload(tmp_path: Path) -> None:
    def first(kit: Kit, state: Slip) -> Outcome:
        kit.once(tool("act", slot="Tuesday"))
        return Advance(state, "")

    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(first, acts({"slot": "Thursday"})), adapter)
    home.run()
    assert [sent for _, _, sent in adapter.outside] == [{"slot": "Tuesday"}]
    assert (home.ending(ONE), home.thread(ONE).thread.parked_why) == (("parked", None), "payload_mismatch")


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


def test_a_key_in_sending_is_refused_for_another_payload(tmp_path: Path) -> None:
    payload = {"slot": "Tuesday"}
    adapter = FakeAdapter(delivering=raising(Died()))
    home = begun(tmp_path, workflow(acts(payload)), adapter)
    dying(home)
    payload["slot"], adapter.delivering = "Thursday", saying()
    home.run()
    assert (adapter.outside, home.thread(ONE).thread.parked_why) == ([], "payload_mismatch")
    assert (home.ledger()["act"].status, home.ledger()["act"].attempt) == ("sending", 1)


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


# Doubt


def in_doubt(folder: Path, adapter: FakeAdapter, *, happens: bool) -> Home:
    """Open a home whose process died while an effect was being sent."""

    def deliver(envelope: Envelope) -> None:
        if happens:
            adapter.happen(envelope)
        raise Died

    adapter.delivering = deliver
    home = begun(folder, workflow(acts({})), adapter)
    dying(home)
    adapter.delivering = saying()
    return home


@pytest.mark.seed("screen.story.mid-flight", "screen.check.3")
@pytest.mark.parametrize("happens", [True, False])
def test_an_outside_that_honours_keys_is_sent_the_same_key_again(tmp_path: Path, happens: bool) -> None:
    adapter = FakeAdapter()
    home = in_doubt(tmp_path, adapter, happens=happens)
    home.run()
    assert (adapter.happened, adapter.tries, home.ending(ONE)) == (["act"], ["act", "act"], ("completed", "done"))


@pytest.mark.parametrize(("answer", "tries"), [(Sent("fake:found"), ["act"]), (NotSent("no"), ["act", "act"])])
def test_an_outside_that_can_be_asked_is_asked(tmp_path: Path, answer: Delivery, tries: list[str]) -> None:
    adapter = FakeAdapter(honours_keys=False, can_be_asked=True, asked=lambda _envelope: answer)
    home = in_doubt(tmp_path, adapter, happens=isinstance(answer, Sent))
    home.run()
    assert (adapter.happened, adapter.tries, home.ending(ONE)) == (["act"], tries, ("completed", "done"))


def test_an_outside_that_does_not_know_either_leaves_the_doubt_to_a_person(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False, can_be_asked=True, asked=lambda _envelope: Unknown("no record"))
    home = in_doubt(tmp_path, adapter, happens=False)
    home.run()
    assert (adapter.happened, home.ledger()["act"].status, home.ending(ONE)[0]) == ([], "unknown", "parked")


def test_an_outside_that_cannot_be_reached_is_asked_again_later(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False, can_be_asked=True, asked=raising(TimeoutError()))
    home = in_doubt(tmp_path, adapter, happens=True)
    home.run()
    assert (home.ledger()["act"].status, home.ending(ONE)) == ("sending", ("ready", None))
    adapter.asked = lambda _envelope: Sent("fake:found")
    home = after_tries(home, 1)
    assert (adapter.happened, home.ending(ONE)) == (["act"], ("completed", "done"))


def unknown(folder: Path, adapter: FakeAdapter, *, happens: bool) -> Home:
    """Open a home with an effect that nobody knows of."""
    home = in_doubt(folder, adapter, happens=happens)
    home.run()
    return home


@pytest.mark.parametrize("happens", [True, False])
def test_an_outside_that_can_tell_nothing_is_not_sent_again_and_the_thread_says_so(
    tmp_path: Path, happens: bool
) -> None:
    adapter = FakeAdapter(honours_keys=False)
    home = unknown(tmp_path, adapter, happens=happens)
    home = after_tries(home, 4)
    thread = home.thread(ONE).thread
    assert (adapter.tries, home.ledger()["act"].status, thread.status) == (["act"], "unknown", "parked")
    assert "nobody knows whether a letter was sent; settle that first" in sentence(thread, home.app.zone)


def test_a_doubt_settled_as_happened_goes_on_without_sending(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False)
    home = unknown(tmp_path, adapter, happens=True)
    home.settle(ACT, "their ticket 71")
    home.run()
    assert (adapter.tries, home.ending(ONE)) == (["act"], ("completed", "done"))
    assert home.summaries(ONE)["act"] == "Done: their ticket 71."


def test_a_doubt_settled_as_not_happened_is_sent_once_more(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False)
    home = unknown(tmp_path, adapter, happens=False)
    home.settle(ACT, None)
    home.run()
    assert (adapter.happened, home.ending(ONE), home.ledger()["act"].attempt) == (["act"], ("completed", "done"), 2)


def test_a_doubt_is_settled_once_by_who_may_and_nothing_else_is_settled(tmp_path: Path) -> None:
    home = unknown(tmp_path, FakeAdapter(honours_keys=False), happens=True)
    with pytest.raises(NotAllowed):
        home.add_person("vera@example.com", "viewer").settle(ACT, None)
    with pytest.raises(NotFound):
        home.settle(f"{ONE}/other", None)
    with pytest.raises(NotFound):
        home.add_tenant("north").settle(ACT, None)
    home.settle(ACT, "their ticket 71")
    with pytest.raises(BadInput, match="is done, not unknown"):
        home.settle(ACT, None)
    assert home.ledger()["act"].result_ref == "their ticket 71"


def test_a_doubt_is_not_dispelled_by_retrying_the_thread(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False)
    home = unknown(tmp_path, adapter, happens=False)
    home.retry(ONE)
    home.run()
    assert (adapter.tries, home.ledger()["act"].status, home.ending(ONE)[0]) == (["act"], "unknown", "parked")


@pytest.mark.parametrize(
    "answer", [raising(TimeoutError()), raising(OSError("gone")), lambda _envelope: Unknown("lost")]
)
def test_an_answer_that_got_lost_is_asked_for_under_the_same_key(tmp_path: Path, answer: Any) -> None:
    adapter = FakeAdapter()

    def deliver(envelope: Envelope) -> Delivery | None:
        adapter.happen(envelope)
        return answer(envelope)  # type: ignore[no-any-return]

    adapter.delivering = deliver
    home = begun(tmp_path, workflow(acts({})), adapter)
    home.run()
    assert (adapter.happened, home.ledger()["act"].status) == (["act"], "sending")
    adapter.delivering = saying()
    home = after_tries(home, 1)
    assert (adapter.happened, home.ending(ONE), home.ledger()["act"].attempt) == (["act"], ("completed", "done"), 1)


def test_an_answer_that_got_lost_where_keys_mean_nothing_is_for_a_person(tmp_path: Path) -> None:
    adapter = FakeAdapter(honours_keys=False, delivering=raising(TimeoutError()))
    home = after_tries(begun(tmp_path, workflow(acts({})), adapter), 4)
    assert (adapter.tries, home.ledger()["act"].status, home.ending(ONE)[0]) == (["act"], "unknown", "parked")


@pytest.mark.parametrize("honours_keys", [True, False])
@pytest.mark.parametrize("deed", [raising(EffectNotSent()), lambda _envelope: NotSent("busy")])
def test_what_certainly_was_not_sent_is_tried_again(tmp_path: Path, honours_keys: bool, deed: Any) -> None:
    adapter = FakeAdapter(honours_keys=honours_keys, delivering=deed)
    home = begun(tmp_path, workflow(acts({})), adapter)
    home.run()
    assert (adapter.happened, home.ledger()["act"].status) == ([], "planned")
    adapter.delivering = saying()
    home = after_tries(home, 1)
    assert (adapter.happened, home.ending(ONE)) == (["act"], ("completed", "done"))


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
