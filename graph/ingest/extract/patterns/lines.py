"""What lines state without a sentence: the rows of a table, the head of a mail, the name under a letter.

Badge | Porte | Heure          Badge 0009, heure, 20:48
0009  | B     | 20:48
From: Claire Kerbrat <c@...>   Claire Kerbrat wrote to Ruth Ansell
To: Ruth Ansell
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from filigraph.graph.ingest.extract.patterns.entries import dated_sentences, dates_of_writing
from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME_CHARS
from filigraph.graph.ingest.extract.patterns.registers import read_registers
from filigraph.graph.ingest.extract.patterns.statements.mails import is_quoted_line, sender_name
from filigraph.graph.ingest.extract.patterns.statements.parts import statements
from filigraph.graph.ingest.extract.patterns.statements.statement import Statement
from filigraph.graph.ingest.extract.patterns.statements.titles import author_in_title
from filigraph.graph.ingest.extract.patterns.tables import Row, read_tables
from filigraph.graph.ingest.extract.preceding import preceding_date, table_head, weekdays_of
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Triplet
from filigraph.graph.text.formats.mail_headers import MAX_HEAD_LINES, head_of
from filigraph.graph.text.names.parse import parse
from filigraph.graph.text.names.tables import ARTICLES
from filigraph.graph.text.time.relative_dates import TextDate
from filigraph.graph.text.verbs.english_verbs import PRESENT
from filigraph.graph.text.words import tokens

LONGEST_SIGNATURE = 4  # words
SIGNED_WITHIN = 4  # the last lines of a chunk

_WROTE = {"fr": ("a écrit à", "a écrit sur"), "": ("wrote to", "wrote about")}
_ADDRESSEES = re.compile(r";|(?<=[>)])\s*,")  # between receivers; a comma may be in a name: "Vane, Piers" <p@v.example>
_NUMBER = re.compile(r"\d")
_SALUTATION = re.compile(
    r"^\W{0,2}(?:my )?(?:dear|sir|madam|gentlemen|ch[eè]re?s?|monsieur|madame|mon|ma|ma[iî]tre)\b", re.IGNORECASE
)
_NO_SIGNATURE = frozenset(("yours", "your", "sincerely", "truly", "votre", "vos", "bien", "cordialement", "love", "ps"))
_ANSWER = re.compile(r"^(?:(?:re|fwd?|tr|aw|wg|sv|rv)\s*:\s*)+", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class LineFacts:
    """What the lines of a chunk state."""

    triplets: tuple[Triplet, ...] = ()
    names: tuple[str, ...] = ()
    heads: frozenset[int] = frozenset()  # starts of lines without names: heads of tables, dates
    # by where they begin: the parser finds their names, but no facts
    rows: Mapping[int, Row] = field(default_factory=dict)
    author: str = ""  # the person who says "I", if the lines say so
    signed: Span = (0, 0)  # the line that says so
    statements: tuple[Statement, ...] = ()  # parts that others say
    quoted: frozenset[int] = frozenset()  # starts of sentences in lines marked as quoted
    labels: Mapping[int, int] = field(
        default_factory=dict
    )  # start of each sentence in the head of a quotation -> end of the head
    dates: Mapping[int, tuple[TextDate, ...]] = field(default_factory=dict)  # dates in sentences, by where these begin

    def speaker_at(self, at: int) -> str:
        """The speaker at a place of a chat, a transcript or a play; "" elsewhere."""
        return next((part.author for part in self.statements if part.is_turn and part.start <= at < part.end), "")

    def speaker(self, at: int) -> tuple[str, Span]:
        """The person who says "I" at a place, and the line that says so; "" if unknown."""
        part = next((part for part in self.statements if part.start <= at < part.end), None)
        if part is not None:
            return part.author, part.speaker_line
        return ("", (0, 0)) if at in self.quoted else (self.author, self.signed)


def read_line_facts(text: str, offsets: Sequence[Span], language: str, before: str = "") -> LineFacts:
    """The facts in a chunk's tables and in the head of a mail, with the offsets of its sentences. `before`: what was
    known when the chunk began (`preceding.py`).
    """
    fields = _mail_head(text, offsets)
    rows = [*read_tables(text, offsets, language, table_head(before)), *read_registers(text, offsets, language)]
    others = statements(text)
    author, signed = _author_and_line(text, offsets, fields, others)
    return LineFacts(
        triplets=(*_mail(fields, author, language), *(triplet for row in rows for triplet in row.triplets)),
        names=(
            *((author,) if fields and author else ()),
            *(person for value, _ in _field_values(fields, "to", "copy") for person in _persons(value)),
            *_speakers(text, others),
            *(name for row in rows for name in row.names),
        ),
        heads=frozenset([row.span[0] for row in rows if row.is_head]).union(
            start
            for _, (start, end) in _field_values(fields, "date", "from", "to", "copy")
            if "\n" not in text[start:end]
        ),
        rows={row.span[0]: row for row in rows if not row.is_head},
        author=author,
        signed=signed,
        statements=tuple(_with_sentence(part, offsets) for part in others),
        quoted=frozenset(start for start, _ in offsets if is_quoted_line(text, start)),
        labels={**_labels_of_fields(text, fields), **_labels(offsets, others)},
        dates=_dates(text, offsets, language, before, others),
    )


def dates_of_sentences(
    text: str, offsets: Sequence[Span], language: str, before: str = ""
) -> Mapping[int, tuple[TextDate, ...]]:
    """The dates in each sentence, by where it begins; the date of writing of its part of the text completes them."""
    return _dates(text, offsets, language, before, statements(text))


def _dates(
    text: str, offsets: Sequence[Span], language: str, before: str, others: Sequence[Statement]
) -> Mapping[int, tuple[TextDate, ...]]:
    return dated_sentences(
        text,
        offsets,
        language,
        dates_of_writing(text, language, preceding_date(before), others),
        _labels(offsets, others),
        weekdays_of(before),
    )


def _labels(offsets: Sequence[Span], others: Sequence[Statement]) -> Mapping[int, int]:
    """Start of each sentence within the label of a speaker or the head of a quoted mail -> end of that label or
    head.
    """
    heads = [part.head for part in others]
    return {at: end for at, _ in offsets for start, end in heads if start <= at < end}


def _labels_of_fields(text: str, fields: Mapping[str, tuple[str, Span]]) -> dict[int, int]:
    """Start of each sentence that begins with the label of a mail's field ("Subject:") -> start of the value: the label
    is not a name.
    """
    values = {start: text.find(value, start, end) for value, (start, end) in fields.values()}
    return {start: at for start, at in values.items() if at > start and "\n" not in text[start:at]}


def author_of(text: str, offsets: Sequence[Span]) -> str:
    """The person who says "I" in a text, if its lines say so."""
    return _author_and_line(text, offsets, _mail_head(text, offsets), statements(text))[0]


def _author_and_line(
    text: str, offsets: Sequence[Span], fields: Mapping[str, tuple[str, Span]], others: Sequence[Statement]
) -> tuple[str, Span]:
    if fields:
        return _author(fields)
    if others:
        return "", (0, 0)
    who, signed = _signature(text, offsets)
    return (who, signed) if who else _title(text, offsets)


def _speakers(text: str, others: Sequence[Statement]) -> list[str]:
    """The speakers of a chat, a transcript or a play, as written, except labels that are not names: "The Court",
    "Q.".
    """
    authors = dict.fromkeys(part.author for part in others if part.is_turn and part.author)
    named = [who for who in authors if not parse(who).role and tokens(who)[0].folded not in ARTICLES - {"le", "la"}]
    return [who.upper() if who.upper() in text else who for who in named]


def _with_sentence(part: Statement, offsets: Sequence[Span]) -> Statement:
    """A statement with a sentence that names its author, because premises are sentences."""
    speaker_span = next((span for span in offsets if span[0] <= part.speaker_line[0] < span[1]), part.speaker_line)
    return replace(part, speaker_line=speaker_span)


# --------------------------------------------------------------------------------------------------------------------
# Mails and letters


def _mail_head(text: str, offsets: Sequence[Span]) -> dict[str, tuple[str, Span]]:
    """Field of a mail's head -> its value and its line."""
    lines = _lines_with_sentences(text, offsets)
    return {field: (value, lines[n][1]) for field, (value, n) in head_of([line for line, _ in lines]).items()}


def _lines_with_sentences(text: str, offsets: Sequence[Span]) -> list[tuple[str, Span]]:
    """The lines of a text that are not blank, each with the sentence that it begins in: several short lines may be one
    sentence.
    """
    lines = [(match[0].strip(), match.start()) for match in re.finditer(r"\S[^\n]*", text)]
    return [(line, span) for line, at in lines for span in offsets if span[0] <= at < span[1]]


def _author(fields: Mapping[str, tuple[str, Span]]) -> tuple[str, Span]:
    value, span = fields["from"]
    return sender_name(value), span


def _mail(fields: Mapping[str, tuple[str, Span]], author: str, language: str) -> Iterator[Triplet]:
    """Who wrote to whom about what."""
    to, about = _WROTE.get(language, _WROTE[""])
    ends = [(to, person, span) for value, span in _field_values(fields, "to", "copy") for person in _persons(value)]
    ends += [
        (about, _ANSWER.sub("", value.strip(" .")), span)
        for value, span in _field_values(fields, "subject")
        if len(value) <= MAX_NAME_CHARS
    ]
    for predicate, end, (start, stop) in ends:
        if author and end.casefold() != author.casefold():
            yield Triplet(subject=author, predicate=predicate, object=end, start=start, end=stop)


def _field_values(fields: Mapping[str, tuple[str, Span]], *names: str) -> Iterator[tuple[str, Span]]:
    yield from (fields[name] for name in names if name in fields)


def _persons(value: str) -> Iterator[str]:
    yield from (name for part in _ADDRESSEES.split(value) if (name := sender_name(part)))


def _signature(text: str, offsets: Sequence[Span]) -> tuple[str, Span]:
    """The name under a letter: by itself in one of its last lines, below a salutation."""
    lines = _lines_with_sentences(text, offsets)
    greets = (_SALUTATION.match(line) and len(tokens(line)) <= LONGEST_SIGNATURE for line, _ in lines[:MAX_HEAD_LINES])
    below = next((n + 1 for n, salutation in enumerate(greets) if salutation), len(lines))
    for line, span in lines[below:][: -SIGNED_WITHIN - 1 : -1]:
        name = line.split(",")[0].strip(" .–—-")
        words = tokens(name)
        if not words or len(words) > LONGEST_SIGNATURE or _NUMBER.search(name):
            continue
        if all(word.text[0].isupper() for word in words) and not {word.folded for word in words} & _NO_SIGNATURE:
            return name, span
    return "", (0, 0)


def _title(text: str, offsets: Sequence[Span]) -> tuple[str, Span]:
    """The person whose diary or statement it is, by the title."""
    lines = _lines_with_sentences(text, offsets)
    who, number = author_in_title([line for line, _ in lines])
    return (who, lines[number][1]) if who else ("", (0, 0))


def in_third_person(predicate: str, language: str = "en") -> str:
    """A predicate of "I", for a third person: "have sent" -> "has sent", "connais" -> "connaît"."""
    first, space, rest = predicate.partition(" ")
    third = _THIRD.get(first) or (_french_third(first) if language == "fr" else _english_third(first))
    return f"{third}{space}{rest}"


def _english_third(verb: str) -> str:
    forms = (f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies")
    return verb if verb in PRESENT else next((form for form in forms if form in _IN_PRESENT), verb)


def _french_third(verb: str) -> str:
    if verb.endswith(("connais", "parais")):
        return f"{verb[:-3]}aît"
    if verb.endswith(("ds", "ts", "cs")):
        return verb[:-1]
    return f"{verb[:-1]}t" if verb.endswith("s") else f"{verb[:-1]}" if verb.endswith("ai") else verb


_IN_PRESENT = frozenset(PRESENT.values())
_THIRD = {
    "am": "is", "have": "has", "do": "does",
    "suis": "est", "ai": "a", "vais": "va", "peux": "peut", "veux": "veut",
    "étais": "était", "avais": "avait", "fus": "fut", "eus": "eut",
}  # fmt: skip
