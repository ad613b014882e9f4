"""The line to the server: an event loop in a thread of its own, on which steps are taken and nudges told.

A server that is away is asked again every second. Nothing is lost meanwhile: nudges stand, and so do threads.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache

import structlog
from temporalio.client import Client
from temporalio.runtime import LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter
from temporalio.service import RPCError
from temporalio.worker import Worker as Poller

from core.clock import pulse
from core.db.store import Store
from core.engines.temporal.activities import Steps
from core.engines.temporal.relay import queue_of, relay
from core.engines.temporal.workflow import ThreadWorkflow

log = structlog.get_logger()

LOOK_SECONDS = 1.0
SIGN_SECONDS = 2.0
AGAIN_SECONDS = 1.0
ASKED_SECONDS = 3.0
NAMESPACE = "default"


@cache
def quiet_runtime() -> Runtime:
    """Answer the library's own runtime, one a process; it speaks up where something is wrong, and not before."""
    levels = TelemetryFilter(core_level="ERROR", other_level="ERROR")
    return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(filter=levels)))


def answers(address: str) -> bool:
    """Say whether a server is there and well, within a few seconds."""

    async def ask() -> bool:
        client = await Client.connect(address, namespace=NAMESPACE, runtime=quiet_runtime())
        return await client.service_client.check_health(timeout=timedelta(seconds=ASKED_SECONDS))

    def run() -> bool:
        return asyncio.run(asyncio.wait_for(ask(), ASKED_SECONDS))

    try:
        with ThreadPoolExecutor(1) as alone:  # whoever asks may run a loop already, beside which none may be run
            return alone.submit(run).result()
    except (RPCError, RuntimeError, OSError):  # a timeout is an OSError
        return False


class Line:
    """One worker's line. `lost_for` says since when the server does not answer."""

    def __init__(self, address: str, home_id: str, store: Store, steps: Steps, worker_id: str, lanes: int) -> None:
        self._address = address
        self._home_id = home_id
        self._store = store
        self._steps = steps
        self._worker_id = worker_id
        self._lanes = lanes
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._look = asyncio.Event()
        self._closing = asyncio.Event()
        self._opened = threading.Event()
        self._lost_at: float | None = None

    @property
    def lost_for(self) -> float:
        """For how many seconds of pulse the server has not answered; 0.0 while it does."""
        lost_at = self._lost_at
        return 0.0 if lost_at is None else pulse() - lost_at

    def open(self) -> None:
        """Begin to speak to the server, if that has not begun."""
        if self._thread is None:
            self._lost_at = pulse()  # until it answers
            self._thread = threading.Thread(target=self._run, name="temporal", daemon=True)
            self._thread.start()
            self._opened.wait()

    def look(self) -> None:
        """Tell the server at once what nudges stand."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._look.set)

    def close(self) -> None:
        """Take no more steps, wait for those in hand, and end the loop."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        asyncio.run(self._speak())

    async def _speak(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._opened.set()
        with ThreadPoolExecutor(self._lanes, thread_name_prefix="step") as lanes:
            while not self._closing.is_set():
                try:
                    await self._serve(lanes)
                except (RPCError, RuntimeError, OSError) as error:
                    self._lose(error)
                    await self._wait(self._closing, AGAIN_SECONDS)

    async def _serve(self, lanes: ThreadPoolExecutor) -> None:
        client = await Client.connect(
            self._address, namespace=NAMESPACE, identity=self._worker_id, runtime=quiet_runtime()
        )
        poller = Poller(
            client,
            task_queue=queue_of(self._home_id),
            workflows=[ThreadWorkflow],
            activities=[self._steps.advance],
            activity_executor=lanes,
            max_concurrent_activities=self._lanes,
            max_heartbeat_throttle_interval=timedelta(seconds=SIGN_SECONDS),
            graceful_shutdown_timeout=timedelta(hours=1),  # a step in hand is waited for, as by every engine
        )
        async with poller:
            signs = asyncio.create_task(self._give_signs())
            try:
                while not self._closing.is_set():
                    await self._relay(client)
            finally:
                signs.cancel()

    async def _relay(self, client: Client) -> None:
        self._look.clear()
        try:
            told = await relay(client, self._store, self._home_id)
        except RPCError as error:
            self._lose(error)
            await self._wait(self._closing, AGAIN_SECONDS)
            return
        self._lost_at = None
        if not told:
            looking, closing = asyncio.ensure_future(self._look.wait()), asyncio.ensure_future(self._closing.wait())
            await asyncio.wait({looking, closing}, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            looking.cancel()
            closing.cancel()

    def _lose(self, error: BaseException) -> None:
        if self._lost_at is None:
            self._lost_at = pulse()
            log.warning("the Temporal server does not answer; it is asked again", error=type(error).__name__)

    async def _give_signs(self) -> None:
        while True:
            await asyncio.sleep(SIGN_SECONDS)
            await asyncio.to_thread(self._steps.give_signs)  # a sign waits for this loop

    @staticmethod
    async def _wait(event: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            return
