"""What commands say of the engine that drives."""

from __future__ import annotations

from tests.contracts.command_line import CommandLine


def test_doctor_says_which_engine_drives_and_whether_its_server_answers(at: CommandLine) -> None:
    assert at.read("doctor")["engine"] == "local"
    at.set(DAYBOOK_ENGINE="temporal", DAYBOOK_TEMPORAL="127.0.0.1:1")
    assert at.read("doctor")["engine"] == "temporal at 127.0.0.1:1, which does not answer"
    assert "leave --tenant out" in at.run("worker", "--until-idle", "--tenant", "home").sentence


def test_a_server_s_address_that_is_none_is_named(at: CommandLine) -> None:
    at.set(DAYBOOK_TEMPORAL="https://temporal.example.com")
    said = at.run("doctor").sentence
    assert "DAYBOOK_TEMPORAL" in said
    assert "such as 127.0.0.1:7233" in said
