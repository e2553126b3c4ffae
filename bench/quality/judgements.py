"""How many of the local extractor's facts are right: judged by hand, one by one, against their sentence.

    python -m bench.quality.judgements               the share right, by novel, with Wilson's 95 % interval
    python -m bench.quality.judgements draw holmes   the facts of the sample that nobody has judged yet, as JSON lines

Every fact (subject, predicate, object, sentence, as the extractor wrote them) has a place by the hash of its words and
a seed; the sample is the first 200 of the facts that are read *today*. So it stays a random sample when the extractor
changes, and only new facts in it need a judge. A judgement is a line of `bench/data/judgements/NOVEL.jsonl`:

    {"subject": ..., "predicate": ..., "object": ..., "sentence": hash, "begins": ..., "verdict": ..., "why": ...}

right    the sentence says it (an implied fact: with the one before), of these two, and the ends are not cut short
wrong    it does not
unclear  two readers may differ: counted as wrong

Half of each sample was judged by the developer who wrote the patterns, half by somebody who did not; both had the
sentence and its neighbours at hand. Judged are the names as written, before they are resolved.

Both novels were used for tuning. `judgements/unseen.jsonl` has facts drawn at random, by the hash of their words, from
texts with which no pattern was written: *The Mysterious Affair at Styles*, and the second half of *Monsieur Lecoq*,
outside the sample above. Round 1 was judged, its errors were mended, and round 2 drawn from facts not in round 1 and,
of *Lecoq*, from other chapters. One developer judged both, who also did the mending; doubt is wrong.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from typing import Any

from bench.common import OWN_DATA, lines, machine, save
from bench.intervals import wilson
from bench.quality.extraction import NOVELS, novel_chunks
from filigraph.graph.ingest.extract.local import VERSION, LocalExtractor
from filigraph.graph.models.adapters import spacy_models

SAMPLE = 200
SEED = "filigraph"
BEGINS = 120  # characters of the sentence that are kept
FOLDER = OWN_DATA / "judgements"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A fact and its sentence, whitespace collapsed."""

    subject: str
    predicate: str
    object: str
    text: str
    before: str  # the sentence that an implied fact follows from
    according_to: str

    @property
    def sentence(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.subject, self.predicate, self.object, self.sentence

    @property
    def place(self) -> str:
        return hashlib.sha256("\n".join((SEED, *self.key)).encode()).hexdigest()


def shown(name: str) -> list[Shown]:
    """The facts of a novel, each once for each sentence that says it, in the order of the sample."""
    chunks = novel_chunks(name)
    facts: dict[tuple[str, str, str, str], Shown] = {}
    for chunk, extraction in zip(chunks, LocalExtractor(spacy_models.load).extract(chunks), strict=True):
        for triplet in extraction.triplets:
            fact = Shown(
                subject=triplet.subject,
                predicate=triplet.predicate,
                object=triplet.object,
                text=_plain(chunk.text[triplet.start : triplet.end]),
                before=" ".join(_plain(chunk.text[start:end]) for start, end in triplet.premises),
                according_to=triplet.according_to,
            )
            facts.setdefault(fact.key, fact)
    return sorted(facts.values(), key=lambda fact: fact.place)


def _plain(text: str) -> str:
    return " ".join(text.split())


def judgements(name: str) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    file = FOLDER / f"{name}.jsonl"
    rows = lines(file) if file.exists() else []
    return {(row["subject"], row["predicate"], row["object"], row["sentence"]): row for row in rows}


def draw(name: str) -> None:
    known = judgements(name)
    for fact in shown(name)[:SAMPLE]:
        if fact.key not in known:
            row = dict(zip(("subject", "predicate", "object", "sentence"), fact.key, strict=True))
            row |= {"begins": fact.text[:BEGINS], "verdict": "", "why": ""}
            row |= {"_text": fact.text, "_before": fact.before, "_according_to": fact.according_to}
            print(json.dumps(row, ensure_ascii=False))


def score(name: str) -> dict[str, Any]:
    known = judgements(name)
    facts = shown(name)
    sample = [known[fact.key] for fact in facts[:SAMPLE] if fact.key in known]
    verdicts = [row["verdict"] for row in sample]
    right = verdicts.count("right")
    return {
        "facts": len(facts),
        "judged_of_sample": len(sample),
        "sample": min(SAMPLE, len(facts)),
        "judged_of_all": sum(fact.key in known for fact in facts),
        "right": right,
        "wrong": verdicts.count("wrong"),
        "unclear": verdicts.count("unclear"),
        "share_right": round(right / len(sample), 3) if sample else 0.0,
        "share_right_interval": [round(bound, 3) for bound in wilson(right, len(sample))],
    }


def unseen() -> dict[str, Any]:
    """The share of right facts in texts not used for tuning, by round."""
    results: dict[str, Any] = {}
    rows = lines(FOLDER / "unseen.jsonl")
    for novel, number in sorted({(row["novel"], row["round"]) for row in rows}):
        judged = [row for row in rows if (row["novel"], row["round"]) == (novel, number)]
        right = sum(row["verdict"] == "right" for row in judged)
        results[f"unseen, {novel}, round {number}"] = {
            "judged": len(judged),
            "right": right,
            "share_right": round(right / len(judged), 3),
            "share_right_interval": [round(bound, 3) for bound in wilson(right, len(judged))],
        }
    return results


def main() -> None:
    if sys.argv[1:2] == ["draw"]:
        draw(sys.argv[2])
        return
    results = {name: score(name) for name in NOVELS} | unseen()
    for name, result in results.items():
        print(name, result)
    save("judgements", {"machine": machine(), "extractor": VERSION} | results)


if __name__ == "__main__":
    main()
