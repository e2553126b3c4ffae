"""How many facts of the recorded readings have a relation type in Neo4j, and how many of those types are right.

    python -m bench.relations             coverage and types of each reading; what was judged, by round
    python -m bench.relations draw 4      110 facts that nobody has looked at yet, as JSON lines, for round 4

The lists (`graph/text/verbs/relations/`) were written with the readings of TUNED at hand. Of JUDGED nothing was looked
at but what was drawn to be judged. Each round is judged with the lists as they are then, and what it shows is mended
afterwards: so its share right is that of facts not seen before, and the next round draws others. The first also drew
from `cases/harbour`, which went over to TUNED then. A judgement is a line of `bench/judgements/relations.jsonl`:

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
from pathlib import Path
from typing import Any

from bench.common import data, lines, machine, save
from bench.resolution import wilson
from filigraph.graph.ingest.extract.schema import ALIAS
from filigraph.graph.text.language import detect
from filigraph.graph.text.verbs.predicates import told_by
from filigraph.graph.text.verbs.relation_types import lists_version, relation_type

TUNED = ("readings/holmes", "readings/lecoq", "cases/mairie", "cases/musee", "cases/harbour")
JUDGED = ("cases/filature", "cases/theatre")
SAMPLE = 110
SEED = "filigraph"
FILE = Path(__file__).parent / "judgements" / "relations.jsonl"


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
    """The facts of a reading, each once; two names of one thing are no fact."""
    found: dict[tuple[str, str, str], Typed] = {}
    for row in lines(data(reading) / "readings.jsonl"):
        language = detect(" ".join(row["sentences"]))
        for fact in (*row["facts"], *row["implied"]):
            if fact["p"] == ALIAS:
                continue
            number = fact["n"] if isinstance(fact["n"], int) else fact["n"][-1]
            predicate = told_by(row["sentences"][number - 1], fact["p"], language)
            type_ = relation_type(predicate, fact["o"], language)
            name = f"{'<' if type_.inverse else ''}{type_.name}" if type_ else ""
            key = fact["s"], predicate, fact["o"]
            found.setdefault(key, Typed(reading, *key, name))
    return list(found.values())


def judged() -> list[dict[str, Any]]:
    return lines(FILE) if FILE.exists() else []


def draw(number: int) -> None:
    seen = {(row["reading"], row["subject"], row["predicate"], row["object"]) for row in judged()}
    facts = [fact for reading in JUDGED for fact in typed(reading) if fact.type]
    unseen = [fact for fact in facts if (fact.reading, fact.subject, fact.predicate, fact.object) not in seen]
    for fact in sorted(unseen, key=lambda fact: fact.place)[:SAMPLE]:
        print(json.dumps(vars(fact) | {"verdict": "", "why": "", "round": number}, ensure_ascii=False))


def coverage(reading: str) -> dict[str, Any]:
    facts = typed(reading)
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
    results: dict[str, Any] = {reading: coverage(reading) for reading in (*TUNED, *JUDGED)}
    rounds = sorted({row["round"] for row in judged()})
    results |= {f"round {n}": precision([row for row in judged() if row["round"] == n]) for n in rounds}
    for name, result in results.items():
        print(name, {key: value for key, value in result.items() if key != "by_type"})
    save("relations", {"machine": machine(), "lists": lists_version()} | results)


if __name__ == "__main__":
    main()
