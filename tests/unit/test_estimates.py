"""How large a call is thought to be, from its bytes or from its step's recorded calls."""

from __future__ import annotations

from core.costs.estimates import bytes_of
from core.ports import Request
from core.steps import Item


def test_everything_that_is_handed_over_counts_by_its_bytes():
    item = Item("cv", "receipts", "r-1", 1, "é" * 10)
    bare, full = Request("score", (), {}), Request("score", (item,), {"a": 1}, "Score.")

    assert (bytes_of(bare), bytes_of(full)) == (2, 20 + 8 + 6)
