"""Claude by the Messages API: one request a call, no stream, no retry of its own, and nothing kept over there.

Whatever comes back is a reply with its usage: an answer cut off, refused or unreadable was paid for too. Errors become
faults by their type and code; when to ask again is a row of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from core.adapters.claude_batches import ClaudeBatches
from core.adapters.claude_text import read_back, system_text
from core.adapters.claude_usage import read_usage
from core.context.documents import as_documents, escape
from core.errors import ModelFailed
from core.ports import Exchange, Fault, ModelLife, ModelReply, Request
from core.steps import Json

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

TIMEOUT_SECONDS = 60.0
OUTPUT_LIMIT = 4_096
_MEMORY = "memory"
_SHARED = "configs"  # rubric and description: the same for every applicant of a role
_UNFIT = {
    "max_tokens": ("model_cut_off", "The model's answer was cut off at its limit of {limit} tokens.", False),
    "model_context_window_exceeded": ("model_cut_off", "The model's window was full before its answer ended.", True),
    "refusal": ("model_declined", "The model declined to answer.", True),
}


class Claude:
    """One Claude model under one API key.

    A call ends `timeout_s` after its last byte, and its answer so long after its head, however it trickles in.
    """

    leaves_machine = True
    output_limit = OUTPUT_LIMIT

    def __init__(
        self, model: str, api_key: str, base_url: str | None = None, *, timeout_s: float = TIMEOUT_SECONDS
    ) -> None:
        self.label = model
        self.answers_within_s = 2 * timeout_s
        self._timeout_s = timeout_s
        self._api_key = api_key
        self._base_url = base_url
        self._batches = ClaudeBatches(self._client, model, timeout_s)

    def answer(self, request: Request) -> ModelReply:
        """Ask once. Never raises for what went wrong outside; the fault says what did."""
        # They take most of a second to load, which commands that ask no model need not pay.
        from anthropic import AnthropicError  # noqa: PLC0415

        from core.adapters.claude_faults import fault_of  # noqa: PLC0415

        try:
            with self._client() as client:
                message = client.messages.create(**self._params(request))
        except AnthropicError as error:
            return fault_of(error, self.label, self._timeout_s)
        return self._read(message, request)

    def send_batch(self, requests: Mapping[str, Request]) -> str | ModelReply:
        """Send requests under our ids as one batch, and answer its id, or the reply that stands for each of them."""
        return self._batches.send({name: self._params(one) for name, one in requests.items()})

    def read_batch(self, batch_id: str, call_id: str, request: Request) -> ModelReply | None:
        """Answer what a batch said to one request, or None while that is not known."""
        return self._batches.read(batch_id, call_id, lambda message: self._read(message, request))

    def count(self, request: Request) -> int | None:
        """Answer how many tokens a request is, as Claude counts it for nothing; None where it does not answer."""
        from anthropic import AnthropicError  # noqa: PLC0415 - as above

        params = {name: of for name, of in self._params(request).items() if name != "max_tokens"}
        try:
            with self._client() as client:
                counted = client.messages.count_tokens(**params).input_tokens
        except AnthropicError:
            return None
        return counted if isinstance(counted, int) else None

    def list_lives(self) -> list[ModelLife]:
        """Ask which models there are and when they retire; raises ModelFailed where it is not told."""
        from anthropic import AnthropicError  # noqa: PLC0415 - as above

        from core.adapters.claude_faults import fault_of  # noqa: PLC0415

        try:
            with self._client() as client:
                listed = client.models.list(limit=100, lifecycle=["active", "deprecated", "retired"])
                return [ModelLife(one.id, str(one.lifecycle or "active"), one.retires_at) for one in listed]
        except AnthropicError as error:
            fault = fault_of(error, self.label, self._timeout_s).fault or Fault(
                "model_failed", "Claude did not answer."
            )
            raise ModelFailed(fault.code, fault.sentence, is_final=fault.is_final) from error

    def _params(self, request: Request) -> dict[str, Any]:
        return {
            "model": self.label,
            "max_tokens": self.output_limit,
            "system": system_text(request.instructions, by_tool=bool(request.tools)),
            "messages": _messages(request),
            **_form(request),
        }

    def _client(self) -> Anthropic:
        """Make a client for one call: between two calls minutes may pass, and a connection kept open may be dead."""
        from anthropic import Anthropic, DefaultHttpxClient  # noqa: PLC0415 - as above

        from core.adapters.claude_wire import bounded, trusted  # noqa: PLC0415

        return Anthropic(
            http_client=DefaultHttpxClient(verify=trusted(), event_hooks={"response": [bounded(self._timeout_s)]}),
            api_key=self._api_key,
            base_url=self._base_url,
            timeout=self._timeout_s,
            max_retries=0,
            open_telemetry=False,  # its spans can carry what was sent
        )

    def _read(self, message: Message, request: Request) -> ModelReply:
        usage = read_usage(message)
        if usage is None:
            fault = Fault(
                "model_unreadable", "What answered did not speak the Messages API; look at ANTHROPIC_BASE_URL."
            )
            return ModelReply({}, self.label, status="unknown", fault=fault)
        asked = _asked_memory(message, request)
        content, fault_found = ({}, None) if asked else self._content(message, by_tool=bool(request.tools))
        return ModelReply(
            content=content,
            model=message.model if isinstance(message.model, str) else self.label,
            usage=usage,
            status="unfit" if fault_found else "answered",
            fault=fault_found,
            request_id=getattr(message, "_request_id", None),
            stop_reason=str(message.stop_reason),
            exchange=asked,
        )

    def _content(self, message: Message, *, by_tool: bool) -> tuple[Mapping[str, Json], Fault | None]:
        if message.stop_reason in _UNFIT:
            code, sentence, is_final = _UNFIT[message.stop_reason]
            return {}, Fault(code, sentence.format(limit=self.output_limit), is_final)
        if by_tool:
            return _tool_of(message)
        if message.stop_reason != "end_turn":
            return {}, Fault("model_unfinished", "The model stopped before its answer was whole.")
        text = "".join(block.text for block in message.content if block.type == "text")
        try:
            return read_back(msgspec.json.decode(text, type=dict[str, Any])), None
        except (msgspec.DecodeError, UnicodeError):
            return {}, Fault("model_unreadable", "The model's answer is not the JSON that was asked for.")


def _form(request: Request) -> dict[str, Any]:
    """Answer how the reply is asked for: as one tool and its arguments, or as JSON of a schema."""
    if not request.tools:
        return {"output_config": {"format": {"type": "json_schema", "schema": dict(request.schema)}}}
    choice = {"type": "any", "disable_parallel_tool_use": True}  # one act a turn: each is a row before the next
    memory = [] if request.memory is None else [{"type": "memory_20250818", "name": _MEMORY}]
    return {"tools": [*(tool.told for tool in request.tools), *memory], "tool_choice": choice}


def _messages(request: Request) -> list[Any]:
    """Answer the packet's documents, and what was asked of memory within this call."""
    messages: list[Any] = [{"role": "user", "content": _packet(request)}]
    for one in request.exchanges:
        use = {"type": "tool_use", "id": one.id, "name": _MEMORY, "input": one.command}
        said = {"type": "tool_result", "tool_use_id": one.id, "content": escape(one.said), "is_error": one.is_error}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [said]}]
    return messages


def _packet(request: Request) -> Any:
    """Answer the packet's documents; where they are cached, up to the mark that ends what a role's calls share."""
    shared = tuple(takewhile(lambda one: one.source == _SHARED, request.items))
    if request.cache == "none" or not shared:
        return as_documents(request.items)
    kept = {"type": "ephemeral", "ttl": request.cache}
    rest = as_documents(request.items[len(shared) :])
    return [
        {"type": "text", "text": as_documents(shared), "cache_control": kept},
        *([{"type": "text", "text": rest}] if rest else []),
    ]


def _asked_memory(message: Message, request: Request) -> Exchange | None:
    """Carry out what the model asked of memory, and answer that; None where it chose something else."""
    chosen = [block for block in message.content if block.type == "tool_use"]
    if request.memory is None or message.stop_reason != "tool_use" or [one.name for one in chosen] != [_MEMORY]:
        return None
    from anthropic.lib.tools import ToolError  # noqa: PLC0415 - as above

    from core.adapters.claude_memory import ClaudeMemory  # noqa: PLC0415

    (use,) = chosen
    try:
        said, is_error = ClaudeMemory(request.memory).call(read_back(use.input)), False
    except ToolError as error:
        said, is_error = str(error), True
    return Exchange(use.id, use.input, said, is_error)


def _tool_of(message: Message) -> tuple[Mapping[str, Json], Fault | None]:
    """Answer the one tool that was chosen; what was said beside it is not kept."""
    chosen = [block for block in message.content if block.type == "tool_use"]
    if message.stop_reason != "tool_use" or len(chosen) != 1:
        return {}, Fault("model_chose_nothing", "The model did not choose one tool.")
    return {"tool": chosen[0].name, "arguments": read_back(chosen[0].input)}, None
