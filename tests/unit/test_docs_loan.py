"""The workflow of docs/your-own-workflow.md does what its page says."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest

from core.steps import (
    Advance,
    Decided,
    Effect,
    Finish,
    Happened,
    Interrupt,
    Person,
    Receipt,
    Step,
    Verdict,
    Wait,
)
from tests.docs import include
from tests.docs.__main__ import ROOT

NOW = datetime(2026, 8, 20, 9, tzinfo=UTC)
DUE = NOW + timedelta(days=14)


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


loan = load("loan")
LENT = loan.Loan(item="camera", due_at=DUE)


@dataclass
class FixedClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@dataclass
class FakeKit:
    """A kit of one person, at most one answer and one event; it keeps what was to be sent."""

    email: str | None = "ana@example.com"
    answer: Decided | None = None
    happened: Happened | None = None
    held_back: str | None = None
    clock: FixedClock = field(default_factory=FixedClock)
    sent: list[Effect] = field(default_factory=list)

    @property
    def person(self) -> Person:
        return Person("Ana Example", self.email, {"item": "camera"}, version=1)

    def once(self, effect: Effect) -> Receipt:
        self.sent.append(effect)
        return Receipt(f"loan-1/{effect.name}", None if self.held_back else NOW, held_back=self.held_back)

    def event(self, *names: str) -> Happened | None:
        return self.happened if self.happened and self.happened.name in names else None


def question() -> Interrupt:
    asked = loan.lend(FakeKit(), loan.Loan())
    assert isinstance(asked, Interrupt)
    return asked


def decided(verdict: Verdict) -> Decided:
    option = next(option for option in question().question.options if option.verdict == verdict)
    return Decided("a1", "loan", "letter", verdict, 2, "owner@example.com", NOW, {}, None, None, option.effects)


def returned(*, late: bool) -> Happened:
    return Happened("returned", {}, DUE if late else NOW, late)


def test_a_loan_asks_before_anything_leaves() -> None:
    kit = FakeKit()
    outcome = loan.lend(kit, loan.Loan())
    assert isinstance(outcome, Interrupt)
    assert [option.label for option in outcome.question.options] == ["Lend the camera", "Say no"]
    assert kit.sent == []


def test_a_yes_sends_exactly_the_letter_that_was_shown() -> None:
    kit = FakeKit(answer=decided("approve"))
    outcome = loan.lend(kit, loan.Loan())
    assert outcome == Advance(LENT, "The camera is due back on 2026-09-03.")
    assert kit.sent == list(question().question.options[0].effects)


def test_a_no_sends_nothing_and_ends_the_thread() -> None:
    kit = FakeKit(answer=decided("reject"))
    outcome = loan.lend(kit, loan.Loan())
    assert (outcome.outcome, outcome.status, kit.sent) == ("declined", "rejected", [])


def test_a_form_without_an_address_is_never_asked_about() -> None:
    outcome = loan.lend(FakeKit(email=None), loan.Loan())
    assert (outcome.outcome, outcome.status) == ("no_address", "failed")


def test_a_letter_that_was_held_back_starts_no_window() -> None:
    outcome = loan.lend(FakeKit(answer=decided("approve"), held_back="withdrawn"), loan.Loan())
    assert (outcome.outcome, outcome.state.due_at) == ("held_back", None)


def test_a_thing_that_is_out_is_waited_for_until_it_is_due() -> None:
    assert loan.take_back(FakeKit(), LENT) == Wait(LENT, ("returned",), DUE, DUE, "the loan ends as missing")


@pytest.mark.parametrize(("late", "outcome"), [(False, "returned"), (True, "returned_late")])
def test_a_thing_that_came_back_ends_the_loan_even_after_the_day(late: bool, outcome: str) -> None:
    kit = FakeKit(happened=returned(late=late), clock=FixedClock(DUE))
    assert loan.take_back(kit, LENT) == Finish(LENT, outcome, "completed", "The camera came back.")


def test_a_thing_that_did_not_come_back_is_missing_at_the_very_instant_it_is_due() -> None:
    assert loan.take_back(FakeKit(clock=FixedClock(DUE - timedelta(seconds=1))), LENT).until == DUE
    assert loan.take_back(FakeKit(clock=FixedClock(DUE)), LENT).outcome == "missing"


def test_the_steps_of_the_loan_follow_each_other() -> None:
    assert loan.LOAN.after("lend") == Step("take_back", "Take it back", loan.take_back)
    assert loan.LOAN.after("take_back") is None


def test_the_loan_is_sixty_lines_of_code_or_fewer() -> None:
    lines = (ROOT / "docs" / "examples" / "loan.py").read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.strip().startswith('"""') for line in lines) <= 60


def test_the_page_shows_the_file_word_for_word() -> None:
    page = "docs/your-own-workflow.md"
    text = (ROOT / page).read_text(encoding="utf-8")
    assert (ROOT / "docs" / "examples" / "loan.py").read_text(encoding="utf-8").strip() in text
    assert include.render(ROOT)[page] == text
