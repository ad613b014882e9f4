"""Who the demo's applicants are: invented names and addresses that nobody can have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.identity import fold_words

PRIYA_SHAH = 93
NAMESAKES = (38, 121)
WITHOUT_ADDRESS = frozenset({27, 74, 139})

_NAMESAKE = "Amara Lindqvist"
_ONE_NAME = {56: "Sunniva", 112: "Kasimir"}
_DOMAINS = ("example.com", "example.org", "example.net")
_FIRST = re.findall(
    r"[^\s,]+",
    """
    Adaeze, Bram, Chidi, Dagny, Elif, Farid, Greta, Haruto, Imani, Jakub, Keziah, Leocadia, Mirek, Noor,
    Oisín, Paloma, Quentin, Rasmus, Saoirse, Tamsin, Ulrike, Vikram, Wanjiru, Xiomara, Yusuf, Zofia, Anselm,
    Beatriz, Ciarán, Delphine, Efua, Fenella, Gaspard, Hyacinth, Ingrid, Jorunn, Kwabena, Ludmila, Maëlle,
    Nikolai, Ottilie, Piotr, Radhika, Søren, Thandiwe, Uzma, Valentín, Wiktoria, Yara,
    Zainab
    """,
)
_LAST = re.findall(
    r"[^\s,]+",
    """
    Abernathy-Cole, Brzeziński, Castellane, Dunmore, Eriksholm, Farrow, Ghorbani, Halloran, Ilves, Jankovic,
    Kestrel, Łukasik, Marchetti, Nakagawa, Okonjo, Pellegrin, Quarshie, Rosenkvist, Sundaram, Thistlewood,
    Umeh, Vasquez-Ridge, Whitlock, Yamazaki, Zeller, Ashgrove, Bellweather, Cranmere, Dlamini, Eastcott,
    Fjellstad, Greenhalgh, Holloway-Mbeki, Ismailov, Jørgensen, Kowalczyk, Larkspur, Mwangi, Novotný, Ortega,
    Penhaligon, Rautavaara, Stavros, Tremblay, Vilhjálmsdóttir, Wójcik, Xanthakis, Yilmaz, Zielonka, Óduya,
    Birkenhead, Caddick, Drayton
    """,
)


@dataclass(frozen=True, slots=True)
class Someone:
    """An invented person: a full name and, for all but three, an address."""

    name: str
    email: str | None


def person(number: int) -> Someone:
    """Answer the demo's applicant of this number, always the same."""
    name = _name(number)
    return Someone(name, None if number in WITHOUT_ADDRESS else _address(name, number))


def _name(number: int) -> str:
    """Answer a name; its parts go round at lengths without a common divisor, so no pair comes twice."""
    if number == PRIYA_SHAH:
        return "Priya Shah"
    if number in NAMESAKES:
        return _NAMESAKE
    return _ONE_NAME.get(number) or f"{_FIRST[number % len(_FIRST)]} {_LAST[number % len(_LAST)]}"


def _address(name: str, number: int) -> str:
    words = fold_words(name)
    local = f"{words[0]}.{words[-1][0]}" if number == NAMESAKES[1] else ".".join(words)
    return f"{local}@{_DOMAINS[number % len(_DOMAINS)]}"
