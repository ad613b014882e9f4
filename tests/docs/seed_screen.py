"""Rows of the first seed: memory and state of a recruiting screen that takes days."""

from __future__ import annotations

from tests.docs.rows import Seed, group

SCREEN = Seed(
    "First seed: memory and state for long-running automations",
    (
        group(
            "Three kinds of state",
            "screen.kind",
            (
                "working",
                "What a step needs while it runs is gone when it returns; only what it names stays.",
                "Workshop",
            ),
            (
                "durable",
                "What a thread has established is saved after every step, one thread an applicant.",
                "`thread`",
            ),
            ("recall", "What happened before is read by an exact key, by code, before scoring.", "`thread`"),
        ),
        group(
            "What is kept, where, how long",
            "screen.retention",
            ("prompt", "CV text in a prompt and the raw reply: working, in the step, until it returns.", "Workshop"),
            (
                "cv-file",
                "The CV file: input, in the file store by reference, until six months after the close.",
                "Workshop",
            ),
            (
                "scores",
                "Rule results, scores, quotes, total, route: durable, until six months after the close.",
                "Workshop",
            ),
            ("verdict", "The verdict and when: durable, until six months after the close."),
            ("invite", "Invite key, sent at, deadline, reminder: durable, until the role closes.", "Workshop"),
            (
                "earlier",
                "Earlier applications: recall by a keyed hash of the address, six months after each role.",
                "`memory list`",
            ),
            (
                "overrides",
                "Overrides of the total: recall per rubric version, until the next rubric change.",
                "`memory list`",
            ),
            ("one-delete", "A file lives in one place, so that deleting it is one delete.", "Workshop"),
            ("decisions", "Decisions are kept, not deliberation: no prompt and no reasoning is stored.", "Workshop"),
        ),
        group(
            "One applicant's three days",
            "screen.story",
            (
                "day-1-17-00",
                "Applies; rules, score and route run; total 15 stops the thread at the question.",
                "`apply`",
            ),
            (
                "day-2-09-00",
                "Approved; the invite leaves under its key; the deadline is 48 hours later.",
                "`decide`",
            ),
            (
                "day-3-09-00",
                "The reminder goes 24 hours before the deadline, from a time in a row.",
                "`worker`",
            ),
            ("day-3-11-30", "The booking is recorded and the thread ends.", "`event`"),
            ("restart", "A restart in the night loses nothing: every wait is a row.", "`threads`"),
            (
                "mid-flight",
                "A step cut short runs again from the last checkpoint; the letter goes once.",
                "`effects`",
            ),
        ),
        group(
            "What the model sees",
            "screen.packet",
            ("contents", "Rubric, job description, this CV and at most one line of recall.", "`context`"),
            ("no-other", "No other applicant is in it.", "`context`"),
            ("no-search", "The model never searches memory; code reads by key and hands over a field.", "`context`"),
            ("search-refused", "A question that needs a search is told so.", "`ask`"),
        ),
        group(
            "Four questions to ask a builder",
            "screen.question",
            ("1", "Where does an applicant's state live while the founder is away?", "`thread`, Runs"),
            ("2", "What survives a restart?", "`threads`, Runs"),
            ("3", "Which copies of an applicant's data exist, and what deletes each?"),
            ("4", "What is the model sent on each call, field by field?", "`context`"),
        ),
        group(
            "Check yourself",
            "screen.check",
            (
                "1",
                "400 applicants: cost and storage grow in step, the design does not change.",
                "`costs course`, Workshop",
            ),
            ("2", "A preference about scoring is a rubric criterion; it is refused as memory.", "`memory remember`"),
            ("3", "A crash after the send and before the save: the key keeps it at one letter.", "`effects`"),
            ("asked", "Did we invite Priya Shah? The answer comes from a row.", "`ask`"),
        ),
        group(
            "Numbers",
            "screen.number",
            ("190000", "Room for applicants: 200,000 - 2,000 - 8,000 = 190,000 tokens.", "`costs course`, Workshop"),
            (
                "95",
                "Applicants that fit one window: 190,000 ÷ 2,000 = 95; 54 follow after applicant 96.",
                "`costs course`, Workshop",
            ),
            ("9.3M", "Scoring 95 in one conversation reads about 9.3 million tokens.", "`costs course`, Workshop"),
            ("18.60", "That is about $18.60 of input ($18.62 exactly).", "`costs course`, Workshop"),
            ("1.11", "150 x 3,700 tokens in: $1.11.", "`costs course`, Workshop"),
            ("0.30", "150 x 250 tokens out: $0.30.", "`costs course`, Workshop"),
            ("1.41", "One thread an applicant: $1.41 for all 150.", "`costs course`, Workshop"),
            ("3.76", "400 applicants: $2.96 + $0.80 = $3.76.", "`costs course`, Workshop"),
            ("6.4MB", "400 x 16 KB = 6.4 MB.", "`costs course`, Workshop"),
            ("16KB", "Eight checkpoints of about 2 KB: 16 KB an applicant.", "`costs course`, `make bench`, Workshop"),
            ("2.4MB", "A role of 150 is 2.4 MB.", "`costs course`, `make bench`, Workshop"),
            ("14MB", "With CV and transcript in every checkpoint: about 14 MB.", "`costs course`, Workshop"),
            ("1200", "And 1,200 copies of personal data to delete.", "`costs course`, Workshop"),
        ),
    ),
)
