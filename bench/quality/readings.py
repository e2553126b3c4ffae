"""The share of an excellent LLM's readings that the check accepts, and of the same readings made wrong.

    python -m bench.quality.readings [SET ...] [--drops]

Sets: holmes, lecoq and the case files in `cases/` of the development data. Their recorded readings (as in
`bench.quality.narrative`) are given to the LLM extractor as replies, so whatever it drops is lost. No Neo4j takes part.
For `thorough` and `thrifty`:

- `believed`: of facts, implied facts and aliases given, the share that is in the extraction; `dropped`: the reasons of
  the others, each examined by itself; `--drops` prints them. An alias may be believed as a fact ("the man is Jules").
- `shown`: of the believed facts, the share shown with the sentence in which the reading says it found them.
- `typed`: of the names given with a type that are in the chunk, the share that has it in the extraction.
- `tokens`: of a prompt and of a reply, mean and 95th percentile, as the project estimates them.

`wrong`, of all sets: the share believed of facts that were made wrong, one at a time: an end replaced by another
(`stranger`: a name that is in the chunk, but neither in the fact's sentence nor beside it), a name of another text
(`invented`), a sentence that denies (`denied`: "never" or "ne ... pas" put around the verb), two names said to be one
(`alias`). `miscounted`: of facts given with the number of another sentence, the share shown with the right one. One in
five facts.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.common import machine, save
from bench.quality.narrative import RecordedLLM, all_sets, folder, sources
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.extract.llm_check import IS, checked_extraction
from filigraph.graph.ingest.extract.llm_reply import read_reply
from filigraph.graph.ingest.extract.schema import ALIAS, BUDGETS, Thoroughness, default_schema
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.models.llm import LLMRequest, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.find import PhraseFinder
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import fold

KINDS = ("facts", "implied", "aliases")
ONE_IN = 5  # facts are made wrong
NOWHERE = "Zebulon Quarrington"  # a name that no text has

Raw = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Read:
    """A chunk with the LLM's reply and the resulting extraction."""

    chunk: Chunk
    spans: Sequence[Span]
    reply: Mapping[str, Any]  # as recorded
    extraction: Extraction
    tokens: tuple[int, int]  # of the prompt and of the reply

    def given(self) -> Iterator[tuple[str, Raw]]:
        """The items of the reply, each with its kind."""
        for raw in self.reply["facts"]:
            yield "aliases" if raw["p"] == ALIAS else "facts", raw
        for raw in self.reply["implied"]:
            yield "aliases" if raw["p"] == ALIAS else "implied", raw

    def alone(self, kind: str, raw: Raw, *, text: str = "") -> Extraction:
        """The extraction of one fact by itself; `text` replaces the chunk's."""
        chunk = replace(self.chunk, text=text or self.chunk.text)
        body = {"names": self.reply["names"], "implied" if kind == "implied" else "facts": [raw]}
        reply, problem = read_reply(json.dumps(body))
        assert reply is not None
        spans = sentences(chunk.text, chunk.language)
        schema, budget = default_schema(), BUDGETS["thorough"]
        return checked_extraction(
            reply, problem, chunk=chunk, spans=spans, schema=schema, budget=budget, key="", extractor=""
        )


class Recorded(RecordedLLM):
    """Replays recorded readings in the form that the prompt asks for."""

    def __init__(self, name: str, reading: Thoroughness) -> None:
        budget = BUDGETS[reading]
        super().__init__(folder(name) / "readings.jsonl", 99, budget.implied)
        self._facts = budget.facts
        self.said: dict[str, tuple[Mapping[str, Any], str]] = {}

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        reading = self._readings.of(request.prompt, *self._most)
        facts = [raw for raw in reading["facts"] if raw["p"] != ALIAS]
        aliases = [raw for raw in (*reading["facts"], *reading["implied"]) if raw["p"] == ALIAS]
        reading["facts"] = [*facts[: self._facts], *[raw for raw in aliases if raw in reading["facts"]]]
        reply = {
            "names": reading["names"],
            "aliases": [[raw["n"], raw["s"], raw["o"]] for raw in aliases],
            "facts": [as_array(raw) for raw in facts[: self._facts]],
            "implied": [as_array(raw) for raw in reading["implied"] if raw["p"] != ALIAS],
        }
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        self.said[request.prompt] = reading, text
        return text


def as_array(raw: Raw) -> list[Any]:
    """A fact as the prompt asks for it."""
    return [raw[key] for key in ("n", "s", "p", "o")] + ([raw["by"]] if raw["by"] else [])


def read_set(name: str, reading: Thoroughness) -> list[Read]:
    """Every chunk of a set with a recorded reading."""
    llm = Recorded(name, reading)
    extractor = LLMExtractor(llm, reading=reading, in_flight=1)
    reads = []
    for source in sources(name):
        chunks = in_context(split(load(source), source.name))
        for chunk, extraction in zip(chunks, extractor.extract(chunks), strict=True):
            spans = sentences(chunk.text, chunk.language)
            if not spans:
                continue
            prompt = extractor.prompt(chunk, spans)
            reply, text = llm.said[prompt.user]
            tokens = estimate_tokens(prompt.system + prompt.user), estimate_tokens(text)
            reads.append(Read(chunk=chunk, spans=spans, reply=reply, extraction=extraction, tokens=tokens))
    return reads


# --------------------------------------------------------------------------------------------------------------------
# Right facts


def place_of(extraction: Extraction, kind: str, raw: Raw) -> Span | None:
    """The place where a given fact is shown; None if it is not believed."""
    ends = name_key(raw["s"]), name_key(raw["o"])
    if kind == "aliases":
        pairs = {frozenset((name_key(a.first), name_key(a.second))): (a.start, a.end) for a in extraction.aliases}
        pairs |= {
            frozenset((name_key(t.subject), name_key(t.object))): (t.start, t.end)
            for t in extraction.triplets
            if t.predicate in (ALIAS, *IS.values())
        }
        return pairs.get(frozenset(ends))
    for triplet in extraction.triplets:
        same = (name_key(triplet.subject), name_key(triplet.object)) == ends
        if same and fold(triplet.predicate) == fold(" ".join(raw["p"].split())):
            return triplet.start, triplet.end
    return None


def numbers(raw: Raw) -> list[int]:
    return list(raw["n"]) if isinstance(raw["n"], list) else [raw["n"]]


def right(reads: Sequence[Read], *, tell: bool) -> dict[str, Any]:
    """How much of what was given is believed, shown and typed."""
    totals: Counter[str] = Counter()
    believed: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    shown: list[bool] = []
    for read in reads:
        for kind, raw in read.given():
            totals[kind] += 1
            place = place_of(read.extraction, kind, raw)
            if place is None:
                why = "; ".join(sorted(read.alone(kind, raw).counts)) or "said another way, or over the cap"
                dropped[f"{kind}: {why}"] += 1
                if tell:
                    print(why, "|", *raw.values(), "|", *[_text(read, n) for n in numbers(raw)])
                continue
            believed[kind] += 1
            if kind == "facts":
                shown.append(place in [read.spans[n - 1] for n in numbers(raw)])
                if tell and not shown[-1]:
                    there = " ".join(read.chunk.text[slice(*place)].split())
                    print("shown elsewhere |", *raw.values(), "|", _text(read, raw["n"]), "|", there)
    typed = [correct for read in reads for correct in types_kept(read)]
    return {
        "given": dict(totals),
        "believed": {kind: percent(believed[kind], totals[kind]) for kind in KINDS},
        "dropped": dict(dropped.most_common()),
        "shown": percent(sum(shown), len(shown)),
        "typed": percent(sum(typed), len(typed)),
    }


def _text(read: Read, number: int) -> str:
    return " ".join(read.chunk.text[slice(*read.spans[number - 1])].split())


def types_kept(read: Read) -> Iterator[bool]:
    """Whether each name that was given with a type has it, or another type that the reply gives it."""
    finder = PhraseFinder(read.chunk.text)
    pairs = {
        (name_key(name), type_)
        for t in read.extraction.triplets
        for name, type_ in ((t.subject, t.subject_type), (t.object, t.object_type))
    } | {(name_key(name), type_) for name, type_ in read.extraction.types.items()}
    for type_, names in read.reply["names"].items():
        for name in names:
            if type_ in default_schema().types and finder.find(name):
                yield (name_key(name), type_) in pairs


# --------------------------------------------------------------------------------------------------------------------
# Wrong facts


def wrong(reads: Sequence[Read], *, tell: bool) -> dict[str, Any]:
    """The share believed of facts made wrong, and shown with the right sentence of those that were miscounted."""
    chance = random.Random(7)
    tried: Counter[tuple[str, str]] = Counter()
    taken: Counter[tuple[str, str]] = Counter()
    for read in reads:
        for kind, raw in [fact for fact in read.given() if fact[0] != "aliases"][::ONE_IN]:
            for what, made, text in made_wrong(read, raw, chance):
                tried[what, kind] += 1
                if place_of(read.alone(kind, made, text=text), "aliases" if what == "alias" else kind, made):
                    taken[what, kind] += 1
                    if tell:
                        print(what, "|", *made.values(), "|", *[_text(read, n) for n in numbers(made)])
            if kind == "facts" and len(read.spans) > 1:
                number = chance.choice([n for n in range(1, len(read.spans) + 1) if n != raw["n"]])
                place = place_of(read.alone(kind, {**raw, "n": number}), kind, raw)
                tried["miscounted", kind] += place is not None
                taken["miscounted", kind] += place == read.spans[raw["n"] - 1]
    return {f"{what}, {kind}": percent(taken[what, kind], tried[what, kind]) for what, kind in sorted(tried)}


def made_wrong(read: Read, raw: Raw, chance: random.Random) -> Iterator[tuple[str, Raw, str]]:
    """A fact in several wrong forms: which, the fact, and the text it is to be read in ("": its own)."""
    near = {m for n in numbers(raw) for m in (n - 1, n, n + 1) if 1 <= m <= len(read.spans)}
    finder = PhraseFinder(read.chunk.text)
    everyone = [name for names in read.reply["names"].values() for name in names]
    beside = [read.spans[n - 1] for n in near]
    strangers = [
        name
        for name in everyone
        if (places := finder.find(name)) and not any(a <= place[0] < b for place in places for a, b in beside)
    ]
    end = chance.choice("so")
    if strangers:
        yield "stranger", {**raw, end: chance.choice(strangers)}, ""
    yield "invented", {**raw, end: NOWHERE}, ""
    if strangers:
        yield "alias", {**raw, end: chance.choice(strangers), "p": ALIAS}, ""
    if not isinstance(raw["n"], list) and (text := denied(read, raw)):
        yield "denied", raw, text


def denied(read: Read, raw: Raw) -> str:
    """The chunk's text with the verb of a fact denied; "" if its sentence does not contain the verb."""
    text = read.chunk.text
    start, end = read.spans[raw["n"] - 1]
    verb = re.search(rf"(?<!\w){re.escape(raw['p'].split()[0])}(?!\w)", text[start:end])
    if verb is None or read.chunk.language not in ("en", "fr"):
        return ""
    word = str(verb[0])
    new = f"never {word}" if read.chunk.language == "en" else f"ne {word} pas"
    return text[: start + verb.start()] + new + text[start + verb.end() :]


# --------------------------------------------------------------------------------------------------------------------
# Figures


def tokens(reads: Sequence[Read]) -> dict[str, Any]:
    """Mean and 95th percentile of prompts and replies."""
    table = np.array([read.tokens for read in reads])
    return {
        what: [round(float(column.mean())), round(float(np.percentile(column, 95)))]
        for what, column in zip(("prompt", "reply"), table.T, strict=True)
    }


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else float("nan")


def figures(reads: Sequence[Read], *, tell: bool) -> dict[str, Any]:
    return {"chunks": len(reads), **right(reads, tell=tell), "tokens": tokens(reads)}


def main() -> None:
    """Read every set both ways, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.readings")
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--drops", action="store_true", help="print what is dropped, or believed though it is wrong")
    options = parser.parse_args()
    results: dict[str, Any] = {"machine": machine()}
    for reading in BUDGETS:
        everything: list[Read] = []
        for name in options.sets or all_sets():
            reads = read_set(name, reading)
            everything += reads
            results[f"{name}, {reading}"] = figures(reads, tell=options.drops)
            print(name, reading, json.dumps(results[f"{name}, {reading}"], ensure_ascii=False), flush=True)
        results[f"all, {reading}"] = figures(everything, tell=False)
        if reading == "thorough":
            results[f"all, {reading}"]["wrong"] = wrong(everything, tell=options.drops)
        print("all", reading, json.dumps(results[f"all, {reading}"], ensure_ascii=False))
    if not options.sets:
        save("readings", results)


if __name__ == "__main__":
    main()
