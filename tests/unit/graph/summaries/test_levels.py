"""Levels: windows keep to sections, levels end in one."""

from __future__ import annotations

import pytest

from filigraph.graph.summaries.levels import (
    MAX_COVERED,
    WINDOW_TOKENS,
    Item,
    balanced_groups,
    group_neighbours,
    windows,
)


def items(*sections: str, size: int = 300, level: int = 0) -> list[Item]:
    return [Item(id=f"{n}", level=level, section=section, size=size) for n, section in enumerate(sections)]


def ids(groups: list[list[Item]]) -> list[str]:
    return [" ".join(item.id for item in group) for group in groups]


def test_a_window_never_crosses_a_section() -> None:
    assert ids(windows(items("I", "I", "II", "II", "II"))) == ["0 1", "2 3 4"]


def test_a_long_section_is_cut_evenly() -> None:
    groups = windows(items(*["I"] * 10))
    sizes = [sum(item.size for item in group) for group in groups]
    assert max(sizes) <= WINDOW_TOKENS
    assert max(sizes) - min(sizes) <= 300


def test_a_chunk_larger_than_a_window_is_one_alone() -> None:
    assert ids(windows(items("", "", "", size=5000))) == ["0", "1", "2"]


def test_a_paragraph_put_in_moves_the_windows_of_its_section_alone() -> None:
    before = windows(items(*["I"] * 6, *["II"] * 6))
    after = windows(
        [*items(*["I"] * 6), Item(id="new", level=0, section="I", size=300), *items(*["I"] * 6, *["II"] * 6)[6:]]
    )
    assert ids(after)[-2:] == ids(before)[-2:]


def test_neighbours_of_a_section_are_joined_first() -> None:
    assert ids(group_neighbours(items("I", "I", "II", "III", "III", level=1))) == ["0 1", "2", "3 4"]


def test_sections_of_one_are_joined_across() -> None:
    assert ids(group_neighbours(items("I", "II", "III", level=1))) == ["0 1 2"]


@pytest.mark.parametrize("count", [2, 6, 7, 40, 1000])
def test_levels_end_in_one(count: int) -> None:
    left = items(*[""] * count, level=1)
    for _ in range(20):
        groups = group_neighbours(left)
        assert all(len(group) <= MAX_COVERED for group in groups)
        assert [item for group in groups for item in group] == left
        left = [Item(id=str(n), level=2, section="", size=1) for n, _ in enumerate(groups)]
        if len(left) == 1:
            return
    raise AssertionError("levels do not end")


def test_no_group_is_empty() -> None:
    assert balanced_groups([1, 1, 1], 5, lambda one: one) == [[1], [1], [1]]
    assert balanced_groups([0, 0], 2, lambda one: one) == [[0, 0]]
    assert balanced_groups([], 2, lambda one: one) == []
