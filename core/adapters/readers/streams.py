"""Whether a PDF is whole, and how far it unpacks: looked at in its bytes, before any library builds anything of it.

A library repairs what it can and says nothing, so that a file of which a half is left reads like a short one. A whole
file ends where its end mark is, its end says where its table of parts begins, and every packed part unpacks.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator

from core.adapters.readers.reasons import DAMAGED, MAX_UNPACKED_BYTES, TOO_LARGE_UNPACKED
from core.errors import UnreadableFile

_END_WITHIN = 2048
_HEAD_WITHIN = 1024
_START = re.compile(rb"startxref\s+(\d{1,12})\s+%%EOF")
_TABLE = re.compile(rb"\s*(xref\b|\d{1,10}\s+\d{1,5}\s+obj\b)")
_STREAM = re.compile(rb"stream\r?\n")
_END = re.compile(rb"\r?\n?endstream")
_DICTIONARY_WITHIN = 4096
_PICTURES = (b"/Image", b"/DCTDecode", b"/JPXDecode", b"/CCITTFaxDecode", b"/JBIG2Decode")
_CHUNK = 256 * 1024


def check_streams(content: bytes) -> None:
    """Raise UnreadableFile where the file is cut off, damaged or unpacks too far; pictures are not unpacked."""
    _check_end(content)
    if re.search(rb"/Encrypt\b", content[-_END_WITHIN * 4 :]):
        return  # its parts are sealed; the process's own limits hold
    left = MAX_UNPACKED_BYTES
    for packed, layers in _packed_parts(content):
        left -= _unpacked_size(packed, layers, left)


def _check_end(content: bytes) -> None:
    if b"%%EOF" not in content[-_END_WITHIN:]:
        raise UnreadableFile(DAMAGED)
    said = list(_START.finditer(content, max(0, len(content) - _END_WITHIN - 64)))
    if not said:
        raise UnreadableFile(DAMAGED)
    # Counted from the head by the rule, and from the first byte by some writers where something stands before it.
    head = max(0, content.find(b"%PDF-", 0, _HEAD_WITHIN))
    at = int(said[-1][1])
    if not any(_TABLE.match(content, start) for start in (at, at + head)):
        raise UnreadableFile(DAMAGED)


def _packed_parts(content: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield each deflated stream that is no picture, with how many times it is deflated."""
    at = 0
    while found := _STREAM.search(content, at):
        end = _END.search(content, found.end())
        if end is None:
            raise UnreadableFile(DAMAGED)
        at = end.end()
        start = max(content.rfind(b" obj", max(0, found.start() - _DICTIONARY_WITHIN), found.start()), 0)
        said = content[start : found.start()]
        layers = len(re.findall(rb"/(?:FlateDecode|Fl)\b", said))
        if not layers or any(picture in said for picture in _PICTURES):
            continue
        packed = content[found.end() : end.start()]
        yield (_from_ascii(packed) if b"/ASCII85Decode" in said or b"/A85" in said else packed), layers


def _from_ascii(packed: bytes) -> bytes:
    text = packed.strip().removeprefix(b"<~").removesuffix(b"~>")
    try:
        return base64.a85decode(text)
    except ValueError as error:
        raise UnreadableFile(DAMAGED) from error


def _unpacked_size(packed: bytes, layers: int, most: int) -> int:
    """Answer how far a stream unpacks, holding no more of it than a chunk; raises where that is beyond `most`."""
    opened = [zlib.decompressobj() for _ in range(layers)]
    size = 0
    for at in range(0, len(packed), _CHUNK):
        for part in _through(packed[at : at + _CHUNK], opened):
            size += len(part)
            if size > most:
                raise UnreadableFile(TOO_LARGE_UNPACKED)
    return size


def _through(part: bytes, opened: list[zlib._Decompress]) -> Iterator[bytes]:
    """Yield what comes out of the last of several layers, a chunk at a time."""
    if not opened:
        yield part
        return
    first, *rest = opened
    while part:
        try:
            unpacked = first.decompress(part, _CHUNK)
        except zlib.error as error:
            raise UnreadableFile(DAMAGED) from error
        part = first.unconsumed_tail
        if unpacked:
            yield from _through(unpacked, rest)
