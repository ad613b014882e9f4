"""A provider's invoice as somebody pastes it: what is asked for each model, and how many tokens, where it says."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from core.costs.money import picodollars
from core.errors import BadInput

_MODEL = ("model", "model_name", "model version", "model_version")
_AMOUNT = ("usd", "cost_usd", "cost (usd)", "amount", "amount_usd", "cost", "total")
_TOKENS = ("tokens", "total_tokens", "quantity")
_PLAIN = re.compile(r"(?P<model>\S+)\s+\$?(?P<amount>[\d,]+(?:\.\d+)?)\s*(?:usd)?", re.IGNORECASE)
_MOST_LINES = 10_000


@dataclass(frozen=True, slots=True)
class InvoiceLine:
    """What is asked for one model in all, in picodollars; `lines` is from how many lines, each perhaps rounded."""

    model: str
    amount: int
    tokens: int | None
    lines: int


def read_invoice(text: str) -> list[InvoiceLine]:
    """Read a table with a column for the model and one for dollars, or lines of a model and an amount.

    Raises BadInput with the line that cannot be read.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines or len(lines) > _MOST_LINES:
        raise BadInput(f"An invoice has from 1 to {_MOST_LINES:,} lines.")
    head = [cell.strip().lower() for cell in next(csv.reader([lines[0]]))]
    is_table = bool(set(head) & set(_MODEL))
    rows = _table(head, lines) if is_table else [_plain(number, line) for number, line in enumerate(lines, 1)]
    found: dict[str, InvoiceLine] = {}
    for model, amount, tokens in rows:
        before = found.get(model, InvoiceLine(model, 0, 0, 0))
        all_tokens = None if tokens is None or before.tokens is None else before.tokens + tokens
        found[model] = InvoiceLine(model, before.amount + amount, all_tokens, before.lines + 1)
    return list(found.values())


def _table(head: Sequence[str], lines: Sequence[str]) -> list[tuple[str, int, int | None]]:
    model, amount, tokens = (_column(head, names) for names in (_MODEL, _AMOUNT, _TOKENS))
    if model is None or amount is None:
        raise BadInput("The invoice's first line names no column of dollars, such as usd or cost_usd.")
    rows = []
    for number, cells in enumerate(csv.reader(lines[1:]), 2):
        if len(cells) != len(head):
            raise BadInput(f"Line {number} of the invoice has {len(cells)} columns, the first line {len(head)}.")
        count = None if tokens is None else _whole(cells[tokens], number)
        rows.append((cells[model].strip(), _dollars(cells[amount], number), count))
    return rows


def _column(head: Sequence[str], names: Sequence[str]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def _plain(number: int, line: str) -> tuple[str, int, None]:
    found = _PLAIN.fullmatch(line)
    if found is None:
        raise BadInput(f"Line {number} of the invoice is no model and an amount such as claude-sonnet-5-5 12.34.")
    return found["model"], _dollars(found["amount"], number), None


def _dollars(text: str, number: int) -> int:
    try:
        amount = Decimal(text.strip().removeprefix("$").replace(",", ""))
    except InvalidOperation as error:
        raise BadInput(f"Line {number} of the invoice has no amount in dollars: {text[:40]!r}.") from error
    if not amount.is_finite() or amount.copy_abs() > 10**9:
        raise BadInput(f"Line {number} of the invoice has no amount in dollars: {text[:40]!r}.")
    return picodollars(amount)


def _whole(text: str, number: int) -> int:
    digits = text.strip().replace(",", "")
    if not digits.isdecimal():
        raise BadInput(f"Line {number} of the invoice has no number of tokens: {text[:40]!r}.")
    return int(digits)
