"""Applications and events by program: an API key in `Authorization: Bearer`, an `Idempotency-Key` on every request.

What a request made and the row that remembers it land in one transaction, so that sending it again, after any crash,
answers the same and makes nothing twice. An error is one sentence: `{"error": {"code", "sentence"}}`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.bootstrap import App
from core.clock import iso, real_now
from core.db.store import Tx
from core.desk.desk import Actor
from core.desk.intake import Outcome, accept
from core.desk.outside import Outside, receive_event
from core.errors import AlreadyApplied, BadInput, DaybookError, NotAllowed, NotFound, PayloadMismatch, Refused
from core.keys import canonical
from core.people.api_keys import ApiKey, find_key
from core.people.requests import Answered, Asked, find_answer, write_answer
from core.people.tenants import get_tenant
from core.steps import Json
from core.web.api_body import Sent, read_application, read_event
from core.web.life import current_app

log = structlog.get_logger()
_LONGEST_KEY = 200
_STATUS = {
    "not_authenticated": 401,
    NotFound.code: 404,
    NotAllowed.code: 403,
    BadInput.code: 422,
    PayloadMismatch.code: 422,
}
Reply = tuple[int, Mapping[str, Json]]
Work = Callable[[App, Actor, Asked], Reply]


class Busy(Refused):
    """A request under this Idempotency-Key is being carried out; ask again in a moment."""

    code = "busy"


class NotAuthenticated(Refused):
    """This needs a living API key as Authorization: Bearer KEY."""

    code = "not_authenticated"


_busy: dict[tuple[str, str, str], str] = {}
_guard = threading.Lock()


async def applications(request: Request) -> Response:
    """Take one application; answers as the command `apply` does."""
    return await _answer(request, "apply", _read_application)


async def events(request: Request) -> Response:
    """Tell a thread what happened outside; answers as the command `event` does."""
    return await _answer(request, "events", _read_event)


async def nothing(_request: Request) -> Response:
    """Answer for every other address below /api/."""
    return _error(404, NotFound.code, "There is nothing at this address.")


_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE"]
routes = [
    Route("/api/applications", applications, methods=["POST"]),
    Route("/api/threads/{id:path}/events/{name}", events, methods=["POST"]),
    Route("/api/{rest:path}", nothing, methods=_ANY),
]


async def _answer(request: Request, verb: str, read: Callable[[Request], Any]) -> Response:
    try:
        key = await run_in_threadpool(_find_key, request.headers.get("authorization", ""), verb)
        idempotency_key = _idempotency_key(request)
        content, work = await read(request)
        asked = [request.method, request.url.path, content]
        status, answer = await run_in_threadpool(_carry_out, key, idempotency_key, asked, work)
        return JSONResponse(answer, status, {"cache-control": "no-store"})
    except HTTPException as error:
        return _error(error.status_code, "bad_request", error.detail)
    except DaybookError as error:
        return _error(_STATUS.get(error.code, 409), error.code, error.sentence)
    except Exception as error:  # noqa: BLE001 - a program reads JSON, whatever went wrong
        log.error("request by program failed", error=type(error).__name__)
        return _error(500, "error", "This went wrong here; send the same request again, under the same key.")


def _find_key(authorization: str, verb: str) -> ApiKey:
    scheme, _, presented = authorization.partition(" ")
    with current_app().read() as conn:
        key = find_key(conn, presented.strip() if scheme.lower() == "bearer" else "")
    if key is None:
        raise NotAuthenticated
    if verb not in key.verbs:
        raise NotAllowed(f"The key {key.name} may not do this; it may {' and '.join(key.verbs)}.")
    return key


def _idempotency_key(request: Request) -> str:
    given = request.headers.get("idempotency-key", "").strip()
    if not given or len(given) > _LONGEST_KEY or not given.isascii() or not given.isprintable():
        raise HTTPException(400, f"This needs an Idempotency-Key of 1 to {_LONGEST_KEY} plain characters.")
    return given


async def _read_application(request: Request) -> tuple[Json, Work]:
    sent = await read_application(request)
    return sent.identity(), lambda app, actor, asked: _apply(app, actor, asked, sent)


async def _read_event(request: Request) -> tuple[Json, Work]:
    data, key = await read_event(request)
    thread_id, told = request.path_params["id"], Outside(request.path_params["name"], data, key)
    return [data, key], lambda app, actor, asked: _tell(app, actor, asked, thread_id, told)


def _carry_out(key: ApiKey, idempotency_key: str, content: Json, work: Work) -> Reply:
    app = current_app()
    with app.read() as conn:
        tenant = get_tenant(conn, key.tenant_id)
    actor = Actor(tenant, key.member, tenant.now(app.settings.frozen_now), f"api key {key.name}")
    asked = Asked(
        tenant.id,
        key.id,
        app.vault.token_hash(tenant.id, f"idempotency {idempotency_key}"),
        app.vault.token_hash(tenant.id, f"request {canonical(content).decode(errors='surrogatepass')}"),
    )
    with _alone(asked):
        return work(app, actor, asked)


@contextmanager
def _alone(asked: Asked) -> Iterator[None]:
    """Let one request at a time go under a key. Between processes the row, unique in the database, does."""
    name = (asked.tenant_id, asked.api_key_id, asked.key_hash)
    with _guard:
        going = _busy.get(name)
        if going is None:
            _busy[name] = asked.body_hash
    if going is not None:
        if going != asked.body_hash:
            raise PayloadMismatch("This Idempotency-Key is in use for another request; take a new key for a new one.")
        raise Busy
    try:
        yield
    finally:
        with _guard:
            del _busy[name]


def _find(app: App, asked: Asked) -> Answered | None:
    with app.read() as conn:
        return find_answer(conn, asked, real_now())


def _write(tx: Tx, asked: Asked, answered: Answered) -> None:
    if find_answer(tx.conn, asked, real_now()) is not None:
        raise Busy  # another process was first
    write_answer(tx, asked, answered, real_now())


def _apply(app: App, actor: Actor, asked: Asked, sent: Sent) -> Reply:
    @contextmanager
    def remembering() -> Iterator[Tx]:
        """Write the row in the very transaction that opens the thread."""
        with app.write() as tx:
            yield tx
            for noted in tx.notes:
                if noted.act == "applied":
                    _write(tx, asked, Answered(noted.thread_id, {}))

    known = _find(app, asked)
    if known is not None:
        return _accepted(sent, known.thread_id)
    (outcome,) = accept(remembering, app.desk, actor, sent.role, [sent.incoming], again=sent.again)
    if outcome.thread_id is not None:
        return _accepted(sent, outcome.thread_id)
    known = _find(app, asked)  # another process may have been first
    return _refused(outcome) if known is None else _accepted(sent, known.thread_id)


def _accepted(sent: Sent, thread_id: str) -> Reply:
    return 201, {"accepted": [{"file": sent.incoming.file, "thread": thread_id}], "refused": []}


def _refused(outcome: Outcome) -> Reply:
    status = 409 if outcome.code == AlreadyApplied.code else 422
    error = {"code": outcome.code, "sentence": outcome.reason}
    return status, {"accepted": [], "refused": [{"file": outcome.file, "reason": outcome.reason}], "error": error}


def _tell(app: App, actor: Actor, asked: Asked, thread_id: str, told: Outside) -> Reply:
    def tell(tx: Tx) -> Reply:
        known = find_answer(tx.conn, asked, real_now())
        if known is not None:
            return 200, {"thread": known.thread_id, **known.answer}
        stored = receive_event(tx, app.desk, actor, thread_id, told)
        answer = {
            "event": told.name,
            "repeated": stored.repeated,
            "late": stored.late,
            "received_at": iso(stored.received_at),
        }
        write_answer(tx, asked, Answered(thread_id, answer), real_now())
        return 200, {"thread": thread_id, **answer}

    return app.act(actor, "event", tell)


def _error(status: int, code: str, sentence: str) -> Response:
    # Whoever is refused may still be sending; nothing more of it is read.
    more = {"connection": "close"} | ({"www-authenticate": 'Bearer realm="Daybook"'} if status == 401 else {})
    answer = {"error": {"code": code, "sentence": sentence}}
    return JSONResponse(answer, status, {"cache-control": "no-store", **more})
