"""Names in other spellings, as the pattern of an index finds them."""

from __future__ import annotations

import re

import pytest

from filigraph.graph.text.variants import part_of_name
from filigraph.graph.text.words import fold


@pytest.mark.parametrize(
    ("looked_for", "written"),
    [
        ("محمد", "مُحَمَّد"),
        ("مُحَمَّد", "محمد"),
        ("احمد", "أحمد"),
        ("فاطمه", "فاطمة"),
        ("علي", "علی"),
        ("שלום", "שָׁלוֹם"),
        ("Ёлкин", "Елкин"),
        ("елкин", "ёлкин"),
        ("Οδυσσευς", "ὀδυσσεύς"),
        ("カタカナ", "ｶﾀｶﾅ"),
        ("夏目", "夏目漱石"),
        ("holm", "holmes"),
    ],
)
def test_a_name_is_found_however_it_is_pointed(looked_for: str, written: str) -> None:
    query = part_of_name(fold(looked_for))
    pattern = query[1:-1] if query.startswith("/") else query.replace("*", ".*")
    assert re.fullmatch(pattern, written.lower()) and fold(looked_for) in fold(written)


def test_nothing_in_a_word_is_an_operator() -> None:
    assert part_of_name("a*b") == "*a\\*b*"
    assert "\\/" in part_of_name("é/") or part_of_name("é/").count("/") == 2
