"""Who is who in whole novels, from only their raw text: the local extractor's names, resolved.

    python -m bench.quality.characters [NOVEL ...] [--data FOLDER] [--cast [--replies FOLDER]] [--tell]

Every pair of forms of names (see `bench.quality.novels`) of a novel is judged: one person or two. A form belongs to the
entity that has it; a form that was not found ("Ernest Heavywether" in "Sir Ernest Heavywether") to the one entity whose
names have the same words without their titles, if the titles do not conflict. Any other form has no entity, and every
pair with it is missed. Precision and recall with Wilson's 95 % interval, F1, of:

- `all`: all forms; `proper`: only proper names, without "the Doctor", "la vieille bonne";
- `review`: of all, once a person has answered what is asked; how many questions, and how many that the list can answer;
- `questions`: of all, once a person has answered at most 30 questions a novel ("Who of these is X?", each with 8 names
  at most), the first ones of `graph.corrections.questions`; how many of them bring names together;
- `token sets`: two forms are one if the words of one, without titles, are among those of the other;
- `by mention`: B-cubed of all forms that were found, each counted as often as it occurs in the text.

`--cast`: with the cast lists of an LLM. Nobody is asked while it runs: each prompt is looked up in FOLDER
(`bench/replies` beside the data) by its hash, HASH.prompt.md -> HASH.reply.md; one without a reply is written there,
and a reader who is blind to the lists of characters answers the files.

HELD_OUT are novels on which no rule was written; they are counted separately. `--tell` lists wrong and missed pairs of
the given novels; it stores none of them, since the lists of characters are other people's. Extractions are cached in
the folder `readings` of FILIGRAPH_HOME or of the user's caches, so a second run takes seconds.
`bench.quality.resolution` measures the same forms of one novel as if all had been found.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import DATA, data, machine, save
from bench.quality.novels import Novel, novels_in, read_novel
from bench.quality.people import is_proper_name
from bench.quality.recorded_replies import Waiting, reply_to
from bench.quality.resolution import Labelled, score
from filigraph.graph.corrections.questions import IdentityQuestion, bearers, questions
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Decision
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.resolve import resolve
from filigraph.graph.readings.cast.reply import read_cast_reply
from filigraph.graph.tables.disjoint_sets import DisjointSets
from filigraph.graph.text.names.pairs import conflict
from filigraph.graph.text.names.parse import Name, parse

HELD_OUT = frozenset(("HardTimes", "OliverTwist", "Persuasion"))


@dataclass(frozen=True)
class Judged:
    """A form of a character's name, and the entity it was resolved to."""

    form: str
    character: str
    places: int
    entity: str | None  # None: not found


@dataclass(frozen=True)
class Resolved:
    """A novel, resolved."""

    novel: Novel
    judged: Sequence[Judged]
    asked: Sequence[tuple[str, str]]  # pairs of entities
    questions: Sequence[IdentityQuestion]
    reasons: Sequence[Decision]
    shown: Mapping[str, str]  # mention id -> form


def vectors_of(texts: Iterable[str]) -> dict[str, Vector]:
    ordered = sorted(texts)
    rows = embed_texts(load_embedder(), ordered, exact=True)
    return {text: np.asarray(row, dtype=np.float32) for text, row in zip(ordered, rows, strict=True)}


def told(novel: Novel, replies: Path) -> tuple[list[CastReading], int, int]:
    """The casts of a novel from the recorded replies, the number of prompts that wait for a reader, and of items left
    out."""
    readings, waiting, left_out = [], 0, 0
    for batch in novel.cast_batches():
        try:
            text = reply_to(replies, "", f"{batch.prompt.system}\n\n{batch.prompt.user}\n")
        except Waiting:
            waiting += 1
            continue
        if reply := read_cast_reply(text, batch, batch.key("recorded")):
            readings.append(reply.reading)
            left_out += reply.left_out
    return readings, waiting, left_out


def resolved(novel: Novel, cast: Sequence[CastReading] = ()) -> Resolved:
    mentions = novel.mentions(cast)
    candidates = find_candidates(mentions)
    resolution = resolve(
        candidates,
        document_aliases=novel.stated(),
        strangers=novel.strangers(),
        casts={novel.name: cast} if cast else None,
        vectors=vectors_of(candidates.texts),
    )
    entity = {mention.key: resolution.entity_of[mention.id] for mention in mentions}
    names: dict[tuple[str, ...], list[tuple[Name, str]]] = defaultdict(list)
    for mention in mentions:
        names[parse(mention.form).core].append((parse(mention.form), entity[mention.key]))
    judged = [
        Judged(alias.form, alias.character, alias.places, entity.get(key) or _behind_title(alias.form, names))
        for key, alias in novel.aliases.items()
    ]
    doubtful = {
        (min(a, b), max(a, b))
        for near in resolution.near_misses
        for a, b in [(resolution.entity_of[near.first], resolution.entity_of[near.second])]
    }
    among = bearers(mentions, resolution.entity_of, {entity for pair in doubtful for entity in pair})
    who = questions(among, resolution.near_misses, resolution.entity_of)
    return Resolved(
        novel, judged, sorted(doubtful), who, resolution.decisions, {m.id: f"{m.form} {m.count}" for m in mentions}
    )


def _behind_title(form: str, names: Mapping[tuple[str, ...], Sequence[tuple[Name, str]]]) -> str | None:
    """The only entity with a name of these words that the title of the form does not exclude: not "Mme de Carvajal" for
    "M. de Carvajal"."""
    name = parse(form)
    entities = {entity for other, entity in names.get(name.core, ()) if not conflict(name, other)}
    return next(iter(entities)) if len(entities) == 1 else None


# --------------------------------------------------------------------------------------------------------------------
# Figures


def pairs_of(judged: Sequence[Judged], entity: Mapping[str, str] | None = None) -> list[Labelled]:
    """Every pair of forms. `entity`: entity -> its final entity once questions are answered."""
    pairs = []
    for a, b in combinations(judged, 2):
        one, other = (None if j.entity is None else (entity or {}).get(j.entity, j.entity) for j in (a, b))
        pairs.append(Labelled(a.form, b.form, a.character == b.character, one is not None and one == other))
    return pairs


def token_sets(judged: Sequence[Judged]) -> list[Labelled]:
    words = {j.form: frozenset(parse(j.form).core) for j in judged}
    return [
        Labelled(
            a.form, b.form, a.character == b.character, words[a.form] <= words[b.form] or words[b.form] < words[a.form]
        )
        for a, b in combinations(judged, 2)
    ]


def answered(novel: Resolved) -> tuple[dict[str, str], int]:
    """Entity -> its final entity once a person has answered, and the number of questions that the list can answer."""
    people = _people(novel)
    useful = sum(bool(people.get(first) and people.get(second)) for first, second in novel.asked)
    return _joined(people, novel.asked)[0], useful


def told_who(novel: Resolved) -> tuple[dict[str, str], int]:
    """Entity -> its final entity once a person has said who is who, and the number of questions that join names."""
    people = _people(novel)
    pairs = [(one.entity, other) for one in novel.questions for other in one.others]
    entity, same = _joined(people, pairs)
    return entity, len({pair[0] for pair in same})


def _people(novel: Resolved) -> dict[str, set[str]]:
    """Entity -> the characters whose names it has."""
    people: dict[str, set[str]] = defaultdict(set)
    for judged in novel.judged:
        if judged.entity is not None:
            people[judged.entity].add(judged.character)
    return people


def _joined(
    people: Mapping[str, set[str]], pairs: Iterable[tuple[str, str]]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    groups = DisjointSets()
    same = [pair for pair in pairs if not people.get(pair[0], set()).isdisjoint(people.get(pair[1], ()))]
    for first, second in same:
        groups.union(first, second)
    return {entity: groups.find(entity) for entity in people}, same


def by_mention(novels: Sequence[Resolved]) -> dict[str, float]:
    """B-cubed (Bagga and Baldwin 1998) of the forms that were found, weighted by their places."""
    total = among_entity = among_character = 0.0
    for novel in novels:
        assigned = [judged for judged in novel.judged if judged.entity is not None]
        for judged in assigned:
            same = sum(o.places for o in assigned if o.entity == judged.entity and o.character == judged.character)
            total += judged.places
            among_entity += judged.places * same / sum(o.places for o in assigned if o.entity == judged.entity)
            among_character += judged.places * same / sum(o.places for o in assigned if o.character == judged.character)
    return {"precision": among_entity / total, "recall": among_character / total} if total else {}


def figures(novels: Sequence[Resolved]) -> dict[str, Any]:
    proper = [[j for j in novel.judged if is_proper_name(j.form)] for novel in novels]
    reviewed = [answered(novel) for novel in novels]
    who = [told_who(novel) for novel in novels]
    with_who = [pairs_of(novel.judged, entity) for novel, (entity, _) in zip(novels, who, strict=True)]
    with_review = [pairs_of(novel.judged, entity) for novel, (entity, _) in zip(novels, reviewed, strict=True)]
    return {
        "novels": sorted(novel.novel.name for novel in novels),
        "forms": sum(len(novel.judged) for novel in novels),
        "found": sum(judged.entity is not None for novel in novels for judged in novel.judged),
        "all": _score(pairs_of(novel.judged) for novel in novels),
        "proper": _score(map(pairs_of, proper)),
        "token sets": _score(token_sets(novel.judged) for novel in novels),
        "token sets, proper": _score(map(token_sets, proper)),
        "review": _score(with_review)
        | {"questions": sum(len(novel.asked) for novel in novels), "useful": sum(useful for _, useful in reviewed)},
        "questions": _score(with_who)
        | {"questions": sum(len(novel.questions) for novel in novels), "useful": sum(useful for _, useful in who)},
        "by mention": by_mention(novels),
    }


def _score(pairs: Iterable[Sequence[Labelled]]) -> dict[str, Any]:
    every = [pair for group in pairs for pair in group]
    scores = score(every) | {"same": sum(pair.same for pair in every)}
    both = scores["precision"] + scores["recall"]
    return scores | {"f1": 2 * scores["precision"] * scores["recall"] / both if both else 0.0}


def show(title: str, results: Mapping[str, Any]) -> None:
    print(f"\n{title}: {len(results['novels'])} novels, {results['found']} of {results['forms']} forms found")
    for part in ("all", "proper", "review", "questions", "token sets", "token sets, proper"):
        row = results[part]
        shares = "  ".join(
            f"{what[0].upper()} {row[what]:.3f} ({row[what + '_interval'][0]:.2f}-{row[what + '_interval'][1]:.2f})"
            for what in ("precision", "recall")
        )
        questions = f"  {row['questions']} questions, {row['useful']} of use" if "useful" in row else ""
        print(f"  {part:20}{row['same']:>5} pairs {row['said']:>5} said  {shares}  F1 {row['f1']:.3f}{questions}")
    print("  by mention          " + "  ".join(f"{what} {share:.3f}" for what, share in results["by mention"].items()))


def tell(novel: Resolved) -> None:
    """Print wrong and missed pairs, with the decisions behind them: [rule score]."""
    print(f"\n== {novel.novel.name}")
    entity = {judged.form: judged.entity for judged in novel.judged}
    count = {judged.form: judged.places for judged in novel.judged}
    judged = score(pairs_of(novel.judged))
    for kind in ("wrong", "missed"):
        for line in judged[kind]:
            a, b = line.split(" | ")
            notes = [f"{form} not read" for form in (a, b) if entity[form] is None]
            if tuple(sorted((entity[a] or "", entity[b] or ""))) in novel.asked:
                notes.append("asked")
            print(f"{kind:7} {a} {count[a]} | {b} {count[b]}  {', '.join(notes)}")
    for decision in novel.reasons:
        print(f"  {decision.rule} {decision.score} {novel.shown[decision.first]} | {novel.shown[decision.second]}")


def without_names(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {key: without_names(part) for key, part in value.items() if key not in ("wrong", "missed")}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality.characters")
    parser.add_argument("novels", nargs="*", metavar="NOVEL", help="names of texts, all of the folder without")
    parser.add_argument("--data", type=Path, help="a folder of novels with lists of characters")
    parser.add_argument("--cast", action="store_true", help="with what a reader told of who is who")
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    parser.add_argument("--tell", action="store_true", help="list what is wrong and missed of the novels named")
    parser.add_argument("--development", action="store_true", help="leave the held-out novels out")
    options = parser.parse_args()
    files = novels_in(options.data or data("characters"), options.novels)
    files = [file for file in files if not (options.development and file.stem in HELD_OUT)]
    novels = [_resolved(read_novel(file), options.replies if options.cast else None) for file in files]
    groups: dict[str, list[Resolved]] = defaultdict(list)
    for novel in novels:
        kind = "held out" if novel.novel.name in HELD_OUT else "development"
        groups[f"{novel.novel.language}, {kind if options.data is None else 'given'}"].append(novel)
        if options.tell and novel.novel.name in options.novels:
            tell(novel)
    for novel in novels:
        row = figures([novel])
        print(
            f"{novel.novel.name:32}"
            + "   ".join(
                f"{part} P {row[part]['precision']:.3f} R {row[part]['recall']:.3f} F1 {row[part]['f1']:.3f}"
                for part in ("all", "proper", "token sets")
            )
        )
    results = {title: figures(groups[title]) for title in sorted(groups)}
    for title, result in results.items():
        show(title, result)
    if options.data is None and not options.novels and not options.development:
        save("characters_cast" if options.cast else "characters", {"machine": machine()} | without_names(results))


def _resolved(novel: Novel, replies: Path | None) -> Resolved:
    if replies is None:
        return resolved(novel)
    replies.mkdir(parents=True, exist_ok=True)
    cast, waiting, left_out = told(novel, replies)
    print(f"{novel.name}: {len(cast)} replies, {waiting} wait for a reader, {left_out} names not believed", flush=True)
    return resolved(novel, cast)


if __name__ == "__main__":
    main()
