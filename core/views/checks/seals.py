"""Sealed rows: each opens under its thread's key, and a thread's sections are what its checkpoints add up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from core.errors import SealedForErased, StateUnreadable
from core.memory.changing import is_own_place
from core.receipts.keep import KEEP_RULE
from core.review.read import PAYLOAD_RULE, QUESTION_RULE
from core.steps import Rule
from core.threads.codec import Fields, read_section
from core.threads.growing import PLANNED_AS
from core.threads.load import EVENTS_RULE
from core.threads.notes import NOTES_RULE
from core.threads.save import SUMMARY_RULE
from core.vault.sealing import Keys
from core.vault.subjects import FIELDS_RULE
from core.views.checks.look import Findings, Look


@dataclass(frozen=True)
class Seal:
    """How a column was sealed: its row, its rule (None: the row says it) and its table, as they stand in the seal."""

    table: str
    column: str
    names: str
    place: str
    rule: Rule | None = None
    sealed_as: str | None = None
    source: str | None = None

    def query(self, dialect: str) -> str:
        """Select the rows of given threads. SQLite lets text stand where bytes belong: that is damage, and no crash."""
        value = f"CAST(x.{self.column} AS BLOB)" if dialect == "sqlite" else f"x.{self.column}"
        source = self.source or f"{self.table} x"
        names = self.names if self.rule else f"{self.names}, x.rule"
        return (
            f"SELECT {names}, {value} AS value FROM {source}"
            f" WHERE x.tenant_id = :tenant AND thread_id IN :threads AND x.{self.column} IS NOT NULL"
        )


_OPTIONS = "approval_options x JOIN approvals a ON a.tenant_id = x.tenant_id AND a.id = x.approval_id"
SEALS = (
    Seal("subject_fields", "sealed", "thread_id", "{thread_id}", FIELDS_RULE),
    Seal("thread_sections", "sealed", "thread_id, number", "{thread_id}"),
    Seal("checkpoint_sections", "sealed", "thread_id, number", "{thread_id}#{number}"),
    Seal("plan_steps", "summary", "thread_id, step", "{thread_id}#{step}", SUMMARY_RULE),
    Seal("plan_steps", "planned", "thread_id, step", "{thread_id}#{step}", SUMMARY_RULE, sealed_as=PLANNED_AS),
    Seal("plan_revisions", "reason", "thread_id, n", "{thread_id}#{n}", SUMMARY_RULE),
    Seal("events", "sealed", "thread_id, n", "{thread_id}#{n}", EVENTS_RULE),
    Seal("approvals", "question", "thread_id, id", "{id}", QUESTION_RULE),
    Seal("approvals", "remark", "thread_id, id", "{id}", QUESTION_RULE, sealed_as="approvals.remark"),
    Seal(
        "approval_options", "payload", "a.thread_id, x.approval_id, x.verdict, x.position",
        "{approval_id}#{verdict}#{position}", PAYLOAD_RULE, source=_OPTIONS,
    ),
    Seal("effects", "payload", "thread_id, key", "{key}", PAYLOAD_RULE),
    Seal("receipts", "name", "thread_id, id", "{id}", KEEP_RULE),
    Seal("notes", "sealed", "thread_id, version", "{thread_id}#{version}", NOTES_RULE),
    Seal("memories", "sealed", "thread_id, id", "{id}"),
    Seal("attempts", "frame", "thread_id, lease_no", "{thread_id}#{lease_no}", SUMMARY_RULE),
)  # fmt: skip


@dataclass
class _Opened:
    """What a group of threads holds, opened."""

    missing: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    damaged: set[str] = field(default_factory=set)
    current: dict[str, dict[str, tuple[int, Fields]]] = field(default_factory=lambda: defaultdict(dict))
    changes: dict[str, dict[str, dict[int, Fields]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )


def check_seals(look: Look, found: Findings, holed: set[str]) -> None:
    """Expect every sealed row of a living thread, and every memory of none, to open; then hold a thread's sections
    against its checkpoints.

    `holed` are threads whose checkpoints have a hole, of which the second cannot be asked.
    """
    for batch in look.sealed_places():
        keys = look.vault.keys_of(look.tenant_id, batch)
        opened = _Opened()
        for seal in SEALS:
            for row in look.rows_of(seal.query(look.conn.dialect.name), batch):
                _open(seal, row, keys, opened, found)
        for (thread_id, rule), tables in opened.missing.items():
            where = ", ".join(dict.fromkeys(tables))
            named = thread_id if is_own_place(thread_id) else f"thread {thread_id}"
            found.report(f"{named}: its key for {rule} is gone, but {where} holds what it sealed.")
        unsure = holed | opened.damaged | {thread_id for thread_id, _ in opened.missing}
        for thread_id in batch:
            if thread_id not in unsure:
                _check_sections(thread_id, opened, found)


def _open(seal: Seal, row: Row[Any], keys: Mapping[str, Keys], opened: _Opened, found: Findings) -> None:
    place = seal.place.format_map(row._mapping)
    rule = seal.rule or Rule.__members__.get(str(row.rule).upper())
    try:
        if rule is None:
            raise StateUnreadable
        if row.thread_id not in keys:
            raise SealedForErased
        content = keys[row.thread_id].open(rule, seal.sealed_as or seal.table, place, row.value)
    except SealedForErased:
        opened.missing[row.thread_id, str(rule)].append(seal.table)
    except StateUnreadable:
        found.report(f"{seal.table}.{seal.column} of {place} ({rule or row.rule}): is damaged, its seal does not fit.")
        opened.damaged.add(row.thread_id)
    else:
        found.checked += 1
        _keep_section(seal, row, content, opened)


def _keep_section(seal: Seal, row: Row[Any], content: bytes, opened: _Opened) -> None:
    if seal.table == "thread_sections":
        opened.current[row.thread_id][row.rule] = (row.number, read_section(content))
    elif seal.table == "checkpoint_sections":
        opened.changes[row.thread_id][row.rule][row.number] = read_section(content)


def _check_sections(thread_id: str, opened: _Opened, found: Findings) -> None:
    current, changes = opened.current[thread_id], opened.changes[thread_id]
    for rule in sorted({*current, *changes}):
        added: Fields = {}
        for number in sorted(changes[rule]):
            added.update(changes[rule][number])
        stands = (max(changes[rule], default=0), added)
        found.expect(
            current.get(rule) == stands,
            f"thread {thread_id}: its current {rule} section is not what its checkpoints add up to.",
        )
