"""All things of a type, each with its first sentence in each document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from filigraph.graph.analysis.entity_lists import items_of_type
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.entities import FoundEntity, MentioningChunk
from filigraph.graph.text.list_questions import parse_list_question

TEXTS = {
    "letter.txt": "It rained. The Kestrel left Port Amaury. Ada Pell saw the Kestrel.",
    "log.txt": "Ada Pell came. The keeper slept. The Merganser was towed.",
}
TYPES = {
    "Kestrel": "Ship",
    "Merganser": "Vessel",
    "Ada Pell": "Person",
    "The keeper": "Person",
    "Port Amaury": "Place",
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
