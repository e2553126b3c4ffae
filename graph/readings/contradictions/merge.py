"""Contradictions found by rules and by an LLM, in one list of matters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.analysis.matters import Ends, Matter, NamedMatter, ends_of, matters_of
from filigraph.graph.model.llm_readings import ContradictionReading, ReadPair, SentencePlace
from filigraph.graph.records.facts import NamedSentence, Statement
from filigraph.graph.text.words import tokens

_LABEL = re.compile(r"\W{0,4}(?P<who>[^\W\d_][^:\n]{0,50}):\s")
_FIRST = {"contradiction": 0, "": 1, "unsure": 2, "not": 3}
_OF_FACT = (
    *("fact_id", "subject_id", "subject", "subject_type", "predicate", "object_id", "object", "object_type"),
    *("according_to", "when", "when_date"),
)


def with_readings(
    contradictions: Sequence[Contradiction],
    readings: Sequence[ContradictionReading],
    sentences: Mapping[SentencePlace, NamedSentence],
    statements: Sequence[Statement],
) -> list[Matter]:
    """In this order: contradictions according to an LLM, candidates of rules that no LLM judged, pairs that it is
    unsure about, pairs that it rejected. Each pair of sentences occurs once; the verdict of a check replaces others.
    """
    by_chunk: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_chunk[statement.chunk_id].append(statement)
    read: dict[Ends, Contradiction] = {}
    named: dict[tuple[str, str], list[Ends]] = defaultdict(list)
    checks = {reading.key: reading.checks for reading in readings}
    for reading in sorted(readings, key=lambda one: one.checks):
        for pair in reading.pairs:
            if contradiction := _read(pair, reading.model, sentences, by_chunk):
                ends = ends_of(contradiction)
                if reading.checks or contradiction.verdict == "contradiction" or ends not in read:
                    read[ends] = contradiction
                if pair.matter:
                    named[reading.key, pair.matter].append(ends)
    ruled = [_judged(one, read.pop(ends_of(one), None)) for one in contradictions]
    alone = [one for one in read.values() if one.verdict in ("contradiction", "unsure")]
    ordered = sorted([*alone, *ruled], key=lambda one: (_FIRST[one.verdict], -one.score))
    return matters_of(
        ordered,
        [
            NamedMatter(reply=key, checked=checks[key], about=about, ends=tuple(dict.fromkeys(ends)))
            for (key, about), ends in named.items()
        ],
    )


def _judged(ruled: Contradiction, read: Contradiction | None) -> Contradiction:
    return replace(ruled, verdict=read.verdict, what=read.what, model=read.model) if read else ruled


def _read(
    pair: ReadPair,
    model: str,
    sentences: Mapping[SentencePlace, NamedSentence],
    by_chunk: Mapping[str, Sequence[Statement]],
) -> Contradiction | None:
    """The pair as a contradiction; None if one of its sentences was deleted."""
    if pair.first not in sentences or pair.other not in sentences:
        return None
    ends = [
        (_statement(place, sentences[place], by_chunk[place.chunk_id]), sentences[place])
        for place in (pair.first, pair.other)
    ]
    (first, _), (other, _) = sorted(ends, key=lambda end: (end[0].date, end[0].source))
    return Contradiction(
        kind="read",
        first=first,
        other=other,
        score=1.0,
        verdict=pair.verdict,
        what=pair.what,
        model=model,
        entity_ids=frozenset(id_ for _, named in ends for id_ in named.entities),
    )


def _statement(place: SentencePlace, sentence: NamedSentence, statements: Sequence[Statement]) -> Statement:
    """A sentence as a statement, with the first fact that it states, if any."""
    facts = [one for one in statements if one.start < place.end and place.start < one.end]
    labelled = _labelled_speaker(sentence.sentence, statements)
    whose: dict[str, Any] = {name: value for name, value in vars(sentence).items() if name != "entities"} | vars(place)
    if facts:
        asserted = next((one.according_to for one in facts if one.according_to), labelled)
        return replace(facts[0], **whose, according_to=asserted)
    empty: dict[str, Any] = dict.fromkeys(_OF_FACT, "") | {"according_to": labelled}
    return Statement(**empty, **whose, denied=False)


def _labelled_speaker(sentence: str, statements: Sequence[Statement]) -> str:
    """The speaker that a sentence begins with ("M. Malgorn : Jamais."), if facts of the same chunk are asserted by a
    person of that name; else ""."""
    match = _LABEL.match(sentence)
    label = {token.folded for token in tokens(match["who"])[-1:]} if match else set()
    voices = dict.fromkeys(one.according_to for one in statements if one.according_to)
    return next((voice for voice in voices if label & {token.folded for token in tokens(voice)}), "")
