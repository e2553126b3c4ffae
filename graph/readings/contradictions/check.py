"""The check of what an LLM found: its matters, each with its sentences and the text around them.

No call sees all passages, so one question may be two matters, and the most direct sentences may be in different calls.
A check shows the matters together, up to TEXT_TOKENS, those about the same passages next to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from filigraph.graph.analysis.matters import Matter, Sentence, sentence_of
from filigraph.graph.ids import content_id
from filigraph.graph.model.llm_readings import ContradictionReading, PairVerdict, ReadPair, SentencePlace
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, render
from filigraph.graph.readings.contradictions.plan import REPLY_TOKENS, TEXT_TOKENS, recipe
from filigraph.graph.readings.contradictions.reply import ContradictionReply, shorten
from filigraph.graph.records.facts import SourcePassage, Statement

CLEAR_SENTENCE_CHARS = 120  # characters: a longer sentence is clear without the text around it
CONTEXT_CHARS = 100  # characters on each side of a short sentence
MOST_SENTENCES = 8  # of a matter
MOST_MATTERS = 24  # of a check: their lines fit into a reply
CALLS_CHECKED = 3  # calls whose matters one check holds, by experience
_LINE = re.compile(
    r"^\W{0,6}(?:MATTER\s*)?(?P<matter>\d{1,4})[\s:*]*\|[\s*]*(?P<verdict>CONTRADICTION|SAME|NOT|UNSURE)\b[\s:*]*(?:\|\s*(?P<rest>.*))?$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^\[?(?P<first>\d{1,5})\]?\s*\|\s*\[?(?P<other>\d{1,5})\]?\s*(?:\|\s*(?P<about>.*))?$")
_VERDICTS: dict[str, PairVerdict] = {"contradiction": "contradiction", "not": "not", "unsure": "unsure"}


@dataclass(frozen=True, kw_only=True)
class CheckBatch:
    """Matters that are checked together."""

    chunk_ids: tuple[str, ...]
    matters: tuple[Matter, ...]  # the first is number 1
    sentences: Mapping[int, Statement]
    prompt: Prompt

    def key(self, model: str) -> str:
        """What the reply depends on, as a hash."""
        return content_id("check_contradictions", recipe(model), self.prompt.user)

    @property
    def usage(self) -> Usage:
        """What the call takes, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY_TOKENS)


def plan_checks(matters: Sequence[Matter], passages: Sequence[SourcePassage]) -> list[CheckBatch]:
    """The checks of matters as calls found them."""
    texts = {passage.chunk_id: passage for passage in passages}
    held: list[list[Matter]] = []
    room = 0
    for matter in sorted(matters, key=lambda one: _where(one.lead.first, texts)):
        size = sum(map(estimate_tokens, [_title(len(matters), matter), *_lines(matter, {}, texts)]))
        if size > room or len(held[-1]) >= MOST_MATTERS:
            held.append([])
            room = TEXT_TOKENS
        held[-1].append(matter)
        room -= size
    return [_check(members, texts) for members in held]


def _where(statement: Statement, texts: Mapping[str, SourcePassage]) -> tuple[str, str, int]:
    return statement.date, statement.source, texts[statement.chunk_id].start + statement.start


def _check(members: Sequence[Matter], texts: Mapping[str, SourcePassage]) -> CheckBatch:
    numbers: dict[Sentence, int] = {}
    blocks = []
    for n, matter in enumerate(members, start=1):
        blocks.append("\n".join([_title(n, matter), *_lines(matter, numbers, texts)]))
    shown = {numbers[sentence_of(said)]: said for matter in members for said in _said(matter)}
    extracts = "\n\n".join(blocks)
    return CheckBatch(
        chunk_ids=tuple(
            sorted({end.chunk_id for one in members for pair in one.pairs for end in (pair.first, pair.other)})
        ),
        matters=tuple(members),
        sentences=shown,
        prompt=render("check_contradictions", tag=fence(extracts), matters=extracts),
    )


def _title(number: int, matter: Matter) -> str:
    return f"MATTER {number}: {matter.about}".rstrip(": ")


def _said(matter: Matter) -> list[Statement]:
    return [said.statement for said in matter.statements[:MOST_SENTENCES]]


def _lines(matter: Matter, numbers: dict[Sentence, int], texts: Mapping[str, SourcePassage]) -> Iterator[str]:
    """A line for each sentence; one that was shown above is named by its number."""
    for said in _said(matter):
        known = numbers.get(sentence_of(said))
        number = numbers.setdefault(sentence_of(said), len(numbers) + 1)
        whose = ", ".join(filter(None, dict.fromkeys([said.voice, said.source, said.date])))
        sentence = "as above" if known else _with_context(said, texts[said.chunk_id].text)
        yield " ".join(f"[{number}] {whose}: {sentence}".split())


def _with_context(said: Statement, text: str) -> str:
    if said.end - said.start > CLEAR_SENTENCE_CHARS:
        return said.sentence
    before, after = text[: said.start][-CONTEXT_CHARS:], text[said.end :][:CONTEXT_CHARS]
    around = [f"(… {part} …)" if part.strip() else "" for part in (before, after)]
    return f"{around[0]} {said.sentence} {around[1]}"


def read_check(reply: str, batch: CheckBatch, model: str) -> ContradictionReply | None:
    """What a reply says of each matter; None where nothing can be read. A matter without a line stays as it is."""
    lines = [match for line in reply.splitlines() if (match := _LINE.match(line.strip()))]
    if not lines:
        return None
    pairs: dict[int, list[ReadPair]] = {}  # by matter
    same: dict[int, int] = {}  # as which matter above
    leads: dict[int, ReadPair | None] = {}
    left_out = 0
    for match in lines:
        n, verdict, rest = int(match["matter"]), match["verdict"].lower(), (match["rest"] or "").strip()
        if not 1 <= n <= len(batch.matters) or n in pairs or n in same:
            left_out += 1
            continue
        matter = batch.matters[n - 1]
        if verdict == "same":
            number = re.match(r"\W*(\d{1,4})", rest)
            above = int(number[1]) if number else 0
            above = same.get(above, above)
            if above in pairs:
                same[n] = above
                said = pairs[above][0]  # what the reply says of the matter above holds for both
                like = said.verdict == "contradiction"
                pairs[above] += [
                    pair if like else replace(pair, what=said.what) for pair in _pairs(matter, said.verdict)
                ]
            else:
                left_out += 1
        elif verdict == "contradiction":
            leads[n] = _lead(rest, batch)
            pairs[n] = _pairs(matter, "contradiction")
        else:
            pairs[n] = [replace(pair, what=shorten(rest)) for pair in _pairs(matter, _VERDICTS[verdict])]
    told: dict[frozenset[SentencePlace], ReadPair] = {}
    for n, of_matter in pairs.items():
        lead = leads.get(n)
        if lead and {lead.first, lead.other} <= {place for pair in of_matter for place in (pair.first, pair.other)}:
            of_matter.insert(0, lead)
        else:
            left_out += n in leads
        about = next((pair.matter for pair in of_matter if pair.matter), "")
        for pair in of_matter:
            named = about if pair.verdict == "contradiction" else ""
            told.setdefault(frozenset((pair.first, pair.other)), replace(pair, matter=named))
    reading = ContradictionReading(
        key=batch.key(model),
        model=model,
        recipe=recipe(model),
        chunk_ids=batch.chunk_ids,
        pairs=tuple(told.values()),
        checks=True,
    )
    return ContradictionReply(reading=reading, left_out=left_out)


def _lead(rest: str, batch: CheckBatch) -> ReadPair | None:
    match = _LEAD.match(rest)
    numbers = (int(match["first"]), int(match["other"])) if match else (0, 0)
    if not match or numbers[0] == numbers[1] or not all(n in batch.sentences for n in numbers):
        return None
    one, opposite = (batch.sentences[n] for n in numbers)
    if (one.document_id, one.voice, one.when) == (opposite.document_id, opposite.voice, opposite.when):
        return None
    first, other = _place(one), _place(opposite)
    whats = {
        frozenset((_place(pair.first), _place(pair.other))): pair.what
        for matter in batch.matters
        for pair in matter.pairs
    }
    what = whats.get(frozenset((first, other)), "")
    about = shorten(match["about"] or "")
    return ReadPair(verdict="contradiction", first=first, other=other, what=what, matter=about)


def _pairs(matter: Matter, verdict: PairVerdict) -> list[ReadPair]:
    return [
        ReadPair(
            verdict=verdict, first=_place(pair.first), other=_place(pair.other), what=pair.what, matter=matter.about
        )
        for pair in matter.pairs
    ]


def _place(statement: Statement) -> SentencePlace:
    return SentencePlace(chunk_id=statement.chunk_id, start=statement.start, end=statement.end)
