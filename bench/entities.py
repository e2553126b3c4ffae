"""The entities that a text mentions most, as the local extractor reads and the resolver joins them.

    python -m bench.entities FILE [--most 60]

Each with its forms and how often each stands there. To be judged by eye: clean is the exact name of a person, a place,
an organization or a thing, whole, and no second entry of another. Nothing is kept: most texts are not ours.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.characters import vectors_of
from bench.extraction import Counted, mentions_of
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model import Source
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.resolve import resolve

FORMS = 8  # of an entity are printed


def entities(file: Path) -> list[list[Counted]]:
    """The mentions of each entity of a text, the most mentioned first."""
    chunks = in_context(split(load(Source(name=file.name, content=file.read_bytes())), "text"))
    extractions = list(LocalExtractor(spacy_models.load).extract(chunks))
    mentions = mentions_of(chunks, extractions)
    stated = [(alias.first, alias.second) for extraction in extractions for alias in extraction.aliases]
    candidates = find_candidates(mentions)
    found = resolve(candidates, document_aliases={"text": stated}, vectors=vectors_of(candidates.texts))
    members: dict[str, list[Counted]] = defaultdict(list)
    for mention in sorted(mentions, key=lambda mention: (-mention.count, mention.form)):
        members[found.entity_of[mention.id]].append(mention)
    return sorted(members.values(), key=lambda group: (-_places(group), group[0].form))


def _places(group: Sequence[Counted]) -> int:
    return sum(mention.count for mention in group)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.entities")
    parser.add_argument("file", type=Path)
    parser.add_argument("--most", type=int, default=60)
    given = parser.parse_args()
    for number, group in enumerate(entities(given.file)[: given.most], 1):
        forms = " | ".join(f"{mention.form} {mention.count}" for mention in group[:FORMS])
        print(f"{number:3}  {_places(group):5}  {forms}")


if __name__ == "__main__":
    main()
