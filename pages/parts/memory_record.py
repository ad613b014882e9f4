"""One record, drawn: what it says, its passport, its lineage, who was handed it, where it was left out, its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from core.views.memories import Shown
from core.views.memory_record import Change, Handed, MemoryRecord
from pages.parts import memory_words as words
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.memory_filters import ID, address
from pages.parts.memory_list import chip, owner, source
from pages.parts.times import day, when
from pages.parts.untrusted import Html, foreign, join, tag

Owners = Mapping[str, str]


def head(record: MemoryRecord) -> Html:
    """Show which record it is and how it stands."""
    line = record.shown.line
    return tag(
        "header",
        tag("div", tag("h1", f"Memory: {line.kind}"), chip(line.state), cls="title"),
        tag("p", tag("code", line.id), f" · version {line.version}", cls="id"),
        cls="run-head",
    )


def says(record: MemoryRecord) -> Html:
    """Show what it says as a quotation; or why that is not shown."""
    shown = record.shown
    if shown.text is not None:
        return tag("blockquote", foreign(shown.text), cls=f"recalled m-{shown.line.state}")
    why = words.GONE.get(shown.line.state, words.UNREADABLE)
    if record.deleted_why == "refused":
        why = f"A person refused it. {why}"
    return tag("p", why, cls="empty")


def passport(record: MemoryRecord, owners: Owners, here: Here) -> Html:
    """Show the passport: whose, from where, how sure, how far trusted, from when to when."""
    line = record.shown.line
    about = None if line.thread_id.startswith("memory/") else line.thread_id
    facts: list[tuple[str, str | Html | None]] = [
        ("Tenant", foreign(here.tenant_id)),
        ("Owner", owner(line.owner_id, owners, here)),
        ("Source", source(line.source, owners)),
        ("Stated by", f"a {line.origin}"),
        ("Confidence", f"{line.confidence:g} of 1"),
        ("Trust", words.TRUST[record.shown.trust]),
        ("Created", day(line.created_at, here.zone, timed=True)),
        ("Expires", day(line.expires_at, here.zone, timed=True)),
        ("At the latest", day(record.latest_at, here.zone, timed=True)),
        ("About", None if about is None else _run(about)),
    ]
    return tag(
        "dl", *(part for term, said in facts if said for part in (tag("dt", term), tag("dd", said))), cls="known"
    )


def lineage(record: MemoryRecord, here: Here) -> Html:
    """Show what it rests on, what rests on it, and what stands in whose place."""
    rows = [tag("li", join(*_related(record, one, here))) for one in record.around]
    rows += [
        _gone(one) for one in record.shown.line.drawn_from if one not in {other.line.id for other in record.around}
    ]
    if not rows:
        return tag("p", "It rests on no other record, and none rests on it.", cls="none")
    return tag("ul", *rows, cls="rows", aria_label="Lineage")


def _related(record: MemoryRecord, one: Shown, here: Here) -> Iterator[Html]:
    line, other = record.shown.line, one.line
    if other.id in line.drawn_from:
        word = "It rests on"
    elif line.id in other.drawn_from:
        word = "Rests on it"
    else:
        word = "Stands in its place" if other.id == line.superseded_by else "It stands in the place of"
    yield tag("div", tag("b", word), chip(other.state), cls="line")
    yield tag("p", foreign(one.text or "its text is not shown"))
    yield tag("p", link(other.id), " ", when(other.created_at, here.zone), cls="id")


def _gone(memory_id: str) -> Html:
    return tag("li", tag("b", "It rested on "), tag("code", foreign(memory_id)), ", which was forgotten or is gone.")


def rival(one: Shown, owners: Owners, here: Here) -> Html:
    """Show one of the records that stand under the same key."""
    line = one.line
    return tag(
        "div",
        tag("p", tag("b", foreign(one.text or "its text is not shown"))),
        tag("p", source(line.source, owners), " · ", f"{line.confidence:g} sure · ", when(line.created_at, here.zone)),
        tag("p", link(line.id), " ", chip(line.state), cls="id"),
        cls="rival",
    )


def link(memory_id: str) -> Html:
    """Show a record's id as the way to it."""
    return tag("a", tag("code", foreign(memory_id)), href=address(**{ID: memory_id}), target="_self")


def reads(record: MemoryRecord, here: Here) -> Html:
    """Show each run that was handed it, and each that left it out, with the reason."""
    if not record.reads:
        return tag("p", "No run has considered it.", cls="none")
    slots = {(one.thread_id, one.step): one for one in record.filled}
    rows = []
    for one in record.reads:
        filled = slots.get((one.thread_id, one.step or ""))
        slot = f"slot {filled.slot}, {filled.tokens} tokens, version {filled.version}" if filled else None
        rows.append(
            tag("li", tag("div", _run(one.thread_id), _read(one), cls="line"), tag("p", *_told(one, slot, here)))
        )
    return tag("ul", *rows, cls="rows", aria_label="Runs that considered it")


def _read(one: Handed) -> Html:
    word = "Handed over" if one.reason is None else "Left out"
    return tag("span", tag("span", cls="dot"), word, cls=f"state {'e-done' if one.reason is None else 'e-void'}")


def _told(one: Handed, slot: str | None, here: Here) -> Iterator[str | Html | None]:
    yield from (when(one.at, here.zone), f", at {one.step}" if one.step else f", looked at by {one.by}")
    if one.reason is not None:
        yield f": it {words.REASON.get(one.reason, one.reason)}"
    elif slot:
        yield f": {slot}"
    yield "."


def history(changes: Sequence[Change], owners: Owners, here: Here) -> Html:
    """Show what was done to it and who looked, the newest first."""
    rows = [
        tag(
            "li",
            tag("div", tag("b", words.CHANGE.get(one.act, one.act)), when(one.at, here.zone), cls="line"),
            tag("p", foreign(owners.get(one.by, one.by)), f", version {one.version}" if one.version else None),
        )
        for one in changes
    ]
    if not rows:
        return tag("p", "A run kept it; nothing was done to it since.", cls="none")
    return tag("ul", *rows, cls="rows", aria_label="What was done to it")


def figures(record: MemoryRecord) -> str | None:
    """Say in how many runs it was handed over and left out."""
    if not record.reads:
        return None
    handed = len({one.thread_id for one in record.reads if one.reason is None})
    left = len({one.thread_id for one in record.reads if one.reason is not None})
    return f"handed to {wording.plural(handed, 'run', 'runs')}, left out of {wording.plural(left, 'run', 'runs')}"


def _run(thread_id: str) -> Html:
    return tag("a", foreign(thread_id), href=f"/run?id={quote(thread_id)}", cls="lead")
