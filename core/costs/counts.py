"""The one conversion of what a provider reports into raw counts.

Two traps are met here and nowhere else. Some providers count what a cache held inside their input and some beside it;
taken the wrong way it is paid twice or not at all. And reports contradict themselves: those are kept as they came, with
the doubt beside them, and get no price; nothing is ever made negative.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.ports import Usage

INCONSISTENT = "counts_inconsistent"
OTHER_CHARGES = "other_charges"


@dataclass(frozen=True, slots=True)
class Reported:
    """Counts as a provider names them. `cache_written` is its sum of both lifetimes, None where it gives none.

    `is_cache_inside` says that `input` includes what the cache held and what was written to it. `other_charges` counts
    what is billed by something else than tokens, such as searches.
    """

    input: int
    output: int
    cache_read: int = 0
    cache_written: int | None = None
    cache_write_5m: int | None = None
    cache_write_1h: int | None = None
    thinking: int | None = None
    tier: str = "standard"
    other_charges: int = 0
    is_cache_inside: bool = False


def usage_of(said: Reported) -> Usage:
    """Answer a report as counts; `doubt` says in a code why no price may be put on them."""
    hour = said.cache_write_1h or 0
    parts = None if said.cache_write_5m is None and said.cache_write_1h is None else (said.cache_write_5m or 0) + hour
    written = parts if said.cache_written is None or parts == said.cache_written else said.cache_written
    five_minutes = max((written or 0) - hour, 0)
    as_reported = Usage(
        fresh=said.input,
        output=said.output,
        cache_write_5m=five_minutes,
        cache_write_1h=hour,
        cache_read=said.cache_read,
        thinking=said.thinking,
        tier=said.tier,
    )
    doubt = _doubt(said, parts)
    if doubt is not None or not said.is_cache_inside:
        return replace(as_reported, doubt=doubt)
    inside = as_reported.input - as_reported.fresh
    if inside > said.input:
        return replace(as_reported, doubt=INCONSISTENT)
    return replace(as_reported, fresh=said.input - inside)


def _doubt(said: Reported, parts: int | None) -> str | None:
    if said.cache_written is not None and parts is not None and parts not in (0, said.cache_written):
        return INCONSISTENT
    if said.thinking is not None and said.thinking > said.output:
        return INCONSISTENT
    return OTHER_CHARGES if said.other_charges else None
