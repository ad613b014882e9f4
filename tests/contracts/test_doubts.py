"""What nobody knows of is asked after, sent again under its key, or settled by a person (contract C3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput, EffectNotSent, NotAllowed, NotFound
from core.ports import Delivery, Envelope, NotSent, Sent, Unknown
from core.views.sentence import sentence
from tests.contracts.tiny import ACT, ONE, acts, after_tries, begun, dying, raising, saying, workflow
from tests.fakes import Died, FakeAdapter
from tests.homes import Home


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


@pytest.mark.seed("atlas.F1.inspect")
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
@pytest.mark.case("X07")
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
