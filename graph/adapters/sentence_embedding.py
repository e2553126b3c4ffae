"""A sentence-transformers model as a LlamaIndex `BaseEmbedding`, made fast on a CPU. Imports torch: import it lazily.

LlamaIndex's own `HuggingFaceEmbedding` would do, at a third of the speed: it pads every text of a batch to the longest.
Measured on 2 cores (AMD EPYC, avx512_bf16), see `bench/embedding.py`:

- bfloat16 computes 2.2 times as fast as float32, where the processor has instructions for it. A cosine moves by up to
  0.005, so there are two networks: `model` (bfloat16) and `exact` (float32).
- The numbers in a row do not depend on what else is in the batch, but they do depend on the padding (float32: by 1e-7,
  bfloat16: by 0.002). So each text is padded to a length that follows from its own length alone, and a text has one
  vector, bit by bit, whatever it is embedded with.
"""

from __future__ import annotations

import copy
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from filigraph.graph.adapters import hub

BATCH_TOKENS = 1024  # in one pass: its activations stay in the processor's cache
LEAST_TOKENS = 16  # with fewer rows on two threads, matrices are multiplied in another way and the last bit changes
ONE_THREAD = 128  # tokens that a single thread is quicker with than two that wait for each other, above all under load
EXACT_LENGTH = 32  # texts up to this many tokens are not padded,
STEP = 8  # longer ones to a multiple of this: a twentieth more work, and batches instead of single texts

_CORES = hub.cores()

Floats = npt.NDArray[np.float32]
Take = Callable[[int, Floats, Sequence[tuple[int, int]]], None]  # which text, its tokens (n, d), where they stand


class Network:
    """One model's weights and tokenizer, shared by the embeddings made of it. Thread-safe."""

    def __init__(self, model: Any, pooling: str) -> None:
        self._model = model  # SentenceTransformer
        self._tokenizer = model.tokenizer
        self._lock = threading.Lock()  # a tokenizer's settings are changed by each call
        self._longest = int(model.max_seq_length or 512)
        self.pooling = pooling  # of what the parts after the transformer are made
        self.pools_by_mean = _pools_by_mean(model)
        self.prompts: dict[str, str] = dict(model.prompts)
        self.dimensions: int = len(_encode(self, model, ["a"])[0])

    def window(self, prefix: str) -> int:
        """How many tokens of a text are read behind `prefix`."""
        return self._longest - len(self.token_ids([prefix])[0])

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """With the special tokens, cut at the window."""
        return self.tokens(texts)[0]

    def tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[tuple[int, int]]]]:
        """Token ids with the special tokens, cut at the window, and where each token stands (special ones nowhere)."""
        if not texts:
            return [], []
        with self._lock:
            read = self._tokenizer(
                list(texts),
                truncation=True,
                max_length=self._longest,
                padding=False,
                return_attention_mask=False,
                return_offsets_mapping=True,
            )
        return read["input_ids"], read["offset_mapping"]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Where each token of each text stands, special tokens left out, the text read to its end."""
        if not texts:
            return []
        with self._lock:
            found = self._tokenizer(
                list(texts), add_special_tokens=False, truncation=False, padding=False, return_offsets_mapping=True
            )["offset_mapping"]
        return [[(start, end) for start, end in spans if end > start] for spans in found]

    def pad(self, rows: Sequence[Sequence[int]], length: int) -> dict[str, torch.Tensor]:
        """A batch for the model: `rows` of token ids, each filled up to `length`."""
        fill = self._tokenizer.pad_token_id or 0
        ids = [[*row, *[fill] * (length - len(row))] for row in rows]
        mask = [[1] * len(row) + [0] * (length - len(row)) for row in rows]
        return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}

    def embeddings(self, *, name: str, query_prefix: str, passage_prefix: str) -> tuple[BaseEmbedding, BaseEmbedding]:
        """The fast one and the exact one; the same where the processor has no bfloat16."""
        exact = SentenceEmbedding(
            network=self,
            modules=self._model,
            model_name=name,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
        )
        if not _has_bfloat16():
            return exact, exact
        fast = copy.deepcopy(self._model)
        fast[0].to(torch.bfloat16)
        return SentenceEmbedding(
            network=self, modules=fast, model_name=name, query_prefix=query_prefix, passage_prefix=passage_prefix
        ), exact


class SentenceEmbedding(BaseEmbedding):
    """A network in one precision. Prefixes are put before texts and questions as the model was trained to see them."""

    query_prefix: str = ""
    passage_prefix: str = ""
    _network: Network = PrivateAttr()
    _modules: Any = PrivateAttr()

    def __init__(self, *, network: Network, modules: Any, **settings: Any) -> None:
        super().__init__(embed_batch_size=2048, **settings)  # the largest LlamaIndex allows; cut anew by length here
        self._network = network
        self._modules = modules

    @classmethod
    def class_name(cls) -> str:
        return "SentenceEmbedding"

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return _encode(self._network, self._modules, [self.passage_prefix + text for text in texts])

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[tuple[int, int]]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        """The texts' vectors, and for each text those of its spans.

        A span's vector is the mean of its tokens as the model read them with all that stands around them ("late
        chunking", Günther et al. 2024): it costs no pass of its own, and for ranking it is as good as embedding each
        sentence under its title (docs/decisions/0007-hop-ranker.md). Where a model pools in another way than by the
        mean, spans are embedded alone.
        """
        network, shift = self._network, len(self.passage_prefix)
        prefixed = [self.passage_prefix + text for text in texts]
        if not network.pools_by_mean:
            parts = [text[start:end] for text, of in zip(texts, spans, strict=True) for start, end in of]
            alone = iter(self._get_text_embeddings(parts))
            return self._get_text_embeddings(texts), [[next(alone) for _ in of] for of in spans]
        found: list[list[list[float]]] = [[] for _ in texts]

        def take(index: int, tokens: Floats, offsets: Sequence[tuple[int, int]]) -> None:
            """The means of the spans of one text; of a span beyond the model's window that of the whole text."""
            sums = np.concatenate([np.zeros((1, tokens.shape[1]), np.float32), np.cumsum(tokens, axis=0)])
            starts, ends = np.array(offsets).reshape(-1, 2).T
            real = ends > starts
            for start, end in spans[index]:
                inside = np.flatnonzero(real & (starts < end + shift) & (ends > start + shift))
                first, last = (inside[0], inside[-1] + 1) if len(inside) else (0, len(tokens))
                found[index].append((sums[last] - sums[first]).tolist())

        return _encode(network, self._modules, prefixed, take), found

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.get_query_embedding_batch([query])[0]

    def get_query_embedding_batch(self, queries: list[str]) -> list[list[float]]:
        """Several questions in one pass; LlamaIndex takes one at a time.

        On one thread: two that wait for each other take three times the processor's time for so few tokens, and other
        questions and Neo4j want it too.
        """
        ids = self._network.token_ids([self.query_prefix + query for query in queries])
        return _forward(self._modules, self._network.pad(ids, max(map(len, ids))), threads=1)[0] if ids else []

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def open_model(folder: Path) -> Network:
    """Read the model in `folder`, without a word on the terminal. Raises what the libraries raise."""
    hub.silence()
    from sentence_transformers import SentenceTransformer

    # A question multiplies small matrices: two threads waiting for each other took as much time as all the rest of it.
    threadpool_limits(limits=1, user_api="blas")

    model = SentenceTransformer(
        str(folder),
        device="cpu",
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"dtype": torch.float32},
    ).eval()
    parts = [type(part).__name__ for part in model]
    settings = [file.read_text("utf-8") for file in sorted(folder.glob("[1-9]_*/config.json"))]
    return Network(model, json.dumps([parts, settings, model.max_seq_length]))


def _encode(network: Network, modules: Any, texts: Sequence[str], take: Take | None = None) -> list[list[float]]:
    """A vector of length 1 for each text, in order; `take` is shown each text's tokens as the model reads them."""
    ids, offsets = network.tokens(texts)
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for index, row in enumerate(ids):
        length = len(row)
        by_length[length if length <= EXACT_LENGTH else min(-(-length // STEP) * STEP, network._longest)].append(index)
    vectors: list[list[float]] = [[]] * len(texts)
    for length, indices in sorted(by_length.items()):
        size = max(BATCH_TOKENS // length, 1)
        for start in range(0, len(indices), size):
            batch = indices[start : start + size]
            rows = [ids[index] for index in batch]
            rows += rows[:1] * (-(-LEAST_TOKENS // length) - len(rows))
            found, tokens = _forward(modules, network.pad(rows, length))
            for place, index in enumerate(batch):
                vectors[index] = found[place]
                if take is not None:
                    take(index, tokens[place, : len(ids[index])].numpy(), offsets[index])
    return vectors


@torch.inference_mode()
def _forward(
    modules: Any, features: dict[str, torch.Tensor], threads: int | None = None
) -> tuple[list[list[float]], torch.Tensor]:
    """Through the transformer in its own precision, through the rest (pooling) in float32: vectors, and tokens."""
    fitting = 1 if features["input_ids"].numel() <= ONE_THREAD else _CORES
    torch.set_num_threads(threads or fitting)  # holds for this thread
    for part in modules:
        features = part(features)
        features["token_embeddings"] = features["token_embeddings"].float()
    rows: list[list[float]] = torch.nn.functional.normalize(features["sentence_embedding"]).tolist()
    return rows, features["token_embeddings"]


def _pools_by_mean(model: Any) -> bool:
    """Whether a text's vector is the mean of its tokens and nothing else."""
    names = [type(part).__name__ for part in model]
    return (
        names[:2] == ["Transformer", "Pooling"] and set(names[2:]) <= {"Normalize"} and model[1].pooling_mode == "mean"
    )


def _has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself; where it is emulated it is slower than float32."""
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
