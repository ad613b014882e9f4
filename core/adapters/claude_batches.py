"""Claude's Message Batches: many requests sent as one, answered within a day at half the price, in any order.

What a batch answered is found by our own id of each call. The answers of a few ended batches stay in this process while
their threads take them up; nothing of them is stored.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from core.ports import Fault, ModelReply

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

_KEPT = 4
_NO_ANSWER = {
    "errored": ("batch_request_refused", "Claude refused this request of the batch."),
    "expired": ("batch_expired", "The batch ended before this request was answered."),
    "canceled": ("batch_canceled", "The batch was cancelled before this request was answered."),
}


class ClaudeBatches:
    """The batches of one model under one key."""

    def __init__(self, client: Callable[[], Anthropic], label: str, timeout_s: float) -> None:
        self._client, self._label, self._timeout_s = client, label, timeout_s
        self._ended: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def send(self, params: Mapping[str, Mapping[str, Any]]) -> str | ModelReply:
        """Send requests under their ids, and answer the batch's id, or the reply that stands for each of them."""
        from anthropic import AnthropicError  # noqa: PLC0415 - as in `claude`

        from core.adapters.claude_faults import fault_of  # noqa: PLC0415

        try:
            with self._client() as client:
                batch = client.messages.batches.create(
                    requests=[{"custom_id": name, "params": dict(of)} for name, of in params.items()]  # type: ignore[typeddict-item]
                )
        except AnthropicError as error:
            return fault_of(error, self._label, self._timeout_s)
        return batch.id

    def read(self, batch_id: str, call_id: str, read: Callable[[Message], ModelReply]) -> ModelReply | None:
        """Answer what a batch said to one call, or None while nobody knows yet."""
        from anthropic import AnthropicError  # noqa: PLC0415 - as above

        try:
            results = self._results(batch_id)
        except AnthropicError:
            return None  # whatever it is, the answers stay there, and they are asked for again
        if results is None:
            return None
        result = results.get(call_id)
        if result is not None and result.type == "succeeded":
            return read(result.message)
        kind = "expired" if result is None else result.type
        code, sentence = _NO_ANSWER.get(kind, _NO_ANSWER["errored"])
        return ModelReply({}, self._label, status="failed", fault=Fault(code, sentence))

    def _results(self, batch_id: str) -> dict[str, Any] | None:
        with self._lock:
            if batch_id not in self._ended:
                with self._client() as client:
                    if client.messages.batches.retrieve(batch_id).processing_status != "ended":
                        return None
                    found = {one.custom_id: one.result for one in client.messages.batches.results(batch_id)}
                self._ended[batch_id] = found
                while len(self._ended) > _KEPT:
                    self._ended.popitem(last=False)
            return self._ended[batch_id]
