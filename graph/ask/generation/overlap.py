"""Overlap: chunks share sentences at their edges, and mails quote each other; the evidence has each of these once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from filigraph.graph.ask.generation.compose import quoted_by
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Evidence, Hop, Retrieved
from filigraph.graph.text.formats.mail_headers import MAX_HEAD_LINES, head_of
from filigraph.graph.text.formats.mail_quotes import without_quote_marks
from filigraph.graph.text.language import detect
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences

_QUOTED = re.compile(r"^[ \t]*>[^\n]*\n?", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?:^|[.!?…:;)\]»”\"'’]|\n[ \t]*\n)[\s>]*$")  # not in mid-sentence
_LINE = re.compile(r"\S[^\n]*")
MAX_HEADER_FIELD_CHARS = 20  # characters of "Copie à :"
MIN_OVERLAP_CHARS = 12  # characters: "Yes." is said again and again


def without_overlap(retrieved: Retrieved) -> Retrieved:
    """The same, with each sentence that chunks share in only one of them: the chunk that a path quotes it from, else
    the first. A chunk with no text of its own is removed, unless a path leads through it."""
    retrieved = _without_copies(retrieved)
    quoted = quoted_by(retrieved.paths)
    distinct = without_shared_text(retrieved.evidence, quoted)
    return replace(retrieved, evidence=tuple(item for item in distinct if item.text or item.id in quoted))


def _without_copies(retrieved: Retrieved) -> Retrieved:
    """The same, with a text of several documents only in the first passage that has it. That passage names the others,
    and hops that cite a copy cite it instead."""
    first: dict[str, Evidence] = {}
    instead: dict[str, str] = {}
    for item in retrieved.evidence:
        original = first.setdefault(item.text, item) if item.kind == "chunk" else item
        if original.id != item.id and original.document_id != item.document_id:
            instead[item.id] = original.id
            also = tuple(sorted({*original.also, *item.also, item.source}))
            first[item.text] = replace(original, also=also)
    if not instead:
        return retrieved
    evidence = [first.get(item.text, item) for item in retrieved.evidence if item.id not in instead]
    return replace(
        retrieved,
        evidence=tuple(evidence),
        paths=tuple(
            replace(path, hops=tuple(_hop_in_other_chunk(hop, instead) for hop in path.hops))
            for path in retrieved.paths
        ),
    )


def _hop_in_other_chunk(hop: Hop, instead: Mapping[str, str]) -> Hop:
    premises = tuple(instead.get(id_, id_) for id_ in hop.premise_chunk_ids)
    return replace(hop, chunk_id=instead.get(hop.chunk_id, hop.chunk_id), premise_chunk_ids=premises)


def without_shared_text(evidence: Sequence[Evidence], quoted: Mapping[str, Sequence[str]]) -> list[Evidence]:
    """The same passages, each without the text that another has; `quoted`: chunk id -> sentences that it keeps."""
    spans = {item.id: (0, _own_end(n, evidence, quoted.get(item.id, ()))) for n, item in enumerate(evidence)}
    for one, two in combinations([item for item in evidence if item.kind == "chunk"], 2):
        if one.document_id == two.document_id:
            _divide_shared_text(one, two, quoted, spans)
    return [_cut_to_span(item, spans[item.id]) for item in evidence]


def _own_end(position: int, evidence: Sequence[Evidence], quotes: Sequence[str]) -> int:
    """The offset at which a mail begins to quote other mails of the evidence, if the quotation is at its end; else the
    mail's length. A quotation that neither ">" nor the head of a mail marks counts only if an earlier passage has it,
    so that one of them keeps it."""
    item = evidence[position]
    end = len(item.text)
    if item.kind != "chunk" or not _is_mail(item.text):
        return end
    others = [(n, other.text) for n, other in enumerate(evidence) if other.document_id != item.document_id]
    before = [without_quote_marks(_own_words(text)) for n, text in others if n < position]
    if_marked = [without_quote_marks(_own_words(text) if n > position else text) for n, text in others]
    quotes_from = _head_within(item.text)
    for start, stop in reversed(sentences(item.text, detect(item.text))):
        own_text = item.text[start:stop]
        bare = without_quote_marks(own_text)
        is_marked = start >= quotes_from or bool(_QUOTED.match(item.text, item.text.rfind("\n", 0, start) + 1))
        repeated = not bare or any(bare in other for other in (if_marked if is_marked else before))
        if not repeated or _is_quoted(own_text, quotes):
            break
        if _SENTENCE_END.search(item.text[:start]):
            end = start
    return end


def _own_words(text: str) -> str:
    """A mail without its quotations: marked lines, and the text below the head of another mail."""
    return _QUOTED.sub("", text[: _head_within(text)])


def _head_within(text: str) -> int:
    """The offset of the head of a mail that this one quotes or forwards; the length of the text if there is none."""
    lines = [(match.start(), match[0].strip(" \t>*")) for match in _LINE.finditer(text)]
    own = head_of([line for _, line in lines[:MAX_HEAD_LINES]])
    below = 1 + max((number for _, number in own.values()), default=0)
    for n, (start, line) in enumerate(lines[below:], start=below):
        head = (
            head_of([one for _, one in lines[n : n + MAX_HEAD_LINES]]) if ":" in line[:MAX_HEADER_FIELD_CHARS] else {}
        )
        if head and head["from"][1] == 0:
            return start
    return len(text)


def _is_mail(text: str) -> bool:
    """Whether a text quotes lines, or begins with the head of a mail."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return any(line.startswith(">") for line in lines) or bool(head_of(lines[:MAX_HEAD_LINES]))


def _divide_shared_text(
    one: Evidence, two: Evidence, quoted: Mapping[str, Sequence[str]], spans: dict[str, Span]
) -> None:
    """Remove the text that two chunks share from one of them."""
    for before, after in ((one, two), (two, one)):
        length = _overlap(before.text, after.text)
        if not length:
            continue
        shared = after.text[:length]
        loser = one if _is_quoted(shared, quoted.get(two.id, ())) else two
        if loser is one and _is_quoted(shared, quoted.get(one.id, ())):
            continue  # each is the evidence of a hop
        start, end = spans[loser.id]
        if loser is after:
            spans[loser.id] = max(start, length), end
        else:
            spans[loser.id] = start, min(end, len(before.text) - length)
        return


def _overlap(before: str, after: str) -> int:
    """Characters at the end of a text that another begins with, from the beginning of a sentence on."""
    least = MIN_OVERLAP_CHARS - (len(before) - len(before.rstrip()))
    if after[:least] not in before:  # most pairs share nothing, and finding sentences takes a thousand times as long
        return 0
    for start, _ in sentences(before, detect(before)):
        if len(before) - start >= MIN_OVERLAP_CHARS and after.startswith(before[start:].rstrip()):
            return len(before[start:].rstrip())
    return 0


def _is_quoted(shared: str, quotes: Sequence[str]) -> bool:
    return any(quote.strip() in shared for quote in quotes if quote.strip())


def _cut_to_span(item: Evidence, span: Span) -> Evidence:
    """A passage cut to a part of it, with the places and the nearest sentences of that part."""
    start, end = span
    text = item.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    if text == item.text.strip() or (not text and not item.text):
        return item
    if start >= end:
        return replace(item, text="")
    end = start + len(text)
    nearest = tuple((a - start, b - start) for a, b in item.nearest if start <= a and b <= end)
    first = next((name for at, name in reversed(item.places) if at <= start), "")
    places = ((0, first), *((at - start, name) for at, name in item.places if start < at < end)) if item.places else ()
    near = nearest[0] if nearest else (0, len(text))
    return replace(item, text=text, nearest=nearest, places=places, place=place_of(places, *near, otherwise=item.place))
