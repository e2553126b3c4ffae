"""A network as a LlamaIndex `BaseEmbedding`: texts batched by length, and spans of a text embedded in context.

LlamaIndex's own `HuggingFaceEmbedding` would do, at a third of the speed: it pads every text of a batch to the longest.

The numbers in a row depend on the padding (float32: by 1e-7, bfloat16: by 0.002). So each text is padded to a length
that depends only on its own length, and with the default model a text has the same vector, bit by bit, in any batch.
With PyTorch a matrix product may add up in another order for another number of rows (measured: on 16 cores, on a GPU,
on a processor with AMX): there, texts embedded with others differ by 1e-7 in float32, 1e-4 in float16, 1e-3 in
bfloat16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
import numpy.typing as npt
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

BATCH_TOKENS = 1024  # in one pass on a processor: its activations stay in the cache
MAX_UNPADDED_TOKENS = 32  # texts up to this many tokens are not padded,
PADDING_STEP_TOKENS = 8  # longer ones to a multiple of this: a twentieth more work, and batches instead of single texts

Floats = npt.NDArray[np.float32]
Span = tuple[int, int]
Take = Callable[[int, Floats, Sequence[Span]], None]  # index of the text, vectors of its tokens (n, d), their spans


class Network(Protocol):
    """A model's weights and tokenizer. Thread-safe."""

    @property
    def longest(self) -> int:
        """The number of tokens of a text that it reads, with the special ones."""

    @property
    def pools_by_mean(self) -> bool:
        """Whether a text's vector is the mean of its tokens and nothing else."""

    @property
    def batch_tokens(self) -> int:
        """How many tokens are best computed in one pass."""

    @property
    def side_by_side(self) -> int:
        """How many batches are best computed at once."""

    def tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[Span]]]:
        """Token ids with the special tokens, cut at `longest`, and the span of each token (empty for special ones)."""

    def token_spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """The span of each token of each whole text, without special tokens."""

    def forward(self, rows: Sequence[Sequence[int]], length: int, *, question: bool = False) -> tuple[Floats, Floats]:
        """For `rows` of token ids, each padded to `length`: vectors of length 1, and the vectors of their tokens (rows,
        length, d). Both may have extra rows at the end.

        A `question` is computed on one thread: for so few tokens, two threads that wait for each other take three times
        the processor time, which other questions and Neo4j need too.
        """


class SentenceEmbedding(BaseEmbedding):
    """A network with the prefixes that it was trained with, for texts and questions.

    `centre` is subtracted from every vector of length 1, which is then normalized again: the common part of all texts
    says nothing, and if it is large, as in e5, all cosines lie between 0.7 and 1.

    `context` is the share of a text's own vector that is subtracted from the vectors of its spans, for a model whose
    token vectors say more about the text than about the token.
    """

    query_prefix: str = ""
    passage_prefix: str = ""
    _network: Network = PrivateAttr()
    _centre: Floats | None = PrivateAttr()
    _context: float = PrivateAttr()

    def __init__(
        self,
        *,
        network: Network,
        model_name: str,
        query_prefix: str,
        passage_prefix: str,
        centre: Floats | None = None,
        context: float = 0.0,
    ) -> None:
        super().__init__(
            embed_batch_size=2048,  # the largest LlamaIndex allows; cut again by length here
            model_name=model_name,
        )
        self.query_prefix, self.passage_prefix = query_prefix, passage_prefix
        self._network = network
        self._centre = centre
        self._context = context

    @classmethod
    def class_name(cls) -> str:
        return "SentenceEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._encode([self.passage_prefix + text for text in texts]).tolist()
        return rows

    @property
    def network(self) -> Network:
        return self._network

    @property
    def reads_parts(self) -> bool:
        """Whether the vector of a part is the mean of its tokens in context."""
        return self._network.pools_by_mean

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[Span]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        """The texts' vectors, and for each text those of its spans.

        A span's vector is the mean of its tokens, read in the context of the whole text ("late chunking", Günther et
        al. 2024): it costs no extra pass, and for ranking it is as good as embedding each sentence under its title
        (docs/decisions/0007-hop-ranker.md). If a model does not pool by the mean, spans are embedded alone.
        """
        shift = len(self.passage_prefix)
        prefixed = [self.passage_prefix + text for text in texts]
        if not self.reads_parts:
            parts = [
                text[start:end] for text, text_spans in zip(texts, spans, strict=True) for start, end in text_spans
            ]
            alone = iter(self._get_text_embeddings(parts))
            return self._get_text_embeddings(texts), [[next(alone) for _ in text_spans] for text_spans in spans]
        span_vectors: list[list[list[float]]] = [[] for _ in texts]

        def take(index: int, tokens: Floats, offsets: Sequence[Span]) -> None:
            span_vectors[index] = self._of_spans(
                tokens, offsets, [(start + shift, end + shift) for start, end in spans[index]]
            )

        whole: list[list[float]] = self._encode(prefixed, take).tolist()
        return whole, span_vectors

    def _of_spans(self, tokens: Floats, offsets: Sequence[Span], spans: Sequence[Span]) -> list[list[float]]:
        """For each span of one text the mean of its tokens, centred, less the text's share (`context`); for a span
        beyond the model's window, the mean of all tokens."""
        sums = np.concatenate([np.zeros((1, tokens.shape[1]), np.float32), np.cumsum(tokens, axis=0)])
        starts, ends = np.array(offsets).reshape(-1, 2).T
        real = ends > starts
        rows = []
        for start, end in spans:
            inside = np.flatnonzero(real & (starts < end) & (ends > start))
            first, last = (inside[0], inside[-1] + 1) if len(inside) else (0, len(tokens))
            rows.append(sums[last] - sums[first])
        if not rows:
            return []
        centred = self._centred(np.array([sums[-1], *rows]))
        parts: list[list[float]] = (centred[1:] - self._context * centred[0]).tolist()
        return parts

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.get_query_span_embeddings(query, [])[0]

    def get_query_span_embeddings(self, query: str, spans: list[Span]) -> tuple[list[float], list[list[float]]]:
        """A question's vector and those of its spans, computed like those of texts."""
        if spans and not self.reads_parts:
            return self._get_query_embedding(query), [self._get_query_embedding(query[a:b]) for a, b in spans]
        shift = len(self.query_prefix)
        ids, offsets = self._network.tokens([self.query_prefix + query])
        vectors, tokens = self._network.forward(ids, len(ids[0]), question=True)
        vector: list[float] = self._centred(vectors)[0].tolist()
        placed = [(start + shift, end + shift) for start, end in spans]
        return vector, self._of_spans(tokens[0, : len(ids[0])], offsets[0], placed)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _encode(self, texts: Sequence[str], take: Take | None = None) -> Floats:
        """A vector of length 1 for each text, in order; `take` gets the vectors of each text's tokens."""
        network = self._network
        if not texts:
            return np.zeros((0, 0), np.float32)
        ids, offsets = network.tokens(texts)
        vectors: list[Floats] = [np.empty(0, np.float32)] * len(texts)

        def run(batch: tuple[int, list[int]]) -> None:
            length, indices = batch
            states, tokens = network.forward([ids[index] for index in indices], length)
            for place, index in enumerate(indices):
                vectors[index] = states[place]
                if take is not None:
                    take(index, tokens[place, : len(ids[index])], offsets[index])

        batches = _batches([len(row) for row in ids], network.longest, network.batch_tokens)
        if len(batches) == 1 or network.side_by_side == 1:
            for batch in batches:
                run(batch)
        else:
            with ThreadPoolExecutor(network.side_by_side) as pool:
                list(pool.map(run, batches))
        return self._centred(np.array(vectors))

    def _centred(self, rows: Floats) -> Floats:
        if self._centre is None:
            return rows
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-9)
        moved: Floats = unit - self._centre
        moved /= np.linalg.norm(moved, axis=1, keepdims=True).clip(1e-9)
        return moved


def _batches(lengths: Sequence[int], longest: int, batch_tokens: int) -> list[tuple[int, list[int]]]:
    """The batches: the padded length and the indices of the texts."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for index, length in enumerate(lengths):
        by_length[
            length
            if length <= MAX_UNPADDED_TOKENS
            else min(-(-length // PADDING_STEP_TOKENS) * PADDING_STEP_TOKENS, longest)
        ].append(index)
    batches = []
    for length, indices in sorted(by_length.items()):
        size = max(batch_tokens // length, 1)
        batches += [(length, indices[start : start + size]) for start in range(0, len(indices), size)]
    return batches
