"""What the runner is wired with; bootstrap makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.audit.note import AuditLog
from core.db.store import Store, Tx
from core.effects.journal import Journal
from core.ports import Blobs, EffectAdapter, FileReader, Model, OneOfSeveral, PriceList
from core.runner.gathered import Gathered
from core.steps import Workflow
from core.vault.sealing import Vault


@dataclass(frozen=True)
class Parts:
    """The rooms and adapters that carry steps out."""

    store: Store
    vault: Vault
    audit: AuditLog
    journal: Journal
    blobs: Blobs
    blobs_folder: Path
    reader: FileReader
    model: Model
    prices: PriceList
    adapters: Mapping[str, EffectAdapter | OneOfSeveral]
    workflows: Mapping[str, Workflow]
    base_url: str = "http://127.0.0.1:8501"
    sandboxes: Path = Path("sandboxes")  # copies of folders, in which a sandbox may act
    gathered: Gathered = field(default_factory=Gathered)  # calls that go by batch when this round has ended
    sweeps: Sequence[Callable[[], int]] = ()  # each removes what killed processes left of one folder

    def answer_address(self, token: str) -> str:
        """Answer the address of the page that a letter's token opens."""
        return f"{self.base_url.rstrip('/')}/book/{token}"

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open a write transaction whose notes are chained into the audit log."""
        with self.store.write() as tx:
            self.audit.watch(tx)
            yield tx
