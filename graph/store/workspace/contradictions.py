"""Contradictions found by an LLM. Each reply is linked to the chunks that it read, and deleted with any of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from filigraph.graph.ids import CONTENT, content_part, contradiction_reading_id
from filigraph.graph.model.llm_readings import ContradictionReading, ReadPair, SentencePlace
from filigraph.graph.records.facts import NamedSentence, SourcePassage
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows
from filigraph.graph.text.places import marks_of, place_of


class ContradictionPart(GraphPart):
    """Passages by several voices, and the replies about them."""

    def source_passages(self) -> list[SourcePassage]:
        """All chunks, by document."""
        passages = []
        for row in self._rows("source_passages"):
            about = json.loads(row.pop("metadata"))
            origin = {name: str(about.get(name, "")) for name in ("author", "date")}
            passages.append(SourcePassage(**row | origin | {"entities": tuple(row["entities"])}))
        return passages

    def contradiction_readings(self) -> list[ContradictionReading]:
        """The replies so far."""
        return [
            ContradictionReading(
                key=row["id"][:CONTENT],
                model=row["model"],
                recipe=row["recipe"],
                chunk_ids=tuple(row["chunk_ids"]),
                pairs=pairs_of(row["pairs"], row["id"][CONTENT:]),
                checks=row["checks"],
            )
            for row in self._rows("contradiction_readings")
        ]

    def write_contradiction_readings(self, readings: Sequence[ContradictionReading]) -> None:
        """Store replies. Raises InputError if they belong to another workspace."""
        rows: list[Row] = [
            {
                "id": contradiction_reading_id(self._name, reading.key),
                "model": reading.model,
                "recipe": reading.recipe,
                "pairs": pairs_json(reading.pairs),
                "chunk_ids": list(reading.chunk_ids),
                "checks": reading.checks,
            }
            for reading in readings
        ]

        def work(run: Run, batch: list[Row]) -> None:
            write_rows(run, "write_contradiction_readings", batch, workspace=self._name)
            run("read_passages", rows=batch, workspace=self._name)

        self._alter_batches(rows, work)

    def forget_contradiction_readings(self, *, recipe: str) -> None:
        """Delete replies to prompts other than those of `recipe`."""
        self._alter(lambda run: run("remove_other_readings", workspace=self._name, recipe=recipe))

    def forget_checks(self, *, but: Collection[str]) -> None:
        """Delete the checks of matters but those with these keys."""
        ids = [contradiction_reading_id(self._name, key) for key in but]
        self._alter(lambda run: run("remove_other_checks", workspace=self._name, ids=ids))

    def sentences_at(self, places: Collection[SentencePlace]) -> dict[SentencePlace, NamedSentence]:
        """The sentences, each with its speaker; sentences of deleted chunks are left out."""
        sentences = {}
        for row in self._read_batches("sentences_at", [vars(place) for place in dict.fromkeys(places)]):
            location = {name: row.pop(name) for name in ("chunk_id", "start", "end")}
            marks, about = marks_of(row.pop("places")), json.loads(row.pop("metadata"))
            row["place"] = place_of(marks, location["start"], location["end"], otherwise=row["place"])
            origin = {name: str(about.get(name, "")) for name in ("author", "date")}
            sentences[SentencePlace(**location)] = NamedSentence(
                **row | origin | {"entities": frozenset(row["entities"])}
            )
        return sentences


def pairs_json(pairs: Sequence[ReadPair]) -> str:
    """Pairs, to be stored and exported: ids are without what is a workspace's own (see `ids.py`)."""
    rows = [
        [pair.verdict, *_place_to_row(pair.first), *_place_to_row(pair.other), pair.what, pair.matter] for pair in pairs
    ]
    return json.dumps(rows, ensure_ascii=False)


def _place_to_row(place: SentencePlace) -> tuple[str, int, int]:
    return content_part(place.chunk_id), place.start, place.end


def pairs_of(text: str, tag: str) -> tuple[ReadPair, ...]:
    """The inverse of `pairs_json`, for the workspace with that tag."""
    return tuple(
        ReadPair(
            verdict=verdict,
            first=SentencePlace(chunk_id=first + tag, start=start, end=end),
            other=SentencePlace(chunk_id=other + tag, start=other_start, end=other_end),
            what=what,
            matter="".join(matter),  # releases before 0.4 wrote none
        )
        for verdict, first, start, end, other, other_start, other_end, what, *matter in json.loads(text)
    )
