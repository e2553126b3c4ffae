"""A real cross-encoder, tiny and untrained, through the adapter."""

from __future__ import annotations

import math
import threading
import time
from pathlib import Path

import pytest

from filigraph.graph.ask.ranking.rerank import rerank
from filigraph.graph.errors import Cancelled, ModelUnavailable
from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.models.adapters.reranker import BATCH_TEXTS, MULTILINGUAL, CrossEncoderReranker, load_reranker

pytestmark = pytest.mark.models

SENTENCE = "jules porte une chevalière emblème de la griffe société voleurs pourquoi se méfier le jardin"
TEXTS = ["Jules porte une chevalière", "emblème de la Griffe", "le jardin", "", "voleurs " * 2000]


def save_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A BERT of two small layers with random weights (always the same), saved as sentence-transformers does."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    bare = folder.with_name(f"{folder.name}-bare")
    bare.mkdir(parents=True)
    words = SENTENCE.split()
    (bare / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]), "utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=5 + len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=1.0,
    )
    config.num_labels = labels
    BertForSequenceClassification(config).save_pretrained(bare)
    BertTokenizer(str(bare / "vocab.txt"), strip_accents=False, model_max_length=64).save_pretrained(bare)
    CrossEncoder(str(bare), device="cpu", local_files_only=True).save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("models") / "tiny-cross-encoder")


def test_it_scores_with_the_sigmoid_of_the_logit(folder: Path, tmp_path: Path) -> None:
    import torch
    from sentence_transformers import CrossEncoder

    reranker = load_reranker(str(folder), cache=tmp_path)
    assert reranker is not None
    assert reranker.name == "tiny-cross-encoder"
    scores = reranker.score("pourquoi se méfier de Jules", TEXTS)
    plain = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    logits = plain.predict(
        [("pourquoi se méfier de Jules", text) for text in TEXTS],
        activation_fn=torch.nn.Identity(),
        show_progress_bar=False,
    )
    assert scores == pytest.approx([1 / (1 + math.exp(-logit)) for logit in logits], abs=1e-5)
    assert len(set(scores)) == len(TEXTS)
    assert reranker.score("pourquoi", []) == []


def test_it_reranks(folder: Path, tmp_path: Path) -> None:
    reranker = load_reranker(str(folder), cache=tmp_path)
    assert reranker is not None
    evidence = [
        Evidence(id=str(n), kind="chunk", text=text, document_id="", title="", source="", place="", score=0.6)
        for n, text in enumerate(TEXTS[:3])
    ]
    kept = rerank("se méfier de Jules", evidence, [], reranker)
    assert [item.rerank_score for item in kept] == sorted(reranker.score("se méfier de Jules", TEXTS[:3]), reverse=True)


def test_threads_do_not_disturb_each_other(folder: Path, tmp_path: Path) -> None:
    reranker = load_reranker(str(folder), cache=tmp_path)
    assert reranker is not None
    expected = reranker.score("la Griffe", TEXTS)
    found: list[list[float]] = []
    threads = [threading.Thread(target=lambda: found.append(reranker.score("la Griffe", TEXTS))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


class Slow:
    """A model that notes whom it works for, and takes a moment."""

    def __init__(self) -> None:
        self.batches: list[str] = []

    def predict(self, pairs: list[tuple[str, str]], **_: object) -> list[float]:
        self.batches.append(pairs[0][0])
        time.sleep(0.01)
        return [0.0 for _ in pairs]


def test_many_texts_of_one_do_not_hold_up_another() -> None:
    model = Slow()
    reranker = CrossEncoderReranker("slow", model)
    many = threading.Thread(target=reranker.score, args=("many", ["text"] * 20 * BATCH_TEXTS))
    many.start()
    while len(model.batches) < 2:
        time.sleep(0.001)
    for _ in range(3):
        reranker.score("few", ["text"])
    assert model.batches[-1] == "few" and model.batches.count("many") < 20  # it is not through by then
    many.join()


def test_what_nobody_waits_for_ends_after_a_batch() -> None:
    model = Slow()
    with pytest.raises(Cancelled):
        CrossEncoderReranker("slow", model).score(
            "many", ["text"] * 20 * BATCH_TEXTS, cancelled=lambda: bool(model.batches)
        )
    assert model.batches == ["many"]


def test_scores_come_in_the_order_of_their_texts(folder: Path, tmp_path: Path) -> None:
    reranker = load_reranker(str(folder), cache=tmp_path)
    assert reranker is not None
    texts = [f"{SENTENCE.split()[n % 15]} {'jardin ' * (n % 7)}" for n in range(3 * BATCH_TEXTS + 1)]
    expected = [reranker.score("la Griffe", [text])[0] for text in texts]
    assert reranker.score("la Griffe", texts) == pytest.approx(expected, abs=1e-5)


def test_one_in_the_cache_is_taken_by_its_name_alone(folder: Path, tmp_path: Path) -> None:
    entry = tmp_path / f"models--{MULTILINGUAL.replace('/', '--')}"
    (entry / "snapshots").mkdir(parents=True)
    (entry / "snapshots" / "0123").symlink_to(folder)
    (entry / "refs").mkdir()
    (entry / "refs" / "main").write_text("0123")
    assert load_reranker(cache=tmp_path) is None
    reranker = load_reranker(MULTILINGUAL, cache=tmp_path)
    assert reranker is not None
    assert reranker.name == MULTILINGUAL


@pytest.mark.parametrize(
    ("choice", "cause"),
    [("/nowhere/at/all", "There is no folder"), ("somebody/some-reranker", "HF_HUB_OFFLINE forbids")],
)
def test_what_cannot_be_had_is_named_with_a_cure(choice: str, cause: str, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=cause) as caught:
        load_reranker(choice, cache=tmp_path)
    assert "FILIGRAPH_RERANKER" in caught.value.cure


def test_broken_weights_are_named(tmp_path: Path) -> None:
    folder = save_cross_encoder(tmp_path / "broken")
    (folder / "model.safetensors").write_bytes(b"\x08\x00\x00\x00\x00\x00\x00\x00 nonsense")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        load_reranker(str(folder), cache=tmp_path)


def test_a_classifier_is_no_reranker(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="3 classes"):
        load_reranker(str(save_cross_encoder(tmp_path / "classes", labels=3)), cache=tmp_path)
