"""The words of the Memory page."""

from __future__ import annotations

from datetime import timedelta

ALL = "All"
STATE = {
    "live": "Live",
    "contested": "Contested",
    "quarantined": "Quarantined",
    "superseded": "Superseded",
    "expired": "Expired",
    "deleted": "Forgotten",
}
TRUST = {2: "stated", 1: "allowed", 0: "not trusted"}
SURE = {"Any confidence": None, "0.5 and up": 0.5, "0.7 and up": 0.7, "0.9 and up": 0.9}
CREATED = {
    "Any age": None,
    "in 24 hours": timedelta(days=1),
    "in 7 days": timedelta(days=7),
    "in 30 days": timedelta(days=30),
}
WITHIN = {
    "Any expiry": None,
    "within 24 hours": timedelta(days=1),
    "within 7 days": timedelta(days=7),
    "within 30 days": timedelta(days=30),
    "within 90 days": timedelta(days=90),
}
CHANGE = {
    "remembered": "Remembered",
    "memory_allowed": "Allowed",
    "memory_refused": "Refused",
    "memory_forgotten": "Forgotten",
    "memory_restored": "Restored",
    "memory_ended": "Ended",
    "memory_expiry_set": "End moved",
    "memory_superseded": "Superseded",
    "memory_shown": "Looked at",
    "memory_what_if": "Compared in a run",
}
REASON = {
    "expired": "had expired",
    "deleted": "was forgotten",
    "superseded": "was superseded",
    "quarantined": "waited for a person",
    "other-owner": "belongs to somebody else",
    "contested": "contradicts another",
    "older": "a newer one was used",
}
NONE_AT_ALL = "Nothing is remembered yet. Runs keep records for later ones, and people do: "
HOW_TO_REMEMBER = 'python -m core memory remember fact client/harbour "…" --confidence 0.9 --as EMAIL'
NOTHING_FOUND = "Nothing found. Records in another state, or under another filter, may be there."
GONE = {
    "expired": "It has expired: its text is read by nobody any more, and goes with the next sweep.",
    "deleted": "It was forgotten: its text is read by nobody. It can be restored until it is purged or expires.",
}
UNREADABLE = "Its text is gone with its key."
ONLY_LOOK = "You may look. Changing memory is for owners and reviewers."
WHO_PURGES = "Only an owner purges."
CONFLICT = "These say different things under one key. No run is handed any of them until a person says which stands."
QUARANTINE = "What a document, a tool or a model says is read by no run until a person allows it."
NOT_CHOSEN = "Nothing is chosen: all that the filter finds are meant."
CHANGED_AT_MOST = "Who leaves when shows here. Nothing is changed yet, and nothing is kept longer than its policy."
FILLS_NOTHING = "It fills no slot: the packet is the same with it and without it."
NO_RECALL = "Nothing recalls its key there."
