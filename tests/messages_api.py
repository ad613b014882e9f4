"""A server on this machine that speaks the Messages API by a script: one answer a request, then whatever is last.

It is no model. `by_evidence` scores each criterion by the one line of the CV that the test names for it, whatever else
stands there.
"""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from core.adapters.claude import Claude

MODEL = "claude-sonnet-5-5"
KEY = "a key of the test's own"
EVIDENCE = {
    1: (5, "Led the rebrand of Harrow Mill Bakery from brief to launch; repeat orders rose 18 %."),
    3: (3, "Present work to clients every fortnight."),
    4: (3, "Mentor one junior designer."),
    5: (4, "I write plainly."),
}
USAGE = {
    "input_tokens": 3_700,
    "output_tokens": 250,
    "cache_creation_input_tokens": 30,
    "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
    "cache_read_input_tokens": 40,
    "output_tokens_details": {"thinking_tokens": 7},
    "service_tier": "standard",
}


MODELS = {
    "data": [
        {"id": name, "type": "model", "display_name": name, "created_at": "2026-01-01T00:00:00Z",
         "lifecycle": "active" if retires is None else "deprecated", "retires_at": retires}
        for name, retires in ((MODEL, "2027-03-01T00:00:00Z"), ("claude-opus-5-5", None))
    ],
    "has_more": False,
    "first_id": MODEL,
    "last_id": "claude-opus-5-5",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What the server says: a status, headers, a body.

    `hangs` waits first until the test lets it go on, `drops` ends the connection without a word, `trickles` sends a
    byte now and then and never comes to the end.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    drops: bool = False
    trickles: bool = False


Said = Callable[[Mapping[str, Any]], Answer]


@dataclass
class MessagesApi:
    """The server's script, and what it was asked: each request's body, in order.

    `batches` are those that were sent, by their ids; they end when the test says so (`has_ended`), and answer by the
    script, the last request first, but for those in `unanswered`: a word of the CV, and why it has no answer.
    """

    url: str
    script: list[Answer | Said] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    has_ended: bool = False
    counted: int = 0
    unanswered: dict[str, str] = field(default_factory=dict)
    reached: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def say(self, *answers: Answer | Said) -> MessagesApi:
        """Give the server its next answers; the last one is said again for ever."""
        self.script[:] = answers
        return self

    def model(self, name: str = MODEL, *, timeout_s: float = 20.0) -> Claude:
        """A client of this server."""
        return Claude(name, KEY, self.url, timeout_s=timeout_s)

    def next(self, body: dict[str, Any]) -> Answer:
        self.asked.append(body)
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return said if isinstance(said, Answer) else said(body)

    def take_batch(self, body: dict[str, Any]) -> Answer:
        said = self.script[0]
        if isinstance(said, Answer) and said.status != 200:
            return said
        batch_id = f"msgbatch_{len(self.batches) + 1}"
        self.batches[batch_id] = body["requests"]
        return Answer(body=self.batch(batch_id))

    def batch(self, batch_id: str) -> dict[str, Any]:
        counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
        return {
            "id": batch_id, "type": "message_batch", "request_counts": counts, "created_at": "2026-08-20T09:00:00Z",
            "expires_at": "2026-08-21T09:00:00Z", "ended_at": None, "archived_at": None, "cancel_initiated_at": None,
            "processing_status": "ended" if self.has_ended else "in_progress",
            "results_url": f"{self.url}/v1/messages/batches/{batch_id}/results" if self.has_ended else None,
        }  # fmt: skip

    def results(self, batch_id: str) -> str:
        lines = []
        for one in reversed(self.batches[batch_id]):
            text = json.dumps(one["params"]["messages"])
            why = next((kind for word, kind in self.unanswered.items() if word in text), None)
            if why is None:
                message_ = self.next(one["params"]).body
                usage = {**message_["usage"], "service_tier": "batch"}
                result = {"type": "succeeded", "message": {**message_, "usage": usage}}
            else:
                result = {"type": why}
                if why == "errored":
                    error_ = {"type": "invalid_request_error", "message": "no"}
                    result["error"] = {"type": "error", "error": error_, "request_id": None}  # type: ignore[assignment]
            lines.append(json.dumps({"custom_id": one["custom_id"], "result": result}))
        return "\n".join(lines) + "\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    api: MessagesApi

    def handle_error(self, *_: object) -> None:
        return  # a client that went away in the middle is what some tests are about


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        api = self.server.api
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        api.headers.append(dict(self.headers.items()))
        if self.path.startswith("/v1/messages/count_tokens"):
            api.counted += 1
            self._send(Answer(body={"input_tokens": 3_770}))
            return
        if self.path.startswith("/v1/messages/batches"):
            self._send(api.take_batch(body))
            return
        answer = api.next(body)
        if answer.hangs:
            api.reached.set()
            api.let_go.wait(30)
        if answer.drops:
            self.close_connection = True
        else:
            self._send(answer)

    def do_GET(self) -> None:
        api = self.server.api
        if self.path.startswith("/v1/models"):
            self._send(Answer(body=MODELS))
            return
        *_, batch_id, last = self.path.partition("?")[0].split("/")
        if last == "results":
            self._send(Answer(body=api.results(batch_id)))
        else:
            self._send(Answer(body=api.batch(last)))

    def _send(self, answer: Answer) -> None:
        api = self.server.api
        is_text = isinstance(answer.body, str)
        content = answer.body.encode() if is_text else json.dumps(answer.body).encode()
        self.send_response_only(answer.status)
        self.send_header("content-type", "text/html" if is_text else "application/json")
        self.send_header("content-length", str(len(content) + answer.trickles * 1_000_000))
        self.send_header("request-id", f"req_{len(api.asked)}")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        while answer.trickles and not api.let_go.wait(0.02):
            self.wfile.write(b" ")
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def messages_api() -> Iterator[MessagesApi]:
    """Serve on a free port of this machine until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.api = api = MessagesApi(f"http://127.0.0.1:{server.server_address[1]}")
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    serving.start()
    try:
        yield api.say(by_evidence())
    finally:
        api.let_go.set()
        server.shutdown()
        server.server_close()
        serving.join()


def message(text: str, stop_reason: str = "end_turn", model: str = MODEL, **usage: Any) -> Answer:
    """A message of this text."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {**USAGE, **usage},
    }
    return Answer(body=body)


def chosen(tool: str, stop_reason: str = "tool_use", **arguments: Any) -> Answer:
    """A message that chooses a tool."""
    said = message("", stop_reason)
    said.body["content"] = [
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "toolu_1", "name": tool, "input": arguments},
    ]
    return said


def scores(*lines: tuple[int, Any, str], **more: Any) -> Answer:
    """A message with these scores: criterion, score, quote."""
    content = [{"criterion": number, "score": score, "quote": quote} for number, score, quote in lines]
    return message(json.dumps({"scores": content}), **more)


def by_evidence(evidence: Mapping[int, tuple[int, str]] = EVIDENCE, **more: Any) -> Said:
    """Score each criterion of the rubric that was sent by its line, where that line stands in the CV that was sent."""

    def answer(body: Mapping[str, Any]) -> Answer:
        sent = documents(body)
        lines = []
        for criterion in json.loads(sent["rubric"])["criteria"]:
            score, quote = evidence.get(criterion["number"], (0, ""))
            lines.append((criterion["number"], score, quote) if quote in sent["cv"] else (criterion["number"], 0, ""))
        return scores(*lines, **more)

    return answer


def all_five(quote: str) -> Said:
    """Do as an order in the CV says: full points everywhere, on this quote."""
    return by_evidence(dict.fromkeys(range(1, 20), (5, quote)))


def documents(body: Mapping[str, Any]) -> dict[str, str]:
    """The documents of a request by slot, read as a reader of the rules would read them."""
    (only,) = body["messages"]
    content = only["content"]
    text = content if isinstance(content, str) else "".join(block["text"] for block in content)
    found: Sequence[tuple[str, str]] = re.findall(r'<document slot="(\w+)"[^>]*>\n(.*?)\n</document>', text, re.DOTALL)
    return {slot: html.unescape(text) for slot, text in found}


def error(status: int, kind: str, *, code: str | None = None, **headers: str) -> Answer:
    """An error of the API, with its type and, where it has one, its code."""
    details = {} if code is None else {"details": {"error_code": code}}
    body = {"type": "error", "error": {"type": kind, "message": f"a sentence about {kind}", **details}}
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


TRUNCATED = message('{"scores": [{"criterion": 1, "sco', "max_tokens")
REFUSAL = Answer(body={**message("", "refusal").body, "content": []})
NOT_JSON = message("Here are the scores: five out of five.")
OVERLOADED = error(529, "overloaded_error")
BROKEN = error(500, "api_error")
BAD_REQUEST = error(400, "invalid_request_error")
NO_KEY = error(401, "authentication_error")
SPENT = error(403, "permission_error", code="enforced_spend_limit_reached")
LIMITED = error(429, "rate_limit_error", retry_after="37")
DROPPED = Answer(drops=True)
TRICKLING = Answer(trickles=True, body={})
HANGING = Answer(hangs=True, drops=True)
WEB_PAGE = Answer(200, "<html><body>Sign in to the network</body></html>")
