"""Turns a folder, a manifest, one file or what was dropped on a page into applications, one at a time; none is lost
by another's fault.

A CSV or JSON list of forms is a manifest only when it is itself the argument, or the single file dropped. Found
among others it is a file like them, and the reader refuses it. A manifest's paths start from its own folder; whoever
names a manifest could name each file, so a path may lead anywhere. A path in a dropped manifest is followed nowhere.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from core.errors import BadInput, NotFound
from core.files import MEGABYTE, label_of, read_file
from core.identity import storable
from core.steps import Json

MAX_FILE_BYTES = 25 * MEGABYTE
MAX_DROPPED = 500

_LISTS = (".csv", ".json")
_OURS = ("cv", "name", "email", "cover")
_OTHER_WORDS = {"e-mail": "email", "mail": "email", "file": "cv", "cover_note": "cover"}
_MARKS = ",;\t"
_LONGEST_PATH = 400
_TOO_LARGE = "This file is larger than 25 MB; ask for a smaller copy."
_NO_LIST = "This JSON is no list of forms; write it as a list, one form an entry."
_LINK = "This is a link to somewhere else, which a batch does not follow; put the file itself there."
_Open = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Application:
    """One application as it came in; with `problem` set it is refused, and that sentence says why."""

    file: str
    content: bytes = b""
    name: str | None = None
    email: str | None = None
    cover: bytes | None = None
    form: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


def list_applications(path: Path) -> Iterator[Application]:
    """Yield every application of a folder, a manifest or one file, in a fixed order; raises NotFound.

    A row without a cv file is an application where it has a name or an address and some text of its own;
    that text is then the application.
    """
    if path.is_dir():
        yield from _from_folder(path)
    elif not path.exists():
        raise NotFound(f"There is no file or folder at {path}.")
    elif path.suffix.lower() in _LISTS:
        yield from _from_list(path)
    else:
        yield _from_file(path, path.name)


def _from_folder(folder: Path) -> Iterator[Application]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            yield Application(label_of(path.name), problem="This is a hidden file, which a batch leaves out.")
        elif path.is_symlink():
            yield Application(label_of(path.name), problem=_LINK)
        elif path.is_dir():
            yield Application(label_of(path.name), problem="This is a folder inside the batch; name it by itself.")
        else:
            yield _from_file(path, label_of(path.name))


def _from_file(path: Path, label: str) -> Application:
    try:
        return Application(label, content=_bytes_of(path))
    except BadInput as wrong:
        return Application(label, problem=wrong.sentence)


def _bytes_of(path: Path) -> bytes:
    return read_file(path, MAX_FILE_BYTES, called="This file")


def read_one(path: Path) -> bytes:
    """Answer the bytes of one file named by itself, or raise BadInput."""
    return read_file(path, MAX_FILE_BYTES)


def _from_list(path: Path) -> Iterator[Application]:
    try:
        content = _bytes_of(path)
    except BadInput as wrong:
        yield Application(label_of(path.name), problem=wrong.sentence)
        return
    yield from _from_rows(content, path.name, lambda named: _bytes_of(path.parent / named), _cover_from(path.parent))


def list_dropped(files: Sequence[tuple[str, bytes]]) -> list[Application]:
    """Answer the applications among dropped (name, content) pairs; raises BadInput where there are over MAX_DROPPED.

    Names are labels: none is used as a path, whatever it holds.
    """
    dropped = [_from_dropped(name, content) for name, content in files]
    if len(dropped) == 1 and dropped[0].problem is None and files[0][0].lower().endswith(_LISTS):
        rows = _from_rows(files[0][1], files[0][0], _open_nothing, str.encode)
        dropped = list(islice(rows, MAX_DROPPED + 1))
        dropped = dropped or [Application(label_of(files[0][0]), problem="This list holds no application.")]
    if len(dropped) > MAX_DROPPED:
        raise BadInput(f"These are more than {MAX_DROPPED} applications; add at most so many at once.")
    return dropped


def _from_dropped(name: str, content: bytes) -> Application:
    problem = _TOO_LARGE if len(content) > MAX_FILE_BYTES else None
    return Application(label_of(name), b"" if problem else content, problem=problem)


def _open_nothing(_named: str) -> bytes:
    raise BadInput("This row names a file, and no file is fetched by its name; drop the files themselves.")


def _from_rows(content: bytes, name: str, open_file: _Open, open_cover: _Open) -> Iterator[Application]:
    is_csv = name.lower().endswith(".csv")
    try:
        rows = _csv_rows(_text_of(content), name) if is_csv else _json_rows(_text_of(content))
    except BadInput as wrong:
        yield Application(label_of(name), problem=wrong.sentence)
        return
    for number, row in enumerate(rows, start=1):
        yield _from_row(row, f"{label_of(name)}#{number}", open_file, open_cover)


def _text_of(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _json_rows(text: str) -> Iterable[Json]:
    """Answer the list's entries, or raise BadInput where the file holds anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("This list is not JSON that can be read; correct it and try again.") from error
    if not isinstance(found, list):
        raise BadInput(_NO_LIST)
    return found


def _csv_rows(text: str, name: str) -> Iterable[Json]:
    """Answer the rows, or raise BadInput where the header has neither a file's column nor an address's.

    Other tables have a column of names too: of campaigns, of products.
    """
    head = text.lstrip("\r\n").split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(_MARKS, key=head.count), strict=True)
    try:
        names = [cell.strip().lower() for cell in next(rows, [])]
    except csv.Error as error:
        raise BadInput(f"The header of {label_of(name)[:60]} cannot be read; its quotes do not match.") from error
    if not {_OTHER_WORDS.get(name, name) for name in names} & {"cv", "email"}:
        raise BadInput("This table has no column cv or email, so it is no list of applications.")
    return _rows_under(names, rows)


def _rows_under(names: list[str], rows: Iterator[list[str]]) -> Iterator[Json]:
    """Yield each row by its column names, or the sentence of why it does not fit them."""
    while True:
        try:
            cells = next(rows, None)
        except csv.Error:
            yield "This row cannot be read; its quotes do not match."
            continue
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield _named(names, cells)


def _named(names: list[str], cells: list[str]) -> Json:
    if any(cell.strip() for cell in cells[len(names) :]):
        return "This row has more cells than the header has columns; quote the cell that holds the comma."
    return dict(zip(names, cells, strict=False))


def _from_row(row: Json, label: str, open_file: _Open, open_cover: _Open) -> Application:
    if not isinstance(row, dict):
        said = row if isinstance(row, str) and row.startswith("This row") else "This entry is not a form."
        return Application(label, problem=said)
    fields = {_OTHER_WORDS.get(key, key): value for key, value in _texts(row).items() if value}
    form = {key: value for key, value in fields.items() if key not in _OURS}
    try:
        cover = open_cover(fields["cover"]) if "cover" in fields else None
        content = open_file(fields["cv"]) if "cv" in fields else _as_text(fields)
    except BadInput as wrong:
        return Application(_row_label(fields, label), problem=wrong.sentence)
    return Application(_row_label(fields, label), content, fields.get("name"), fields.get("email"), cover, form)


def _row_label(fields: Mapping[str, str], label: str) -> str:
    return label_of(fields["cv"]) if "cv" in fields else label


def _texts(row: Mapping[str, Json]) -> dict[str, str]:
    """Answer a form's values as text; what is no plain value is written as JSON."""
    return {
        storable(str(key)).strip().lower(): storable(_text(value)).strip()
        for key, value in row.items()
        if key is not None and value is not None
    }


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _as_text(fields: Mapping[str, str]) -> bytes:
    """Answer a form as the text of its application, one answer a line."""
    if "name" not in fields and "email" not in fields:
        raise BadInput("This entry has no cv file, no name and no e-mail address, so it is nobody's application.")
    answers = [f"{key}: {value}" for key, value in fields.items() if key not in ("name", "email")]
    if not answers:
        raise BadInput("This entry has no cv file and no text of its own; add one of them.")
    return "\n".join(answers).encode()


def _cover_from(folder: Path) -> _Open:
    """Answer what opens a cover note: the file in the folder that the value names, or else the value itself."""

    def open_cover(value: str) -> bytes:
        if len(value) < _LONGEST_PATH and "\n" not in value:
            try:
                named = (folder / value).is_file()
            except (OSError, ValueError):
                named = False
            if named:
                return _bytes_of(folder / value)
        return value.encode()

    return open_cover
