"""What a file is, told by its content; and the one sentence for every kind that is not read."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import PurePath

import filetype

from core.adapters.readers.characters import decode
from core.adapters.readers.lists import is_json_resume, refuse_tables
from core.adapters.readers.reasons import DAMAGED, EMPTY, MAX_FILE_BYTES, PASSWORD, TOO_LARGE
from core.errors import UnreadableFile


class FileKind(StrEnum):
    """The kinds that are read; the value names the module that reads it."""

    PDF = "pdf"
    DOCX = "docx"
    RTF = "rtf"
    HTML = "html"
    JSON_RESUME = "json_resume"
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
# None of these reads past its line, or begins again in what it has read: files come with 300,000 blank lines.
_MARKDOWN_SIGN = re.compile(r"^#{1,6} \S|\[[^\[\]\n]*\]\([^)\n]{1,400}\)|^[ \t]*\*\*\S", re.MULTILINE)
_WEB_PAGE = re.compile(
    r"\s*(<\?xml[^>]{0,200}>\s*)?(<!--[^>]{0,500}-->\s*)?<(!doctype html|html|head|body|div|table|p|h1)\b",
    re.IGNORECASE,
)
_SAVED_MAIL = re.compile(r"(?:[\w-]{2,40}: [^\n]*\n(?:[ \t][^\n]*\n)*){0,40}?MIME-Version: 1\.0\s*$", re.MULTILINE)
_MARKUP = (
    (re.compile(r"\s*<svg", re.IGNORECASE), "an SVG picture"),
    (re.compile(r"\s*<\?xml", re.IGNORECASE), "an XML file"),
    (_SAVED_MAIL, "a saved e-mail or web archive"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")


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
    if content.startswith(b"{\\rtf"):
        return FileKind.RTF
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
    text = text.removeprefix("\ufeff")
    if _WEB_PAGE.match(text):
        return FileKind.HTML
    for sign, what in _MARKUP:
        if sign.match(text):
            raise _refused(what, name)
    if is_json_resume(text.lstrip()):
        return FileKind.JSON_RESUME
    refuse_tables(text, name)
    return FileKind.MARKDOWN if _MARKDOWN_SIGN.search(text) else FileKind.TEXT


def _refused(what: str, name: str) -> UnreadableFile:
    """Name the true kind, and the ending where it promised another one."""
    ending = PurePath(name).suffix.lower()
    promised = re.fullmatch(r"\.(pdf|docx?|txt|md|rtf)", ending) and ending.strip(".") not in what.lower()
    although = f", although its name ends in {ending}" if promised else ""
    return UnreadableFile(f"This is {what}{although}; ask for a PDF, DOCX or text file.")
