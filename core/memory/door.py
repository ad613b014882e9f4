"""What is refused at the door of memory, whoever brings it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime

from core.errors import MemoryRefused
from core.memory.kinds import get_kind
from core.memory.secrets import find_secret
from core.steps import Record

LONGEST_TEXT = 2000
LONGEST_KEY = 200
ORIGINS = ("person", "workflow", "document", "tool", "model")
_SHORTEST_PART = 12
_UNKEPT = re.compile("[\x00\ud800-\udfff]")  # no database keeps them, and no file
_REASONING = re.compile(
    r"</?\s*(?:antml:)?(?:thinking|reasoning|scratchpad|think|reflection)\b[^>]*>"
    r"|\"type\"\s*:\s*\"(?:redacted_)?thinking\"|\"(?:thinking|reasoning_content|chain_of_thought)\"\s*:"
    r"|^\s*(?:chain of thought|my reasoning|internal monologue|thinking out loud)\s*:"
    r"|^\s*(?:okay|ok|hmm|wait|alright|so)\s*[,.]+\s*(?:so\s+)?(?:let me|i need to|i should|the user)\b",
    re.IGNORECASE | re.MULTILINE,
)
_WHO = r"(?:candidates?|applicants?|applications?|CVs?|r[ée]sum[ée]s?|designers?|people|anyone|those)"
_SCORING = re.compile(
    rf"\b(?:prefer|favou?r|prioriti[sz]e|rank|score|rate|weigh|shortlist|upvote|downgrade|penali[sz]e|reward)\w*\b"
    rf".{{0,60}}\b{_WHO}\b"
    rf"|\b{_WHO}\b.{{0,80}}\b(?:pass|passes|fail|should (?:be |get |score |rank |always |never )|must (?:be|get)|"
    rf"deserves?|get (?:a )?(?:bonus|extra)|score[sd]? (?:higher|lower)|rank(?:ed|s)? (?:higher|lower)|"
    rf"(?:are|is) (?:preferred|better|worse|favou?red|to be (?:invited|declined|rejected|preferred)))\b"
    rf"|\b(?:always|never|automatically)\s+(?:invite|decline|reject|approve|pass|hire)\b"
    rf"|\b(?:extra|bonus|more|fewer|full) (?:points?|marks?)\b|\b(?:criteri(?:on|a)|rubric|weighting)\b",
    re.IGNORECASE | re.DOTALL,
)


def check_record(record: Record, *, source_ref: str, now: datetime) -> None:
    """Raise MemoryRefused unless the record may be kept: its passport is whole and its text is no secret."""
    kind = get_kind(record.kind)
    _check_passport(record, source_ref, now)
    text = record.text
    if any(_UNKEPT.search(one) for one in (text, record.key, source_ref)):
        raise MemoryRefused("A memory's text, key and source hold whole characters only: no NUL and no half of one.")
    if _REASONING.search(text):
        raise MemoryRefused("This is a model's raw reasoning, which is never kept; remember what it found, in a line.")
    secret = find_secret(text) or find_secret(record.key)
    if secret is not None:
        raise MemoryRefused(f"This looks like {secret}; secrets are not kept as memory. Say where it is kept instead.")
    if kind.has_one_value and _SCORING.search(text):
        raise MemoryRefused(
            "This is a preference about how to score: memory would apply it to some applicants and not to others. Make "
            "it a criterion: write it into the role's table of criteria, which makes a new rubric version for everyone."
        )


def _check_passport(record: Record, source_ref: str, now: datetime) -> None:
    text, confidence = record.text, record.confidence
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_TEXT:
        raise MemoryRefused(f"A memory's text is 1 to {LONGEST_TEXT} characters.")
    if not isinstance(record.key, str) or not record.key.strip() or len(record.key) > LONGEST_KEY:
        raise MemoryRefused(f"A memory's key is 1 to {LONGEST_KEY} characters; without one nothing could read it.")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not _is_share(confidence):
        raise MemoryRefused(f"A memory's confidence is a number from 0 to 1; {confidence!r} was given.")
    if not source_ref.strip():
        raise MemoryRefused("A memory needs a source: where it was learnt.")
    if record.origin not in ORIGINS:
        raise MemoryRefused(f"A memory's origin is one of {', '.join(ORIGINS)}; {record.origin!r} was given.")
    if record.owner_id is not None and not record.owner_id.strip():
        raise MemoryRefused("A memory needs an owner: a person, or the tenant.")
    if record.expires_at is not None and (record.expires_at.tzinfo is None or record.expires_at <= now):
        raise MemoryRefused("A memory expires at a time with a zone, later than now.")


def _is_share(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1


def refuse_written_back(record: Record, recalled: Sequence[tuple[str, str]]) -> None:
    """Raise MemoryRefused where the record says again what its thread was handed: (id, text) each."""
    folded = _folded(record.text)
    for memory_id, text in recalled:
        known = _folded(text)
        if known == folded or (len(known) >= _SHORTEST_PART and known in folded):
            raise MemoryRefused(
                f"This says what memory {memory_id} said; recalled text is not written back as if it were learnt anew."
            )


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
