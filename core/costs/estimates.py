"""What a call will read and write, estimated before it leaves, and how sure that is.

From bytes alone a token is 2.8 bytes, between 2.0 and 3.6 by kind of text. Once a step's own calls are on record their
ratios take over: the median, and as a band what 90 in 100 of them stayed within.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from core.costs.tables import ModelCall
from core.ports import Request, Usage

_calls = ModelCall.__table__  # type: ignore[attr-defined]

BYTES_PER_TOKEN = 2.8
FEWEST_BYTES, MOST_BYTES = 2.0, 3.6  # a token is this long at the least and at the most
FEWEST_CALLS = 5
MOST_CALLS = 200
_BAND = (0.05, 0.95)

Source = Literal["bytes", "calls", "counted"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """The tokens of one call: input as low, middle and high, output as middle. `source` is what it rests on.

    `bytes` is from the size alone, `calls` from so many recorded ones, `counted` from the provider's own counting.
    """

    sent_bytes: int
    low: int
    middle: int
    high: int
    output: int
    source: Source
    calls: int = 0

    @property
    def forecast(self) -> Usage:
        """The call as it is expected."""
        return Usage(self.middle, self.output)

    def most(self, output_limit: int) -> Usage:
        """The call at its largest: the high end of its input, and all the output it is allowed."""
        return Usage(self.high, output_limit)


def bytes_of(request: Request) -> int:
    """Answer the bytes that a request holds: instructions, items, schema, tools, and what memory told it."""
    parts = [request.instructions, *(item.text for item in request.items), *(one.said for one in request.exchanges)]
    parts.append(json.dumps([tool.told for tool in request.tools] if request.tools else dict(request.schema)))
    return sum(len(part.encode("utf-8", "replace")) for part in parts)


def estimate(  # noqa: PLR0913 - what a call is known by
    conn: Connection, tenant_id: str, step: str, model: str, sent_bytes: int, output_limit: int,
    counted: int | None = None,
) -> Estimate:  # fmt: skip
    """Estimate a call by its step's recorded calls to the model, or by its bytes where there are too few of them.

    `counted` is what the provider says it would read, where it was asked.
    """
    known = _recorded(conn, tenant_id, step, model)
    output = _at(sorted(row[2] for row in known), 0.5) if len(known) >= FEWEST_CALLS else output_limit
    if counted is not None:
        return Estimate(sent_bytes, counted, counted, counted, round(output), "counted", len(known))
    if len(known) < FEWEST_CALLS:
        low, middle, high = (round(sent_bytes / one) for one in (MOST_BYTES, BYTES_PER_TOKEN, FEWEST_BYTES))
        return Estimate(sent_bytes, low, middle, high, output_limit, "bytes")
    ratios = sorted(tokens / size for size, tokens, _ in known)
    low, middle, high = (round(sent_bytes * _at(ratios, share)) for share in (_BAND[0], 0.5, _BAND[1]))
    return Estimate(sent_bytes, low, middle, high, round(output), "calls", len(known))


def is_calibrated(conn: Connection, tenant_id: str, step: str, model: str) -> bool:
    """Say whether a step has calls enough on record for its estimates to rest on."""
    return len(_recorded(conn, tenant_id, step, model)) >= FEWEST_CALLS


def _recorded(conn: Connection, tenant_id: str, step: str, model: str) -> list[tuple[int, int, int]]:
    c = _calls.c
    read = c.fresh_tokens + c.cache_write_5m_tokens + c.cache_write_1h_tokens + c.cache_read_tokens
    rows = conn.execute(
        select(c.sent_bytes, read, c.output_tokens)
        .where(c.tenant_id == tenant_id, c.step == step, c.model == model, c.status == "answered", c.sent_bytes > 0)
        .order_by(c.opened_at.desc())
        .limit(MOST_CALLS)
    )
    return [(row[0], row[1], row[2]) for row in rows]


def _at(ordered: Sequence[float], share: float) -> float:
    """Answer the value below which this share of them lies, between its neighbours."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
