"""Column types that mean the same on every database."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from core.clock import UNREADABLE, read_instant, write_instant
from core.errors import BadInput


class Instant(TypeDecorator[datetime]):
    """An aware UTC instant to the millisecond, as fixed-width text: it sorts and reads alike on every database.

    One that cannot be read is UNREADABLE, so that a damaged row is in no other row's way; `verify` names it.
    """

    impl = String(24)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write the instant."""
        return None if value is None else write_instant(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Read it back."""
        try:
            return None if value is None else read_instant(value)
        except BadInput:
            return UNREADABLE


class Unreadable(dict[str, Any]):
    """Stands for stored JSON that nobody can read: empty, and known by its type."""


class JsonText(TypeDecorator[Any]):
    """Plain JSON without personal content: versions, ids, codes. What cannot be read is an `Unreadable`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write it."""
        return None if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it back."""
        try:
            return None if value is None else json.loads(value)
        except (TypeError, ValueError, RecursionError):
            return Unreadable()


class JsonMap(JsonText):
    """Plain JSON that is an object."""

    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it back."""
        read = super().process_result_value(value, dialect)
        return read if read is None or isinstance(read, dict) else Unreadable()


class Sealed(TypeDecorator[bytes]):
    """Bytes sealed by the vault; personal content is stored in no other way."""

    impl = LargeBinary
    cache_ok = True
