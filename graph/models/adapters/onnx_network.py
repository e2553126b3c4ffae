"""multilingual-e5-small by ONNX Runtime, as a Network. Imports neither torch nor transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from tokenizers import Encoding, Tokenizer

from filigraph.graph.models.adapters import e5_graph
from filigraph.graph.models.adapters.sentence_embedding import BATCH_TOKENS, Floats, Span
from filigraph.graph.process.threads import compute_threads

ERRORS_ONLY = 3  # errors alone

T = TypeVar("T")


class OnnxNetwork:
    """A graph and its tokenizer. Thread-safe.

    Each pass is computed on one thread and several of them side by side: no thread waits for another.
    """

    longest = 512
    batch_tokens = BATCH_TOKENS
    pools_by_mean = True

    def __init__(self, folder: Path) -> None:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(
            folder / e5_graph.MODEL, settings, providers=["CPUExecutionProvider"]
        )
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / e5_graph.TOKENIZER))
        self._pad: int = self._tokenizer.token_to_id("<pad>") or 0
        self.side_by_side = compute_threads()

    def tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[Span]]]:
        """As Network says."""
        read = self._read(texts, special=True)
        return [self._cut(text.ids) for text in read], [self._cut(text.offsets) for text in read]

    def token_spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """As Network says."""
        read = self._read(texts, special=False)
        return [[(start, end) for start, end in text.offsets if end > start] for text in read]

    def forward(self, rows: Sequence[Sequence[int]], length: int, *, question: bool = False) -> tuple[Floats, Floats]:
        """As Network says."""
        ids = np.full((len(rows), length), self._pad, np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
        lengths = np.array([len(row) for row in rows], np.int32)
        (tokens,) = self._session.run(None, {"ids": ids, "lengths": lengths})
        sums = np.array([tokens[place, : len(row)].sum(axis=0) for place, row in enumerate(rows)])
        return sums / np.linalg.norm(sums, axis=1, keepdims=True), tokens

    def _read(self, texts: Sequence[str], *, special: bool) -> list[Encoding]:
        encodings: list[Encoding] = self._tokenizer.encode_batch(list(texts), add_special_tokens=special)
        return encodings

    def _cut(self, row: list[T]) -> list[T]:
        """A row cut to `longest` tokens; its last token, which ends a text, stays."""
        return row if len(row) <= self.longest else [*row[: self.longest - 1], row[-1]]
