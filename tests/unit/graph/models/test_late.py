"""Late chunking: how texts are cut, and that a pronoun's sentence contains the person it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from pydantic import Field

from filigraph.graph.errors import Cancelled, NotSetUp
from filigraph.graph.model.documents import Chunk
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder, Span, embed_questions, embed_texts
from filigraph.graph.models.late import LateDocument, Strategy, embed_late
from tests.making import WordEmbedding, word_embedder

TEXT = "Sophie aime Jules. Elle ne sait rien.\n\n\nIl porte une bague.\n  \nRien."

PRONOUNS = [  # a text, the sentence that answers, the question
    (
        "Berlin is the capital and largest city of Germany, both by area and by population. Its more than 3.85 million "
        "inhabitants make it the European Union's most populous city. The city is also one of the states of Germany.",
        1,
        "How many people live in Berlin?",
    ),
    (
        "Jules Delmas est arrivé à Lyon en janvier. Il porte une bague d'argent à tête de loup. Personne ne sait d'où "
        "il vient.",
        1,
        "Quelle bague porte Jules Delmas ?",
    ),
    (
        "Mrs. Cavendish came down at eight. She had a green dress and was very pale. The detective bowed.",
        1,
        "What did Mrs. Cavendish wear?",
    ),
    (
        "Marie Curie wurde in Warschau geboren. Sie erhielt zweimal den Nobelpreis. Später lehrte sie in Paris.",
        1,
        "Welche Preise bekam Marie Curie?",
    ),
    (
        "Pierre Arden owned the mill. He sold it in 1904 to a stranger from Rouen. The river froze that year.",
        1,
        "When did Pierre Arden sell his property?",
    ),
]


def words(texts: Sequence[str]) -> list[list[Span]]:
    return [[match.span() for match in re.finditer(r"\w+", text)] for text in texts]


class Parts(WordEmbedding):
    """Embeds the parts of a text, and keeps which texts it was shown."""

    reads_parts: bool = True
    shown: list[str] = Field(default_factory=list)

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[Span]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        self.shown += texts
        parts = [[text[start:end] for start, end in of] for text, of in zip(texts, spans, strict=True)]
        return self._get_text_embeddings(texts), [self._get_text_embeddings(of) if of else [] for of in parts]


@pytest.fixture
def embedder() -> Embedder:
    return replace(word_embedder(), model=Parts(), token_spans=words)


@pytest.mark.parametrize(
    ("strategy", "size", "overlap", "pieces"),
    [
        ("sentence", 1, 0, ["Sophie aime Jules.", "Elle ne sait rien.", "Il porte une bague.", "Rien."]),
        ("sentence", 7, 0, ["Sophie aime Jules. Elle ne sait rien.", "Il porte une bague.\n  \nRien."]),
        (
            "sentence",
            7,
            4,
            ["Sophie aime Jules. Elle ne sait rien.", "Il porte une bague.\n  \nRien."],
        ),
        ("paragraph", 1, 0, ["Sophie aime Jules. Elle ne sait rien.", "Il porte une bague.", "Rien."]),
        (
            "fixed",
            5,
            2,
            [
                "Sophie aime Jules. Elle ne",
                "Elle ne sait rien.\n\n\nIl",
                "rien.\n\n\nIl porte une bague",
                "une bague.\n  \nRien",
            ],
        ),
    ],
)
def test_pieces(embedder: Embedder, strategy: Strategy, size: int, overlap: int, pieces: list[str]) -> None:
    (found,) = embed_late(embedder, [TEXT], strategy=strategy, chunk_size=size, overlap=overlap)
    assert [TEXT[piece.start : piece.end] for piece in found] == pieces


def test_blank_texts_have_no_pieces(embedder: Embedder) -> None:
    for strategy in ("paragraph", "sentence", "fixed"):
        assert embed_late(embedder, ["", " \n\n "], strategy=strategy, chunk_size=8, overlap=7) == [[], []]


def test_refusals(embedder: Embedder) -> None:
    for cannot in (replace(embedder, token_spans=None), replace(embedder, model=Parts(reads_parts=False))):
        with pytest.raises(NotSetUp):
            embed_late(cannot, ["a"], strategy="fixed", chunk_size=8, overlap=0)
    with pytest.raises(Cancelled):
        embed_late(embedder, ["a"], strategy="fixed", chunk_size=8, overlap=0, cancelled=lambda: True)


def chunk(text: str, start: int, end: int) -> Chunk:
    return Chunk(
        id=str(start),
        document_id="d",
        index=0,
        start=start,
        end=end,
        text=text[start:end],
        title="Letter",
        place="",
        language="en",
    )


def test_the_chunks_of_a_document_are_parts_of_its_windows(embedder: Embedder) -> None:
    """Of a chunk in two windows each part counts by its length; only windows that hold what is asked for are read."""
    text = " ".join(f"word{n}" for n in range(300))
    spans = [found.span() for found in re.finditer(r"(\S+ ){49}\S+", text)]
    chunks = [chunk(text, *span) for span in spans]
    few = replace(embedder, window=120)
    document = LateDocument(few, chunks)
    assert document.mark != LateDocument(few, chunks[:-1]).mark
    vectors, sentences = document.embed(spans, [[(0, 5), (6, 11)] for _ in spans])
    alone = embed_texts(few, [one.text for one in chunks])
    assert np.all((vectors * alone).sum(axis=1) > 0.9)
    assert [matrix.shape for matrix in sentences] == [(2, few.dimensions)] * len(spans)
    assert isinstance(few.model, Parts)
    read = len(few.model.shown)
    assert read > 2 and all(shown.startswith("Letter\n") for shown in few.model.shown)
    again, _ = document.embed(spans[-1:], [[]])
    assert np.array_equal(again[0], vectors[-1])
    assert len(few.model.shown) - read < read


@pytest.mark.models
def test_the_sentence_of_a_pronoun_is_nearer_late_than_early() -> None:
    embedder = load_embedder()
    for text, answer, question in PRONOUNS:
        (late,) = embed_late(embedder, [text], strategy="sentence", chunk_size=1, overlap=0)
        early = embed_texts(embedder, [text[piece.start : piece.end] for piece in late])
        (asked,) = embed_questions(embedder, [question])
        assert late[answer].vector @ asked > early[answer] @ asked + 0.1, question
