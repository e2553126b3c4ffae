"""What lines say without a sentence: the rows of a table, the head of a mail, the name under a letter.

Badge | Porte | Heure          Badge 0009, heure, 20:48
0009  | B     | 20:48
From: Claire Kerbrat <c@...>   Claire Kerbrat wrote to Ruth Ansell
To: Ruth Ansell
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME
from filigraph.graph.ingest.extract.patterns.statements import Statement, is_quoted_line, person, statements
from filigraph.graph.model import Span, Triplet
from filigraph.graph.text.mail_headers import HEAD_LINES, head_of
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.words import tokens

FEWEST_CELLS = 3
MOST_CELLS = 12
LONGEST_CELL = 5  # words: what is longer is a description, and would hide the names in it
FACTS_A_ROW = 6
FEWEST_LETTERS = 3  # of a cell that says something: "A" and "in" do not
LONGEST_SIGNATURE = 4  # words
SIGNED_WITHIN = 4  # the last lines of a chunk

_WROTE = {"fr": ("a écrit à", "a écrit sur"), "": ("wrote to", "wrote about")}
_RULE = re.compile(r"[\s|:+=-]*")
_NUMBER = re.compile(r"\d")
_SALUTATION = re.compile(
    r"^\W{0,2}(?:my )?(?:dear|sir|madam|gentlemen|ch[eè]re?s?|monsieur|madame|mon|ma|ma[iî]tre)\b", re.IGNORECASE
)
_NO_SIGNATURE = frozenset(("yours", "your", "sincerely", "truly", "votre", "vos", "bien", "cordialement", "love", "ps"))
_ANSWER = re.compile(r"^(?:re|fwd?|tr|aw|wg|sv|rv)\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Lines:
    """What the lines of a chunk say."""

    triplets: tuple[Triplet, ...] = ()
    names: tuple[str, ...] = ()
    heads: frozenset[int] = frozenset()  # where lines begin in which nothing is a name: heads of tables, dates
    rows: frozenset[int] = frozenset()  # where rows begin: the parser finds their names, and no fact
    author: str = ""  # who "I" is, as far as the lines say
    signed: Span = (0, 0)  # the line that says so
    statements: tuple[Statement, ...] = ()  # parts that others say
    quoted: frozenset[int] = frozenset()  # where sentences begin in lines marked as quoted

    def speaker(self, at: int) -> tuple[str, Span]:
        """Who "I" is at a place, and the line that says so; "" where that is not told."""
        part = next((part for part in self.statements if part.start <= at < part.end), None)
        if part is not None:
            return part.author, part.told
        return ("", (0, 0)) if at in self.quoted else (self.author, self.signed)


def read_lines(text: str, offsets: Sequence[Span], language: str) -> Lines:
    """The facts of a chunk's tables and of the head of a mail; offsets are those of its sentences."""
    fields = _head(text, offsets)
    rows = list(_tables(text, offsets))
    others = statements(text)
    author, signed = _author(fields) if fields else ("", (0, 0)) if others else _signature(text, offsets)
    return Lines(
        triplets=(*_mail(fields, author, language), *(triplet for _, _, triplets in rows for triplet in triplets)),
        names=(author,) if fields and author else (),
        heads=frozenset([start for (start, _), is_head, _ in rows if is_head]).union(
            start for _, (start, end) in _values(fields, "date") if "\n" not in text[start:end]
        ),
        rows=frozenset(start for (start, _), is_head, _ in rows if not is_head),
        author=author,
        signed=signed,
        statements=tuple(_with_sentence(part, offsets) for part in others),
        quoted=frozenset(start for start, _ in offsets if is_quoted_line(text, start)),
    )


def _with_sentence(part: Statement, offsets: Sequence[Span]) -> Statement:
    """A statement whose author is told by a sentence, for premises are sentences."""
    told = next((span for span in offsets if span[0] <= part.told[0] < span[1]), part.told)
    return replace(part, told=told)


# --------------------------------------------------------------------------------------------------------------------
# Mails and letters


def _head(text: str, offsets: Sequence[Span]) -> dict[str, tuple[str, Span]]:
    """Field of a mail's head -> its value and its line."""
    lines = _written(text, offsets)
    return {field: (value, lines[n][1]) for field, (value, n) in head_of([line for line, _ in lines]).items()}


def _written(text: str, offsets: Sequence[Span]) -> list[tuple[str, Span]]:
    """The lines of a text that hold something, each with the sentence that it begins in: short lines may be one."""
    lines = [(match[0].strip(), match.start()) for match in re.finditer(r"\S[^\n]*", text)]
    return [(line, span) for line, at in lines for span in offsets if span[0] <= at < span[1]]


def _author(fields: Mapping[str, tuple[str, Span]]) -> tuple[str, Span]:
    value, span = fields["from"]
    return person(value), span


def _mail(fields: Mapping[str, tuple[str, Span]], author: str, language: str) -> Iterator[Triplet]:
    """Who wrote to whom about what."""
    to, about = _WROTE.get(language, _WROTE[""])
    ends = [(to, person, span) for value, span in _values(fields, "to", "copy") for person in _persons(value)]
    ends += [
        (about, _ANSWER.sub("", value.strip(" .")), span)
        for value, span in _values(fields, "subject")
        if len(value) <= MAX_NAME
    ]
    for predicate, end, (start, stop) in ends:
        if author and end.casefold() != author.casefold():
            yield Triplet(subject=author, predicate=predicate, object=end, start=start, end=stop)


def _values(fields: Mapping[str, tuple[str, Span]], *names: str) -> Iterator[tuple[str, Span]]:
    yield from (fields[name] for name in names if name in fields)


def _persons(value: str) -> Iterator[str]:
    yield from (name for part in value.split(";") if (name := person(part)))


def _signature(text: str, offsets: Sequence[Span]) -> tuple[str, Span]:
    """The name under a letter: alone in one of its last lines, below a salutation."""
    lines = _written(text, offsets)
    greets = (_SALUTATION.match(line) and len(tokens(line)) <= LONGEST_SIGNATURE for line, _ in lines[:HEAD_LINES])
    below = next((n + 1 for n, salutation in enumerate(greets) if salutation), len(lines))
    for line, span in lines[below:][: -SIGNED_WITHIN - 1 : -1]:
        name = line.split(",")[0].strip(" .–—-")
        words = tokens(name)
        if not words or len(words) > LONGEST_SIGNATURE or _NUMBER.search(name):
            continue
        if all(word.text[0].isupper() for word in words) and not {word.folded for word in words} & _NO_SIGNATURE:
            return name, span
    return "", (0, 0)


def in_third_person(predicate: str) -> str:
    """What "I" did, said of whoever it is: "have sent" -> "has sent"."""
    first, space, rest = predicate.partition(" ")
    return f"{_THIRD.get(first, first)}{space}{rest}"


_THIRD = {
    "am": "is", "have": "has", "do": "does",
    "suis": "est", "ai": "a", "étais": "était", "avais": "avait", "fus": "fut", "eus": "eut",
}  # fmt: skip


# --------------------------------------------------------------------------------------------------------------------
# Tables


def _tables(text: str, offsets: Sequence[Span]) -> Iterator[tuple[Span, bool, list[Triplet]]]:
    """Each line of a table, whether it is the head, and what it says."""
    head: list[str] = []
    for start, end in offsets:
        cells = _cells(text[start:end])
        if not cells:
            head = []
        elif len(cells) != len(head):
            head = cells if _is_head(cells) else []
            if head:
                yield (start, end), True, []
        else:
            yield (start, end), False, list(_row(head, cells, start, end))


def _cells(line: str) -> list[str]:
    """The cells of a row; [] for what is none."""
    mark = "|" if "|" in line else "\t"
    cells = [cell.strip(" \t*_") for cell in line.strip().strip(mark).split(mark)]
    return cells if FEWEST_CELLS <= len(cells) <= MOST_CELLS else []


def _is_head(cells: Sequence[str]) -> bool:
    return all(cell and len(tokens(cell)) <= LONGEST_CELL for cell in cells) and not _NUMBER.search("".join(cells))


def _row(head: Sequence[str], cells: Sequence[str], start: int, end: int) -> Iterator[Triplet]:
    """The facts of a row: of its first cell that names something, by the head of each other cell."""
    if _RULE.fullmatch("".join(cells)):
        return
    subject = next((n for n, cell in enumerate(cells) if _names(cell)), None)
    label = ""
    if not _names(cells[0]) and _is_code(cells[0]):
        subject, label = 0, f"{head[0]} "  # "Badge 0009"
    if subject is None:
        return
    facts = 0
    for n, cell in enumerate(cells):
        if n != subject and facts < FACTS_A_ROW and _says(cell):
            facts += 1
            yield Triplet(
                subject=f"{label}{cells[subject]}", predicate=head[n].lower(), object=cell, start=start, end=end
            )


def _names(cell: str) -> bool:
    """Whether a cell names something: it begins with a capital, or a letter without case, and is no date."""
    words = tokens(cell)
    if not 0 < len(words) <= LONGEST_CELL or len(cell) < FEWEST_LETTERS or "," in cell or words[0].folded in PRONOUNS:
        return False
    return words[0].text[0].isalpha() and not words[0].text[0].islower()


def _is_code(cell: str) -> bool:
    """ "0009", "n° 2", "C1": a number among others of its kind, no date and no sum."""
    return bool(re.fullmatch(r"(?:n[°ºo.]{1,2}\s?)?[A-Z]{0,3}[-\s]?\d{1,6}[A-Z]?", cell, re.I))


def _says(cell: str) -> bool:
    words = tokens(cell)
    return (
        0 < len(words) <= LONGEST_CELL
        and len(cell) <= MAX_NAME
        and (len(cell) >= FEWEST_LETTERS or bool(_NUMBER.search(cell)))
    )
