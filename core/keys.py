"""Ids and keys: readable paths where a person meets them, random where nothing may be read off them."""

from __future__ import annotations

import hashlib
import json
import re
import secrets

from core.errors import BadInput
from core.steps import Json

_THREAD = re.compile(r"^[a-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*$")


def application_id(role_id: str, number: int) -> str:
    """Name an applicant's thread: `role-14/app-0093`."""
    return f"{role_id}/app-{number:04d}"


def effect_key(thread_id: str, name: str) -> str:
    """Name an effect: `role-14/app-0093/invite`."""
    return f"{thread_id}/{name}"


def random_id(prefix: str) -> str:
    """Answer a new id such as `apr-8f2k…` from which nothing can be read."""
    return f"{prefix}-{secrets.token_hex(6)}"


def check_thread_id(text: str) -> str:
    """Answer the id, or raise BadInput if it cannot be one."""
    if not _THREAD.match(text):
        raise BadInput(f"{text!r} is not a thread's id; it looks like role-14/app-0093.")
    return text


def canonical(value: Json) -> bytes:
    """Write JSON in the one form that is hashed: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(*parts: bytes) -> bytes:
    """Hash byte strings so that no two different lists of them give the same bytes."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()
