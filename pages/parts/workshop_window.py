"""Workshop 2: window against rows. The conversation fills and fails, threads do not; and what speaks against that."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import streamlit as st

from core.clock import real_now
from core.costs.caches import LIFETIMES, compare, share_at_random, with_window
from core.costs.course import Course, CourseInputs, course
from core.views.ask import ask
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag
from pages.parts.workshop_chart import chart
from pages.parts.workshop_seat import Seat, keep, seat_now

QUESTION, ASKED = "Did we invite Priya Shah?", "workshop.window.asked"
PRIYA = 93  # the applicant's number in the first seed
FEWEST, MOST, LARGE = 10, 400, 1_000_000
MODEL = "claude-sonnet-5-5"
MILLION = 1_000_000


def page(seat: Seat) -> None:
    """Draw the slider and both designs, the same question asked of both, and the counter-arguments."""
    count = int(st.slider("Applicants for one role", FEWEST, MOST, 150, key="workshop.window.applicants"))
    found = course(CourseInputs().at(count))
    draw(heading("Window against rows", f"{found.fits} fit; {found.left_out} do not"))
    left, right = st.columns(2, gap="large")
    with left:
        draw(_conversation(found))
    with right:
        draw(_threads(found))
    chart(found.inputs, FEWEST, MOST)
    _question(seat, found)
    _against(seat, found.inputs)


def dollars(picodollars: int) -> str:
    """Write an amount as people read it, to the cent."""
    return f"${Decimal(picodollars).scaleb(-12):,.2f}"


def _conversation(found: Course) -> Html:
    inputs = found.inputs
    filled = inputs.fixed_tokens + inputs.output_reserve + inputs.growth * min(inputs.applicants, found.fits)
    share = min(100, round(100 * filled / inputs.window))
    says = (
        f"Applicant {found.fits + 1} does not fit, nor do the {found.left_out - 1} after it."
        if found.left_out
        else f"{found.fits - inputs.applicants} more would fit."
    )
    return tag(
        "section",
        tag("h3", "One conversation for the role"),
        tag("div", tag("div", style=f"width:{share}%", cls="is-full" if found.left_out else None), cls="lab-fill",
            role="img", aria_label=f"The window is {share} % full"),
        tag("p", says, cls="is-wrong" if found.left_out else None),
        _figures(
            ("room", f"{inputs.window:,} − {inputs.fixed_tokens:,} − {inputs.output_reserve:,} = {found.room:,}"),
            ("fit", f"{found.room:,} ÷ {inputs.growth:,} = {found.fits}"),
            ("input read", f"{found.conversation_tokens / MILLION:,.2f} M tokens for {found.covered}"),
            ("cost of it", f"{dollars(found.conversation)}, its input alone"),
            ("to delete", f"about {found.copied_bytes / MILLION:,.1f} MB in {found.copies:,} copies"),
        ),
        cls="lab-card",
    )  # fmt: skip


def _threads(found: Course) -> Html:
    inputs = found.inputs
    each = inputs.fixed_tokens + inputs.applicant_tokens
    share = round(100 * (each + inputs.output_tokens) / inputs.window)
    return tag(
        "section",
        tag("h3", "One thread for each"),
        tag("div", tag("div", style=f"width:{share}%"), cls="lab-fill", role="img",
            aria_label=f"Each window is {share} % full"),
        tag("p", f"All {inputs.applicants} fit: each call reads {each:,} tokens, whoever came before."),
        _figures(
            ("input read", f"{found.threads_input_tokens:,} tokens, {dollars(found.threads_input)}"),
            ("output", f"{found.threads_output_tokens:,} tokens, {dollars(found.threads_output)}"),
            ("cost of it", f"{dollars(found.threads)} for all {inputs.applicants}"),
            ("kept", f"{found.bytes_per_thread / 1000:g} KB each, {found.bytes_total / MILLION:g} MB in all"),
            ("for the founder", f"about {found.queue} in the band, {found.queue_seconds / 60:g} minutes"),
        ),
        cls="lab-card",
    )  # fmt: skip


def _figures(*pairs: tuple[str, str]) -> Html:
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), cls="lab-facts")


def _question(seat: Seat, found: Course) -> None:
    draw(heading("The same question, asked of both", QUESTION))
    st.button("Ask both", key="workshop.window.ask", icon=":material/search:", type="primary", on_click=_ask,
              disabled=not seat.may_act)  # fmt: skip
    asked = st.session_state.get(ASKED)
    if asked is None or asked[0] != seat.here.tenant_id:
        return
    left, right = st.columns(2, gap="large")
    with left:
        draw(tag("div", tag("p", _in_conversation(found)), cls="lab-answer is-not"))
    with right:
        draw(tag("div", tag("p", tag("b", "The record: "), foreign(asked[1])), cls="lab-answer is-so"))


def _in_conversation(found: Course) -> str:
    inputs = found.inputs
    if inputs.applicants < PRIYA:
        return f"She is applicant {PRIYA}; this conversation has {inputs.applicants}."
    before = inputs.fixed_tokens + inputs.growth * (PRIYA - 1)
    behind = inputs.growth * (min(inputs.applicants, found.fits) - PRIYA)
    return (
        f"Somewhere after token {before:,} of {inputs.window:,}, with {behind:,} tokens behind it. What stands there "
        "is what somebody said; nothing in it knows whether a letter left."
    )


def _ask() -> None:
    seat = seat_now()
    if seat is None:
        return
    here = seat.here
    with here.app.read() as conn:
        answer = ask(conn, here.app.vault, here.tenant_id, QUESTION, here.zone, here.now)
    keep(seat, "window", asked=True)
    st.session_state[ASKED] = (here.tenant_id, answer.text)


def _against(seat: Seat, inputs: CourseInputs) -> None:
    draw(heading("What speaks against it", "at a real model's rates; the assumptions are yours to change"))
    card = seat.here.app.parts.prices.card(MODEL, real_now().date())
    if card is None:
        draw(tag("p", f"No price is known for {MODEL}.", cls="none"))
        return
    with st.container(horizontal=True, gap="medium"):
        hours = st.number_input("Applications arrive over hours", 1, 2_000, 72, key="workshop.window.hours", width=240)
        words = st.number_input(
            "Words of a CV and its note", 100, 20_000, 1_100, key="workshop.window.words", width=240
        )
        per_word = st.number_input("Tokens a word", 0.5, 8.0, 1.3, 0.1, key="workshop.window.per", width=160)
    real = CourseInputs(inputs.applicants, int(words), Decimal(str(round(per_word, 2))), rates=card.bands[0])
    draw(_caches(real, timedelta(hours=int(hours))))
    draw(_large(real))
    draw(tag("p", f"Rates of {MODEL}: {card.source}, {card.day.isoformat()}. A prompt cache makes the conversation "
             "cheap where applicants come close together, and answers no question exactly. Measured on these models a "
             "CV's word is nearer 2.3 tokens than 1.3.", cls="id"))  # fmt: skip


def _caches(real: CourseInputs, span: timedelta) -> Html:
    heads = ("Cache lives", "Calls that find it", "Conversation", "Threads")
    rows = []
    for lifetime in LIFETIMES:
        share = share_at_random(real.applicants, span, lifetime)
        both = compare(real, lifetime, share)
        rows.append(
            (lifetime, f"{share:.0%}", f"{dollars(both.conversation)} for {both.covered}", dollars(both.threads))
        )
    body = [tag("tr", tag("th", name, scope="row"), *(tag("td", one) for one in rest)) for name, *rest in rows]
    caption = tag("caption", "Both designs under each cache lifetime, output included", cls="unseen")
    return tag("table", caption, tag("thead", tag("tr", *(tag("th", one, scope="col") for one in heads))),
               tag("tbody", *body), cls="grid lab-table")  # fmt: skip


def _large(real: CourseInputs) -> Html:
    large = with_window(real, LARGE, real.applicants)
    return tag(
        "p", f"In a window of {LARGE:,} tokens {large.fits} applicants fit, and {real.applicants} cost "
        f"{dollars(large.conversation + large.conversation_output)} without a cache, against {dollars(large.threads)} "
        "in threads.",
    )  # fmt: skip
