from __future__ import annotations

import pytest

from filigraph.app.uploads.aliases import read_aliases
from filigraph.graph.errors import InputError
from filigraph.graph.model.names import AliasGroup


def test_all_three_ways_to_write_a_group() -> None:
    text = """\ufeff# who is who
The Claw = La Griffe = La Griffe

["Sherlock Holmes", "Mr. Holmes"]
{"name": "Dorcas", "aliases": ["The Housemaid", "Dorcas"], "gender": "F"}
"""
    assert read_aliases(text.encode()) == [
        AliasGroup(names=("The Claw", "La Griffe")),
        AliasGroup(names=("Sherlock Holmes", "Mr. Holmes")),
        AliasGroup(names=("Dorcas", "The Housemaid")),
    ]


@pytest.mark.parametrize(
    "line", ["alone", "= alone", "[", '["a", 1]', '["a"]', "{}", '{"name": "a"}', '{"name": "a", "aliases": "b"}']
)
def test_a_line_that_is_no_group_is_named(line: str) -> None:
    with pytest.raises(InputError, match="Line 2") as caught:
        read_aliases(f"# first\n{line}\n".encode())
    assert caught.value.cure


def test_another_encoding_is_told_so() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        read_aliases("Élodie = É.".encode("latin-1"))


@pytest.mark.parametrize("line", ["[" * 100_000, '{"name":' * 50_000])
def test_a_line_that_is_nested_without_end_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="Line 2 of the alias file is nested too deep"):
        read_aliases(f"The Claw = La Griffe\n{line}".encode())
