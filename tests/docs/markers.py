"""Which test claims which row: `@pytest.mark.seed("atlas.checkpoint.1")`, read without importing a test."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

Named = ast.FunctionDef | ast.ClassDef


def claims(root: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Answer the tests of each row, and a sentence for each marker that cannot be read."""
    tests: dict[str, list[str]] = defaultdict(list)
    problems: list[str] = []
    for path in sorted((root / "tests").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        placed = list(_placed(tree, name))
        for test, marker in placed:
            rows = [_text(argument) for argument in marker.args]
            problems += [] if rows and all(rows) else [_unreadable(name, marker)]
            for row in filter(None, rows):
                tests[row].append(test)
        known = {marker for _, marker in placed}
        problems += [_unreadable(name, node) for node in _markers(tree) if node not in known]
    return dict(tests), problems


def _placed(node: ast.AST, name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every marker that stands above a test function or a class of tests."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Named):
            test = f"{name}::{child.name}"
            if child.name.lower().startswith("test"):
                yield from ((test, marker) for above in child.decorator_list for marker in _markers(above))
            yield from _placed(child, test)


def _markers(node: ast.AST) -> Iterator[ast.Call]:
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and ast.unparse(child.func) in ("pytest.mark.seed", "mark.seed"):
            yield child


def _text(argument: ast.expr) -> str | None:
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def _unreadable(name: str, marker: ast.Call) -> str:
    return f"{name}:{marker.lineno}: a seed marker stands above a test and names its rows as plain text."
