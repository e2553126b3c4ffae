"""The weight of vectors: by the languages of the question and the documents, and by the embedder."""

from __future__ import annotations

import dataclasses
import random

import pytest

from filigraph.graph.ask.explore.fusion import (
    CROSS_LANGUAGE_VECTOR_WEIGHT,
    UNKNOWN,
    is_comparable,
    reciprocal_rank_fusion,
    vector_weight,
)
from tests.making import word_embedder

ENGLISH = dataclasses.replace(word_embedder(), languages=("en",))
MULTILINGUAL = dataclasses.replace(word_embedder(), languages=("multilingual",))


@pytest.mark.parametrize(
    ("question", "documents", "knows"),
    [
        ("en", ["en"], True),
        ("en", [], True),  # too short to tell
        ("en", ["en", "fr"], True),
        ("en", ["fr"], False),  # it cannot read what it compares the question with
        ("fr", ["fr"], False),
        ("fr", ["en"], False),
        ("ru", ["ru"], False),
        ("", ["es"], False),
        ("", ["en", "es"], False),  # it may be Spanish
        ("", ["en"], True),
        ("", [], True),
    ],
)
def test_an_english_embedder_counts_where_all_is_english(question: str, documents: list[str], knows: bool) -> None:
    assert is_comparable(question, documents, ENGLISH) == knows


@pytest.mark.parametrize("language", ["", "en", "fr", "ru", "zh"])
def test_a_multilingual_embedder_counts_everywhere(language: str) -> None:
    assert is_comparable(language, [language], MULTILINGUAL)
    assert is_comparable(language, [language], word_embedder())  # nobody knows what it knows


@pytest.mark.parametrize(
    ("question", "documents", "weight"),
    [
        ("fr", ["fr"], 0.75),
        ("en", ["fr", "en"], 0.75),  # its words may stand in the English ones
        ("en", ["fr", "de"], CROSS_LANGUAGE_VECTOR_WEIGHT),
        ("", ["fr"], 0.75),
        ("en", [], 0.75),
    ],
)
def test_vectors_lead_where_no_document_is_in_the_language_of_the_question(
    question: str, documents: list[str], weight: float
) -> None:
    assert vector_weight(question, documents, dataclasses.replace(MULTILINGUAL, vector_weight=0.75)) == weight


def test_words_lead_where_the_embedder_does_not_know_the_language() -> None:
    assert vector_weight("fr", ["fr"], ENGLISH) == vector_weight("en", ["fr"], ENGLISH) == UNKNOWN


@pytest.mark.parametrize("found", [0, 3, 100])
def test_in_an_unknown_language_the_keyword_order_is_kept(found: int) -> None:
    for seed in range(20):
        ids = [f"{n:03}" for n in range(200)]
        mixed = random.Random(seed)
        words, vectors = mixed.sample(ids, found), mixed.sample(ids, 100)
        fused = [id_ for id_, _ in reciprocal_rank_fusion([(UNKNOWN, vectors), (1 - UNKNOWN, words)])]
        assert fused == [*words, *(id_ for id_ in vectors if id_ not in words)]


def test_fusion_is_the_weighted_sum_of_reciprocal_ranks() -> None:
    fused = dict(reciprocal_rank_fusion([(0.7, ["a", "b"]), (0.3, ["b", "c"])]))
    assert fused == pytest.approx({"a": 0.7 / 61, "b": 0.7 / 62 + 0.3 / 61, "c": 0.3 / 62})


def test_two_second_places_beat_one_first_place() -> None:
    assert next(id_ for id_, _ in reciprocal_rank_fusion([(1, ["a", "b"]), (1, ["c", "b"])])) == "b"


def test_fusion_breaks_ties_in_the_order_of_the_lists() -> None:
    """An id is a hash of a document's name, which says nothing."""
    for first, second in ("ab", "ba"):
        assert [id_ for id_, _ in reciprocal_rank_fusion([(1, [first]), (1, [second])])] == [first, second]
