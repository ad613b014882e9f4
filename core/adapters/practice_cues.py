"""The practice model's words: which cue each word of a line is, for one rubric.

A cue is a bit, a line is the sum of its words' bits, and a look-up is one dictionary access a word: that is
all the reading there is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_THESAURUS = Path(__file__).resolve().parents[2] / "data" / "practice" / "thesaurus.toml"
_ENDINGS = ("", "s", "es", "ed", "d", "ing", "ion", "ions", "ation")
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "shown"}
    | {
        "experience",
        "work",
        "works",
        "working",
        "skills",
        "knowledge",
        "good",
        "strong",
        "use",
        "uses",
        "using",
    }
)


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion as the practice model reads it: its theme and the bit of its own topic words."""

    number: int
    maximum: int
    theme: str
    topic: int


@dataclass(frozen=True, slots=True)
class Cues:
    """The bits of every word that counts under one rubric, and its criteria."""

    words: Mapping[str, int]
    criteria: tuple[Criterion, ...]


@cache
def sign_bits() -> dict[str, int]:
    """Answer the bit of each sign of the thesaurus."""
    return {name: 1 << place for place, name in enumerate(_thesaurus()["signs"])}


def compile_cues(rubric: Mapping[str, Any]) -> Cues:
    """Answer the cues of a rubric: the thesaurus's signs, and a topic for each criterion."""
    words: dict[str, int] = {}
    for name, listed in _thesaurus()["signs"].items():
        _add(words, listed, sign_bits()[name])
    topic, criteria = 1 << len(sign_bits()), []
    for criterion in rubric["criteria"]:
        title = _words(criterion["title"])
        theme = _theme_of(title)
        _add(words, _topic_words(theme, title), topic)
        criteria.append(Criterion(criterion["number"], criterion["maximum"], theme, topic))
        topic <<= 1
    return Cues(words, tuple(criteria))


@cache
def _thesaurus() -> dict[str, Any]:
    return tomllib.loads(_THESAURUS.read_text("utf-8"))


def _words(text: str) -> list[str]:
    kept = "".join(char if char.isalnum() or char == "-" else " " for char in text.lower())
    return [word for word in kept.split() if word not in _SMALL_WORDS]


def _theme_of(title: list[str]) -> str:
    for theme, names in _thesaurus()["themes"].items():
        covered = {form for name in names for form in _forms(name)}
        if covered & set(title):
            return str(theme)
    return "topic"


def _topic_words(theme: str, title: list[str]) -> set[str]:
    """Answer the words a line must have one of to be about this criterion."""
    groups: Mapping[str, list[str]] = _thesaurus()["groups"]
    if theme == "craft":
        return {*groups["craft"], *(() if "craft" in title else groups["work"])}
    if theme == "clients":
        return set(groups["client"])
    signs = _thesaurus()["signs"]
    if theme == "lead":
        spoken = {form for name in ("whole", "begin", "finish") for word in signs[name] for form in _forms(word)}
        title = [word for word in title if word not in spoken]
    alike = [group for name, group in groups.items() if name != "craft" and set(group) & set(title)]
    near = {word for group in alike for word in group}
    return near | set(title) or set(groups["work"])


def _add(words: dict[str, int], listed: Iterable[str], bit: int) -> None:
    for word in listed:
        for form in _forms(word):
            words[form] = words.get(form, 0) | bit


def _forms(word: str) -> set[str]:
    """Answer the word with its usual endings; a short one stands for itself."""
    if len(word) < 4 or not word[-1].isalpha():
        return {word}
    bare = word[:-1] if word[-1] == "s" and word[-2] != "s" else word
    stems = {word, bare, bare[:-1] if bare[-1] in "ey" else bare}
    forms = {stem + ending for stem in stems for ending in _ENDINGS}
    return forms | ({word[:-1] + "ies", word[:-1] + "ied"} if word.endswith("y") else set()) | {word}
