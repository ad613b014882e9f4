"""What this home runs with, to read: mail, model, hold, time zone, worker, database. No secret is among it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.clock import say_span
from core.settings import without_secret
from core.views.frame import living
from core.views.health import Health, WorkerHealth
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, join, tag

Fact = tuple[str, str | Html, str]


def facts(here: Here, health: Health) -> Html:
    """Show every fact with the setting that changes it."""
    return tag(
        "dl",
        *(
            tag("div", tag("dt", name), tag("dd", said, tag("small", tag("code", setting)) if setting else None))
            for name, said, setting in [*_settings(here, health), *_health(here, health)]
        ),
        cls="facts",
    )


def _settings(here: Here, health: Health) -> Iterator[Fact]:
    settings, app = here.app.settings, here.app
    yield "Model", foreign(app.parts.model.label), "DAYBOOK_MODEL"
    yield "Mail", foreign(without_secret(str(settings.mail))), "DAYBOOK_MAIL"
    yield "Letters come from", foreign(settings.mail_from), "DAYBOOK_MAIL_FROM"
    sends = "On" if health.sending_is_on else "Off: everything is held at the gate"
    yield "Sending", sends, ""
    hold = app.desk.hold_of(here.actor.tenant)
    yield "Hold", f"{say_span(hold)}, where a role says nothing else" if hold else "None", "DAYBOOK_HOLD_SECONDS"
    yield "Time zone", foreign(settings.timezone), "DAYBOOK_TIMEZONE"
    frozen = settings.frozen_now
    if frozen is not None:
        yield "Business time", join("Held at ", when(frozen, here.zone)), "DAYBOOK_NOW"
    else:
        clock = here.frame.tenant.clock
        yield "Business time", join(f"The {clock} clock, ", when(here.now, here.zone)), ""
    yield "Address", foreign(without_secret(settings.base_url)), "DAYBOOK_BASE_URL"


def _health(here: Here, health: Health) -> Iterator[Fact]:
    workers = living(here.frame.workers, here.app.is_gone)
    yield "Worker", _workers(workers), "DAYBOOK_WORKER"
    overdue = health.overdue
    late = join(f"{overdue.count} due, the oldest since ", when(overdue.oldest_at, here.zone))
    yield "Due and not taken", late if overdue.count else "Nothing", ""
    url = here.app.settings.database_url
    where = "SQLite, in the home" if url is None else without_secret(url)
    yield "Database", join(foreign(where), f"; answers, schema {health.schema}"), "DAYBOOK_DATABASE_URL"


def _workers(workers: Sequence[WorkerHealth]) -> Html:
    if not workers:
        return _state("e-unknown", "None: runs stand still")
    return join(*(_worker(one) for one in workers))


def _worker(one: WorkerHealth) -> Html:
    if one.is_silent:
        return _state("e-unknown", f"{one.kind} worker, silent for more than 30 s")
    return _state("e-done", f"{one.kind} worker, heard within 30 s")


def _state(colour: str, word: str) -> Html:
    return tag("span", tag("span", cls="dot"), foreign(word), cls=f"state {colour}")
