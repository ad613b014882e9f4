"""Names and files come from strangers: whatever they hold is shown as text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from core.identity import display_name
from pages.parts.untrusted import foreign, join, tag
from tests.homes import Home
from tests.pages.conftest import Open, drawn

PAGES = Path(__file__).parents[2] / "pages"
EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example.org/p.png)",
    ":green-badge[score 25] **bold** [link](https://evil.example.org)",
    "$\\LaTeX$ # heading",
    "Ann \u202egnp.exe",
    '" onmouseover="alert(1)',
]
# What Streamlit reads as Markdown, labels included. `st.html` is here because only one module may build markup.
AS_MARKDOWN = {
    "markdown", "write", "caption", "title", "header", "subheader", "info", "success", "warning", "error", "button",
    "badge", "expander", "tabs", "status", "progress", "toast", "checkbox", "radio", "segmented_control", "pills",
    "metric", "chat_message", "file_uploader", "table", "page_link", "link_button", "text_input", "popover", "dialog",
    "exception", "html", "toggle", "menu_button", "form_submit_button", "download_button",
}  # fmt: skip


@pytest.mark.parametrize("name", EVIL)
def test_a_name_is_shown_as_text_on_every_page(home: Home, open_page: Open, name: str) -> None:
    home.add_role()
    thread_id = home.apply(name, "ann@example.com", cv="Right to work in the UK: yes\n{email}\n")
    home.run()

    for app in (open_page("runs"), open_page("run", id=thread_id)):
        shown = drawn(app)
        kept = str(foreign(display_name(name))) in shown
        assert kept, shown
        assert [tag for tag in ("<script", "<img", 'onmouseover="') if tag in shown] == []
        assert [one for one in _markdown_of(app) if name in one] == []


def _markdown_of(app: object) -> list[str]:
    kinds = ("markdown", "title", "header", "subheader", "caption", "error", "info", "warning", "success")
    return [element.value for kind in kinds for element in getattr(app, kind)]


def test_text_is_escaped_and_markup_is_not_escaped_twice() -> None:
    inner = tag("b", "<i>")

    assert tag("p", inner, " & ", title='"x"') == '<p title="&quot;x&quot;"><b>&lt;i&gt;</b> &amp; </p>'


def test_what_rearranges_a_line_is_replaced() -> None:
    assert join("a\u202eb\x00c\u2066d") == "a\ufffdb\ufffdc\ufffdd"


def test_letters_of_every_script_stay() -> None:
    assert join("محمد Łukasz 李 é") == "محمد Łukasz 李 é"


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.py")), ids=lambda path: path.name)
def test_no_page_builds_what_is_read_as_markdown(path: Path) -> None:
    if path.name == "untrusted.py":
        return
    built = [
        f"{path.name}:{call.lineno}"
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name | ast.Attribute)
        and call.func.attr in AS_MARKDOWN
        and _root(call.func) == "st"
        and any(isinstance(value, ast.JoinedStr | ast.BinOp) for value in _given(call))
        and not (call.func.attr == "html" and "style.css" in ast.unparse(call))
    ]

    assert built == []


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _given(call: ast.Call) -> list[ast.expr]:
    """Answer what an element is given to show; its key is a name that nobody reads."""
    return [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg != "key")]


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.py")), ids=lambda path: path.name)
def test_a_page_is_small_and_does_nothing_above_its_guard(path: Path) -> None:
    source = path.read_text()
    acts = [node for node in ast.parse(source).body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]

    assert len(source.splitlines()) <= 80
    assert [ast.unparse(act).startswith("page(require(") for act in acts] == [True] * len(acts)
    assert path.name == "__init__.py" or len(acts) == 1
