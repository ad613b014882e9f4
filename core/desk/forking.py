"""Fork a run at a checkpoint: another thread of the same subject, with the state that stood there and keys of its own.

A sandbox sends nothing, whatever is answered in it; the gate sees to that. Any other fork may send, under its own keys,
what a person approves there anew. A run that acts on a folder is forked as a sandbox, on a copy of that folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from sqlalchemy import Connection

from core.clock import iso
from core.db.store import Tx
from core.desk.desk import Actor, Desk, Doors
from core.desk.intake import RULES
from core.effects.plan import Entry, read_payload
from core.errors import BadInput, NotFound, StaleVersion, StateUnreadable
from core.people.people import check_may_decide
from core.receipts.keep import Kept, copy_kept, keeping, write_receipts
from core.review.copy import copy_answers
from core.steps import Rule, Workflow
from core.threads.codec import codec_of
from core.threads.fork import copy_grown_plan, copy_plan, next_fork_id
from core.threads.open import NewThread, open_thread
from core.threads.rows import Thread, get_thread
from core.vault.sealing import Keys
from core.vault.subjects import read_people, refuse_erased, write_person
from core.views.after import After, read_after
from core.views.history import read_history


@dataclass(frozen=True, slots=True)
class Forked:
    """A fork that was made: its id, and what was listed before."""

    thread_id: str
    after: After
    is_sandbox: bool


def preview_fork(conn: Connection, desk: Desk, tenant_id: str, thread_id: str, at: int) -> After:
    """Say what a fork would do about each effect after the point; raises NotFound, or BadInput at a run's end.

    A run that acts on a folder is forked where it stands and nowhere else: the folder is copied as it is now, and no
    copy of it as it was at an earlier checkpoint exists.
    """
    thread = get_thread(conn, tenant_id, thread_id)
    grows = desk.works_on_a_folder(thread.workflow)
    after = read_after(conn, thread, at, asks_anew=not grows)
    if after is None:
        raise NotFound(f"{thread_id} has no checkpoint {at}; it has 0 to {thread.checkpoint}.")
    if thread.has_ended and thread.outcome != "cancelled" and after.begins_at == thread.checkpoint:
        earlier = "" if grows else " Fork at an earlier one."
        raise BadInput(f"{thread_id} ended at checkpoint {at}: nothing comes after it.{earlier}")
    if grows:
        _refuse_elsewhere(thread, at)
    return after


def _refuse_elsewhere(thread: Thread, at: int) -> None:
    if at != thread.checkpoint:
        raise BadInput(
            f"{thread.id} acts on a folder, and there is no copy of it as it was at checkpoint {at}; fork it where it "
            f"stands, at checkpoint {thread.checkpoint}."
        )
    if thread.lease_holder is not None or thread.status in ("ready", "running"):
        raise BadInput(f"{thread.id} is at work, so its folder does not stand still; park it first, then fork.")


@contextmanager
def _in_a_copy(doors: Doors, desk: Desk, thread: Thread) -> Iterator[Path | None]:
    """Copy the folder of a run that acts on one, and remove the copy where the fork does not come about."""
    if not desk.works_on_a_folder(thread.workflow):
        yield None
        return
    with doors.read() as conn:
        state = _state_at(conn, desk, thread, _workflow(desk, thread), thread.checkpoint, {})
    copy = desk.agents.folders.copy(Path(desk.agents.folder_of(state)))
    try:
        yield copy
    except BaseException:
        desk.agents.folders.remove(copy)
        raise


def fork_thread(doors: Doors, desk: Desk, actor: Actor, thread_id: str, at: int, *, sandbox: bool = True) -> Forked:
    """Open a fork that is due at once, and answer its id and what it does about each effect.

    Raises NotFound, NotAllowed, BadInput where an effect after the point is to be settled first, StateUnreadable where
    what stood there cannot be opened any more, SealedForErased.
    """
    check_may_decide(actor.member)
    with doors.read() as conn:
        thread = get_thread(conn, actor.tenant_id, thread_id)
        refuse_erased(conn, actor.tenant_id, thread.subject_id)
        after = preview_fork(conn, desk, actor.tenant_id, thread_id, at)
        grows = desk.works_on_a_folder(thread.workflow)
        if grows and not sandbox:
            raise BadInput(f"{thread_id} acts on a folder as it goes; it is forked on a copy of that only (a sandbox).")
        _refuse_unsettled(thread_id, after)
        fork_id = next_fork_id(conn, actor.tenant_id, thread_id)
    rules = (*RULES, Rule.BY_DATE) if grows else RULES
    desk.vault.make(actor.tenant_id, [(thread.subject_id, fork_id, rules)])
    keys = desk.vault.keys(actor.tenant_id, fork_id)
    with keeping(desk.blobs_folder), _in_a_copy(doors, desk, thread) as folder:
        with doors.read() as conn:
            kept = copy_kept(conn, desk.blobs, desk.vault.keys(actor.tenant_id, thread_id), keys)
        with doors.write() as tx:
            if next_fork_id(tx.conn, actor.tenant_id, thread_id) != fork_id:
                raise StaleVersion(f"Somebody forked {thread_id} at the same moment; look again.")
            if folder is not None and get_thread(tx.conn, actor.tenant_id, thread_id).version != thread.version:
                raise StaleVersion(f"{thread_id} went on while its folder was copied; look again.")
            _write(tx, desk, actor, thread, keys, after, kept, sandbox=sandbox, folder=folder)
            detail = {"of": thread_id, "at": after.begins_at, "sandbox": sandbox, "version": thread.version}
            actor.note(tx, "forked", fork_id, **detail)
            tx.nudges = True
    return Forked(fork_id, after, sandbox)


def _refuse_unsettled(thread_id: str, after: After) -> None:
    keys = [one.entry.key for one in after.effects if one.mark == "settle"]
    if keys:
        raise BadInput(
            f"Nobody knows whether {', '.join(keys)} of {thread_id} left; settle that first (`effects settle`)."
        )


def _write(  # noqa: PLR0913 - one fork's whole opening
    tx: Tx, desk: Desk, actor: Actor, thread: Thread, keys: Keys, after: After, kept: Mapping[str, Kept], *,
    sandbox: bool, folder: Path | None,
) -> None:  # fmt: skip
    source = desk.vault.keys(actor.tenant_id, thread.id)
    workflow = _workflow(desk, thread)
    refs = {old: new.ref for old, new in kept.items()}
    reuses = {
        one.entry.key.removeprefix(f"{thread.id}/"): _reused(tx.conn, source, keys, one.entry, refs)
        for one in after.effects
        if one.mark == "reuse"
    }
    state = _state_at(tx.conn, desk, thread, workflow, after.begins_at, refs)
    new = NewThread(
        id=keys.thread_id,
        workflow=replace(workflow, version=thread.workflow_version),
        goal=thread.goal,
        role_id=thread.role_id,
        configs=thread.configs,
        state=state if folder is None else desk.agents.placed(state, str(folder)),
        owner_id=actor.member.id,
        begins_at=workflow.renamed.get(after.step, after.step),
        forked_from=thread.id,
        forked_at=after.begins_at,
        is_sandbox=sandbox,
        reuses=reuses or None,
    )
    open_thread(tx, keys, new, actor.now)
    if workflow.grows:
        copy_grown_plan(tx, source, keys, refs)
    else:
        copy_plan(tx, source, keys, new.begins_at or "", refs)
    copy_answers(tx, source, keys, after.begins_at)
    people = read_people(tx.conn, actor.tenant_id, {thread.id: source})
    if thread.id in people:
        write_person(tx, keys, replace(people[thread.id], version=1))
    write_receipts(tx, keys, list(kept.values()), actor.now)


def _workflow(desk: Desk, thread: Thread) -> Workflow:
    workflow = desk.workflows.get(thread.workflow)
    if workflow is None:
        raise BadInput(f"{thread.id} follows workflow {thread.workflow}, which the loaded code does not have.")
    return workflow


def _state_at(
    conn: Connection, desk: Desk, thread: Thread, workflow: Workflow, at: int, refs: Mapping[str, str]
) -> object:
    moment = next(one for one in read_history(conn, desk.vault, thread, workflow) if one.number == at)
    if not moment.is_whole:
        raise StateUnreadable(f"What {thread.id} held at checkpoint {at} cannot be opened whole any more.")
    fields = {name: _renamed(msgspec.json.encode(value), refs) for name, value in moment.fields.items()}
    return codec_of(workflow.state).decode(fields, thread.id)


def _renamed(written: bytes, refs: Mapping[str, str]) -> bytes:
    for old, new in refs.items():
        written = written.replace(f'"{old}"'.encode(), f'"{new}"'.encode())
    return written


def _reused(conn: Connection, source: Keys, keys: Keys, entry: Entry, refs: Mapping[str, str]) -> list[str]:
    """Answer when something was read, the fork's own receipt of it, and a hash of what was asked for."""
    payload, ref = read_payload(conn, source, entry), entry.result_ref or ""
    return [str(iso(entry.done_at)), refs.get(ref, ref), keys.hash(dict(payload))]
