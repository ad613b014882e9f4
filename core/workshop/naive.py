"""The prototype of the third seed, really run: a job that keeps its progress in chat messages and resumes by replay.

It reads the same export from the same place as the job that was rebuilt, through the same adapter, and asks no ledger.
Its messages are the lines that the team's own run left, so it believes whatever those lines say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.bootstrap import App
from core.desk.desk import Actor
from core.ports import Envelope, Sent
from core.steps import estimate_tokens
from core.views.run import Run
from core.workshop.atlas import JOB

EXPORT_KEY = f"{JOB}/export/44"
_APPROVAL = re.compile(r"\b(d_\d+)\b.*?\bapprov\w+ (?:is )?(pending|approved|rejected)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation; `call` is the tool it called, if it is a call."""

    role: Literal["user", "assistant", "tool"]
    text: str
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a resume by replay: how often the export was read in all, what it believes, and what it was sent."""

    messages: tuple[Message, ...]
    reads_before: int
    reads: int
    read_bytes: int
    believes: str
    believes_from: int
    tokens: int


def transcript_of(run: Run) -> tuple[Message, ...]:
    """Answer the conversation as the prototype would have kept it when the job paused: the run's own lines."""
    lines = {line.step: line.summary or "" for line in run.plan}
    return (
        Message("user", run.thread.goal),
        Message("assistant", "I read the export first.", call=EXPORT_KEY),
        Message("tool", lines.get("read", "")),
        Message("assistant", lines.get("compare", "")),
        Message("assistant", "I wait for the operator."),
    )


def resume_by_replay(app: App, actor: Actor, run: Run) -> Replayed:
    """Resume as the prototype does: go through the messages again, call what they called, believe what they say."""
    messages = transcript_of(run)
    calls = [one.call for one in messages if one.call is not None]
    brought = [_read_again(app, actor, call) for call in calls]
    believed = [(number, found[2].lower()) for number, one in enumerate(messages, 1) if (found := _approval_in(one))]
    number, status = believed[-1] if believed else (0, "never heard of")
    return Replayed(
        messages=messages,
        reads_before=len(calls),
        reads=len(calls) + len(brought),
        read_bytes=sum(brought),
        believes=status,
        believes_from=number,
        tokens=sum(estimate_tokens(one.text) for one in messages),
    )


def _approval_in(message: Message) -> re.Match[str] | None:
    return _APPROVAL.search(message.text)


def _read_again(app: App, actor: Actor, key: str) -> int:
    """Read the export as a tool call does, with no ledger between; answer how many bytes came."""
    adapter = app.parts.adapters["read"]
    version = key.rpartition("/")[2]
    envelope = Envelope(actor.tenant_id, key, "read", {"name": f"{JOB}-{version}.csv", "version": int(version)}, "")
    said = adapter.deliver(adapter.prepare(envelope))  # type: ignore[union-attr]
    return len(said.content or b"") if isinstance(said, Sent) else 0


def nearest(question: str, notes: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Rank notes (whose, text) by the words they share with a question, and cut; nobody asks whose they are."""
    wanted = set(re.findall(r"\w+", question.casefold()))

    def shared(note: tuple[str, str]) -> int:
        return len(wanted & set(re.findall(r"\w+", note[1].casefold())))

    return sorted(notes, key=shared, reverse=True)[:most]


def shorten(texts: Sequence[tuple[str, str]], budget_tokens: int) -> list[tuple[str, str]]:
    """Compact (id, text) as a brief summarizer does: the longest goes first, whatever it says, until the rest fits."""
    kept = list(texts)
    while kept and sum(estimate_tokens(text) for _, text in kept) > budget_tokens:
        kept.remove(max(kept, key=lambda one: len(one[1])))
    return kept


__all__ = ["EXPORT_KEY", "Message", "Replayed", "nearest", "resume_by_replay", "shorten"]
