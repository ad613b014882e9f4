"""What went wrong with a call to Claude, told by the error's type and code and never by its words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import anthropic
import httpx2
from anthropic import APIConnectionError, APIStatusError, APITimeoutError

from core.ports import CallStatus, Fault, ModelReply

LONGEST_WAIT_SECONDS = 24 * 3600
_SAID_LENGTH = 200


@dataclass(frozen=True, slots=True)
class _Kind:
    """One way to be told no. `status` says whether it may have been billed."""

    code: str
    says: str
    then: str = "it is asked again later"
    status: CallStatus = "failed"
    is_final: bool = False


def _final(code: str, says: str, then: str) -> _Kind:
    return _Kind(code, says, then, is_final=True)


_RATE = _Kind("model_rate_limited", "Claude takes no more calls from this account for now")
_FULL = _Kind("model_overloaded", "Claude is overloaded")
_BROKE = _Kind("model_error", "Claude had an error of its own")
_SLOW = _Kind("model_timeout", "Claude gave up on the call before its answer was whole", status="unknown")
_SPENT = _final("model_spend_limit", "The account's spend limit is reached", "raise it, then retry the thread")
_KEY = _final(
    "model_key_refused", "Claude does not accept this key", "correct ANTHROPIC_API_KEY, then retry the thread"
)
_NAME = _final("model_not_found", "Claude knows no such model", "correct DAYBOOK_MODEL, then retry the thread")
_LARGE = _final("model_request_too_large", "The request is larger than Claude takes", "nothing was scored")
_BAD = _final("model_request_refused", "Claude refused the request as it stands", "see what it says, then retry")

_BY_CODE: Mapping[str, _Kind] = {
    "enforced_spend_limit_reached": _SPENT,
    "contract_spend_limit_reached": _SPENT,
    "linked_organization_spend_limit_reached": _SPENT,
    "linked_organization_billing_unavailable": _SPENT,
    "organization_on_hold": _KEY,
}
_BY_TYPE: Mapping[str, _Kind] = {
    "billing_error": _SPENT,
    "authentication_error": _KEY,
    "permission_error": _KEY,
    "rate_limit_error": _RATE,
    "overloaded_error": _FULL,
    "timeout_error": _SLOW,
}
_BY_CLASS: tuple[tuple[type[APIStatusError], _Kind], ...] = (
    (anthropic.AuthenticationError, _KEY),
    (anthropic.PermissionDeniedError, _KEY),
    (anthropic.PaymentRequiredError, _SPENT),
    (anthropic.RateLimitError, _RATE),
    (anthropic.NotFoundError, _NAME),
    (anthropic.ContentTooLargeError, _LARGE),
    (anthropic.RequestTimeoutError, _SLOW),
    (anthropic.ClientClosedRequestError, _SLOW),
    (anthropic.GatewayTimeoutError, _SLOW),
    (anthropic.OverloadedError, _FULL),
    (anthropic.ConflictError, _BROKE),
    (anthropic.InternalServerError, _BROKE),
)
_NEVER_LEFT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


def fault_of(error: anthropic.AnthropicError, model: str, timeout_s: float) -> ModelReply:
    """Answer an error as the reply that it stands for."""
    if isinstance(error, APIStatusError):
        return _told_no(error, model)
    return _cut_off(error, model, timeout_s)


def _told_no(error: APIStatusError, model: str) -> ModelReply:
    kind = _BY_CODE.get(error.error_code or "") or _BY_TYPE.get(error.type or "") or _by_class(error)
    about = ", ".join(
        str(word) for word in (error.status_code, error.error_code or error.type, error.request_id) if word
    )
    said = f" It says: {error.api_message[:_SAID_LENGTH]}" if isinstance(error.api_message, str) else ""
    fault = Fault(kind.code, f"{kind.says} ({about}); {kind.then}.{said}", kind.is_final, _retry_after(error))
    return ModelReply({}, model, status=kind.status, fault=fault, request_id=error.request_id)


def _by_class(error: APIStatusError) -> _Kind:
    return next((kind for cls, kind in _BY_CLASS if isinstance(error, cls)), _BAD)


def _cut_off(error: anthropic.AnthropicError, model: str, timeout_s: float) -> ModelReply:
    """Answer what is known of a call that got no answer: only one that never connected is certain to cost nothing."""
    if isinstance(error.__cause__, _NEVER_LEFT):
        fault = Fault("model_unreachable", "Claude cannot be reached; it is asked again later.")
        return ModelReply({}, model, status="failed", fault=fault)
    if isinstance(error, APITimeoutError):
        sentence = f"Claude did not answer within {timeout_s:g} s; what the call used is unknown."
        return ModelReply({}, model, status="unknown", fault=Fault("model_timeout", sentence))
    if isinstance(error, APIConnectionError):
        fault = Fault("model_disconnected", "The connection to Claude broke off; what the call used is unknown.")
        return ModelReply({}, model, status="unknown", fault=fault)
    fault = Fault("model_unreadable", "What answered did not speak the Messages API; look at ANTHROPIC_BASE_URL.")
    return ModelReply({}, model, status="unknown", fault=fault)


def _retry_after(error: APIStatusError) -> float | None:
    """Answer the seconds we are asked to wait: as they are said, or from the answer's own date to the one it names."""
    said = error.response.headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        seconds = _between(error.response.headers.get("date", ""), said)
    return min(max(seconds, 1.0), LONGEST_WAIT_SECONDS) if math.isfinite(seconds) else None


def _between(earlier: str, later: str) -> float:
    try:
        return (parsedate_to_datetime(later) - parsedate_to_datetime(earlier)).total_seconds()
    except (TypeError, ValueError):
        return math.nan
