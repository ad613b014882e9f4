"""Keys for programs. Only an owner makes and revokes them."""

from __future__ import annotations

from collections.abc import Sequence

from core.db.store import Tx
from core.desk.desk import Actor
from core.people.api_keys import ApiKey, make_key, revoke_key
from core.people.people import check_is_owner


def add_api_key(tx: Tx, actor: Actor, name: str, verbs: Sequence[str]) -> tuple[ApiKey, str]:
    """Make a key and answer it with its text, which is kept nowhere; raises NotAllowed or BadInput."""
    check_is_owner(actor.member)
    key, text = make_key(tx, actor.member, name, verbs, actor.now)
    actor.note(tx, "api_key_added", None, key=key.id, name=name, verbs=list(key.verbs))
    return key, text


def revoke_api_key(tx: Tx, actor: Actor, name: str) -> ApiKey:
    """Let a key open nothing any more; raises NotAllowed or NotFound."""
    check_is_owner(actor.member)
    key = revoke_key(tx, actor.member, name, actor.now)
    actor.note(tx, "api_key_revoked", None, key=key.id, name=name)
    return key
