"""What tests of the review page do: look, press, and read what it says."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.homes import Home
from tests.pages.conftest import drawn

Look = Callable[..., AppTest]


def press(app: AppTest, what: str) -> AppTest:
    """Press the one button whose key begins so."""
    (found,) = [button for button in app.button if f"{button.key}.".startswith(f"review.{what}.")]
    assert not found.disabled, found.key
    found.click().run()
    assert not app.exception, app.exception
    return app


def has(app: AppTest, what: str) -> bool:
    return any(f"{button.key}.".startswith(f"review.{what}.") for button in app.button)


def laid_over(app: AppTest) -> str:
    """Answer all markup in the drawer."""
    over = [element.proto.body for element in app.get("html") if element.proto.body not in drawn(app)]
    return "\n".join(over)


def said(app: AppTest) -> str:
    return " ".join(toast.value for toast in app.toast).replace("\\", "").replace("\u2060", "")


def statuses(home: Home, threads: list[str]) -> list[str]:
    return [home.question(thread).status for thread in threads]
