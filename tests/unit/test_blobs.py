from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.blobs import FolderBlobs
from core.errors import NotFound


def test_what_is_put_is_got_by_another_process_too(tmp_path: Path) -> None:
    FolderBlobs(tmp_path).put("a41f-2", b"sealed")

    assert FolderBlobs(tmp_path).get("a41f-2") == b"sealed"


def test_the_same_id_again_replaces(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    blobs.put("a41f", b"one")
    blobs.put("a41f", b"two")

    assert (blobs.get("a41f"), blobs.list_ids()) == (b"two", {"a41f"})


def test_what_is_deleted_is_gone_and_deleting_twice_is_fine(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    blobs.put("a41f", b"sealed")
    blobs.delete("a41f")
    blobs.delete("a41f")

    assert blobs.list_ids() == set()
    with pytest.raises(NotFound):
        blobs.get("a41f")


def test_ids_are_spread_over_folders(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    for blob_id in ("a41f", "ab", "a", "Z-9"):
        blobs.put(blob_id, b"x")

    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        "a/4/a41f",
        "a/b/ab",
        "a/-/a",
        "Z/-/Z-9",
    }
    assert blobs.list_ids() == {"a41f", "ab", "a", "Z-9"}


@pytest.mark.parametrize("blob_id", ["", "../x", "a/b", "a.b", "a\x00", "ä", "a\n"])
def test_an_id_that_is_none_is_refused(tmp_path: Path, blob_id: str) -> None:
    with pytest.raises(ValueError, match="blob id"):
        FolderBlobs(tmp_path).get(blob_id)


def test_what_a_killed_process_left_is_no_blob_and_can_be_swept(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    blobs.put("a41f", b"sealed")
    (tmp_path / "a" / "4" / ".half.part").write_bytes(b"sea")

    assert (blobs.list_ids(), blobs.sweep_unfinished(), blobs.sweep_unfinished()) == ({"a41f"}, 1, 0)


def test_an_empty_store_has_no_ids(tmp_path: Path) -> None:
    assert FolderBlobs(tmp_path / "none").list_ids() == set()
