"""Who is who in a whole novel, from its raw text alone: the local extractor's names, resolved.

    python -m bench.characters

Of the characters' aliases those count that stand in the text (written alike but for case). Every pair of them is
judged: one person or two. An alias belongs to the entity that bears it; one that stands only behind a title ("Ernest
Heavywether" in "Sir Ernest Heavywether") to the one entity whose names have the same words without their titles. An
alias that the extractor did not find has no entity, and every pair of it is missed. Precision and recall with Wilson's
95 % interval, F1; errors are listed, but not kept: the lists of characters are other people's.
`bench.resolution` measures the same aliases as if all had been found.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np

from bench.common import data, lines, machine, save
from bench.extraction import mentions_of
from bench.resolution import Labelled, score
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model import Source, Vector
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.resolve import resolve
from filigraph.graph.text.names.parse import core, name_key


def aliases(text: str) -> dict[str, str]:
    """Alias -> character, of those that stand in the text."""
    rows = lines(next(data("characters").glob("*.characters.jsonl")))
    return {
        alias: row["name"]
        for row in rows
        for alias in row["aliases"]
        if not alias.startswith("_") and re.search(rf"\b{re.escape(alias)}\b", text, re.IGNORECASE)
    }


def vectors_of(texts: Iterable[str]) -> dict[str, Vector]:
    ordered = sorted(texts)
    rows = embed_texts(load_embedder(), ordered, exact=True)
    return {text: np.asarray(row, dtype=np.float32) for text, row in zip(ordered, rows, strict=True)}


def _only(entities: set[str]) -> str | None:
    return next(iter(entities)) if len(entities) == 1 else None


def measure() -> dict[str, Any]:
    file = next(data("characters").glob("*.txt"))
    document = load(Source(name=file.name, content=file.read_bytes()))
    chunks = in_context(split(document, "novel"))
    extractions = list(LocalExtractor(spacy_models.load).extract(chunks))
    mentions = mentions_of(chunks, extractions)
    stated = [(alias.first, alias.second) for extraction in extractions for alias in extraction.aliases]
    candidates = find_candidates(mentions)
    found = resolve(candidates, document_aliases={"novel": stated}, vectors=vectors_of(candidates.texts))
    entity = {mention.key: found.entity_of[mention.id] for mention in mentions}
    titled: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for mention in mentions:
        titled[core(mention.form)].add(entity[mention.key])
    owner = aliases(document.text)
    of = {alias: entity.get(name_key(alias)) or _only(titled[core(alias)]) for alias in owner}
    pairs = [
        Labelled(a, b, owner[a] == owner[b], of[a] is not None and of[a] == of[b])
        for a, b in combinations(sorted(owner), 2)
    ]
    result = score(pairs)
    both = result["precision"] + result["recall"]
    missing = sorted(alias for alias in owner if of[alias] is None)
    return result | {
        "aliases": len(owner),
        "found": len(owner) - len(missing),
        "not_found": missing,
        "f1": 2 * result["precision"] * result["recall"] / both if both else 0.0,
    }


def main() -> None:
    result = measure()
    for name, value in result.items():
        print(f"{name}: {value}")
    kept = {name: value for name, value in result.items() if name not in ("wrong", "missed", "not_found")}
    save("characters", {"machine": machine()} | kept)


if __name__ == "__main__":
    main()
