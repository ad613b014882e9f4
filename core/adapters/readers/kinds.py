"""What a file is, told by its content; and the one sentence for every kind that is not read."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from enum import StrEnum
from pathlib import PurePath

import filetype

from core.adapters.readers.characters import decode
from core.errors import UnreadableFile

MAX_FILE_BYTES = 25 * 1024 * 1024

EMPTY = "This file is empty; ask for another copy."
TOO_LARGE = "This file is larger than 25 MB; ask for a smaller copy."
NO_TEXT = "This file has no readable text, as a scan has none; ask for a copy whose words can be selected."
PASSWORD = "This file opens only with a password; ask for an open copy."  # noqa: S105
DAMAGED = "This file is damaged or cut off, so it was not read; ask for another copy."
JSON_DATA = "This is JSON data, which is not an application; name it itself if it is a list of forms."
TABLE = "This is a table, which is not an application; name it itself if its rows are applications."
ROLE_TEXT = "This describes a role, which is not an application; add it with role add."


class FileKind(StrEnum):
    """The kinds that are read; the value names the module that reads it."""

    PDF = "pdf"
    DOCX = "docx"
    MARKDOWN = "markdown"
    TEXT = "text"


_PICTURES = {"heic": "a HEIC picture", "svg": "an SVG picture"}
_MARKED = {
    "application/x-msdownload": "a program",
    "application/x-executable": "a program",
    "application/gzip": "a compressed archive",
    "application/x-7z-compressed": "a 7z archive",
    "application/x-rar-compressed": "a RAR archive",
    "application/x-tar": "a TAR archive",
    "application/epub+zip": "an e-book",
    "application/postscript": "a PostScript file",
    "application/x-sqlite3": "a database",
}
_ZIPPED = {
    "xl/workbook.xml": "an Excel workbook",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "content.xml": "an OpenDocument file",
    "Index/Document.iwa": "an Apple Pages document",
    "META-INF/MANIFEST.MF": "a program archive",
}
_OLE = (
    ("EncryptedPackage", None),
    ("WordDocument", "an old Word document (.doc)"),
    ("Workbook", "an old Excel workbook (.xls)"),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt)"),
    ("__properties_version1.0", "an Outlook message"),
)
_MARKUP = (
    (re.compile(r"\s*<(!doctype html|html|head|body|div|table|p>)", re.IGNORECASE), "a web page (HTML)"),
    (re.compile(r"\s*<svg", re.IGNORECASE), "an SVG picture"),
    (re.compile(r"\s*<\?xml", re.IGNORECASE), "an XML file"),
)
_MARKDOWN_SIGN = re.compile(r"^#{1,6} \S|!?\[[^\]\n]*\]\([^)\n]+\)|^\s*\*\*\S", re.MULTILINE)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_RUBRIC = re.compile(r"^\s*\|[^|\n]*\|\s*criterion\b", re.IGNORECASE | re.MULTILINE)
_ROLE_HEADING = re.compile(
    r"^\W*(duties|key objectives|role summary|qualifications|benefits|how to apply|salary|about the role"
    r"|applications are[ \w]*|what we offer|responsibilities)\b\W*$",
    re.IGNORECASE | re.MULTILINE,
)


def kind_of(content: bytes, name: str) -> FileKind:
    """Answer what this file is, or raise UnreadableFile saying what it is and what to ask for."""
    if not content:
        raise UnreadableFile(EMPTY)
    if len(content) > MAX_FILE_BYTES:
        raise UnreadableFile(TOO_LARGE)
    if b"%PDF-" in content[:1024]:
        return FileKind.PDF
    if content.startswith(b"PK\x03\x04"):
        return _kind_of_zip(content, name)
    strange = _kind_by_mark(content)
    if strange:
        raise _refused(strange, name)
    return _kind_of_text(decode(content), name)


def _kind_of_zip(content: bytes, name: str) -> FileKind:
    if b"word/document" in content:
        return FileKind.DOCX
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableFile(DAMAGED) from error
    what = next((what for part, what in _ZIPPED.items() if part in names), "a ZIP archive")
    raise _refused(what, name)


def _kind_by_mark(content: bytes) -> str | None:
    """Answer what the first bytes say, for kinds that are not read."""
    if content.startswith(b"{\\rtf"):
        return "an RTF document"
    if content.startswith(bytes.fromhex("d0cf11e0a1b11ae1")):
        return _kind_of_ole(content)
    guessed = filetype.guess(content[:8192])
    if guessed is None or guessed.mime.startswith("text/"):
        return None
    if guessed.mime == "application/pdf":  # its head is half there
        raise UnreadableFile(DAMAGED)
    return _MARKED.get(guessed.mime) or _named_by_group(guessed.mime, guessed.extension)


def _kind_of_ole(content: bytes) -> str:
    for entry, what in _OLE:
        if entry.encode("utf-16-le") in content:
            if what is None:
                raise UnreadableFile(PASSWORD)
            return what
    return "an old Office file"


def _named_by_group(mime: str, extension: str) -> str:
    match mime.split("/")[0]:
        case "image":
            return _PICTURES.get(extension, f"a {extension.upper()} picture")
        case "audio":
            return "a sound recording"
        case "video":
            return "a film"
        case "font":
            return "a font"
        case _:
            return f"a .{extension} file"


def _kind_of_text(text: str, name: str) -> FileKind:
    if not text.strip("\ufeff\x00 \t\r\n"):
        raise UnreadableFile(EMPTY)
    if len(_CONTROL.findall(text)) > max(3, len(text) // 50):
        raise _refused("not a document of any kind that Daybook knows", name)
    for sign, what in _MARKUP:
        if sign.match(text.removeprefix("\ufeff")):
            raise _refused(what, name)
    _refuse_lists(text, name)
    return FileKind.MARKDOWN if _MARKDOWN_SIGN.search(text) else FileKind.TEXT


def _refuse_lists(text: str, name: str) -> None:
    """Refuse what may be about applications and is none: tables, lists of forms, role texts."""
    if _is_json(text):
        raise UnreadableFile(JSON_DATA)
    if _is_table(text, name):
        raise UnreadableFile(TABLE)
    if _RUBRIC.search(text) or len({found.lower() for found in _ROLE_HEADING.findall(text)}) > 2:
        raise UnreadableFile(ROLE_TEXT)


def _is_json(text: str) -> bool:
    text = text.removeprefix("\ufeff").lstrip()
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _is_table(text: str, name: str) -> bool:
    """Say whether the lines are rows: one mark parts nearly all of them into equally many cells."""
    named_so = PurePath(name).suffix.lower() in {".csv", ".tsv"}
    lines = text.removeprefix("\ufeff").splitlines()[:60]
    cells, rows = (2, 2) if named_so else (3, 4)
    return any(_is_parted(lines, mark, cells, rows) for mark in ",;\t")


def _is_parted(lines: list[str], mark: str, least_cells: int, least_rows: int) -> bool:
    try:
        widths = [len(row) for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:
        return False
    usual = max(set(widths), key=widths.count, default=0)
    alike = widths.count(usual)
    return usual >= least_cells and alike >= least_rows and alike * 10 >= len(widths) * 7


def _refused(what: str, name: str) -> UnreadableFile:
    """Name the true kind, and the ending where it promised another one."""
    ending = PurePath(name).suffix.lower()
    promised = re.fullmatch(r"\.(pdf|docx?|txt|md|rtf)", ending) and ending.strip(".") not in what.lower()
    although = f", although its name ends in {ending}" if promised else ""
    return UnreadableFile(f"This is {what}{although}; ask for a PDF, DOCX or text file.")
