"""One file cannot stop intake or a worker: whatever it holds, the work grows with it and no faster."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from core.adapters.readers import ApplicationReader
from core.adapters.readers.characters import LONGEST_LINE
from core.adapters.readers.reasons import DAMAGED
from core.catalog.role_text import read_role
from core.errors import BadInput, UnreadableFile
from core.identity import guess_email
from core.workflows.screening.rules import statements

ROOT = Path(__file__).parents[2]
CPU_SECONDS = 100
MILLION = 1_000_000
# What a text is filled with. Read again from every place, a million characters of any of these would take hours.
FILLINGS = (
    "a", "a@", "a@b.test ", "a.", "http://", "\\n", "[", "![", "<", "**a ", "# a #", "aaaa\\n", "(", "notice ", "-",
)  # fmt: skip
_READ_ALL = """
import json, sys
from core.adapters.practice_model import score_texts
from core.adapters.readers import ApplicationReader
from core.identity import guess_email
from core.names import guess_name
from core.workflows.screening.quotes import VisibleText
from core.workflows.screening.rules import answer_rules, statements
from tests.unit.screening_people import configs

content = ("Ann Example\\n" + sys.argv[1].replace("\\\\n", "\\n") * int(sys.argv[2])).encode()
document = ApplicationReader().read(content, "cv.txt")
guess_email(document.visible), guess_name(document.visible)
said = list(statements("cv", document.pages))
answer_rules(configs()["rules"].content["rules"], {}, lambda: said)
scores = score_texts(json.dumps(configs()["rubric"].content), document.visible)
[VisibleText(document.pages).find(score["quote"]) for score in scores]
print(len(document.visible))
"""


@pytest.mark.parametrize("filling", FILLINGS)
def test_a_million_characters_are_read_within_what_the_kernel_allows(filling: str) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

    count = str(MILLION // len(filling.replace("\\n", "\n")))
    ran = subprocess.run(
        [sys.executable, "-c", _READ_ALL, filling, count],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


# What begins something in each format, and nothing that ends it.
WEB_SIGNS = ("<a ", "</", "<!--", "<!-- ->", "<?", "<style ", "<a href='", "&#")
UNENDED = (
    *(("<html><p>Ann Example</p>", sign) for sign in WEB_SIGNS),
    *(("<html><p>Ann Example</p><style>", sign) for sign in ("a", "a{", "/*", "a,")),
    *(("# Ann <b>Example</b>\n", sign) for sign in WEB_SIGNS),
)


@pytest.mark.parametrize(("head", "sign"), UNENDED)
def test_a_million_characters_that_begin_and_never_end_are_read_within_a_file_s_seconds(head: str, sign: str) -> None:
    document = ApplicationReader().read((head + sign * (MILLION // len(sign))).encode(), "cv")

    assert document.visible.startswith("Ann Example")


@pytest.mark.parametrize("sign", ["{", "\\", "\\a", "\\'", "\\bin", "{\\*"])
def test_a_million_characters_of_rtf_that_never_end_are_damaged(sign: str) -> None:
    with pytest.raises(UnreadableFile, match=DAMAGED):
        ApplicationReader().read(("{\\rtf1 Ann Example " + sign * (MILLION // len(sign))).encode(), "cv")


@pytest.mark.parametrize("size", [4_000, 8_000, 16_000])
def test_no_line_grows_with_its_file(size: int) -> None:
    document = ApplicationReader().read(("Led a brand. " * size).encode(), "cv.txt")

    lines = document.visible.split("\n")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert " ".join(lines).split() == ("Led a brand. " * size).split()


def test_a_line_without_a_space_is_broken_too() -> None:
    document = ApplicationReader().read(b"x" * 5_000, "cv.txt")

    assert [len(line) for line in document.visible.split("\n")] == [2_000, 2_000, 1_000]


def test_a_line_of_the_longest_length_is_left_whole() -> None:
    assert ApplicationReader().read(b"x" * LONGEST_LINE, "cv.txt").visible == "x" * LONGEST_LINE


@pytest.mark.parametrize("size", [4_000, 8_000, 16_000])
def test_no_statement_grows_with_its_file(size: int) -> None:
    said = list(statements("cv", ["goes on and on\n" * size]))

    assert max(len(one.text) for one in said) <= LONGEST_LINE
    assert len(said) > 10


def test_an_address_longer_than_any_is_none_and_the_next_is_found() -> None:
    assert guess_email("a" * 65 + "@example.com") is None
    assert guess_email("a" * 65 + "@example.com ann@example.com") == "ann@example.com"


def test_a_few_wrong_addresses_hide_no_right_one_and_a_flood_of_them_is_not_read_out() -> None:
    assert guess_email("a@b.test " * 49 + "ann@example.com") == "ann@example.com"
    assert guess_email("a@b.test " * 50 + "ann@example.com") is None


@pytest.mark.parametrize("line", ["# Role " + "9" * 5_000 + ": x", "# " + "(" * 50_000, "# a" + " " * 50_000 + "b"])
def test_a_role_heading_that_is_no_title_is_refused(line: str) -> None:
    with pytest.raises(BadInput, match=r"role\.md, the role's title, has [\d,]+ characters; at most 200"):
        read_role(line, "role.md")


def test_a_role_of_five_megabytes_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadInput, match="at most 200,000"):
        read_role("# Role 9: designer\n" + "Draw. " * 900_000, "role.md")


def test_a_description_has_at_most_twenty_thousand_characters() -> None:
    head = "# Designer\n\n"
    with pytest.raises(BadInput, match="at most 20,000"):
        read_role(head + "Draw well.\n" * 2_000, "role.md")
    assert read_role(head + "Draw well.\n" * 1_500, "role.md").title == "Designer"


@pytest.mark.parametrize("content", [b"5", b"5\n", b"12 345"])
def test_a_file_of_numbers_alone_is_no_application(content: bytes) -> None:
    with pytest.raises(UnreadableFile):
        ApplicationReader().read(content, "cv.txt")


@pytest.mark.parametrize("content", ["campaign\nSpring\n", "name,email\n", "one line", '"quoted, whole"\n'])
def test_what_is_called_a_table_is_no_application(content: str) -> None:
    with pytest.raises(UnreadableFile):
        ApplicationReader().read(content.encode(), "approved-campaigns.csv")
