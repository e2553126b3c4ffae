"""Decisions about names: people's, which remain until they are undone, and those of rules, which each derivation
replaces.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from filigraph.graph.errors import NotFound
from filigraph.graph.ids import alias_group_id
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.names import AliasGroup, Decision, Occurrence, Part, StoredCorrection
from filigraph.graph.records.entities import NamePlace, PlaceRow
from filigraph.graph.records.facts import FactEnds
from filigraph.graph.records.workspaces import PredicateRow
from filigraph.graph.serialize import correction_json, correction_of
from filigraph.graph.store.cache.decision_edges import NO_EDGES, SAME, DecisionEdge, DecisionEdges
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.graph_part import name_lookup, write_rows
from filigraph.graph.store.workspace.read_rows import CachedRowsPart
from filigraph.graph.text.places import marks_of, place_of
from filigraph.graph.text.sentences import sentences


class DecidePart(CachedRowsPart):
    """A person's decision is a node, which no reading of a document changes. Its effect on existing mentions is a
    relationship between them, like a decision of a rule: SAME_AS or NOT_SAME_AS {rule, score, by, at}. Near misses are
    NOT_SAME_AS with `review`: true, unlike the vetoes of rules.
    """

    def corrections(self) -> list[StoredCorrection]:
        """People's decisions, by id."""
        return [_person_decision(row, self._name) for row in self._rows("corrections")]

    def add_corrections(self, decisions: Sequence[StoredCorrection]) -> None:
        """Store people's decisions; existing ones do not change."""
        rows: list[Row] = [{"id": decision.id, "body": correction_json(decision)} for decision in decisions]
        folded = sorted({form for decision in decisions for form in _affected_predicates(decision)})

        def work(run: Run) -> None:
            run("undecided", workspace=self._name)
            write_rows(run, "add_corrections", rows, workspace=self._name)
            run("stale_by_predicates", workspace=self._name, predicates=folded)

        if rows:
            with self.without_snapshot():
                self.database.write(work)

    def undo(self, decision_id: str) -> None:
        """Undo a person's decision, or an alias group. Raises NotFound."""

        def work(run: Run) -> int:
            decisions = [_person_decision(row, self._name) for row in run("corrections", workspace=self._name)]
            folded = [
                form for decision in decisions if decision.id == decision_id for form in _affected_predicates(decision)
            ]
            run("undecided", workspace=self._name)
            run("stale_by_predicates", workspace=self._name, predicates=folded)
            return int(run("undo", workspace=self._name, id=decision_id)[0]["removed"])

        with self.without_snapshot():
            undone = self.database.write(work)
        if not undone:
            raise NotFound(
                f"No correction has the id {decision_id}: it was undone, or never existed.",
                cure="`filigraph corrections list --by person` shows all. A correction changes what a rule decided.",
            )

    def write_parts(self, parts: Sequence[Part], stored: Sequence[str]) -> None:
        """Make separate mentions of places, and return those of `stored`, all existing parts, that are gone or have
        fewer places now. Repeating it changes nothing.
        """
        rows: list[Row] = [
            {
                "id": part.id,
                "of": part.of,
                "places": [[place.chunk_id, place.start, place.end] for place in part.places],
            }
            for part in parts
        ]
        wanted = {row["id"]: {tuple(place) for place in row["places"]} for row in rows}
        back = [
            {"id": row["id"], "lookup": name_lookup(self._name, row["key"])}
            for row in self._read_batches("parts", stored)
            if row["id"] not in wanted or not wanted[row["id"]].issuperset(map(tuple, row["places"]))
        ]
        if back:
            self._alter_batches(back, lambda run, batch: run("parts_back", workspace=self._name, rows=batch))
        if rows:
            self._alter_batches(rows, lambda run, batch: run("write_parts", workspace=self._name, rows=batch))

    def places(self, mention_ids: Sequence[str], chunk_ids: Sequence[str]) -> dict[tuple[str, str], list[Span]]:
        """(mention id, chunk id) -> its places there, in order."""
        rows = self._rows("places", mention_ids=list(mention_ids), chunk_ids=list(chunk_ids))
        return {(row["mention_id"], row["chunk_id"]): [(start, end) for start, end in row["spans"]] for row in rows}

    def twin_places(self, places: Mapping[str, Sequence[Occurrence]]) -> dict[str, list[Occurrence]]:
        """The new places of mentions in chunks that overlap their own, by mention id."""
        rows = [
            {"mention_id": id_, "chunk_id": place.chunk_id, "start": place.start}
            for id_, own in places.items()
            for place in own
        ]
        by_mention: dict[str, list[Occurrence]] = {}
        for row in self._read_batches("twin_places", rows):
            place = Occurrence(chunk_id=row["chunk_id"], start=row["start"], end=row["end"])
            by_mention.setdefault(row["mention_id"], []).append(place)
        return by_mention

    def predicates(self) -> list[PredicateRow]:
        """The predicates of facts, the most frequent first."""
        return [PredicateRow(**row) for row in self._rows("predicates")]

    def fact_ends(self, fact_ids: Sequence[str]) -> dict[str, FactEnds]:
        """Facts by id, each with the names of its two ends at its places; deleted facts are left out."""
        rows = self._read_batches("fact_ends", fact_ids)
        return {row["fact_id"]: FactEnds(**{**row, "mention_ids": tuple(row["mention_ids"])}) for row in rows}

    def alias_groups(self) -> list[AliasGroup]:
        """The names that people say are one."""
        rows = self._rows("alias_groups")
        return [AliasGroup(**{**row, "names": tuple(row["names"])}) for row in rows]

    def add_alias_groups(self, groups: Sequence[AliasGroup]) -> None:
        """Store names that a person says are one; an existing group does not change."""
        rows = [
            {
                "id": alias_group_id(self._name, group.document_id, group.names),
                "names": list(dict.fromkeys(group.names)),
                "document_id": group.document_id,
            }
            for group in groups
        ]
        with self.without_snapshot():
            self._change("undecided")
            self.database.write_batches(
                rows, lambda run, batch: write_rows(run, "add_alias_groups", batch, workspace=self._name)
            )

    def write_rule_decisions(self, decisions: Sequence[Decision]) -> None:
        """Replace the decisions of rules, accepted or vetoed."""
        self._replace(decisions, by="rule", review=False)

    def write_pairs(self, pairs: Sequence[Decision]) -> None:
        """Replace the relationships of people's decisions between two mentions."""
        self._replace(pairs, by="person", review=False)

    def near_misses(self, *, first: int = 0, count: int) -> list[Decision]:
        """The pairs that rules nearly joined, the nearest first."""
        rows = self._rows("decisions", by="rule", review=True, same=False, first=first, count=count)
        return [_decision(row) for row in rows]

    def joined_pairs(self, *, by: str, first: int = 0, count: int) -> list[tuple[Decision, str]]:
        """The joined pairs, each with its time, by rule and score."""
        rows = self._rows("decisions", by=by, review=False, same=True, first=first, count=count)
        return [(_decision(row), str(row["at"] or "")) for row in rows]

    def count_pairs(self, *, review: bool) -> int:
        """The numbers of pairs that rules joined, and nearly joined."""
        return int(self._rows("count_pairs", by="rule", review=review, same=not review)[0]["count"])

    def name_places(self, mention_ids: Sequence[str]) -> list[NamePlace]:
        """Mentions, each with its first sentence; those without a place are left out."""
        cut: dict[str, list[Span]] = {}
        places = []
        for row in self._read_batches("name_places", mention_ids):
            where = row["chunk_id"], row.pop("text"), row.pop("language"), row.pop("at")
            sentence, start, end = sentence_around(*where, cut)
            row["place"] = place_of(marks_of(row.pop("places")), start, end, otherwise=row["place"])
            places.append(NamePlace(**row, start=start, end=end, sentence=sentence))
        return places

    def entity_places(self, entity_id: str, *, first: int, count: int) -> tuple[list[PlaceRow], int]:
        """The places of an entity's names, in the order of sources and chunks, and their total number."""
        places_found = []
        cut: dict[str, list[Span]] = {}
        for row in self._rows("entity_places", id=entity_id, first=first, count=count):
            text = row.pop("text")
            sentence, start, end = sentence_around(row["chunk_id"], text, row.pop("language"), row["start"], cut)
            row["place"] = place_of(marks_of(row.pop("places")), start, end, otherwise=row["place"])
            places_found.append(PlaceRow(**row, form=text[row["start"] : row["end"]], sentence=sentence))
        return places_found, int(self._rows("count_places", id=entity_id)[0]["count"])

    def has_entity(self, entity_id: str) -> bool:
        """Whether an entity with that id exists."""
        return bool(self._rows("entity", id=entity_id))

    def write_near_misses(self, decisions: Sequence[Decision]) -> None:
        """Replace the near misses."""
        self._replace(decisions, by="rule", review=True)

    def _replace(self, decisions: Sequence[Decision], *, by: str, review: bool) -> None:
        parameters: dict[str, Any] = {"by": by, "review": review}
        kind, state = _cache_kind(by, review), self._state()
        stored, doubted, read = self._cached_and_current_edges(by, review, state)
        wanted, other = stored.after(decisions)
        gone: list[Row] = []
        new: list[Row] = []
        for edge in sorted(other | doubted | read):
            is_drawn = edge in read or (edge in stored and edge not in doubted)
            if is_drawn and edge not in wanted:
                gone.append({**edge._asdict(), "id": edge.first})
            elif edge in wanted and not is_drawn:
                new.append({**edge._asdict(), "id": f"{edge.first} and {edge.second}"})

        def remove(run: Run, batch: list[Row]) -> None:
            run("remove_decisions", workspace=self._name, rows=batch, **parameters)

        def write(run: Run, batch: list[Row]) -> None:
            write_rows(run, "write_decisions", batch, workspace=self._name, **parameters)

        if gone or new:
            self.derivation_cache.forget(self._name, kind)
            state = self._renew_state()
        self.database.write_batches(gone, remove)
        self.database.write_batches(new, write)
        self.derivation_cache.put(self._name, kind, state, wanted)

    def keep_edges(self, decisions: Sequence[Decision], *, by: str, review: bool) -> None:
        """Cache the stored relationships if they are those of these decisions; nothing is written."""
        kind, state = _cache_kind(by, review), self._state()
        if self.derivation_cache.at(self._name, kind, state) is None:
            wanted, edges = NO_EDGES.after(decisions)
            if edges == self._cached_and_current_edges(by, review, state)[2]:
                self.derivation_cache.put(self._name, kind, state, wanted)

    def current_edges(self, by: str, review: bool) -> Set[DecisionEdge]:
        """The current relationships between mentions."""
        stored, doubted, read = self._cached_and_current_edges(by, review, self._state())
        return ({*stored} - doubted) | read

    def _cached_and_current_edges(
        self, by: str, review: bool, state: str
    ) -> tuple[DecisionEdges, Set[DecisionEdge], Set[DecisionEdge]]:
        """Cached edges, those that may be outdated, and their current versions. The edges of a mention are deleted with
        it.
        """
        parameters: dict[str, Any] = {"by": by, "review": review}
        stored: DecisionEdges | None = self.derivation_cache.at(self._name, _cache_kind(by, review), state)
        if stored is None:
            return NO_EDGES, set(), {DecisionEdge(**row) for row in self._rows("all_decisions", **parameters)}
        touched = self._rows("mentions_touched")[0]["ids"]
        return (
            stored,
            stored.of(touched),
            {DecisionEdge(**row) for row in self._rows("touched_decisions", **parameters)},
        )


def forget_documents(run: Run, workspace: str, document_ids: Container[str]) -> None:
    """Remove documents that are about to be deleted from decisions; delete decisions that have one side only in
    them.
    """
    changed: list[Row] = []
    gone: list[str] = []
    for row in run("corrections", workspace=workspace):
        decision = _person_decision(row, workspace)
        names, others = (
            tuple(name for name in side if name.document_id not in document_ids)
            for side in (decision.names, decision.others)
        )
        if decision.names and (not names or (decision.others and not others)):
            gone.append(decision.id)
        elif (names, others) != (decision.names, decision.others):
            changed.append({"id": decision.id, "body": correction_json(replace(decision, names=names, others=others))})
    if gone or changed:
        run("rewrite_corrections", gone=gone, rows=changed)


def sentence_around(
    chunk_id: str, text: str, language: str, at: int, cut: dict[str, list[Span]]
) -> tuple[str, int, int]:
    """The sentence around a place of a chunk, and its span. `cut` caches the sentences of chunks."""
    if chunk_id not in cut:
        cut[chunk_id] = sentences(text, language)
    start, end = next(((start, end) for start, end in cut[chunk_id] if start <= at < end), (0, len(text)))
    return text[start:end], start, end


def _affected_predicates(decision: StoredCorrection) -> tuple[str, ...]:
    """The predicates whose facts change with a decision."""
    return (*decision.forms, decision.name) if decision.kind == "merge_predicates" else ()


def _person_decision(row: Row, workspace: str) -> StoredCorrection:
    return correction_of(row["id"], row["at"], json.loads(row["body"]), workspace)


def _decision(row: Row) -> Decision:
    return Decision(
        first=row["first"],
        second=row["second"],
        same=row["type"] == SAME,
        rule=row["rule"],
        score=row["score"],
        by=row["by"],
        id=row["decision"],
    )


def _cache_kind(by: str, review: bool) -> str:
    return f"decisions {by} {review}"
