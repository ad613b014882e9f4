"""docs/deploy.md walked from end to end: every command as it stands there, real servers, real processes, real mail."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import free_port
from tests.databases import POSTGRES, empty_database
from tests.homes import CV
from tests.mail_servers import Mailbox, mailbox

ROOT = Path(__file__).parents[2]
WITHIN = 60.0
AS = ("--as", "owner@example.com")
pytestmark = pytest.mark.crash


@dataclass
class Walk:
    """The page's commands, run in a checkout of its own; what serves is ended by its id at the next stage."""

    folder: Path
    means: dict[str, str]
    port: int
    said: list[str] = field(default_factory=list)
    serving: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("DAYBOOK_", "ANTHROPIC_"))}
        return kept | {"OWNER_PASSWORD": "a long pass phrase", "ANA_PASSWORD": "another long phrase"}

    def stage(self, number: int) -> None:
        """Stop what serves, and run what stands under one heading."""
        self.stop()
        for block in blocks_of(number):
            for example, real in self.means.items():
                block = block.replace(example, real)
            if re.match(r"[A-Z_]+=", block):
                (self.folder / ".env").write_text(block)
                (self.folder / ".env").chmod(0o600)
            else:
                for line in block.strip().splitlines():
                    self.do(line)

    def do(self, line: str) -> None:
        if "streamlit run" in line or line.endswith("core worker"):
            self.serve(line)
            return
        done = subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=WITHIN
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        self.said.append(done.stdout)

    def serve(self, line: str) -> None:
        log = self.folder / f"serving-{len(self.said)}-{len(self.serving)}.log"
        with log.open("wb") as to:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {line}"], cwd=self.folder, env=self.environment, stdout=to, stderr=to
            )
        self.serving.append(process)
        is_up = self.answers if "streamlit" in line else lambda: b" runs; stop it with" in log.read_bytes()
        assert becomes(is_up), log.read_text()

    def core(self, *words: str) -> Any:
        """Run a command of the test's own."""
        done = subprocess.run(
            [".venv/bin/python", "-m", "core", *words, "--json"], cwd=self.folder, env=self.environment,
            capture_output=True, text=True, timeout=WITHIN,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)

    def answers(self) -> bool:
        try:
            return bool(self.health()["ok"])
        except OSError:
            return False

    def health(self) -> Any:
        with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2) as answer:
            return json.loads(answer.read())

    def post(self, key: str, email: str) -> str:
        """Bring an application by program, and answer its run."""
        cv = base64.b64encode(CV.format(name="Ann Example", email=email).encode()).decode()
        body = json.dumps({"role": "role-14", "name": "Ann Example", "email": email, "cv": cv, "file": "cv.txt"})
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": email, "Content-Type": "application/json"}
        request = Request(f"http://127.0.0.1:{self.port}/api/applications", body.encode(), headers)
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - our own server
            assert answer.status == 201
            return str(json.loads(answer.read())["accepted"][0]["thread"])

    def approve(self, thread: str) -> None:
        """Wait for a run's question, approve it and end its hold."""
        assert becomes(lambda: self.core("thread", thread)["status"] == "awaiting_review", pause=1.0)
        (asked,) = [one for one in self.core("queue") if one["thread"] == thread]
        self.core("decide", asked["approval"], "approve", "--seen-version", str(asked["version"]), *AS)
        self.core("release", asked["approval"], *AS)

    def stop(self) -> None:
        for process in self.serving:
            process.terminate()
        for process in self.serving:
            process.wait(WITHIN)
        self.serving.clear()


def blocks_of(number: int) -> list[str]:
    """Answer the blocks of code under one stage's heading."""
    page = (ROOT / "docs" / "deploy.md").read_text()
    (section,) = re.findall(rf"^## {number}\..*?(?=^## )", page, re.DOTALL | re.MULTILINE)
    return re.findall(r"^```\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


def becomes(true: Callable[[], bool], pause: float = 0.1) -> bool:
    """Say whether something comes to be true; only real processes are waited for in this way."""
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(pause)
    return False


@pytest.fixture
def post() -> Iterator[Mailbox]:
    with mailbox() as taken:
        yield taken


@pytest.fixture
def walk(tmp_path: Path, post: Mailbox) -> Iterator[Walk]:
    """A checkout whose code is this one's, with data and settings of its own."""
    checkout = tmp_path / "checkout"
    (checkout / "data").mkdir(parents=True)
    for name in (".venv", ".streamlit", "app.py", "core", "pages"):
        (checkout / name).symlink_to(ROOT / name)
    for one in (ROOT / "data").iterdir():
        if one.name != "var":
            (checkout / "data" / one.name).symlink_to(one)
    (tmp_path / "srv").mkdir()
    port = free_port()
    means = {
        "/srv/daybook": str(tmp_path / "srv"),
        "smtp://hiring:SECRET@mail.example.com:587": f"smtp://127.0.0.1:{post.port}",
        "postgresql://daybook:SECRET@db.example.com/daybook": f"'{empty_database(tmp_path, POSTGRES)}'",
        "8501": str(port),
    }
    walking = Walk(checkout, means, port)
    yield walking
    walking.stop()


def test_the_page_leads_from_a_laptop_to_postgres_with_workers_apart(walk: Walk, post: Mailbox) -> None:
    walk.stage(1)
    (walk.folder / "cv.txt").write_text(CV.format(name="Ben Example", email="ben@example.com"))
    brought = walk.core("apply", "role-14", "--cv", "cv.txt", "--name", "Ben Example", "--email", "ben@example.com")
    first = brought["accepted"][0]["thread"]
    walk.approve(first)
    outbox = walk.folder / "data" / "var" / "outbox"
    assert becomes(lambda: len(list(outbox.glob("*.eml"))) == 1)

    walk.stage(2)
    key = next(text.split()[0] for text in walk.said if "This is the key careers-page" in text)
    assert walk.core("thread", first)["status"] == "waiting"
    second = walk.post(key, "cleo@example.com")
    walk.approve(second)
    assert becomes(lambda: len(post.accepted) == 1)
    assert post.accepted[0][1] == ["cleo@example.com"]

    walk.stage(3)
    assert walk.core("doctor")["database"].startswith("postgresql://")
    assert {one["id"]: one["status"] for one in walk.core("threads")} == {first: "waiting", second: "waiting"}

    walk.stage(4)
    assert [one["kind"] for one in walk.health()["workers"]] == ["command line"] * 2
    walk.approve(walk.post(key, "dana@example.com"))
    assert becomes(lambda: len(post.accepted) == 2)
    walk.serving[-1].kill()
    walk.approve(walk.post(key, "eli@example.com"))
    assert becomes(lambda: len(post.accepted) == 3)
    walk.core("event", first, "booking", "--data", '{"slot": "2030-01-07T10:00:00Z"}')
    assert becomes(lambda: walk.core("thread", first)["outcome"] == "booked", pause=1.0)
    assert walk.core("verify")["problems"] == []
    assert sorted(one[1][0] for one in post.accepted) == ["cleo@example.com", "dana@example.com", "eli@example.com"]
    assert len(list(outbox.glob("*.eml"))) == 1
