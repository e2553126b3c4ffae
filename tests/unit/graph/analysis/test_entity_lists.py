"""All things of a type, each with its first sentence in each document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from filigraph.graph.analysis.entity_lists import items_of_type
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.entities import FoundEntity, MentioningChunk, NamedEntity
from filigraph.graph.text.list_questions import parse_list_question
from filigraph.graph.text.names.parse import key_of
from filigraph.graph.text.words import tokens

TEXTS = {
    "letter.txt": "It rained. The Kestrel left Port Amaury. Ada Pell saw the Kestrel. The car Comet waited.",
    "log.txt": "Ada Pell came. The keeper slept. The Merganser was towed. The Board met.",
}
TYPES = {
    "Kestrel": "Ship",
    "Merganser": "Vessel",
    "Ada Pell": "Person",
    "The keeper": "Person",
    "Port Amaury": "Place",
    "Comet": "Object",
    "Board": "Organization",
    "rained": "Weather",
}


class Case:
    """Two documents of one passage, and the names in them."""

    def entity_types(self) -> Mapping[str, int]:
        return Counter(TYPES.values())

    def entities_of_type(self, type_: str) -> list[str]:
        return [name for name, own in TYPES.items() if own == type_]

    def entities_by_id(self, ids: Sequence[str]) -> list[FoundEntity]:
        return [FoundEntity(id=id_, name=id_, type=TYPES[id_], aliases=(id_,), chunks=1, facts=0) for id_ in ids]

    def chunks_mentioning(self, ids: Sequence[str]) -> list[MentioningChunk]:
        return [
            MentioningChunk(
                chunk_id=source,
                document_id=source,
                source=source,
                title="",
                start=0,
                end=len(text),
                occurrences=tuple((id_, *found.span()) for id_ in ids for found in re.finditer(id_, text)),
            )
            for source, text in TEXTS.items()
        ]

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        return [
            NamedEntity(key=key_of(tokens(name), name), entity_id=name, name=name, chunks=1)
            for name in TYPES
            if key_of(tokens(name), name) in keys
        ]

    def chunk_ids(self) -> list[str]:
        return [*TEXTS]

    def passages(self, ids: Sequence[str]) -> Mapping[str, Passage]:
        return {
            id_: Passage(id=id_, document_id=id_, title="", source=id_, place="", language="en", text=TEXTS[id_])
            for id_ in ids
        }


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Which ships are named?", {"Kestrel", "Merganser"}),
        ("Quels sont tous les bateaux cités ?", {"Kestrel", "Merganser"}),
        ("Which vessels are named in the log?", {"Merganser"}),
        ("toutes les personnes", {"Ada Pell"}),  # the keeper has no name
        ("List all places", {"Port Amaury"}),
        ("List all weather", {"rained"}),  # nothing of this type has a name
        ("List all vehicles", {"Comet"}),  # of no type, but called so
        ("List all companies", {"Board"}),  # no type says so exactly
    ],
)
def test_the_things_of_a_type(text: str, names: set[str]) -> None:
    listing = items_of_type(parse_list_question(text, "fr" if "le" in text.split() else "en"), Case())
    assert listing and {item.item for item in listing.items} == names
    assert (listing.passages, listing.of_passages) == (2, 2)


def test_each_has_its_first_sentence_in_each_document() -> None:
    listing = items_of_type(parse_list_question("List all people", "en"), Case())
    assert listing
    (ada,) = listing.items
    assert (ada.sentence, ada.source) == ("Ada Pell saw the Kestrel.", "letter.txt")
    assert [(at.sentence, at.source) for at in ada.also] == [("Ada Pell came.", "log.txt")]


@pytest.mark.parametrize(
    "text", ["Which events are named?", "Which ships are named in the diary?", "List all payments"]
)
def test_what_the_graph_does_not_have_by_type_is_none_of_it(text: str) -> None:
    assert items_of_type(parse_list_question(text, "en"), Case()) is None


def test_all_documents_that_name_somebody() -> None:
    listing = items_of_type(parse_list_question("In which documents does Ada Pell appear?", "en"), Case())
    assert listing
    assert [(item.item, item.source) for item in listing.items] == [("Ada Pell", "letter.txt"), ("Ada Pell", "log.txt")]
    assert items_of_type(parse_list_question("In which documents does the Pell affair appear?", "en"), Case()) is None
