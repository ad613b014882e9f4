"""Code files shown inside a page: what stands between the markers is the file, word for word.

<!-- code: docs/examples/loan.py -->
...
<!-- end of code -->
"""

from __future__ import annotations

import re
from pathlib import Path

PLACE = re.compile(r"<!-- code: (?P<path>\S+) -->\n.*?<!-- end of code -->", re.DOTALL)


def render(root: Path) -> dict[str, str]:
    """Answer each page of docs that shows a file, with the file's present text in its place."""
    pages = {}
    for page in sorted((root / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if PLACE.search(text):
            pages[page.relative_to(root).as_posix()] = PLACE.sub(lambda place: _shown(root, place["path"]), text)
    return pages


def _shown(root: Path, path: str) -> str:
    code = (root / path).read_text(encoding="utf-8").strip()
    return f"<!-- code: {path} -->\n```python\n{code}\n```\n<!-- end of code -->"
