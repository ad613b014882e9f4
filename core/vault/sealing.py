"""Seal, open and hash: AES-256-GCM bound to tenant, table and row, under the keys of one thread."""

from __future__ import annotations

import hmac
import os
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.errors import SealedForErased, StateUnreadable
from core.keys import canonical
from core.steps import Json, Rule
from core.vault.keystore import KeyStore

_PLAIN, _DEFLATED = b"\x01", b"\x02"
# Content in between is deflated first: a card of 2 KB becomes 0.8 KB, and a page of the database holds three more.
_DEFLATE_FROM, _DEFLATE_TO = 200, 65_536
_NONCE = 12
# Opened data keys, about 2 KB each: of some 4,000 threads, or of 20,000 records that have one key each.
_REMEMBERED = 20_480


@dataclass(frozen=True, slots=True)
class Keys:
    """The opened keys of one thread. Hold them for one piece of work; never store them."""

    tenant_id: str
    thread_id: str
    subject_id: str
    _ciphers: dict[str, AESGCM] = field(repr=False)
    _hash_key: bytes = field(repr=False)

    @property
    def count(self) -> int:
        """How many data keys these are."""
        return len(self._ciphers)

    def seal(self, rule: Rule, table: str, row: str, content: bytes) -> bytes:
        """Seal content for one row of one table, to be readable until its rule is due."""
        form = _PLAIN
        if _DEFLATE_FROM <= len(content) <= _DEFLATE_TO:
            form, content = _DEFLATED, zlib.compress(content, 1)
        nonce = os.urandom(_NONCE)
        return form + nonce + self._cipher(rule).encrypt(nonce, content, form + self._bound_to(table, row))

    def open(self, rule: Rule | str, table: str, row: str, sealed: bytes) -> bytes:
        """Open what was sealed for that row; raises StateUnreadable if it is damaged or of another row."""
        form, nonce, content = sealed[:1], sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        cipher = self._cipher(rule)
        try:
            opened = cipher.decrypt(nonce, content, form + self._bound_to(table, row))
            return zlib.decompress(opened) if form == _DEFLATED else opened
        except (InvalidTag, ValueError, OverflowError, TypeError, zlib.error) as error:  # cut short, or no bytes at all
            raise StateUnreadable(f"{table} of {row} is damaged: its seal does not fit.") from error

    def _cipher(self, rule: Rule | str) -> AESGCM:
        try:
            return self._ciphers[rule]
        except KeyError as error:
            raise SealedForErased(
                f"The key of {self.thread_id} for {rule} is gone; what it sealed cannot be read."
            ) from error

    def _bound_to(self, table: str, row: str) -> bytes:
        return f"{self.tenant_id}\0{table}\0{row}".encode()

    def hash(self, value: Json) -> str:
        """Hash personal content under the subject's key: equal for equal content, useless to anyone else."""
        return hmac.digest(self._hash_key, canonical(value), "sha256")[:16].hex()


class Vault:
    """Finds, makes and remembers the keys of threads."""

    def __init__(self, keystore: KeyStore) -> None:
        self._keystore = keystore
        self._opened: OrderedDict[tuple[str, str], Keys] = OrderedDict()
        self._remembered = 0
        self._peppers: dict[str, tuple[int, bytes]] = {}

    def make(self, tenant_id: str, wanted: Sequence[tuple[str, str, Iterable[Rule]]]) -> None:
        """Make keys for (subject, thread, rules); committed when this returns, before rows are sealed with them."""
        self._keystore.make_keys(tenant_id, [(s, t, tuple(str(r) for r in rules)) for s, t, rules in wanted])

    def keys(self, tenant_id: str, thread_id: str) -> Keys:
        """Answer one thread's keys, or raise SealedForErased."""
        found = self.keys_of(tenant_id, [thread_id])
        if thread_id not in found:
            raise SealedForErased(f"The keys of {thread_id} are gone; its content was erased.")
        return found[thread_id]

    def keys_of(self, tenant_id: str, thread_ids: Sequence[str]) -> dict[str, Keys]:
        """Answer the keys of those threads that still have them."""
        missing = [thread_id for thread_id in thread_ids if (tenant_id, thread_id) not in self._opened]
        for start in range(0, len(missing), 500):
            self._open(tenant_id, missing[start : start + 500])
        found = {t: self._opened[tenant_id, t] for t in thread_ids if (tenant_id, t) in self._opened}
        while self._opened and self._remembered > _REMEMBERED:
            self._remembered -= self._opened.popitem(last=False)[1].count
        return found

    def _open(self, tenant_id: str, thread_ids: Sequence[str]) -> None:
        held = self._keystore.find_section_keys(tenant_id, thread_ids)
        for thread_id, (subject_id, subject_key, sections) in held.items():
            self._forget(tenant_id, thread_id)
            self._remembered += len(sections)
            self._opened[tenant_id, thread_id] = Keys(
                tenant_id=tenant_id,
                thread_id=thread_id,
                subject_id=subject_id,
                _ciphers={rule: AESGCM(key) for rule, key in sections.items()},
                _hash_key=hmac.digest(subject_key, b"daybook hash", "sha256"),
            )

    def _forget(self, tenant_id: str, thread_id: str) -> None:
        held = self._opened.pop((tenant_id, thread_id), None)
        self._remembered -= 0 if held is None else held.count

    def destroy(self, tenant_id: str, thread_ids: Sequence[str]) -> None:
        """Destroy the keys of threads whose rows are gone."""
        self._keystore.destroy(tenant_id, thread_ids)
        for thread_id in thread_ids:
            self._forget(tenant_id, thread_id)

    def token_hash(self, tenant_id: str, token: str) -> str:
        """Hash a token that opens something by itself, in full length, under the tenant's pepper."""
        if tenant_id not in self._peppers:
            self._peppers[tenant_id] = self._keystore.pepper(tenant_id)
        version, pepper = self._peppers[tenant_id]
        return f"{version}:" + hmac.digest(pepper, f"token\0{token}".encode(), "sha256").hex()

    def close(self) -> None:
        """Close the key store."""
        self._keystore.close()

    def lookup_hash(self, tenant_id: str, kind: str, value: str) -> str:
        """Hash a normalised value under the tenant's pepper, for finding rows by it without storing it."""
        if tenant_id not in self._peppers:
            self._peppers[tenant_id] = self._keystore.pepper(tenant_id)
        version, pepper = self._peppers[tenant_id]
        return f"{version}:" + hmac.digest(pepper, f"{kind}\0{value}".encode(), "sha256").hex()[:24]
