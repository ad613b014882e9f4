"""The steps of a job: read the export, compare, ask about what differs, close."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from core.errors import BadInput, OutcomeRefused, StepFailed
from core.steps import Advance, Decided, Effect, Finish, Interrupt, Kit, Option, Outcome, Question
from core.workflows.reconciliation.compare import compare as find_differences
from core.workflows.reconciliation.records import control_figures, exported_of
from core.workflows.reconciliation.state import Discrepancy, Reconciliation
from core.workflows.reconciliation.table import Table, read_table


def read(kit: Kit, state: Reconciliation) -> Outcome:
    """Read the export once in the life of its key; a job that resumes finds what was read."""
    payload = {"name": state.export_name, "version": state.export_version}
    receipt = kit.once(Effect(f"export/{state.export_version}", "read", payload))
    if receipt.result_ref is None:
        raise StepFailed(f"{receipt.key} was held back: {receipt.held_back}.")
    export = _table(kit, receipt.result_ref, state)
    taken = replace(state, export_ref=receipt.result_ref, read_as=export.read_as)
    taken = replace(taken, campaign_count=len(exported_of(export)))
    agree = "" if export.totals is None else f"; {len(control_figures(export))} control figures in its totals row"
    summary = f"Export {state.export_version}: {taken.campaign_count} campaigns, {export.read_as}{agree}."
    return Advance(taken, summary, receipts=(receipt.result_ref,))


def compare(kit: Kit, state: Reconciliation) -> Outcome:
    """Compare with the latest version of each approved campaign, under the pinned policy."""
    if state.export_ref is None:
        raise StepFailed(f"{kit.thread_id} has no export to compare; cancel it and begin anew.")
    approved, export = _table(kit, state.approved_ref, state), _table(kit, state.export_ref, state)
    found = find_differences(approved, export, kit.config("policy").content)
    count = len(found)
    said = f"{count} {'discrepancy' if count == 1 else 'discrepancies'}: {', '.join(one.id for one in found)}."
    return Advance(replace(state, discrepancies=found), said if found else "No discrepancy.")


def _table(kit: Kit, ref: str, state: Reconciliation) -> Table:
    try:
        return read_table(kit.read(ref), state.decimal)
    except BadInput as error:
        raise OutcomeRefused(f"{ref} of {kit.thread_id}: {error.sentence}") from error


def review(kit: Kit, state: Reconciliation) -> Outcome:
    """Ask about every discrepancy; the job goes on when none is open. What was answered is read from the approvals."""
    answered = {one.about for one in kit.answers}
    still = [_question(kit, state, one) for one in state.discrepancies if one.id not in answered]
    if still:
        return Interrupt(state, still[0], also=tuple(still[1:]))
    return Advance(state, f"{len(answered)} of {len(state.discrepancies)} put to a person." if answered else "None.")


def _question(kit: Kit, state: Reconciliation, one: Discrepancy) -> Question:
    policy, note = kit.config("policy"), kit.note()
    limit = Decimal(str(policy.content["approval_limit"]))
    is_over = one.over_by is not None and Decimal(one.over_by) > limit
    accept = () if is_over else (Option("approve", "Accept as it is"),)
    above = f" That is above the limit of {limit}, so it cannot be accepted." if is_over else ""
    return Question(
        kind="discrepancy",
        about=one.id,
        title=f"{one.name} ({one.campaign_id}): {one.says}.{above}",
        options=(*accept, Option("reject", "Reject these figures")),
        facts={
            "campaign": one.campaign_id,
            "findings": list(one.findings),
            "limit": str(limit),
            "note": None if note is None else note.text,
        },
        basis={
            "export": state.export_version,
            "policy": policy.version,
            "note": 0 if note is None else note.version,
        },
        due_hours=policy.content["question_due_hours"],
    )


def close(kit: Kit, state: Reconciliation) -> Outcome:
    """End the job: rejected if a person rejected anything, else with a report. Rows decide, whatever a model says."""
    reply = kit.ask(kit.build(state))
    answers = {one.about: one for one in kit.answers}
    if any(one.verdict == "reject" for one in answers.values()):
        return Finish(state, "rejected", "rejected", f"{len(answers)} answers weighed; no report.")
    report = _report(kit, state, answers, f"{reply.content.get('line', '')} ({reply.model})")
    ref = kit.keep(report.encode(), "text/markdown")
    return Finish(replace(state, report_ref=ref), "reconciled", "completed", f"Report kept as {ref}.")


def _report(kit: Kit, state: Reconciliation, answers: dict[str, Decided], line: str) -> str:
    rows = [
        f"- {one.id} {one.name} ({one.campaign_id}): {one.says}. {_said(answers.get(one.id))}"
        for one in state.discrepancies
    ]
    head = f"# {kit.thread_id}: {state.account}, export {state.export_version}"
    found = rows or ["- Every campaign is as approved."]
    return "\n".join([head, "", f"{state.campaign_count} campaigns ({state.read_as}).", "", *found, "", line, ""])


def _said(answer: Decided | None) -> str:
    if answer is None:
        return "Not asked."
    reason = f" ({answer.reason})" if answer.reason else ""
    return f"Accepted {answer.decided_at:%Y-%m-%d}{reason}."
