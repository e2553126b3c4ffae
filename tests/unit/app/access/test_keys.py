"""What a key is, and which key allows what."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from filigraph.app.access.keys import LOCAL, REREAD, Caller, digest_of, new_secret
from filigraph.app.schemas.keys import KeyIn
from filigraph.graph.errors import InputError, KeyNeeded, StoreUnavailable
from tests.unit.app.access.stored_keys import SECRET, Stored, key


def test_a_key_is_256_random_bits() -> None:
    assert new_secret() != new_secret()
    assert re.fullmatch(r"fgk_[\w-]{43}", SECRET)
    assert SECRET not in digest_of(SECRET) and len(digest_of(SECRET)) == 64


def test_without_keys_this_machine_is_let_in_and_nobody_else() -> None:
    assert Stored().keys().caller("") == LOCAL
    with pytest.raises(KeyNeeded) as caught:
        Stored().keys(public=True).caller("")
    assert "filigraph keys create" in caught.value.cure


def test_with_a_key_everybody_needs_one() -> None:
    for public in (False, True):
        keys = Stored(key(workspace="case"), key(new_secret(), name="bert")).keys(public=public)
        assert keys.caller(SECRET) == Caller(name="anna", scope="write", workspace="case")
        for wrong in ("", "fgk_", SECRET[:-1], SECRET + "x", digest_of(SECRET), "clé \ud800"):
            with pytest.raises(KeyNeeded) as caught:
                keys.caller(wrong)
            assert "FILIGRAPH_KEY" in caught.value.cure


def test_keys_are_read_again_after_some_seconds() -> None:
    stored = Stored(key())
    keys = stored.keys()
    keys.caller(SECRET)
    stored.rows[:] = [key(new_secret())]
    keys.caller(SECRET)
    stored.now = REREAD
    with pytest.raises(KeyNeeded):
        keys.caller(SECRET)
    assert stored.reads == 2


def test_while_the_store_is_away_the_keys_last_read_hold() -> None:
    stored = Stored(key())
    keys = stored.keys()
    keys.caller(SECRET)
    stored.error, stored.now = StoreUnavailable(), REREAD
    assert keys.caller(SECRET).name == "anna"
    with pytest.raises(KeyNeeded):
        keys.caller("")


def test_nobody_is_let_in_before_the_keys_were_read() -> None:
    stored = Stored()
    stored.error = StoreUnavailable()
    with pytest.raises(StoreUnavailable):
        stored.keys().caller("")


def test_a_public_server_does_not_start_without_a_key() -> None:
    with pytest.raises(InputError) as caught:
        Stored().keys(public=True).check_public()
    assert "filigraph keys create" in caught.value.cure and "127.0.0.1" in caught.value.cure
    Stored(key()).keys(public=True).check_public()
    Stored().keys().check_public()


@pytest.mark.parametrize("name", ["", "local", "a b", "x" * 65, "<b>", "a\n"])
def test_a_name_that_cannot_be(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a key"):
        Stored().keys().create(name, "admin", "")


@pytest.mark.parametrize(
    "given", [{"name": "x" * 65}, {"workspace": "x" * 65}, {"workspace": "a b"}, {"workspace": "a/b"}]
)
def test_a_key_that_could_open_nothing_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        KeyIn(**{"name": "anna", **given})  # type: ignore[arg-type]


def test_an_admin_is_for_all_workspaces() -> None:
    with pytest.raises(InputError, match="all workspaces"):
        Stored().keys().create("anna", "admin", "case")
