"""What an answer lets out, literally: every letter under its key, when it leaves, and what that starts. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime

from core.review.read import Choice
from core.steps import Json, Verdict
from core.views.card import Card
from pages.parts.identity import Here
from pages.parts.plan import heading
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, join, tag

_HEADS = (("to", "To"), ("sender", "From"), ("reply_to", "Answers to"), ("subject", "Subject"))
_NO_LEAVES = {
    "retraction": "The invite stands.",
    "budget": "The run is parked; raise the budget and retry it.",
    "length": "It is not scored. The question about the message is asked next.",
}
_INVITE = re.compile(r"/invite(/\d+)?$")


def if_approved(card: Card, here: Here) -> Html:
    """Show what leaves on an approve, when, and what starts then."""
    chosen = _choices(card, "approve")
    return tag("section", heading("If you approve"), _when(chosen, here), *(_letter(one) for one in chosen),
               _starts(card, chosen, here), cls="then yes")  # fmt: skip


def else_then(card: Card, here: Here) -> Html:
    """Show what leaves on a decline, and what doing nothing does."""
    return join(_if_declined(card, here), _if_nothing(card, here))


def _if_declined(card: Card, here: Here) -> Html:
    chosen = _choices(card, "reject")
    ends = _NO_LEAVES.get(card.approval.kind, "The run ends.")
    nothing = None if chosen else tag("p", f"Nothing leaves. {ends}", cls="none")
    return tag("section", heading("If you decline"), _when(chosen, here), nothing, *(_letter(one) for one in chosen),
               cls="then no")  # fmt: skip


def _if_nothing(card: Card, here: Here) -> Html:
    asked = card.approval
    if asked.expires_at is None:
        ends = join("It is due ", when(asked.due_at, here.zone), "; that orders this list and decides nothing.")
    else:
        ends = join(
            "It expires ", when(asked.expires_at, here.zone), ", which is an outcome of its own and no decline."
        )
    return tag("section", heading("If you do nothing"), tag("p", "Nothing leaves. The question stays. ", ends),
               cls="then")  # fmt: skip


def _choices(card: Card, verdict: Verdict) -> list[Choice]:
    return [one for one in card.approval.choices if one.verdict == verdict and one.key is not None]


def _when(chosen: list[Choice], here: Here) -> Html | None:
    if not chosen:
        return None
    hold = here.app.desk.hold_of(here.actor.tenant)
    if not hold:
        return tag("p", "Leaves at once: nothing is held here.", cls="leaves")
    until = when(here.now + hold, here.zone)
    return tag("p", "If you answer now, it is held until ", until, " and then leaves. Undo until then.", cls="leaves")


def _letter(one: Choice) -> Html:
    key = tag("p", tag("code", one.key or ""), f" · {one.kind} · seal {(one.payload_hash or '')[:8]}",
              tag("b", " · edited by hand") if one.edited_by else None, cls="id")  # fmt: skip
    if one.payload is None:
        return tag("article", key, tag("p", "Its text is gone; it was kept until the role closed.", cls="none"))
    if one.kind != "mail":
        shown = json.dumps(dict(one.payload), ensure_ascii=False, indent=1)
        return tag("article", key, tag("pre", foreign(shown)), cls="letter")
    return paper(one.payload, key)


def paper(payload: Mapping[str, Json], foot: Html) -> Html:
    """Show a letter: its heads, its body, and what is said below it."""
    return tag(
        "article",
        tag("dl", *(_field(word, str(payload[head])) for head, word in _HEADS if payload.get(head))),
        tag("pre", foreign(str(payload.get("body", "")).strip())),
        foot,
        cls="letter",
    )


def _field(word: str, value: str) -> Html:
    return tag("div", tag("dt", word), tag("dd", foreign(value)))


def _starts(card: Card, chosen: list[Choice], here: Here) -> Html | None:
    if card.approval.kind == "length":
        return tag("p", "It is scored without those pages, and the question about the message is asked next.")
    if card.approval.kind == "budget":
        return tag("p", "The call is made, and the run goes on from there.")
    if card.approval.answers.get("approve"):
        return tag(
            "p", "The address is written down, and the question about the message is asked next. Nothing leaves yet."
        )
    if card.window is None or not any(one.key and _INVITE.search(one.key) for one in chosen):
        return None
    sent = here.now + here.app.desk.hold_of(here.actor.tenant)
    ends = sent + card.window
    return join(
        tag("p", "That starts:"),
        tag("ol", _instant("Invite leaves", sent, here), _reminder(card, ends, here),
            _instant("Window for a booking ends", ends, here), cls="starts"),
        tag("p", "No model is asked again. What is kept of this run goes six months after the role closes.", cls="id"),
    )  # fmt: skip


def _reminder(card: Card, ends: datetime, here: Here) -> Html | None:
    if card.reminder is None or card.window is None or card.reminder >= card.window:
        return None
    return _instant("One reminder, unless a booking came", ends - card.reminder, here)


def _instant(what: str, at: datetime, here: Here) -> Html:
    return tag("li", when(at, here.zone), " ", tag("span", what))
