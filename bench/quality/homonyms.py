"""One form, two people: the person of each place, for forms that several persons of a novel have.

    python -m bench.quality.homonyms [NOVEL ...] [--tell]

`bench/data/shared_forms.jsonl` has for each form the person of each place, by the number of the place in the text,
labelled by a reader before any run. A place is right if the person's name is among those of its entity, open if it has
no entity with a longer name, else wrong; the same counts for the form as a whole, without parts. A form of one person
shows wrong splits.

HELD_OUT novels are counted separately: nothing was chosen on them.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.common import OWN_DATA, data, lines, machine, save
from bench.quality.characters import HELD_OUT
from bench.quality.novels import Novel, novels_in, read_novel
from filigraph.graph.model.names import Mention
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.homonyms import parts_by_context
from filigraph.graph.names.resolve import resolve
from filigraph.graph.records.documents import NameOccurrences, PlacedChunk
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.text.names.parse import name_key


@dataclass(frozen=True)
class Form:
    """The resolution of a form."""

    form: str
    parts: Mapping[int, str]  # place in the text -> rule
    meant: Mapping[int, str]  # place -> names of its entity, "" without a longer name
    whole: str  # the same of the form as a whole


def rows_of(mentions: list[Mention], start: Mapping[str, int]) -> list[MentionRow]:
    """The rows of mentions, as in the store: a place in two overlapping chunks counts once."""
    return [
        MentionRow(
            id=m.id,
            document_id=m.document_id,
            key=m.key,
            form=m.form,
            type=m.type,
            language=m.language,
            scanned=False,
            looked_up=m.form,
            count=len({start[place.chunk_id] + place.start for place in m.occurrences}),
            entity_id="",
        )
        for m in mentions
    ]


def places_of(novel: Novel, mentions: list[Mention]) -> NameOccurrences:
    names: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for mention in mentions:
        for place in mention.occurrences:
            names[place.chunk_id].append((mention.id, place.start, place.end))
    chunks = (
        PlacedChunk(id=chunk.id, start=chunk.start, text=chunk.text, names=tuple(sorted(set(names[chunk.id]))))
        for chunk in novel.chunks
    )
    return NameOccurrences(id=novel.name, chunks=tuple(chunks))


def resolved(novel: Novel, form: str) -> Form:
    mentions = novel.placed()
    start = {chunk.id: chunk.start for chunk in novel.chunks}
    key = name_key(form)
    rows = rows_of(mentions, start)
    entity_of = resolve(find_candidates(rows), document_aliases=novel.stated()).entity_of
    names: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        names[entity_of[mention.id]].add(mention.form)

    def who(mention: str) -> str:
        those = sorted(names[entity_of[mention]])
        return " | ".join(those) if any(len(name_key(name).split()) > 1 and name != form for name in those) else ""

    own = [mention for mention in mentions if mention.key == key]
    whole = next((who(mention.id) for mention in own), "")
    meant = {start[place.chunk_id] + place.start: whole for mention in own for place in mention.occurrences}
    parts: dict[int, str] = {}
    for part in parts_by_context(places_of(novel, mentions), rows):
        if part.of in {mention.id for mention in own}:
            for place in part.places:
                parts[start[place.chunk_id] + place.start] = part.rule
                meant[start[place.chunk_id] + place.start] = who(part.bearers[0]) if len(part.bearers) == 1 else ""
    return Form(form, parts, meant, whole)


def judged(novel: Novel, row: Mapping[str, Any], *, tell: bool) -> dict[str, Counter[str]]:
    pattern = re.compile(r"\s+".join(map(re.escape, row["form"].split())) + r"\b")
    starts = [match.start() for match in pattern.finditer(novel.text)]
    if len(starts) != row["places"]:
        raise SystemExit(f"{novel.name} has {len(starts)} places of {row['form']}, not {row['places']}.")
    person = dict.fromkeys(range(len(starts)), row["bearer"])
    person |= {number: other for other, numbers in row["others"].items() for number in numbers}
    form = resolved(novel, row["form"])
    scores: dict[str, Counter[str]] = {"by place": Counter(), "as a whole": Counter()}
    for number, at in enumerate(starts):
        near = next((place for place in (at, at - 1, at + 1) if place in form.meant), None)
        if near is None:
            continue  # not found as this form: within a longer name
        for kind, names in (("by place", form.meant[near]), ("as a whole", form.whole)):
            scores[kind][_verdict(names, person[number])] += 1
        if tell and _verdict(form.meant[near], person[number]) != "right":
            print(f"  {row['form']} {number} {person[number]}: {form.meant[near][:80]!r} {form.parts.get(near, '')}")
    return scores


def _verdict(names: str, person: str) -> str:
    if not names:
        return "open"
    return "right" if person and re.search(rf"\b{re.escape(person)}\b", names) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality.homonyms")
    parser.add_argument("novels", nargs="*", metavar="NOVEL")
    parser.add_argument("--tell", action="store_true", help="list the places that are not right")
    options = parser.parse_args()
    labelled = lines(OWN_DATA / "shared_forms.jsonl")
    wanted = options.novels or sorted({row["novel"] for row in labelled})
    totals: dict[str, dict[str, Counter[str]]] = {}
    for file in novels_in(data("characters"), wanted):
        novel = read_novel(file)
        for row in (row for row in labelled if row["novel"] == novel.name):
            group = totals.setdefault("held out" if novel.name in HELD_OUT else "development", {})
            for kind, counts in judged(novel, row, tell=options.tell).items():
                group.setdefault(kind, Counter()).update(counts)
                print(f"{novel.name:32} {row['form']:16} {kind:11} {dict(counts)}")
    for title, kinds in totals.items():
        for kind, counts in kinds.items():
            print(f"{title:12} {kind:11} {dict(counts)} of {counts.total()}")
    if not options.novels:
        save("homonyms", {"machine": machine()} | {t: {k: dict(c) for k, c in of.items()} for t, of in totals.items()})


if __name__ == "__main__":
    main()
