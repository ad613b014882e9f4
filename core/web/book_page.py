"""The page of a letter, drawn: plain HTML, one style, no script, and nothing of the person it is for."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from datetime import datetime
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo

from core.clock import iso
from core.views.invitation import Invitation

_HERE = Path(__file__).parent
_STYLE = (_HERE / "forms.css").read_text("utf-8") + (_HERE / "book.css").read_text("utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "cache-control": "no-store",
}
GONE = (
    "This page is not open",
    "The link is not whole, is no longer in use, or its time has passed. If you expected something here, answer the "
    "letter that you have it from.",
)


def invitation_page(shown: Invitation, form_token: str, *, refusal: str | None = None) -> str:
    """Draw an open invitation: its role, the slots that are free, the deadline, and the way out."""
    zone = ZoneInfo(shown.booking["time_zone"])
    ends = "" if shown.deadline is None else _say(shown.deadline, zone)
    inside = (
        f"<h1>{escape(shown.role_title)}</h1>"
        f"{_refused(refusal)}"
        f"<p>Choose a time to meet. This page is open until <strong>{ends}</strong>.</p>"
        f"{_choose(shown, zone, form_token)}{_withdraw(form_token)}"
    )
    return _page(f"Choose a time: {shown.role_title}", inside)


def standing_page(shown: Invitation) -> str:
    """Draw the page of an invitation that was answered."""
    if shown.stands == "withdrawn":
        words = "<p>You told us that you would rather not go on. That stands; nothing more is needed.</p>"
    else:
        slot = "" if shown.slot is None else _say(shown.slot, ZoneInfo(shown.booking["time_zone"]))
        words = (
            f'<p>You chose</p><p class="chosen">{slot}</p><p>That stands. To change it, answer the letter that you '
            "have this link from.</p>"
        )
    return _page(shown.role_title, f"<h1>{escape(shown.role_title)}</h1>{words}")


def late_page(shown: Invitation) -> str:
    """Draw the page for an answer that came when the invitation was over."""
    words = (
        "<p>The time for this answer had passed when it came. It is written down as late, and a person here sees it; "
        "nothing happens by itself. If it matters to you, answer the letter that you have this link from.</p>"
    )
    return _page(shown.role_title, f"<h1>{escape(shown.role_title)}</h1>{words}")


def calm_page(title: str = GONE[0], sentence: str = GONE[1]) -> str:
    """Draw a page that shows nothing: the same for every link that opens nothing."""
    return _page(title, f"<h1>{escape(title)}</h1><p>{escape(sentence)}</p>")


def _choose(shown: Invitation, zone: ZoneInfo, form_token: str) -> str:
    if shown.free:
        slots = "".join(_slot(at, zone, place) for place, at in enumerate(shown.free))
        return (
            f'<form method="post">{_token(form_token)}<fieldset><legend>Free times</legend>{slots}</fieldset>'
            '<button class="first" name="act" value="book">Confirm this time</button></form>'
        )
    if shown.booking["address"]:
        address = escape(shown.booking["address"])
        return f'<p>The free times are here:</p><p><a class="out" rel="noreferrer" href="{address}">{address}</a></p>'
    if shown.booking["slots"]:
        return "<p>No time is free just now. Answer the letter with the times that suit you.</p>"
    return "<p>Answer the letter with the times that suit you.</p>"


def _slot(at: datetime, zone: ZoneInfo, place: int) -> str:
    return (
        f'<label class="slot" for="slot-{place}"><input type="radio" id="slot-{place}" name="slot" '
        f'value="{iso(at)}" required><span>{_say(at, zone)}</span></label>'
    )


def _withdraw(form_token: str) -> str:
    return (
        '<details class="aside"><summary>I would rather not go on</summary>'
        "<p>We then close your application. You need not say why.</p>"
        f'<form method="post">{_token(form_token)}'
        '<button class="second" name="act" value="withdraw">Close my application</button></form></details>'
    )


def _token(form_token: str) -> str:
    return f'<input type="hidden" name="form" value="{escape(form_token)}">'


def _say(at: datetime, zone: ZoneInfo) -> str:
    """Say an instant with its distance from UTC: `Tue 25 Aug 2026, 10:00 (UTC+01:00, Europe/London)`."""
    local = at.astimezone(zone)
    offset = local.strftime("%z")
    name = "" if zone.key == "UTC" else f", {zone.key}"
    said = local.strftime("%a %-d %b %Y, %H:%M")
    return f'<time datetime="{iso(at)}">{said} <small>(UTC{offset[:3]}:{offset[3:]}{escape(name)})</small></time>'


def _refused(refusal: str | None) -> str:
    return "" if refusal is None else f'<p class="said no" role="alert">{escape(refusal)}</p>'


def _page(title: str, inside: str) -> str:
    return "".join(_parts(title, inside))


def _parts(title: str, inside: str) -> Iterable[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
    yield f'<body class="book"><main><div class="card">{inside}</div></main></body></html>'
