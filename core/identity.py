"""Who an application is from: what is typed, how it is compared, and which name heads a CV.

The rule for e-mail addresses (VERSION 1). Two spellings are one person when they are equal after: white
space around them is dropped, full-width forms are written plainly, and letters are lowered. Dots and plus
tags are kept, because at many domains `a.b@`, `ab@` and `a.b+jobs@` are different people. Mail goes to the
address as typed; the compared form is only ever hashed. The version stands beside every hash.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

from email_validator import EmailNotValidError, validate_email

from core.errors import BadInput

VERSION = 1

_ADDRESS = re.compile(r"[\w.%+'\u2019-]+[@\uff20][\w-]+(?:[.\uff0e][\w-]+)+")
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
        "ŧ": "t",
    }
)
_APOSTROPHES = re.compile("['\u2019\u2018\u02bc`\u00b4]")
_JOINERS = ("\u200c", "\u200d")
_KEPT_CONTROLS = "\t\n\r"

_HEAD_LINES = 14
_MOST_WORDS = 5
_LONGEST = 60
_PARTS = re.compile(r"\s*(?:[|\u2022\u00b7,;\t\f/]|\s[-\u2013\u2014]\s|\s{2,}|\()\s*")
_LABEL = re.compile(
    r"^\W*(?:full name|name|candidate|applicant|nom|nombre|nome|imię i nazwisko|jméno|naam|navn|namn"
    r"|\u0627\u0644\u0627\u0633\u0645|\u05e9\u05dd)\s*[:\uff1a]\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][^\W\d_.'\u2019\u02bc\u05be-]*(?:[.'\u2019\u02bc\u05be-][^\W\d_]*)*\.?")
_PARTICLES = frozenset(
    re.findall(r"\w+", "al bin binti da das de del della den der di do dos du e el ibn la le ter van von y zu")
)
_NO_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
        about academic achievements address an analyst and application architect areas art artist assistant
        associate at awards bachelor background bewerbung brand career certificates certifications chief
        city clients college company confidential consultant contact contents copywriter core cover creative
        curriculum cv data date dear designer details developer digital director dossier editor education
        email employment engineer engineering executive experience expertise for founder freelance
        freelancer front full functional graduate graphic head highlights hiring history illustrator in
        interests intern introduction junior key languages lead lebenslauf letter limited linkedin london
        ltd madam manager marketing me mobile model motion my note objective of officer page partner
        personal phone photographer portfolio principal producer product profession professional profil
        profile program programmer project projects publications qualifications references researcher
        responsibilities resume role sample scientist selected senior sir skills software specialist
        statement strategist strengths studio summary teacher technical tel telephone template the to
        university ux vita vitae web with work writer zusammenfassung
        """,
    )
)


def normalise_email(text: str) -> str:
    """Answer the form in which two addresses are compared (rule VERSION); never the one that mail goes to."""
    return _trimmed(unicodedata.normalize("NFKC", storable(text))).lower()


def check_email(text: str) -> str:
    """Answer the address as typed, without white space around it, or raise BadInput."""
    typed = _trimmed(text)
    try:
        validate_email(unicodedata.normalize("NFKC", storable(typed)), check_deliverability=False)
    except EmailNotValidError as error:
        shown = display_name(typed)[:60] or "Nothing"
        raise BadInput(f"{shown} is not an e-mail address that mail can be sent to; correct it.") from error
    return typed


def fold_words(name: str) -> tuple[str, ...]:
    """Answer the words of a name for exact look-up, without accents, case and apostrophes."""
    visible = "".join(character for character in storable(name) if unicodedata.category(character) != "Cf")
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", visible)).casefold().translate(_LETTERS)
    apart = unicodedata.normalize("NFD", plain)
    bare = "".join(character for character in apart if unicodedata.category(character) != "Mn")
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare)))


def guess_email(visible_text: str) -> str | None:
    """Answer the first address that the text shows and mail can be sent to, or None."""
    for found in _ADDRESS.findall(visible_text):
        try:
            return check_email(unicodedata.normalize("NFKC", found).strip(".'\u2019-"))
        except BadInput:
            continue
    return None


def guess_name(visible_text: str) -> str | None:
    """Answer the name that heads a CV, in its own spelling, or None where no line is surely one.

    A line that shares a word with the address is preferred. A single word counts only where the address or
    a label bears it out. A surname is never added.
    """
    lines = [line for line in re.split(r"[\n\f]", visible_text) if line.strip()][:_HEAD_LINES]
    local = fold_words((guess_email(visible_text) or "").split("@")[0])
    labelled = [_as_name(_LABEL.sub("", line), local) for line in lines if _LABEL.match(line)]
    heads = [_as_name(line, local) for line in lines]
    borne_out = [name for name in heads if name and _agrees(name, local)]
    several = [name for name in heads[:6] if name and len(name.split()) > 1]
    return next((name for name in (*labelled, *borne_out, *several) if name), None)


def storable(text: str) -> str:
    """Answer the text as any database can keep it: no NUL, and a mark where half a character stood."""
    return "".join(
        "\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text if character != "\x00"
    )


def display_name(text: str) -> str:
    """Answer a name that shows in the order it is stored in: nothing in it turns or hides what follows."""
    text = storable(text)
    before = f" {text}"[: len(text)]
    shown = (_shown(character, previous) for character, previous in zip(text, before, strict=True))
    return " ".join("".join(shown).split())


def _shown(character: str, previous: str) -> str:
    """Drop controls, and format characters except a joiner that letters of its script or an emoji need."""
    if character in _KEPT_CONTROLS:
        return " "
    if character in _JOINERS:
        return character if unicodedata.category(previous) in {"So", "Sk", "Lo", "Mn", "Mc"} else ""
    return "" if unicodedata.category(character) in {"Cc", "Cf"} else character


def _trimmed(text: str) -> str:
    """Drop white space and unseen characters at both ends."""
    start, end = 0, len(text)
    while start < end and _is_blank(text[start]):
        start += 1
    while end > start and _is_blank(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in {"Cc", "Cf"}


def _as_name(line: str, local: tuple[str, ...]) -> str | None:
    """Answer the line's first part as a name, or None where it is none."""
    joined = _joined(line.strip(" *#>\t"), local)
    part = _PARTS.split(joined)[0].strip() if joined else ""
    words = part.split()
    if not words or len(words) > _MOST_WORDS or len(part) > _LONGEST:
        return None
    if not all(_is_name_word(word, place) for place, word in enumerate(words)):
        return None
    if set(fold_words(part)) & _NO_NAMES:
        return None
    return " ".join(_capitalised(word) for word in words) if part.isupper() and len(part) > 1 else part


def _joined(line: str, local: tuple[str, ...]) -> str:
    """Join a heading written letter by letter; its words are parted by wider gaps, or else by the address."""
    letters = line.split()
    if len(letters) < 4 or any(len(letter) > 1 for letter in letters):
        return line
    words = re.split(r"\s{2,}", line)
    if len(words) > 1:
        return " ".join("".join(word.split()) for word in words)
    return _parted_by_address("".join(letters), local)


def _parted_by_address(letters: str, local: tuple[str, ...]) -> str:
    """Part letters where the address's own words meet, or answer nothing."""
    for words in (local, local[::-1]):
        if "".join(words) == "".join(fold_words(letters)):
            ends = list(accumulate(len(word) for word in words))
            return " ".join(letters[start:end] for start, end in zip([0, *ends], ends, strict=False))
    return ""


def _is_name_word(word: str, place: int) -> bool:
    if not _WORD.fullmatch(word):
        return False
    return not word[0].islower() or (place > 0 and word.lower() in _PARTICLES)


def _agrees(name: str, local: tuple[str, ...]) -> bool:
    """Say whether the address has a word of this name in it; two letters agree with anything."""
    return any(len(word) > 2 and word in "".join(local) for word in fold_words(name))


def _capitalised(word: str) -> str:
    """Write a word in capitals as a name is written: O'NEIL-SMITH becomes O'Neil-Smith."""
    return re.sub(r"[^\W\d_]+", lambda found: found[0][0] + found[0][1:].lower(), word)
