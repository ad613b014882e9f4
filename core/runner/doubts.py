"""What an earlier process left in sending: sent again under its key, asked after, or left to a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.audit.note import note
from core.effects.plan import attempt_again
from core.effects.settle import settle_done, settle_unknown
from core.errors import PayloadMismatch
from core.ports import Delivery, NotSent, Sent, Unknown
from core.runner.leaving import Leaving, Trouble, envelope, left_in_doubt, noted
from core.runner.parts import Parts
from core.runner.perform import failed
from core.steps import Receipt


def resolve_doubts(
    parts: Parts, leaving: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime
) -> list[Leaving]:
    """Deal with what an earlier process left in sending: send the same key again, ask, or leave it to a person."""
    clear = [one for one in leaving if one.entry.status != "sending"]
    for one in leaving:
        if one.entry.status != "sending":
            continue
        if one.adapter.honours_keys:
            clear.append(one)
            continue
        said = _ask(one, trouble)
        again = None if said is None else _settle_one(parts, one, said, trouble, now)
        if again is not None:
            clear.append(again)
    return clear


def _ask(one: Leaving, trouble: dict[str, Trouble]) -> Delivery | None:
    """Ask what became of a key; None where there is no answer now: it stays in doubt and is asked again later."""
    if not one.adapter.can_be_asked:
        return Unknown("process_died")
    try:
        return one.adapter.ask(envelope(one))
    except PayloadMismatch as error:
        return Unknown(error.code, repeats=True)
    except Exception as error:  # noqa: BLE001 - an outside that cannot be reached has said nothing
        trouble[one.run.thread.id] = failed(one.run, error)
        return None


def _settle_one(
    parts: Parts, one: Leaving, said: Delivery, trouble: dict[str, Trouble], now: datetime
) -> Leaving | None:
    with parts.write() as tx:
        match said:
            case Sent(result_ref=result_ref):
                settle_done(tx, [(one.entry, result_ref)], now)
                note(tx, noted(one.entry, "effect_done", now, result=one.run.keys.hash(result_ref)))
                one.run.receipts[one.entry.key] = Receipt(one.entry.key, now, result_ref)
                return None
            case NotSent(why):
                entry = attempt_again(tx, one.entry, why, now)
                return Leaving(one.run, one.effect, entry, one.adapter)
            case Unknown(why=why):
                settle_unknown(tx, one.entry, why)
                note(tx, noted(one.entry, "effect_unknown", now, why=why))
                trouble[one.run.thread.id] = left_in_doubt(one.run, one.entry)
                return None
