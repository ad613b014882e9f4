"""The vocabulary a workflow speaks: steps, their outcomes, and the kit a step is handed.

A step is a function `(kit, state) -> Outcome`. It reads state and answers with one of four outcomes;
nothing in it survives unless the outcome names it. It may run again from its top: after a crash, and
after every `kit.once(...)` that had to be carried out first. So a step holds no time, no randomness and
no outside call of its own; it asks its kit.

    Advance    go on to the next step
    Interrupt  ask a person; the thread is awaiting_review until the answer
    Wait       for an event or a time
    Finish     the thread ends

Workflows import this module and `core.errors`, nothing else of core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

import msgspec

Json = Any  # a value that JSON can hold: text, number, boolean, null, list, object
State = Any  # an instance of the workflow's own frozen dataclass

Verdict = Literal["approve", "reject"]
EndStatus = Literal["completed", "rejected", "failed"]
EffectKind = Literal["mail", "read", "tool"]
Origin = Literal["person", "workflow", "document", "tool", "model"]


class Rule(StrEnum):
    """When a kept field goes (the first seed's retention table); `STEP` fields are never stored."""

    STEP = "step"
    ROLE_CLOSE = "role_close"
    CLOSE_6_MONTHS = "close_6_months"
    NEXT_RUBRIC = "next_rubric"
    BY_DATE = "by_date"  # at the date in the record's own row


class Kind(StrEnum):
    """Which kind of record a field is (contract C9)."""

    WORKING = "working"
    DURABLE = "durable"
    RECALL = "recall"
    INPUT = "input"
    LEDGER = "ledger"


def kept(rule: Rule, *, kind: Kind = Kind.DURABLE, subject: bool = True, under: str | None = None) -> dict[str, object]:
    """Metadata for one field of a state dataclass: `field(metadata=kept(Rule.ROLE_CLOSE))`.

    `subject` says that the field is about the thread's subject, so that erasing them removes it. `under` names the
    field that holds the version this one was made under (`rubric_version`): a run's history says so at each change.
    """
    return {"rule": rule, "kind": kind, "subject": subject, "under": under}


class OnlyIf(StrEnum):
    """What must still be true, under the write lock, for an effect to leave (contract C3, the gate)."""

    STILL_WAITING = "still_waiting"
    NO_NEW_EVENT = "no_new_event"
    BEFORE_DEADLINE = "before_deadline"
    ROLE_OPEN = "role_open"
    OWNER_DECIDES = "owner_decides"  # whose run it is, is still let in and may still decide


@dataclass(frozen=True, slots=True)
class Effect:
    """An act outside the database, named so that it happens once.

    `name` ends the idempotency key: thread `role-14/app-0093` and name `invite` make the key
    `role-14/app-0093/invite`. `payload` is JSON and is frozen under that key once it may have been sent.
    """

    name: str
    kind: EffectKind
    payload: Mapping[str, Json]
    only_if: tuple[OnlyIf, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the ledger knows of an effect that happened: when, and the outside's reference for it.

    `held_back` is set instead of `sent_at` when the gate did not let the effect out; it is the reason.
    """

    key: str
    sent_at: datetime | None
    result_ref: str | None = None
    held_back: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One way to answer a question: the verdict, the words on its button, and exactly what it releases.

    `answer` is the schema of what an approve must carry: field name → "text", "email", "integer" or "number"; with a
    question mark behind it, it may be left out.
    """

    verdict: Verdict
    label: str
    effects: tuple[Effect, ...] = ()
    answer: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked. Everything that leaves on either answer is in its options, frozen now.

    `kind` is a short word of the workflow (`review`, `address`); `about` names the approval's subject
    within the thread (`invite`, `d_08`). `basis` names the versions the question rests on; a held verdict
    whose basis moved comes back. `facts` is JSON for the card (scores, total, band), sealed. The question is due
    `due_hours` after it was asked: that orders the queue and warns, and never decides.
    """

    kind: str
    about: str
    title: str
    options: tuple[Option, ...]
    facts: Mapping[str, Json] = field(default_factory=dict)
    basis: Mapping[str, Json] = field(default_factory=dict)
    due_hours: int = 48
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """What lies ahead in a plan from here on, in place of what did: a title a row, written by whom and why.

    A row ahead whose title stays keeps its name; one that is not named any more is skipped. Fixed steps stay last.
    """

    ahead: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tried:
    """A try that came to nothing and is told as a row: a short code, and a sentence of what was wrong."""

    code: str
    said: str


@dataclass(frozen=True, slots=True)
class Advance:
    """Go on. `to` names the next step (default: the one after this); steps between are skipped.

    In a workflow whose plan grows the default is the next row of the plan, `to=kit.step` stays at this one, and
    `plan` writes what lies ahead anew: the first row of it is next then.
    """

    state: State
    summary: str
    to: str | None = None
    receipts: tuple[str, ...] = ()
    plan: Revision | None = None
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Ask a person. The same step runs again with the approval as `kit.answer`, one answer at a time.

    `also` are more questions of the same step, each told apart by kind and about. Those that the step asks again stand
    as they are; the thread waits for a person until none of them is open.
    """

    state: State
    question: Question
    summary: str = ""
    also: tuple[Question, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """Answer every question, in the order it is asked."""
        return (self.question, *self.also)


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for one of `events` or for `wake_at`, whichever is first; the same step then runs again.

    `until` is the deadline that events are held against: one received at or after it is late.
    `then` says in a few words what happens at `wake_at` if nothing comes ("a reminder goes").
    """

    state: State
    events: tuple[str, ...]
    wake_at: datetime
    until: datetime
    then: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Finish:
    """The thread ends, with an outcome word of its workflow (booked, expired, declined)."""

    state: State
    outcome: str
    status: EndStatus
    summary: str


Outcome = Advance | Interrupt | Wait | Finish


@dataclass(frozen=True, slots=True)
class Decided:
    """The approval that woke a step. `points` are a person's own by criterion, where they gave some."""

    approval_id: str
    kind: str
    about: str
    verdict: Verdict
    version: int
    decided_by: str
    decided_at: datetime
    answer: Mapping[str, Json]
    reason: str | None
    total: int | None
    effects: tuple[Effect, ...]
    points: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Happened:
    """The event that woke a step, with its data; consumed when the step settles."""

    name: str
    data: Mapping[str, Json]
    received_at: datetime
    late: bool


@dataclass(frozen=True, slots=True)
class Person:
    """The subject's own fields, current version: what they told us, as typed.

    `read` names those that nobody typed but were read in a file, with how surely: `high` or `low`.
    """

    name: str | None
    email: str | None
    form: Mapping[str, str]
    version: int
    read: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Config:
    """One versioned configuration pinned in the thread (role, rubric, letters, description)."""

    kind: str
    version: int
    content: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Text in a file that nobody can see, with where it is and why it cannot be seen."""

    text: str
    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file as a person would read it. `pages` holds the visible text of each page, in reading order.

    `usable` is false where its letters make no words; such text answers nothing and is not scored. `by_ocr` says that
    its letters were read off a picture.
    """

    media_type: str
    pages: tuple[str, ...]
    hidden: tuple[HiddenText, ...] = ()
    doubts: tuple[str, ...] = ()
    usable: bool = True
    by_ocr: bool = False

    @property
    def visible(self) -> str:
        """The visible text, pages joined by a form feed."""
        return "\f".join(self.pages)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing the model is sent: its slot, where it comes from (a table's name, an id, a version), its text.

    `value` is kept in the manifest: a word of a closed list only, such as an approval's status.
    """

    slot: str
    source: str
    id: str
    version: int
    text: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that was considered for a packet and left out of it: of which table, its id, and why.

    `part` names what of it was left out where the rest went: `pages 41 to 60 of 60`.
    """

    source: str
    id: str
    reason: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it and a step checks it: its name, what it does, the schema of its arguments.

    `honours_keys`: the same key again repeats nothing. Not `reversible`: a person is asked first. A tool that is
    `inward` changes only the thread itself and is no effect.
    """

    name: str
    description: str
    schema: Mapping[str, Json]
    check: Callable[[Json], str]  # answers what does not fit, or nothing
    honours_keys: bool = True
    reversible: bool = True
    inward: bool = False

    @property
    def told(self) -> dict[str, Json]:
        """The tool as a model is told of it."""
        return {"name": self.name, "description": self.description, "input_schema": dict(self.schema)}


def tool_spec(name: str, description: str, arguments: type, **declares: bool) -> ToolSpec:
    """Make a tool's specification from the msgspec Struct of its arguments: it is the schema and the check."""
    _, parts = msgspec.json.schema_components([arguments])
    schema = {word: part for word, part in parts[arguments.__name__].items() if word not in ("title", "description")}

    def check(given: Json) -> str:
        try:
            msgspec.convert(given, arguments)
        except msgspec.ValidationError as error:
            return plain(str(error))
        return ""

    return ToolSpec(name, description, schema, check, **declares)


_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def plain(text: str, longest: int = 200) -> str:
    """Answer text as one line that can be shown anywhere: no control characters, at most so long."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}\u2026"


@dataclass(frozen=True, slots=True)
class Packet:
    """Everything one model call may see (contract C6), and the JSON schema its reply must fit.

    With `tools` the reply names one of them and its arguments, and there is no schema.
    `memory` names the keys that the model may ask memory for by itself in this call, where it leaves the machine.
    `instructions` are the workflow's own words and hold nothing of a record; items are only ever data. `required`
    items are never trimmed; `optional` ones are dropped when the budget is short: those whose slot the workflow
    declares last go first. `left_out` is written by whoever built the packet from rows.
    """

    purpose: str
    required: tuple[Item, ...]
    optional: tuple[Item, ...] = ()
    schema: Mapping[str, Json] = field(default_factory=dict)
    budget_tokens: int = 60_000
    left_out: tuple[LeftOut, ...] = ()
    instructions: str = ""
    tools: tuple[ToolSpec, ...] = ()
    memory: tuple[MemoryKey, ...] = ()


# UTF-8 bytes a token on prose, CVs and JSON of current models; an estimate, replaced by recorded usage later.
BYTES_PER_TOKEN = 2.8


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text from its UTF-8 bytes."""
    return round(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, parsed; `model` is the label every output carries.

    `unfit` says in one sentence why there is no content: cut off, refused, unreadable. `is_final`: asking again would
    meet the same.
    """

    content: Mapping[str, Json]
    model: str
    unfit: str = ""
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory read by exact key: its id, version, text, source and age."""

    id: str
    version: int
    text: str
    source: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Record:
    """A memory to keep for later threads. `key` is exact and is stored only as a keyed hash.

    `origin` says who states it: what a document, a tool or a model says is quarantined until a person allows it.
    `drawn_from` are the ids of memories it rests on; it is trusted no more than the least of them. `owner_id` is a
    person's id, or None for the tenant as a whole. `expires_at` may be sooner than the kind's longest life, not later.
    """

    kind: str
    key: str
    text: str
    confidence: float
    rule: Rule
    origin: Origin = "workflow"
    drawn_from: tuple[str, ...] = ()
    owner_id: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryKey:
    """One exact key of memory that a model may ask for, under the name that it knows it by."""

    name: str
    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Noted:
    """The note of a thread that a person wrote and a person approved, the latest of them."""

    version: int
    text: str


class Clock(Protocol):
    """Business time of the thread's tenant."""

    def now(self) -> datetime:
        """Answer the aware UTC time that this step is taking place at."""
        ...


class Sources(Protocol):
    """What a packet is built from: rows as they stand in one snapshot, the tenant's and this thread's.

    Whatever is read here becomes an item of the slot that is named, or is left out with the reason.
    """

    thread_id: str
    step: str
    goal: str
    person: Person

    def config(self, kind: str) -> Config:
        """Answer the version of `kind` that is pinned in this thread."""
        ...

    def read_file(self, receipt_ref: str) -> Document:
        """Answer a kept file as a person would read it."""
        ...

    def approvals(self, slot: str) -> tuple[Item, ...]:
        """Answer the thread's questions as they stand now, each with its status."""
        ...

    def effects(self, slot: str) -> tuple[Item, ...]:
        """Answer the thread's effects as the ledger has them now, each with its status."""
        ...

    def note(self, slot: str) -> tuple[Item, ...]:
        """Answer the latest approved note, if there is one."""
        ...

    def recall(self, kind: str, key: str, owner_id: str | None = None) -> Recalled | None:
        """Answer what memory holds under one exact key."""
        ...

    def memory(self, slot: str, kind: str, keys: Sequence[str], *, owner_id: str | None = None) -> tuple[Item, ...]:
        """Answer what memory holds under these exact keys, as quoted evidence."""
        ...

    def summaries(self, slot: str, most: int | None = None) -> tuple[Item, ...]:
        """Answer the lines of settled steps with their receipts, but none that states an approval or a status.

        `most` are the newest so many.
        """
        ...

    def plan(self, slot: str, most: int) -> Item:
        """Answer the plan with its marks: how far it is, who revised it last and why, the next `most` rows."""
        ...

    def read(self, receipt_ref: str) -> bytes:
        """Answer the kept bytes behind a receipt of this thread."""
        ...


class Kit(Protocol):
    """What a step is handed. Everything it may know or do goes through here."""

    thread_id: str
    step: str  # the row of the plan that this thread stands at
    clock: Clock
    person: Person
    answer: Decided | None
    answers: tuple[Decided, ...]  # all that this thread's steps took already, oldest first, and `answer`

    def config(self, kind: str) -> Config:
        """Answer the version of `kind` that is pinned in this thread."""
        ...

    def event(self, *names: str, before: datetime | None = None) -> Happened | None:
        """Answer the next unconsumed event of these names; it is consumed when the step settles.

        One received at or after `before` is left as it is.
        """
        ...

    def has_event(self, *names: str) -> bool:
        """Say whether an unconsumed event of these names is there, and leave it."""
        ...

    def amend(self, *, name: str | None = None, email: str | None = None) -> None:
        """Write a new version of the person's fields when this step settles; `person` answers it at once."""
        ...

    def note(self) -> Noted | None:
        """Answer the latest approved note of this thread."""
        ...

    def build(self, state: State) -> Packet:
        """Build the workflow's packet from the rows as they stand now, in one snapshot."""
        ...

    def ask(self, packet: Packet) -> Reply:
        """Send one packet to the model and answer its reply; the manifest and the usage are kept."""
        ...

    def recall(self, kind: str, key: str, *, owner_id: str | None = None) -> Recalled | None:
        """Read memory by exact key: the tenant's own, and that of the person named."""
        ...

    def remember(self, record: Record) -> None:
        """Keep a memory when this step settles."""
        ...

    def answer_link(self, name: str) -> str:
        """Answer the address of the page on which the subject answers the letter of that name.

        It holds a random token that stands in the letter and nowhere else; a letter that is asked about again keeps
        it. A later name takes the place of an earlier one, whose page is closed then.
        """
        ...

    def approved(self, name: str) -> Effect:
        """Answer the effect of that name in the option a person chose, its payload as it was frozen then."""
        ...

    def once(self, effect: Effect) -> Receipt:
        """Carry out an effect once in the life of its key, and answer what the ledger knows of it.

        The step stops here and runs again from its top when the effect has been carried out.
        """
        ...

    def once_each(self, effects: Sequence[Effect]) -> tuple[Receipt, ...]:
        """Carry out several effects, each once; the step goes on when all are settled."""
        ...

    def read(self, receipt_ref: str) -> bytes:
        """Answer the kept bytes behind a receipt."""
        ...

    def read_file(self, receipt_ref: str) -> Document:
        """Answer a kept file as a person would read it, hidden text apart."""
        ...

    def keep(self, content: bytes, media_type: str) -> str:
        """Keep bytes in the blob store when this step settles, and answer their reference."""
        ...


Perform = Callable[[Any, Any], Outcome]


@dataclass(frozen=True, slots=True)
class Step:
    """A named step. Names are stored in threads that wait: rename one only through `Workflow.renamed`.

    One that `repeats` stands for rows that are written into the plan as the thread goes on: `act/1`, `act/2`.
    """

    name: str
    title: str
    perform: Perform
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Workflow:
    """A named, versioned set of steps, first to last.

    `state` is a frozen dataclass whose every field carries `kept(...)` metadata. `events` are the outside
    events that its threads accept, `asked` what a person of the tenant may ask of a thread that waits for an event:
    it comes as an event too. `slots` are the packet slots its model calls may fill, the last of them the first to be
    dropped over budget; anything else is refused. `context` builds the packet of its model call from rows. `renamed`
    maps a step name that waiting threads may still carry to the one that took its place. `may_ask_memory` says
    that its packets may name keys for the model to ask memory by itself; it is for a model that chooses the next step.
    """

    name: str
    version: int
    state: type
    steps: tuple[Step, ...]
    events: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    context: Callable[[Sources, State], Packet] | None = None
    may_ask_memory: bool = False

    @property
    def grows(self) -> bool:
        """Say whether rows are written into its plans as threads go on."""
        return any(step.repeats for step in self.steps)

    def base(self, name: str) -> str:
        """Answer the step's name of today that a row of a plan stands for: `act` for `act/12`."""
        head = name.partition("/")[0]
        return self.renamed.get(head, head)

    def step(self, name: str) -> Step | None:
        """Answer the step that `name` means today, or None if this code does not know it."""
        base = self.base(name)
        return next((step for step in self.steps if step.name == base and step.repeats == ("/" in name)), None)

    def after(self, name: str) -> Step | None:
        """Answer the step that follows `name`, or None at the end."""
        names = [step.name for step in self.steps]
        place = names.index(self.base(name)) + 1
        return self.steps[place] if place < len(names) else None
