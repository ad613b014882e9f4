"""Says whether letters make words at all: a font whose letters are mapped wrongly gives text that looks like text."""

from __future__ import annotations

import re
import unicodedata

UNUSABLE_DOUBT = (
    "The text of this file is not usable: its letters make no words, as with a font that maps them wrongly."
)
OTHER_LETTERS_DOUBT = "The text of this file is not usable: its fonts show other letters than they say."

_NO_LETTERS = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_GLYPHS = re.compile(r"/(?:[gGcC]|uni|glyph)[0-9A-Fa-f]{1,5}\b|\(cid:\d+\)")
_VOWELS = "aeiouyæœøıəɛɔαεηιουωаеёиоуыэюяіїєў"
_RARE = "jqxzwkvyζξψφθβфщъцэшжюх"
_WORD = re.compile(r"[^\W\d_]{4,}")
_WRITES_VOWELS = re.compile(r"[a-zæœøıəɛɔα-ωа-яёіїєў]+")
_TORN = re.compile(r"[^\W_][\\{}|<>^~`\"][^\W_]|\\[^\W\d_]|[{}]{2}")
# What stands in the body of a file that is no text; where a text has it, a file's head is gone or torn.
_TORN_HEAD = re.compile(r"fonttbl|ansicpg|\\ansi\b|\\rtf\d|\\f\d\b|PDF-\d\.\d|\b\d+ \d+ obj\b")
_BODY = re.compile(
    r"endobj|startxref|endstream|\d+ 0 R\b|\\(?:fonttbl|colortbl|pard|f\d+)\b|word/document\.xml|<w:t\b|PK\x03\x04"
)
_HEAD_WITHIN, _BODY_WITHIN = 200, 20_000
_FEWEST_LETTERS = 50
_FEWEST_SIGNS = 40
_SAMPLE = 100_000


def is_usable(text: str) -> bool:
    """Say whether a person could read it: few marks without form, and letters that make words."""
    sample = text[:_SAMPLE]
    signs = [one for one in sample if not one.isspace()]
    if not signs:
        return True
    if len(_NO_LETTERS.findall(sample)) * 10 > len(signs):
        return False
    if sum(len(found) for found in _GLYPHS.findall(sample)) * 4 > len(signs):
        return False
    letters = sum(one.isalnum() or unicodedata.category(one) in ("Mn", "Mc") for one in signs)
    if len(signs) >= _FEWEST_SIGNS and letters * 2 < len(signs):
        return False
    return not _is_torn(sample) and _makes_words(sample)


def is_body_of_a_file(text: str) -> bool:
    """Say whether this is no text but what stands inside of a file that is told by its head."""
    return bool(_TORN_HEAD.search(text[:_HEAD_WITHIN])) or len(_BODY.findall(text[:_BODY_WITHIN])) > 1


def _is_torn(text: str) -> bool:
    """Say whether one word in eight has signs within it that no writing puts there, as the raw body of a file has."""
    words = [word for word in text.split() if len(word) > 2 and "://" not in word]
    return sum(_TORN.search(word) is not None for word in words) * 8 > len(words)


def _makes_words(text: str) -> bool:
    """Say whether the different words are made as words are: two letters in five are vowels, few are rare ones.

    Letters put for others by chance have one vowel in four and one rare letter in three. Only Latin, Greek and Cyrillic
    are weighed, which write their vowels; words in capitals may be abbreviations.
    """
    words = {_bare(word) for word in _WORD.findall(text) if not word.isupper()}
    letters = "".join(word for word in words if _WRITES_VOWELS.fullmatch(word))
    vowels, rare = (sum(letters.count(one) for one in some) for some in (_VOWELS, _RARE))
    return len(letters) < _FEWEST_LETTERS or vowels * 10 >= len(letters) * 3 or rare * 5 < len(letters)


def _bare(word: str) -> str:
    """Write a word small and without accents."""
    apart = unicodedata.normalize("NFD", word.lower())
    return "".join(one for one in apart if unicodedata.category(one) != "Mn")
