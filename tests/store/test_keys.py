"""Keys in Neo4j: stored as hashes; somebody can always create keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.store import AccessKeys, KeyScope, Store
from tests.no_keys import no_keys


@pytest.fixture
def keys(store: Store) -> Iterator[AccessKeys]:
    """None to begin with, and none afterwards: they are of the whole database."""
    with no_keys(store):
        yield store.keys


def add(keys: AccessKeys, name: str, scope: KeyScope = "admin", workspace: str = "") -> None:
    keys.add(name=name, digest=f"digest of {name}", scope=scope, workspace=workspace)


def test_a_key_comes_back_as_it_was_kept(keys: AccessKeys) -> None:
    add(keys, "root")
    made = keys.add(name="anna", digest="d", scope="read", workspace="case")
    assert [key.name for key in keys.all()] == ["anna", "root"]
    assert keys.all()[0] == made


def test_a_name_is_given_once(keys: AccessKeys) -> None:
    add(keys, "root")
    with pytest.raises(InputError, match="already"):
        add(keys, "root")


def test_the_first_key_must_be_able_to_make_others(keys: AccessKeys) -> None:
    for scope in ("read", "write"):
        with pytest.raises(InputError, match="first key"):
            add(keys, "anna", scope)  # type: ignore[arg-type]
    assert keys.all() == []


def test_the_last_admin_key_stays_while_there_are_others(keys: AccessKeys) -> None:
    add(keys, "root")
    add(keys, "anna", "write")
    with pytest.raises(InputError, match="last admin key"):
        keys.revoke("root", keep_one=False)
    add(keys, "second")
    keys.revoke("root", keep_one=False)
    keys.revoke("anna", keep_one=False)
    with pytest.raises(InputError, match="last admin key"):
        keys.revoke("second", keep_one=True)
    keys.revoke("second", keep_one=False)
    assert keys.all() == []


def test_rotating_changes_the_secret_alone(keys: AccessKeys) -> None:
    add(keys, "root")
    before = keys.all()[0]
    after = keys.rotate("root", "another")
    assert keys.all() == [after]
    assert (after.name, after.scope, after.workspace, after.digest) == ("root", "admin", "", "another")
    assert after.made > before.made


def test_a_key_that_is_not_there(keys: AccessKeys) -> None:
    add(keys, "root")
    for change in (lambda: keys.rotate("nobody", "d"), lambda: keys.revoke("nobody", keep_one=False)):
        with pytest.raises(NotFound, match="nobody"):
            change()
