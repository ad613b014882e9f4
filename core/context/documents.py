"""Items as documents of one text. What stands in an item is data: no text can end its document or open another."""

from __future__ import annotations

from collections.abc import Sequence

from core.steps import Item

_MARKS = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


def as_documents(items: Sequence[Item]) -> str:
    """Write items in their order, each as one document that names its slot and what it comes from in which version."""
    return "\n\n".join(_document(item) for item in items)


def _document(item: Item) -> str:
    named = {"slot": item.slot, "source": item.source, "id": item.id, "version": str(item.version)}
    head = " ".join(f'{name}="{_quoted(value)}"' for name, value in named.items())
    return f"<document {head}>\n{escape(item.text)}\n</document>"


def _quoted(value: str) -> str:
    return escape(value).replace('"', "&quot;")


def escape(text: str) -> str:
    """Escape what could be taken for a mark of ours; half a character becomes a question mark."""
    for mark, written in _MARKS:
        text = text.replace(mark, written)
    return text.encode("utf-8", "replace").decode()


def unescape(text: str) -> str:
    """Undo `escape`, and nothing more."""
    for mark, written in reversed(_MARKS):
        text = text.replace(written, mark)
    return text
