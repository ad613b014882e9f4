"""The step in which a person answers: one question at every band, and what leaves on either answer."""

from __future__ import annotations

from dataclasses import asdict, replace

from core.errors import StepFailed
from core.steps import Advance, Decided, Effect, Finish, Interrupt, Json, Kit, Option, Outcome, Question
from core.workflows.screening.history import remember_application, remember_override
from core.workflows.screening.letters import first_name, letter
from core.workflows.screening.route import edge_of, words_of
from core.workflows.screening.state import RecallLine, Screening


def review(kit: Kit, state: Screening) -> Outcome:
    """Ask whether to invite or decline, and carry the answer on."""
    if kit.event("withdraw") is not None:
        remember_application(kit, state, "withdrew before review")
        return Finish(state, "withdrawn", "completed", "The applicant withdrew.")
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
    if not (kit.person.email or "").strip():
        return Interrupt(state, _address_question(kit))
    return Interrupt(state, _question(kit, state))


def _take_address(kit: Kit, state: Screening, answer: Decided) -> Outcome:
    if answer.verdict == "reject":
        decided = replace(state, verdict="reject", decided_at=answer.decided_at)
        return Finish(decided, "declined", "rejected", "There was no address to write to.")
    kit.amend(email=answer.answer["email"])
    return Interrupt(state, _question(kit, state))


def _take_verdict(kit: Kit, state: Screening, answer: Decided) -> Outcome:
    decided = replace(state, verdict=answer.verdict, decided_at=answer.decided_at)
    if answer.total is not None and state.total is not None and answer.total != state.total:
        remember_override(kit, state, answer.total)
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


def _address_question(kit: Kit) -> Question:
    return Question(
        kind="address",
        about="address",
        title="Which address may we write to?",
        options=(
            Option("approve", "Use this address", answer={"email": "email"}),
            Option("reject", "Close without a letter"),
        ),
        basis={"person": kit.person.version},
        due_hours=kit.config("role").content["question_due_hours"],
    )


def _question(kit: Kit, state: Screening) -> Question:
    person, role, letters = kit.person, kit.config("role"), kit.config("letters")
    invite, reminder, decline = (letter(name, person, role, letters) for name in ("invite", "reminder", "decline"))
    return Question(
        kind="review",
        about="invite",
        title=f"{role.content['title']}: invite or decline?",
        options=(
            Option("approve", f"Invite {first_name(person.name) or 'the applicant'}", (invite, reminder)),
            Option("reject", "Send the decline", (decline,)),
        ),
        facts=_facts(state),
        basis={
            "rubric": kit.config("rubric").version,
            "letters": letters.version,
            "person": person.version,
            "role": role.version,
        },
        due_hours=role.content["question_due_hours"],
    )


def _facts(state: Screening) -> dict[str, Json]:
    """Answer what the card shows, evidence before numbers."""
    return {
        "scores": [asdict(score) for score in state.scores],
        "scored_by": state.scored_by,
        "unscored": state.unscored,
        "rules": [{**asdict(result), "answer": result.answer.value} for result in state.rule_results],
        "recall": _line(state.recall),
        "override": _line(state.override),
        "doubts": list(state.doubts),
        "hidden_count": state.hidden_count,
        "hidden": [asdict(piece) for piece in state.hidden],
        "rubric_version": state.rubric_version,
        "total": state.total,
        "max_total": state.max_total,
        "band": None if state.band is None else words_of(state.band),
        "edge": None if state.band is None else edge_of(state.total, state.max_total, state.band),
        "proposal": None if state.proposal is None else state.proposal.value,
    }


def _line(recall: RecallLine | None) -> str | None:
    return None if recall is None else recall.text
