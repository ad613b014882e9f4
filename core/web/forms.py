"""The pages before the pages, drawn: sign-in and one's own password. Plain HTML, one style, no script."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape
from pathlib import Path

from core.people.accounts import SHORTEST

_STYLE = (Path(__file__).parent / "forms.css").read_text("utf-8")
_ICON = (Path(__file__).parents[2] / "data" / "icon.svg").read_text("utf-8").strip()
_FAVICON = base64.b64encode(_ICON.encode()).decode()
_MARK = _ICON.replace("<svg", '<svg aria-hidden="true"', 1)
_SET_ONE = "python -m core person password {email} --as {email}"


@dataclass(frozen=True, slots=True)
class SignIn:
    """What stands on the sign-in page; `next_page` is checked by whoever fills it."""

    tenant: str | None = None
    next_page: str = "/"
    email: str = ""
    refusal: str | None = None
    notice: str | None = None
    has_demo: bool = False
    may_set_first: bool = False


def sign_in_page(shown: SignIn) -> str:
    """Draw the sign-in page."""
    kept = _hidden("next", shown.next_page if shown.next_page != "/" else None) + _hidden("tenant", shown.tenant)
    first = not shown.email
    fields = (
        _field("email", "E-mail address", "username", value=shown.email, focus=first)
        + _field("password", "Password", "current-password", focus=not first)
        + '<button class="first">Sign in</button>'
    )
    inside = (
        f"<h1>Sign in</h1>{_said(shown.refusal, shown.notice)}"
        f'<form method="post" action="/login">{kept}{fields}</form>'
        f"{_demo(kept) if shown.has_demo else _first_password(may_be_set=shown.may_set_first)}"
    )
    return _page("Sign in", inside)


def _demo(kept: str) -> str:
    return (
        '<section class="aside" aria-labelledby="demo"><div><h2 id="demo">This is the demo</h2>'
        "<p>A role and invented applicants. Its owner needs no password, on this machine only and until somebody here "
        "has one.</p></div>"
        f'<form method="post" action="/login">{kept}{_hidden("demo", "yes")}'
        '<button class="second">Continue as the demo\N{RIGHT SINGLE QUOTATION MARK}s owner</button></form></section>'
    )


def _first_password(*, may_be_set: bool) -> str:
    if not may_be_set:
        return ""
    command = escape(_SET_ONE.format(email="EMAIL"))
    return f'<div class="aside"><p>Nobody has a password here yet. Set the first one: <code>{command}</code></p></div>'


def team_page(tenant: str, code: str, *, refusal: str | None = None) -> str:
    """Draw the page where a team signs in by its code; what its address carried is filled in."""
    focus = "code" if tenant else "tenant"
    fields = "".join(
        f'<div class="field"><label for="{name}">{label}</label><input id="{name}" name="{name}" required '
        f'autocomplete="off" autocapitalize="none" spellcheck="false" value="{escape(value)}"'
        f"{' autofocus' if name == focus and not code else ''}></div>"
        for name, label, value in (("tenant", "Team, such as team-01", tenant), ("code", "Code", code))
    )
    inside = (
        f"<h1>Workshop</h1>{_said(refusal, None)}"
        f'<form method="post" action="/team">{fields}<button class="first">Join the team</button></form>'
        '<div class="aside"><p>Both stand on your sheet. A code works once; for another screen, ask for one on the '
        "page you have open.</p></div>"
    )
    return _page("Workshop", inside)


def password_page(who: str, *, can_change: bool, refusal: str | None = None, notice: str | None = None) -> str:
    """Draw the page where a person changes their own password."""
    if can_change:
        body = _password_form(who)
    else:
        command = f"<code>{escape(_SET_ONE.format(email=who))}</code>"
        body = f"<p>You came in without a password, so none can be changed here. Set one: {command}</p>"
    inside = f"<h1>Change your password</h1>{_said(refusal, notice)}{body}"
    return _page("Change your password", inside, foot='<p class="foot"><a href="/">Back to Daybook</a></p>')


def _password_form(who: str) -> str:
    hint = f"{SHORTEST} characters or more. Every other session of yours ends."
    return (
        '<form method="post" action="/password">'
        f'<input type="hidden" name="username" autocomplete="username" value="{escape(who)}">'
        + _field("old", "Password now", "current-password", focus=True)
        + _field("new", "New password", "new-password", hint=hint)
        + _field("again", "New password again", "new-password")
        + '<button class="first">Change password</button></form>'
    )


def refusal_page(title: str, sentence: str) -> str:
    """Draw a page that says no."""
    inside = f"<h1>{escape(title)}</h1>{_said(sentence, None)}"
    return _page(title, inside, foot='<p class="foot"><a href="/login">To sign-in</a></p>')


def _page(title: str, inside: str, *, foot: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f"<title>{escape(title)} · Daybook</title>"
        f'<link rel="icon" href="data:image/svg+xml;base64,{_FAVICON}"><style>{_STYLE}</style></head>'
        f'<body><main><div class="brand">{_MARK}<span>Daybook<small>What runs, and who answers for it</small></span>'
        f'</div><div class="card">{inside}</div>{foot}</main></body></html>'
    )


def _said(refusal: str | None, notice: str | None) -> str:
    if refusal is not None:
        return f'<p class="said no" role="alert">{escape(refusal)}</p>'
    return "" if notice is None else f'<p class="said yes" role="status">{escape(notice)}</p>'


def _hidden(name: str, value: str | None) -> str:
    return "" if value is None else f'<input type="hidden" name="{name}" value="{escape(value)}">'


def _field(name: str, label: str, fills: str, *, value: str = "", hint: str = "", focus: bool = False) -> str:
    """One labelled field; `fills` is what a browser may fill it with."""
    kind = "email" if name == "email" else "password"
    more = ' inputmode="email" autocapitalize="none" spellcheck="false"' if kind == "email" else ""
    more += f' value="{escape(value)}"' if value else ""
    more += f' aria-describedby="{name}-hint"' if hint else ""
    more += " autofocus" if focus else ""
    said = f'<span class="hint" id="{name}-hint">{escape(hint)}</span>' if hint else ""
    return (
        f'<div class="field"><label for="{name}">{label}</label>'
        f'<input id="{name}" name="{name}" type="{kind}" autocomplete="{fills}" required{more}>{said}</div>'
    )
