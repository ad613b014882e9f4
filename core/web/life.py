"""The app's life: one opened home a process, and its embedded worker."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from core.bootstrap import App, open_app
from core.settings import load_settings

log = structlog.get_logger()

STOP_SECONDS = 5.0

_opening = threading.Lock()
_opened: App | None = None


def current_app() -> App:
    """Answer this process's App, opening the home its settings name on the first call.

    A hot reload evicts this module; the reloaded one opens the home again, and the worker goes on with the old App.
    They meet in the database only.
    """
    global _opened
    with _opening:
        if _opened is None:
            _opened = open_app(load_settings())
        return _opened


def close_app() -> None:
    """Close this process's App; the next `current_app` opens the home that the settings then name."""
    global _opened
    with _opening:
        if _opened is not None:
            _opened.close()
        _opened = None


@asynccontextmanager
async def lifespan(_server: object) -> AsyncIterator[None]:
    """Open the home, run the embedded worker where the settings ask for one, and stop both with the server."""
    app = current_app()
    app.hold_against_journal()
    stop = _start_worker(app) if app.settings.worker == "embedded" else None
    try:
        yield
    finally:
        if stop is not None:
            stop()
        close_app()


def _start_worker(app: App) -> Callable[[], None]:
    """Start the embedded worker beside the server and answer what stops it; the first visitor does not wait for it."""
    engine = app.engine("embedded")
    starting = threading.Thread(target=engine.start, name="embedded worker", daemon=True)
    starting.start()

    def stop_when_started() -> None:
        starting.join()
        engine.stop()

    def stop() -> None:
        stopping = threading.Thread(target=stop_when_started, daemon=True)
        stopping.start()
        stopping.join(STOP_SECONDS)
        if stopping.is_alive():
            # Its process ends with the server; its lease is free then, and what it did not settle runs again.
            log.warning("worker left behind", worker=engine.worker_id, waited_s=STOP_SECONDS)

    return stop
