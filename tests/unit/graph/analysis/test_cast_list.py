"""The cast list of a document or workspace."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.analysis.cast_list import ListedPerson, cast_list_of, listed_persons
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.entities import FoundEntity, MentioningChunk, MentionRow
from filigraph.graph.records.facts import DetailFact, WholeFact
from filigraph.graph.tables.mention_table import Mentions
from tests.unit.graph.analysis.making import detail_fact as fact

TEXTS = {  # chunk -> document, where it begins there, text
    "a0": ("novel", 0, "It rained. Rachel Verinder saw Sergeant Cuff in Dover."),
    "a1": ("novel", 40, "Sergeant Cuff in Dover. Miss Verinder slept."),
    "a2": ("novel", 84, "Rachel Verinder was alone."),
    "b0": ("letter", 0, "Sergeant Cuff met the housekeeper and Rachel Verinder."),
    "c0": ("register", 0, "The Judge left the Lord Warden Hotel."),
}
FORMS = {
    "Rachel Verinder": "rachel",
    "Miss Verinder": "rachel",
    "Sergeant Cuff": "cuff",
    "housekeeper": "keeper",
    "Dover": "dover",
    "The Judge": "judge",
    "Lord Warden Hotel": "hotel",
}
ENTITIES = {
    "rachel": ("Rachel Verinder", "Person"),
    "cuff": ("Sergeant Cuff", "Person"),
    "keeper": ("the housekeeper", "Person"),
    "dover": ("Dover", "Place"),
    "judge": ("The Judge", ""),
    "hotel": ("Lord Warden Hotel", ""),
}


def found(id_: str) -> FoundEntity:
    name, type_ = ENTITIES[id_]
    return FoundEntity(id=id_, name=name, type=type_, aliases=(name,), chunks=1, facts=1)


def places(text: str) -> list[tuple[str, int, int]]:
    return sorted(
        ((id_, text.find(form), text.find(form) + len(form)) for form, id_ in FORMS.items() if form in text),
        key=lambda one: one[1],
    )


class Texts:
    """A graph of four passages."""

    facts: Sequence[DetailFact] = ()

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[list[FoundEntity], int]:
        return [found(id_) for id_ in ENTITIES], len(ENTITIES)

    def mentions(self) -> Mentions:
        return Mentions(
            MentionRow(
                id=f"{document}:{form}",
                document_id=document,
                key=form,
                form=form,
                type="",
                language="en",
                scanned=False,
                looked_up="",
                count=sum(text.count(form) for name, _, text in TEXTS.values() if name == document),
                entity_id=id_,
            )
            for form, id_ in FORMS.items()
            for document in ("novel", "letter")
        )

    def chunks_mentioning(self, entity_ids: Sequence[str]) -> list[MentioningChunk]:
        rows = []
        for chunk_id, (document, start, text) in TEXTS.items():
            occurrences = tuple(one for one in places(text) if one[0] in entity_ids)
            if occurrences:
                values = {"chunk_id": chunk_id, "document_id": document, "source": f"{document}.txt", "title": ""}
                end = start + len(text)
                rows.append(MentioningChunk(**values, start=start, end=end, occurrences=occurrences))
        return rows

    def facts_among(self, entity_ids: Sequence[str], *, document_id: str | None = None) -> list[WholeFact]:
        ends = {"predicate": "met", "relation": "MEETS", "weight": 1}
        rows = [("cuff", "keeper", False), ("cuff", "rachel", True)]
        return [
            WholeFact(id=f"{one}{two}", subject_id=one, object_id=two, denied=denied, **ends)  # type: ignore[arg-type]
            for one, two, denied in rows
            if {one, two} <= set(entity_ids)
        ]

    def facts_of_relations(
        self, relations: Sequence[str], *, subject_ids: Sequence[str] | None = None, document_id: str | None = None
    ) -> list[DetailFact]:
        return [one for one in self.facts if one.subject_id in (subject_ids or ())] if "IS_A" in relations else []

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        return {
            id_: Passage(
                id=id_,
                document_id=TEXTS[id_][0],
                title="",
                source="",
                place="chapter 1",
                language="en",
                text=TEXTS[id_][2],
            )
            for id_ in chunk_ids
        }


def listed(graph: Texts, document_id: str | None = None, **options: object) -> list[ListedPerson]:
    return listed_persons(cast_list_of(graph, document_id=document_id), graph, count=10, **options)  # type: ignore[arg-type]


def test_persons_are_listed_by_passages_and_shared_text_counts_once() -> None:
    members = listed(Texts())
    assert [(one.name, one.passages) for one in members] == [
        ("Rachel Verinder", 4),
        ("Sergeant Cuff", 2),  # in the passage a1 is the text that a0 has, too
        ("The Judge", 1),  # a title alone, without a type
        ("the housekeeper", 1),
    ]


def test_in_the_order_of_appearance() -> None:
    assert [one.id for one in listed(Texts(), order="appearance")] == ["rachel", "cuff", "keeper", "judge"]
    assert [one.id for one in listed(Texts(), "letter", order="appearance")] == ["cuff", "keeper", "rachel"]


def test_the_first_sentence_has_its_place() -> None:
    rachel = listed(Texts())[0]
    assert rachel.first.sentence == "Rachel Verinder saw Sergeant Cuff in Dover."
    assert (rachel.first.source, rachel.first.place, rachel.first.chunk_id) == ("novel.txt", "chapter 1", "a0")
    assert rachel.first.start == 11


def test_a_document_has_its_own_names_and_counts() -> None:
    novel, letter = listed(Texts(), "novel"), listed(Texts(), "letter")
    assert [(one.id, one.passages, one.names) for one in novel] == [("rachel", 3, ("Miss Verinder",)), ("cuff", 1, ())]
    assert {(one.id, one.passages, one.names) for one in letter} == {
        ("cuff", 1, ()),
        ("keeper", 1, ("housekeeper",)),
        ("rachel", 1, ()),
    }


def test_those_who_share_most_come_first_and_denials_do_not_count() -> None:
    cuff = listed(Texts())[1]
    assert [(one.id, one.passages, one.facts) for one in cuff.connections] == [("rachel", 3, 0), ("keeper", 1, 1)]


def test_a_description_is_the_best_supported_fact_that_nobody_denies_or_only_alleges() -> None:
    graph = Texts()
    graph.facts = [
        fact("1", "cuff", "is not", "a gardener", weight=9, denied=True),
        fact("2", "cuff", "is", "a thief", weight=8, by="Rachel"),
        fact("3", "cuff", "is", "rachel", weight=7),
        fact("4", "cuff", "is", "a detective", weight=2),
        fact("5", "cuff", "is", "a man"),
    ]
    described = {one.id: one.description for one in listed(graph)}
    assert described["rachel"] is None
    assert described["cuff"] and described["cuff"].fact_id == "4"
