"""Documents that change or are deleted, on the real Neo4j: the graph is as if the earlier text had never been there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from filigraph.graph import ids
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.derive import derive
from filigraph.graph.engine import retrieve
from filigraph.graph.errors import NotFound
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import FilteredGraph, Graph
from tests.making import source, word_embedder
from tests.runs.claw_case import run, sources
from tests.runs.conftest import World
from tests.slow import quick

NAMES = [
    "Jules",
    "Jules Delmas",
    "Delmas",
    "Paul Delmas",
    "M. Delmas",
    "The Claw",
    "THE CLAW",
    "La Griffe",
    "Sherlock Holmes",
    "Holmes",
    "Mrs. Holmes",
    "the ring",
    "The Ring of Night",
    "Night",
    "night",
    "Lyon",
]


class Case:
    """Documents that name one another's people, some read to say so, some not; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.texts: dict[str, str] = {}
        self.facts: dict[str, list[tuple[str, str, str]]] = {}
        for number in range(10):
            names = chance.sample(NAMES, 5)
            sentences = [f"{names[0]} saw {names[1]} at noon.", f"{names[2]} knows {names[3]}, and so does {names[4]}."]
            title = f"# {chance.choice(NAMES)}\n\n" if chance.random() < 0.4 else ""
            name = f"{number}.md"
            self.texts[name] = title + " ".join(chance.sample(sentences, chance.choice((1, 2))))
            known = [(names[0], "saw", names[1]), (names[2], "knows", names[3])]
            self.facts[name] = chance.sample(known, chance.choice((0, 1, 2)))

    def read(self, graph: Graph, names: Sequence[str]) -> None:
        given = {ids.document_id(graph.workspace.name, name): rows for name, rows in self.facts.items()}
        what = [source(name, self.texts[name]) for name in names]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(given))


@pytest.mark.parametrize("seed", quick(range(8), 3))
def test_what_is_left_is_what_would_be_there_without_them(world: World, seed: int) -> None:
    case = Case(seed)
    names = list(case.texts)
    chance = random.Random(seed)
    gone = chance.sample(names, chance.choice((1, 3, 6)))
    left = [name for name in names if name not in gone]
    graph = world.fresh()
    case.read(graph, left)
    expected = list(graph.dump())
    graph = world.fresh()
    case.read(graph, names)
    graph.delete_documents([ids.document_id(world.name, name) for name in gone])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected


WRITTEN = {  # one key in forms that are looked for in different ways: as a name, and as a common noun
    "a.txt": (
        "Lise saw Tours. The Major General knows Tours.",
        [("Lise", "saw", "Tours"), ("Major General", "knows", "Tours")],
    ),
    "b.txt": (
        "Guided tours please Lise. A major general saw Lise.",
        [("tours", "please", "Lise"), ("major general", "saw", "Lise")],
    ),
    "c.txt": ("Paul plays for Tours. The tours were long.", []),
    "d.txt": ("Brun met a major general, and the Major General of Lyon. No major general lives there.", []),
}


@pytest.mark.parametrize("gone", ["a.txt", "b.txt"])
def test_a_name_that_is_left_in_another_form_is_looked_for_as_that(world: World, gone: str) -> None:
    facts = {ids.document_id(world.name, name): said for name, (_, said) in WRITTEN.items()}

    def read(names: Sequence[str], **changed: str) -> None:
        what = [source(name, changed.get(name) or WRITTEN[name][0]) for name in names]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(facts))

    left = [name for name in WRITTEN if name != gone]
    graph = world.fresh()
    read(left)
    expected = list(graph.dump())
    graph = world.fresh()
    read([*WRITTEN])
    whole = list(graph.dump())
    assert len(whole) != len(expected)
    graph.delete_documents([ids.document_id(world.name, gone)])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected
    read([gone])
    assert list(graph.dump()) == whole, "whichever came last"
    read([gone], **{gone: "Nothing is said any more."})
    graph.delete_documents([ids.document_id(world.name, gone)])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected


OVERLAPPING = {  # all that a.txt says of Nassau stands inside longer names of others
    "a.txt": (
        "Karl, Duke of Nassau, left Nassau-Weil.\n\n" + "It rained. " * 300 + "\n\nAnna of Nassau stayed.",
        "Nassau",
    ),
    "b.txt": ("The Duke of Nassau met Karl.", "Duke of Nassau"),
    "c.txt": ("Nassau-Weil pleased Karl.", "Nassau-Weil"),
    "d.txt": ("Anna of Nassau met Karl.", "Anna of Nassau"),
}


@pytest.mark.parametrize("gone", [["b.txt"], ["c.txt"], ["d.txt"], ["b.txt", "d.txt"], ["b.txt", "c.txt", "d.txt"]])
def test_longer_names_that_come_and_go_take_nothing_that_was_read(world: World, gone: list[str]) -> None:
    facts = {ids.document_id(world.name, name): [(said, "knows", "Karl")] for name, (_, said) in OVERLAPPING.items()}

    def read(*names: str) -> list[str]:
        what = [source(name, OVERLAPPING[name][0]) for name in names]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(facts))
        return list(graph.dump())

    left = [name for name in OVERLAPPING if name not in gone]
    graph = world.fresh()
    expected = read(*left)
    graph = world.fresh()
    whole = read(*OVERLAPPING)
    graph.delete_documents([ids.document_id(world.name, name) for name in gone])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected
    assert read(*reversed(gone)) == whole
    graph = world.fresh()
    read(*left)
    assert read(*gone) == whole


def test_a_title_that_is_left_in_another_form_is_looked_for_as_that(world: World) -> None:
    def read(*names: str) -> None:
        texts = {"a.txt": "A play.", "b.txt": "A film.", "c.txt": "It was said of the second mother of Ann."}
        titles = {"a.txt": "The Second Mother", "b.txt": "the second mother", "c.txt": "Ann"}
        what = [Source(name=name, content=texts[name].encode(), metadata={"title": titles[name]}) for name in names]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor({}))

    graph = world.fresh()
    read("b.txt", "c.txt")
    expected = list(graph.dump())
    assert sum('"titles":["' in line for line in expected) == 1
    graph = world.fresh()
    read("a.txt", "b.txt", "c.txt")
    assert not any('"titles":["' in line for line in graph.dump()), "a name is written with a capital"
    graph.delete_documents([ids.document_id(world.name, "a.txt")])
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == expected


def test_all_may_go(world: World) -> None:
    graph = world.fresh()
    case = Case(1)
    case.read(graph, list(case.texts))
    graph.delete_documents([row.id for row in graph.document_names()])
    derive(graph, embedder=word_embedder())
    stats = graph.stats()
    assert (stats.documents, stats.chunks, stats.mentions, stats.entities, stats.facts) == (0, 0, 0, 0, 0)


class Counting:
    """Reads nothing, and counts what it is asked to read."""

    name, version, batch, expensive = "counting", "1", 100, False

    def __init__(self) -> None:
        self.read: list[str] = []
        self.usage = TripleExtractor({}).usage

    def expected(self, chunk: Chunk):  # type: ignore[no-untyped-def]
        return self.usage

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk, extraction in zip(chunks, TripleExtractor({}).extract(chunks), strict=True):
            self.read.append(chunk.text)
            yield Extraction(
                key=ids.content_id("extraction", chunk.text, chunk.before, chunk.language, self.name, self.version),
                extractor=self.name,
                note=extraction.note,
            )


def novel(chance: random.Random) -> list[str]:
    """Paragraphs of uneven length, in chapters; no two sentences are alike."""
    paragraphs = []
    for number in range(400):
        if number % 50 == 0:
            paragraphs.append(f"CHAPTER {number // 50 + 1}")
        said = range(chance.randint(1, 9))
        paragraphs.append(" ".join(f"On day {number} at {n} the lamp {chance.random()} went out." for n in said))
    return paragraphs


@pytest.mark.essential
def test_an_edit_has_only_its_surroundings_read_again(world: World) -> None:
    chance = random.Random(7)
    paragraphs = novel(chance)
    graph = world.fresh()

    def read(paragraphs: list[str]) -> int:
        extractor = Counting()
        text = "\n\n".join(paragraphs)
        report = ingest([source("novel.txt", text)], graph=graph, embedder=word_embedder(), extractor=extractor)
        assert len(report.added) + len(report.updated) + len(report.unchanged) == 1
        return len(extractor.read)

    whole = read(paragraphs)
    assert whole > 60
    assert read(paragraphs) == 0, "the same content is not read at all"
    again = []
    for _ in range(5):
        at = chance.randrange(len(paragraphs))
        paragraphs[at] += f" Then, {chance.random()} miles away, somebody lit it again."
        again.append(read(paragraphs))
    assert max(again) <= 6 and sum(again) <= 15, again


def test_an_update_that_ends_a_document_sooner_leaves_nothing_of_its_end(world: World) -> None:
    graph = world.fresh()
    given = {ids.document_id(world.name, "a.txt"): [("Jules", "wears", "ring"), ("Nora", "left", "Lyon")]}

    def read(text: str) -> None:
        what = [Source(name="a.txt", content=text.encode(), metadata={"date": "1912"})]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(given))

    read("Jules wears a ring.")
    expected = list(graph.dump())
    graph = world.fresh()
    read("Jules wears a ring.\n\n" + "Nobody spoke. " * 400 + "\n\nNora left Lyon.")
    read("Jules wears a ring.")
    assert list(graph.dump()) == expected


def test_ready_triples_keep_their_sentences_after_a_change(world: World) -> None:
    given = {ids.document_id(world.name, "a.txt"): [("Jules", "wears", "ring"), ("Nora", "left", "Lyon")]}
    weather = "\n\n".join(f"It rained on day {day}, and nobody spoke of it." * 12 for day in range(12))

    def read(graph: Graph, end: str) -> list[str]:
        what = [source("a.txt", f"Jules wears a ring.\n\n{weather}\n\nNora left Lyon.{end}")]
        ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(given))
        return list(graph.dump())

    expected = read(world.fresh(), " Then it rained again.")
    graph = world.fresh()
    read(graph, "")
    assert read(graph, " Then it rained again.") == expected


def test_ready_triples_in_one_request_or_two_are_read_alike_and_only_once(world: World) -> None:
    texts = {"a.txt": "Jules wears a ring.", "b.txt": "Nora left Lyon."}
    rows = {"a.txt": [("Jules", "wears", "ring")], "b.txt": [("Nora", "left", "Lyon")]}

    def read(graph: Graph, *names: str) -> IngestReport:
        given = {ids.document_id(graph.workspace.name, name): rows[name] for name in names}
        what = [source(name, texts[name]) for name in names]
        return ingest(what, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(given))

    graph = world.fresh()
    read(graph, "a.txt", "b.txt")
    expected = list(graph.dump())
    graph = world.fresh()
    read(graph, "a.txt")
    read(graph, "b.txt")
    assert list(graph.dump()) == expected
    assert read(graph, "b.txt", "a.txt").unchanged == ["b.txt", "a.txt"]
    assert list(graph.dump()) == expected


# --------------------------------------------------------------------------------------------------------------------
# Questions to some of the documents


def asked(graph: Graph, question: str, **more: object) -> tuple[set[str], set[str]]:
    """The sources of the evidence, and of the chunks behind the paths."""
    found = retrieve(question, graph=graph, embedder=word_embedder(), settings=AskSettings(**more))  # type: ignore[arg-type]
    behind = graph.passages([id_ for path in found.paths for id_ in path.chunk_ids])
    return {evidence.source for evidence in found.evidence}, {passage.source for passage in behind.values()}


@pytest.mark.parametrize("method", ["filigraph", "hybrid", "dense", "bm25"])
@pytest.mark.parametrize("profile", ["detail", "entity"])
def test_a_question_stays_in_the_documents_it_is_asked_of(world: World, method: str, profile: str) -> None:
    graph = world.fresh()
    run(graph, sources())
    question = "Why be wary of Jules Delmas and The Claw?"
    evidence, behind = asked(graph, question, method=method, profile=profile)
    assert len(evidence) == 4
    some = ("letter.txt", "inv*.txt")
    evidence, within = asked(graph, question, method=method, profile=profile, sources=some)
    assert evidence == {"letter.txt", "inventory.txt"}
    assert within <= evidence
    if method == "filigraph":
        assert "cutting.txt" in behind
        assert within == {"letter.txt", "inventory.txt"}, "the walk goes on, within them"


def test_what_a_question_reads_of_some_documents_is_of_them(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    (letter,) = (row.id for row in graph.document_names() if row.source == "letter.txt")
    filtered = FilteredGraph(graph, [letter])
    everything = graph.chunk_ids()
    own = filtered.chunk_ids()
    assert set(own) < set(everything)
    assert {passage.source for passage in filtered.passages(everything).values()} == {"letter.txt"}
    assert [chunk.id for chunk in filtered.pool(everything)] == [id_ for id_ in everything if id_ in own]
    assert not isinstance(filtered, Graph), "a read that is not narrowed cannot be called"


def test_one_document_among_many_is_searched_wholly(world: World) -> None:
    """The nearest of all may be in other documents."""
    graph = world.fresh()
    many = [source(f"{n}.txt", f"Jules wears a ring on day {n}.") for n in range(150)]
    far = Source(name="far.txt", content=b"Nobody here has a jewel.", metadata={"kind": "far"})
    ingest([*many, far], graph=graph, embedder=word_embedder(), extractor=TripleExtractor({}))
    for method in ("filigraph", "dense"):
        assert asked(graph, "Who wears a ring?", method=method)[0].isdisjoint({"far.txt"})
        assert asked(graph, "Who wears a ring?", method=method, where={"kind": "far"})[0] == {"far.txt"}
    assert asked(graph, "Jules wears a ring", method="bm25", sources=("149.txt",))[0] == {"149.txt"}


def test_a_question_to_no_document_is_refused(world: World) -> None:
    graph = world.fresh()
    run(graph, sources())
    with pytest.raises(NotFound, match="No documents match"):
        asked(graph, "Who is Jules?", sources=("nowhere/",))
