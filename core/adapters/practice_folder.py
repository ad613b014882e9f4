"""The practice model over a folder: read every document and report, or check every file and clear up."""

from __future__ import annotations

from core.adapters.practice_agent import Chosen, View, act, write_plan

REPORT = "report.md"
_LOOK, _END = "List the files", "Write the report"


def research(view: View) -> Chosen:
    """Read every document, note what each says with its source, and report."""
    return _over(view, "Read", "read_document", "note of")


def operate(view: View) -> Chosen:
    """Check every file, ask whether what is broken may go, and report."""
    return _over(view, "Check", "check_file", "check of")


def _over(view: View, verb: str, tool: str, fact: str) -> Chosen:
    if not view.rows:
        return _ahead(view, verb, fact)
    word, _, name = view.title.partition(" ")
    if view.title == _LOOK:
        return act("list_files")
    if view.title == _END:
        return act("write_report", file=REPORT, text=_report(view, fact))
    if view.last_try:  # what cannot be read, or may not go, is left where it is
        return write_plan(f"{name} is left as it is: {view.because}", view.rows[1:] or [_END])
    return act("remove_file" if word == "Remove" else tool, file=name)


def _ahead(view: View, verb: str, fact: str) -> Chosen:
    if "files" not in view.facts:
        return write_plan("See what is in the folder first.", [_LOOK])
    if "report" in view.facts:
        return act("finish", outcome="done", line=f"See {view.facts['report']}")
    names = [one for one in view.facts["files"].split(", ") if one not in ("none", REPORT)]
    left = [one for one in names if f"{fact} {one}" not in view.facts]
    if left and not any(name.startswith(fact) for name in view.facts):
        return write_plan(f"{len(left)} files are there; one step each.", [f"{verb} {one}" for one in left][:40])
    broken = [name.removeprefix("check of ") for name, said in view.facts.items() if said.startswith("broken")]
    going = [one for one in broken if f"removed {one}" not in view.facts and f'"file": "{one}"' not in view.lines]
    return write_plan(
        "All was looked at; now what is broken, and the report.", [*(f"Remove {one}" for one in going), _END]
    )


def _report(view: View, fact: str) -> str:
    found = [
        f"- {name.removeprefix(fact).strip()}: {said}" for name, said in view.facts.items() if name.startswith(fact)
    ]
    gone = [f"- {name}" for name in view.facts if name.startswith("removed ")]
    return "\n".join(["# What was found", "", *(found or ["- Nothing."]), *gone, ""])
