"""The real models that come with Filigraph, and the choice of one."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.models.adapters import embedder as adapter
from filigraph.graph.models.adapters import hub
from filigraph.graph.models.adapters.embedder import E5, MINILM, load_embedder, load_known
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_question_spans, embed_questions, embed_texts
from filigraph.graph.process.threads import compute_threads

pytestmark = pytest.mark.models

SENTENCES = [
    "Sophie aime Jules.",
    "Jules porte une chevalière.",
    "The society of thieves met at night beside the harbour, and nobody who had seen them spoke of it.",
    "Le Petit Bleu rapporte que la police a trouvé, rue des Martyrs, une liste de bijoux volés et trois lettres.",
    "J. Delmas",
    "ring",
    "Москва",
    "東京の夜",
]
PLAIN = "The weather stayed mild, and the garden was swept and watered every morning by the same old man. "


def chunk_vectors(embedder: Embedder, texts: list[str], titles: list[str]) -> Matrix:
    """The chunks' own vectors, without those of their sentences."""
    return embed_chunks(embedder, texts, titles, [[] for _ in texts])[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where graphs are kept that were made of weights."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    return load_embedder("minilm")


@pytest.fixture(scope="module")
def e5(made: Path) -> Embedder:
    return load_embedder("e5", made=made)


@pytest.fixture(params=["minilm", "e5"])
def packaged(request: pytest.FixtureRequest) -> Embedder:
    found: Embedder = request.getfixturevalue(request.param)
    return found


def test_what_they_say_of_themselves(minilm: Embedder, e5: Embedder) -> None:
    assert (minilm.name, minilm.dimensions, minilm.window, minilm.languages) == (MINILM, 384, 254, ("en",))
    assert minilm.warning == "English; weak outside English"
    assert (e5.name, e5.dimensions, e5.window, e5.languages) == (E5, 384, 508, ("multilingual",))
    assert e5.warning == ""


def test_a_fact_in_the_last_50_tokens_of_512_is_found(packaged: Embedder) -> None:
    fact = " The signet ring of Jules Delmas bears the emblem of a society of thieves."
    filler = PLAIN * 40
    spans = packaged.token_spans
    assert spans is not None
    tokens, tail = spans([filler, fact])
    body = filler[: tokens[512 - len(tail) - 1][1]]
    told, silent = chunk_vectors(packaged, [body + fact, body + PLAIN[: len(fact)]], ["", ""])
    question = embed_questions(packaged, ["Which society does the ring of Jules belong to?"])[0]
    assert len(spans([body + fact])[0]) > 500
    assert len(tail) < 50
    assert told @ question > silent @ question + 0.1
    if packaged.window < 400:
        whole = embed_texts(packaged, [body + fact, body])  # the window alone does not reach the fact
        assert abs(float(whole[0] @ question - whole[1] @ question)) < 0.01


TOLD = [
    "Jules Delmas wears a signet ring with the head of a wolf.",
    "The garden was swept and watered every morning by the same old man.",
    "Nobody knows who paid for the new roof of the church in Lyon.",
    "Sophie wrote three letters, and burned all but one of them.",
]


def told_spans(told: list[str]) -> list[tuple[int, int]]:
    """Where each sentence stands if they are joined by spaces."""
    return [(len(" ".join(told[:n])) + (n > 0), len(" ".join(told[: n + 1]))) for n in range(len(told))]


def test_a_sentence_is_nearest_to_its_own_text(packaged: Embedder) -> None:
    _, (rows,) = embed_chunks(packaged, [" ".join(TOLD)], ["A letter"], [told_spans(TOLD)])
    alone = embed_texts(packaged, TOLD)
    assert (rows @ alone.T).argmax(axis=1).tolist() == list(range(len(TOLD)))
    assert (alone @ rows.T).argmax(axis=1).tolist() == list(range(len(TOLD)))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_a_sentence_of_the_last_window_is_found(packaged: Embedder) -> None:
    told = [f"{PLAIN.strip()} That was on day {n}." for n in range(30)] + [TOLD[0]]
    _, (rows,) = embed_chunks(packaged, [" ".join(told)], ["A letter"], [told_spans(told)])
    question = embed_questions(packaged, ["Who wears a ring with a wolf?"])[0]
    cosines = rows @ question
    assert int(cosines.argmax()) == len(told) - 1
    if packaged.name == MINILM:  # thirty times the same, less what all have in common, is noise in e5
        assert cosines[-1] > np.sort(cosines)[-2] + 0.1


def test_vectors_of_chunks_do_not_depend_on_their_sentences(packaged: Embedder) -> None:
    texts = [" ".join(TOLD), PLAIN * 20]
    spans = [told_spans(TOLD), [(0, 50)]]
    chunks, _ = embed_chunks(packaged, texts, ["", "x"], spans)
    np.testing.assert_array_equal(chunks, chunk_vectors(packaged, texts, ["", "x"]))


def test_a_piece_of_a_question_is_nearest_to_what_is_told_of_it(packaged: Embedder) -> None:
    question = "Who wears a signet ring, and where do the thieves of the harbour meet?"
    cut = question.index(", and")
    vector, pieces = embed_question_spans(packaged, question, [(0, cut), (cut + 6, len(question) - 1)])
    facts = embed_texts(packaged, ["Jules wears a signet ring.", "The thieves meet by night at the harbour."])
    assert np.array_equal(vector, embed_questions(packaged, [question])[0])
    assert (np.argmax(pieces @ facts.T, axis=1) == [0, 1]).all()


def test_a_question_is_read_once(e5: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[int] = []
    network = e5.exact.network  # type: ignore[attr-defined]
    forward = network.forward
    monkeypatch.setattr(network, "forward", lambda *given, **more: passes.append(1) or forward(*given, **more))
    embed_question_spans(e5, "Who wears a ring, and who meets at the harbour?", [(0, 16), (22, 46)])
    assert len(passes) == 1


def test_a_model_that_pools_in_another_way_reads_parts_alone(
    packaged: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for model in (packaged.model, packaged.exact):
        monkeypatch.setattr(model.network, "pools_by_mean", False, raising=False)  # type: ignore[attr-defined]
    _, (rows,) = embed_chunks(packaged, [" ".join(TOLD)], ["A letter"], [told_spans(TOLD)])
    np.testing.assert_allclose(rows, embed_texts(packaged, TOLD), atol=1e-6)
    _, (piece,) = embed_question_spans(packaged, "Who wears the ring, and why?", [(4, 18)])
    np.testing.assert_allclose(piece, embed_questions(packaged, ["wears the ring"])[0], atol=1e-6)


@pytest.mark.parametrize("text", ["x" * 9_000, "\x00", "🦊" * 900, "\u202e", " "])
def test_an_odd_sentence_has_a_vector(packaged: Embedder, text: str) -> None:
    _, (rows,) = embed_chunks(packaged, [text], ["A letter"], [[(0, len(text)), (0, 1)]])
    assert rows.shape == (2, packaged.dimensions)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("name", "differs"), [("e5", 0.0), ("minilm", 2e-3)])  # PyTorch's by the processor
def test_a_text_has_one_vector_whatever_it_is_embedded_with(
    name: str, differs: float, exact: bool, request: pytest.FixtureRequest
) -> None:
    embedder = request.getfixturevalue(name)
    allowed = differs / 1000 if exact else differs
    together = dict(zip(SENTENCES, embed_texts(embedder, SENTENCES, exact=exact), strict=True))
    shuffled = SENTENCES * 30 + [PLAIN]
    random.Random(7).shuffle(shuffled)
    for text, vector in zip(shuffled, embed_texts(embedder, shuffled, exact=exact), strict=True):
        if text in together:
            np.testing.assert_allclose(vector, together[text], rtol=0, atol=allowed, err_msg=text)
    for text, vector in together.items():
        np.testing.assert_allclose(
            embed_texts(embedder, [text], exact=exact)[0], vector, rtol=0, atol=allowed, err_msg=text
        )


def test_fast_and_exact_agree(packaged: Embedder) -> None:
    fast, exact = embed_texts(packaged, SENTENCES), embed_texts(packaged, SENTENCES, exact=True)
    np.testing.assert_allclose(fast @ fast.T, exact @ exact.T, atol=0.01)
    assert ((fast * exact).sum(axis=1) > 0.999).all()


def test_float16_which_a_gpu_computes_in_agrees(minilm: Embedder) -> None:
    """On the CPU here: no GPU is at hand."""
    import torch

    exact = minilm.exact.network  # type: ignore[attr-defined]
    half = exact.half(torch.float16)
    rows, _ = exact.tokens(SENTENCES)
    for row in rows:
        whole, tokens = half.forward([row], len(row))
        expected, each = exact.forward([row], len(row))
        assert whole.dtype == tokens.dtype == np.float32
        np.testing.assert_allclose(whole, expected, atol=0.002)
        np.testing.assert_allclose(tokens, each, atol=0.02)


def test_the_vectors_are_those_of_sentence_transformers(minilm: Embedder) -> None:
    """Batches, padding and pooling of our own give what the model's own library gives."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(adapter.minilm_folder()), device="cpu", local_files_only=True)
    expected = model.encode(SENTENCES, normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(embed_texts(minilm, SENTENCES, exact=True), expected, atol=1e-5)


def test_threads_do_not_disturb_each_other(packaged: Embedder) -> None:
    expected = embed_texts(packaged, SENTENCES)
    question = embed_questions(packaged, SENTENCES[:2])
    wrong: list[str] = []

    def work() -> None:
        for _ in range(5):
            if not np.array_equal(embed_texts(packaged, SENTENCES), expected):
                wrong.append("texts")
            if not np.array_equal(embed_questions(packaged, SENTENCES[:2]), question):
                wrong.append("questions")
            chunk_vectors(packaged, [PLAIN * 20], [""])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    "text", ["x" * 200_000, "word " * 50_000, "\x00", "🦊" * 2_000, "مرحبا " * 500, "\u202e", "``` } DETACH DELETE"]
)
def test_odd_texts_have_a_vector(packaged: Embedder, text: str) -> None:
    rows = np.vstack(
        [
            embed_texts(packaged, [text]),
            embed_questions(packaged, [text]),
            chunk_vectors(packaged, [text[:9000]], [text]),
        ]
    )
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("name", ["minilm", "e5"])
def test_loading_says_nothing_and_warns_of_nothing(name: str, made: Path) -> None:
    code = "import sys; from pathlib import Path; "
    code += "from filigraph.graph.models.adapters.embedder import load_embedder as load; "
    command = [sys.executable, "-W", "error", "-c", f"{code} load(sys.argv[1], made=Path(sys.argv[2]))", name]
    command += [str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# --------------------------------------------------------------------------------------------------------------------
# Which one


def copy_of_minilm(folder: Path) -> Path:
    shutil.copytree(adapter.minilm_folder(), folder)
    return folder


def test_a_folder_is_taken_and_named(minilm: Embedder, tmp_path: Path) -> None:
    chosen = load_embedder(str(copy_of_minilm(tmp_path / "my-model")), cache=tmp_path)
    assert chosen.name == "my-model"
    assert chosen.fingerprint == minilm.fingerprint  # the same weights: their vectors can be compared


def test_prefixes_are_those_of_the_model_and_part_of_its_fingerprint(minilm: Embedder, tmp_path: Path) -> None:
    tiny = load_embedder(str(copy_of_minilm(tmp_path / "multilingual-e5-tiny")), cache=tmp_path)
    assert tiny.languages == ("multilingual",)
    assert tiny.warning == ""
    assert tiny.window < minilm.window
    assert tiny.fingerprint != minilm.fingerprint
    np.testing.assert_array_equal(embed_texts(tiny, ["ring"]), embed_texts(minilm, ["passage: ring"]))
    np.testing.assert_allclose(embed_questions(tiny, ["ring"]), embed_questions(minilm, ["query: ring"]), atol=1e-6)


@pytest.mark.parametrize(
    ("prompts", "prefixes"),
    [
        ({"query": "Q: ", "document": ""}, ("Q: ", "")),
        ({"retrieval.query": "Represent the query: ", "retrieval.passage": "P: ", "separation": "S: "}, None),
        ({"search_query": "search_query: ", "search_document": "search_document: ", "clustering": "c: "}, None),
        ({}, ("", "")),
    ],
)
def test_prompts_as_models_name_them(prompts: dict[str, str], prefixes: tuple[str, str] | None) -> None:
    query, passage, *_ = prompts.values() if prefixes is None else prefixes
    assert adapter.prefixes_of("some/model", prompts) == (query, passage)


@pytest.mark.parametrize("name", [E5, MINILM])
def test_a_packaged_one_is_known_by_its_name(name: str, made: Path, tmp_path: Path) -> None:
    assert load_known(name, cache=tmp_path, made=made).name == name


@pytest.mark.parametrize(
    ("choice", "cause"),
    [
        ("/nowhere/at/all", "There is no folder"),
        ("intfloat/multilingual-e5-small", "HF_HUB_OFFLINE forbids"),
        ("{tmp}", "has no config.json"),
        ("{tmp}/broken", "cannot be loaded"),
    ],
)
def test_what_cannot_be_had_is_named_with_a_cure(choice: str, cause: str, tmp_path: Path) -> None:
    broken = copy_of_minilm(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"\x08\x00\x00\x00\x00\x00\x00\x00 nonsense")
    with pytest.raises(ModelUnavailable, match=cause) as caught:
        load_embedder(choice.format(tmp=tmp_path), cache=tmp_path)
    assert "FILIGRAPH_EMBEDDER" in caught.value.cure


def test_weights_that_were_changed_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copy_of_minilm(tmp_path / "model")
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\x00\x01\x02\x03")
    monkeypatch.setattr(adapter, "minilm_folder", lambda: folder)
    with pytest.raises(ModelUnavailable, match="not the published ones"):
        load_embedder("minilm")


def test_a_hub_that_cannot_be_reached_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "ASKED_OFFLINE", False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match="cannot be downloaded from the hub"):
        load_embedder("somebody/some-model", cache=tmp_path)


def test_an_unset_choice_never_asks_the_hub(tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("the hub was asked")

    monkeypatch.setattr(hub, "ASKED_OFFLINE", False)
    monkeypatch.setattr(hub, "download", asked)
    assert load_embedder("", cache=tmp_path, made=made).name == adapter.PACKAGED[adapter.DEFAULT]


@pytest.mark.parametrize(
    ("head", "languages"),
    [
        ("language: en", ("en",)),
        ("language:\n- en\n- fr", ("en", "fr")),
        ("languages: [en, de]\nlicense: mit", ("de", "en")),
        ("language:\n  - multilingual\n  - ar", ("multilingual",)),
        ("license: mit", ()),
    ],
)
def test_languages_of_the_card(head: str, languages: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"---\n{head}\n---\n# A model\nlanguage: xx\n", "utf-8")
    assert adapter.languages_of_card(tmp_path, "some-model") == languages


def test_no_more_threads_than_the_machine_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert compute_threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "4,2")
    assert compute_threads() >= 1
