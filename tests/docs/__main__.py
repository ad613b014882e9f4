"""Write the generated pages, or with --check say which of them are out of date."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

from tests.docs import include, seeds

ROOT = Path(__file__).parents[2]


def main(arguments: list[str]) -> int:
    pages, problems = rendered(ROOT)
    if "--check" in arguments:
        problems += stale(ROOT, pages)
    elif not problems:
        for path, text in pages.items():
            (ROOT / path).write_text(text, encoding="utf-8")
    for problem in problems:
        sys.stderr.write(problem + "\n")
    return 1 if problems else 0


def rendered(root: Path) -> tuple[dict[str, str], list[str]]:
    """Answer every generated page by its path, and what is wrong with what they are written from."""
    text, problems = seeds.render(root)
    pages = {"docs/seeds.md": text, **include.render(root)}
    if importlib.util.find_spec("tests.docs.schema") is not None:
        pages["docs/schema.md"] = importlib.import_module("tests.docs.schema").render()
    return pages, problems


def stale(root: Path, pages: dict[str, str]) -> list[str]:
    return [
        f"{path} is out of date: run `make docs` and commit what it writes."
        for path, text in pages.items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
