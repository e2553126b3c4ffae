"""What a language model may look up for a question that is limited to documents: what they state, in a workspace and in
a view, on the real Neo4j.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import numpy as np
import pytest

from filigraph.graph import ids
from filigraph.graph.answer import answer
from filigraph.graph.ask.evidence.build import evidence_of
from filigraph.graph.ask.evidence.look_up import look_up
from filigraph.graph.ask.generation.reply import Request
from filigraph.graph.ask.paths.named import named_path
from filigraph.graph.ask.question.documents import filtered_reader
from filigraph.graph.ask.reader import AskGraph, StatedReader
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.corrections.apply import Correction, correct
from filigraph.graph.engine import find_evidence
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.documents import Source
from filigraph.graph.model.retrieval import Hop
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.embed import embed_questions, embed_texts
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, StatedGraph, Store
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.view import View
from filigraph.graph.views.open import open_view
from tests.making import word_embedder
from tests.workspace_pool import WorkspacePool

TEXTS = {  # source -> date, text, facts
    "lettre.txt": (
        "1912-03-05",
        "Le jeune Jules porte la chevalière de la maison Moreau. Jules aime Anne Vidal.",
        [("Jules", "porte", "chevalière de la maison Moreau"), ("Jules", "aime", "Anne Vidal")],
    ),
    "inventaire.txt": (
        "1912-03-09",
        "La chevalière de la maison Moreau est l'emblème de La Griffe.",
        [("chevalière de la maison Moreau", "est l'emblème de", "La Griffe")],
    ),
    "note.txt": ("1912-03-11", "La Griffe craint Félix Brun.", [("La Griffe", "craint", "Félix Brun")]),
    "rapport.txt": (
        "1911-01-02",
        "Jules Delmas dirige La Griffe. Jules Delmas porte la chevalière de la maison Moreau. Jules Delmas dort.",
        [("Jules Delmas", "dirige", "La Griffe"), ("Jules Delmas", "porte", "chevalière de la maison Moreau")],
    ),
    "coupure.txt": ("1911-02-03", "Le Loup hait Anne Vidal.", [("Le Loup", "hait", "Anne Vidal")]),
}
ELSEWHERE = ("Delmas", "Loup", "dirige", "hait")  # names and facts of documents that are not asked
MARCH = ("lettre.txt", "inventaire.txt", "note.txt")
KINDS = ("workspace", "view")


@pytest.fixture(scope="module")
def case(store: Store, workspace_pool: WorkspacePool) -> Iterator[dict[str, AskGraph]]:
    """The workspace and a view of all of it; a person has said that Jules is Jules Delmas and Le Loup."""
    with workspace_pool.one() as name:
        graph = store.graph(name)
        facts = {ids.document_id(name, source): rows for source, (_, _, rows) in TEXTS.items()}
        sources = [
            Source(name=source, content=text.encode(), metadata={"date": date})
            for source, (date, text, _) in TEXTS.items()
        ]
        ingest(sources, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(facts))
        jules, delmas, loup = (mention(graph, form) for form in ("Jules", "Jules Delmas", "Le Loup"))
        same = [Correction(kind="same", about=one, other=delmas) for one in (jules, loup)]
        correct(same, graph=graph, embedder=word_embedder())
        yield {"workspace": graph, "view": open_view(graph, View(), embedder=word_embedder())}


def mention(graph: Graph, form: str) -> str:
    """The id of the mention with a form."""
    (row,) = (row for row in graph.mentions() if row.form == form)
    return row.id


def limited(graph: AskGraph, *sources: str) -> StatedReader:
    return graph.stated([row.id for row in graph.document_names() if row.source in sources])


def told(reader: StatedReader, kind: Literal["facts", "between"], text: str) -> list[str]:
    """The lines of a look-up."""
    vector = embed_questions(word_embedder(), ["Qui est Jules ?"])[0]
    return [line.text for line in look_up(Request(kind=kind, text=text), vector=vector, reader=reader).lines]


@pytest.mark.parametrize("kind", KINDS)
def test_facts_are_those_that_the_documents_say(case: dict[str, AskGraph], kind: str) -> None:
    graph = case[kind]
    everything = "\n".join(told(graph, "facts", "Le Loup"))
    assert all(word in everything for word in ELSEWHERE)
    reader = limited(graph, *MARCH)
    head, *facts = told(reader, "facts", "Jules")
    assert head.startswith("Jules: ") and "also called" not in head
    assert sorted(facts) == ["- Jules aime Anne Vidal", "- Jules porte La chevalière de la maison Moreau"]
    assert told(reader, "facts", "Le Loup") == ["The graph knows no 'Le Loup'."]
    assert told(reader, "facts", "Delmas") == ["The graph knows no 'Delmas'."], "no words of other names either"
    assert told(reader, "facts", "vidal")[0].startswith("Anne Vidal:"), "words of its names find an entity"


@pytest.mark.parametrize("kind", KINDS)
def test_two_names_of_one_come_with_a_sentence_of_each(case: dict[str, AskGraph], kind: str) -> None:
    assert told(case[kind], "between", "Le Loup | Jules Delmas") == [
        "In the graph Le Loup and Jules Delmas are one:",
        "- Jules Delmas hait Anne Vidal",
        "- Jules Delmas dirige La Griffe",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_chains_pass_facts_that_the_documents_say(case: dict[str, AskGraph], kind: str) -> None:
    graph, names = case[kind], "Jules | La Griffe"
    assert "- Jules Delmas dirige La Griffe" in told(graph, "between", names)
    chain = told(limited(graph, *MARCH), "between", names)
    assert "- Jules porte La chevalière de la maison Moreau" in chain and chain[-1].endswith(
        "est l'emblème de La Griffe"
    )
    assert not any(word in line for word in ELSEWHERE for line in chain)
    apart = told(limited(graph, "lettre.txt", "note.txt"), "between", names)
    assert apart == ["No chain of at most 3 facts of the graph joins Jules and La Griffe; the extracts may join them."]
    unnamed = told(limited(graph, "lettre.txt"), "between", names)
    assert unnamed == ["The graph: No entity has the name 'La Griffe'."]
    other = told(limited(graph, *MARCH), "between", "Le Loup | Anne Vidal")
    assert other == ["The graph: No entity has the name 'Le Loup'."]
    (griffe,) = graph.entities_named([name_key("La Griffe")])
    by_id = told(limited(graph, "lettre.txt"), "between", f"Jules | {griffe.entity_id}")
    assert by_id == [f"The graph: There is no entity {griffe.entity_id}."]


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_is_checked_in_the_documents_with_the_names_of_the_leads(case: dict[str, AskGraph], kind: str) -> None:
    graph = case[kind]
    (step,) = hops(graph, MARCH, "Jules - porte - chevalière de la maison Moreau [1]")
    assert (step.kind, step.subject) == ("fact", "Jules")
    (alias,) = hops(graph, MARCH, "Le Loup - porte - chevalière de la maison Moreau [1]")
    assert alias.kind == "fact", "the first search shows him by the name that another document gives him"
    (other,) = hops(graph, MARCH, "Jules - dirige - La Griffe [1]")
    assert other.kind == "unfound", "the letter has only the article of that name"


def hops(graph: AskGraph, sources: Sequence[str], path: str) -> Sequence[Hop]:
    """The checked hops of a path; [1] is the letter."""
    passages = graph.passages(graph.chunk_ids()).values()
    (letter,) = (passage for passage in passages if passage.source == "lettre.txt")
    extracts = [evidence_of(letter, 1.0, None, ())]
    reader, _ = filtered_reader(graph, sources=sources, where={})
    named = named_path(path, extracts, reader, partial(embed_texts, word_embedder()))
    return named.hops if named else ()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("question", "settings"),
    [
        ("Qui est Jules ?", AskSettings(sources=MARCH)),
        ("Qui est Jules ?", AskSettings(where={"date>=": "1912-03"})),
        ("Que s'est-il passé depuis mars 1912 ?", AskSettings(today="1912-04-10")),
        ("What has happened since March 1912?", AskSettings(today="1912-04-10")),
    ],
)
def test_an_investigation_stays_in_its_documents(
    case: dict[str, AskGraph], kind: str, question: str, settings: AskSettings
) -> None:
    graph = case[kind]
    looks = "NOTES: rien\nFACTS: Jules\nBETWEEN: Jules | La Griffe\nSEARCH: qui dirige La Griffe"
    named = "ANSWER: Jules.\nPATH: Le Loup - hait - Anne Vidal"
    llm = ScriptedLLM({"What you looked for": named, "": looks})
    search = partial(find_evidence, graph=graph, embedder=word_embedder())
    answered = answer(question, search=search, graph=graph, embedder=word_embedder(), llm=llm, settings=settings)
    assert {look.kind for look in answered.rounds[0].looks} == {"facts", "between", "search"}
    assert {item.source for item in answered.citations} <= set(MARCH)
    looked = llm.prompts[1].partition("What you looked for")[2] or llm.prompts[1]
    assert "- Jules porte La chevalière de la maison Moreau" in llm.prompts[1]
    assert not any(word in looked for word in ("hait", "Loup"))
    assert "Jules Delmas dirige" not in llm.prompts[1]
    (step,) = answered.paths[0].hops
    assert step.kind == "unfound" and not step.subject_id


def test_what_a_look_up_reads_is_narrowed(case: dict[str, AskGraph]) -> None:
    reader = limited(case["workspace"], *MARCH)
    assert isinstance(reader, StatedGraph) and not isinstance(reader, Graph)
    (jules,) = reader.entities_named(["jules"])
    (known,) = reader.entities_by_id([jules.entity_id, "0" * 48])
    assert (known.name, known.aliases, known.chunks) == ("Jules", ("Jules",), 1)
    near = reader.search_entities(np.ones(case["workspace"].workspace.dimensions, dtype=np.float32), 50)
    names, texts = {hit.name for hit in near}, "".join(TEXTS[source][1] for source in MARCH)
    assert {"Jules", "Anne Vidal", "La Griffe", "Félix Brun"} <= names
    assert all(name in texts for name in names)
