"""The reranker: the cross-encoder that a person chose, else none."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filigraph.graph.errors import Cancelled, ModelUnavailable
from filigraph.graph.models.adapters import hub
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.threads import compute_threads

VARIABLE = "FILIGRAPH_RERANKER"
MULTILINGUAL = "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"  # the example in messages
BATCH_TEXTS = 16


class CrossEncoderReranker:
    """A sentence-transformers CrossEncoder as the `Scorer` of reranking. Thread-safe."""

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self._model = model
        self._lock = threading.Lock()  # a tokenizer's settings are changed by each call
        self._next = threading.Lock()  # the next waiting thread holds it, so batches of concurrent requests alternate

    def score(self, question: str, texts: Sequence[str], *, cancelled: ShouldStop = lambda: False) -> list[float]:
        """The sigmoid of the model's logit for each text, 0..1. Words beyond the model's window are not read.

        Concurrent callers take turns, a batch each. Raises Cancelled between two batches.
        """
        scores = [0.0] * len(texts)
        longest_first = sorted(range(len(texts)), key=lambda n: -len(texts[n]))  # a batch is as long as its longest
        for start in range(0, len(texts), BATCH_TEXTS):
            if cancelled():
                raise Cancelled("The client no longer waits for the scores.")
            batch = longest_first[start : start + BATCH_TEXTS]
            for n, logit in zip(batch, self._logits([(question, texts[n]) for n in batch]), strict=True):
                scores[n] = _sigmoid(logit)
        return scores

    def _logits(self, pairs: list[tuple[str, str]]) -> list[float]:
        import torch

        with self._next:
            self._lock.acquire()
        try:
            torch.set_num_threads(compute_threads())  # holds for this thread; an embedder may have left it at one
            return [
                float(logit) for logit in self._model.predict(pairs, batch_size=BATCH_TEXTS, show_progress_bar=False)
            ]
        finally:
            self._lock.release()


def load_reranker(choice: str = "", *, cache: Path | None = None) -> CrossEncoderReranker | None:
    """The reranker that a person chose, or None.

    `choice` is what FILIGRAPH_RERANKER says: a folder, or a model's name on the hub, which may be fetched if the cache
    lacks it. Raises ModelUnavailable if it cannot be loaded. A model that is in the cache for another purpose is not
    used by default: a reranker found less on texts with titles than none did
    (docs/decisions/0031-reranker-by-choice.md).
    """
    hub.stay_local()
    if not choice:
        return None
    folder = hub.model_folder(choice, VARIABLE, cache)
    return _load(folder, folder.name if Path(choice).expanduser().is_dir() else choice)


def _load(folder: Path, name: str) -> CrossEncoderReranker:
    hub.require_torch(f"The reranker {name}")
    with hub.IMPORTING_TORCH:
        import torch

        hub.silence_libraries()
        from sentence_transformers import CrossEncoder

        from filigraph.graph.models.adapters.torch_network import device

    target = device()
    try:
        model = CrossEncoder(
            str(folder),
            device=target,
            local_files_only=True,
            trust_remote_code=False,
            activation_fn=torch.nn.Identity(),  # models differ in what they save here; we want the logit
            model_kwargs={"dtype": torch.float16 if target == "cuda" else torch.float32},
        ).eval()
    except hub.loading_errors() as error:
        raise ModelUnavailable(
            f"The reranker in {folder} cannot be loaded: {error}",
            cure=f"Set {VARIABLE} to a cross-encoder's folder, or unset it.",
        ) from error
    if model.config.num_labels != 1:
        raise ModelUnavailable(
            f"The model {name} is not a reranker: it has {model.config.num_labels} classes.",
            cure=f"Set {VARIABLE} to a cross-encoder with one score, such as {MULTILINGUAL}, or unset it.",
        )
    return CrossEncoderReranker(name, model)


def _sigmoid(logit: float) -> float:
    """Without overflow on either side."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))
