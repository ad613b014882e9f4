"""Who an application is from: what is typed, how it is compared, and which addresses a text shows.

The rule for e-mail addresses (VERSION 1). Two spellings are one person when they are equal after: white
space around them is dropped, full-width forms are written plainly, and letters are lowered. Dots and plus
tags are kept, because at many domains `a.b@`, `ab@` and `a.b+jobs@` are different people. Mail goes to the
address as typed; the compared form is only ever hashed. The version stands beside every hash. Spellings that
differ in dots and tags only are told to the person who decides, and are never taken for one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from email_validator import EmailNotValidError, validate_email

from core.errors import BadInput

VERSION = 1

# Each part is as long as an address may have it, and none is begun within another, but where plain letters follow a
# script without spaces: no text is read more often than an address is long.
_LOCAL = r"\w.%+'\u2019-"
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ADDRESS = re.compile(
    rf"(?:(?<![{_LOCAL}])|(?<=[{_UNSPACED}])(?=[\x21-\x7e]))"
    rf"[{_LOCAL}]{{1,64}}[@\uff20][\w-]{{1,63}}(?:[.\uff0e][\w-]{{1,63}}){{1,8}}"
)
_LONGEST_ADDRESS = 254
_LONGEST_NAME = 200
_MOST_TRIED = 50
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h", "ŧ": "t"}
)
_APOSTROPHES = re.compile("['\u2019\u2018\u02bc`\u00b4]")
_OTHER_SCRIPT = re.compile(rf"^[^@]*[{_UNSPACED}](?=[\x21-\x7e]+@)")
_JOINERS = ("\u200c", "\u200d")
_KEPT_CONTROLS = "\t\n\r"
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def normalise_email(text: str) -> str:
    """Answer the form in which two addresses are compared (rule VERSION); never the one that mail goes to."""
    return _trimmed(unicodedata.normalize("NFKC", storable(text))).lower()


def loosened_email(text: str) -> str:
    """Answer the address without dots and tags before the @: equal ones may be one person, and often are not."""
    local, _, domain = normalise_email(text).rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def check_email(text: str) -> str:
    """Answer the address as typed, without white space around it, or raise BadInput.

    At most 254 characters. A line break, a control or a character that nobody sees is refused, not dropped.
    """
    typed = _trimmed(text)
    shown = display_name(typed[:_LONGEST_ADDRESS])[:60] or "Nothing"
    if len(typed) > _LONGEST_ADDRESS:
        raise BadInput(f"{shown}… is longer than the {_LONGEST_ADDRESS} characters of any e-mail address; correct it.")
    if any(map(_steers, text)) or any(_is_unseen(character) for character in typed):
        raise BadInput(f"The address {shown} holds a line break or a character that nobody sees; type it again.")
    try:
        validate_email(unicodedata.normalize("NFKC", typed), check_deliverability=False)
    except EmailNotValidError as error:
        raise BadInput(f"{shown} is not an e-mail address that mail can be sent to; correct it.") from error
    return typed


def check_name(text: str) -> str:
    """Answer a person's name as it is shown and kept, or raise BadInput; at most 200 characters."""
    name = display_name(text[: _LONGEST_NAME * 4])
    if not name:
        raise BadInput("A name needs at least one letter that can be seen.")
    if len(name) > _LONGEST_NAME or len(text) > _LONGEST_NAME * 4:
        raise BadInput(f"The name {name[:40]}… is longer than {_LONGEST_NAME} characters; shorten it.")
    return name


def fold_words(name: str) -> tuple[str, ...]:
    """Answer the words of a name for exact look-up, without accents, case and apostrophes."""
    visible = "".join(character for character in storable(name) if unicodedata.category(character) != "Cf")
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", visible)).casefold().translate(_LETTERS)
    apart = unicodedata.normalize("NFD", plain)
    bare = "".join(character for character in apart if unicodedata.category(character) != "Mn")
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare)))


def list_emails(visible_text: str) -> list[str]:
    """Answer the different addresses that the text shows and mail can be sent to, in their order."""
    found: dict[str, str] = {}
    for address in _addresses(visible_text):
        found.setdefault(normalise_email(address), address)
    return list(found.values())


def guess_email(visible_text: str) -> str | None:
    """Answer the first address that the text shows and mail can be sent to, or None."""
    return next(_addresses(visible_text), None)


def _addresses(visible_text: str) -> Iterator[str]:
    """Yield what mail can be sent to among the first 50 that look like an address."""
    for found in islice(_ADDRESS.finditer(visible_text), _MOST_TRIED):
        written = _after_other_script(unicodedata.normalize("NFKC", found[0]))
        try:
            yield check_email(written.strip(".'\u2019-"))
        except BadInput:
            continue


def _after_other_script(written: str) -> str:
    """Drop words of a script without spaces that an address was written right after."""
    return _OTHER_SCRIPT.sub("", written) if written[-1].isascii() else written


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


def _steers(character: str) -> bool:
    """Say whether it is a control that nobody types by accident, or turns the text around it."""
    is_control = unicodedata.category(character) == "Cc" and character not in _KEPT_CONTROLS
    return is_control or character in _TURNING


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp", "Cs"}
