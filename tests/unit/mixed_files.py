"""One file of each kind that people send, made on the spot, with a word of what becomes of it."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache

from tests.unit.drawn_files import cv_page, docx, paragraph, pdf
from tests.unit.test_scans import scan

READ = ""


def _person(name: str) -> list[str]:
    return [f"{name} Quist", f"{name.lower()}.quist@example.com", "Led the Corner Press brand from brief to launch."]


def _lines(name: str) -> str:
    return "\n".join([*_person(name), "Presents work to clients every second week."])


def _bomb() -> bytes:
    target = io.BytesIO(docx(paragraph("Nora Quist")))
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/picture.bin", bytes(64 * 1024 * 1024))
    return target.getvalue()


@cache
def mixed_files() -> dict[str, tuple[bytes, str]]:
    """Answer each file by its name, with a word of why it is refused: "" for one that is read."""
    resume = {"basics": {"name": "Json Quist", "email": "json.quist@example.com"},
              "work": [{"name": "Corner Press", "highlights": ["Led the brand from brief to launch."]}]}  # fmt: skip
    rtf = "{\\rtf1\\ansi\\ansicpg1252 " + "\\par ".join(_person("Rita")) + "}"
    whole = pdf(cv_page)
    return {
        "resume.json": (json.dumps(resume).encode(), READ),
        "whole.pdf": (whole, READ),
        "scanned.pdf": (scan(), "no readable text"),
        "locked.pdf": (pdf(cv_page, password="a word"), "password"),  # noqa: S106 - the file's own
        "plain.docx": (docx("".join(map(paragraph, _person("Dora")))), READ),
        "bomb.docx": (_bomb(), "unpacks to more than 50 MB"),
        "macro.docx": (docx(paragraph("Mara Quist"), {"word/vbaProject.bin": b"macro"}), "macros"),
        "renamed.doc": (rtf.encode(), READ),
        "wide.txt": (_lines("Zoe").encode("utf-16"), READ),
        "empty.pdf": (b"", "empty"),
        "cut-off.pdf": (whole[: len(whole) // 2], "damaged"),
        "picture.pdf": (b"\x89PNG\r\n\x1a\n" + bytes(64), "a PNG picture"),
        "links.md": (f"# {_lines('Mila')}\n\n[site](https://example.com)\n".encode(), READ),
        "table.csv": (b"a,b,c\n1,2,3\n4,5,6\n7,8,9\n", "a table"),
        "forms.json": (b'[{"name": "Ann Example", "about": "I draw"}]', "JSON data"),
        "role.md": (b"# Designer\n\n| # | Criterion | 0 | 5 |\n|---|---|---|---|\n| 1 | Led a brand | no | yes |\n",
                    "describes a role"),
    }  # fmt: skip
