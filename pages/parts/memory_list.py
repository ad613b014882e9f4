"""The table of records, what of memory wants a person, and the way to change many at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.memory.alarms import Alarm
from core.views.memories import Found, Shown
from pages.parts import memory_words as words
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.memory_filters import ID, address
from pages.parts.times import day, when
from pages.parts.untrusted import Html, foreign, join, tag

HEADS = ("What it says", "State", "Owner", "Source", "Trust", "Created", "Expires")


def shares(found: Found) -> Html:
    """Show how many records stand in each state: a bar in their proportion, and every figure with its word."""
    there = [(state, word, found.by_state[state]) for state, word in words.STATE.items() if found.by_state.get(state)]
    bar = [tag("span", cls=f"share m-{state}", style=f"flex-grow:{count}") for state, _, count in there]
    legend = [
        tag("li", tag("span", cls=f"dot m-{state}"), tag("b", str(count)), f" {word.lower()}")
        for state, word, count in there
    ]
    return tag(
        "div", tag("div", *bar, cls="bar", aria_hidden="true"),
        tag("ul", *legend, cls="legend", aria_label="Records by state"), cls="shares",
    )  # fmt: skip


def table(shown: Sequence[Shown], owners: Mapping[str, str], here: Here) -> Html:
    """Show one line a record; each leads to the record."""
    heads = [tag("th", head, scope="col") for head in HEADS]
    return tag(
        "table",
        tag("caption", "Records, the newest first", cls="unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *(_row(one, owners, here) for one in shown)),
        cls="runs memories",
    )


def _row(one: Shown, owners: Mapping[str, str], here: Here) -> Html:
    line = one.line
    says = foreign(one.text) if one.text is not None else f"{words.STATE[line.state]}; its text is not shown"
    lead = tag("a", says, href=address(**{ID: line.id}), cls="lead", target="_self")
    below = tag("span", tag("code", line.id), f" {line.kind}", cls="id")
    sure = tag("span", f"{line.confidence:g} sure", cls="id")
    return tag(
        "tr",
        tag("td", lead, below, cls="who"),
        tag("td", chip(line.state), cls="status"),
        tag("td", owner(line.owner_id, owners, here), cls="whose"),
        tag("td", source(line.source, owners), cls="says"),
        tag("td", words.TRUST[one.trust].capitalize(), sure, cls="trust"),
        tag("td", day(line.created_at, here.zone), cls="at", data_label="Created"),
        tag("td", day(line.expires_at, here.zone), cls="at", data_label="Expires"),
    )


def chip(state: str) -> Html:
    """Show a record's state with its word."""
    return tag("span", tag("span", cls="dot"), words.STATE[state], cls=f"chip m-{state}")


def owner(owner_id: str, owners: Mapping[str, str], here: Here) -> Html:
    """Show whose a record is."""
    return foreign("the tenant" if owner_id == here.tenant_id else owners.get(owner_id, owner_id))


def source(ref: str, owners: Mapping[str, str]) -> Html:
    """Show where a record was learnt: a person by name, a run by a link, anything else as it stands."""
    kind, _, name = ref.partition(":")
    if kind == "person":
        return foreign(owners.get(name, ref))
    thread, mark, _ = ref.partition("#")
    return tag("a", foreign(thread), href=f"/run?id={thread}") if mark and "/" in thread else foreign(ref)


def alarms(found: Sequence[Alarm], owners: Mapping[str, str], here: Here) -> Html:
    """Show the bounds that were passed, each with the way to what passed it."""
    return tag("ul", *(alarm_line(one, owners, here) for one in found), cls="rows", aria_label="Alarms")


def alarm_line(one: Alarm, owners: Mapping[str, str], here: Here) -> Html:
    """Show one passed bound with the way to what passed it."""
    state = tag("span", tag("span", cls="dot"), "Alarm", cls="state e-unknown")
    return tag("li", tag("div", tag("b", *_alarm_head(one, owners)), state, cls="line"), tag("p", *_alarm(one, here)))


def _alarm_head(one: Alarm, owners: Mapping[str, str]) -> Iterator[str | Html]:
    if one.kind == "writes":
        yield from ("Memory: ", source(one.name, owners), " writes much")
    else:
        yield from ("Memory: ", tag("code", one.name), " reaches many people")


def _alarm(one: Alarm, here: Here) -> Iterator[str | Html | None]:
    if one.kind == "writes":
        wrote = wording.plural(one.count, "record", "records")
        yield from (f"{wrote} within the hour of ", when(one.at, here.zone), f"; the bound is {one.bound}. ")
        yield tag("a", "Look at them", href=f"/memory?source={one.name.replace('#', '%23')}", target="_self")
    else:
        yield from (f"Handed to the runs of {one.count} people since ", when(one.at, here.zone))
        yield f"; the bound is {one.bound}. "
        yield tag("a", "Look at it", href=f"/memory?id={one.name}", target="_self")
    yield "."


def empty() -> Html:
    """Say that there is nothing at all, and how something comes there."""
    return tag("p", join(words.NONE_AT_ALL, tag("code", words.HOW_TO_REMEMBER)), cls="empty")
