"""The step in which a person answers: one question at every band, and what leaves on either answer."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from core.errors import StepFailed
from core.steps import Advance, Decided, Effect, Finish, Interrupt, Json, Kit, Option, Outcome, Person, Question
from core.workflows.screening.follow import take_answer, withdrew
from core.workflows.screening.history import override_key, remember_application, remember_override
from core.workflows.screening.letters import first_name, letter, numbered, sources
from core.workflows.screening.route import edge_of, words_of
from core.workflows.screening.state import RecallLine, Screening


def review(kit: Kit, state: Screening) -> Outcome:
    """Ask whether to invite or decline, and carry the answer on."""
    ended = withdrew(kit, state)
    if ended is not None:
        return ended
    while kit.event("bounce") is not None:
        pass  # No letter is out that could come back: it is about one that this question is about already.
    booked = kit.event("booking") if state.invite_number > 1 else None
    if booked is not None:
        return take_answer(kit, state, booked)
    answer = kit.answer
    if answer is None:
        return _ask(kit, state)
    if answer.kind == "address":
        return _take_address(kit, state, answer)
    return _take_verdict(kit, state, answer)


def _ask(kit: Kit, state: Screening) -> Outcome:
    rubric = kit.config("rubric").version
    if state.rubric_version is not None and state.rubric_version != rubric:
        return Advance(state, f"Scored again under rubric version {rubric}.", to="recall")
    if state.came_back or not (kit.person.email or "").strip():
        return Interrupt(state, _address_question(kit, state))
    return Interrupt(state, _question(kit, state))


def _take_address(kit: Kit, state: Screening, answer: Decided) -> Outcome:
    if answer.verdict == "reject":
        decided = replace(state, verdict="reject", decided_at=answer.decided_at)
        return Finish(decided, "declined", "rejected", "There was no address to write to.")
    kit.amend(email=answer.answer["email"])
    return _ask(kit, replace(state, came_back=False))


def _take_verdict(kit: Kit, state: Screening, answer: Decided) -> Outcome:
    decided = replace(state, verdict=answer.verdict, decided_at=answer.decided_at)
    remember_override(kit, state, answer)
    if answer.verdict == "approve":
        return Advance(decided, "The person answered.", to="invite")
    kit.once(_effect(answer, "decline"))
    remember_application(kit, state, "declined at review")
    return Finish(decided, "declined", "rejected", "The person answered.")


def _effect(answer: Decided, name: str) -> Effect:
    for effect in answer.effects:
        if effect.name == name:
            return effect
    raise StepFailed(f"Approval {answer.approval_id} carries no effect {name}.")


def _address_question(kit: Kit, state: Screening) -> Question:
    came_back = f"The letter to {(kit.person.email or '').strip()} came back. " if state.came_back else ""
    return Question(
        kind="address",
        about=numbered("address", state.invite_number),
        title=f"{came_back}Which address may we write to?",
        options=(
            Option("approve", "Use this address", answer={"email": "email"}),
            Option("reject", "Close without a letter"),
        ),
        basis={"person": kit.person.version},
        due_hours=kit.config("role").content["question_due_hours"],
    )


def _question(kit: Kit, state: Screening) -> Question:
    number = state.invite_number
    about = numbered("invite", number)
    given = sources(kit, kit.answer_link(about))
    invite, reminder = (letter(name, given, number=number) for name in ("invite", "reminder"))
    decline = letter("decline", given)
    person, role = kit.person, given.role
    return Question(
        kind="review",
        about=about,
        title=f"{role.content['title']}: invite or decline?",
        options=(
            Option("approve", f"Invite {first_name(person.name) or 'the applicant'}", (invite, reminder)),
            Option("reject", "Send the decline", (decline,)),
        ),
        facts=_facts(kit, state, person),
        basis={
            "rubric": kit.config("rubric").version,
            "letters": given.letters.version,
            "booking": given.booking.version,
            "person": person.version,
            "role": role.version,
        },
        due_hours=role.content["question_due_hours"],
    )


def _facts(kit: Kit, state: Screening, person: Person) -> dict[str, Json]:
    """Answer what the card shows, evidence before numbers; `overrides` is the key under which people's own are kept."""
    return {
        "scores": [_flat(score) for score in state.scores],
        "scored_by": state.scored_by,
        "unscored": state.unscored,
        "left_out": state.left_out,
        "by_ocr": list(state.by_ocr),
        "rules": [{**_flat(result), "answer": result.answer.value} for result in state.rule_results],
        "recall": _line(state.recall),
        "override": _line(state.override),
        "overrides": override_key(kit),
        "doubts": [*_to_check(person), *state.doubts],
        "hidden_count": state.hidden_count,
        "hidden": [_flat(piece) for piece in state.hidden],
        "rubric_version": state.rubric_version,
        "total": state.total,
        "max_total": state.max_total,
        "band": None if state.band is None else words_of(state.band),
        "edge": None if state.band is None else edge_of(state.total, state.max_total, state.band),
        "proposal": None if state.proposal is None else state.proposal.value,
    }


def _flat(record: Any) -> dict[str, Json]:
    """Answer the fields of a record of plain values; `asdict` would look into each and copy it."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


def _to_check(person: Person) -> list[str]:
    """Say what nobody typed: it was read in the file, and letters go by it."""
    fields = {"name": ("name", person.name), "email": ("address", person.email)}
    return [
        f"The {word} {value} was read in the file, with {person.read[key]} confidence; check this."
        for key, (word, value) in fields.items()
        if key in person.read
    ]


def _line(recall: RecallLine | None) -> str | None:
    return None if recall is None else recall.text
