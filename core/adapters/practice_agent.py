"""The practice model's turn of an agent run: a planner by rule, with mistakes on purpose, and no judgement.

It reads nothing but its request. Its mistakes are the same each time: an argument by a wrong name, a column that is not
there, and the change of plan that follows.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import StepFailed
from core.steps import Item

Chosen = dict[str, Any]
BATCHES = 34  # of one table in one plan, so that what follows a table fits in as well


@dataclass(frozen=True, slots=True)
class View:
    """What a request says: the brief, the rows ahead, where it stands, what came of the last try, facts, kept lines."""

    brief: Mapping[str, Any]
    case: str
    step: str
    rows: tuple[str, ...]
    last_try: str
    because: str
    facts: Mapping[str, str]
    lines: str

    @property
    def title(self) -> str:
        """The row it stands at."""
        return self.rows[0] if self.rows else ""


def choose(items: Sequence[Item], planners: Mapping[str, Callable[[View], Chosen]]) -> Chosen:
    """Answer the tool and its arguments; raises StepFailed for a case it has not practised."""
    view = read_view(items)
    planner = planners.get(view.case)
    if planner is None:
        raise StepFailed(f"The practice model does not carry out a {view.case!r} run; name a model that does.")
    return planner(view)


def read_view(items: Sequence[Item]) -> View:
    """Read a request."""
    texts: dict[str, str] = {}
    for item in items:
        texts.setdefault(item.slot, item.text)
    said = json.loads(texts["next"])
    facts = json.loads(texts["facts"]) if texts.get("facts", "").startswith("{") else {}
    plan = [line for line in texts["plan"].split("\n") if line.startswith(("[>]", "[ ]"))]
    rows = tuple(line[4:] for line in plan) if said["step"] not in ("plan", "close") else ()
    try:
        brief = tomllib.loads(texts["goal"].partition("\n")[2])
    except tomllib.TOMLDecodeError as error:
        raise StepFailed("The practice model reads a brief as TOML, and this one is not.") from error
    because = said.get("because", "")
    return View(
        brief, said["case"], said["step"], rows, said.get("last_try", ""), because, facts, texts.get("lines", "")
    )


def act(tool: str, **arguments: Any) -> Chosen:
    """Choose a tool."""
    return {"tool": tool, "arguments": arguments}


def write_plan(reason: str, steps: Sequence[str]) -> Chosen:
    """Choose to write the plan."""
    return act("write_plan", reason=reason, steps=list(steps))


def migrate(view: View) -> Chosen:
    """Take the next step of moving tables from one database into another."""
    if not view.rows:
        return _plan_or_end(view)
    for pattern, answer in _ROWS:
        found = pattern.fullmatch(view.title)
        if found:
            return answer(view, *found.groups())
    return write_plan(f"There is no tool for {view.title!r}.", view.rows[1:] or ["Inspect " + view.brief["target"]])


def _plan_or_end(view: View) -> Chosen:
    target, tables = view.brief["target"], view.brief["tables"]
    ahead = _to_look_at(view) or next((found for table in tables if (found := _of_table(view, table))), None)
    if ahead:
        return write_plan(*ahead)
    unwanted = [one for one in view.brief.get("drop", ()) if not _is_settled(view, one)]
    rest = [f"Drop {one} from {target}" for one in unwanted]
    if "report" not in view.facts:
        return write_plan(
            "Every table is in place; what is left over goes, then the report.", [*rest, "Write the report"]
        )
    if "proposed identifiers" not in view.facts and "fact" in view.brief:
        return act("propose_fact", topic="identifiers", text=view.brief["fact"])
    return act("finish", outcome="done", line=f"{len(tables)} tables are in {target}; see {view.facts['report']}")


def _to_look_at(view: View) -> tuple[str, list[str]] | None:
    source, target = view.brief["source"], view.brief["target"]
    if f"{source} tables" not in view.facts:
        return "Look at both databases before anything else.", [f"Inspect {source}", f"Inspect {target}"]
    uncounted = [one for one in view.brief["tables"] if f"{source} {one} rows" not in view.facts]
    reason = f"{source} is known now; how many batches there are depends on how many rows there are."
    return (reason, [f"Count {one} in {source}" for one in uncounted]) if uncounted else None


def _is_settled(view: View, table: str) -> bool:
    return f"{table} dropped" in view.facts or f'"table": "{table}"' in view.lines


def _of_table(view: View, table: str) -> tuple[str, list[str]] | None:
    if f"{table} verified" in view.facts:
        return None
    rows, last = (int(one) for one in re.findall(r"\d+", view.facts[f"{view.brief['source']} {table} rows"]))
    done, batch = int(view.facts.get(f"{table} copied up to", "0")), view.brief["batch"]
    starts = range(done, max(last, 1), batch) if done < max(last, 1) else range(0)
    steps = [f"Copy {table}, rows {at + 1} to {min(at + batch, max(last, 1))}" for at in starts[:BATCHES]]
    wants = view.brief["tables"][table]
    if len(starts) <= BATCHES:
        steps += [f"Rename columns of {table}"] if wants.get("rename") and f"{table} columns" not in view.facts else []
        steps += [f"Add {one['column']} to {table}" for one in wants.get("add", ())]
        steps.append(f"Verify {table}")
    said = f"{table} has {rows} rows, to be copied {batch} at a time: {len(starts)} to go."
    return said if done == 0 else f"{table} goes on after row {done}: {len(starts)} to go.", steps


def _inspect(_view: View, database: str) -> Chosen:
    return act("inspect_schema", database=database)


def _count(view: View, table: str, database: str) -> Chosen:
    if table == next(iter(view.brief["tables"])) and not view.last_try:
        return act("count_rows", database=database, tabel=table)  # a mistake on purpose: the argument's name
    return act("count_rows", database=database, table=table)


def _copy(view: View, table: str, first: str, last: str) -> Chosen:
    source, target = view.brief["source"], view.brief["target"]
    return act("copy_rows", source=source, database=target, table=table, after=int(first) - 1, upto=int(last))


def _rename(view: View, table: str) -> Chosen:
    target, names = view.brief["target"], view.brief["tables"][table]["rename"]
    if view.last_try == "no_such_column":
        return write_plan(f"{view.because} Look at {target} before renaming.", [f"Inspect {target}", *view.rows])
    slips = table == view.brief.get("slip_at") and table not in view.facts.get(f"{target} tables", "").split(", ")
    if slips:  # a mistake on purpose: a column by a name that it does not have
        names = {f"{name}_": after for name, after in names.items()}
    return act("rename_columns", database=target, table=table, names=names)


def _add(view: View, column: str, table: str) -> Chosen:
    wanted = next(one for one in view.brief["tables"][table]["add"] if one["column"] == column)
    return act("add_column", database=view.brief["target"], table=table, **wanted)


def _verify(view: View, table: str) -> Chosen:
    names = view.brief["tables"][table].get("rename", {})
    source, target = view.brief["source"], view.brief["target"]
    return act("verify_copy", source=source, database=target, table=table, names=names)


def _drop(view: View, table: str, database: str) -> Chosen:
    if view.last_try:
        return write_plan(f"{table} stays: {view.because}", view.rows[1:] or ["Write the report"])
    return act("drop_table", database=database, table=table)


def _report(view: View) -> Chosen:
    lines = [f"- {name}: {text}" for name, text in view.facts.items()]
    text = "\n".join([f"# {view.brief['source']} to {view.brief['target']}", "", *lines, ""])
    return act("write_report", file=view.brief.get("report", "report.md"), text=text)


_ROWS: tuple[tuple[re.Pattern[str], Callable[..., Chosen]], ...] = (
    (re.compile(r"Inspect (\S+)"), _inspect),
    (re.compile(r"Count (\S+) in (\S+)"), _count),
    (re.compile(r"Copy (\S+), rows (\d+) to (\d+)"), _copy),
    (re.compile(r"Rename columns of (\S+)"), _rename),
    (re.compile(r"Add (\S+) to (\S+)"), _add),
    (re.compile(r"Verify (\S+)"), _verify),
    (re.compile(r"Drop (\S+) from (\S+)"), _drop),
    (re.compile(r"Write the report"), _report),
)
