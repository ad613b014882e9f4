"""What a person does at the door: send the forms of sign-in, and read what comes back."""

from __future__ import annotations

import re

import httpx2

from core.web import COOKIE
from tests.pages.conftest import ANA, RIGHT
from tests.pages.test_http import ORIGIN, client

WRONG = "That address and password do not fit together."
WAITS = "Too many failed sign-ins under this name"


def post(path: str, cookie: str | None = None, headers: dict[str, str] | None = None, **form: str) -> httpx2.Response:
    """Send a form of our own page."""
    cookies = {} if cookie is None else {COOKIE: cookie}
    return client(cookies=cookies).post(path, data=form, headers={"origin": ORIGIN, **(headers or {})})


def sign_in(password: str = RIGHT, email: str = ANA, **form: str) -> httpx2.Response:
    return post("/login", email=email, password=password, **form)


def token_in(answer: httpx2.Response) -> str:
    """Answer the token that an answer sets."""
    return str(answer.cookies[COOKIE])


def said(answer: httpx2.Response) -> str:
    """Answer the sentence that an answer refuses with."""
    found = re.search(r'role="alert">([^<]*)<', answer.text)
    return found[1] if found else ""


def is_let_in(token: str) -> bool:
    return client(cookies={COOKIE: token}).get("/act").status_code == 200
