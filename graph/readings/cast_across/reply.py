"""Parses an LLM's reply on who is who across documents: a line for each statement. It is broken or hostile input: names
and documents that do not exist, and groups without a sentence that names one of them, are left out, and counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from filigraph.graph.ids import content_id, content_part
from filigraph.graph.model.llm_readings import CastLink, LinkKind, NamePlace
from filigraph.graph.models.llm_batches import says_none
from filigraph.graph.readings.cast_across.plan import AcrossBatch, ShownSentence

MOST_NAMES = 12  # of one line, or places of a TWO; with more it lists everybody
MOST_SENTENCES = 12  # likewise
MOST_LINES = 400
REASON_SENTENCES, REASON_CHARS = 3, 300  # that are stored as the reason, and characters of each
_LINE = re.compile(
    r"^[\s>*•`-]*(?P<kind>ONE|ALIAS|TWO)\b[\s*`]*[|:]\s*(?P<names>[^|]+)(?:\|\s*(?P<sentences>[^|]*))?", re.IGNORECASE
)
_NAME = re.compile(r"\s*#?(?P<number>\d{1,5})\s*(?:@\s*(?P<documents>D?\s*\d{1,4}))?\s*(?:\(.*)?$", re.IGNORECASE)
_DOCUMENT = re.compile(r"\s*D\s*(?P<document>\d{1,4})\s*$", re.IGNORECASE)  # "17@D2, D5"
_SENTENCE = re.compile(r"\[\s*(\d{1,5})\s*\]")
_KINDS: dict[str, LinkKind] = {"one": "one", "alias": "alias", "two": "two"}


@dataclass(frozen=True, kw_only=True)
class AcrossReply:
    """The readable part of a reply."""

    links: tuple[CastLink, ...]  # the first says that the call was answered
    left_out: int  # lines that cannot be believed


def read_across_reply(reply: str, batch: AcrossBatch, call: str) -> AcrossReply | None:
    """A parsed reply; None if it is unreadable."""
    lines = [match for line in reply.splitlines() if (match := _LINE.match(line))][:MOST_LINES]
    if not lines and not says_none(reply):
        return None
    links = {call: call_link(batch, call, "")}
    left_out = 0
    for match in lines:
        names = _names(match["names"], batch)
        sentence_numbers = [int(number) for number in _SENTENCE.findall(match["sentences"] or "")]
        kind = _KINDS[match["kind"].lower()]
        link = _link(kind, names, sentence_numbers, batch, call)
        if link is None:
            left_out += 1
        else:
            links[link.key] = link
    return AcrossReply(links=tuple(links.values()), left_out=left_out)


def call_link(batch: AcrossBatch, call: str, why: str) -> CastLink:
    """Says that a call was answered, or why its replies cannot be read."""
    return CastLink(key=call, call=call, kind="call", names=(), reads=batch.chunk_ids, reason=why)


def _names(text: str, batch: AcrossBatch) -> list[list[NamePlace]]:
    """The names of a line, each with its places; [] if one of them cannot be read."""
    names: list[tuple[str, list[int]]] = []
    for piece in re.split(r"[,;=&]", text):
        more = _DOCUMENT.match(piece)
        if more and names and names[-1][1]:
            names[-1][1].append(int(more["document"]))
            continue
        match = _NAME.match(" ".join(piece.split()))  # matching long gaps takes long
        key = batch.names.get(int(match["number"])) if match else None
        if match is None or key is None:
            return []
        documents = match["documents"]
        names.append((key, [int(re.sub(r"\D", "", documents))] if documents else []))
    placed_names = []
    for key, documents in names:
        name_places = batch.places[key]
        if not documents and key not in batch.proper and len(name_places) > 1:
            return []  # a description means somebody else in another document
        places = [name_places[number] for number in documents or name_places if number in name_places]
        if not places:
            return []
        placed_names.append(places)
    return placed_names


def _link(
    kind: LinkKind, names: Sequence[Sequence[NamePlace]], sentence_numbers: Sequence[int], batch: AcrossBatch, call: str
) -> CastLink | None:
    """A line that can be believed; else None."""
    if len(sentence_numbers) > MOST_SENTENCES:
        return None
    shown = [batch.sentences[number] for number in dict.fromkeys(sentence_numbers) if number in batch.sentences]
    if kind == "two":
        places = {replace(place, side=side) for side, those in enumerate(names) for place in those}
        bare = [{(place.document_id, place.key) for place in those} for those in names]
        if len(names) != 2 or not bare[0].isdisjoint(bare[1]) or len(places) > MOST_NAMES:
            return None
        if not all(any(_names_one(sentence, those) for sentence in shown) for those in names):
            return None
    else:
        places = {place for those in names for place in those}
        keys = {place.key for place in places}
        if len(places) < 2 or len(keys) > MOST_NAMES or all(keys.isdisjoint(one.keys) for one in shown):
            return None
    ordered, reads = tuple(sorted(places)), tuple(sorted({sentence.chunk_id for sentence in shown}))
    members = [f"{content_part(one.document_id)} {one.side} {one.key}" for one in ordered]
    return CastLink(
        key=content_id("cast-link", call, kind, *members, *map(content_part, reads)),
        call=call,
        kind=kind,
        names=ordered,
        reads=reads,
        reason=" / ".join(_shortened(sentence.text) for sentence in shown[:REASON_SENTENCES]),
    )


def _names_one(sentence: ShownSentence, places: Sequence[NamePlace]) -> bool:
    """Whether a sentence has one of some names, in the document of that name."""
    return any(place.document_id == sentence.document_id and place.key in sentence.keys for place in places)


def _shortened(text: str) -> str:
    return text if len(text) <= REASON_CHARS else f"{text[:REASON_CHARS]} …"
