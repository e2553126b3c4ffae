"""What persons decide about names: it holds, is undone without a trace, contradicts nothing, and survives readings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from filigraph.graph import ids
from filigraph.graph.corrections.apply import Correction, correct, undo
from filigraph.graph.corrections.listing import list_decisions, list_near_misses
from filigraph.graph.derive import derive
from filigraph.graph.errors import AlreadyDecided, InputError, NotFound
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.names import AliasGroup, Occurrence
from filigraph.graph.pipeline import ingest
from filigraph.graph.records.corrections import Outcome
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.conftest import World
from tests.runs.two_delmas import TEXTS, TRIPLES


def read(graph: Graph, names: Sequence[str] = tuple(TEXTS), **changed: str) -> None:
    texts = {name: changed.get(name.removesuffix(".txt"), TEXTS[name]) for name in names}
    triples = {
        ids.document_id(graph.workspace.name, name): [row for row in rows if not changed or row[0] in texts[name]]
        for name, rows in TRIPLES.items()
        if not changed or name in texts
    }
    sources = [source(name, text) for name, text in texts.items()]
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(triples))


@pytest.fixture
def graph(world: World) -> Graph:
    made = world.fresh()
    read(made)
    return made


def one(graph: Graph, name: str, document: str = "") -> str:
    """The id of the mention that bears a name, in a document."""
    found = [
        row.id
        for row in graph.mentions()
        if row.form == name and not row.part_of and document in ("", source_of(graph)[row.document_id])
    ]
    assert len(found) == 1, (name, found)
    return found[0]


def source_of(graph: Graph) -> dict[str, str]:
    return {row.id: row.source for row in graph.document_rows()}


def entities(graph: Graph) -> dict[str, set[str]]:
    """Entity id -> its mentions, as "document:form", a part with "'"."""
    sources = source_of(graph)
    found: dict[str, set[str]] = {}
    for row in graph.mentions():
        form = f"{sources[row.document_id].removesuffix('.txt')}:{row.form}"
        found.setdefault(row.entity_id, set()).add(form + ("'" if row.part_of else ""))
    return found


def together(graph: Graph, member: str) -> set[str]:
    """The mentions of the entity to which one belongs."""
    (found,) = (members for members in entities(graph).values() if member in members)
    return found


def say(graph: Graph, *verdicts: tuple[str, str, bool]) -> list[str]:
    """Decide; the ids of the decisions."""
    return [made.id for made in decide(graph, *verdicts).corrections]


def decide(graph: Graph, *verdicts: tuple[str, str, bool]) -> Outcome:
    rows = [
        Correction(kind="same" if same else "distinct", about=first, other=second) for first, second, same in verdicts
    ]
    return correct(rows, graph=graph, embedder=word_embedder())


def split(graph: Graph, entity: str, *, names: Sequence[str] = (), places: Sequence[Occurrence] = ()) -> list[str]:
    """Split an entity; the ids of the corrections."""
    row = Correction(kind="split", about=entity, names=names, places=places)
    return [made.id for made in correct([row], graph=graph, embedder=word_embedder()).corrections]


def rename(graph: Graph, entity: str, name: str) -> str:
    (made,) = correct(
        [Correction(kind="name", about=entity, value=name)], graph=graph, embedder=word_embedder()
    ).corrections
    return made.id


def facts(graph: Graph) -> set[str]:
    names = {id_: row.name for id_, row in graph.entity_rows().items()}
    found = set()
    for id_ in names:
        found |= {fact.text for fact in graph.entity_detail(id_).facts}
    return found


# --------------------------------------------------------------------------------------------------------------------
# Same, and not


def test_two_entities_are_merged_by_their_names_and_undone(graph: Graph) -> None:
    before = list(graph.dump())
    (made,) = say(graph, ("The Claw", "La Griffe", True))
    assert together(graph, "note:La Griffe") == {"cutting:The Claw", "note:La Griffe"}
    assert list(graph.dump()) != before
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_names_that_a_rule_joined_are_parted_by_name_and_undone(graph: Graph) -> None:
    assert together(graph, "letter:Delmas") >= {"letter:Jules Delmas", "cutting:Jules Delmas", "note:Jules Delmass"}
    before = list(graph.dump())
    (made,) = say(graph, ("Jules Delmas", "Jules Delmass", False))
    assert together(graph, "note:Jules Delmass") == {"note:Jules Delmass"}
    assert together(graph, "letter:Delmas") == {"letter:Delmas", "letter:Jules Delmas", "cutting:Jules Delmas"}
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_a_new_name_stays_with_the_name_it_was_given_to(graph: Graph) -> None:
    (made,) = say(graph, ("The Claw", "La Griffe", True))
    rename(graph, "La Griffe", "The Talon")
    undo([made], graph=graph, embedder=word_embedder())
    assert {row.name for row in graph.entity_rows().values()} >= {"The Claw", "The Talon"}


@pytest.mark.parametrize("same", [True, False])
def test_a_name_and_itself_are_nothing_to_decide(graph: Graph, same: bool) -> None:
    with pytest.raises(InputError, match="are one already"):
        say(graph, ("La Griffe", "la griffe", same))


def test_a_near_miss_is_reviewed(graph: Graph) -> None:
    near, total = list_near_misses(graph=graph, first=0, count=10)
    assert total == len(near) > 0
    told = next(row for row in near if "Nantes Gazettes" in (row.names[0].form, row.others[0].form))
    assert told.by == "rule" and not told.places and 0 < told.score <= 1
    for place in (*told.names, *told.others):
        assert place.form in place.sentence and place.source in TEXTS and place.entity_id
    before = list(graph.dump())
    first, second = told.names[0].id, told.others[0].id
    for same in (True, False):
        made = say(graph, (first, second, same))
        now = {row.id: row.entity_id for row in graph.mentions()}
        assert (now[first] == now[second]) is same
        assert told.id not in {row.id for row in list_near_misses(graph=graph, first=0, count=10)[0]}
        undo(made, graph=graph, embedder=word_embedder())
        assert list(graph.dump()) == before


def test_persons_join_across_types(world: World) -> None:
    graph = world.fresh()
    read(graph)
    say(graph, ("Lyon", "Paul Delmas", True))
    assert "report:Paul Delmas" in together(graph, "cutting:Lyon")


@pytest.mark.essential
def test_decisions_in_any_order_and_jobs_give_the_same_graph(world: World) -> None:
    verdicts = [
        ("The Claw", "La Griffe", True),
        ("Jules Delmas", "Jules Delmass", False),
        ("Lyon", "Jean Delmas", True),
    ]
    expected: list[str] = []
    for number, order in enumerate(itertools.permutations(range(3))):
        graph = world.fresh()
        if number % 2:
            read(graph, list(TEXTS)[::-1])
            ids_of = [(graph_id(graph, a), graph_id(graph, b), same) for a, b, same in verdicts]
            for place in order:
                say(graph, ids_of[place])
        else:
            read(graph)
            ids_of = [(graph_id(graph, a), graph_id(graph, b), same) for a, b, same in verdicts]
            say(graph, *(ids_of[place] for place in order))
        dumped = list(graph.dump())
        expected = expected or dumped
        assert dumped == expected


def graph_id(graph: Graph, name: str) -> str:
    """A mention that bears the name: the same one whatever was decided before."""
    return min(row.id for row in graph.mentions() if row.form == name)


def test_a_decision_comes_before_the_rest_of_the_documents(world: World) -> None:
    graph = world.fresh()
    read(graph)
    say(graph, (graph_id(graph, "The Claw"), graph_id(graph, "La Griffe"), True))
    expected = list(graph.dump())
    graph = world.fresh()
    read(graph, ["cutting.txt", "note.txt"])
    say(graph, (graph_id(graph, "The Claw"), graph_id(graph, "La Griffe"), True))
    for name in ("diary.txt", "letter.txt", "report.txt"):
        read(graph, [name])
    assert list(graph.dump()) == expected


# --------------------------------------------------------------------------------------------------------------------
# Split


def test_names_are_split_off_and_undone(graph: Graph) -> None:
    before = list(graph.dump())
    assert "letter:Jules Delmas" in together(graph, "cutting:Jules Delmas")
    mine = one(graph, "Jules Delmas", "cutting.txt")
    made = split(graph, "Jules Delmas", names=[mine])
    of = {row.id: row.entity_id for row in graph.mentions()}
    assert of[mine] != of[one(graph, "Jules Delmas", "letter.txt")]
    undo(made, graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def places_of(graph: Graph, mention: str, nth: Sequence[int]) -> list[Occurrence]:
    (row,) = graph.name_places([mention])
    chunk = row.chunk_id
    spans = graph.places([mention], [chunk])[mention, chunk]
    return [Occurrence(chunk_id=chunk, start=spans[n][0], end=spans[n][1]) for n in nth]


def test_places_within_one_document_become_a_name_of_their_own(graph: Graph) -> None:
    before = list(graph.dump())
    assert "Delmas steals ring" in facts(graph)
    delmas = one(graph, "Delmas", "diary.txt")
    chosen = places_of(graph, delmas, [1, 2])
    (made,) = split(graph, "Jean Delmas", places=chosen)
    part = ids.part_id(delmas, made)
    assert together(graph, "diary:Delmas'") == {"diary:Delmas'"}
    assert together(graph, "diary:Delmas") == {"diary:Delmas", "diary:Jean Delmas"}
    said = {(fact.subject_id, fact.predicate) for id_ in entities(graph) for fact in graph.entity_detail(id_).facts}
    entity = {row.id: row.entity_id for row in graph.mentions()}
    assert (entity[part], "steals") in said and (entity[delmas], "steals") not in said
    assert (entity[delmas], "sings at") in said and (entity[part], "sings at") not in said
    with_it = list(graph.dump())
    derive(graph, embedder=word_embedder())
    assert list(graph.dump()) == with_it, "deriving again changes nothing"
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_a_part_is_merged_where_it_belongs_and_survives_a_new_reading(world: World) -> None:
    graph = world.fresh()
    read(graph)
    delmas = one(graph, "Delmas", "diary.txt")
    (made,) = split(graph, "Jean Delmas", places=places_of(graph, delmas, [1, 2]))
    part = ids.part_id(delmas, made)
    (merge,) = say(graph, (part, "Paul Delmas", True))
    assert "diary:Delmas'" in together(graph, "report:Paul Delmas")
    expected = list(graph.dump())
    read(graph, ["diary.txt"], diary="Nothing is left.")
    assert together(graph, "report:Paul Delmas") == {"report:Paul Delmas"}
    told, _ = list_decisions(by="person", graph=graph, first=0, count=10)
    assert {row.id: row.holds for row in told} == {made: False, merge: False}
    read(graph, ["diary.txt"])
    assert list(graph.dump()) == expected


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_cannot_be_split(graph: Graph, order: tuple[int, int]) -> None:
    delmas = one(graph, "Delmas", "diary.txt")
    every = places_of(graph, delmas, [0, 1, 2])
    with pytest.raises(InputError, match="all places"):
        split(graph, "Jean Delmas", places=every)
    with pytest.raises(NotFound, match="not a name of this entity"):
        split(graph, "Jean Delmas", names=[one(graph, "La Griffe")])
    with pytest.raises(NotFound, match="no name of this entity at"):
        split(graph, "Jean Delmas", places=[Occurrence(chunk_id="none", start=0, end=1)])
    with pytest.raises(InputError, match="left"):
        split(graph, "La Griffe", names=[one(graph, "La Griffe")])
    with pytest.raises(InputError, match="nothing to split off"):
        split(graph, "La Griffe")


# --------------------------------------------------------------------------------------------------------------------
# Rename


def test_an_entity_is_called_otherwise_and_undone(graph: Graph) -> None:
    before = list(graph.dump())
    made = rename(graph, "The Claw", "The  Gang of the Claw")
    assert "The Gang of the Claw is gang" in facts(graph)
    with pytest.raises(AlreadyDecided, match=made):
        rename(graph, "The Claw", "Les Griffes")
    undo([made], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


@pytest.mark.parametrize("name", ["", "  ", "...", "x" * 201])
def test_what_is_no_name(graph: Graph, name: str) -> None:
    with pytest.raises(InputError, match="is not a name"):
        rename(graph, "The Claw", name)


# --------------------------------------------------------------------------------------------------------------------
# Contradictions


def test_the_opposite_names_what_was_decided_before(graph: Graph) -> None:
    claw, griffe = graph_id(graph, "The Claw"), graph_id(graph, "La Griffe")
    (made,) = say(graph, (claw, griffe, True))
    with pytest.raises(AlreadyDecided, match=made) as raised:
        say(graph, (griffe, claw, False))
    with pytest.raises(AlreadyDecided, match=made):
        say(graph, ("La Griffe", "The Claw", False))
    assert f"filigraph corrections undo {made}" in raised.value.cure
    undo([made], graph=graph, embedder=word_embedder())
    (apart,) = say(graph, (griffe, claw, False))
    with pytest.raises(AlreadyDecided, match=apart):
        say(graph, (claw, griffe, True))


def test_a_contradiction_over_others(graph: Graph) -> None:
    lyon, claw, griffe = (graph_id(graph, name) for name in ("Lyon", "The Claw", "La Griffe"))
    made = say(graph, (claw, griffe, True), (griffe, lyon, True))
    with pytest.raises(AlreadyDecided, match="|".join(made)):
        say(graph, (claw, lyon, False))


def test_a_merge_meets_what_was_kept_apart_in_its_entities(graph: Graph) -> None:
    """No one of the two names that are merged was kept apart, but others of their entities."""
    letter, diary = one(graph, "Delmas", "letter.txt"), one(graph, "Delmas", "diary.txt")
    (apart,) = say(graph, (letter, diary, False))
    with pytest.raises(AlreadyDecided, match=apart):
        say(graph, ("Jules Delmas", "Jean Delmas", True))
    outcome = decide(graph, *((name, "La Griffe", True) for name in ("Jules Delmas", "Jean Delmas")))
    assert len(outcome.corrections) == 1 and apart in outcome.refused[0].cause, "no way around"


def test_an_alias_group_is_a_decision_as_well(graph: Graph) -> None:
    graph.add_alias_groups([AliasGroup(names=("The Claw", "La Griffe"))])
    derive(graph, embedder=word_embedder())
    (group,) = graph.alias_groups()
    with pytest.raises(AlreadyDecided, match=group.id):
        say(graph, (graph_id(graph, "The Claw"), graph_id(graph, "La Griffe"), False))
    undo([group.id], graph=graph, embedder=word_embedder())
    say(graph, (graph_id(graph, "The Claw"), graph_id(graph, "La Griffe"), False))


def test_of_many_verdicts_those_that_cannot_be_taken_are_reported(graph: Graph) -> None:
    claw, griffe = graph_id(graph, "The Claw"), graph_id(graph, "La Griffe")
    said = [(claw, griffe, True), (claw, griffe, False), (claw, "nobody", True), (claw, claw, True)]
    outcome = decide(graph, *said)
    assert len(outcome.corrections) == 1
    assert [refused.number for refused in outcome.refused] == [2, 3, 4]
    assert outcome.corrections[0].id in outcome.refused[0].cause
    with pytest.raises(InputError, match="entities have the name"):
        say(graph, ("Delmas", "Lyon", True))
    with pytest.raises(NotFound):
        undo(["nothing"], graph=graph, embedder=word_embedder())


# --------------------------------------------------------------------------------------------------------------------
# What stays


def test_a_decision_outlives_updates_and_other_types(graph: Graph) -> None:
    (made,) = say(graph, (graph_id(graph, "The Claw"), graph_id(graph, "La Griffe"), True))
    expected = list(graph.dump())
    read(graph, ["note.txt"], note="Rain.")
    assert together(graph, "cutting:The Claw") == {"cutting:The Claw"}
    assert [row.id for row in graph.corrections()] == [made]
    read(graph, ["note.txt"])
    assert list(graph.dump()) == expected


def test_all_is_listed_with_why_by_whom_and_when(graph: Graph) -> None:
    row = Correction(kind="same", about="The Claw", other="La Griffe", note="Same ring.")
    outcome = correct([row], graph=graph, embedder=word_embedder())
    told, total = list_decisions(by="", graph=graph, first=0, count=50)
    assert total == len(told) > 1
    assert (told[0].id, told[0].by, told[0].note, told[0].score) == (
        outcome.corrections[0].id,
        "person",
        "Same ring.",
        1.0,
    )
    assert all(row.at.endswith("Z") and row.rule for row in told)
    assert {row.by for row in told[1:]} == {"rule"} and {row.rule for row in told[1:]} <= {
        "exact",
        "contained",
        "spelling",
    }
    pages = [list_decisions(by="", graph=graph, first=n, count=1)[0][0] for n in range(total)]
    assert pages == told
    assert list_decisions(by="person", graph=graph, first=0, count=9)[1] == 1
    assert list_decisions(by="rule", graph=graph, first=0, count=9)[1] == total - 1
