"""Threads: checkpoints without a hole, a plan in step with its thread, timers that wake."""

from __future__ import annotations

from collections import defaultdict

from core.views.checks.look import Findings, Look, ThreadLine


def check_checkpoints(look: Look, found: Findings) -> set[str]:
    """Expect checkpoints 0 to n of every thread; answers the threads where one is missing."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for row in look.rows("SELECT thread_id, number FROM checkpoints WHERE tenant_id = :tenant"):
        numbers[row.thread_id].add(row.number)
    holed = set()
    for thread in look.living.values():
        held = numbers[thread.id]
        for number in sorted(set(range(thread.checkpoint + 1)) - held):
            found.report(f"thread {thread.id}: checkpoint {number} is missing.")
            holed.add(thread.id)
        beyond = max(held, default=0)
        found.expect(
            beyond <= thread.checkpoint,
            f"thread {thread.id}: stands at checkpoint {thread.checkpoint}, but checkpoint {beyond} is there.",
        )
    return holed


def check_timers(look: Look, found: Findings) -> None:
    """Expect that whatever waits is woken by something, and that what ended is not."""
    asked = {row[0] for row in look.rows(_PENDING)}
    for thread in look.living.values():
        found.expect(*_held(thread))
        woken = thread.wake_at is not None or thread.id in look.stalled
        found.expect(*_woken(thread, is_asked=thread.id in asked, is_woken=woken))


_PENDING = "SELECT DISTINCT thread_id FROM approvals WHERE tenant_id = :tenant AND status = 'pending'"


def _held(thread: ThreadLine) -> tuple[bool, str]:
    is_held = thread.lease_holder is not None
    return (thread.status == "running") == is_held, (
        f"thread {thread.id}: is {thread.status}, but "
        + ("a worker holds its lease." if is_held else "no worker holds its lease.")
    )


def _woken(thread: ThreadLine, *, is_asked: bool, is_woken: bool) -> tuple[bool, str]:
    if thread.has_ended:
        return thread.wake_at is None, f"thread {thread.id}: has ended, but a timer of it stands."
    if thread.status in ("ready", "waiting"):
        return is_woken, f"thread {thread.id}: is {thread.status}, but nothing wakes it."
    if thread.status == "awaiting_review":
        holds = is_asked or thread.wake_at is not None
        return holds, f"thread {thread.id}: waits for a person, but asks nothing."
    return True, ""


def check_plan(look: Look, found: Findings) -> None:
    """Expect that what lies behind a thread's step is settled, and what lies ahead is not."""
    plans: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    query = "SELECT thread_id, position, step, status FROM plan_steps WHERE tenant_id = :tenant ORDER BY position"
    for row in look.rows(query):
        plans[row.thread_id].append((row.position, row.step, row.status))
    for thread in look.living.values():
        plan = plans[thread.id]
        whole = [position for position, _, _ in plan] == list(range(len(plan)))
        if found.expect(whole and plan, f"thread {thread.id}: a step of its plan is missing."):
            _check_steps(look, thread, [(step, status) for _, step, status in plan], found)


def _check_steps(look: Look, thread: ThreadLine, plan: list[tuple[str, str]], found: Findings) -> None:
    workflow = look.workflows.get(thread.workflow)
    renamed = workflow.renamed if workflow else {}
    names = [renamed.get(step, step) for step, _ in plan]
    here = renamed.get(thread.step, thread.step)
    if not found.expect(here in names, f"thread {thread.id}: stands at {thread.step}, which is no step of its plan."):
        return
    at = len(names) if thread.has_ended else names.index(here)
    for place, (step, status) in enumerate(plan):
        is_settled = status != "later"
        found.expect(
            is_settled == (place < at),
            f"thread {thread.id}: stands at {thread.step}, but step {step} of its plan is {status}.",
        )
