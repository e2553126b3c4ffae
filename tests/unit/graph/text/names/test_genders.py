"""Genders of names by the pronouns after them."""

from __future__ import annotations

from collections import Counter

import pytest

from filigraph.graph.text.names.genders import genders_by_pronouns, pronouns_after
from filigraph.graph.text.names.namesakes import genders_shown, namesake_keys, years_of_birth


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Then Harker closed his book.", "en", [("harker", "m")]),
        ("I asked Zebby whether she would come.", "en", [("zebby", "f")]),
        ("Dr. Seward lost his hat.", "en", [("dr seward", "m")]),
        ("Delmare se leva et elle sortit.", "fr", [("delmare", "f")]),
        ("Le colonel Delmare dit qu’il viendrait.", "fr", [("colonel delmare", "m")]),
        ("Mrs. Harker closed her book.", "en", []),  # a title says it
        ("Il vit madame Delmare quand elle vint.", "fr", []),
        ("Mina closed her book.", "en", []),  # a given name says it
        ("Harker’s sister closed her book.", "en", []),  # of a relative
        ("Harker left. She closed her book.", "en", []),  # of another sentence
        ("Harker left, “where is she?”", "en", []),
        ("Harker saw Lucy and she left.", "en", []),  # after another name
        ("When he left, she wept.", "en", []),
        ("Delmare sait qu’il y a un bal et qu’il faut partir.", "fr", []),  # nobody
        ("Harker, ihr Freund, kam her.", "de", []),
    ],
)
def test_pronouns_after_a_name(text: str, language: str, found: list[tuple[str, str]]) -> None:
    assert [*pronouns_after(text, language)] == found


def test_several_pronouns_show_a_gender_that_few_others_contradict() -> None:
    assert genders_by_pronouns({("dartie", "m"): 13, ("dartie", "f"): 3, ("ruby", "f"): 3}) == {
        "dartie": "m",
        "ruby": "f",
    }
    assert genders_by_pronouns({("dartie", "m"): 11, ("dartie", "f"): 3, ("ruby", "f"): 2}) == {}


def test_what_a_chunk_stores_of_them() -> None:
    stored = namesake_keys("Li Wei (b. 1955) met Dartie. Dartie lost his hat. Dartie lost his hat.", "en")
    assert stored == ["dartie\tm", "dartie\tm", "li wei\t1955"]
    assert years_of_birth(stored) == {"li wei": 1955}
    assert genders_shown(Counter([*stored, "dartie\tm"])) == {"dartie": "m"}


def test_hostile_texts() -> None:
    for text in (
        "Abc de la " * 20_000,
        "Abc " * 50_000,
        "abc Abc de " * 20_000,
        "de la " * 50_000,
        "A.A." * 50_000,
        "A’a-" * 50_000,
    ):
        assert not [*pronouns_after(text, "en")]
