"""How far a DOCX may be unpacked: counted while unpacking, because what a header says may be a lie."""

from __future__ import annotations

import io
import zipfile
import zlib

from core.adapters.readers.reasons import (
    DAMAGED,
    MAX_PARTS,
    MAX_UNPACKED_BYTES,
    PASSWORD,
    TOO_LARGE_UNPACKED,
    TOO_MANY_PARTS,
)
from core.errors import UnreadableFile

_CHUNK = 64 * 1024
_ENTRY_MARK = b"PK\x01\x02"


def check_unpacking(content: bytes) -> None:
    """Raise UnreadableFile where a packed file is damaged, locked, or larger than may be unpacked."""
    if content.count(_ENTRY_MARK) > MAX_PARTS:  # before the list of parts is built in memory
        raise UnreadableFile(TOO_MANY_PARTS)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _unpack_all(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableFile(DAMAGED) from error


def _unpack_all(archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    if any(part.flag_bits & 1 for part in parts):
        raise UnreadableFile(PASSWORD)
    if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise UnreadableFile(TOO_LARGE_UNPACKED)
    left = MAX_UNPACKED_BYTES
    for part in parts:
        with archive.open(part) as stream:
            while chunk := stream.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise UnreadableFile(TOO_LARGE_UNPACKED)
