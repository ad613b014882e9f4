"""`costs course`: the course's arithmetic and its honest counter-arguments, computed from the inputs that are shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

import typer

from core.cli.edge import opened, say, tenant_of
from core.cli.options import AsJson, Tenant
from core.clock import real_now
from core.costs.caches import LIFETIMES, Compared, compare, share_at_random, with_window
from core.costs.course import Course, CourseInputs, course
from core.costs.money import usd
from core.ports import PriceList
from core.steps import Json

COMPARED_MODEL = "claude-sonnet-5-5"
SPAN = timedelta(hours=72)
LARGE_WINDOW = 1_000_000
_MOST = 100_000


def course_(
    applicants: Annotated[int, typer.Option("--applicants", min=0, max=_MOST)] = 150,
    words: Annotated[int, typer.Option("--words", min=1, max=_MOST, help="Of a CV and its cover note.")] = 1_100,
    tokens_per_word: Annotated[float, typer.Option("--tokens-per-word", min=0.1, max=20)] = 1.3,
    output: Annotated[int, typer.Option("--output", min=0, max=_MOST, help="Tokens of one answer.")] = 250,
    window: Annotated[int, typer.Option("--window", min=0, max=100_000_000, help="Tokens of a window.")] = 200_000,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Compute the course's numbers: one conversation for a role against one thread for each applicant."""
    inputs = CourseInputs(
        applicants=applicants,
        words=words,
        tokens_per_word=Decimal(str(tokens_per_word)),
        output_tokens=output,
        window=window,
    )
    with opened(as_json=as_json) as app:
        tenant_of(app, tenant)
        prices = app.parts.prices
    found, compared = course(inputs), counter_arguments(inputs, prices)
    large = with_window(compared[0], LARGE_WINDOW, max(applicants, 1)) if compared else None
    answer = {**_shaped(found), "caches": [_compared(one) for one in compared[1]] if compared else []}
    if large is not None:
        answer["large_window"] = {
            "window": LARGE_WINDOW,
            "fits": large.fits,
            "conversation_usd": usd(large.conversation + large.conversation_output),
            "threads_usd": usd(large.threads),
        }
    say(answer, as_json=as_json, text=lambda: "\n".join([*_read_out(found), *_against(compared, large)]))


def counter_arguments(inputs: CourseInputs, prices: PriceList) -> tuple[CourseInputs, list[Compared]] | None:
    """Answer both designs at a real model's rates under each cache lifetime, arrivals at random over three days."""
    card = prices.card(COMPARED_MODEL, real_now().date())
    if card is None:
        return None
    real = replace(inputs, rates=card.bands[0])
    shares = [(one, share_at_random(inputs.applicants, SPAN, one)) for one in LIFETIMES]
    return real, [compare(real, one, share) for one, share in shares]


def _shaped(found: Course) -> dict[str, Json]:
    inputs = found.inputs
    return {
        "applicants": inputs.applicants,
        "inputs": {
            "words": inputs.words,
            "tokens_per_word": str(inputs.tokens_per_word),
            "form_tokens": inputs.form_tokens,
            "answer_tokens": inputs.answer_tokens,
            "fixed_tokens": inputs.fixed_tokens,
            "output_tokens": inputs.output_tokens,
            "output_reserve": inputs.output_reserve,
            "window": inputs.window,
            "input_usd_per_million": usd(inputs.rates.fresh * 1_000_000),
            "output_usd_per_million": usd(inputs.rates.output * 1_000_000),
            "checkpoint_bytes": inputs.checkpoint_bytes,
            "checkpoints": inputs.checkpoints,
            "bytes_per_word": str(inputs.bytes_per_word),
            "look_share": str(inputs.look_share),
            "seconds_each": inputs.seconds_each,
        },
        "room": found.room,
        "fits": found.fits,
        "left_out": found.left_out,
        "conversation_tokens": found.conversation_tokens,
        "conversation_usd": usd(found.conversation),
        "threads_input_usd": usd(found.threads_input),
        "threads_output_usd": usd(found.threads_output),
        "threads_usd": usd(found.threads),
        "bytes_per_thread": found.bytes_per_thread,
        "bytes_total": found.bytes_total,
        "copies": found.copies,
        "copied_bytes": found.copied_bytes,
        "queue": found.queue,
        "queue_minutes": f"{found.queue_seconds / 60:g}",
    }


def _compared(one: Compared) -> dict[str, Json]:
    return {
        "lifetime": one.lifetime,
        "hit_share": f"{one.hit_share:.4f}",
        "conversation_usd": usd(one.conversation),
        "threads_usd": usd(one.threads),
    }


def _read_out(found: Course) -> list[str]:
    inputs = found.inputs
    fitting = f"{inputs.applicants} applicants: "
    fitting += f"{found.covered} fit" if found.left_out == 0 else f"{found.fits} fit, {_who_does_not(found)}"
    return [
        f"Each applicant: {inputs.words:,} words x {inputs.tokens_per_word} = {inputs.cv_tokens:,} tokens, with the "
        f"form {inputs.applicant_tokens:,}; a conversation grows by {inputs.growth:,}.",
        f"Room in a window: {inputs.window:,} - {inputs.fixed_tokens:,} - {inputs.output_reserve:,} = "
        f"{found.room:,} tokens, which is {found.fits} applicants.",
        fitting + ".",
        f"One conversation reads {found.conversation_tokens / 1e6:,.2f} M tokens for the {found.covered} that fit: "
        f"${usd(found.conversation)} of input.",
        f"One thread each: ${usd(found.threads_input)} + ${usd(found.threads_output)} = ${usd(found.threads)} for all "
        f"{inputs.applicants}.",
        f"Storage: {found.bytes_per_thread / 1e3:g} KB a thread, {found.bytes_total / 1e6:g} MB in all; with CV "
        f"and transcript in every checkpoint about {found.copied_bytes / 1e6:.0f} MB and "
        f"{found.copies:,} copies to delete.",
        f"The founder's queue: {found.queue} in the band (if {inputs.look_share:.0%} are), "
        f"{found.queue_seconds / 60:g} minutes at {inputs.seconds_each} s each.",
    ]


def _who_does_not(found: Course) -> str:
    after = found.left_out - 1
    rest = {0: "", 1: ", nor does the one after it"}.get(after, f", nor do the {after} after it")
    return f"applicant {found.fits + 1} does not{rest}"


def _against(compared: tuple[CourseInputs, list[Compared]] | None, large: Course | None) -> list[str]:
    if compared is None or large is None:
        return []
    lines = [
        "",
        f"Against it, at {COMPARED_MODEL}'s rates with all output, arrivals at random over "
        f"{SPAN.total_seconds() / 3600:g} hours (an assumption):",
    ]
    for one in compared[1]:
        cache = {"none": "no cache", "for ever": "a cache that never expires"}.get(
            one.lifetime, f"{one.lifetime} cache"
        )
        lines.append(
            f"  {cache}: conversation ${_cents(one.conversation)} for {one.covered}, threads ${_cents(one.threads)} "
            f"for all ({one.hit_share:.0%} of calls find it alive)"
        )
    lines.append(
        f"  a window of {LARGE_WINDOW:,}: {large.fits} fit; conversation "
        f"${_cents(large.conversation + large.conversation_output)}, threads ${_cents(large.threads)}"
    )
    return lines


def _cents(picodollars: int) -> str:
    return f"{Decimal(picodollars).scaleb(-12):,.2f}"
