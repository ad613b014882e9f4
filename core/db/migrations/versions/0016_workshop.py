"""Workshop: codes by which a person signs in once, teams, and what they did."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "sign_in_codes",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("made_at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "person_id"], ["people.tenant_id", "people.id"], name="fk_sign_in_codes_tenant_id_person_id"
        ),
        sa.PrimaryKeyConstraint("tenant_id", "code_hash", name="pk_sign_in_codes"),
    )
    op.create_table(
        "teams",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("foreign_memory_id", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(24), nullable=False),
        sa.Column("paused_at", sa.String(24), nullable=True),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_teams_tenant_id"),
        sa.PrimaryKeyConstraint("tenant_id", name="pk_teams"),
    )
    op.create_table(
        "team_ticks",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("tick", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name="fk_team_ticks_tenant_id"),
        sa.PrimaryKeyConstraint("tenant_id", "tick", name="pk_team_ticks"),
    )
