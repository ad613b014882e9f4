"""Makes a thread findable by its person, under keyed hashes and never by plaintext.

applicant   the address (else the file), unique in a role: the same person again
address     the address, for questions that name it
alike       the address without dots and tags: may be the same person, and is never taken for it
name_word   each folded word of the name
"""

from __future__ import annotations

from hashlib import sha256

from core.db.store import Tx
from core.identity import VERSION, fold_words, loosened_email, normalise_email
from core.steps import Person
from core.vault.sealing import Keys, Vault
from core.vault.subjects import add_lookups, drop_lookups, write_person


def applicant_hash(vault: Vault, tenant_id: str, email: str | None, content: bytes) -> str:
    """Identify by address under the rule's version; without one, by the file itself."""
    if email is not None:
        return vault.lookup_hash(tenant_id, "applicant", f"{VERSION}:{normalise_email(email)}")
    return vault.lookup_hash(tenant_id, "applicant", f"file:{sha256(content).hexdigest()}")


def write_findable(tx: Tx, vault: Vault, keys: Keys, person: Person) -> None:
    """Write the current version of a thread's person; it is found by this name and address and by no earlier one."""
    write_person(tx, keys, person)
    for kind in ("name_word", "address", "alike") if person.version > 1 else ():
        drop_lookups(tx, keys.tenant_id, keys.thread_id, kind)
    words = [vault.lookup_hash(keys.tenant_id, "name_word", word) for word in fold_words(person.name or "")]
    add_lookups(tx, keys, "name_word", words, scope=keys.thread_id)
    if person.email is None:
        return
    for kind, comparable in (("address", normalise_email), ("alike", loosened_email)):
        value = vault.lookup_hash(keys.tenant_id, kind, comparable(person.email))
        add_lookups(tx, keys, kind, [value], scope=keys.thread_id, rule=VERSION)
