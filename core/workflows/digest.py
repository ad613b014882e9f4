"""The digest workflow: one letter to one person of the tenant, written before it begins, sent once or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from core.steps import Effect, Finish, Kind, Kit, OnlyIf, Outcome, Rule, Step, Workflow, kept

_INPUT = kept(Rule.CLOSE_6_MONTHS, kind=Kind.INPUT)


@dataclass(frozen=True, slots=True)
class Digest:
    """One morning's letter. From `stale_at` on it would say what is no longer so, and is not sent."""

    to: str = field(metadata=_INPUT)
    to_name: str = field(metadata=_INPUT)
    subject: str = field(metadata=_INPUT)
    body: str = field(metadata=_INPUT)
    stale_at: datetime = field(metadata=_INPUT)


def send(kit: Kit, state: Digest) -> Outcome:
    """Send the letter, unless it is stale by now or its reader may decide no more."""
    if kit.clock.now() >= state.stale_at:
        return Finish(state, "not_sent", "completed", "Not sent: by then it was a day old.")
    payload = {
        "internal": True, "to": state.to, "to_name": state.to_name, "subject": state.subject, "body": state.body
    }  # fmt: skip
    receipt = kit.once(Effect("mail", "mail", payload, only_if=(OnlyIf.OWNER_DECIDES,)))
    if receipt.sent_at is None:
        why = str(receipt.held_back).replace("_", " ")
        return Finish(state, "not_sent", "completed", f"Not sent: {why}.")
    return Finish(state, "sent", "completed", "The letter left.")


DIGEST = Workflow(name="digest", version=1, state=Digest, steps=(Step("send", "Send the morning's letter", send),))
