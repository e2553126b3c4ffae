"""Central sentences: facts and shared names raise a sentence, repetition lowers it."""

from __future__ import annotations

import numpy as np

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.summaries import Quote
from filigraph.graph.records.summaries import WindowChunk
from filigraph.graph.summaries.centrality import Sentence, centrality, choose, sentences_of
from filigraph.graph.text.sentences import sentence_groups


def sentence(text: str, *entities: str, facts: float = 0.0) -> Sentence:
    quote = Quote(chunk_id="c", start=0, end=len(text), text=text)
    return Sentence(quote=quote, entities=frozenset(entities), facts=facts)


def unit(*rows: tuple[float, ...]) -> np.ndarray:
    matrix = np.array(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def chosen(sentences: list[Sentence], vectors: Matrix, budget: int) -> list[int]:
    return choose(sentences, *centrality(sentences, vectors), budget)


APART = unit((1, 0, 0), (0, 1, 0), (0, 0, 1))


def test_a_sentence_with_facts_about_shared_names_is_central() -> None:
    found = [
        sentence("It rained all day long."),
        sentence("Jules stole the ring.", "j", "r", facts=2),
        sentence("Jules left.", "j"),
    ]
    assert chosen(found, APART, budget=5) == [1]


def test_what_says_the_same_is_taken_once() -> None:
    found = [sentence(text, "j", facts=1) for text in ("Jules stole it.", "Jules did steal it.", "Paul is ill.")]
    vectors = unit((1, 0.05, 0), (1, 0, 0), (0, 0, 1))
    assert set(chosen(found, vectors, budget=10)) in ({0, 2}, {1, 2})


def test_a_sentence_longer_than_the_budget_leaves_room_for_a_shorter_one() -> None:
    found = [
        sentence("Jules. " * 30, "j"),
        sentence("Paul stole the ring.", "p", "j", facts=5),
        sentence("Jules fled.", "j", facts=1),
    ]
    assert chosen(found, APART, budget=12) == [1, 2]


def test_one_sentence_is_always_taken() -> None:
    assert chosen([sentence("Jules stole the ring of the house.")], APART[:1], budget=1) == [0]
    assert chosen([], APART[:0], budget=10) == []


def test_sentences_alike_in_all_are_no_trouble() -> None:
    same = [sentence(f"Line {n} of the list.") for n in range(3)]
    assert len(chosen(same, unit((1, 1, 1), (1, 1, 1), (1, 1, 1)), budget=100)) == 3


def chunk(id_: str, start: int, text: str, rows: int, **more: object) -> WindowChunk:
    matrix = np.eye(rows, 4, dtype=np.float32)
    of = {"entities": (), "facts": (), **more}
    return WindowChunk(id=id_, start=start, text=text, language="en", sentences=matrix, **of)  # type: ignore[arg-type]


FIRST = "Jules Delmas stole the heavy signet ring. Nobody saw him leave the old house at all."


def test_a_sentence_knows_its_names_and_facts() -> None:
    facts = ((0, 41, "explicit"), (42, 84, "implied"), (0, 41, "cooccurrence"))
    found, vectors = sentences_of([chunk("a", 0, FIRST, 2, entities=(("j", 0), ("h", 62)), facts=facts)])
    assert [(s.quote.text[:5], set(s.entities), s.facts) for s in found] == [
        ("Jules", {"j"}, 1.0),
        ("Nobod", {"h"}, 0.5),
    ]
    assert vectors.shape == (2, 4)


def test_what_two_chunks_share_is_there_once() -> None:
    overlap = FIRST[42:] + " The police came at nine o'clock that night."
    found, _ = sentences_of([chunk("a", 0, FIRST, 2), chunk("b", 42, overlap, 2)])
    assert [s.quote.chunk_id for s in found] == ["a", "a", "b"]


def test_only_some_places_of_chunks_of_several_documents() -> None:
    found, vectors = sentences_of([chunk("a", 500, FIRST, 2), chunk("b", 0, FIRST, 2)], only={("b", 42), ("a", 0)})
    assert [(s.quote.chunk_id, s.quote.start) for s in found] == [("a", 0), ("b", 42)]
    assert vectors.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]


def test_narration_comes_before_lines_of_dialogue_and_questions() -> None:
    text = (
        "— Rends-toi ! lui cria Gévrol près de la porte.\n\n"
        "L'homme tenait un revolver et reculait vers la table.\n\n"
        '"Who has taken the ring of the old lady?" he asked.\n\n'
        "Was there anybody behind the door of the mill?\n\n"
        + '"'
        + "He told us of the mill and of the long road to the town and of the people there. " * 5
    )
    found, _ = sentences_of([chunk("c", 0, text, 40)])
    weight = {one.quote.text.strip()[:10]: one.weight for one in found}
    assert weight["— Rends-to"] < weight["L'homme te"] == 1.0
    assert weight['"Who has t'] < weight["Was there "] < 1.0
    assert weight['"He told u'] == 1.0  # a tale, though somebody tells it


def test_a_quoted_sentence_is_told_with_its_speaker() -> None:
    text = (
        "Jules came in and asked for the ring.\n\n“I did not see it,” said Paul Weber, who looked at the "
        "window for a long while. “The ring lies in the old mill by the river, where the miller hid it before "
        "the flood of that winter.”"
    )
    chunk = WindowChunk(
        id="c",
        start=0,
        text=text,
        language="en",
        sentences=np.ones((len(sentence_groups(text, "en")), 2), dtype=np.float32),
        entities=(("j", 0), ("p", text.index("Paul"))),
        facts=(),
    )
    found, _ = sentences_of([chunk])
    assert [one.speaker for one in found if "mill" in one.quote.text] == ["Paul Weber"]
