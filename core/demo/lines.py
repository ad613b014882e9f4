"""What the demo's CVs say for each of role 14's criteria, in the strengths of its anchors: 0, 1, 3, 5.

A strength of 0 says nothing at all. `{brand}` and `{other}` are invented brands, `{junior}` and `{second}`
invented colleagues. No line speaks for two criteria.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Strength = int
Lines = Mapping[Strength, Sequence[Sequence[str]]]

LED: Lines = {
    1: (
        ("Helped with the launch of the {brand} brand.",),
        ("Helped the team that renewed the {brand} brand.",),
        ("Assisted on the {brand} rebrand as one of five.",),
    ),
    3: (
        ("Led the packaging part of the {brand} rebrand.",),
        ("Led part of the {brand} brand: its signs and its shop front.",),
        ("Led the website part of the new {brand} brand.",),
    ),
    5: (
        ("Led the {brand} brand from brief to launch; orders rose by 18 per cent in its first year.",),
        ("Led the whole {brand} rebrand from brief to launch; visits grew from 4,000 to 6,500 a month.",),
        ("Led {brand} from the first brief to launch; it sold out its first print run in six weeks.",),
        ("Led the {brand} brand whole, from brief to launch; returns fell by a third after it.",),
    ),
}

CRAFT: Lines = {
    1: (
        ("{brand}; {other}; a set of bookmarks.",),
        ("{brand}, {other}, two posters.",),
    ),
    3: (
        (
            "{brand}, labels: eight sizes on one grid, printed in two inks.",
            "{other}, signs: forty enamel plates and one plan of the building.",
        ),
        (
            "{brand}, book covers: twelve titles, hand-set type, one blue.",
            "{other}, website: five page kinds, a narrow column, large pictures.",
        ),
        (
            "{brand}, a mark and its stationery: drawn with a broad nib, cut in brass.",
            "{other}, a yearly report: ninety pages, charts drawn by hand.",
        ),
    ),
    5: (
        (
            "{brand}, labels: the type is wide because the jars are read from two metres away.",
            "{other}, signs: set low, so that children can follow them without help.",
        ),
        (
            "{brand}, a mark: drawn without curves because it is cut from slate by hand.",
            "{other}, website: one column, so that it reads the same on the oldest phones.",
        ),
        (
            "{brand}, book covers: no pictures, because the series is shelved spine out.",
            "{other}, posters: two inks only, so that the town's own press can print them.",
        ),
    ),
}

CLIENTS: Lines = {
    1: (
        ("Present in client meetings.",),
        ("Took notes in meetings with clients.",),
        ("Sat in on calls with clients.",),
    ),
    3: (
        ("Presents work to clients every second week.",),
        ("Presents each round of sketches to the client in person.",),
        ("Presented the proposals to three clients a year.",),
    ),
    5: (
        ("Runs the relation with three clients: budget, plan and the monthly call.",),
        ("Runs the client relation for two museums, from the first talk to the yearly contract.",),
        ("Owns the relation with four clients and agrees plan and budget with each.",),
    ),
}

TEACHES: Lines = {
    1: (
        ("Gives colleagues informal feedback when they ask.",),
        ("Informal advice on type to whoever sits near.",),
    ),
    3: (
        ("Taught one junior to prepare files for print.",),
        ("Mentored one intern through a first summer.",),
        ("Reviewed the sketches of one junior designer.",),
    ),
    5: (
        ("Reviews the work of {junior} and {second} every Friday.",),
        ("Teaches {junior} and {second}, two juniors, for an hour each week.",),
        ("Mentors {junior} and {second} every month and reviews all that they send out.",),
    ),
}

PLAINLY: Lines = {
    1: (
        (
            "Being a person whose practice, while it could be said to be situated at, and indeed between,",
            "several disciplines, which each in their own way inform what, for want of a word, might",
            "be termed an approach, I would, all things being equal, be open to a talk in this regard.",
        ),
        (
            "Leveraging holistic end-to-end synergies across touchpoints, I ideate and operationalise, in a",
            "stakeholder-centric manner, scalable visual ecosystems, the learnings of which, going forward,",
            "are subsequently, where appropriate and subject to alignment, surfaced and cascaded downstream.",
        ),
    ),
    3: (
        (
            "I am a designer who likes small teams and long projects, and I have worked on printed things",
            "for most of my working life, first in a print shop and later in two studios.",
        ),
        (
            "I have designed for shops and for public places for several years, and I am looking for a",
            "studio where I can see a piece of work through and learn from the people around me.",
        ),
        (
            "My work began with type and has moved slowly towards whole systems, which I enjoy because every",
            "part of them has to hold up next to all the others when the work is done.",
        ),
    ),
    5: (
        ("I design things that people read. I ask first, then I draw.",),
        ("I make plain things well. I like print, paper and short meetings.",),
        ("I draw letters. I leave out what nobody needs.",),
        ("I design for readers. Every piece starts with one question.",),
    ),
    0: (("xx//vis.des 360 ++ mltdsc; pxl/vct~ w/ grdz & knws trnds;; hmu 4 rts >> vbs only",),),
}

BRANDS = (
    "Harbour Tea", "Night Bus Books", "Corner Press", "Saltmarsh Cheese", "Little Museum of Clocks",
    "Fernhill Bakery", "Quayside Cycles", "Tallow & Wick", "Rookery Cider", "Blue Door Theatre",
    "Penny Orchard", "Northgate Library", "Copper Kettle", "Museum of String", "Wren Street Soap",
    "Half Moon Ferry", "Plum Lane Toys",
)  # fmt: skip
COLLEAGUES = ("Tomas", "Ife", "Bea", "Anouk", "Dev", "Maren", "Osei", "Lotte", "Kit", "Samira", "Jory")
STUDIOS = (
    "Larkfield Studio", "Oddment & Sons", "Paper Yard", "Ninth Street", "Tin Roof Works", "Hollin House",
    "Studio Quince", "Ferry Lane", "Blackthorn Print", "Marsh & Moor", "The Drawing Office",
)  # fmt: skip
NEUTRAL = (
    "Prepared files for print and checked proofs.",
    "Kept the studio's font and picture library in order.",
    "Drew icons and maps for leaflets.",
    "Set menus, tickets and opening times.",
    "Photographed finished pieces for the archive.",
    "Built paper models of boxes before they went to print.",
    "Chose papers and asked printers for quotes.",
    "Retouched photographs for a catalogue.",
    "Wrote the studio's list of file names and folders.",
)
SCHOOLS = (
    "Riverside College of Art",
    "Northern School of Print",
    "Westbridge University",
    "Institute of Type, Delft",
)
TOWNS = ("Leeds", "York", "Hull", "Bradford", "Sheffield", "Manchester", "Lisbon", "Dublin", "Glasgow")
COVER_NOTES = (
    "Dear all,\n\nI saw the role on your own page and would be glad to talk about it.\n\n{name}\n",
    "Hello,\n\nmy CV is attached. I am free for a talk on most mornings.\n\nKind regards\n{name}\n",
    "Good morning,\n\nI would like to work in a studio of your size. The CV says the rest.\n\n{name}\n",
)
