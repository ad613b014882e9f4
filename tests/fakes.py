"""Fakes of the ports and of the kit, one each, for tests that need no database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from core.catalog.configs import UNWRITTEN
from core.ports import Delivery, Envelope, Prepared, Sent
from core.steps import (
    Config,
    Decided,
    Document,
    Effect,
    Happened,
    Interrupt,
    Noted,
    Packet,
    Person,
    Recalled,
    Receipt,
    Record,
    Reply,
)
from core.workflows.screening import assess

FIXTURE_NOW = datetime(2026, 8, 20, 9, 0, tzinfo=UTC)


@dataclass
class FakeClock:
    """A clock that stands until a test moves it."""

    at: datetime = FIXTURE_NOW

    def now(self) -> datetime:
        return self.at

    def move(self, hours: float) -> None:
        self.at += timedelta(hours=hours)


@dataclass
class FakeKit:
    """A kit over plain values. An effect counts as carried out the first time its name is asked for."""

    configs: Mapping[str, Config]
    person: Person
    files: dict[str, Document] = field(default_factory=dict)
    thread_id: str = "role-14/app-0093"
    clock: FakeClock = field(default_factory=FakeClock)
    answer: Decided | None = None
    replies: list[Reply | Mapping[str, Any] | Callable[[Packet], Mapping[str, Any]]] = field(default_factory=list)
    memory: dict[tuple[str, str], Recalled] = field(default_factory=dict)
    events: list[Happened] = field(default_factory=list)
    held_back: dict[str, str] = field(default_factory=dict)
    approved_effects: tuple[Effect, ...] = ()
    sent: dict[str, Effect] = field(default_factory=dict)
    packets: list[Packet] = field(default_factory=list)
    remembered: list[Record] = field(default_factory=list)
    read_count: int = 0
    context: Callable[[Any, Any], Packet] = assess.context

    def config(self, kind: str) -> Config:
        return self.configs[kind] if kind in self.configs else Config(kind, 0, UNWRITTEN[kind])

    def event(self, *names: str, before: datetime | None = None) -> Happened | None:
        named = (event for event in self.events if event.name in names)
        found = next((event for event in named if before is None or event.received_at < before), None)
        if found is not None:
            self.events.remove(found)
        return found

    def has_event(self, *names: str) -> bool:
        return any(event.name in names for event in self.events)

    def amend(self, *, name: str | None = None, email: str | None = None) -> None:
        old = self.person
        self.person = replace(old, name=name or old.name, email=email or old.email, version=old.version + 1)

    @property
    def answers(self) -> tuple[Decided, ...]:
        return () if self.answer is None else (self.answer,)

    def note(self) -> Noted | None:
        return None

    def build(self, state: Any) -> Packet:
        return self.context(self, state)

    def ask(self, packet: Packet) -> Reply:
        self.packets.append(packet)
        reply = self.replies.pop(0)
        if isinstance(reply, Reply):
            return reply
        return Reply(reply(packet) if callable(reply) else reply, "a fake model")

    def recall(self, kind: str, key: str, owner_id: str | None = None) -> Recalled | None:
        return self.memory.get((kind, key))

    def remember(self, record: Record) -> None:
        self.remembered.append(record)

    def answer_link(self, name: str) -> str:
        return f"https://daybook.example.com/book/{name.replace('/', '-'):a<43}"

    def approved(self, name: str) -> Effect:
        return next(effect for effect in self.approved_effects if effect.name == name)

    def once(self, effect: Effect) -> Receipt:
        key = f"{self.thread_id}/{effect.name}"
        if effect.name in self.held_back:
            return Receipt(key, None, held_back=self.held_back[effect.name])
        self.sent.setdefault(effect.name, effect)
        return Receipt(key, self.clock.now(), "letter-1")

    def once_each(self, effects: Sequence[Effect]) -> tuple[Receipt, ...]:
        return tuple(self.once(effect) for effect in effects)

    def read(self, receipt_ref: str) -> bytes:
        return self.files[receipt_ref].visible.encode()

    def read_file(self, receipt_ref: str) -> Document:
        self.read_count += 1
        return self.files[receipt_ref]

    def keep(self, content: bytes, media_type: str) -> str:
        return "blob:a41f"

    def decide(self, asked: Interrupt, verdict: Any, **answer: Any) -> None:
        """Answer a question as a person would: the chosen option's effects come with it."""
        question = asked.question
        option = next(option for option in question.options if option.verdict == verdict)
        total = answer.pop("total", None)
        self.approved_effects = option.effects
        self.answer = Decided(
            "approval-1", question.kind, question.about, verdict, 2, "ana@example.com", self.clock.now(),
            answer, None, total, option.effects,
        )  # fmt: skip

    def happen(self, name: str, *, late: bool = False, **data: Any) -> None:
        """Store an outside event."""
        self.events.append(Happened(name, data, self.clock.now(), late))


class Died(BaseException):
    """The process ends here: nothing of the product catches this."""


def _nothing(_envelope: Envelope) -> None:
    return None


def _unasked(envelope: Envelope) -> Delivery:
    raise AssertionError(f"{envelope.key} was asked after")


@dataclass
class FakeAdapter:
    """An outside that does as it is told. `outside` is what happened out there, in order: (tenant, key, payload)."""

    honours_keys: bool = True
    can_be_asked: bool = False
    approved_only: bool = False
    preparing: Callable[[Envelope], object] = _nothing
    delivering: Callable[[Envelope], Delivery | None] = _nothing  # None: it happens
    asked: Callable[[Envelope], Delivery] = _unasked
    outside: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)

    @property
    def happened(self) -> list[str]:
        """The last word of the key of everything that happened."""
        return [key.rsplit("/", 1)[-1] for _, key, _ in self.outside]

    def needs_approval(self, payload: Mapping[str, Any]) -> bool:
        return self.approved_only

    def prepare(self, envelope: Envelope) -> Prepared:
        self.preparing(envelope)
        return Prepared(envelope, b"")

    def deliver(self, prepared: Prepared) -> Delivery:
        self.tries.append(prepared.envelope.key.rsplit("/", 1)[-1])
        return self.delivering(prepared.envelope) or self.happen(prepared.envelope)

    def happen(self, envelope: Envelope) -> Sent:
        """Let it happen; a key that is honoured happens once."""
        known = [(tenant, key) for tenant, key, _ in self.outside]
        if not (self.honours_keys and (envelope.tenant_id, envelope.key) in known):
            self.outside.append((envelope.tenant_id, envelope.key, dict(envelope.payload)))
        return Sent(f"fake:{envelope.key}")

    def ask(self, envelope: Envelope) -> Delivery:
        return self.asked(envelope)
