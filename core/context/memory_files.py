"""What a model asks of memory by itself: the keys that its workflow declares, exactly, and nothing else.

There is no listing beyond the declared names and no ranking. Each read goes through the one function that reads memory
and stands in a manifest. What is written waits in quarantine, and what is deleted can be restored; both are carried out
when the step settles. A refusal is an answer to the model and no error of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from core.audit.note import Note, note
from core.context.packets import Admitted
from core.db.store import Tx
from core.errors import BadInput, NotAllowed, NotFound
from core.memory.changing import forget
from core.memory.door import check_record, refuse_written_back
from core.memory.memory import list_handed, note_reads, remember
from core.memory.reading import Read, Wanted, find_row, read_memory
from core.steps import Item, Json, MemoryKey, Recalled, Record, Rule, Workflow, estimate_tokens
from core.vault.sealing import Keys, Vault

ROOT = "/memories"
SLOT, TOOL = "memory", "memory tool"
CONFIDENCE = 0.5  # a model's word is as likely wrong as right until a person looked
_LONGEST_PATH = 300
_WAITS = "It waits until a person allows it; nothing reads it before."


@dataclass(frozen=True, slots=True)
class Asker:
    """The run that asks, from the signed-in side: its keys name the tenant. `owner_id` is a person, or the tenant."""

    keys: Keys
    owner_id: str | None
    source_ref: str
    now: datetime


def open_memory_files(
    open_read: Callable[[], AbstractContextManager[Connection]],
    vault: Vault,
    asker: Asker,
    workflow: Workflow,
    declared: Sequence[MemoryKey],
    room_tokens: int,
) -> RowFiles:
    """Open memory for one step's model, as far as there is room; raises NotAllowed where its workflow may not ask."""
    if not workflow.may_ask_memory:
        raise NotAllowed(f"Workflow {workflow.name} has no memory tool: its code recalls what a step needs.")
    return RowFiles(open_read, vault, asker, declared, room_tokens)


class RowFiles:
    """Declared keys as files; satisfies core.ports.MemoryFiles. What it collects is kept by `keep_files`."""

    def __init__(
        self,
        open_read: Callable[[], AbstractContextManager[Connection]],
        vault: Vault,
        asker: Asker,
        declared: Sequence[MemoryKey],
        room_tokens: int,
    ) -> None:
        self._open_read, self._vault, self.asker = open_read, vault, asker
        self._room = room_tokens
        self._declared = {one.name: one for one in declared}
        self.reads: list[Read] = []
        self.written: dict[str, Record] = {}
        self.forgotten: dict[str, Recalled] = {}
        self._handed: dict[str, Recalled] = {}

    def view(self, path: str, lines: tuple[int, int] | None = None) -> str:
        """Show one file with its line numbers, or the declared names."""
        if path.rstrip("/") == ROOT:
            names = [f"{ROOT}/{one}" for one in self._declared]
            return self._fitting(path, "\n".join(["These may be asked for, and nothing else:", *names]))
        numbered = [f"{n:6}\t{line}" for n, line in enumerate(self._standing(path).text.split("\n"), 1)]
        if lines is None:
            return self._fitting(path, "\n".join(numbered))
        first, last = lines
        last = len(numbered) if last == -1 else last
        if not 1 <= first <= last <= len(numbered):
            raise BadInput(f"{path} has lines 1 to {len(numbered)}; {first} to {last} was asked for.")
        return self._fitting(path, "\n".join(numbered[first - 1 : last]))

    def _fitting(self, path: str, text: str) -> str:
        """Answer a text that is shown, if what the call may still read has room for it."""
        tokens = estimate_tokens(text)
        if tokens > self._room:
            raise BadInput(
                f"{path} is about {tokens} tokens, and this call may read {self._room} more; it is not shown."
            )
        self._room -= tokens
        return text

    def create(self, path: str, text: str) -> str:
        """Propose a text where there is none."""
        name = self._named(path)
        if self._look(name) is not None:
            raise BadInput(f"{path} holds something already; change it with str_replace or insert, or delete it first.")
        return self._propose(name, text, ())

    def replace(self, path: str, old: str, new: str) -> str:
        """Propose a text with one place changed."""
        found = self._standing(path)
        places = found.text.count(old) if old else 0
        if places != 1:
            raise BadInput(f"The text to replace stands {places} times in {path}; give one that stands there once.")
        return self._propose(self._named(path), found.text.replace(old, new), (found.id,))

    def insert(self, path: str, line: int, text: str) -> str:
        """Propose a text with lines added after a line."""
        found = self._standing(path)
        lines = found.text.split("\n")
        if not 0 <= line <= len(lines):
            raise BadInput(f"{path} has {len(lines)} lines; nothing can be inserted after line {line}.")
        lines[line:line] = text.rstrip("\n").split("\n")
        return self._propose(self._named(path), "\n".join(lines), (found.id,))

    def delete(self, path: str) -> str:
        """Forget what stands there when the step settles."""
        if path.rstrip("/") == ROOT:
            raise NotAllowed("Memory is not deleted as a whole; name one file.")
        self.forgotten[self._named(path)] = self._standing(path)
        return f"{path} is forgotten; a person can restore it."

    def rename(self, path: str, new_path: str) -> str:
        """Refuse."""
        self._named(path), self._named(new_path)
        raise NotAllowed(
            "What was read under one key is not written back under another; write what is new with create."
        )

    def _named(self, path: str) -> str:
        """Answer the declared name of a path: it must be one, letter by letter; nothing is resolved or decoded."""
        start, _, name = path.rpartition("/")
        if len(path) > _LONGEST_PATH or start != ROOT or not name.isprintable() or name in ("", ".", ".."):
            raise BadInput(f"A path is {ROOT}/ and one declared name; this is none: {path[:80]!a}.")
        if name not in self._declared:
            raise NotFound(f"{ROOT}/{name[:80]} is not among what may be asked for; view {ROOT} lists that.")
        return name

    def _standing(self, path: str) -> Recalled:
        name = self._named(path)
        found = self._look(name)
        if found is None:
            waits = f" {_WAITS}" if name in self.written else ""
            raise NotFound(f"There is nothing to read at {path}.{waits}")
        return found

    def _look(self, name: str) -> Recalled | None:
        """Read memory under one declared key, and keep what was considered."""
        one, asker = self._declared[name], self.asker
        with self._open_read() as conn:
            wanted = Wanted(asker.keys.tenant_id, one.kind, one.key, asker.owner_id)
            read = read_memory(conn, self._vault, wanted, asker.now)
        self.reads.append(read)
        if any(left.reason == "contested" for left in read.filtered):
            raise NotAllowed(
                f"Records under {ROOT}/{name} contradict each other; a person must say first which stands."
            )
        found = read.used[0] if read.used and name not in self.forgotten else None
        if found is not None:
            self._handed[found.id] = found
        return found

    def _propose(self, name: str, text: str, rests_on: Sequence[str]) -> str:
        one, asker = self._declared[name], self.asker
        record = Record(
            one.kind, one.key, text, CONFIDENCE, Rule.CLOSE_6_MONTHS, origin="model",
            drawn_from=tuple(dict.fromkeys((*rests_on, *self._handed))), owner_id=asker.owner_id,
        )  # fmt: skip
        check_record(record, source_ref=asker.source_ref, now=asker.now)
        with self._open_read() as conn:
            handed = list_handed(conn, self._vault, asker.keys)
        refuse_written_back(record, [*handed, *((known.id, known.text) for known in self._handed.values())])
        self.written[name] = record
        return f"{ROOT}/{name} is proposed. {_WAITS}"

    def added_to(self, admitted: Admitted) -> Admitted:
        """Answer what went into a call with what the model was handed of memory besides, and what was left out."""
        items = tuple(Item(SLOT, "memories", one.id, one.version, one.text) for one in self._handed.values())
        left: dict[str, dict[str, Json]] = {
            one.id: {"source": "memories", "id": one.id, "reason": one.reason}
            for read in self.reads
            for one in read.filtered
        }
        return Admitted(admitted.packet, (*admitted.items, *items), (*admitted.filtered, *left.values()))


def keep_files(tx: Tx, vault: Vault, files: RowFiles, *, step: str, is_tried_only: bool = False) -> list[str]:
    """Carry out what a step's model asked for, and answer the ids of what now waits for a person.

    What was to be forgotten and moved since it was read stays as it is. What was only tried changes no memory. Its
    manifest is the caller's to write.
    """
    asker = files.asker
    tenant_id, thread_id, now = asker.keys.tenant_id, asker.keys.thread_id, asker.now

    def told(act: str, **detail: Json) -> None:
        note(tx, Note(tenant_id, now, "worker", act, thread_id, {**detail, "step": step, "by": TOOL}))

    # Proposals first: they are held against what this thread was handed before, and were against what it was just now.
    kept = [
        remember(tx, vault, asker.keys, one, source_ref=asker.source_ref, now=now)
        for one in (() if is_tried_only else files.written.values())
    ]
    for memory_id in kept:
        told("remembered", memory=memory_id, origin="model", state="quarantined")
    for one in () if is_tried_only else files.forgotten.values():
        row = find_row(tx.conn, tenant_id, one.id)
        if row is not None and row.version == one.version and row.deleted_at is None:
            told("memory_forgotten", memory=one.id, version=forget(tx, tenant_id, one.id, by=thread_id, now=now))
    for read in files.reads:
        if read.considered:
            told("memory_read", **read.noted())
    note_reads(tx, tenant_id, thread_id, sorted({one.id for read in files.reads for one in read.used}), now)
    return kept
