"""What a program sends, read within limits: nothing beyond a limit is taken into memory."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from core.desk.intake import Incoming
from core.errors import BadInput
from core.identity import storable
from core.intake_files import MAX_FILE_BYTES
from core.steps import Json

MOST_APPLICATION_BYTES = 36 * 1024 * 1024  # a file of 25 MB as base64, and the form
MOST_EVENT_BYTES = 64 * 1024
_MOST_FIELDS = 20
_FIELDS = frozenset({"role", "name", "email", "form", "cv", "cover", "file", "again"})


@dataclass(frozen=True, slots=True)
class Sent:
    """One application as it was sent."""

    role: str
    incoming: Incoming
    again: bool

    def identity(self) -> Json:
        """Answer what makes two requests the same: every field, the files by their digests."""
        one = self.incoming
        cover = None if one.cover is None else sha256(one.cover).hexdigest()
        files = [one.file, sha256(one.content).hexdigest(), cover]
        return [self.role, one.name, one.email, dict(one.form), *files, self.again]


@dataclass(frozen=True, slots=True)
class _Given:
    fields: Mapping[str, Json]
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)


async def read_application(request: Request) -> Sent:
    """Read an application, multipart or JSON; raises BadInput, or HTTPException 413 or 415."""
    kind = _kind(request)
    if kind not in ("application/json", "multipart/form-data"):
        raise HTTPException(415, "An application is sent as multipart/form-data or as application/json.")
    body = await _read(request, MOST_APPLICATION_BYTES)
    given = _from_json(body) if kind == "application/json" else await _from_multipart(request.headers, body)
    return _sent(given)


async def read_event(request: Request) -> tuple[dict[str, Json], str | None]:
    """Read an event's data and its own key, if it has one: `{"data": {…}, "key": "…"}`; an empty body is no data."""
    body = await _read(request, MOST_EVENT_BYTES)
    if body and _kind(request) != "application/json":
        raise HTTPException(415, "An event is sent as application/json.")
    sent = _object(body) if body else {}
    unknown = set(sent) - {"data", "key"}
    data, key = sent.get("data", {}), sent.get("key")
    if unknown or not isinstance(data, dict) or not (key is None or (isinstance(key, str) and 0 < len(key) <= 200)):
        raise BadInput('An event is {"data": {…}}, with a "key" of at most 200 characters where it has one.')
    return data, key


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _read(request: Request, most: int) -> bytes:
    too_large = HTTPException(413, f"A request here has at most {most // 1024} KB; send a smaller one.")
    stated = request.headers.get("content-length", "0")
    if not stated.isdecimal() or int(stated) > most:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > most:
            raise too_large
        body += chunk
    return bytes(body)


def _object(body: bytes) -> dict[str, Json]:
    try:
        value = json.loads(body)
        json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be kept
    except (ValueError, RecursionError) as error:
        raise BadInput("The request is not JSON that can be read.") from error
    if not isinstance(value, dict):
        raise BadInput("The request is a JSON object.")
    return value


def _from_json(body: bytes) -> _Given:
    sent = _object(body)
    files = {}
    for name in ("cv", "cover"):
        if sent.get(name) is not None:
            label = sent.get("file") if name == "cv" else "cover note"
            files[name] = (label if isinstance(label, str) and label else "cv", _decoded(name, sent[name]))
    return _Given(sent, files)


def _decoded(name: str, text: Json) -> bytes:
    try:
        return base64.b64decode(text if isinstance(text, str) else "", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(f"The field {name} is not a file as base64.") from error


async def _from_multipart(headers: Headers, body: bytes) -> _Given:
    async def stream() -> AsyncGenerator[bytes, None]:
        yield body

    fields: dict[str, Any] = {}
    files: dict[str, tuple[str, bytes]] = {}
    parser = MultiPartParser(
        headers, stream(), max_files=2, max_fields=_MOST_FIELDS, max_part_size=MOST_EVENT_BYTES
    )  # fmt: skip
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        raise BadInput("The form cannot be read; send at most two files and short fields.") from error
    async with form_closed(form):
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                files[name] = (value.filename or name, await value.read())
            else:
                fields[name] = value
    if "form" in fields:
        fields["form"] = _object(str(fields["form"]).encode())
    return _Given(fields, files)


class form_closed:  # noqa: N801 - reads as the statement it is
    """Close the temporary files of a form when its block ends."""

    def __init__(self, form: Any) -> None:
        self._form = form

    async def __aenter__(self) -> None:
        """Nothing is to be opened."""

    async def __aexit__(self, *_error: object) -> None:
        """Close them."""
        await self._form.close()


def _sent(given: _Given) -> Sent:
    fields = {name: value for name, value in given.fields.items() if name not in given.files}
    unknown = sorted((set(fields) | set(given.files)) - _FIELDS)
    if unknown:
        raise BadInput(f"An application has no field {unknown[0][:40]!r}; it has {', '.join(sorted(_FIELDS))}.")
    if "cv" not in given.files:
        raise BadInput("An application needs its cv.")
    file, content = given.files["cv"]
    file = storable(file)
    cover = given.files["cover"][1] if "cover" in given.files else None
    if max(len(content), len(cover or b"")) > MAX_FILE_BYTES:
        raise HTTPException(413, "This file is larger than 25 MB; send a smaller copy.")
    form = fields.get("form", {})
    if not isinstance(form, dict) or not all(isinstance(value, str | int | float | bool) for value in form.values()):
        raise BadInput('The field form is an object of plain values, such as {"notice_weeks": "4"}.')
    incoming = Incoming(
        file=file,
        content=content,
        name=_text(fields, "name"),
        email=_text(fields, "email"),
        cover=cover,
        form={
            storable(key): storable(value if isinstance(value, str) else json.dumps(value))
            for key, value in form.items()
        },
    )
    return Sent(_text(fields, "role") or "", incoming, fields.get("again") in (True, "true"))


def _text(fields: Mapping[str, Json], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"The field {name} is text.")
    return None if value is None else storable(value)
