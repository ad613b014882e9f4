"""The words people read: one for every status, verdict and refusal. Colour never says anything alone."""

from __future__ import annotations

from core.errors import Refused
from core.threads.rows import Thread
from core.views.sentence import stalled_by

STATUS = {
    "ready": "Ready",
    "running": "Running",
    "awaiting_review": "Waiting for a person",
    "waiting": "Waiting",
    "parked": "Parked",
    "completed": "Completed",
    "rejected": "Rejected",
    "failed": "Failed",
    "erased": "Erased",
}
PLAN = {
    "done": "Done",
    "now": "Now",
    "waiting_person": "Waiting for a person",
    "waiting_event": "Waiting for an event or a time",
    "later": "Later",
    "skipped": "Skipped",
    "stopped": "Stopped",
}
EFFECT = {
    "planned": "Planned, certainly not sent",
    "sending": "Sending, may have been sent",
    "done": "Done",
    "unknown": "Nobody knows",
    "void": "Will not happen",
}
APPROVAL = {
    "pending": "Not answered",
    "approved": "Approved",
    "rejected": "Rejected",
    "expired": "Expired",
    "withdrawn": "Withdrawn",
    "superseded": "Asked again",
}
CAUSE = {"open": "opened", "step": "step settled", "undo": "undone", "amend": "person amended"}
ATTEMPT = {"error": "failed", "died": "its process died"}
CALL = {
    "open": "no answer yet, or its process died",
    "answered": "answered",
    "unfit": "answered, but not usably",
    "failed": "refused",
    "unknown": "broke off",
}
LANE = {
    "all": "All",
    "invite": "Invite",
    "look": "Look",
    "decline": "Decline",
    "address": "Address",
    "other": "Other",
    "closing": "Role closing",
    "back": "Came back",
    "snoozed": "Snoozed",
    "decided": "Decided today",
    "second": "Second look",
}
PROPOSAL = {"invite": "an invite", "review": "your look", "decline": "a decline"}
RULE = {"no": "No", "not_stated": "Not stated", "yes": "Yes"}
SOURCE = {"cv": "CV", "cover": "Cover letter", "form": "Form"}
ANSWER = {"hint": "Hint", "email": "Address"}
REASONS = ("Rule not met", "Evidence thin", "Others stronger", "Withdrew", "Duplicate", "Other")
VERDICT = {"approve": "Approved", "reject": "Declined"}
DID = {
    ("review", "approve"): "Invite",
    ("review", "reject"): "Decline",
    ("address", "approve"): "Address given",
    ("address", "reject"): "Closed without a letter",
    ("length", "approve"): "Score without those pages",
    ("length", "reject"): "Not scored",
    ("retraction", "approve"): "Retract",
    ("retraction", "reject"): "Keep the invite",
    ("resend", "approve"): "Send again",
    ("resend", "reject"): "Not sent again",
}
KEYS = (
    ("A", "do what the first button says"),
    ("D", "decline; then 1 to 6 gives a reason, D again leaves it out, Esc keeps looking"),
    ("J  K", "next, previous"),
    ("U", "undo your newest answer that is still held"),
    ("O", "open the CV"),
    ("L", "run log"),
    ("Y", "after a conflict: give your answer on what it is now"),
    ("E", "edit the message or the total"),
    ("N", "write a note in the run"),
    ("X  B", "mark this question; open the batch of what is marked"),
    ("S", "see it once more before the sitting ends, once it is answered; nothing of it leaves until then"),
    ("H", "snooze: 1 to 4 puts the question aside for you, Esc keeps it"),
    ("Shift E", "end the sitting"),
    ("F1", "these keys"),
)
NOTHING_WAITS = "Nothing waits for you."
NOTHING_IN_LANE = "Nothing waits in this lane. Other lanes may hold something."
NO_QUESTION = "There is no such question here. It may have been asked anew, or what it was about was erased."
STAGE = {
    "moving": "Under way",
    "review": "Waiting for a person",
    "held": "Held",
    "invited": "Invited",
    "booked": "Booked",
    "expired": "Expired",
    "declined": "Declined",
    "withdrawn": "Withdrawn",
    "retracted": "Retracted",
    "parked": "Parked",
    "other": "Ended otherwise",
}
ASKED = {
    "tool": "An act that cannot be undone",
    "stuck": "A run gets no further",
    "review": "Invite or decline",
    "address": "An address is missing",
    "length": "Longer than one call may be",
    "retraction": "Retract the invite?",
    "resend": "Send it once more?",
}
STANDS_IN = {
    "tool": "may it?",
    "stuck": "no further",
    "address": "no address",
    "length": "too long",
    "retraction": "retract?",
    "resend": "again?",
}
FIRES = {"hold": "Hold ends", "timer": "Timer", "retry": "Next try", "window": "Wait ends"}
NO_RUNS = "No runs yet. A run begins when an application comes in: "
HOW_TO_APPLY = "python -m core apply role-14 --cv FILE"
ROLE_TEXT = (
    "What is understood of the text shows here: rules, criteria with their anchors, bands. Nothing is saved yet."
)
NO_ROLES = "No role yet. Add one from its text; people then apply to it."
NO_APPLICATIONS = "Nobody has applied to this role yet. Drop files to add applications."
NO_STAGE = "No application of this role stands there. Others may, at another stage."
LIMITS = (
    "PDF, Word (DOCX), RTF, HTML, Markdown, plain text or JSON Resume. At most 25 MB a file and 500 files at once; "
    "or one CSV or JSON list of forms."
)
ONLY_LOOK = "You may look. Adding roles and applications is for owners and reviewers."
REPAIR = {"Retry": "Retry this run", "Park": "Park this run", "Cancel": "Cancel this run"}
ONLY_ACT = "You may look. Owners and reviewers act on a run."
ONLY_SETTLERS = "Owners and reviewers say what became of it."
HOW_TO_SETTLE = (
    "Look for it where it was handed to, or in the sender's mailbox, and say what you found. Nothing of this run is "
    "sent until then."
)
SETTLED = "Written down as sent. The run goes on."
SENT_AGAIN = "Written down as not sent. It is sent again."
TOO_SOON = "That press came too soon after this was drawn, so it does not count. Look, and press again."
_DOUBT = {
    "process_died": "The worker's process ended after it began to send and before there was an answer.",
    "no reply to the letter": "The line broke, or the server was silent, after the letter was begun.",
}
ONLY_OWNERS = "You may look. Changing a rubric or a letter and closing a role is for owners."
CLOSED_ROLE = (
    "This role is closed: it takes no applications, and an invite is refused. Whoever was invited may still book."
)
LETTERS = "As a sample person gets them. The same by command:"
HOW_TO_CHANGE_A_LETTER = "python -m core role letters {} --set invite invite.txt"
LETTER_TEXT = (
    "Press Preview: the letter as a sample person gets it, and which questions come back with it. Nothing is saved yet."
)
LETTER_FIELDS = (
    "Plain text. {first_name}, {name}, {role_title}, {window}, {reminder_window}, {how_to_book}, {booking_link}, "
    "{sender} and {reply_to} are filled in; two braces stand for one."
)
RUBRIC_TEXT = "Press Preview: what changes, how many are scored anew and at what cost shows here. Nothing is saved yet."
NO_MATCH = "No run matches this filter. Runs of another status, or by another name, may be there."


def refusal(refused: Refused) -> str:
    """Answer the sentence of a refusal."""
    return refused.sentence


def doubt(why: str | None) -> str:
    """Say why nobody knows what became of an effect."""
    return _DOUBT.get(why or "", f"The outside's answer does not tell ({why or 'no reason was kept'}).")


def counted(word: str, count: int) -> str:
    """Answer a heading with its count."""
    return f"{word} · {count}"


def progress(done: int, size: int) -> str:
    """Say how far a batch has come."""
    return f"Reading: {done} of {size} taken"


def plural(count: int, one: str, many: str) -> str:
    """Answer a count with its noun."""
    return f"{count} {one if count == 1 else many}"


def status(thread: Thread) -> str:
    """Answer a run's status: what it waits for, or how it ended."""
    word = STATUS[thread.status]
    if stalled_by(thread):
        return f"{word} for sending"
    if thread.status == "waiting":
        return f"{word} for {'a time' if thread.waits_for == 'time' else 'an event'}"
    if thread.outcome is not None and thread.outcome != thread.status:
        return f"{word}: {thread.outcome.replace('_', ' ')}"
    return word


ROLE_MOVED = "The text changed as you pressed. Look at what is understood now, and save again."
OTHER_ID = "{wanted} is there already, so this role is saved as {given}."
