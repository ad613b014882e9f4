"""Alembic's environment: it works on the connection that `core.db.schema` hands it."""

from alembic import context

from core.db.base import Base


def run() -> None:
    """Run the revisions in the transaction that is open already."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    context.run_migrations()


run()
