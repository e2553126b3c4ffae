"""Texts to vectors: chunks by windows, names, facts and questions as they are.

The interface is LlamaIndex's `BaseEmbedding`; `Embedder` adds the number of tokens that it reads, its languages, and
the fingerprint that a workspace stores. Every row that leaves this module is finite and of length 1, because Neo4j
refuses a whole batch for one zero vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.model.arrays import Matrix, Vector

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding

OVERLAP_TOKENS = 32  # tokens that two windows of a text share: a fact across the border is whole in one of them
SLACK_TOKENS = 4  # tokens by which a window may grow when it is tokenized alone: its last word is cut
MAX_TITLE_SHARE = 0.25  # of a window that a title may take, at most
MAX_CHARS_PER_TOKEN = 20  # most characters of a token, on average over a window: text beyond that is never read
MIN_NORM = 1e-6  # a shorter vector has no direction
# Kinds of text, as sentence-transformers, jina and nomic name them: the first with a prompt in the model is used.
QUERY_TASKS = ("query", "retrieval.query", "search_query")
PASSAGE_TASKS = ("document", "passage", "retrieval.passage", "search_document")

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Embedder:
    """An embedding model and its properties.

    `model` and `exact` are the same network; `exact` computes in float32, `model` in whatever is fastest here. Their
    cosines differ by up to 0.005, so cosines that are compared with a threshold must come from `exact`.
    """

    model: BaseEmbedding
    exact: BaseEmbedding
    name: str
    dimensions: int
    fingerprint: str  # of weights, prefixes and pooling: vectors of two fingerprints cannot be compared
    window: int = 0  # tokens of a text that the model reads, prefix and special tokens not counted; 0: any text whole
    token_spans: Callable[[Sequence[str]], list[list[Span]]] | None = None  # offsets of each text's tokens
    vector_weight: float = 0.5  # beside words, if both are in one language (graph/ask/explore/fusion.py)
    languages: tuple[str, ...] = ()  # ISO 639-1 codes or "multilingual", from its card; () if it gives none

    @property
    def warning(self) -> str:
        """A warning for people who rely on it, "" if there is none."""
        return "English; weak outside English" if self.languages == ("en",) else ""

    def knows(self, language: str) -> bool:
        """Whether texts in `language` can be compared by vector; true for an unknown language."""
        if not language or not self.languages or "multilingual" in self.languages:
            return True
        return language in self.languages


@runtime_checkable
class EncodesQuestionSpans(Protocol):
    """A BaseEmbedding that also gives vectors of parts of a question, in the same pass."""

    def get_query_span_embeddings(self, query: str, spans: list[Span]) -> tuple[list[float], list[list[float]]]: ...


@runtime_checkable
class EncodesSpans(Protocol):
    """A BaseEmbedding that also gives vectors of parts of a text, in the same pass."""

    @property
    def reads_parts(self) -> bool:
        """Whether parts are embedded in context; else each is embedded alone."""

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[Span]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]: ...


def embed_chunks(
    embedder: Embedder, texts: Sequence[str], titles: Sequence[str], sentences: Sequence[Sequence[Span]]
) -> tuple[Matrix, list[Matrix]]:
    """A vector for each chunk, from its title and all of its text, shape (n, d); and one for each of its `sentences`
    (spans of its text), shape (sentences, d) a chunk.

    A text longer than the model's window is cut into overlapping windows of even length, each under the title; the
    chunk's vector is the mean of theirs, so a fact in the last tokens counts as much as one in the first. A sentence is
    read in the window that contains most of it.
    """
    cut = list(windows_of(embedder, [valid_utf8(text) for text in texts], [valid_utf8(title) for title in titles]))
    windows = [window for pieces in cut for window in pieces]
    owners = [owner for owner, pieces in enumerate(cut) for _ in pieces]
    placed: list[list[Span]] = [[] for _ in windows]
    place: list[list[tuple[int, int]]] = []  # for each sentence of each chunk: the window, and its span in it
    first = 0
    for pieces, spans in zip(cut, sentences, strict=True):
        place.append([])
        for span in spans:
            index = max(range(len(pieces)), key=lambda n: (pieces[n].holds(span), -n))
            placed[first + index].append(pieces[index].inside(span))
            place[-1].append((first + index, len(placed[first + index]) - 1))
        first += len(pieces)
    whole, parts = encode_spans(embedder, [window.text for window in windows], placed)
    sums = np.zeros((len(texts), embedder.dimensions), dtype=np.float32)
    np.add.at(sums, owners, whole)
    rows = [np.array([parts[window][n] for window, n in members], dtype=np.float32) for members in place]
    return unit_rows(sums), [matrix.reshape(-1, embedder.dimensions) for matrix in rows]


def embed_texts(embedder: Embedder, texts: Sequence[str], *, exact: bool = False) -> Matrix:
    """A vector for each short text (a name, a fact), shape (n, d). Text beyond the window is not read.

    `exact` computes in float32: for names whose cosines are compared with a threshold.
    """
    return _encode(embedder, embedder.exact if exact else embedder.model, [valid_utf8(text) for text in texts])


def embed_questions(embedder: Embedder, questions: Sequence[str]) -> Matrix:
    """A vector for each question, in float32, with the model's query prefix. Shape (n, d)."""
    rows = _empty_matrix(embedder, len(questions))
    filled = [(i, _cut_text(embedder, valid_utf8(text))) for i, text in enumerate(questions) if text.strip()]
    if filled:
        vectors = [embedder.exact.get_query_embedding(text) for _, text in filled]
        rows[[i for i, _ in filled]] = _checked(embedder, vectors, len(filled))
    return unit_rows(rows)


def embed_question_spans(embedder: Embedder, question: str, spans: Sequence[Span]) -> tuple[Vector, Matrix]:
    """The vector of a question, and one for each of its `spans`, shape (spans, d), in float32.

    A span is embedded in context, like sentences of chunks, so both are comparable; it costs no extra pass. A model
    that cannot do that embeds it alone.
    """
    model = embedder.exact
    if not isinstance(model, EncodesQuestionSpans) or not question.strip():
        rows = embed_questions(embedder, [question, *(question[start:end] for start, end in spans)])
        return rows[0], rows[1:]
    vector, parts = model.get_query_span_embeddings(_cut_text(embedder, valid_utf8(question)), list(spans))
    rows = unit_rows(_checked(embedder, [vector, *parts], 1 + len(spans)))
    return rows[0], rows[1:]


# --------------------------------------------------------------------------------------------------------------------
# Windows


@dataclass(frozen=True, kw_only=True)
class Window:
    """A piece of a text as the model reads it: `text` is the head (its title), then the piece from `start` to `end`."""

    text: str
    head: int  # characters before the piece
    start: int
    end: int

    def holds(self, span: Span) -> int:
        """The number of characters of `span` in the window."""
        return min(span[1], self.end) - max(span[0], self.start)

    def inside(self, span: Span) -> Span:
        """`span` of the text as one of the window."""
        start, end = max(span[0], self.start), min(span[1], self.end)
        return self.head + start - self.start, self.head + end - self.start


def _window(title: str, text: str, start: int, end: int) -> Window:
    head = f"{title}\n" if title and text.strip() else ""
    return Window(text=head + text[start:end], head=len(head), start=start, end=end)


def windows_of(
    embedder: Embedder, texts: Sequence[str], titles: Sequence[str], *, overlap: int = OVERLAP_TOKENS
) -> Iterable[list[Window]]:
    """For each text its windows, each after the text's title; neighbours share about `overlap` tokens."""
    pieces = [[_window(title, text, 0, len(text))] for title, text in zip(titles, texts, strict=True)]
    if not embedder.window or embedder.token_spans is None:
        return pieces
    short = embedder.window // 4  # no tokenizer makes more than four tokens of a character
    long = [i for i, (title, text) in enumerate(zip(titles, texts, strict=True)) if len(title) + len(text) > short]
    heads = dict.fromkeys(titles[i] for i in long)
    head_spans = dict(zip(heads, embedder.token_spans([_cut_text(embedder, title) for title in heads]), strict=True))
    text_spans = dict(zip(long, embedder.token_spans([texts[i] for i in long]), strict=True))
    for i in long:
        most = int(embedder.window * MAX_TITLE_SHARE)
        spans = head_spans[titles[i]]
        title = titles[i][: spans[most - 1][1]] if len(spans) > most else titles[i]
        room = embedder.window - min(len(spans), most)
        spans_of = window_spans(texts[i], text_spans[i], room, overlap=overlap)
        pieces[i] = [_window(title, texts[i], start, end) for start, end in spans_of]
    return pieces


def window_spans(text: str, tokens: Sequence[Span], size: int, *, overlap: int = OVERLAP_TOKENS) -> list[Span]:
    """Cut `text` into as few windows as possible, of at most `size` tokens; each shares `overlap` tokens with the next,
    at most a quarter of `size`.

    All have about the same length: a last one of three words would weigh as much as a full one. None begins inside a
    word, as far as the overlap allows.
    """
    size -= SLACK_TOKENS
    if len(tokens) <= size:
        return [(0, len(text))]
    overlap = min(overlap, size // 4)
    count = -(-(len(tokens) - overlap) // (size - overlap))
    even = -(-(len(tokens) + (count - 1) * overlap) // count)  # tokens in each
    step = (len(tokens) - even) / (count - 1)
    firsts = [0, *(_word_begin(text, tokens, round(n * step), overlap // 2) for n in range(1, count))]
    lasts = [min(round(n * step) + even, len(tokens)) - 1 for n in range(count)]
    starts = [0, *(tokens[first][0] for first in firsts[1:])]
    ends = [*(tokens[last][1] for last in lasts[:-1]), len(text)]
    return list(zip(starts, ends, strict=True))


def _word_begin(text: str, tokens: Sequence[Span], first: int, limit: int) -> int:
    """The first token from `first` on that begins a word, at most `limit` tokens later."""
    for index in range(first, first + limit):
        start = tokens[index][0]
        if not (text[start - 1].isalnum() and text[start].isalnum()):
            return index
    return first


# --------------------------------------------------------------------------------------------------------------------
# Vectors


def _encode(embedder: Embedder, model: BaseEmbedding, texts: Sequence[str]) -> Matrix:
    """Rows of length 1 for `texts`; a blank text is not given to the model."""
    rows = _empty_matrix(embedder, len(texts))
    filled = [i for i, text in enumerate(texts) if text.strip()]
    if filled:
        vectors = model.get_text_embedding_batch([_cut_text(embedder, texts[i]) for i in filled])
        rows[filled] = _checked(embedder, vectors, len(filled))
    return unit_rows(rows)


def encode_spans(
    embedder: Embedder, texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> tuple[Matrix, list[Matrix]]:
    """Rows for `texts`, and for the spans of each. A model that cannot embed a part in context embeds it alone."""
    model = embedder.model
    if not isinstance(model, EncodesSpans):
        flat = [text[start:end] for text, text_spans in zip(texts, spans, strict=True) for start, end in text_spans]
        ends = np.cumsum([len(text_spans) for text_spans in spans])[:-1]
        return _encode(embedder, model, texts), np.split(_encode(embedder, model, flat), ends)
    whole, parts = (
        _empty_matrix(embedder, len(texts)),
        [_empty_matrix(embedder, len(text_spans)) for text_spans in spans],
    )
    filled = [i for i, text in enumerate(texts) if text.strip()]
    if filled:
        vectors, span_vectors = model.get_span_embeddings([texts[i] for i in filled], [list(spans[i]) for i in filled])
        whole[filled] = _checked(embedder, vectors, len(filled))
        for i, rows in zip(filled, span_vectors, strict=True):
            parts[i] = _checked(embedder, rows, len(spans[i])) if rows else parts[i]
    return unit_rows(whole), [unit_rows(rows) for rows in parts]


def _empty_matrix(embedder: Embedder, count: int) -> Matrix:
    return np.zeros((count, embedder.dimensions), dtype=np.float32)


def _checked(embedder: Embedder, vectors: Sequence[Sequence[float]], count: int) -> Matrix:
    """Shape (count, d): a row for each text. Raises ModelUnavailable if their number or size differs: numpy would
    broadcast a single row to all."""
    sizes = {len(vector) for vector in vectors} - {embedder.dimensions}
    if len(vectors) != count or sizes:
        gave = (
            f"a vector of {min(sizes)}, not of {embedder.dimensions} dimensions" if sizes else f"{len(vectors)} vectors"
        )
        raise ModelUnavailable(
            f"{embedder.name} gave {gave} for {count} texts.",
            cure="Use an embedding model that gives one vector of fixed size for each text.",
        )
    return np.asarray(vectors, dtype=np.float32)


def unit_rows(rows: Matrix) -> Matrix:
    """Each row at length 1.

    A row without a direction (blank text, overflow) becomes the first axis: it can be stored, and is near to nothing,
    since a trained model puts no text there.
    """
    norms = np.linalg.norm(rows.astype(np.float64), axis=1)
    lost = ~np.isfinite(norms) | (norms < MIN_NORM)
    unit = (rows / np.where(lost, 1.0, norms)[:, None]).astype(np.float32)
    unit[lost] = 0.0
    unit[lost, 0] = 1.0
    return unit


def valid_utf8(text: str) -> str:
    """`text` as UTF-8 can carry it, of the same length: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _cut_text(embedder: Embedder, text: str) -> str:
    """Cut off the text that the model will not read, before tokenizing."""
    return text[: embedder.window * MAX_CHARS_PER_TOKEN] if embedder.window else text
