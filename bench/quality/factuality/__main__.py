"""How often statements that a text denies, doubts or only reports become facts, and how often asserted ones do not.

    python -m bench.quality.factuality                      the development set: the rules were written with it at hand
    python -m bench.quality.factuality heldout FILE.jsonl   a set that nobody saw before the rules were done
    python -m bench.quality.factuality errors [FILE]        the sentences that went wrong

A line is {"text", "language", "triple": [subject, predicate, object], "expect": "asserted" or "not"}. Two readers are
asked: `local` reads the text itself; `check` gets the triple as the reply of a mistaken language model. A statement
counts as a fact if it joins the two names by that verb, is not denied, and is not attributed to anybody.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.common import lines, machine, save
from bench.intervals import wilson
from filigraph.graph.ingest.extract.llm_check import checked_extraction
from filigraph.graph.ingest.extract.llm_reply import ExtractionReply
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.extract.schema import BUDGETS, default_schema
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Triplet
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.text.negation import denies
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import fold

DEVELOPMENT = Path(__file__).parent / "development.jsonl"
Row = dict[str, Any]


def by_local(rows: Sequence[Row]) -> list[bool]:
    """Whether the local extractor takes the triple of each row for a fact."""
    read = LocalExtractor(spacy_models.load).extract([_chunk(n, row) for n, row in enumerate(rows)])
    return [
        any(_is(triplet, row) for triplet in extraction.triplets) for row, extraction in zip(rows, read, strict=True)
    ]


def by_check(rows: Sequence[Row]) -> list[bool]:
    """Whether the check of a language model's reply lets the triple of each row pass."""
    verdicts = []
    for number, row in enumerate(rows):
        chunk = _chunk(number, row)
        subject, predicate, object_ = row["triple"]
        spans = sentences(chunk.text, chunk.language)
        sentence_number = next((n for n, (a, b) in enumerate(spans, 1) if subject in chunk.text[a:b]), 1)
        fact = {"n": sentence_number, "s": subject, "p": predicate, "o": object_}
        reply = ExtractionReply(names=[("Person", subject), ("Person", object_)], facts=[fact], implied=[])
        read = checked_extraction(
            reply, "", chunk=chunk, spans=spans, schema=default_schema(), budget=BUDGETS["thorough"], key="k",
            extractor="llm",
        )  # fmt: skip
        verdicts.append(any(_is(triplet, row) for triplet in read.triplets))
    return verdicts


def _chunk(number: int, row: Row) -> Chunk:
    text = row["text"]
    return Chunk(
        id=str(number),
        document_id=str(number),
        index=0,
        start=0,
        end=len(text),
        text=text,
        title="",
        place="",
        language=row["language"],
    )


def _is(triplet: Triplet, row: Row) -> bool:
    """Whether a triplet is the fact of a row, plainly asserted."""
    subject, predicate, object_ = map(fold, row["triple"])
    text = fold(f"{triplet.subject} {triplet.predicate} {triplet.object}")
    stem = max(predicate.split(), key=len)[:3]
    plain = not triplet.according_to and not denies(triplet.predicate, row["language"])
    return plain and subject in text and object_ in text and f" {stem}" in f" {fold(triplet.predicate)}"


def measured(rows: Sequence[Row]) -> dict[str, Any]:
    shares: dict[str, Any] = {}
    for reader, taken in (("local", by_local(rows)), ("check", by_check(rows))):
        pairs = list(zip(rows, taken, strict=True))
        for language in sorted({row["language"] for row in rows}):
            own = [(row["expect"], was) for row, was in pairs if row["language"] == language]
            shares[f"{reader} {language}"] = _shares(own)
        shares[f"{reader} all"] = _shares([(row["expect"], was) for row, was in pairs])
    return shares


def _shares(pairs: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    kept_out = [not taken for expect, taken in pairs if expect == "not"]
    asserted = [taken for expect, taken in pairs if expect == "asserted"]
    return {
        "not asserted, not taken for facts": _share(kept_out),
        "asserted, taken for facts": _share(asserted),
    }


def _share(right: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(right), len(right))
    share = round(sum(right) / max(1, len(right)), 3)
    return {"right": sum(right), "of": len(right), "share": share, "interval": [low, high]}


def errors(rows: Sequence[Row]) -> None:
    for reader, taken in (("local", by_local(rows)), ("check", by_check(rows))):
        for row, was in zip(rows, taken, strict=True):
            if was != (row["expect"] == "asserted"):
                print(reader, row["language"], row["expect"], "|", row["text"])


def main(arguments: Sequence[str]) -> None:
    what, *paths = arguments or ["development"]
    rows = lines(Path(paths[0]) if paths else DEVELOPMENT)
    if what == "errors":
        errors(rows)
        return
    result = {"sentences": len(rows), "shares": measured(rows), "machine": machine()}
    print(json.dumps(result["shares"], indent=1, ensure_ascii=False))
    save("factuality", {what: result})


if __name__ == "__main__":
    main(sys.argv[1:])
