"""What ends truthfully: an answer that a withdrawal overtook, an undo of what a person parked, a foreign letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.outbox import Outbox
from core.errors import AlreadyDecided, BadInput
from core.views.sentence import sentence
from tests.contracts.screened import APPROVED, HOLD, THREAD, day_one, day_two, letters_of, pending
from tests.homes import Home

# Approve and withdraw at one instant


@pytest.mark.parametrize("first", ["decide", "withdraw"])
@pytest.mark.parametrize("verdict", ["approve", "reject"])
def test_an_answer_that_a_withdrawal_overtook_ends_withdrawn_and_nothing_leaves(
    tmp_path: Path, first: str, verdict: str
) -> None:
    home = day_one(tmp_path).at(APPROVED)
    acts = {"decide": lambda: home.decide(THREAD, verdict), "withdraw": lambda: home.tell(THREAD, "withdraw")}  # type: ignore[arg-type]
    for name in sorted(acts, key=lambda one: one != first):
        acts[name]()
    home.run()

    question = home.question(THREAD)
    assert (home.ending(THREAD), letters_of(home)) == (("completed", "withdrawn"), [])
    assert (question.status, question.verdict, question.released_at) == ("withdrawn", None, None)
    with pytest.raises(AlreadyDecided, match="is closed: withdrawn"):
        home.decide(THREAD)
    with pytest.raises(BadInput):
        home.undo(THREAD)
    assert home.verify() == []


def test_an_answer_whose_letter_the_gate_held_back_for_good_ends_withdrawn(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home.change("UPDATE roles SET status = 'closed'")
    home.run()

    assert (home.ending(THREAD)[1], letters_of(home), home.question(THREAD).status) == ("not_sent", [], "withdrawn")
    assert home.verify() == []


def test_an_answer_that_was_carried_out_stays_what_it_was_when_the_thread_ends(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home.run()
    home.tell(THREAD, "withdraw")
    home.run()

    assert (home.ending(THREAD)[1], letters_of(home)) == ("withdrawn", ["invite"])
    assert (home.question(THREAD).status, home.question(THREAD).released_at) == ("approved", APPROVED)


# Undo and park


def parked(folder: Path) -> Home:
    """Open a home whose thread was decided and then parked by a person, inside the hold."""
    home = day_two(folder)
    home.decide(THREAD)
    home.park(THREAD)
    return home


def test_undo_leaves_parked_what_a_person_parked_until_it_is_retried(tmp_path: Path) -> None:
    home = parked(tmp_path)
    undone = home.undo(THREAD)
    home.run()
    thread = home.thread(THREAD).thread
    assert (undone.status, thread.status, thread.parked_why) == ("pending", "parked", "by_hand")
    assert sentence(thread, home.app.zone).startswith("Parked since")
    home.decide(THREAD)
    home = home.at(APPROVED + HOLD)
    home.run()
    assert (letters_of(home), home.ending(THREAD)[0]) == ([], "parked")

    home.retry(THREAD)
    home.run()
    assert letters_of(home) == ["invite"]
    assert home.verify() == []


def test_a_retry_after_the_undo_asks_again(tmp_path: Path) -> None:
    home = parked(tmp_path)
    home.undo(THREAD)
    home.retry(THREAD)
    home.run()

    assert (home.ending(THREAD)[0], pending(home), letters_of(home)) == ("awaiting_review", [THREAD], [])


def test_an_amendment_leaves_parked_too(tmp_path: Path) -> None:
    home = parked(tmp_path)
    home.amend(THREAD, name="Anne Example")
    home.run()

    assert (home.ending(THREAD)[0], home.question(THREAD).status) == ("parked", "pending")


def test_undo_of_what_nobody_parked_is_at_its_question_at_once(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)
    home.undo(THREAD)

    assert home.ending(THREAD)[0] == "awaiting_review"


# A letter that stands under our name already


def foreign(folder: Path) -> tuple[Home, Path]:
    """Open a home in which another letter stands where the invite's would."""
    home = day_one(folder).at(APPROVED)
    path = home.app.outbox._path("home", f"{THREAD}/invite")
    path.write_bytes(b"Subject: something else\r\n\r\nNot ours.\r\n")
    home.decide(THREAD)
    home.run()
    return home, path


def test_a_foreign_letter_under_our_name_is_a_doubt_for_a_person(tmp_path: Path) -> None:
    home, path = foreign(tmp_path)
    entry = home.ledger(THREAD)["invite"]
    assert (entry.status, entry.why) == ("unknown", "payload_mismatch")
    assert home.thread(THREAD).thread.parked_why == "effect_unknown"
    home.retry(THREAD)
    home.run()
    assert (path.read_bytes()[-9:], home.ledger(THREAD)["invite"].status) == (b"Not ours.\r\n"[-9:], "unknown")


def test_the_doubt_settled_as_happened_goes_on(tmp_path: Path) -> None:
    home, path = foreign(tmp_path)
    home.settle(f"{THREAD}/invite", "seen in their inbox")
    home.run()

    assert (home.ending(THREAD)[0], home.ledger(THREAD)["invite"].status) == ("waiting", "done")
    assert path.read_bytes().endswith(b"Not ours.\r\n")


def test_the_doubt_settled_as_not_happened_is_sent_once_the_other_letter_is_gone(tmp_path: Path) -> None:
    home, path = foreign(tmp_path)
    home.settle(f"{THREAD}/invite", None)
    home.run()
    assert home.ledger(THREAD)["invite"].status == "unknown"
    path.unlink()
    home.settle(f"{THREAD}/invite", None)
    home.run()

    assert (letters_of(home), home.ledger(THREAD)["invite"].status) == (["invite"], "done")
    assert home.verify() == []


def test_our_own_letter_under_its_name_is_no_doubt(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    home.decide(THREAD)
    home.run()
    home.change("UPDATE effects SET status = 'sending', result_ref = NULL")
    home.change("UPDATE threads SET status = 'ready', step = 'invite', wake_at = since_at, waits_for = NULL")
    (home.app.home / "effect-journal.log").write_text("")
    home.run()

    assert isinstance(home.app.outbox, Outbox)
    assert (letters_of(home), home.ledger(THREAD)["invite"].status) == (["invite"], "done")
