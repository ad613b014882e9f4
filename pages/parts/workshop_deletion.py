"""Workshop 6: the deletion lab. A canary, deleted, and looked for in every byte of every file, step by step."""

from __future__ import annotations

import streamlit as st

from core.steps import Json
from core.workshop.deletion import DELETED, ROWS, DeletionRun, Wanted, run_deletion
from pages.parts import wording
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, tag
from pages.parts.workshop_seat import Seat, follow, run_beside

NAME = "deletion"
VERDICT = {"proven": "Proven: no byte is left", "pending": "Pending: a reader holds the old pages", "found": "Found"}


def page(seat: Seat) -> None:
    """Draw what is chosen, the press, and the table of the newest run."""
    done = seat.ticks(f"{NAME}.")
    draw(heading("Deletion lab", wording.plural(len(done), "way tried", "ways tried")))
    draw(tag("p", f"{ROWS:,} rows in a small database, {DELETED} of them with a canary. They are deleted; then every "
             "byte of every file is read.", cls="id"))  # fmt: skip
    with st.container(horizontal=True, gap="medium"):
        secure = st.toggle("secure_delete on", key="workshop.deletion.secure")
        reader = st.toggle("A reader stays open", key="workshop.deletion.reader")
        ends = st.toggle("The reader ends", key="workshop.deletion.ends", value=True, disabled=not reader)
        sealed = st.toggle("Sealed, and the key destroyed", key="workshop.deletion.sealed")
    press("Delete, and look", _run, secure, reader, ends, sealed, key="workshop.deletion.run", type="primary",
          icon=":material/delete_forever:", disabled=not seat.may_act)  # fmt: skip
    follow(seat, NAME, lambda detail: draw(table(detail)))


def _run(secure: bool, reader: bool, ends: bool, sealed: bool) -> None:  # noqa: FBT001 - four switches of a page
    def work(_seat: Seat) -> tuple[str, dict[str, Json]]:
        ran = run_deletion(Wanted(secure, reader, sealed), close_reader=ends)
        name = "-".join(
            word for is_on, word in ((secure, "secure"), (reader, "reader"), (reader and not ends, "stays"),
                                     (sealed, "sealed")) if is_on
        )  # fmt: skip
        return f"{NAME}.{name or 'plain'}", _detail(ran)

    run_beside(NAME, work)


def _detail(ran: DeletionRun) -> dict[str, Json]:
    return {
        "verdict": ran.verdict,
        "lines": [
            {"step": one.step, "hits": one.hits, "control": one.control, "opens": one.can_be_opened, "note": one.note}
            for one in ran.lines
        ],
    }


def table(detail: dict[str, Json]) -> Html:
    """Show hits by file and step, the control that must be found, and the verdict."""
    lines = detail["lines"]
    sealed = lines[0]["opens"] is not None
    files = [one for one in lines[0]["hits"] if sealed or not one.startswith("keys")]
    heads = ["Step", *files, "Control", *(["Rows that open"] if sealed else [])]
    body = [
        tag(
            "tr",
            tag("th", one["step"], tag("small", one["note"]) if one["note"] else None, scope="row"),
            *(_hits(one["hits"][file]) for file in files),
            tag("td", f"{one['control']:,}"),
            _hits(one["opens"]) if sealed else None,
        )
        for one in lines
    ]
    return tag(
        "section",
        tag("table", tag("caption", "Hits of the canary, by file and step", cls="unseen"),
            tag("thead", tag("tr", *(tag("th", one, scope="col") for one in heads))), tag("tbody", *body),
            cls="grid lab-table figures"),
        tag("p", tag("b", VERDICT[detail["verdict"]]), ". The control, which nobody deleted, is found at every step: "
            "the search does find what is there.", cls=f"lab-verdict v-{detail['verdict']}"),
        aria_label="What was found",
    )  # fmt: skip


def _hits(count: int) -> Html:
    return tag("td", f"{count:,}", cls="is-wrong" if count else "is-none")
