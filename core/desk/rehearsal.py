"""What happens next, as a dry run: the run's own steps, on what stands now, with nobody answering the outside.

Steps run as they are, with a kit that writes nothing, sends nothing and pays for nothing. Time moves from one wake-up
to the next. Where a person is asked, the first answer is taken for given, and said so. What only the outside or a paid
model could tell ends the rehearsal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from core.clock import FixedClock
from core.desk.desk import Actor, Desk
from core.desk.rehearsal_kit import Kit, Stops
from core.errors import DaybookError
from core.review.read import list_decided
from core.steps import Advance, Decided, Finish, Interrupt, Outcome, Question, State, Step, Wait, Workflow
from core.threads.codec import codec_of
from core.threads.load import load_events, load_fields
from core.threads.rows import get_thread
from core.vault.subjects import read_people

MOST = 40
Mark = Literal["skip", "pure", "held_back", "will_act", "stops"]
_SAMPLES = {"email": "someone@example.com", "text": "…", "integer": 0, "number": 0}


@dataclass(frozen=True, slots=True)
class Coming:
    """One coming step. `keys` are the effects it names; `if_` says on what answer or silence it rests.

    `until` is how long it waits, if it does.

    `skip`: passed over. `pure`: nothing leaves. `held_back`: what it asks for has happened or may not; the ledger keeps
    it in. `will_act`: something leaves. `stops`: nobody can say from here on.
    """

    step: str
    title: str
    mark: Mark
    at: datetime
    says: str
    keys: tuple[str, ...] = ()
    if_: str = ""
    until: datetime | None = None


def rehearse(conn: Connection, desk: Desk, actor: Actor, thread_id: str) -> list[Coming]:
    """Answer the coming steps of a run, none where it has ended; raises NotFound. Writes nothing."""
    thread = get_thread(conn, actor.tenant_id, thread_id)
    workflow = desk.workflows.get(thread.workflow)
    if thread.has_ended or workflow is None:
        return []
    keys = desk.vault.keys_of(actor.tenant_id, [thread_id])
    if thread_id not in keys:
        return []
    decided = list_decided(conn, desk.vault, actor.tenant_id, [thread_id])
    events = load_events(conn, actor.tenant_id, keys, unconsumed=True).get(thread_id, [])
    people = read_people(conn, actor.tenant_id, {thread_id: keys[thread_id]})
    kit = Kit(conn, desk, thread, keys[thread_id], people.get(thread_id), workflow, actor.now)
    kit.take_rows([one.happened for one in events], decided)
    fields = load_fields(conn, actor.tenant_id, {thread_id: keys[thread_id]})[thread_id]
    try:
        state = codec_of(workflow.state).decode(fields, thread_id)
    except DaybookError as error:
        return [Coming(thread.step, thread.step, "stops", actor.now, error.sentence)]
    return list(_Rehearsal(kit, workflow, state, thread.step).go())


class _Rehearsal:
    def __init__(self, kit: Kit, workflow: Workflow, state: State, step: str) -> None:
        self._kit, self._workflow, self._state, self._name = kit, workflow, state, step
        self._if = ""
        held = kit.next_answer()
        if held is not None:
            kit.answer, kit.clock = held[0], FixedClock(max(kit.clock.now(), held[1]))
            self._if = "unless the answer is undone while it is held"

    def go(self) -> Iterator[Coming]:
        """Perform step after step until the run ends, or nobody can say any more."""
        for _ in range(MOST):
            step = self._workflow.step(self._name)
            if step is None:
                yield self._line(Step(self._name, self._name, _nothing), "stops", "The loaded code has no such step.")
                return
            try:
                outcome = self._perform(step)
            except Stops as stops:
                yield self._line(step, "stops", str(stops))
                return
            except DaybookError as error:
                yield self._line(step, "stops", f"It would fail: {error.sentence}")
                return
            yield from self._told(step, outcome)
            if isinstance(outcome, Finish):
                return

    def _perform(self, step: Step) -> Outcome:
        self._kit.begin_step()
        return step.perform(self._kit, self._state)

    def _told(self, step: Step, outcome: Outcome) -> Iterator[Coming]:
        kit, self._state = self._kit, outcome.state
        mark: Mark = "will_act" if kit.acts else "held_back" if kit.kept_in else "pure"
        match outcome:
            case Advance(summary=summary, to=to):
                yield self._line(step, mark, summary)
                following = self._workflow.step(to) if to else self._workflow.after(step.name)
                yield from self._skipped(step, following)
                self._name, kit.answer = (following.name if following else ""), None
            case Finish(summary=summary, outcome=word):
                yield self._line(step, mark, f"{summary} The run ends: {word}.")
                yield from self._skipped(step, None)
            case Wait(events=events, wake_at=wake_at, then=then):
                for_ = " or ".join(events) or "the time"
                yield replace(self._line(step, mark, f"Waits for {for_}."), until=wake_at)
                self._if, kit.clock = f"if nothing comes, {then}", FixedClock(wake_at)
            case Interrupt(question=question):
                yield self._line(step, mark, f"Asks: {question.title} {_offers(question)}")
                option = question.options[0]
                kit.answer = _answer(question, kit.clock.now())
                kit.decisions.append(kit.answer)
                self._if = f"if you answer “{option.label}”"

    def _skipped(self, step: Step, following: Step | None) -> Iterator[Coming]:
        names = [one.name for one in self._workflow.steps]
        here = names.index(step.name)
        there = len(names) if following is None else names.index(following.name)
        for one in self._workflow.steps[here + 1 : there]:
            yield Coming(one.name, one.title, "skip", self._kit.clock.now(), "Passed over.", if_=self._if)

    def _line(self, step: Step, mark: Mark, says: str) -> Coming:
        kept_in = " ".join(f"{key}: {why}." for key, why in self._kit.kept_in.items())
        keys = (*self._kit.acts, *self._kit.kept_in)
        return Coming(step.name, step.title, mark, self._kit.clock.now(), f"{says} {kept_in}".strip(), keys, self._if)


def _nothing(_kit: object, _state: object) -> Outcome:
    raise Stops


def _offers(question: Question) -> str:
    return "; ".join(
        f"{one.label} → {', '.join(effect.name for effect in one.effects) or 'nothing leaves'}"
        for one in question.options
    )


def _answer(question: Question, now: datetime) -> Decided:
    option = question.options[0]
    fields = {name: _SAMPLES.get(kind) for name, kind in option.answer.items()}
    return Decided("", question.kind, question.about, option.verdict, 0, "", now, fields, None, None, option.effects)
