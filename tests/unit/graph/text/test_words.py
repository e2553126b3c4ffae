"""Words match their variants, in every script, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.words import (
    MAX_QUERY_TERMS,
    MAX_TERM_CHARS,
    fold,
    indexed_parts,
    is_indexed_alone,
    lucene_query,
    query_terms,
    terms,
    tokens,
)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("L’ÉTRANGER", "l'etranger"),
        ("Œuvre", "oeuvre"),
        ("Straße", "strasse"),
        ("Ελένη", "ελενη"),
        ("İstanbul ılık", "istanbul ilik"),
        ("Bronte\u0308", "bronte"),
        ("Чайковский", "чайковский"),  # й is a letter, not an accented и
        ("Чаи\u0306ка", "чайка"),
        ("за\u0301мок", "замок"),
        ("Пётр", "петр"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("ﬁn", "fin"),
        ("che\u00advalière", "chevaliere"),
    ],
)
def test_fold(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(st.text())
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l’Étranger", ["l", "Étranger"]),
        ("Qu'est-ce qu'il", ["Qu", "est", "ce", "qu", "il"]),
        ("porte-monnaie", ["porte", "monnaie"]),
        ("_Holmes's_ hat", ["Holmes", "s", "hat"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("東京2024年", ["東", "京", "2024", "年"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("👍 … —", []),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert [token.text for token in tokens(text)] == words


@given(st.text())
def test_tokens_stand_where_they_say_and_in_order(text: str) -> None:
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text and token.folded for token in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
    inside = "".join(token.text for token in found)
    assert [letter for letter in text if letter.isalnum()] == [letter for letter in inside if letter.isalnum()]


@pytest.mark.parametrize(
    ("first", "second", "language"),
    [
        ("l'Étranger", "Étranger", "fr"),
        ("chevalière", "CHEVALIERES", "fr"),
        ("aimée", "aimer", "fr"),
        ("données", "donner", "fr"),
        ("L’Étranger", "etranger", "fr"),
        ("Qu’une bague", "une bague", "fr"),
        ("Holmes's", "holmes", "en"),
        ("rings", "ring", "en"),
        ("Häuser", "Haus", "de"),
        ("зелёный", "зеленого", "ru"),
        ("١٢٣", "١٢٣", "ar"),
    ],
)
def test_variants_meet(first: str, second: str, language: str) -> None:
    assert terms(first, language) == terms(second, language) != []


def test_a_ring_is_not_its_knight() -> None:
    assert terms("chevalière", "fr") != terms("chevalier", "fr")


def test_unspaced_scripts_become_pairs_of_characters() -> None:
    assert terms("สวัส", "th") == ["สวั", "วัส"]
    assert terms("カナ。犬", "ja") == ["カナ", "犬"]


def test_ideographs_are_also_terms_by_themselves() -> None:
    assert terms("東京都へ", "ja") == ["東京", "京都", "都へ", "東", "京", "都"]
    assert terms("iPhone的价格", "zh") == ["iphone", "的价", "价格", "的", "价", "格"]
    assert set(terms("猫?", "zh")) < set(terms("我的猫", "zh"))


def test_without_a_stemmer_words_stay_as_they_are() -> None:
    assert terms("Rings of Łódź", "") == ["rings", "of", "lodz"]


@given(st.text(), st.sampled_from(["", "fr", "en", "ru", "tr", "ar"]))
def test_terms_fit_a_whitespace_analyzer(text: str, language: str) -> None:
    for term in terms(text, language):
        assert term
        assert term.split() == [term]
        assert len(term) <= 2 * MAX_TERM_CHARS


def test_a_word_without_end_is_cut() -> None:
    assert terms("a" * 2_000_000, "en") == ["a" * MAX_TERM_CHARS]
    assert len(terms("mot " * 100_000, "fr")) == 100_000


def test_a_question_has_few_distinct_terms() -> None:
    found = query_terms(" ".join(f"mot{number} Jules" for number in range(1000)), "fr", "en")
    assert len(found) == len(set(found)) == MAX_QUERY_TERMS
    assert query_terms("Jules", "fr", "en") == ["jul", "jule"]
    assert query_terms("Jules ?") == ["jules"]


def test_a_query_is_made_of_words_alone() -> None:
    assert lucene_query(["or", 'a"b', "c\\"]) == '"or" OR "a\\"b" OR "c\\\\"'
    assert lucene_query(["价格", "价"]) == '"价格" OR "价"^0.4'
    assert lucene_query([]) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("مُحَمَّد", "محمد"),
        ("مـــحمد", "محمد"),
        ("أحمد", "احمد"),
        ("علی", "علي"),
        ("کتاب", "كتاب"),
        ("١٢", "12"),
        ("שָׁלוֹם", "שלום"),
        ("Ёлкин", "елкин"),
        ("Ὀδυσσεύς", "οδυσσευς"),
        ("ＦＵＬＬ", "full"),
        ("ｶﾀｶﾅ", "カタカナ"),
    ],
)
def test_what_readers_write_or_leave_out_as_they_like_is_folded(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    assert terms(one, "") == terms(other, "")


def test_the_parts_of_a_phrase_that_the_word_index_has() -> None:
    assert indexed_parts("Ann's 東京で, 船 and ｶﾞﾙ") == ["Ann", "s", "東京", "京で", "船", "and", "ｶﾞﾙ"]
    assert [term for term in ("東京", "船", "ル", "ab") if is_indexed_alone(term)] == ["東京", "船"]
