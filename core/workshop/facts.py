"""Place every fact: twenty facts of the Atlas job and of a screen, each checked against the data map.

Where a fact belongs is not written here. It follows from the map: kept by no field and sent by nobody is discarded;
what lives for one step and is sent is context; recall is memory; anything else is state. State that a packet renders
is the fifth answer: sent, and authoritative all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from core.clock import FIXTURE_START
from core.context.stale import states_status
from core.errors import BadInput, MemoryRefused
from core.memory.door import check_record
from core.retention.datamap import Entry, data_map
from core.steps import Kind, Record, Rule, Workflow

Place = Literal["context", "state", "rendered", "memory", "discard"]
PLACES: dict[Place, str] = {
    "context": "Context",
    "state": "State",
    "rendered": "State, rendered into context",
    "memory": "Memory",
    "discard": "Discard",
}
TICK = "facts"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `field` is its row of the data map, as store and field; None: no field keeps it.

    `sent_as` is the table that a packet names as its source, `says` what a summary says of it, `wish` what somebody
    would have memory keep.
    """

    id: str
    text: str
    case: Literal["Atlas", "Screen"]
    why: str
    field: tuple[str, str] | None = None
    sent_as: str | None = None
    says: str | None = None
    wish: str | None = None


ATLAS, SCREEN = "state:reconciliation@1", "state:screening@1"
FACTS = (
    Fact("goal", "What the job is to do: reconcile export 44 with what was approved", "Atlas",
         "A row says what the job is for, and every call is told so from there.", ("threads", "goal"), "threads"),
    Fact("step", "Which step the job stands at", "Atlas",
         "A restart goes on from it, and code decides by it. The model has no use for it.", ("threads", "step")),
    Fact("effect", "That export 44 has been read", "Atlas",
         "The ledger's row. Whoever asks a conversation instead reads the export again.",
         ("effects", "status"), "effects"),
    Fact("approval", "That d_08 is rejected", "Atlas",
         "The approval's row, with a version. The model is shown it and cannot change it.",
         ("approvals", "status"), "approvals"),
    Fact("decided_by", "Who decided about d_08", "Atlas",
         "Somebody answers for it. The model does not need the name, so it is not sent.", ("approvals", "decided_by")),
    Fact("differs", "What differs: d_08, more was spent than approved", "Atlas",
         "The job established it. It is saved at a checkpoint and written into each packet from there.",
         (ATLAS, "discrepancies.findings"), "checkpoints"),
    Fact("limit", "That nobody may accept more than 500.00 over", "Atlas",
         "Policy is versioned configuration. No note and no memory changes it.", ("policies", "content"), "policies"),
    Fact("note", "What the agency answered, in a note that a person approved", "Atlas",
         "The latest approved version is a row, and that version is sent.", ("notes", "sealed"), "notes"),
    Fact("export", "All lines of export 44", "Atlas",
         "Kept once, behind a receipt. State holds the reference; a later step can read it again.",
         ("blobs/*/*/*", "content")),
    Fact("pending", "That the approval is pending, as an earlier summary says", "Atlas",
         "It was true once. A summary may not state an approval, so the line is left out of every packet.",
         ("plan_steps", "summary"), says="d_08 was found; approval pending."),
    Fact("reasoning", "How the model came to think that d_08 is an error", "Atlas",
         "Decisions are kept, not deliberation. Nothing downstream reads it."),
    Fact("extended", "That the client extended Winter Garden in June", "Atlas",
         "It is worth keeping for a later job: with owner, source, confidence and an end.",
         ("memories", "sealed")),
    Fact("cv_text", "The text of a CV while it is scored", "Screen",
         "One call reads it. When the step returns it is gone.", ("memory:temp", "text"), "receipts"),
    Fact("reply", "The model's raw reply", "Screen",
         "The step takes scores and quotes from it. The rest is thrown away.", ("memory:temp", "reply")),
    Fact("cv_file", "The CV as a file", "Screen",
         "It lies in one place and state holds its reference, so deleting it is one delete.", (SCREEN, "cv_ref")),
    Fact("scores", "Five scores and five quoted lines", "Screen",
         "This applicant's run established them; the founder's sitting shows them.", (SCREEN, "scores.quote")),
    Fact("deadline", "When the invite's 48 hours end", "Screen",
         "Every timer is read out of state; a process that sleeps forgets it.", (SCREEN, "deadline")),
    Fact("earlier", "“Applied in March, declined at review”", "Screen",
         "It is of an earlier run. Code reads it by a keyed hash of the address and hands over one line.",
         (SCREEN, "recall.text")),
    Fact("override", "Which total the founder overrode last time", "Screen",
         "Recall for one rubric version. It ends with the next.", (SCREEN, "override.text")),
    Fact("preference", "That the founder prefers candidates with agency experience", "Screen",
         "A preference about scoring is a rule: a criterion of the rubric, versioned, for everybody.",
         ("configs", "content"), "configs", wish="Candidates with agency experience should score higher."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a fact belongs and what says so: the map's row, and what a door of the product answers to the other way."""

    fact: Fact
    place: Place
    entry: Entry | None
    refusal: str | None = None


def place_all(workflows: Collection[Workflow]) -> Mapping[str, Placed]:
    """Place every fact by the data map of these workflows, by its id; raises KeyError where the map lacks a row."""
    key = tuple(sorted((one.name, one.version) for one in workflows))
    if key not in _KNOWN:  # reading the map takes longer than drawing a page
        rows = {(one.store, one.field): one for one in data_map(workflows)}
        _KNOWN[key] = {fact.id: _place(fact, rows) for fact in FACTS}
    return _KNOWN[key]


_KNOWN: dict[tuple[tuple[str, int], ...], Mapping[str, Placed]] = {}


def _place(fact: Fact, rows: Mapping[tuple[str, str], Entry]) -> Placed:
    entry = None if fact.field is None else rows[fact.field]
    refusal = None if fact.wish is None else _refusal(fact.wish)
    if entry is None or (fact.says is not None and states_status(fact.says)):
        return Placed(fact, "discard", entry, refusal)
    if entry.kind is Kind.WORKING and entry.rule is Rule.STEP:
        return Placed(fact, "discard" if fact.sent_as is None else "context", entry, refusal)
    if entry.kind is Kind.RECALL:
        return Placed(fact, "memory", entry, refusal)
    return Placed(fact, "state" if fact.sent_as is None else "rendered", entry, refusal)


def _refusal(wish: str) -> str | None:
    """Ask memory's own door to keep it, and answer what it says; nothing is kept."""

    try:
        check_record(
            Record("preference", "scoring", wish, 0.9, Rule.BY_DATE), source_ref="the founder", now=FIXTURE_START
        )
    except MemoryRefused as refused:
        return refused.sentence
    return None


def get_fact(fact_id: str) -> Fact:
    """Answer one fact, or raise BadInput."""
    found = next((one for one in FACTS if one.id == fact_id), None)
    if found is None:
        raise BadInput(f"There is no fact {fact_id[:40]!r}.")
    return found


def count_right(placed: Mapping[str, Placed], said: Mapping[str, str]) -> int:
    """Count the facts that were put where they belong."""
    return sum(said.get(one) == placed[one].place for one in placed)
