"""A small workload of our own under the name that a runner of peers gives: what the tests of the commands run."""

from __future__ import annotations

SLOT = "2026-08-25T10:00:00Z"
_WORDS = ("brand", "brief", "client", "launch", "film", "motion", "budget", "research", "junior", "owner", "built")


def text(seed: str, size: int) -> str:
    """Answer so many characters of words, the same for the same seed."""
    start = sum(seed.encode())
    words = [_WORDS[(start + 7 * n * n) % len(_WORDS)] for n in range(size // 3)]
    return " ".join(words)[:size]


def thread_id(i: int) -> str:
    """Name a thread."""
    return f"role-14/app-{i:05d}"


def application(i: int) -> dict[str, object]:
    """Answer what one applicant sends."""
    return {"tid": thread_id(i), "form": {"name": f"Ann Example{i}", "email_hash": f"hash-{i}", "cv_ref": f"blob:{i}"}}


def rules(form: dict[str, str]) -> dict[str, object]:
    """Read the rules."""
    return {"rules": [{"rule": f"r{k}", "ok": True, "because": text(f"{form['cv_ref']}{k}", 40)} for k in range(4)]}


def score(form: dict[str, str]) -> dict[str, object]:
    """Score five criteria with a quote each."""
    scores = [{"criterion": f"c{k}", "score": 3, "quote": text(f"{form['cv_ref']}{k}", 170)} for k in range(5)]
    return {"scores": scores, "total": 15, "rubric_version": 1}


def route(total: int) -> dict[str, object]:
    """Say where it goes."""
    return {"route": "review" if total >= 12 else "reject"}


def verdict(answer: str) -> dict[str, object]:
    """Keep an answer."""
    return {"verdict": answer, "decided_at": "2026-08-20T09:00:00Z"}


def invited(tid: str) -> dict[str, object]:
    """Keep that the invitation left."""
    return {"invite_key": f"{tid}/invite", "sent_at": "2026-08-20T09:00:01Z", "reminder_sent": False}


def booked(slot: str) -> dict[str, object]:
    """Keep the slot."""
    return {"slot": slot, "closed_at": "2026-08-21T11:30:00Z"}
