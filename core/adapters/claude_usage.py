"""What Claude reports of a call as raw counts: the client hands on whatever a server sent, so each is looked at."""

from __future__ import annotations

from core.costs.counts import Reported, usage_of
from core.ports import Usage


def read_usage(message: object) -> Usage | None:
    """Answer the counts, or None where these are no counts: the client hands on whatever a server sent."""
    usage = getattr(message, "usage", None)
    counts = [_count(usage, "input_tokens"), _count(usage, "output_tokens")]
    if usage is None or None in counts:
        return None
    written = getattr(usage, "cache_creation", None)
    searched = getattr(usage, "server_tool_use", None)
    return usage_of(
        Reported(
            input=counts[0] or 0,
            output=counts[1] or 0,
            cache_read=_count(usage, "cache_read_input_tokens") or 0,
            cache_written=_count(usage, "cache_creation_input_tokens"),
            cache_write_5m=_count(written, "ephemeral_5m_input_tokens"),
            cache_write_1h=_count(written, "ephemeral_1h_input_tokens"),
            thinking=_count(getattr(usage, "output_tokens_details", None), "thinking_tokens"),
            tier=_tier(usage),
            other_charges=sum(_count(searched, name) or 0 for name in ("web_search_requests", "web_fetch_requests")),
        )
    )


def _count(of: object, name: str) -> int | None:
    value = getattr(of, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _tier(usage: object) -> str:
    """Answer how it was served, in one word: anything but `standard` has rates of its own."""
    tier, speed = getattr(usage, "service_tier", None), getattr(usage, "speed", None)
    return str(tier or "standard") if speed in (None, "standard") else f"{tier or 'standard'}, {speed}"
