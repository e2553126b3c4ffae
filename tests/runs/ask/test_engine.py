"""Questions on the real Neo4j: the walk finds what no passage says, shows its path, and is kept against a reranker."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from neo4j import GraphDatabase

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph import ids
from filigraph.graph.answer import answer as answer_by
from filigraph.graph.ask.explore import search as explore
from filigraph.graph.ask.ranking.cosine_blend import Blend, blended_score
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import find_evidence, retrieve
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, LLMUnavailable, NotSetUp
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.investigate import Watch
from filigraph.graph.model.answers import Answer, Round
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.facts import Entity, Fact, Support
from filigraph.graph.model.names import Mention, Occurrence
from filigraph.graph.model.retrieval import Passage, Retrieved
from filigraph.graph.model.traces import Trace
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.embed import Embedder, embed_questions
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.documents import ChunkRow
from filigraph.graph.store import Graph, Store
from tests.making import DIMENSIONS, WordEmbedding, source, word_embedder
from tests.runs.claw_case import TEXTS, TRIPLES, triples
from tests.runs.engine_case import CASE, QUESTION, made
from tests.store.world import chunk_rows, document, remove_mentions, vector
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def case(store: Store, workspace_pool: WorkspacePool) -> Iterator[Graph]:
    """The case of the ring among notes that share words with the question."""
    yield from made(store, workspace_pool, CASE)


@pytest.fixture(scope="module")
def notes(store: Store, workspace_pool: WorkspacePool) -> Iterator[Graph]:
    """Two hundred notes in which no name, no fact and no title stands."""
    things = ["ring", "roof", "river", "garden", "letter", "lamp", "thief"]
    lines = (
        f"the {things[n % 7]} of day {n} was near the {things[n % 5]} and the {things[n % 3]}." for n in range(200)
    )
    yield from made(store, workspace_pool, {f"note{n}.txt": line for n, line in enumerate(lines)})


def ask(question: str, *, graph: Graph, embedder: Embedder, reranker: Scorer | None = None, **given: Any) -> Answer:
    watch = Watch(**{name: given.pop(name) for name in ("on_token", "on_failure", "on_round") if name in given})
    search = partial(find_evidence, graph=graph, embedder=embedder, reranker=reranker)
    return answer_by(question, search=search, graph=graph, embedder=embedder, watch=watch, **given)


def find(graph: Graph, question: str = QUESTION, **settings: object):  # type: ignore[no-untyped-def]
    return retrieve(question, graph=graph, embedder=word_embedder(), settings=AskSettings(**settings))


@pytest.mark.essential
def test_the_walk_finds_the_thieves_and_vector_search_does_not(case: Graph) -> None:
    walked, alone = find(case, keep=5), find(case, keep=5, method="dense")
    assert any("society of thieves" in evidence.text for evidence in walked.evidence)
    assert not any("society of thieves" in evidence.text for evidence in alone.evidence)


def test_the_path_is_shown_hop_by_hop_with_its_sentences(case: Graph) -> None:
    path = next(path for path in find(case).paths if path.text.endswith("society of thieves"))
    assert [hop.kind for hop in path.hops] == ["fact", "fact", "fact"]
    assert [hop.predicate for hop in path.hops] == ["wears", "is the emblem of", "is"]
    assert path.hops[2].sentence == "The police say that The Claw is a society of thieves."


def test_the_cypher_of_a_path_draws_it(case: Graph, neo4j_address: Neo4jAddress) -> None:
    path = next(path for path in find(case).paths if path.text.endswith("society of thieves"))
    login = (neo4j_address.username, neo4j_address.password)
    with GraphDatabase.driver(neo4j_address.uri, auth=login) as driver, driver.session() as session:
        drawn = session.run(path.cypher).graph()
    assert len(drawn.relationships) >= 3


def test_the_same_question_gives_the_same_evidence(case: Graph) -> None:
    first, second = find(case), find(case)
    assert first.evidence == second.evidence
    assert first.paths == second.paths


class Contrary:
    """A cross-encoder that likes anything better than what stands behind a path."""

    name = "contrary"

    def __init__(self, behind: Sequence[str] = ("Claw", "ring")) -> None:
        self.behind = behind

    def score(self, question: str, texts: Sequence[str], *, cancelled: object = None) -> list[float]:
        return [0.01 if any(word in text for word in self.behind) else 0.9 for text in texts]


def test_the_graph_s_evidence_stays_although_the_reranker_scores_it_lowest(case: Graph) -> None:
    """The way to the thieves gets the lowest score of all, the places are few, and it still reaches the LLM."""
    llm = ScriptedLLM({"": "Jules belongs to a society of thieves [1]."})
    retrieved: list[Retrieved] = []
    answer = ask(
        QUESTION,
        graph=case,
        embedder=word_embedder(),
        reranker=Contrary(),
        llm=llm,
        settings=AskSettings(keep=4),
        on_retrieved=retrieved.append,
    )
    (path,) = (path for path in answer.paths if path.text.endswith("society of thieves"))
    kept = {evidence.id: evidence for evidence in retrieved[0].evidence}
    lowest = min(evidence.rerank_score or 0.0 for evidence in kept.values())
    for id_ in path.chunk_ids:
        assert kept[id_].rerank_score == lowest == pytest.approx(0.01)
        assert kept[id_].kept_by == "graph"
        assert id_ in {evidence.id for evidence in answer.citations}
    assert len(kept) == 4
    (prompt,) = llm.prompts
    assert all(hop in prompt for hop in path.text.split("; "))
    for hop in path.hops:
        assert hop.sentence in prompt
    step = next(step for step in answer.trace.steps if step.name == "rerank")
    assert {row["id"] for row in step.outputs["kept"] if row["kept_by"] == "graph"} >= set(path.chunk_ids)


def test_blend_weighs_cosine_and_cross_encoder_and_nothing_else(case: Graph) -> None:
    how = Blend(min_ann=0.999, candidates=12)
    asked = AskSettings(blend=how, keep=3)
    found = retrieve(QUESTION, graph=case, embedder=word_embedder(), reranker=Contrary(["Note"]), settings=asked)
    (step,) = (step for step in found.trace.steps if step.name == "rerank")
    assert step.outputs["blend"] == dataclasses.asdict(how)
    ranked = [item for item in found.evidence if item.kept_by == "rank"]
    along = [item for item in found.evidence if item.kept_by == "neighbour"]
    assert 1 <= len(ranked) <= 3 and len(along) <= len(ranked)
    assert not any("Note" in item.text for item in ranked)  # 0.01 of the cross-encoder, and no cosine that saves it
    scores = [blended_score(item, how) for item in ranked]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(0.2 * (ranked[0].cosine or 0) + 0.8 * 0.9)
    with pytest.raises(NotSetUp, match="cross-encoder"):
        find(case, blend=how)


def test_the_reranker_has_the_last_word_on_what_is_no_path(case: Graph) -> None:
    kept = retrieve(QUESTION, graph=case, embedder=word_embedder(), reranker=Contrary(["Note"])).evidence
    assert not any(evidence.text.startswith("Note") for evidence in kept[:4])


@pytest.mark.parametrize("looks", range(5))
def test_a_question_that_is_withdrawn_gets_no_further_step(case: Graph, looks: int) -> None:
    looked = iter([False] * looks + [True])
    llm = ScriptedLLM({"": "Nobody reads this."})
    with pytest.raises(Cancelled):
        ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm, cancelled=lambda: next(looked))
    with pytest.raises(StopIteration):
        next(looked)
    assert llm.prompts == []


def test_the_trace_tells_every_step(case: Graph) -> None:
    trace: Trace = ask(QUESTION, graph=case, embedder=word_embedder()).trace
    steps = {step.name: step for step in trace.steps}
    assert list(steps) == ["embed", "search", "walk", "rank", "rerank", "compose"]
    assert all(step.milliseconds >= 0 for step in trace.steps)
    assert {"vector", "keyword", "facts", "link"} <= steps["search"].outputs.keys()
    assert steps["rerank"].inputs["reranker"].startswith("none")
    assert "walk" in steps["rerank"].outputs["tally"]


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_no_path_is_longer_than_the_depth(case: Graph, depth: int) -> None:
    paths = find(case, depth=depth).paths
    assert max(len(path.hops) for path in paths) <= depth


def test_without_an_llm_it_says_passages_not_an_answer(case: Graph) -> None:
    answer = ask(QUESTION, graph=case, embedder=word_embedder())
    assert not answer.generated
    assert "passages, not an answer" in answer.text.casefold()
    assert "ollama pull mistral" in answer.text


def test_with_an_llm_it_answers_and_cites(case: Graph) -> None:
    llm = ScriptedLLM({"Jules": "Jules wears the ring of The Claw, a society of thieves [1]. Ask Baron Zorn."})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm)
    assert answer.generated
    assert answer.citations
    assert [part.text for part in answer.unsupported] == ["Ask Baron Zorn"]


def test_an_llm_that_is_not_wanted_is_not_asked_nor_advised(case: Graph) -> None:
    llm = ScriptedLLM({"": "Nobody reads this."})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm, settings=AskSettings(llm=False))
    assert (answer.generated, answer.model, llm.prompts) == (False, "", [])
    advised = ask(QUESTION, graph=case, embedder=word_embedder()).text
    assert "ollama" in advised and "ollama" not in answer.text


def test_when_the_llm_is_down_the_passages_come_with_the_cause(case: Graph) -> None:
    llm = ScriptedLLM({"": LLMUnavailable("Ollama does not answer.", cure="Start it: ollama serve.")})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm)
    assert not answer.generated
    assert answer.citations
    assert answer.missing == "Ollama does not answer. Start it: ollama serve."


def test_when_the_llm_dies_in_mid_answer_its_words_stay_with_the_cause(case: Graph) -> None:
    class Dying(ScriptedLLM):
        def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
            yield from super().stream(request, cancel=cancel)
            raise LLMUnavailable("Ollama is gone.", cure="Start it.")

    failed: list[FiligraphError] = []
    llm = Dying({"": "Jules wears the ring [1]. It"})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm, on_failure=failed.append)
    assert (answer.text, answer.generated, answer.missing) == ("Jules wears the ring [1]. It", True, "")
    assert answer.cut_short == "Ollama is gone. Start it." == str(failed[0])
    assert next(step for step in answer.trace.steps if step.name == "read").outputs["failed"] == answer.cut_short


def test_compare_answers_from_vector_search_alone_as_well(case: Graph) -> None:
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), settings=AskSettings(compare=True))
    assert answer.vector_only is not None
    assert answer.vector_only.paths == ()


@pytest.mark.parametrize("question", ["", "  \n", "word " * 10_001])
def test_a_question_that_is_none_is_refused(case: Graph, question: str) -> None:
    with pytest.raises(InputError) as refused:
        find(case, question)
    assert refused.value.cure


@pytest.mark.parametrize(
    "question",
    [
        "foo~ AND (",
        "name:Jules AND -ring OR [a TO z] /x.*/ ^9",
        '+-&&||!(){}[]^"~*?:\\/',
        "Кто такой Жюль?",
        "谁是朱尔?",
        "the of and",
        "de la et le",
        "🙂",
        "Jules " * 3000,
        "word " * 10_000,
        "\x00",
        "J",
    ],
)
def test_any_other_question_gets_an_answer(case: Graph, question: str) -> None:
    assert dataclasses.is_dataclass(find(case, question))


# --------------------------------------------------------------------------------------------------------------------
# The floor: where nothing links two chunks, the walk is hybrid search


@pytest.mark.parametrize("question", ["Where was the ring?", "thief near the river on day 77", "ring", "lamp roof"])
def test_without_graph_evidence_the_order_is_that_of_hybrid_search(notes: Graph, question: str) -> None:
    assert (notes.stats().facts, notes.stats().mentions) == (0, 0)
    for keep in (10, 60):
        walked, hybrid = find(notes, question, keep=keep), find(notes, question, keep=keep, method="hybrid")
        assert [evidence.id for evidence in walked.evidence] == [evidence.id for evidence in hybrid.evidence]
        assert walked.paths == ()


def test_what_both_searches_find_late_may_come_first(notes: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the chunks that the walk looks at: vector and keyword search agree on nothing but their ends."""
    near, alike, words = Graph.search_chunks, Graph.search_words, "ring roof river garden letter lamp thief"
    some = [id_ for id_, _ in near(notes, word_embedder().model.get_text_embedding("ring"), 100)]  # type: ignore[arg-type]
    hits = {hit.id: hit for hit in alike(notes, words.replace(" ", " OR "), np.ones(DIMENSIONS), 200)}  # type: ignore[arg-type]
    both, rest = some[:60], [id_ for id_ in hits if id_ not in some]
    assert len(rest) >= 20
    vectors = [(id_, 0.9 - n / 1000) for n, id_ in enumerate([*some[60:80], *both])]
    found = [
        dataclasses.replace(hits[id_], score=9 - n / 10, cosine=0.0)
        for n, id_ in enumerate([*rest[:20], *(id_ for id_ in both if id_ in hits)])
    ]
    monkeypatch.setattr(Graph, "search_chunks", lambda *_: vectors)
    monkeypatch.setattr(Graph, "search_words", lambda *_: found)
    walked, hybrid = find(notes, "ring"), find(notes, "ring", method="hybrid")
    assert hybrid.evidence[0].id in both
    assert [evidence.id for evidence in walked.evidence] == [evidence.id for evidence in hybrid.evidence]


def test_a_name_that_nothing_bears_is_looked_for_by_likeness(case: Graph) -> None:
    found = find(case, 'What is the "society of old thieves"?')
    step = next(step for step in found.trace.steps if step.name == "search")
    ((span, name, _, cosine),) = step.outputs["link"]
    assert (span, name) == ("society of old thieves", "society of thieves")
    assert 0.6 <= cosine < 1.0


# --------------------------------------------------------------------------------------------------------------------
# What a question wants


def ranked(found: Retrieved) -> dict[str, object]:
    """Inputs and outputs of the step that ranks."""
    step = next(step for step in found.trace.steps if step.name == "rank")
    return {**step.inputs, **step.outputs}


def test_every_mention_is_shown_in_reading_order(case: Graph) -> None:
    found = find(case, "Where is Jules Delmas mentioned?", keep=1)
    assert ranked(found)["profile"] == "entity"
    texts = [evidence.text for evidence in found.evidence]
    mentions = [evidence for evidence in found.evidence if "Jules" in evidence.text]
    assert len(mentions) == ranked(found)["mentioned_in"] == sum("Jules" in text for text in CASE.values())
    assert "Jules" in texts[0]
    assert [evidence.source for evidence in mentions] == sorted(evidence.source for evidence in mentions)


def test_what_names_nothing_is_answered_as_a_detail(case: Graph) -> None:
    question = "Where is xyzzy mentioned?"
    assert ranked(find(case, question))["profile"] == "entity"
    assert find(case, question).evidence == find(case, question, profile="detail").evidence


def test_the_newest_document_comes_first(store: Store, workspace_pool: WorkspacePool) -> None:
    dated = {
        "old.txt": ("Jules Delmas sold the ring.", "1911-05-01"),
        "new.txt": ("Jules Delmas wears a ring.", "1912-03-04"),
        "none.txt": ("Jules Delmas lost a ring.", ""),
    }
    for graph in made(store, workspace_pool, {}):
        sources = [
            dataclasses.replace(source(name, text), metadata={"date": date} if date else {})
            for name, (text, date) in dated.items()
        ]
        ingest(sources, graph=graph, embedder=word_embedder(), extractor=triples(graph))
        newest = find(graph, "What is the latest news of Jules Delmas?")
        assert ranked(newest)["profile"] == "recent"
        assert [evidence.source for evidence in newest.evidence] == ["new.txt", "old.txt", "none.txt"]
        since = find(graph, "What happened to Jules Delmas since last month?", today="1912-04-10")
        assert [evidence.source for evidence in since.evidence] == ["new.txt"]
        assert since.trace.steps[0].outputs["period"] == "1912-03-01.."
        assert since.remark == (
            "From 1 of 3 documents: dated since 1912-03-01, or with facts of that time. "
            "Without a date: 1 of 3 documents."
        )
        nothing = find(graph, "What happened to Jules Delmas since yesterday?", today="1930-04-10")
        assert len(nothing.evidence) == 3  # nobody asks to be told nothing
        assert nothing.trace.steps[0].outputs["documents_of_period"] == 0
        assert nothing.remark.startswith("No document is dated since 1930-04-09: this is from all 3 documents.")
        assert newest.remark == ""


def test_a_synthesis_spreads_over_the_text(case: Graph) -> None:
    """Five notes say nearly the same: the second of them waits for what is unlike it."""
    detail = find(case, "weather day rains nobody knows", profile="detail", keep=5, shown_paths=0)
    spread = find(case, "weather day rains nobody knows", profile="synthesis", keep=5, shown_paths=0)
    assert sum("Note" in evidence.text for evidence in spread.evidence) < sum(
        "Note" in evidence.text for evidence in detail.evidence
    )


@pytest.mark.parametrize(
    ("question", "settings", "why"),
    [
        (QUESTION, {}, "contrary"),
        (QUESTION, {"rerank": False}, "none: not wanted"),
        ("Pourquoi se méfier de Jules Delmas ?", {}, "contrary"),
        ("Who hunts The Claw?", {}, "none: a plain look-up"),
        ("Who hunts The Claw?", {"rerank": True}, "contrary"),
        ("What does Inspector Brun hunt?", {}, "contrary"),  # asks for no name, place, date or number
        ("Who hunts The Claw with Paul Delmas?", {}, "contrary"),  # two entities
        ("Who wears the signet ring?", {}, "contrary"),  # none
        ("Who is The Claw?", {}, "contrary"),  # a path of two hops
        ("Who saw Jules Delmas?", {}, "none: a plain look-up"),  # one fact about him comes first
        ("Why was Jules Delmas recently seen?", {}, "contrary"),  # asks why, whatever its order
        (QUESTION, {"profile": "synthesis"}, "none: the order is that of the profile 'synthesis'"),
    ],
)
def test_the_trace_says_whether_a_reranker_had_a_say(
    case: Graph, question: str, settings: dict[str, object], why: str
) -> None:
    found = retrieve(
        question,
        graph=case,
        embedder=word_embedder(),
        reranker=Contrary(),
        settings=AskSettings(**settings),  # type: ignore[arg-type]
    )
    step = next(step for step in found.trace.steps if step.name == "rerank")
    assert str(step.inputs["reranker"]).startswith(why)


# --------------------------------------------------------------------------------------------------------------------
# How to look


KINDS = {
    **dict.fromkeys(("Jules", "Jules Delmas", "Paul Delmas", "Inspector Brun"), "Person"),
    **dict.fromkeys(("The Claw", "society of thieves"), "Gang"),
    "heavy signet ring of the Moreau house": "Object",
}


class TypedTriples(TripleExtractor):
    """Ready triples, and what their ends are."""

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for extraction in super().extract(chunks):
            kinds = [(KINDS.get(one.subject, ""), KINDS.get(one.object, "")) for one in extraction.triplets]
            yield dataclasses.replace(
                extraction,
                triplets=tuple(
                    dataclasses.replace(triplet, subject_type=subject, object_type=object_)
                    for triplet, (subject, object_) in zip(extraction.triplets, kinds, strict=True)
                ),
            )


@pytest.fixture(scope="module")
def typed(store: Store, workspace_pool: WorkspacePool) -> Iterator[Graph]:
    """The case, read by a model that says what its entities are."""
    with workspace_pool.one() as name:
        graph = store.graph(name)
        extractor = TypedTriples({ids.document_id(name, document): rows for document, rows in TRIPLES.items()})
        sources = [source(document, text) for document, text in CASE.items()]
        ingest(sources, graph=graph, embedder=word_embedder(), extractor=extractor)
        yield graph


def ends(found: Retrieved) -> list[set[str]]:
    """The names at the two ends of each path."""
    counts = [[name for hop in path.hops for name in (hop.subject, hop.object)] for path in found.paths]
    return [{name for name in names if names.count(name) == 1} for names in counts]


def test_only_paths_to_entities_of_a_type(typed: Graph) -> None:
    gangs = find(typed, entity_types=("gang",))
    assert gangs.paths and all(own & {"The Claw", "society of thieves"} for own in ends(gangs))
    rank = next(step for step in gangs.trace.steps if step.name == "rank")
    assert rank.outputs["only"] == {"entity_types": ["Gang"], "path_types": []}
    objects = find(typed, entity_types=("Object",))
    assert objects.paths and all(any("signet ring" in name for name in own) for own in ends(objects))
    everything = find(typed)
    assert not {path.id for path in everything.paths} & {path.id for path in objects.paths}
    assert [e.id for e in everything.evidence] == [e.id for e in objects.evidence]  # passages are found as ever


def test_an_entity_that_the_question_names_is_no_end_to_lead_to(typed: Graph) -> None:
    question = "What does Inspector Brun hunt?"
    assert not find(typed, question, entity_types=("Person",), path_types=("hunts",)).paths
    assert find(typed, question, entity_types=("Gang",), path_types=("hunts",)).paths


def test_only_paths_over_some_relations(case: Graph) -> None:
    said = {hop.predicate for path in find(case, path_types=("Wears", "is  the emblem of")).paths for hop in path.hops}
    assert said == {"wears", "is the emblem of"}
    assert {hop.predicate for path in find(case).paths for hop in path.hops} > said


@pytest.mark.parametrize(
    ("settings", "cause", "cure"),
    [
        ({"entity_types": ("Gang", "Persn")}, "entity_types: there is no 'Persn'", "Person, Gang, Object"),
        (
            {"path_types": ("weards",)},
            "path_types: there is no 'weards'",
            "is, comes to, hunts, is the emblem of, wears",
        ),
        ({"path_types": ("is",), "method": "dense"}, "path_types: these are about paths", "'filigraph'"),
    ],
)
def test_a_kind_that_is_nowhere_is_refused_with_those_there_are(
    typed: Graph, settings: dict[str, object], cause: str, cure: str
) -> None:
    with pytest.raises(InputError) as refused:
        find(typed, **settings)
    assert refused.value.cause.startswith(cause) and cure in refused.value.cure


def test_where_nothing_is_typed_the_error_says_why(notes: Graph) -> None:
    with pytest.raises(InputError) as refused:
        find(notes, entity_types=("Person",))
    assert "types come from an LLM, a schema, or names" in refused.value.cure


@pytest.mark.parametrize("method", ["filigraph", "hybrid", "dense", "bm25"])
def test_passages_far_from_the_question_go(case: Graph, method: str) -> None:
    everything = find(case, method=method, shown_paths=1).evidence
    least = max(evidence.cosine or 0.0 for evidence in everything)
    found = find(case, method=method, shown_paths=1, min_score=least)
    behind = {id_ for path in found.paths for id_ in path.chunk_ids}
    near = {e.id for e in everything if (e.cosine or 0.0) >= least}
    assert {evidence.id for evidence in found.evidence} == near | behind
    assert len(near | behind) < len(everything)
    for evidence in found.evidence:
        assert ((evidence.cosine or 0.0) < least) == (evidence.kept_by == "graph" and evidence.id not in near)
    steps = {step.name: step.outputs for step in found.trace.steps}
    assert steps["rerank" if method == "filigraph" else "search"]["min_score"] == least


def test_the_cosine_of_evidence_is_that_of_its_vector(case: Graph) -> None:
    vector = embed_questions(word_embedder(), [QUESTION])[0]
    for evidence in find(case).evidence:
        (chunk,) = case.pool([evidence.id])
        assert evidence.cosine == pytest.approx(float(chunk.vectors[0] @ vector), abs=0.01)


def test_a_search_hands_over_what_a_budget_holds(case: Graph) -> None:
    everything, little = find(case), find(case, budget_tokens=500)
    assert 0 < len(little.evidence) < len(everything.evidence)
    assert {e.id for e in little.evidence} >= set(little.paths[0].chunk_ids)
    compose = next(step for step in little.trace.steps if step.name == "compose")
    assert compose.inputs["budget_tokens"] == 500 and compose.outputs["tokens"] <= 500
    assert not any(step.name == "compose" for step in everything.trace.steps)


def test_vectors_may_weigh_all_or_nothing(case: Graph) -> None:
    def order(**settings: object) -> list[str]:
        return [evidence.id for evidence in find(case, keep=4, **settings).evidence]

    assert order(method="hybrid", vector_weight=1.0) == order(method="dense")
    assert order(method="hybrid", vector_weight=0.0) == order(method="bm25")


# --------------------------------------------------------------------------------------------------------------------
# Odd worlds: an answer or an error with a cure, never a crash


def test_a_name_that_500_entities_bear(graph: Graph) -> None:
    """They are Jules, each in a document of its own; a question that names Jules names them all."""
    graph.write_documents([document(graph, f"{n}.txt") for n in range(500)])
    rows = [row for n in range(500) for row in chunk_rows(document(graph, f"{n}.txt"), [f"Jules | voit | chose{n}."])]
    graph.write_chunks(rows)
    names = [("Jules", "jules"), *((f"chose{n}", f"chose{n}") for n in range(500))]
    mentions = [mention_of(row, *names[0]) for row in rows] + [
        mention_of(row, *names[n + 1]) for n, row in enumerate(rows)
    ]
    graph.write_mentions(mentions)
    entities = [entity_of(mention) for mention in mentions]
    graph.write_entities([(entity, vector(entity.name)) for entity in entities])
    facts = [fact_of(entities[n], "voit", entities[500 + n], row.chunk.id) for n, row in enumerate(rows)]
    graph.write_facts([row.chunk.id for row in rows], [(fact, vector(fact.text)) for fact in facts])
    graph.sweep()
    graph.note_overview()
    assert len(graph.entities_named(["jules"])) == 500
    found = retrieve("Qui est Jules ?", graph=graph, embedder=letters_embedder())
    assert len(found.evidence) == 10
    assert found.paths
    again = retrieve("Qui est Jules ?", graph=graph, embedder=letters_embedder())
    assert (again.evidence, again.paths) == (found.evidence, found.paths)


def test_a_hub_with_two_thousand_edges(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is in Paris: the hub is no way from one to the other but where facts of it fit the question."""
    row = document(graph, "paris.txt")
    graph.write_documents([row])
    rows = chunk_rows(row, [f"Habitant{n} | vit à | Paris." for n in range(2000)])
    graph.write_chunks(rows)
    hub = dataclasses.replace(
        mention_of(rows[0], "Paris", "paris"),
        occurrences=tuple(Occurrence(chunk_id=row.chunk.id, start=0, end=5) for row in rows),
    )
    people = [mention_of(row, f"Habitant{n}", f"habitant{n}") for n, row in enumerate(rows)]
    graph.write_mentions([hub, *people])
    paris, *others = (entity_of(mention) for mention in (hub, *people))
    graph.write_entities([(entity, vector(entity.name)) for entity in (paris, *others)])
    facts = [fact_of(one, "vit à", paris, row.chunk.id) for one, row in zip(others, rows, strict=True)]
    graph.write_facts([row.chunk.id for row in rows], [(fact, vector(fact.text)) for fact in facts])
    graph.sweep()
    graph.note_overview()
    assert graph.entities_named(["paris"])[0].chunks == 2000
    monkeypatch.setattr(explore, "WHOLE_POOL_CHUNKS", 1999)  # too many chunks to look at all of them
    for question in ("Qui vit à Paris ?", "Paris", "Où vit Habitant7 ?"):
        found = retrieve(question, graph=graph, embedder=letters_embedder())
        assert len(found.evidence) == 10
        assert next(step for step in found.trace.steps if step.name == "walk").outputs["pool"] < 1000


@pytest.mark.parametrize(
    ("method", "whole_pool"),
    [
        *((method, True) for method in ("chunk_ids", "pool", "passages", "next_chunks")),
        *((method, False) for method in ("pool", "passages", "next_chunks", "neighbours", "facts_about")),
    ],
)
def test_what_goes_in_mid_walk_is_left_out(
    store: Store, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch, method: str, whole_pool: bool
) -> None:
    """A document is deleted, with its entities, while a question is on its way."""
    if not whole_pool:
        monkeypatch.setattr(explore, "WHOLE_POOL_CHUNKS", 1)
    for graph in made(store, workspace_pool, CASE):
        whole = getattr(Graph, method)
        gone = ids.document_id(graph.workspace.name, "cutting.txt")

        def delete_first(graph: Graph, *what: object, **more: object) -> object:
            if graph.document_rows([gone]):  # noqa: B023
                graph.delete_documents([gone])  # noqa: B023
                remove_mentions(graph, [row.id for row in graph.mentions() if row.form == "The Claw"])
                graph.sweep()
            return whole(graph, *what, **more)  # noqa: B023

        monkeypatch.setattr(Graph, method, delete_first)
        answer = ask(QUESTION, graph=graph, embedder=word_embedder(), reranker=Contrary())
        assert answer.citations
        assert not any("society of thieves" in evidence.text for evidence in answer.citations)
        left: dict[str, Passage] = graph.passages([id_ for path in answer.paths for id_ in path.chunk_ids])
        assert all(id_ in left for path in answer.paths for id_ in path.chunk_ids)


@pytest.mark.parametrize("method", ["pool", "passages"])
def test_when_all_goes_in_mid_walk_there_is_nothing_to_say(
    store: Store, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    for graph in made(store, workspace_pool, TEXTS):
        whole = getattr(Graph, method)

        def delete_first(graph: Graph, *what: object, **more: object) -> object:
            for row in graph.document_rows():
                graph.delete_documents([row.id])
            return whole(graph, *what, **more)  # noqa: B023

        monkeypatch.setattr(Graph, method, delete_first)
        answer = ask(QUESTION, graph=graph, embedder=word_embedder())
        assert answer.citations == ()
        assert answer.paths == ()


def mention_of(row: ChunkRow, form: str, key: str) -> Mention:
    """A name at the beginning of a chunk, as only this chunk uses it."""
    return Mention(
        id=ids.content_id("mention", row.chunk.id, key),
        document_id=row.chunk.document_id,
        key=key,
        form=form,
        type="",
        language="fr",
        occurrences=(Occurrence(chunk_id=row.chunk.id, start=0, end=5),),
    )


def entity_of(mention: Mention) -> Entity:
    return Entity(
        id=ids.entity_id(mention.id), name=mention.form, aliases=(mention.form,), type="", mention_ids=(mention.id,)
    )


def fact_of(subject: Entity, predicate: str, object_: Entity, chunk_id: str) -> Fact:
    return Fact(
        id=ids.fact_id(subject.id, predicate, object_.id),
        subject_id=subject.id,
        predicate=predicate,
        object_id=object_.id,
        text=f"{subject.name} {predicate} {object_.name}",
        supports=(Support(chunk_id=chunk_id, start=0, end=9, origin="explicit"),),
    )


def letters_embedder() -> Embedder:
    """For the workspaces of the store's tests: 8 numbers, from words."""

    class Short(WordEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return [float(number) for number in vector(text)]

    model = Short()
    return Embedder(model=model, exact=model, name="short", dimensions=8, fingerprint="test-embedder")


def test_an_empty_workspace_has_nothing_to_say(store: Store, workspace_pool: WorkspacePool) -> None:
    with workspace_pool.one() as name:
        answer = ask(QUESTION, graph=store.graph(name), embedder=word_embedder())
    assert answer.citations == ()
    assert answer.text


# --------------------------------------------------------------------------------------------------------------------
# A model reads, looks for more, and names the path


NAMED = "Jules Delmas - wears - signet ring [{ring}] > signet ring - is the emblem of - The Claw [{claw}]"


def numbers_in(prompt: str) -> dict[str, str]:
    """The number of each extract that is in a prompt, by a word of it."""
    blocks = re.findall(r"^\[(\d+)\] [^\n]*\n(.*?)</extract", prompt, re.DOTALL | re.MULTILINE)
    return {word: n for n, text in blocks for word in ("wears", "emblem", "society") if word in text}


class Reads(ScriptedLLM):
    """Names the path by the numbers that it was shown; looks for the emblem first where it was not shown."""

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        super().complete(request, cancel=cancel)
        shown = numbers_in(request.prompt)
        if "emblem" not in shown:
            return "NOTES: he wears a ring\nSEARCH: whose emblem is the signet ring\nBETWEEN: Jules Delmas | The Claw"
        return f"ANSWER: He is of The Claw [{shown['emblem']}].\nPATH: " + NAMED.format(
            ring=shown["wears"], claw=shown["emblem"]
        )


def test_the_path_shown_is_the_one_that_the_model_names(case: Graph) -> None:
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=Reads({}))
    assert [hop.kind for hop in answer.paths[0].hops] == ["fact", "fact"]
    assert (answer.paths[0].origin, answer.paths[1].origin) == ("named", "ranked")
    assert answer.rests_on == (answer.paths[0].id,) and answer.ended == "answered" and answer.rounds == ()
    assert [step.name for step in answer.trace.steps][-2:] == ["read", "check the path"]


def test_a_model_that_looks_for_more_walks_the_graph(case: Graph) -> None:
    rounds: list[Round] = []
    llm = Reads({})
    settings = AskSettings(keep=1, shown_paths=1, method="bm25", budget_tokens=100)
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm, settings=settings, on_round=rounds.append)
    assert len(llm.prompts) == 2 and [look.kind for look in rounds[0].looks] == ["search", "between"]
    assert answer.rounds[0].looks[1].extracts, "what joins two names comes with its sentences"
    assert "wears" in numbers_in(llm.prompts[1]) and answer.paths[0].hops[-1].kind == "fact"


def test_where_the_model_has_no_answer_no_path_is_one(case: Graph) -> None:
    found: list[Retrieved] = []
    said = "They do not say [P1].\nUNANSWERED: the name of his mother"
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=ScriptedLLM({"": said}), on_retrieved=found.append)
    assert found[0].paths and answer.paths == answer.rests_on == () and not answer.answered
    assert (answer.text, answer.missing) == ("They do not say.", "the name of his mother")
    assert answer.citations and answer.ended == "unanswered"
