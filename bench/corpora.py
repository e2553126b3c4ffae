"""The passages of a question set with their ready triples: all of them, or an equally hard part."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from bench.common import data, lines
from filigraph.graph.ingest.extract.triples import Row, parse_triples

WITHIN = {"musique-train": "musique"}  # a small corpus that is searched within a large one
AROUND = 6  # passages before and after each one of the gold: the collected distractors


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """JSON lines, and triples by passage id."""

    passages: list[bytes]
    triples: dict[str, tuple[Row, ...]]


def workspace_of(name: str) -> str:
    """The workspace that the questions of a set search."""
    return f"bench-{WITHIN.get(name, name)}"


def corpus(name: str, most: int | None = None) -> Corpus:
    """A set's passages and those of the sets within it. With `most`, only that many of the set: the gold of as many
    questions as fit, and the passages around it; the ids of the questions decide which.
    """
    whole = _passages(name)
    own = whole if most is None else [whole[n] for n in _order(name, whole)[:most]]
    within = [inner for inner, outer in WITHIN.items() if outer == name and most is None]
    triples = [parse_triples(data(f"{one}/triples.jsonl").read_bytes()).triples for one in (name, *within)]
    return Corpus(
        passages=[*own, *(line for inner in within for line in _passages(inner))],
        triples={id_: rows for one in triples for id_, rows in one.items()},
    )


def held_out(question_id: str) -> bool:
    """Whether the hop ranker that ships never learns from this question: a fifth, by a hash of the id."""
    return int(_hash(f"held out {question_id}"), 16) % 5 == 0


def _passages(name: str) -> list[bytes]:
    return data(f"{name}/passages.jsonl").read_bytes().splitlines(keepends=True)


def _order(name: str, passages: list[bytes]) -> list[int]:
    """All passages, first those that questions need."""
    place = {json.loads(line)["id"]: n for n, line in enumerate(passages)}
    order: dict[int, None] = {}
    for question in sorted(lines(data(f"{name}/questions.jsonl")), key=lambda question: _hash(question["id"])):
        for gold in question["gold"]:
            order.update(dict.fromkeys(range(max(0, place[gold] - AROUND), place[gold] + AROUND + 1)))
    order.update(dict.fromkeys(sorted(range(len(passages)), key=lambda n: _hash(str(n)))))
    return [n for n in order if n < len(passages)]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
