"""What a question says: its kind, and the words of it that name somebody. No model; phrases and a stop list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.identity import fold_words, guess_email
from core.views.ask_answers import BARE_NAME, VERBS, Verb

# Questions that need a search over people; the record answers about one.
_SEARCHES = (
    "candidates like", "candidate like", "people like", "someone like", "anyone like", "somebody like", "anybody like",
    "applicants like", "designers like", "designer like", "more like", "similar to", "similar", "resembles",
    "who is best", "who is the best", "the best", "best candidate", "best candidates", "best applicant", "strongest",
    "who should", "which candidates", "which candidate", "which applicants", "recommend", "compare",
)  # fmt: skip
_STOP = frozenset(
    fold_words(
        """
        a about already an and any applicant are at been before by can candidate could did do does ever for from get
        give given got had has have he her him his how i in is it me my now of on or our out person please role she
        show so tell that the their them there they this to under us version was we were what when where which who
        used whom whose why will with yesterday yet you
        email letter mail send sent today
        """
    )
)
_VERB_WORDS = frozenset(word for verb in VERBS for phrase in verb.phrases for word in phrase.split())
_THREAD = re.compile(r"[a-z0-9][\w.-]*(?:/[\w.-]*\w)+")
_POSSESSIVE = re.compile(r"['\u2019]s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, taken apart. `names` must all be words of a name; `maybe` may be (An, Will, Book)."""

    words: tuple[str, ...]
    names: frozenset[str]
    maybe: frozenset[str]
    threads: tuple[str, ...]
    email: str | None
    is_search: bool

    def verb(self, name: str | None) -> Verb:
        """Answer which kind it is, given whom it is about: "did we invite Will Book" asks after no booking."""
        left = list(self.words)
        for word in fold_words(name or ""):
            if word in left:
                left.remove(word)
        return next((verb for verb in VERBS if any(_says(left, phrase) for phrase in verb.phrases)), BARE_NAME)


def _says(words: Sequence[str], phrase: str) -> bool:
    return f" {phrase} " in f" {' '.join(words)} "


def take_apart(question: str) -> Asked:
    """Answer what a question asks and whom it names."""
    email, threads = guess_email(question), tuple(_THREAD.findall(question))
    rest = question.replace(email, " ") if email else question
    for thread_id in threads:
        rest = rest.replace(thread_id, " ")
    words = fold_words(_POSSESSIVE.sub("", rest))
    maybe = frozenset(words) & (_STOP | _VERB_WORDS)
    return Asked(
        words=words,
        names=frozenset(words) - maybe,
        maybe=maybe,
        threads=threads,
        email=email,
        is_search=any(_says(words, phrase) for phrase in _SEARCHES),
    )
