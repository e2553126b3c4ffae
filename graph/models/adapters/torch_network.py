"""A sentence-transformers model as a Network, on a GPU if torch finds one. Imports torch: import it lazily.

bfloat16 computes 2.2 times as fast as float32 if the processor has instructions for it (measured on 2 cores, AMD
EPYC, avx512_bf16). A cosine moves by up to 0.005, so there are two networks: a fast one and an exact one. A GPU
computes in float16; there a cosine moves by up to 0.0007.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from filigraph.graph.models.adapters import hub
from filigraph.graph.models.adapters.sentence_embedding import BATCH_TOKENS, Floats, Span
from filigraph.graph.process.threads import compute_threads, keep_blas_on_one_thread

GPU_BATCH_TOKENS = 16_384  # 2.3 times the passages a second of 1,024, on an H200
MIN_TOKENS = 16  # with fewer rows on two threads, matrices are multiplied in another way and the last bit changes
MAX_ONE_THREAD_TOKENS = (
    128  # up to so many tokens one thread is quicker than two that wait for each other, above all under load
)


class TorchNetwork:
    """One model's weights and tokenizer. Thread-safe."""

    side_by_side = 1  # torch uses all cores by itself

    def __init__(self, model: Any, pooling: str) -> None:
        self._modules = model  # SentenceTransformer
        self._tokenizer = model.tokenizer
        self._lock = threading.Lock()  # a tokenizer's settings are changed by each call
        self.batch_tokens = GPU_BATCH_TOKENS if model.device.type == "cuda" else BATCH_TOKENS
        self.longest = int(model.max_seq_length or 512)
        self.pooling = pooling
        self.pools_by_mean = _pools_by_mean(model)
        self.prompts: dict[str, str] = dict(model.prompts)

    def fast(self) -> TorchNetwork:
        """The same network in half precision; itself if the processor has none."""
        if self._modules.device.type == "cuda":
            return self.half(torch.float16)
        return self.half(torch.bfloat16) if _has_bfloat16() else self

    def half(self, dtype: torch.dtype) -> TorchNetwork:
        """The same, its transformer in `dtype`."""
        twin = copy.copy(self)
        twin._modules = copy.deepcopy(self._modules)
        twin._modules[0].to(dtype)
        return twin

    def tokens(self, texts: Sequence[str]) -> tuple[list[list[int]], list[list[Span]]]:
        """As Network says."""
        with self._lock:
            read = self._tokenizer(
                list(texts),
                truncation=True,
                max_length=self.longest,
                padding=False,
                return_attention_mask=False,
                return_offsets_mapping=True,
            )
        return read["input_ids"], read["offset_mapping"]

    def token_spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """As Network says."""
        if not texts:
            return []
        with self._lock:
            offsets = self._tokenizer(
                list(texts), add_special_tokens=False, truncation=False, padding=False, return_offsets_mapping=True
            )["offset_mapping"]
        return [[(start, end) for start, end in spans if end > start] for spans in offsets]

    @torch.inference_mode()
    def forward(self, rows: Sequence[Sequence[int]], length: int, *, question: bool = False) -> tuple[Floats, Floats]:
        """As Network says: the transformer in its own precision, the rest (pooling) in float32."""
        rows = [*rows, *[rows[0]] * (0 if question else -(-MIN_TOKENS // length) - len(rows))]
        features = self._padded(rows, length)
        few = question or features["input_ids"].numel() <= MAX_ONE_THREAD_TOKENS
        torch.set_num_threads(1 if few else compute_threads())  # holds for this thread
        for part in self._modules:
            features = part(features)
            features["token_embeddings"] = features["token_embeddings"].float()
        whole = torch.nn.functional.normalize(features["sentence_embedding"])
        return whole.cpu().numpy(), features["token_embeddings"].cpu().numpy()

    def _padded(self, rows: Sequence[Sequence[int]], length: int) -> dict[str, torch.Tensor]:
        fill = self._tokenizer.pad_token_id or 0
        ids = [[*row, *[fill] * (length - len(row))] for row in rows]
        mask = [[1] * len(row) + [0] * (length - len(row)) for row in rows]
        target = self._modules.device
        return {"input_ids": torch.tensor(ids, device=target), "attention_mask": torch.tensor(mask, device=target)}


def device() -> str:
    """The device of models: "cuda" if torch finds such a GPU, else "cpu"."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def open_model(folder: Path) -> TorchNetwork:
    """Load the model in `folder`, without output. Raises what the libraries raise."""
    hub.silence_libraries()
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(folder),
        device=device(),
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"dtype": torch.float32},
    ).eval()
    keep_blas_on_one_thread()  # sentence-transformers brings libraries with a pool of their own
    parts = [type(part).__name__ for part in model]
    settings = [file.read_text("utf-8") for file in sorted(folder.glob("[1-9]_*/config.json"))]
    return TorchNetwork(model, json.dumps([parts, settings, model.max_seq_length]))


def _pools_by_mean(model: Any) -> bool:
    """Whether a text's vector is the mean of its tokens and nothing else."""
    names = [type(part).__name__ for part in model]
    return (
        names[:2] == ["Transformer", "Pooling"] and set(names[2:]) <= {"Normalize"} and model[1].pooling_mode == "mean"
    )


def _has_bfloat16() -> bool:
    """Whether the processor has bfloat16 instructions; emulated bfloat16 is slower than float32."""
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
