"""What happens next is told from the run's own steps, and nothing is written by telling it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from core.db.base import Base
from core.desk.rehearsal import Coming, rehearse
from tests.contracts.screened import APPROVED, DEADLINE, REMINDER, THREAD, day_one, day_two, invited
from tests.homes import Home

HOUR = timedelta(hours=1)


def told(home: Home, thread_id: str = THREAD) -> list[Coming]:
    with home.app.read() as conn:
        return rehearse(conn, home.app.desk, home.actor, thread_id)


def marks(home: Home) -> list[tuple[str, str]]:
    return [(one.step, one.mark) for one in told(home)]


def dump(home: Home) -> dict[str, object]:
    """Every row of every table, the journal, the blobs and the letters."""
    tables = sorted(Base.metadata.tables)
    rows: dict[str, object] = {name: sorted(map(repr, home.look(f"SELECT * FROM {name}"))) for name in tables}
    files = sorted(path for path in home.app.home.rglob("*") if path.is_file() and "database" not in path.name)
    return rows | {"files": [(str(path), path.read_bytes()) for path in files if "locks" not in path.parts]}


def test_a_rehearsal_writes_nothing(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    before = dump(home)

    assert told(home)

    assert dump(home) == before
    assert len(before) > 20


def test_what_waits_for_an_answer_is_told_to_its_end_with_the_answer_taken_for_given(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)

    coming = told(home)

    assert [(one.step, one.mark) for one in coming] == [
        ("review", "pure"), ("review", "pure"), ("invite", "will_act"), ("reminder", "pure"), ("reminder", "will_act"),
        ("booking", "pure"), ("booking", "pure"),
    ]  # fmt: skip
    assert "Invite Ann → invite, reminder; Send the decline → decline" in coming[0].says
    assert coming[1].if_ == "if you answer “Invite Ann”"
    assert coming[2].keys == (f"{THREAD}/invite",)
    assert [one.at for one in coming[4:]] == [REMINDER, REMINDER, DEADLINE]
    assert coming[-1].says == "The window passed. The run ends: expired."


def test_what_the_ledger_has_is_held_back_by_it(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    home.change("UPDATE threads SET step = 'invite'")  # as a crash between send and save leaves it

    coming = told(home)

    assert (coming[0].step, coming[0].mark) == ("invite", "held_back")
    assert f"{THREAD}/invite: the ledger has it as done." in coming[0].says


def test_a_held_answer_acts_when_its_hold_ends_and_not_before(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)

    coming = told(home)

    assert [(one.step, one.mark) for one in coming][:2] == [("review", "pure"), ("invite", "will_act")]
    assert coming[1].at == APPROVED + timedelta(minutes=15)
    assert "unless the answer is undone" in coming[0].if_


def test_a_booking_that_is_there_ends_the_run_and_passes_no_letter(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    home.book(THREAD)

    coming = told(home)

    assert [(one.step, one.mark) for one in coming] == [("reminder", "pure"), ("booking", "pure")]
    assert coming[-1].says.endswith("The run ends: booked.")


def test_a_closed_role_keeps_letters_in_and_the_rehearsal_says_so(tmp_path: Path) -> None:
    home = invited(tmp_path).at(APPROVED + HOUR)
    home.change("UPDATE roles SET status = 'closed'")

    (reminder,) = [one for one in told(home) if one.keys]

    assert (reminder.step, reminder.mark) == ("reminder", "held_back")
    assert "role_closed" in reminder.says


def test_a_rule_that_is_not_met_skips_the_steps_to_the_proposal(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    thread_id = home.apply("Ben Example", "ben@example.com", cv="{name}\n{email}\nRight to work in the UK: no\n")

    steps = [(one.step, one.mark) for one in told(home, thread_id)][:5]

    assert steps == [("intake", "pure"), ("rules", "pure"), ("recall", "skip"), ("score", "skip"), ("route", "pure")]


def test_a_paid_model_is_not_asked(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    thread_id = home.apply("Ben Example", "ben@example.com")
    paid = home.with_model(_Paid(home.app.desk.model))

    last = told(paid, thread_id)[-1]

    assert (last.step, last.mark) == ("score", "stops")
    assert "costs money" in last.says


class _Paid:
    """A model that must not be asked."""

    leaves_machine = True

    def __init__(self, model: object) -> None:
        self.label = "paid-model"
        self._model = model


def test_a_run_that_ended_has_nothing_coming_and_another_tenants_is_not_found(tmp_path: Path) -> None:
    home = day_one(tmp_path)
    home.cancel(THREAD)

    assert told(home) == []
    assert told(replace(home)) == []
