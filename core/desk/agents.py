"""A goal becomes an agent run: what it may use is its case in the policy, and a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from core.catalog.policies import pin_policy, read_policy
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.intake import RULES
from core.desk.jobs import refuse_known
from core.errors import BadInput, meant
from core.keys import check_thread_id, random_id
from core.people.people import check_may_decide
from core.steps import Rule
from core.threads.open import NewThread, open_thread
from core.threads.pinned import POLICY
from core.vault.subjects import add_subject

Opener = Callable[[], AbstractContextManager[Tx]]
LONGEST_GOAL, LONGEST_BRIEF = 300, 8_000


@dataclass(frozen=True, slots=True)
class NewRun:
    """An agent run to be. `brief` is what the goal needs in detail; `workspace` names whose facts are recalled.

    `hold_seconds` is how long this run's decisions are held; None is as long as any of its tenant.
    """

    id: str
    goal: str
    case: str
    folder: Path
    brief: str = ""
    workspace: str = "home"
    hold_seconds: int | None = None


def open_run(open_tx: Opener, desk: Desk, actor: Actor, new: NewRun) -> str:
    """Open a run that is due at once, and answer its thread; raises BadInput, and nothing is stored then."""
    check_may_decide(actor.member)
    name = desk.agents.workflow.name
    policy = read_policy(name) | ({} if new.hold_seconds is None else {"hold_seconds": new.hold_seconds})
    thread_id = check_thread_id(new.id)
    _check(new, policy["cases"])
    refuse_known(open_tx, actor, thread_id)
    state = desk.agents.first_state(new.case, new.brief, str(new.folder.resolve()), new.workspace)
    subject_id = random_id("sub")
    desk.vault.make(actor.tenant_id, [(subject_id, thread_id, (*RULES, Rule.BY_DATE))])
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    with open_tx() as tx:
        version = pin_policy(tx, actor.tenant_id, name, policy, by=actor.member.id, now=actor.now)
        add_subject(tx, actor.tenant_id, subject_id, actor.now)
        opened = NewThread(
            thread_id, desk.agents.workflow, new.goal.strip(), None, {POLICY: version}, state, actor.member.id
        )
        open_thread(tx, keys, opened, actor.now)
        actor.note(tx, "run_opened", thread_id, policy=version, case=new.case)
        tx.nudges = True
    return thread_id


def _check(new: NewRun, cases: dict[str, object]) -> None:
    if not new.goal.strip() or len(new.goal) > LONGEST_GOAL or "\n" in new.goal.strip():
        raise BadInput(f"A run has a goal: one line of 1 to {LONGEST_GOAL} characters.")
    if len(new.brief) > LONGEST_BRIEF:
        raise BadInput(f"A brief has at most {LONGEST_BRIEF} characters; put more into a file of the folder.")
    if new.case not in cases:
        raise BadInput(f"There is no case {new.case[:40]!r} in the policy. {meant(new.case, list(cases))}")
    if not new.folder.is_dir():
        raise BadInput(f"There is no folder at {new.folder}.")
    if not new.workspace.strip() or len(new.workspace) > 80:
        raise BadInput("A workspace has a name of 1 to 80 characters.")
