"""What rows look like as JSON. Ids, keys and times are text; versions and counts are numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from core.clock import iso
from core.costs.money import usd
from core.effects.plan import Entry
from core.people.people import Member
from core.review.read import Approval
from core.steps import Json
from core.threads.rows import Thread
from core.views.costs import Call
from core.views.plans import Revised
from core.views.queue import LeftOver
from core.views.sentence import sentence, until_of, waits_for
from core.views.threads import Line, Whole


def thread_line(line: Line, zone: ZoneInfo) -> dict[str, Json]:
    """Shape one line of the list."""
    return _thread(line.thread, line.name, zone, ())


def _thread(thread: Thread, name: str | None, zone: ZoneInfo, asked: Sequence[str]) -> dict[str, Json]:
    return {
        "id": thread.id,
        "workflow": thread.workflow,
        "status": thread.status,
        "outcome": thread.outcome,
        "goal": thread.goal,
        "name": name,
        "waits_for": waits_for(thread),
        "since": iso(thread.since_at),
        "until": iso(until_of(thread)),
        "sentence": sentence(thread, zone, asked=asked),
    }


def whole_thread(whole: Whole, people: Mapping[str, str], zone: ZoneInfo) -> dict[str, Json]:
    """Shape one thread with everything the command line shows of it."""
    thread = whole.thread
    asked = [approval.about for approval in whole.approvals if approval.status == "pending"]
    return {
        **_thread(thread, whole.name, zone, asked),
        "version": thread.version,
        "step": thread.step,
        "wake_at": iso(thread.wake_at),
        "configs": dict(thread.configs),
        "alike": list(whole.alike),
        "plan": [
            {
                "step": line.step,
                "title": line.title,
                "status": line.status,
                "summary": line.summary,
                "receipts": list(line.receipts),
                "attempts": line.attempts,
            }
            for line in whole.plan
        ],
        "checkpoints": [
            {"number": one.number, "step": one.step, "cause": one.cause, "at": iso(one.at)} for one in whole.checkpoints
        ],
        "attempts": [
            {"step": one.step, "result": one.result, "code": one.code, "at": iso(one.at), "said": one.said}
            for one in whole.attempts
        ],
        "effects": [effect(entry) for entry in whole.effects],
        "approvals": [approval_whole(approval, people) for approval in whole.approvals],
        "events": [
            {
                "name": event.happened.name,
                "data": dict(event.happened.data),
                "received_at": iso(event.happened.received_at),
                "late": event.happened.late,
                "consumed_by": event.consumed_by,
            }
            for event in whole.events
        ],
        "calls": [model_call(call) for call in whole.calls],
        "revisions": [revised(one) for one in whole.revisions],
    }


def revised(one: Revised) -> dict[str, Json]:
    """Shape one revision of a plan."""
    return {
        "revision": one.n,
        "step": one.step,
        "by": one.by,
        "reason": one.reason,
        "added": one.added_count,
        "dropped": one.dropped_count,
        "at": iso(one.at),
    }


def model_call(call: Call) -> dict[str, Json]:
    """Shape one model call: `tokens` is null where its usage is unknown, `usd` where nobody can say, with `why`."""
    tokens = {
        "fresh": call.fresh,
        "cache_write_5m": call.cache_write_5m,
        "cache_write_1h": call.cache_write_1h,
        "cache_read": call.cache_read,
        "output": call.output,
        "thinking": call.thinking,
    }
    return {
        "call": call.id,
        "step": call.step,
        "model": call.model,
        "status": call.status,
        "usage": "unknown" if call.is_usage_unknown else "none" if call.fresh is None else "known",
        "tokens": None if call.fresh is None else tokens,
        "usd": None if call.picodollars is None else usd(call.picodollars),
        "estimated_usd": None if call.estimated is None else usd(call.estimated),
        "why": call.why or call.unpriced_why,
        "stop_reason": call.stop_reason,
        "request_id": call.request_id,
        "opened_at": iso(call.opened_at),
        "closed_at": iso(call.closed_at),
    }


def effect(entry: Entry) -> dict[str, Json]:
    """Shape one row of the ledger; `why` says why it is void, unknown, tried again or still planned.

    `via` names the outside it was handed to, and `trace` what to look for there.
    """
    return {
        "key": entry.key,
        "kind": entry.kind,
        "status": entry.status,
        "thread": entry.thread_id,
        "attempts": entry.attempt,
        "planned_at": iso(entry.planned_at),
        "done_at": iso(entry.done_at),
        "result_ref": entry.result_ref,
        "why": entry.why,
        "sending_at": iso(entry.sending_at),
        "via": entry.via,
        "trace": entry.trace,
    }


def queued(approval: Approval) -> dict[str, Json]:
    """Shape one question of the queue."""
    return {
        "approval": approval.id,
        "thread": approval.thread_id,
        "kind": approval.kind,
        "about": approval.about,
        "version": approval.version,
        "status": approval.status,
        "asked_at": iso(approval.asked_at),
        "due_at": iso(approval.due_at),
        "total": approval.facts.get("total"),
        "band": approval.facts.get("band"),
        "options": [
            {"verdict": one.verdict, "key": one.key, "kind": one.kind, "payload_hash": one.payload_hash}
            for one in approval.choices
        ],
        "answers": {verdict: dict(fields) for verdict, fields in approval.answers.items() if fields},
        "came_back": approval.came_back,
    }


def left_over(event: LeftOver) -> dict[str, Json]:
    """Shape an event that nothing followed from beside the questions: nothing is asked, but a person should know."""
    status = "late" if event.late else "unused"
    return {
        "approval": None,
        "thread": event.thread_id,
        "kind": f"{status}_{event.name}",
        "version": None,
        "status": status,
        "asked_at": iso(event.received_at),
        "due_at": None,
        "total": None,
        "band": None,
        "options": [],
    }


def approval_whole(approval: Approval, people: Mapping[str, str]) -> dict[str, Json]:
    """Shape one approval with its answer."""
    who = people.get(approval.decided_by or "", approval.decided_by)
    return {
        **queued(approval),
        "verdict": approval.verdict,
        "decided_by": who,
        "decided_at": iso(approval.decided_at),
        "release_at": iso(approval.release_at),
        "released_at": iso(approval.released_at),
        "reason": approval.remark.get("reason"),
        "total_given": approval.remark.get("total"),
        "points_given": approval.remark.get("points") or {},
    }


def decided(approval: Approval) -> dict[str, Json]:
    """Shape what decide, undo and release answer."""
    return {
        "approval": approval.id,
        "status": approval.status,
        "version": approval.version,
        "release_at": iso(approval.release_at),
    }


def person(member: Member) -> dict[str, Json]:
    """Shape one person."""
    return {"email": member.email, "name": member.name, "access": member.access, "active": member.active}


def counted(words: Sequence[str]) -> str:
    """Say how many of each: `3 done, 1 now`."""
    return ", ".join(f"{count} {word}" for word, count in Counter(words).items())
