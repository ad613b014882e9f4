"""The shapes adapters must have. One module per vendor lives in `core/adapters`; bootstrap alone knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, Protocol, runtime_checkable

from core.steps import Document, EffectKind, Item, Json, ToolSpec


@dataclass(frozen=True, slots=True)
class Envelope:
    """One effect as an adapter is handed it: whose, under which key, and exactly what."""

    tenant_id: str
    key: str
    kind: EffectKind
    payload: Mapping[str, Json]
    payload_hash: str


def _nothing_is_open() -> None:
    return


@dataclass(frozen=True, slots=True)
class Prepared:
    """An envelope made ready; nothing has left. `content` is the adapter's own (a rendered letter, a request).

    `via` names the outside it would be handed to, without secrets, and `trace` what a person would look for there: both
    stand in the ledger before it leaves. `close` gives up what was opened for it; it is called whatever became of it.
    """

    envelope: Envelope
    content: bytes
    via: str | None = None
    trace: str | None = None
    opened: object = None
    close: Callable[[], None] = _nothing_is_open


@dataclass(frozen=True, slots=True)
class Sent:
    """It happened. `result_ref` is the outside's reference for it; `sent_at` when the adapter knows it.

    `content` is what a read brought: it is kept, sealed, in the transaction that settles the effect, and its receipt
    then stands in the ledger in place of `result_ref`. `make_lasting` is what remains to be done for it to outlive
    the machine: called before results settle, once for those that answer the same; OSError means that nobody knows.
    """

    result_ref: str
    sent_at: datetime | None = None
    content: bytes | None = None
    media_type: str = "application/octet-stream"
    make_lasting: Callable[[], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NotSent:
    """It certainly did not happen; `why` is a short code, never content.

    `is_final`: the outside refused it for good, so trying again would meet the same and a person must look.
    """

    why: str
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have happened; `why` is a short code. A person settles it unless the adapter can be asked.

    `repeats`: sending the same key again would meet the same, so that a person settles it whatever the adapter honours.
    """

    why: str
    repeats: bool = False


Delivery = Sent | NotSent | Unknown


class EffectAdapter(Protocol):
    """Carries out effects of one kind.

    `honours_keys`: sending the same key again repeats nothing, so a doubt is resolved by sending again.
    `can_be_asked`: `ask` tells whether a key happened. Neither: a doubt is for a person.
    """

    honours_keys: bool
    can_be_asked: bool

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:
        """Say whether this payload may leave only under a released approval."""
        ...

    def prepare(self, envelope: Envelope) -> Prepared:
        """Make everything ready that can fail without anything leaving. Raises EffectNotSent, or EffectTurnedDown."""
        ...

    def deliver(self, prepared: Prepared) -> Delivery:
        """Carry it out, in under half a lease. Raises PayloadMismatch where its key was used for something else."""
        ...

    def ask(self, envelope: Envelope) -> Delivery:
        """Say what became of a key; only called where `can_be_asked`."""
        ...


@runtime_checkable
class OneOfSeveral(Protocol):
    """Carries out one kind of effects by several adapters that differ in what they honour."""

    def of(self, payload: Mapping[str, Json]) -> EffectAdapter:
        """Answer the adapter of this payload."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """One command that a model gave the memory tool, under the provider's id for it, and what it was told."""

    id: str
    command: Json
    said: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Request:
    """One model call as an adapter is handed it: what to do, the packet's items in order, the schema of the reply.

    With `tools` the reply's content is one of them: `{"tool": name, "arguments": {...}}`. Where there is `memory` the
    model may ask it first: the reply is an exchange then, and the next request of this call holds it. `cache` is how
    long the provider is asked to keep what the calls of a role share: the configuration that its packet begins with.
    """

    purpose: str
    items: tuple[Item, ...]
    schema: Mapping[str, Json]
    instructions: str = ""
    tools: tuple[ToolSpec, ...] = ()
    memory: MemoryFiles | None = None
    exchanges: tuple[Exchange, ...] = ()
    cache: Literal["none", "5m", "1h"] = "none"


@dataclass(frozen=True, slots=True)
class Usage:
    """Raw token counts of one call as the provider reported them.

    The four kinds of input are apart: `fresh` is what no cache held. `thinking` is a part of `output`, not more. `tier`
    is the provider's own word for how it was served. `doubt` is the code of why no price may be put on these counts.
    """

    fresh: int
    output: int
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0
    thinking: int | None = None
    tier: str = "standard"
    doubt: str | None = None

    @property
    def input(self) -> int:
        """All that was read."""
        return self.fresh + self.cache_write_5m + self.cache_write_1h + self.cache_read


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call gave nothing to go on with. `is_final`: asking again would meet the same."""

    code: str
    sentence: str
    is_final: bool = False
    retry_after_s: float | None = None


Processing = Literal["standard", "batch"]
CallStatus = Literal["answered", "unfit", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came of one call. `model` is the name and version of what wrote it, `exchange` what it asked of memory.

    answered  `content` is the parsed answer
    unfit     it came back and was paid for, and cannot be used: cut off, refused, unreadable
    failed    the provider said no; nothing was read and nothing is billed
    unknown   nobody knows what it used: a timeout, a dropped connection, an answer by something else
    """

    content: Mapping[str, Json]
    model: str
    usage: Usage | None = None
    status: CallStatus = "answered"
    fault: Fault | None = None
    request_id: str | None = None
    stop_reason: str | None = None
    exchange: Exchange | None = None


class Model(Protocol):
    """Answers one request.

    `label` names it; `leaves_machine` decides what is metered. `answers_within_s` is the longest that `answer` takes,
    and `output_limit` the most tokens it may write.
    """

    label: str
    leaves_machine: bool
    answers_within_s: float
    output_limit: int

    def answer(self, request: Request) -> ModelReply:
        """Answer one request. What goes wrong outside is in the reply; only a request it cannot take raises."""
        ...


@runtime_checkable
class Batches(Protocol):
    """A model that also answers many requests as one batch, later, in any order and at rates of their own."""

    def send_batch(self, requests: Mapping[str, Request]) -> str | ModelReply:
        """Send requests under our ids, and answer the batch's id, or the reply that stands for each of them."""
        ...

    def read_batch(self, batch_id: str, call_id: str, request: Request) -> ModelReply | None:
        """Answer what a batch said to one request, or None while that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class ModelLife:
    """What a provider says of one of its models: its own word for how it stands, and when it retires."""

    model: str
    lifecycle: str
    retires_at: datetime | None


@runtime_checkable
class Lives(Protocol):
    """A model whose provider tells which models there are and when they retire."""

    def list_lives(self) -> list[ModelLife]:
        """Ask which models there are; raises ModelFailed where it is not told."""
        ...


@runtime_checkable
class Counts(Protocol):
    """A model that tells, for nothing, how many tokens it would read."""

    def count(self, request: Request) -> int | None:
        """Answer the tokens of a request, or None where it cannot be told."""
        ...


@dataclass(frozen=True, slots=True)
class Rates:
    """What one token of each kind costs, in whole picodollars, in a call that reads more than `above` tokens."""

    above: int
    fresh: int
    cache_write_5m: int
    cache_write_1h: int
    cache_read: int
    output: int


@dataclass(frozen=True, slots=True)
class PriceCard:
    """A model's rates, lowest `above` first, with the price list they were read from and for which day.

    `batch` are those of its batches; none where no other rates than the standard ones are known for them.
    """

    bands: tuple[Rates, ...]
    source: str
    day: date
    batch: tuple[Rates, ...] = ()

    def of(self, processing: Processing) -> tuple[Rates, ...]:
        """Answer the rates of a call by how it is processed."""
        return self.batch if processing == "batch" else self.bands


class PriceList(Protocol):
    """Knows what models cost."""

    def card(self, model: str, day: date) -> PriceCard | None:
        """Answer a model's rates on a day, or None for a model it does not know by that very name."""
        ...


class FileReader(Protocol):
    """Reads an application file as a person would see it."""

    def read(self, content: bytes, name: str) -> Document:
        """Answer the document, or raise UnreadableFile with one sentence of at most 160 characters."""
        ...


class Blobs(Protocol):
    """Keeps sealed bytes under ids. It never sees what is in them."""

    def put(self, blob_id: str, sealed: bytes) -> None:
        """Keep the bytes, flushed to the device."""
        ...

    def get(self, blob_id: str) -> bytes:
        """Answer the bytes, or raise NotFound."""
        ...

    def delete(self, blob_id: str) -> None:
        """Remove the bytes; removing what is not there is fine."""
        ...

    def written_at(self, blob_id: str) -> datetime:
        """Answer when the bytes were written, by the store's own clock."""
        ...

    def list_ids(self) -> set[str]:
        """Answer the ids of all that is kept."""
        ...


class MemoryFiles(Protocol):
    """Memory as a model's memory tool sees it: each declared key is one file of `/memories`, and there is nothing else.

    Tenant and owner are those of the run and are no part of a path. Every method answers what the model is told, and
    raises Refused with one sentence where it is told no.
    """

    def view(self, path: str, lines: tuple[int, int] | None = None) -> str:
        """Show one file with its line numbers, or the names that were declared; `lines` is from, to (-1: the end)."""
        ...

    def create(self, path: str, text: str) -> str:
        """Propose a text where there is none; nobody reads it before a person allows it."""
        ...

    def replace(self, path: str, old: str, new: str) -> str:
        """Propose a text with one place changed."""
        ...

    def insert(self, path: str, line: int, text: str) -> str:
        """Propose a text with lines added after a line; 0 is the beginning."""
        ...

    def delete(self, path: str) -> str:
        """Forget what stands there; a person can restore it."""
        ...

    def rename(self, path: str, new_path: str) -> str:
        """Refuse: what was read under one key is not written back under another."""
        ...
