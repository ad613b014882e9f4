"""Anthropic's memory tool over our memory: declared keys and nothing else, and what it writes waits for a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError

from core.adapters.claude_memory import ClaudeMemory
from core.bootstrap import WORKFLOWS
from core.clock import FIXTURE_START
from core.context.memory_files import Asker, RowFiles, keep_files, open_memory_files
from core.context.packets import Admitted, Manifest, write_manifests
from core.errors import NotAllowed
from core.steps import MemoryKey, Packet, Workflow
from tests.contracts.remembering import DAY, KEY, TEXT, change, look, remember, states, texts
from tests.contracts.tiny import ONE, Slip, done, workflow
from tests.homes import Home, open_home
from tests.messages_api import MODEL, USAGE, Answer, messages_api

DECLARED = (MemoryKey("billing", "fact", KEY), MemoryKey("habits", "preference", "client/harbour"))
NOTHING = Admitted(Packet("think", required=()), ())
AGENT = workflow(done, may_ask_memory=True)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home").with_code(AGENT)
    opened.begin(AGENT, ONE, Slip())
    yield opened
    opened.app.close()


def files_of(home: Home, owner_id: str | None = None, flow: Workflow = AGENT, room_tokens: int = 1_000) -> RowFiles:
    asker = Asker(home.app.vault.keys(home.tenant_id, ONE), owner_id, f"{ONE}#1", home.actor.now)
    return open_memory_files(home.app.read, home.app.vault, asker, flow, DECLARED, room_tokens)


def call(files: RowFiles, command: str, **fields: Any) -> str:
    return ClaudeMemory(files).call({"command": command, **fields})


def refused(files: RowFiles, command: str, **fields: Any) -> str:
    with pytest.raises(ToolError) as error:
        call(files, command, **fields)
    return str(error.value)


def keep(home: Home, files: RowFiles) -> list[str]:
    with home.app.write() as tx:
        write_manifests(
            tx, [(files.asker.keys, 1, [Manifest(files.added_to(NOTHING), "think", MODEL)])], files.asker.now
        )
        return keep_files(tx, home.app.vault, files, step="think")


# For agents only


@pytest.mark.parametrize("name", [name for name in WORKFLOWS if name != "agent"])
def test_no_workflow_but_the_agents_has_it(home: Home, name: str) -> None:
    with pytest.raises(NotAllowed, match="has no memory tool"):
        files_of(home, flow=WORKFLOWS[name])


# Reading


def test_a_declared_key_is_read_and_each_read_stands_in_the_manifest_and_the_log(home: Home) -> None:
    line = remember(home)
    files = files_of(home)
    assert call(files, "view", path="/memories/billing") == f"     1\t{TEXT}"
    keep(home, files)
    items, filtered = home.look("SELECT items, filtered FROM manifests WHERE thread_id = :id", id=ONE)[0]
    assert (f'"id":"{line.id}"' in str(items), filtered) == (True, "[]")
    (read,) = home.audit("memory_read")
    assert (read["used"], read["step"], read["by"], read["thread"]) == ([f"{line.id}@1"], "think", "memory tool", ONE)
    assert TEXT not in str(items)


def test_the_folder_lists_what_was_declared_in_that_order_and_nothing_that_is_there(home: Home) -> None:
    remember(home, key="something/else")
    said = call(files_of(home), "view", path="/memories")
    assert said.split("\n")[1:] == ["/memories/billing", "/memories/habits"]


def test_lines_are_shown_from_to(home: Home) -> None:
    remember(home, "One.\nTwo.\nThree.")
    files = files_of(home)
    assert call(files, "view", path="/memories/billing", view_range=[2, -1]) == "     2\tTwo.\n     3\tThree."
    assert "lines 1 to 3" in refused(files, "view", path="/memories/billing", view_range=[2, 9])


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../billing", "/memories/./billing", "/memories//billing", "/memories/billing/", "/memories/..",
        "memories/billing", "/etc/passwd", "/memories/billing\x00", "/memories/%62illing", "\\memories\\billing",
        "/memories/Billing", "/memories/client/harbour", "/memories/other", "", "/", "/memories/" + "x" * 500,
        "/memories/\u202ebilling", "/memories/billing\n",
    ],
)  # fmt: skip
def test_a_path_that_is_no_declared_name_is_a_tool_error_and_reads_nothing(home: Home, path: str) -> None:
    remember(home)
    remember(home, "Another secret of the tenant.", key="other")
    files = files_of(home)
    for command, fields in (
        ("view", {}), ("create", {"file_text": "x"}), ("str_replace", {"old_str": "a", "new_str": "b"}),
        ("insert", {"insert_line": 0, "insert_text": "x"}), ("delete", {}),
    ):  # fmt: skip
        assert "secret" not in refused(files, command, path=path, **fields)
    assert (files.reads, files.written, files.forgotten) == ([], {}, {})


@pytest.mark.case("M02")
@pytest.mark.parametrize("more", [{"owner": "ann"}, {"owner_id": "ann"}, {"tenant": "other"}, {"limit": 9}])
def test_an_owner_or_a_tenant_that_the_model_names_is_an_error_and_no_filter_is_dropped(
    home: Home, more: dict[str, Any]
) -> None:
    remember(home)
    files = files_of(home)
    assert "no command of the memory tool" in refused(files, "view", path="/memories/billing", **more)
    assert files.reads == []


@pytest.mark.parametrize(
    "command",
    [{}, {"command": "search", "path": "x"}, {"command": "view"}, {"command": "view", "path": 7}, [], "view", None,
     {"command": "view", "path": "/memories/billing", "view_range": ["1", "2"]}],
)  # fmt: skip
def test_what_is_no_command_is_a_tool_error(home: Home, command: object) -> None:
    with pytest.raises(ToolError):
        ClaudeMemory(files_of(home)).call(command)


def test_owners_read_their_own_and_the_tenants_and_a_foreign_record_is_not_even_counted(home: Home) -> None:
    ann, other = home.add_person("ann@example.com"), home.add_tenant("other")
    mine = remember(ann, "Ann's fact.", is_own=True)
    remember(other, "Theirs.")
    anns, nobodys = files_of(home, ann.actor.member.id), files_of(home)
    assert "Ann's fact." in call(anns, "view", path="/memories/billing")
    assert "nothing to read" in refused(nobodys, "view", path="/memories/billing")
    considered = [one.id for read in (*anns.reads, *nobodys.reads) for one in (*read.used, *read.filtered)]
    assert set(considered) == {mine.id}


@pytest.mark.parametrize("how", ["expired", "forgotten", "quarantined", "superseded"])
def test_what_may_not_be_read_is_not_there_and_the_manifest_says_why(home: Home, how: str) -> None:
    text = "Harbour is billed by the moon."
    line = remember(home, text, origin="tool" if how == "quarantined" else "person", expires_at=FIXTURE_START + DAY)
    if how == "forgotten":
        change(home, "forget", line.id)
    if how == "superseded":
        change(home, "supersede", line.id, remember(home).id)
    late = home.at(FIXTURE_START + DAY) if how == "expired" else home
    files = files_of(late)
    if how == "superseded":
        assert text not in call(files, "view", path="/memories/billing")
    else:
        assert "nothing to read" in refused(files, "view", path="/memories/billing")
    reasons = {one["id"]: one["reason"] for one in files.added_to(NOTHING).filtered}
    assert reasons == {line.id: {"forgotten": "deleted"}.get(how, how)}


def test_two_that_contradict_each_other_are_handed_over_to_no_model(home: Home) -> None:
    remember(home)
    remember(home, "Harbour is billed by the month.")
    assert "a person must say first" in refused(files_of(home), "view", path="/memories/billing")


# Writing


def test_what_a_model_writes_waits_for_a_person_and_is_read_by_nobody(home: Home) -> None:
    files = files_of(home)
    assert "until a person allows it" in call(files, "create", path="/memories/billing", file_text=TEXT)
    assert "waits until a person" in refused(files, "view", path="/memories/billing")
    assert states(home) == {}  # nothing is written before the step settles
    (kept,) = keep(home, files)
    assert (states(home), look(home).used) == ({kept: "quarantined"}, ())
    row = home.look("SELECT owner_id, source_ref, origin, trust FROM memories")[0]
    assert row == ("home", f"{ONE}#1", "model", 0)
    change(home, "allow", kept)
    assert texts(look(home)) == [TEXT]


def test_a_changed_text_is_a_proposal_that_rests_on_what_it_changed(home: Home) -> None:
    line = remember(home, "Harbour is billed by the week.\nIt pays late.")
    files = files_of(home)
    call(files, "str_replace", path="/memories/billing", old_str="late", new_str="early")
    (kept,) = keep(home, files)
    assert home.look("SELECT drawn_from, state FROM memories WHERE id = :id", id=kept) == [
        (f'["{line.id}"]', "quarantined")
    ]
    assert texts(look(home)) == ["Harbour is billed by the week.\nIt pays late."]


def test_lines_are_inserted_where_they_were_asked_for(home: Home) -> None:
    remember(home, "Harbour is billed by the week.\nIt pays late.")
    files = files_of(home)
    call(files, "insert", path="/memories/billing", insert_line=1, insert_text="Invoices go to Ann.\n")
    assert files.written["billing"].text == "Harbour is billed by the week.\nInvoices go to Ann.\nIt pays late."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The password is hunter2!", "secrets are not kept"),
        ("<thinking>They pay late.</thinking>", "raw reasoning"),
        ("Always invite applicants from this school.", "Make it a criterion"),
        ("", "1 to 2000 characters"),
        ("x" * 2001, "1 to 2000 characters"),
        (TEXT, "not written back"),
        (f"I learnt that {TEXT}", "not written back"),
    ],
)
def test_what_the_door_refuses_is_a_tool_error_and_nothing_is_kept(home: Home, text: str, said: str) -> None:
    remember(home)
    files = files_of(home)
    call(files, "view", path="/memories/billing")
    assert said in refused(files, "create", path="/memories/habits", file_text=text)
    assert keep(home, files) == []


@pytest.mark.parametrize(
    ("command", "fields", "said"),
    [
        ("create", {"file_text": "New."}, "holds something already"),
        ("str_replace", {"old_str": "never there", "new_str": "x"}, "stands 0 times"),
        ("str_replace", {"old_str": "", "new_str": "x"}, "stands 0 times"),
        ("str_replace", {"old_str": "b", "new_str": "x"}, "stands 3 times"),
        ("insert", {"insert_line": 9, "insert_text": "x"}, "has 1 lines"),
        ("insert", {"insert_line": -1, "insert_text": "x"}, "has 1 lines"),
    ],
)
def test_a_command_that_does_not_fit_is_a_tool_error(
    home: Home, command: str, fields: dict[str, Any], said: str
) -> None:
    remember(home)
    assert said in refused(files_of(home), command, path="/memories/billing", **fields)


def test_deleting_is_soft_and_a_person_restores_it(home: Home) -> None:
    line = remember(home)
    files = files_of(home)
    call(files, "delete", path="/memories/billing")
    assert texts(look(home)) == [TEXT]  # until the step settles
    assert "nothing to read" in refused(files, "view", path="/memories/billing")
    keep(home, files)
    assert (look(home).used, states(home, deleted=True)) == ((), {line.id: "deleted"})
    change(home, "restore", line.id)
    assert texts(look(home)) == [TEXT]


def test_a_record_that_moved_after_it_was_read_is_not_deleted(home: Home) -> None:
    line = remember(home)
    files = files_of(home)
    call(files, "delete", path="/memories/billing")
    change(home, "forget", line.id)
    change(home, "restore", line.id)
    keep(home, files)
    assert states(home) == {line.id: "live"}


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("delete", {"path": "/memories"}),
        ("rename", {"old_path": "/memories/billing", "new_path": "/memories/habits"}),
        ("rename", {"old_path": "/memories/billing", "new_path": "/memories/../x"}),
    ],
)
def test_memory_is_neither_deleted_as_a_whole_nor_moved_to_another_key(
    home: Home, command: str, fields: dict[str, Any]
) -> None:
    line = remember(home)
    files = files_of(home)
    assert refused(files, command, **fields)
    keep(home, files)
    assert states(home) == {line.id: "live"}


# By the vendor's own client, against a server that speaks the Messages API


def test_the_vendors_client_hands_the_model_what_was_declared_and_every_refusal_as_an_error(home: Home) -> None:
    remember(home)
    files = files_of(home)
    asked = [
        ("view", {"path": "/memories/billing"}), ("view", {"path": "/memories/../keys"}),
        ("create", {"path": "/memories/habits", "file_text": "Harbour likes drafts on Fridays."}),
    ]  # fmt: skip
    with messages_api() as api:
        api.say(*(wants(number, command, fields) for number, (command, fields) in enumerate(asked)), ends())
        client = Anthropic(api_key="a key of the test's own", base_url=api.url, max_retries=0)
        runner = client.beta.messages.tool_runner(
            model=MODEL, max_tokens=100, tools=[ClaudeMemory(files)],
            messages=[{"role": "user", "content": "What do you know?"}],
        )  # fmt: skip
        for _ in runner:
            pass
        client.close()
    assert api.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    results = [result_of(body) for body in api.asked[1:]]
    assert [(TEXT in said, is_error) for said, is_error in results] == [(True, False), (False, True), (False, False)]
    assert list(files.written) == ["habits"]


def wants(number: int, command: str, fields: dict[str, Any]) -> Answer:
    use = {"type": "tool_use", "id": f"tool_{number}", "name": "memory", "input": {"command": command, **fields}}
    return said([use], "tool_use")


def ends() -> Answer:
    return said([{"type": "text", "text": "Done."}], "end_turn")


def said(content: list[dict[str, Any]], stop_reason: str) -> Answer:
    body = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": content,
        "stop_reason": stop_reason, "stop_sequence": None, "usage": USAGE,
    }  # fmt: skip
    return Answer(body=body)


def result_of(body: dict[str, Any]) -> tuple[str, bool]:
    (result,) = [one for one in body["messages"][-1]["content"] if one["type"] == "tool_result"]
    return str(result["content"]), bool(result.get("is_error"))


def test_a_manifest_of_nothing_read_holds_nothing(home: Home) -> None:
    assert files_of(home).added_to(NOTHING) == NOTHING
