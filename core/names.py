"""Which name heads a CV, and how surely it is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from core.identity import fold_words, guess_email

_ONE_WORD_NAME = re.compile("[\u3400-\u9fff]{2,4}|[\uac00-\ud7af]{2,4}|[\u30a0-\u30ff]{2,8}")
_HEAD_LINES = 14
_MOST_WORDS = 5
_LONGEST = 60
_PARTS = re.compile(r"\s*(?:[|\u2022\u00b7,;\t\f/]|\s[-\u2013\u2014]\s|\s{2,}|\()\s*")
_LABEL = re.compile(
    r"^\W*(?:full name|name|candidate|applicant|nom|nombre|nome|imię i nazwisko|jméno|naam|navn|namn|имя|фио|ім'я"
    r"|\u0627\u0644\u0627\u0633\u0645|\u05e9\u05dd)\s*[:\uff1a]\s*|^\W*(?:氏名|名前|お名前|姓名|이름|성명)(?:\s*[:\uff1a]\s*|\s+)",
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
        履歴書 職務経歴書 氏名 フリガナ 住所 電話 学歴 職歴 資格 简历 个人简历 求职简历 簡歷 姓名 地址 电话
        教育背景 工作经历 이력서 자기소개서 이름 성명 주소 연락처 학력 경력 резюме опыт образование навыки
        """,
    )
)


@dataclass(frozen=True, slots=True)
class NameFound:
    """A name that was read in a file: `surely` is `high` where a label or the address bears it out, else `low`."""

    name: str
    surely: Literal["high", "low"]


def guess_name(visible_text: str) -> str | None:
    """Answer the name that heads a CV, in its own spelling, or None where no line is surely one."""
    found = find_name(visible_text)
    return None if found is None else found.name


def find_name(visible_text: str) -> NameFound | None:
    """Answer the name that heads a CV and how surely it is one, or None.

    A line that shares a word with the address is preferred. A single word counts only where the address or
    a label bears it out, or where its script writes names as one word. A surname is never added.
    """
    lines = [line for line in re.split(r"[\n\f]", visible_text) if line.strip()][:_HEAD_LINES]
    local = fold_words((guess_email(visible_text) or "").split("@")[0])
    labelled = [_as_name(_LABEL.sub("", line), local) for line in lines if _LABEL.match(line)]
    heads = [_as_name(line, local) for line in lines]
    borne_out = [name for name in heads if name and _agrees(name, local)]
    several = [name for name in heads[:6] if name and (len(name.split()) > 1 or _ONE_WORD_NAME.fullmatch(name))]
    if sure := next((name for name in (*labelled, *borne_out) if name), None):
        return NameFound(sure, "high")
    return NameFound(several[0], "low") if several else None


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
