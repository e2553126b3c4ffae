"""Parses an LLM's reply about a batch: a line per matter, and one per pair of sentences. The reply may be broken or
hostile: unknown numbers, and pairs of a sentence or a voice with itself, are left out and counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from filigraph.graph.model.llm_readings import ContradictionReading, PairVerdict, ReadPair, SentencePlace
from filigraph.graph.models.llm_batches import says_none
from filigraph.graph.readings.contradictions.plan import BatchSentence, ContradictionBatch, recipe
from filigraph.graph.text.names.parse import name_key

MAX_CHARS = 300  # characters of a matter, or of what two sentences differ in
MAX_PAIRS = 60  # pairs of one reply
_LINE = re.compile(
    r"^\W{0,6}(?:(?P<verdict>CONTRADICTION|NOT|UNSURE)\b[\s:*]*)?\[?(?P<first>\d{1,5})\]?(?:[\s,;+&]*\[\d{1,5}\])*\s*\|"
    r"\s*\[?(?P<other>\d{1,5})\]?(?:[\s,;+&]*\[\d{1,5}\])*\s*(?:\|(?P<what>.*))?$",
    re.IGNORECASE,
)
_VERDICTS: dict[str, PairVerdict] = {
    "": "contradiction",
    "contradiction": "contradiction",
    "not": "not",
    "unsure": "unsure",
}
_MATTER = re.compile(
    r"^\W{0,6}matter\b(?:\s*\d+\s*(?:[:.)*]+|$))?[\s:*]*(?P<about>[^|]*)$",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"[«»“”„\"]|^[^\W\d][^:\n]{0,40}\s?:\s")  # quoted, or with its speaker before it: "Mr Hale: No."


@dataclass(frozen=True, kw_only=True)
class ContradictionReply:
    """The readable part of a reply."""

    reading: ContradictionReading
    left_out: int  # lines that cannot be believed


def read_contradictions_reply(reply: str, batch: ContradictionBatch, model: str) -> ContradictionReply | None:
    """A parsed reply; None if it is unreadable."""
    pairs: dict[frozenset[int], ReadPair] = {}
    candidates = {frozenset(pair) for pair in batch.asked}
    left_out = 0
    about, lines = "", 0
    for line in map(str.strip, reply.splitlines()):
        if matter := _MATTER.match(line):
            about = shorten(matter["about"].strip("* "))
        match = _LINE.match(line)
        if not match:
            continue
        lines += 1
        numbers = int(match["first"]), int(match["other"])
        pair = frozenset(numbers)
        verdict = _VERDICTS[(match["verdict"] or "").lower()]
        believed = verdict == "contradiction" or pair in candidates
        if not believed or pair in pairs or len(pairs) >= MAX_PAIRS or not _two_voices(numbers, batch):
            left_out += 1
            continue
        first, other = (_place(batch.sentences[n]) for n in numbers)
        pairs[pair] = ReadPair(
            verdict=verdict,
            first=first,
            other=other,
            what=shorten(match["what"] or ""),
            matter=about if verdict == "contradiction" and not match["verdict"] else "",
        )
    if not lines and not says_none(reply):
        return None
    reading = ContradictionReading(
        key=batch.key(model),
        model=model,
        recipe=recipe(model),
        chunk_ids=batch.chunk_ids,
        pairs=tuple(pairs.values()),
    )
    return ContradictionReply(reading=reading, left_out=left_out)


def _two_voices(numbers: tuple[int, int], batch: ContradictionBatch) -> bool:
    """Whether both sentences exist, and belong to two voices or two dates."""
    if numbers[0] == numbers[1] or not all(n in batch.sentences for n in numbers):
        return False
    one, other = (batch.sentences[n] for n in numbers)
    if one.document_id == other.document_id and one.text.split() == other.text.split():
        return False
    if name_key(one.voice) != name_key(other.voice):
        return True
    if one.document_id != other.document_id:
        return one.date != other.date or not one.date
    return any(_SPOKEN.search(sentence.text) for sentence in (one, other))  # a voice that the extractor did not name


def shorten(text: str) -> str:
    """What an LLM says, in one line."""
    return " ".join(text.split())[:MAX_CHARS]


def _place(sentence: BatchSentence) -> SentencePlace:
    return SentencePlace(chunk_id=sentence.chunk_id, start=sentence.start, end=sentence.end)
