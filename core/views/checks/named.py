"""Rows that other rows count on: the configuration a thread pins, the look-ups that its person is found by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from core.identity import fold_words
from core.threads.pinned import POLICY
from core.vault.subjects import read_readable_people
from core.views.checks.look import Findings, Look
from core.views.checks.values import read_json

_PINS = "SELECT id, role_id, configs FROM threads WHERE tenant_id = :tenant AND role_id IS NOT NULL"
_CONFIGS = "SELECT role_id, kind, version FROM configs WHERE tenant_id = :tenant"
_POLICY_PINS = "SELECT id, workflow, configs FROM threads WHERE tenant_id = :tenant AND role_id IS NULL"
_POLICIES = "SELECT name, version FROM policies WHERE tenant_id = :tenant"
_ROLES = "SELECT id FROM roles WHERE tenant_id = :tenant"
_LOOKUPS = "SELECT thread_id, kind, COUNT(*) AS held FROM lookups WHERE tenant_id = :tenant GROUP BY thread_id, kind"


def check_configs(look: Look, found: Findings) -> None:
    """Expect every version of a configuration that a thread pins, and the role it is of."""
    there = {(row.role_id, row.kind, row.version) for row in look.rows(_CONFIGS)}
    roles = {row.id for row in look.rows(_ROLES)}
    pinned: dict[tuple[str, str, object], int] = defaultdict(int)
    of_role: dict[str, int] = defaultdict(int)
    for row in look.rows(_PINS):
        if row.id in look.living:
            of_role[row.role_id] += 1
            for kind, version in (read_json(row.configs, dict) or {}).items():
                pinned[row.role_id, kind, version] += 1
    for role_id, count in sorted(of_role.items()):
        found.expect(role_id in roles, f"role {role_id}: is not there, but {count} thread(s) are of it.")
    for (role_id, kind, version), count in sorted(pinned.items(), key=str):
        holds = (role_id, kind, version) in there
        found.expect(holds, f"{kind} version {version} of {role_id}: is not there, but {count} thread(s) rest on it.")


def check_policies(look: Look, found: Findings) -> None:
    """Expect every version of a policy that a thread pins."""
    there = {(row.name, row.version) for row in look.rows(_POLICIES)}
    for row in look.rows(_POLICY_PINS):
        version = (read_json(row.configs, dict) or {}).get(POLICY)
        if row.id in look.living and version is not None:
            holds = (row.workflow, version) in there
            found.expect(holds, f"policy version {version} of {row.workflow}: is not there, but {row.id} rests on it.")


_APPLIED = "SELECT id FROM threads WHERE tenant_id = :tenant AND role_id IS NOT NULL AND forked_from IS NULL"


def check_lookups(look: Look, found: Findings) -> None:
    """Expect every applicant to be found by what they were taken in with; a fork is found by the run it is of."""
    there = {(row.thread_id, row.kind): row.held for row in look.rows(_LOOKUPS)}
    of_role = {row.id for row in look.rows(_APPLIED)}
    for batch in look.batches():
        people = read_readable_people(look.conn, look.tenant_id, look.vault.keys_of(look.tenant_id, batch))
        for thread_id in batch:
            if thread_id in of_role and thread_id in people:
                person = people[thread_id]
                # Before revision 0007 an address that came later, as an answer, was not looked up by.
                address = person.email if person.version == 1 or (thread_id, "alike") in there else None
                gone = list(_gone(there, thread_id, len(set(fold_words(person.name or ""))), address))
                found.expect(not gone, f"thread {thread_id}: is not found by its {', '.join(gone)} any more.")


def _gone(there: dict[tuple[str, str], int], thread_id: str, words: int, address: str | None) -> Iterator[str]:
    wanted = {"applicant": 1, "name_word": words, "address": 0 if address is None else 1}
    for kind, count in wanted.items():
        if there.get((thread_id, kind), 0) < count:
            yield kind.replace("_", " ")
