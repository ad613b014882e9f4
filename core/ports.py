"""The shapes adapters must have. One module per vendor lives in `core/adapters`; bootstrap alone knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.steps import Document, EffectKind, Item, Json


@dataclass(frozen=True, slots=True)
class Envelope:
    """One effect as an adapter is handed it: whose, under which key, and exactly what."""

    tenant_id: str
    key: str
    kind: EffectKind
    payload: Mapping[str, Json]
    payload_hash: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """An envelope made ready; nothing has left. `content` is the adapter's own (a rendered letter, a request)."""

    envelope: Envelope
    content: bytes


@dataclass(frozen=True, slots=True)
class Sent:
    """It happened. `result_ref` is the outside's reference for it; `sent_at` when the adapter knows it."""

    result_ref: str
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotSent:
    """It certainly did not happen; `why` is a short code, never content."""

    why: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have happened; `why` is a short code. A person settles it unless the adapter can be asked."""

    why: str


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
        """Make everything ready that can fail without anything leaving. Raises EffectNotSent."""
        ...

    def deliver(self, prepared: Prepared) -> Delivery:
        """Carry it out, in under half a lease."""
        ...

    def ask(self, envelope: Envelope) -> Delivery:
        """Say what became of a key; only called where `can_be_asked`."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One model call as an adapter is handed it: the packet's items in order and the schema of the reply."""

    purpose: str
    items: tuple[Item, ...]
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Usage:
    """Raw token counts of one call as the provider reported them; None where it reports none."""

    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One call's answer: the parsed content and what it used."""

    content: Mapping[str, Json]
    usage: Usage


class Model(Protocol):
    """Answers one request. `label` stands beside everything it wrote; `leaves_machine` decides what is metered."""

    label: str
    leaves_machine: bool

    def answer(self, request: Request) -> ModelReply:
        """Answer one request, or raise StepFailed with a sentence of what went wrong."""
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
