"""The metadata that every room's tables hang on."""

from __future__ import annotations

from sqlalchemy.orm import registry
from sqlmodel import SQLModel
from sqlmodel._compat import SQLModelConfig

_registry = registry(
    metadata=SQLModel.metadata.__class__(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
)


class Base(SQLModel, registry=_registry):
    """What every table class derives from; its own registry, so that a hot reload can define it again.

    Rows are read and written by statements; nothing makes an instance of a table class, so no validator is built.
    """

    model_config = SQLModelConfig(defer_build=True)


# For tables of small rows that are read by their key: SQLite then keeps the rows in the key's own tree.
BY_KEY = {"sqlite_with_rowid": False}
