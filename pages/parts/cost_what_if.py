"""What if: one conversation for a role against one thread for each applicant, and what changes against a baseline.

The course's numbers are the first baseline; *Pin this* makes what is set the new one. Whatever is shown here is an
estimate and is never added to what was recorded.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import get_args

import plotly.graph_objects as go
import streamlit as st

from core.clock import real_now
from core.costs.caches import Lifetime, share_at_random, share_of
from core.costs.cards import card_of
from core.costs.course import CourseInputs, course
from core.costs.what_if import Estimated, Scenario, estimate_role
from core.views.forecasts import arrivals
from core.views.rates import list_rates
from pages.parts.cost_charts import Behind, chart, mark_at
from pages.parts.identity import Here
from pages.parts.money import dollars, money
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, tag

COURSE = "the course: $2 in, $8 out"
ELSE = "claude-sonnet-5-5"  # where no model that leaves this machine is set, priced or was called
SPAN = timedelta(hours=72)
_PINNED = "costs.pinned"
_FEWEST_ARRIVALS = 2
_STEPS = 40


def page(here: Here, role_id: str | None) -> None:
    """Draw what may be set, what it comes to against the baseline, and the course's numbers."""
    draw(heading("What if", "estimates, from what is set here"))
    settings, shown = st.columns([1, 2], gap="large")
    with settings:
        scenario, note = _settings(here, role_id)
    pinned: Scenario = st.session_state.get(_PINNED, Scenario())
    with shown:
        draw(_against(estimate_role(scenario), estimate_role(pinned)))
        draw(tag("p", note, cls="none"))
        with st.container(horizontal=True, gap="small"):
            press("Pin this as the baseline", _pin, scenario, key="costs.pin", icon=":material/keep:")
            st.button("Course numbers", key="costs.course", on_click=_reset, type="tertiary")
        _curves(scenario)
    _course()


def _pin(scenario: Scenario) -> None:
    st.session_state[_PINNED] = scenario


def _reset() -> None:
    st.session_state.pop(_PINNED, None)
    for name, value in _PRESET.items():
        st.session_state[name] = value


_PRESET: dict[str, object] = {
    "costs.if.applicants": 150,
    "costs.if.words": 1_100,
    "costs.if.per_word": 1.3,
    "costs.if.priced": COURSE,
    "costs.if.window": 200_000,
    "costs.if.batch": False,
    "costs.if.cache": "none",
    "costs.if.answer": 250,
    "costs.if.rescored": 0,
    "costs.if.retried": 0,
}


def _settings(here: Here, role_id: str | None) -> tuple[Scenario, str]:
    number = st.slider("Applicants", 10, 600, 150, step=1, key="costs.if.applicants")
    words = st.slider("Words of a CV and cover note", 200, 4_000, 1_100, step=50, key="costs.if.words")
    per_word = st.slider("Tokens a word", 1.0, 3.0, 1.3, step=0.1, key="costs.if.per_word")
    model = st.selectbox("Rates", [COURSE, *_models(here)], key="costs.if.priced")
    window = st.selectbox(
        "Window", [200_000, 1_000_000], key="costs.if.window", format_func=lambda one: f"{one:,} tokens"
    )
    batch = st.toggle(
        "Batch overnight", key="costs.if.batch", help="Half price, where nobody waits before the morning."
    )
    lifetime: Lifetime = st.selectbox(
        "Prompt cache",
        get_args(Lifetime),
        key="costs.if.cache",
        format_func=lambda one: "lives " + one if one != "none" else one,
    )
    answer = st.slider("Tokens of an answer", 50, 2_000, 250, step=50, key="costs.if.answer")
    rescored = st.slider("Scored anew after a rubric change, in 100", 0, 100, 0, key="costs.if.rescored")
    retried = st.slider("Tried again, in 100", 0, 50, 0, key="costs.if.retried")
    inputs = CourseInputs(
        applicants=number, words=words, tokens_per_word=Decimal(str(per_word)), output_tokens=answer, window=window
    )
    scenario = Scenario(
        inputs, model, lifetime, is_batch=batch, retry_share=Decimal(retried) / 100,
        rescore_share=Decimal(rescored) / 100,
    )  # fmt: skip
    cached, note = _cached(here, role_id, scenario)
    return _priced(here, cached), note


def _models(here: Here) -> list[str]:
    parts = here.app.parts
    with here.app.read() as conn:
        cards = list_rates(conn, parts.prices, here.tenant_id, parts.model.label, real_now().date())
    return list(dict.fromkeys(one.model for one in cards)) or [ELSE]


def _cached(here: Here, role_id: str | None, scenario: Scenario) -> tuple[Scenario, str]:
    """Answer the scenario with how often its cache is alive, and on what grounds."""
    if scenario.lifetime in ("none", "for ever"):
        return replace(scenario, hit_share=Decimal(scenario.lifetime == "for ever")), "Estimates with all output."
    with here.app.read() as conn:
        came = arrivals(conn, here.tenant_id, role_id)
    if len(came) >= _FEWEST_ARRIVALS:
        share = share_of(came, scenario.lifetime)
        note = f"By the times at which {len(came)} applicants came, {share:.0%} of calls find the cache alive."
    else:
        share = share_at_random(scenario.inputs.applicants, SPAN, scenario.lifetime)
        note = f"Nobody has applied yet: arrivals at random over three days are assumed, {share:.0%} find it alive."
    return replace(scenario, hit_share=share), note


def _priced(here: Here, scenario: Scenario) -> Scenario:
    if scenario.model == COURSE:
        rates = scenario.inputs.rates
        halved = replace(
            rates, fresh=rates.fresh // 2, output=rates.output // 2, cache_read=rates.cache_read // 2,
            cache_write_5m=rates.cache_write_5m // 2, cache_write_1h=rates.cache_write_1h // 2,
        )  # fmt: skip
        return replace(scenario, batch_rates=halved)
    with here.app.read() as conn:
        card = card_of(conn, here.app.parts.prices, here.tenant_id, scenario.model, real_now().date())
    if card is None:
        return replace(scenario, batch_rates=None)
    inputs = replace(scenario.inputs, rates=card.bands[0])
    return replace(scenario, inputs=inputs, batch_rates=card.batch[0] if card.batch else None)


def _against(now: Estimated, before: Estimated) -> Html:
    def amount(value: int | None) -> str | Html:
        return "nobody can say" if value is None else money(value)

    def change(value: int | None, base: int | None) -> str:
        if value is None or base is None or value == base:
            return "as the baseline" if value == base else "–"
        return f"{dollars(abs(value - base))} {'more' if value > base else 'less'}"

    pairs = (
        ("One conversation", now.conversation, before.conversation),
        ("One thread each", now.threads, before.threads),
    )
    rows = (
        *((name, amount(one), amount(base), change(one, base)) for name, one, base in pairs),
        ("Applicants that fit", f"{min(now.fits, now.applicants)} of {now.applicants}",
         f"{min(before.fits, before.applicants)} of {before.applicants}", ""),
        ("The founder's queue", f"{now.minutes} min", f"{before.minutes} min", ""),
    )  # fmt: skip
    return tag(
        "table",
        tag("caption", "Against the pinned baseline", cls="unseen"),
        tag(
            "thead",
            tag("tr", *(tag("th", head, scope="col") for head in ("Estimate", "As set", "Baseline", "Difference"))),
        ),
        tag(
            "tbody",
            *(tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows),
        ),
        cls="against",
    )


def _curves(scenario: Scenario) -> None:
    inputs, fits = scenario.inputs, estimate_role(scenario).fits
    counts = sorted({round(inputs.applicants * n / _STEPS) for n in range(_STEPS + 1)} | {min(fits, inputs.applicants)})
    each = [(n, estimate_role(replace(scenario, inputs=inputs.at(n)))) for n in counts]
    talk = [(n, one.conversation / 1e12) for n, one in each if n <= fits]
    threads = [(n, one.threads / 1e12) for n, one in each if one.threads is not None]
    figure = go.Figure()
    figure.add_scatter(x=[n for n, _ in talk], y=[usd for _, usd in talk], name="One conversation", mode="lines")
    figure.add_scatter(
        x=[n for n, _ in threads], y=[usd for _, usd in threads], name="One thread each", mode="lines", line_dash="dash"
    )
    figure.update_xaxes(title="applicants")
    figure.update_yaxes(tickprefix="$", rangemode="tozero")
    if fits < inputs.applicants:
        mark_at(figure, fits, f"window full at {fits}")
    last = each[-1][1]
    reach = "no known cost" if last.threads is None else dollars(last.threads)
    alt = (
        f"Estimated cost against applicants: one conversation reaches {dollars(last.conversation)} and holds "
        f"{min(fits, inputs.applicants)}; threads reach {reach} for all {inputs.applicants}."
    )
    rows = [
        (
            str(n), money(one.conversation) if n <= fits else "does not fit",
            "–" if one.threads is None else money(one.threads),
        )
        for n, one in each[:: max(1, len(each) // 12)]
    ]  # fmt: skip
    heads = ("Applicants", "One conversation", "One thread each")
    chart(figure, "curves", alt, Behind(heads, rows, "Estimated cost against applicants"))


def _course() -> None:
    found, more = course(CourseInputs()), course(CourseInputs(applicants=400))
    draw(heading("Course numbers", "from the course's own inputs"))
    parts = f"{dollars(found.threads_input)} + {dollars(found.threads_output)}"
    figures = (
        ("Room in a window", f"{found.room:,} tokens"),
        ("Applicants that fit", str(found.fits)),
        ("That conversation reads", f"{found.conversation_tokens / 1e6:.2f} M tokens"),
        ("Which costs", f"{dollars(found.conversation)} of input (the text rounds to $18.60)"),
        ("Threads for 150", f"{parts} = {dollars(found.threads)}"),
        ("Threads for 400", f"{dollars(more.threads)}, {more.bytes_total / 1e6:g} MB"),
        ("Rows of 150", f"{found.bytes_total / 1e6:g} MB, {found.bytes_per_thread / 1e3:g} KB each"),
        ("Copies in every checkpoint", f"about {found.copied_bytes / 1e6:.0f} MB, {found.copies:,} copies to delete"),
        ("The founder's queue", f"{found.queue} in the band at 150, {more.queue} at 400"),
    )
    draw(tag("dl", *(tag("div", tag("dt", name), tag("dd", said)) for name, said in figures), cls="facts"))
    said = (
        f"From {found.inputs.words:,} words at {found.inputs.tokens_per_word} tokens, $2 in and $8 out. That 30 in 100 "
        "fall into the band, that each takes 15 s and that a word has 6.3 bytes are our assumptions."
    )
    draw(tag("p", said, cls="none"))
