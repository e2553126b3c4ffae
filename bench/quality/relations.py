"""How many facts of the recorded readings have a relation type in Neo4j, and how many of those types are right.

    python -m bench.quality.relations             coverage and types of each reading; what was judged, by round
    python -m bench.quality.relations draw 7      facts that nobody has looked at yet, as JSON lines, for round 7

The lists (`graph/text/verbs/relations/`) were written with the readings of TUNED at hand. Of JUDGED nothing was looked
at but what was drawn to be judged. Each round is judged with the lists as they are then, and what it shows is mended
afterwards: so its share right is that of facts not seen before, and the next round draws others. The first also drew
from `cases/harbour`, which went over to TUNED then. After three rounds JUDGED had no unseen fact with a type left:
rounds 4 to 6 draw from readings of TUNED, whose facts nobody had judged one by one, and from TRIPLES, what another LLM
reads in articles of Wikipedia. Those were not at hand before round 4; verbs without a type were looked up in them then.
A judgement is a line of `bench/data/judgements/relations.jsonl`:

    {"reading", "subject", "predicate", "object", "type", "verdict", "why", "round"}

right    what the fact says, read as (subject)-[type]->(object), is so; `<` before a type: from the object
wrong    it is not, or two readers may differ
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from bench.common import OWN_DATA, data, lines, machine, save
from bench.intervals import wilson
from filigraph.graph.ingest.extract.schema import ALIAS
from filigraph.graph.text.language import detect
from filigraph.graph.text.verbs.predicates import predicate_as_stated
from filigraph.graph.text.verbs.relation_types import lists_version, relation_type

TUNED = ("readings/holmes", "readings/lecoq", "cases/mairie", "cases/musee", "cases/harbour")
JUDGED = ("cases/filature", "cases/theatre")
TRIPLES = ("2wiki", "musique-train")  # English
SAMPLE = 30  # of each
SEED = "filigraph"
FILE = OWN_DATA / "judgements" / "relations.jsonl"


@dataclass(frozen=True)
class Typed:
    """A fact as derive would write it, with its type, "" where it has none."""

    reading: str
    subject: str
    predicate: str
    object: str
    type: str

    @property
    def place(self) -> str:
        words = (SEED, self.reading, self.subject, self.predicate, self.object)
        return hashlib.sha256("\n".join(words).encode()).hexdigest()


def typed(reading: str) -> list[Typed]:
    """The facts of a reading, each once; two names of one thing are not a fact."""
    facts: dict[tuple[str, str, str], Typed] = {}
    for row in lines(data(reading) / "readings.jsonl"):
        language = detect(" ".join(row["sentences"]))
        for fact in (*row["facts"], *row["implied"]):
            if fact["p"] == ALIAS:
                continue
            number = fact["n"] if isinstance(fact["n"], int) else fact["n"][-1]
            sentence = row["sentences"][number - 1]
            key = fact["s"], predicate_as_stated(sentence, fact["p"], language), fact["o"]
            facts.setdefault(key, _typed(reading, fact["s"], fact["p"], fact["o"], sentence, language))
    return list(facts.values())


def triples(name: str) -> list[Typed]:
    """The ready triples of a set of passages, each once."""
    rows = lines(data(name) / "triples.jsonl")
    distinct = dict.fromkeys((subject, predicate, end) for row in rows for subject, predicate, end in row["triples"])
    return [_typed(name, subject, predicate, end, "", "en") for subject, predicate, end in distinct]


def _typed(reading: str, subject: str, predicate: str, object_: str, sentence: str, language: str) -> Typed:
    type_ = relation_type(predicate_as_stated(sentence, predicate, language), object_, language)
    return Typed(reading, subject, predicate, object_, f"{'<' if type_.inverse else ''}{type_.name}" if type_ else "")


def judged() -> list[dict[str, Any]]:
    return lines(FILE) if FILE.exists() else []


def draw(number: int) -> None:
    seen = {(row["reading"], row["subject"], row["predicate"], row["object"]) for row in judged()}
    for facts in (*(typed(reading) for reading in (*TUNED, *JUDGED)), *map(triples, TRIPLES)):
        unseen = [f for f in facts if f.type and (f.reading, f.subject, f.predicate, f.object) not in seen]
        for fact in sorted(unseen, key=lambda fact: fact.place)[:SAMPLE]:
            print(json.dumps(vars(fact) | {"verdict": "", "why": "", "round": number}, ensure_ascii=False))


def coverage(facts: list[Typed]) -> dict[str, Any]:
    types = Counter(fact.type.removeprefix("<") for fact in facts if fact.type)
    return {
        "facts": len(facts),
        "typed": types.total(),
        "share_typed": round(types.total() / len(facts), 3),
        "types": len(types) + 1,  # RELATED_TO
        "by_type": dict(types.most_common()),
    }


def precision(rows: list[dict[str, Any]]) -> dict[str, Any]:
    right = sum(row["verdict"] == "right" for row in rows)
    interval = [round(bound, 3) for bound in wilson(right, len(rows))]
    return {"judged": len(rows), "right": right, "share_right": round(right / len(rows), 3), "interval": interval}


def main() -> None:
    if sys.argv[1:2] == ["draw"]:
        draw(int(sys.argv[2]))
        return
    results: dict[str, Any] = {reading: coverage(typed(reading)) for reading in (*TUNED, *JUDGED)}
    results |= {name: coverage(triples(name)) for name in TRIPLES}
    rounds = sorted({row["round"] for row in judged()})
    for number in rounds:
        rows = [row for row in judged() if row["round"] == number]
        results[f"round {number}"] = precision(rows)
        groups = {"novels": "readings/", "case files": "cases/", "Wikipedia": TRIPLES}
        for name, begins in groups.items():
            if group := [row for row in rows if row["reading"].startswith(begins)]:
                results[f"round {number}, {name}"] = precision(group)
    for name, result in results.items():
        print(name, {key: value for key, value in result.items() if key != "by_type"})
    save("relations", {"machine": machine(), "lists": lists_version()} | results)


if __name__ == "__main__":
    main()
