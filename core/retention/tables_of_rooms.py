"""Every table of every room, for migrations and for what reads the whole schema."""

from core.audit import tables as audit
from core.catalog import tables as catalog
from core.context import tables as context
from core.costs import tables as costs
from core.duties import tables as duties
from core.effects import tables as effects
from core.memory import tables as memory
from core.nudges import tables as nudges
from core.people import tables as people
from core.receipts import tables as receipts
from core.review import tables as review
from core.threads import tables as threads
from core.vault import tables as vault

__all__ = [
    "audit",
    "catalog",
    "context",
    "costs",
    "duties",
    "effects",
    "memory",
    "nudges",
    "people",
    "receipts",
    "review",
    "threads",
    "vault",
]
