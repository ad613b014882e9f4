"""Statements compiled once for all homes of a run: each home has an engine of its own, and would compile its own.

Half of what the tests took went there. A server compiles each statement once in its life; only tests open thousands of
homes in one process.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import Dialect

import core.db.postgres
import core.db.sqlite

_compiled: dict[Any, Any] = {}
_dialects: dict[str, Dialect] = {}


def share_statements() -> None:
    """Let engines that are made from now on share what they compiled; a compiled statement belongs to its dialect."""
    core.db.sqlite.create_engine = core.db.postgres.create_engine = _create_engine  # type: ignore[attr-defined]


def _create_engine(*given: Any, **options: Any) -> Engine:
    engine = create_engine(*given, **options)
    engine.dialect = _dialects.setdefault(engine.dialect.name, engine.dialect)
    engine.update_execution_options(compiled_cache=_compiled)
    return engine
