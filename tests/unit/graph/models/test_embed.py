"""Windows, lengths and blanks, with an embedder by words; test_embedder has the windows of the real model."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import Field

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.models.embed import (
    OVERLAP_TOKENS,
    Embedder,
    embed_chunks,
    embed_questions,
    embed_texts,
    window_spans,
)

DIMENSIONS = 256


def chunk_vectors(embedder: Embedder, texts: list[str], titles: list[str]) -> Matrix:
    """The chunks' own vectors, without those of their sentences."""
    return embed_chunks(embedder, texts, titles, [[] for _ in texts])[0]


class LetterPairs(BaseEmbedding):
    """Counts pairs of letters, of as many words as `window` allows; a question's vector is turned by one place."""

    window: int = 0
    seen: list[str] = Field(default_factory=list)

    def _get_text_embedding(self, text: str) -> list[float]:
        self.seen.append(text)
        vector = [0.0] * DIMENSIONS
        for word in text.split()[: self.window or None]:
            for pair in itertools.pairwise(f"^{word}$"):
                vector[(ord(pair[0]) * 31 + ord(pair[1])) % DIMENSIONS] += 1.0
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return list(np.roll(self._get_text_embedding(query), 1))

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def word_spans(texts: list[str]) -> list[list[tuple[int, int]]]:
    found = []
    for text in texts:
        spans, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        found.append(spans)
    return found


def embedder(window: int = 0, model: BaseEmbedding | None = None) -> Embedder:
    model = model or LetterPairs(window=window)
    return Embedder(
        model=model,
        exact=model,
        name="pairs",
        dimensions=DIMENSIONS,
        fingerprint="pairs",
        window=window,
        token_spans=word_spans if window else None,  # type: ignore[arg-type]
    )


def words(count: int, start: int = 0) -> str:
    return " ".join(f"word{n}" for n in range(start, start + count))


@pytest.mark.parametrize("count", [101, 150, 201, 512, 5000])
def test_windows_cover_the_text_overlap_and_are_alike(count: int) -> None:
    text = words(count)
    tokens = word_spans([text])[0]
    spans = window_spans(text, tokens, 100)
    sizes = [sum(start <= a and b <= end for a, b in tokens) for start, end in spans]
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert max(sizes) <= 100
    assert max(sizes) - min(sizes) <= 1 + OVERLAP_TOKENS // 2
    for (_, end), (start, _) in itertools.pairwise(spans):
        assert len(text[start:end].split()) >= 100 // 4 // 2  # never less than half the overlap


def test_a_text_within_the_window_is_one_window() -> None:
    text = words(96)
    assert window_spans(text, word_spans([text])[0], 100) == [(0, len(text))]


def test_a_window_does_not_begin_inside_a_word() -> None:
    text = "abcdefgh " * 60
    tokens = [(n, n + 3) for start in range(0, len(text), 9) for n in (start, start + 3)] + [(len(text) - 3, len(text))]
    starts = [start for start, _ in window_spans(text, sorted(tokens), 50)][1:]
    assert starts
    assert all(start % 9 == 0 for start in starts)


def test_the_end_of_a_long_chunk_is_found() -> None:
    """By a model that reads 100 words, to which the beginnings of the two chunks are one text."""
    model = embedder(100)
    ring = f"{words(460)} Jules wears the signet ring of a society of thieves"
    garden = f"{words(460)} roses bloom beside the old well until late in autumn"
    chunks = chunk_vectors(model, [ring, garden], ["", ""])
    wanted = embed_texts(model, ["the signet ring of thieves"])[0]
    assert chunks[0] @ wanted > chunks[1] @ wanted + 1e-3
    assert np.array_equal(*embed_texts(model, [ring, garden]))


def test_every_window_stands_under_the_title() -> None:
    model = LetterPairs(window=100)
    chunk_vectors(embedder(100, model), [words(300)], ["The Red-Headed League"])
    assert len(model.seen) > 3
    assert all(text.startswith("The Red-Headed League\nword") for text in model.seen)
    assert all(len(text.split()) <= 100 for text in model.seen)


def test_an_endless_title_leaves_room_for_the_text() -> None:
    model = LetterPairs(window=100)
    chunk_vectors(embedder(100, model), ["the signet ring"], [words(10_000)])
    assert model.seen[0].endswith("\nthe signet ring")
    assert len(model.seen[0].split()) == 25 + 3


def test_the_title_counts() -> None:
    with_title, without = (chunk_vectors(embedder(), ["He wears a ring."], [title]) for title in ("Jules Delmas", ""))
    name = embed_texts(embedder(), ["Jules Delmas"])[0]
    assert with_title[0] @ name > without[0] @ name


def test_an_empty_chunk_keeps_its_title_out_of_the_graph() -> None:
    assert np.array_equal(chunk_vectors(embedder(), [" \n"], ["Title"])[0], embed_texts(embedder(), [""])[0])


# --------------------------------------------------------------------------------------------------------------------
# Sentences


class InPlace(LetterPairs):
    """Reads the parts of a text where they stand, and keeps what it was shown."""

    parts: list[str] = Field(default_factory=list)
    reads_parts: bool = True

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[tuple[int, int]]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        shown = [[text[start:end] for start, end in of] for text, of in zip(texts, spans, strict=True)]
        self.parts += [part for of in shown for part in of]
        return [self._get_text_embedding(text) for text in texts], [
            [self._get_text_embedding(part) for part in of] for of in shown
        ]


def sentence_spans(*texts: str) -> list[tuple[int, int]]:
    """Where each of `texts` stands, if they are joined by spaces."""
    ends = list(itertools.accumulate(len(text) + 1 for text in texts))
    return [(end - len(text) - 1, end - 1) for text, end in zip(texts, ends, strict=True)]


@pytest.mark.parametrize("kind", [LetterPairs, InPlace])
def test_each_sentence_has_a_vector_in_its_order(kind: type[LetterPairs]) -> None:
    """Whether the model can read a part in its place or not."""
    model = embedder(model=kind())
    texts = [["Jules wears a ring.", "It is heavy."], [], ["The Claw steals."]]
    chunks, rows = embed_chunks(
        model, [" ".join(of) for of in texts], ["Letter"] * 3, [sentence_spans(*of) for of in texts]
    )
    assert chunks.shape == (3, DIMENSIONS)
    assert [matrix.shape for matrix in rows] == [(2, DIMENSIONS), (0, DIMENSIONS), (1, DIMENSIONS)]
    for matrix, of in zip(rows, texts, strict=True):
        np.testing.assert_allclose(matrix, embed_texts(model, of), atol=1e-6)


@pytest.mark.parametrize("kind", [LetterPairs, InPlace])
def test_a_sentence_of_the_last_window_is_found(kind: type[LetterPairs]) -> None:
    told = [words(12, start) + "." for start in range(0, 480, 12)] + ["Jules wears the signet ring of thieves."]
    model = embedder(100, kind(window=100))
    _, (rows,) = embed_chunks(model, [" ".join(told)], ["Letter"], [sentence_spans(*told)])
    asked = embed_texts(model, ["the signet ring of thieves"])[0]
    assert int((rows @ asked).argmax()) == len(told) - 1
    assert rows[-1] @ asked > 0.8


def test_a_sentence_is_read_in_the_window_that_holds_most_of_it() -> None:
    told = [words(12, start) + "." for start in range(0, 480, 12)]
    model = InPlace(window=100)
    embed_chunks(embedder(100, model), [" ".join(told)], ["Letter"], [sentence_spans(*told)])
    assert sorted(model.parts) == sorted(told), "each whole: the windows overlap by more than a sentence"


def test_a_sentence_longer_than_a_window_is_cut_to_it() -> None:
    endless = words(500)
    model = InPlace(window=100)
    _, (rows,) = embed_chunks(embedder(100, model), [endless], ["Letter"], [[(0, len(endless))]])
    assert rows.shape == (1, DIMENSIONS)
    (part,) = model.parts
    assert part in endless
    assert len(part.split()) > 60


def test_sentences_of_a_blank_chunk_have_vectors_that_are_near_nothing() -> None:
    for kind in (LetterPairs, InPlace):
        _, (rows,) = embed_chunks(embedder(model=kind()), ["   "], ["Title"], [[(0, 3)]])
        assert np.array_equal(rows, embed_texts(embedder(), [""]))


class Broken(LetterPairs):
    """What overflow or a lost model may give."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return {"zero": [0.0], "nan": [float("nan")], "inf": [float("inf")]}.get(text, [1.0]) * DIMENSIONS


@pytest.mark.parametrize("text", ["", "   \n\t", "zero", "nan", "inf"])
def test_no_vector_is_zero_or_not_a_number(text: str) -> None:
    model = embedder(model=Broken())
    for rows in (
        embed_texts(model, [text, "other"]),
        embed_texts(model, [text, "other"], exact=True),
        chunk_vectors(model, [text, "other"], ["", ""]),
        embed_questions(model, [text, "other"]),
    ):
        assert rows.dtype == np.float32
        assert rows.shape == (2, DIMENSIONS)
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_half_a_surrogate_pair_is_embedded() -> None:
    assert np.array_equal(embed_texts(embedder(), ["a \ud83d b"]), embed_texts(embedder(), ["a ? b"]))


def test_nothing_gives_no_rows() -> None:
    assert embed_texts(embedder(), []).shape == (0, DIMENSIONS)
    assert chunk_vectors(embedder(100), [], []).shape == (0, DIMENSIONS)
    assert embed_questions(embedder(), []).shape == (0, DIMENSIONS)


def test_questions_go_the_way_of_questions() -> None:
    asked, told = embed_questions(embedder(), ["ring", "thieves"]), embed_texts(embedder(), ["ring", "thieves"])
    np.testing.assert_allclose(asked, np.roll(told, 1, axis=1), atol=1e-6)


def test_a_model_of_another_size_is_named() -> None:
    class Short(LetterPairs):
        def _get_text_embedding(self, text: str) -> list[float]:
            return [1.0, 2.0]

    with pytest.raises(ModelUnavailable, match="not of 256 dimensions"):
        embed_texts(embedder(model=Short()), ["ring"])


@pytest.mark.parametrize(
    ("languages", "language", "known"),
    [
        (("en",), "en", True),
        (("en",), "fr", False),
        (("multilingual",), "ru", True),
        ((), "fr", True),
        (("en",), "", True),
    ],
)
def test_which_languages_it_knows(languages: tuple[str, ...], language: str, known: bool) -> None:
    model = LetterPairs()
    one = Embedder(model=model, exact=model, name="", dimensions=1, fingerprint="", languages=languages)
    assert one.knows(language) is known
    assert bool(one.warning) is (languages == ("en",))


class Careless(LetterPairs):
    """Answers with `count` vectors, whatever it is asked."""

    count: int

    def get_text_embedding_batch(
        self, texts: list[str], show_progress: bool = False, **kwargs: object
    ) -> list[list[float]]:
        return [[1.0] * DIMENSIONS] * self.count


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_model_that_gives_more_or_fewer_vectors_than_texts_is_refused(count: int) -> None:
    with pytest.raises(ModelUnavailable, match=f"gave {count} vectors for 3 texts"):
        embed_texts(embedder(model=Careless(count=count)), ["a", "b", "c"])
