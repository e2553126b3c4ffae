"""Who is who in case files, from readings of an excellent LLM: are different persons joined, or one person split?

    python -m bench.quality.people [CASE ...] [--tell] [--replies FOLDER]

The recorded readings of the case files in `cases/` (as in `bench.quality.readings`) are resolved; `people.json` says
who is who. The unit of judgement is a name in one document, since a surname may mean different persons in different
documents. Judged are proper names only: every word with meaning is written like a name, and there is more than a title;
"le directeur", "the boy", "a Lebrec of Fécamp", "your Ernest" and what has a digit are descriptions, left out. So is a
name that two of `people.json` have in the same document, and one that was not read. Every pair of a case file is
judged:

- `all`: one person or two, precision and recall with Wilson's 95 % interval;
- `within`: the same of the pairs of one document;
- `knowable`: recall of the pairs that can be known: their names share a word or an initial, or the readings state that
  they are one, or lead so from name to name. That Balise is Mme Kermorvan is for the reader of the whole file to infer;
- `across`: the pairs of two documents whose names are not equal;
- `review`: the questions asked of a person about judged names, the share of them where the answer is yes, and the
  recall of `all` and `knowable` once they are answered. `unjudged` questions are about other names.

With `--replies` an LLM also says who is who across the documents of a case file. Nobody is asked while it runs: each
prompt is a file of FOLDER, HASH.prompt.md -> HASH.reply.md, as in `bench.quality.investigate`; a reader who is blind to
gold answers the files, and the next run goes on. `told` counts its statements, and lines that were not believed. Only
`phare` took part in the development of this; results are stored as `people_across`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from bench.cases import CASES
from bench.common import data, machine, save
from bench.quality.narrative import sources
from bench.quality.readings import Read, read_set
from bench.quality.recorded_replies import Waiting, reply_to
from bench.quality.resolution import Labelled, Named, score
from filigraph.graph.ingest.load import load
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import CastLink
from filigraph.graph.model.names import Decision, Mention, Resolution
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.mentions import read_mentions, scan, scannable
from filigraph.graph.names.resolve import resolve
from filigraph.graph.readings.cast_across.plan import AcrossBatch, AcrossDocument, plan_across
from filigraph.graph.readings.cast_across.reply import read_across_reply
from filigraph.graph.records.documents import PlacedChunk
from filigraph.graph.text.names.namesakes import namesake_keys
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.words import fold

INDEFINITE = frozenset(  # before what describes a person: "a Lebrec of Fécamp", "your Ernest"
    {*("a", "an", "un", "une", "our", "your", "my", "his", "her", "their")}
    | {*("notre", "nos", "votre", "vos", "mon", "ma", "mes", "son", "sa", "ses")}
)


@dataclass(frozen=True)
class Judged:
    """A name as one document uses it, and its person."""

    document: str
    key: str
    form: str
    person: str
    entities: frozenset[str]


@dataclass(frozen=True)
class Case:
    """A case file, resolved."""

    judged: Sequence[Judged]
    stated: frozenset[frozenset[str]]  # pairs of keys that the readings say are one
    resolution: Resolution
    shown: Mapping[str, str]  # mention id -> its form and document
    told: Counter[str]  # what an LLM said across documents


def is_proper_name(form: str) -> bool:
    """Whether a form is a proper name, by how it is written; see above."""
    name = parse(form)
    first = fold(form).split()[0]
    return name.proper and name.named and not name.role and not name.numbers and first not in INDEFINITE


def vectors_of(texts: Iterable[str]) -> dict[str, Vector]:
    ordered = sorted(texts)
    rows = embed_texts(load_embedder(), ordered, exact=True)
    return {text: np.asarray(row, dtype=np.float32) for text, row in zip(ordered, rows, strict=True)}


def places_of(reads: Sequence[Read]) -> list[Mention]:
    """The mentions, with those that the scan finds in other documents, as in an ingest."""
    by_document: dict[str, list[Read]] = defaultdict(list)
    for read in reads:
        by_document[read.chunk.document_id].append(read)
    mentions = []
    for document, those in sorted(by_document.items()):
        mentions += read_mentions(document, [(read.chunk, read.extraction) for read in those])[0]
    known = {(mention.document_id, mention.key) for mention in mentions}
    forms = {mention.key: mention.form for mention in sorted(mentions, key=lambda m: m.form, reverse=True)}
    chunks = [(read.chunk.id, read.chunk.document_id, read.chunk.language, read.chunk.text) for read in reads]
    scanned = scan(chunks, {key: form for key, form in forms.items() if scannable(form)})
    return mentions + [mention for mention in scanned if (mention.document_id, mention.key) not in known]


def documents_of(name: str, reads: Sequence[Read], mentions: Sequence[Mention]) -> list[AcrossDocument]:
    """The documents as an LLM that looks across them gets them."""
    chunks: dict[str, list[PlacedChunk]] = defaultdict(list)
    names: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for mention in mentions:
        for place in mention.occurrences:
            names[place.chunk_id].append((mention.id, place.start, place.end))
    for read in reads:
        placed = tuple(sorted(names[read.chunk.id]))
        chunks[read.chunk.document_id].append(
            PlacedChunk(id=read.chunk.id, start=read.chunk.start, text=read.chunk.text, names=placed)
        )
    loaded = {source.name: load(source) for source in sources(name)}
    return [
        AcrossDocument(
            id=id_,
            source=id_,
            title=loaded[id_].title,
            author=loaded[id_].metadata.get("author", ""),
            date=loaded[id_].metadata.get("date", ""),
            language=loaded[id_].language,
            chunks=sorted(placed, key=lambda chunk: chunk.start),
            mentions={m.id: m for m in map(as_named, mentions) if m.document_id == id_},
        )
        for id_, placed in sorted(chunks.items())
    ]


def as_named(mention: Mention) -> Named:
    places = len(mention.occurrences)
    return Named(mention.id, mention.document_id, mention.key, mention.form, mention.type, places)


def told(batches: Sequence[AcrossBatch], replies: Path) -> tuple[list[CastLink], Counter[str]]:
    """What recorded replies say of who is who across documents, and how much of it."""
    links: list[CastLink] = []
    counts: Counter[str] = Counter(prompts=len(batches))
    replies.mkdir(parents=True, exist_ok=True)
    for batch in batches:
        try:
            text = reply_to(replies, "", f"{batch.prompt.system}\n\n{batch.prompt.user}\n")
        except Waiting:
            counts["waiting"] += 1
            continue
        if reply := read_across_reply(text, batch, batch.key("recorded")):
            links += reply.links
            counts["not believed"] += reply.left_out
            counts.update(link.kind for link in reply.links)
    return links, counts


def resolved(name: str, replies: Path | None = None) -> Case:
    reads = read_set(name, "thorough")
    placed = places_of(reads)
    mentions = list(map(as_named, placed))
    aliases: dict[str, list[tuple[str, str]]] = defaultdict(list)
    apart: dict[str, Counter[str]] = defaultdict(Counter)
    for read in reads:
        aliases[read.chunk.document_id] += [(alias.first, alias.second) for alias in read.extraction.aliases]
        apart[read.chunk.document_id].update(namesake_keys(read.chunk.text, read.chunk.language))
    candidates = find_candidates(mentions)
    links: list[CastLink] = []
    counts: Counter[str] = Counter()
    if replies:
        links, counts = told(plan_across(documents_of(name, reads, placed), candidates.pairs), replies)
    resolution = resolve(
        candidates, document_aliases=aliases, strangers=apart, links=links, vectors=vectors_of(candidates.texts)
    )
    stated = {frozenset(map(name_key, pair)) for pairs in aliases.values() for pair in pairs}
    shown = {mention.id: f"{mention.form} [{mention.document_id}]" for mention in mentions}
    return Case(judged(name, mentions, resolution), frozenset(stated), resolution, shown, counts)


def judged(name: str, mentions: Sequence[Named], resolution: Resolution) -> list[Judged]:
    """The mentions whose person is in `people.json`, one for each name of a document."""
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for person in json.loads(data(f"cases/{name}/people.json").read_text(encoding="utf-8")):
        for form in {person["name"], *person["aliases"]}:
            if is_proper_name(form):
                for document in person["documents"]:
                    owners[document, name_key(form)].add(person["name"])
    entities: dict[tuple[str, str], set[str]] = defaultdict(set)
    form_of: dict[tuple[str, str], str] = {}
    for mention in mentions:
        place = mention.document_id.rpartition(".")[0], mention.key
        if len(owners.get(place, ())) == 1:
            entities[place].add(resolution.entity_of[mention.id])
            form_of[place] = mention.form
    return [
        Judged(*place, form_of[place], next(iter(owners[place])), frozenset(those))
        for place, those in sorted(entities.items())
    ]


# --------------------------------------------------------------------------------------------------------------------
# Figures


@dataclass(frozen=True)
class Pair:
    """Two judged names."""

    label: Labelled
    within: bool  # one document
    across: bool  # two documents and two names
    knowable: bool
    answered: bool  # joined once a person has answered the questions


def pairs_of(case: Case) -> list[Pair]:
    """Every pair of a case file."""
    group = knowable_groups(case)
    answered = _Groups(entity for one in case.judged for entity in one.entities)
    for one in case.judged:
        for first, second in combinations(sorted(one.entities), 2):
            answered.join(first, second)
    for decision, same in questions(case):
        if same:
            answered.join(*(case.resolution.entity_of[id_] for id_ in (decision.first, decision.second)))
    pairs = []
    for a, b in combinations(case.judged, 2):
        joined = not a.entities.isdisjoint(b.entities)
        same = a.person == b.person
        label = Labelled(f"{a.form} [{a.document}]", f"{b.form} [{b.document}]", same, joined)
        confirmed = answered.of(min(a.entities)) == answered.of(min(b.entities))
        known = group[a.person, a.key] == group[b.person, b.key]
        across = a.document != b.document and a.key != b.key
        pairs.append(Pair(label, a.document == b.document, across, known, joined or confirmed))
    return pairs


def questions(case: Case) -> list[tuple[Decision, bool | None]]:
    """The questions for a person, each with the right answer if it is known."""
    people: dict[str, set[str]] = defaultdict(set)
    for one in case.judged:
        for entity in one.entities:
            people[entity].add(one.person)
    rows: list[tuple[Decision, bool | None]] = []
    for decision in case.resolution.near_misses:
        first, second = (people[case.resolution.entity_of[id_]] for id_ in (decision.first, decision.second))
        rows.append((decision, not first.isdisjoint(second) if first and second else None))
    return rows


def knowable_groups(case: Case) -> dict[tuple[str, str], str]:
    """(person, key) -> the group of names of that person that lead from one to the other."""
    forms = {(one.person, one.key): one.form for one in case.judged}
    groups = _Groups(forms)
    for (who, key), (other_who, other) in combinations(sorted(forms), 2):
        cores = parse(forms[who, key]).core, parse(forms[other_who, other]).core
        if who == other_who and (frozenset((key, other)) in case.stated or _related(*cores)):
            groups.join((who, key), (other_who, other))
    return {name: groups.of(name) for name in forms}


def _related(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two names share a word, or the one is the initials of the other."""
    if any(len(word) > 1 for word in {*a} & {*b}):
        return True
    return (
        "".join(word[0] for word in a) == "".join(word[0] for word in b)
        and {len(w) for w in (*a, *b)} != {1}
        and (all(len(word) == 1 for word in a) or all(len(word) == 1 for word in b))
    )


class _Groups:
    """Union-find."""

    def __init__(self, members: Iterable[Any]) -> None:
        self._parent = {member: member for member in members}

    def of(self, member: Any) -> Any:
        while self._parent[member] != member:
            member = self._parent[member]
        return member

    def join(self, first: Any, second: Any) -> None:
        a, b = self.of(first), self.of(second)
        self._parent[max(a, b)] = min(a, b)


def figures(cases: Mapping[str, Case]) -> dict[str, Any]:
    """What is kept of one case file, or of several."""
    pairs = [pair for case in cases.values() for pair in pairs_of(case)]
    answers = [answer for case in cases.values() for _, answer in questions(case)]
    known = [answer for answer in answers if answer is not None]
    knowable = [pair for pair in pairs if pair.knowable or not pair.label.same]
    answered = [Labelled(p.label.first, p.label.second, p.label.same, p.answered and p.label.same) for p in pairs]
    return {
        "names": sum(len(case.judged) for case in cases.values()),
        "told": dict(sum((case.told for case in cases.values()), Counter[str]())),
        "all": score([pair.label for pair in pairs]),
        "within": score([pair.label for pair in pairs if pair.within]),
        "across": score([pair.label for pair in pairs if pair.across]),
        "knowable": score([pair.label for pair in knowable]),
        "review": {
            "questions": len(answers),
            "unjudged": len(answers) - len(known),
            "precision": sum(known) / len(known) if known else 1.0,
            "recall": score(answered)["recall"],
            "knowable_recall": score([a for a, p in zip(answered, pairs, strict=True) if p.knowable])["recall"],
        },
    }


def show(title: str, results: Mapping[str, Any]) -> None:
    print(f"\n{title}: {results['names']} names, told {results['told']}, review {results['review']}")
    for part in ("all", "within", "across", "knowable"):
        row = results[part]
        shares = "  ".join(
            f"{what} {row[what]:.3f} ({row[what + '_interval'][0]:.2f}-{row[what + '_interval'][1]:.2f})"
            for what in ("precision", "recall")
        )
        print(f"  {part:10}{row['pairs']:>6} pairs  {row['said']:>4} said  {shares}")


def without_names(value: Any) -> Any:
    """Figures only: the errors are shown, not kept."""
    if not isinstance(value, Mapping):
        return value
    return {key: without_names(part) for key, part in value.items() if key not in ("wrong", "missed")}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality.people")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--tell", action="store_true", help="print what is joined wrongly, missed and asked")
    parser.add_argument("--replies", type=Path, help="a folder of recorded replies: an LLM looks across documents")
    options = parser.parse_args()
    every = sorted(folder.name for folder in data("cases").iterdir())
    names = options.cases or (CASES if options.replies else every)
    cases = {name: resolved(name, options.replies) for name in names}
    results: dict[str, Any] = {name: figures({name: case}) for name, case in cases.items()}
    results["all"] = figures(cases)
    for title, result in results.items():
        show(title, result)
        if options.tell and title in cases:
            tell(cases[title])
    if not options.cases and not results["all"]["told"].get("waiting"):
        figures_of = {title: without_names(result) for title, result in results.items()}
        save("people_across" if options.replies else "people", {"machine": machine()} | figures_of)


def tell(case: Case) -> None:
    """Print the errors and the questions of one case file."""
    for pair in pairs_of(case):
        if pair.label.same != pair.label.said:
            kind = "missed" if pair.label.same else "WRONG"
            notes = [note for note, on in (("knowable", pair.knowable), ("asked", pair.answered)) if on]
            print(f"  {kind}: {pair.label.first} | {pair.label.second}  {' '.join(notes)}")
    for decision, answer in questions(case):
        names = " | ".join(case.shown[id_] for id_ in (decision.first, decision.second))
        print(f"  asked ({answer}): {names}  {decision.rule} {decision.score}")


if __name__ == "__main__":
    main()
