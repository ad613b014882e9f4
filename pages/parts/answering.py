"""Where a person answers: the panel after a conflict, the field a question asks for, and the bar of acts with keys."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.review.read import Approval
from core.views.card import Card
from pages.parts import again, batching, deciding, ending, moving, snoozing, taking_back, wording
from pages.parts.deciding import Draft, Seen, is_still
from pages.parts.exposure import wanted_twice
from pages.parts.identity import Here
from pages.parts.looking import Sight
from pages.parts.queue import Walk
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag

RUN = "pages/run.py"


def conflict(card: Card, seen: Seen | None, here: Here) -> None:
    """Show, where a verdict did not count, what was seen, what it is now, and the verdict; offer to give it again."""
    draft = deciding.drafts().get(card.approval.id)
    if draft is None:
        return
    with st.container(key="review-conflict"):
        draw(_conflict(card, draft, here))
        with st.container(horizontal=True):
            is_offered = draft.answer.verdict in card.approval.labels
            if seen is not None and is_offered and here.actor.member.may_decide:
                label = inline(f"{card.approval.labels[draft.answer.verdict]}, on version {seen.version}")
                _act(label, "again", seen.name, "y", deciding.decide_draft, seen, draft, kind="primary")
            _act("Let my answer go", "drop", card.approval.id, None, deciding.drop_draft, card.approval.id)


def _conflict(card: Card, draft: Draft, here: Here) -> Html:
    now, seen, answer = card.approval, draft.seen, draft.answer
    mine = [tag("p", tag("b", now.labels.get(answer.verdict, wording.VERDICT[answer.verdict])))]
    mine += [tag("p", "Reason: ", answer.reason)] if answer.reason else []
    mine += [tag("p", foreign(str(value))) for value in answer.fields.values()]
    total = None if seen.total is None else tag("p", f"Total {seen.total}")
    return tag(
        "div",
        tag("p", tag("b", "Your answer did not count: this changed while you looked."), role="alert"),
        tag(
            "div",
            tag("section", tag("h3", "What you saw"), tag("p", f"Version {seen.version}, not answered"), total),
            tag("section", tag("h3", "What it is now"), tag("p", f"Version {now.version}"), _who(card, here),
                tag("ul", *(tag("li", foreign(one)) for one in differences(draft.seen, now)))),
            tag("section", tag("h3", "Your answer, kept"), *mine),
            cls="columns",
        ),
        cls="conflict",
    )  # fmt: skip


def _who(card: Card, here: Here) -> Html:
    now = card.approval
    if now.is_decided:
        word = wording.DID.get((now.kind, now.verdict or ""), wording.APPROVAL[now.status])
        return tag("p", tag("b", word), " by ", foreign(card.by or "somebody"), ", ", when(now.decided_at, here.zone))
    return tag("p", wording.APPROVAL[now.status])


def differences(seen: Seen, now: Approval) -> list[str]:
    """Name what differs between a question as it was seen and as it is."""
    total = now.facts.get("total")
    hashes = {one.key: one.payload_hash for one in now.choices if one.key is not None}
    names = [name for name in {**seen.basis, **now.basis} if seen.basis.get(name) != now.basis.get(name)]
    moved = [f"{name} {seen.basis.get(name, 'none')} → {now.basis.get(name, 'none')}" for name in names]
    moved += [f"total {seen.total} → {total}"] if seen.total != total else []
    moved += [
        f"letter {key.rsplit('/', 1)[-1]}"
        for key in {**seen.hashes, **hashes}
        if seen.hashes.get(key) != hashes.get(key)
    ]
    moved += ["the answer"] if now.is_decided else []
    return moved or ["only its version"]


def decided(card: Card, here: Here) -> Html:
    """Show a question that is answered or closed: who, when, and until when that can be undone."""
    one = card.approval
    if not one.is_decided:
        return tag("p", tag("b", wording.APPROVAL[one.status]), ". Nothing waits here any more.", cls="banner done")
    word = wording.DID.get((one.kind, one.verdict or ""), wording.APPROVAL[one.status])
    if one.released_at is not None:
        ends = join("Released ", when(one.released_at, here.zone), "; it can no longer be undone.")
    else:
        ends = join("Held until ", when(one.release_at, here.zone), ". It can be undone until it is released.")
    by = foreign(card.by or "somebody")
    return tag("p", tag("b", word), " by ", by, ", ", when(one.decided_at, here.zone), ". ", ends, cls="banner done")


def held_acts(card: Card, here: Here) -> None:
    """Offer what may still be done about the answer that is shown."""
    one = card.approval
    if not one.is_held or not here.actor.member.may_decide:
        return
    is_over = one.release_at is not None and one.release_at <= here.now
    with st.container(horizontal=True):
        key = (
            "u" if one.decided_by == here.actor.member.id else None
        )  # another's answer is taken back by its button only
        _act("Undo this", "undo-this", one.id, key, taking_back.undo_one, one.id, kind="secondary")
        _act("Release this now", "release-this", one.id, None, taking_back.release_one, one.id, there=not is_over)


def fields(seen: Seen) -> None:
    """Draw the fields that an approve must carry; what was typed stays where it was refused."""
    for name, kind in seen.fields.items():
        label, key = wording.ANSWER.get(name, "Answer"), deciding.field_key(seen, name)
        if kind.removesuffix("?") in ("integer", "number"):
            step = 1 if kind.startswith("integer") else 0.01
            st.number_input(label, key=key, value=None, step=step, disabled=is_still())
        else:
            st.text_input(label, key=key, max_chars=320, disabled=is_still())
    if seen.scored:
        st.text_input(
            "Your own points, where you read them otherwise", key=deciding.field_key(seen, deciding.POINTS),
            max_chars=120, placeholder="3=4 5=2", disabled=is_still(),
            help="Criterion and points, such as 3=4. They are kept as recall of this rubric version; "
            "no scorer is told.",
        )  # fmt: skip
    refused = deciding.refused_of(seen)
    if refused is not None:
        draw(tag("p", foreign(refused), cls="refused", role="alert"))


def bar(here: Here, sight: Sight) -> None:
    """Draw the acts with their keys."""
    walked, card, seen, pace = sight.walked, sight.asked, sight.seen, sight.pace
    with st.container(key="review-acts", horizontal=True, gap="small", vertical_alignment="center"):
        if card is not None and seen is not None and here.actor.member.may_decide:
            draw(tag("span", cls="early", role="status", data_shown=deciding.shown_name(seen)))
            if sight.is_again:
                _again(card, seen, walked)
                return
            if deciding.asks_reason(seen):
                _reasons(card, seen)
                return
            if snoozing.is_asked(seen):
                _until(here, seen)
                return
            _verdicts(card, seen)
            _snooze(walked, seen)
            is_twice = seen.approval_id in wanted_twice()
            _act("One look" if is_twice else "Second look", "twice", seen.name, "s", again.want, seen)
            is_marked = seen.approval_id in batching.marks()
            _act("Unmark" if is_marked else "Mark", "mark", seen.name, "x", batching.toggle, seen)
            _act("Edit", "edit", seen.name, "e", deciding.open_drawer, "edit")
        _moves(walked, card, may_decide=here.actor.member.may_decide)
        if here.actor.member.may_decide:
            marked = len(batching.marks())
            _act(f"Batch {marked}", "batch", "bar", "b", batching.open_bar, there=marked > 0)
            mine = card is not None and card.approval.decided_by == here.actor.member.id
            is_this = mine and card is not None and card.approval.is_held  # then the key is its own undo's
            _act("Undo", "undo", "newest", None if is_this else "u", taking_back.undo_newest)
            _act("End sitting", "end", "sitting", "shift+e", ending.end_now, pace.looks,
                 there=pace.sitting_id is not None)  # fmt: skip
        _act("Keys", "keys", "help", "f1", deciding.open_drawer, "keys")


def _again(card: Card, seen: Seen, walked: Walk) -> None:
    labels = card.approval.labels
    if "approve" in labels:
        _act(inline(labels["approve"]), "approve", seen.name, "a", again.answer, seen, "approve", kind="primary")
    if "reject" in labels:
        _act(inline(labels["reject"]), "decline", seen.name, "d", again.answer, seen, "reject")
    _moves(walked, card, may_decide=False)
    _act("End sitting", "end", "sitting", "shift+e", ending.end_now, 0)


def _reasons(card: Card, seen: Seen) -> None:
    draw(tag("p", tag("b", "Why?"), cls="why"))
    for number, reason in enumerate(wording.REASONS, 1):
        _act(reason, "reason", f"{number}.{seen.name}", str(number), deciding.decide, seen, "reject", reason)
    label = inline(f"{card.approval.labels['reject']}, no reason")
    _act(label, "reason", f"none.{seen.name}", "d", deciding.decide, seen, "reject")
    _act("Keep looking", "back", seen.name, "escape", deciding.keep_looking)


def _until(here: Here, seen: Seen) -> None:
    draw(tag("p", tag("b", "Aside until?"), cls="why"))
    for number, (word, until) in enumerate(snoozing.choices(here), 1):
        _act(word, "aside", f"{number}.{seen.name}", str(number), snoozing.put_aside, seen, until)
    _act("Keep it here", "keep", seen.name, "escape", snoozing.keep)


def _snooze(walked: Walk, seen: Seen) -> None:
    if walked.lane == "snoozed":
        _act("Bring it back", "snooze", seen.name, "h", snoozing.take_up, seen.approval_id)
    else:
        _act("Snooze", "snooze", seen.name, "h", snoozing.ask_until, seen)


def _verdicts(card: Card, seen: Seen) -> None:
    labels = card.approval.labels
    if "approve" in labels:
        _act(inline(labels["approve"]), "approve", seen.name, "a", deciding.decide, seen, "approve", kind="primary")
    if "reject" in labels:
        _act(inline(labels["reject"]), "decline", seen.name, "d", deciding.ask_reason, seen)


def _moves(walked: Walk, card: Card | None, *, may_decide: bool) -> None:
    before, after = (walked.beside(-1) if walked.place is not None else None), walked.beside(1)
    _act("Next", "next", "item", "j", moving.go_to, after, there=after is not None)
    _act("Previous", "previous", "item", "k", moving.go_to, before, there=before is not None)
    if card is None:
        return
    if may_decide:
        _act("Note", "note", "item", "n", deciding.open_drawer, "note")
    _act("Open CV", "cv", "item", "o", deciding.open_drawer, "cv")
    still = is_still()
    if st.button("Run log", key="review.run.item", shortcut=None if still else "l", disabled=still, type="tertiary"):
        st.switch_page(RUN, query_params={"id": card.approval.thread_id})


def _act(  # noqa: PLR0913 - one button
    label: str, what: str, name: str, key: str | None, act: Callable[..., None], *given: object,
    kind: str | None = None, there: bool = True,
) -> None:  # fmt: skip
    """Draw one button with its key. While a drawer lies over the page its keys would still be live, so it has none."""
    dead = is_still() or not there
    quiet = "secondary" if what in ("decline", "reason", "drop") else "tertiary"
    named = f"review.{what}.{name}"
    st.button(
        label, key=named, type=kind or quiet,  # type: ignore[arg-type]
        shortcut=None if dead else key, disabled=dead, on_click=act, args=given,
    )  # fmt: skip
