"""Record histories for the replay test: `python -m tests.contracts.engines.record` writes them anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

from temporalio.client import Client

from core.cli.edge import quiet_logs
from core.engines.temporal.line import NAMESPACE, quiet_runtime
from core.engines.temporal.relay import workflow_id
from tests.contracts.engines.world import HOLD, WINDOW, World, opened
from tests.databases import SQLITE
from tests.temporal_server import run_apart

RECORDED = Path(__file__).parent / "recorded"


def main() -> None:
    """Live three applicants' lives, and write what the server kept of each."""
    quiet_logs()
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder), "temporal", SQLITE) as world:
        booked, expired, undone = world.invited(), world.asked(), world.held()
        world.home.book(booked)
        world.home.undo(undone)
        world.home.decide(expired)
        world.move(HOLD)
        world.move(WINDOW / 2)
        world.move(WINDOW / 2)
        RECORDED.mkdir(exist_ok=True)
        for name, thread_id in (("booked", booked), ("expired", expired), ("undone", undone)):
            (RECORDED / f"{name}.json").write_text(_history(world, thread_id))


def _history(world: World, thread_id: str) -> str:
    async def fetch() -> str:
        client = await Client.connect(world.home.app.settings.temporal, namespace=NAMESPACE, runtime=quiet_runtime())
        name = workflow_id(str(world.home.look("SELECT home_id FROM engines")[0][0]), "home", thread_id)
        return (await client.get_workflow_handle(name).fetch_history()).to_json()

    return run_apart(fetch())


if __name__ == "__main__":
    main()
