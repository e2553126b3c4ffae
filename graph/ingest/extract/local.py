"""The local extractor: French and English sentences read by spaCy's parsers and the patterns of `graph/patterns`.

It reads what a sentence says explicitly: subject, verb and object, copula, possessive, apposition, passive, relative
clause, "X, dite Y", who speaks to whom, the only date of an action; and what lines say: tables, the head of a mail, a
signature. "He", "she" and "I" become a name if that is safe; such a fact is implied. It gives no types (spaCy's are not
reliable). In a language without a parser it finds names, links those that share a sentence, and reports this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.contract import extraction_key
from filigraph.graph.ingest.extract.patterns import english, french
from filigraph.graph.ingest.extract.patterns.adjacent import read_adjacent
from filigraph.graph.ingest.extract.patterns.antecedents import ReadSentence, antecedent, genders, in_order, speaker
from filigraph.graph.ingest.extract.patterns.described import read_described
from filigraph.graph.ingest.extract.patterns.lines import LineFacts, in_third_person, read_line_facts
from filigraph.graph.ingest.extract.patterns.phrases import Pattern, SentenceFact, SentenceReading
from filigraph.graph.ingest.extract.patterns.statements.mails import without_quote_prefixes
from filigraph.graph.ingest.extract.patterns.tables import A_SUM, Row, count_silent_rows
from filigraph.graph.ingest.extract.patterns.together import names_in, neighbouring_names, without_greetings
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Alias, Extraction, Triplet
from filigraph.graph.model.usage import Usage
from filigraph.graph.text.factuality.cues import CUES
from filigraph.graph.text.factuality.idioms import blank_idioms
from filigraph.graph.text.factuality.phrases import is_hedged, is_left_out, taken_back, unasserted_scopes
from filigraph.graph.text.names.capitals import MAX_WORD_CHARS
from filigraph.graph.text.names.inverted import has_given_name, is_in_capitals, may_be_place, natural_order
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.negation import WORDS_BEFORE
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.relative_dates import dates_in
from filigraph.graph.text.words import tokens

if TYPE_CHECKING:
    from spacy.language import Language

VERSION = "50"  # bump if a pattern changes: older stored extractions are then read again

_READERS = {"en": english.read, "fr": french.read}
_CHUNKS_AT_ONCE = 32  # enough sentences for full batches, few enough to cancel within two seconds
_SENTENCES_AT_ONCE = 128
_LONGEST_CLAUSE = 300  # words; longer sentences are lists, and the patterns walk down a parse once per word
_DEEDS = frozenset(("active", "passive", "complement", "place"))  # patterns of facts that may have a date
# Patterns of facts that a clause asserts; the others read what it presupposes: "denied that Ann's ring ..."
_ASSERTED = _DEEDS | {"copula", "relative"}
_MOST_PLACES = 5  # of a name in a sentence, that are looked at
_MOST_FACTS = 40  # per sentence: further names of a long list add nothing


@dataclass(frozen=True, kw_only=True)
class ParsedChunk:
    """The parsed sentences of a chunk that are prose."""

    sentences: tuple[ReadSentence, ...]
    skipped: int  # sentences that were not parsed, or only in part
    lines: LineFacts = field(default_factory=LineFacts)  # tables, the head of a mail, a signature


class LocalExtractor:
    """An Extractor without a language model. `load` gives the parser of a language, `adapters.spacy_models.load`."""

    name = "local"
    batch = 32  # a user who cancels waits until they are embedded
    expensive = False
    usage = Usage()
    version = VERSION

    def __init__(self, load: Callable[[str], Language]) -> None:
        self._load = load

    def expected(self, chunk: Chunk) -> Usage:
        return Usage()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        """One Extraction per chunk, in order. Raises ModelUnavailable."""
        for chunk, read in self.read(chunks):
            yield self.extraction(chunk, read)

    def read(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, ParsedChunk | None]]:
        """Each chunk with its parsed sentences; None in a language without a parser."""
        for position in range(0, len(chunks), _CHUNKS_AT_ONCE):
            batch = chunks[position : position + _CHUNKS_AT_ONCE]
            offsets_of = [sentences(chunk.text, chunk.language) for chunk in batch]
            lines = [_lines(chunk, offsets) for chunk, offsets in zip(batch, offsets_of, strict=True)]
            spans = [
                [span for span in offsets if span[0] not in chunk_lines.heads]
                for offsets, chunk_lines in zip(offsets_of, lines, strict=True)
            ]
            texts = [
                _plain_sentences(chunk.text, parts, chunk_lines.labels)
                for chunk, parts, chunk_lines in zip(batch, spans, lines, strict=True)
            ]
            readings = {
                language: self._read(
                    language,
                    [text for c, parts in zip(batch, texts, strict=True) if c.language == language for text in parts],
                )
                for language in _READERS
            }
            for chunk, offsets, plain, chunk_lines in zip(batch, spans, texts, lines, strict=True):
                known = readings.get(chunk.language)
                yield chunk, None if known is None else _in_chunk(chunk, offsets, plain, known, chunk_lines)

    def _read(self, language: str, sentences: Sequence[str]) -> Mapping[str, SentenceReading]:
        """Sentence, whitespace collapsed -> its reading. Chunks overlap: a sentence in two of them is parsed once."""
        texts = dict.fromkeys(sentences)
        readings = {text: SentenceReading() for text in texts if _is_prose(text)}
        if readings:
            clauses = (
                (_set_off(clause, language), (text, at))
                for text in readings
                for at, clause in _clauses(text)
                if not _too_long(clause)
            )
            parsed = self._load(language).pipe(clauses, batch_size=_SENTENCES_AT_ONCE, as_tuples=True)
            for document, (text, at) in parsed:
                reading = _READERS[language](document[:])
                read_adjacent(document.text, reading, language)
                read_described(document.text, reading, language)
                readings[text].extend(reading.shifted(at))
        return readings

    def extraction(self, chunk: Chunk, read: ParsedChunk | None) -> Extraction:
        """The Extraction of a chunk from its sentences."""
        if read is None:
            return self._names_only(chunk)
        sentences = read.sentences
        triplets = [
            *read.lines.triplets,
            *(triplet for triplet, _ in triplets_with_patterns(sentences, read.lines, chunk.language)),
        ]
        cut = sum(max(0, len(sentence.reading.facts) - _MOST_FACTS) for sentence in sentences)
        aliases = [
            Alias(first=first, second=second, start=sentence.start, end=sentence.end)
            for sentence in sentences
            for first, second in sentence.reading.aliases
            if _asserts_alias(sentence.text, second, chunk.language)
        ]
        aliases += _aliases_of_rows(read.lines)
        names = dict.fromkeys([*read.lines.names, *(name.form for item in sentences for name in item.reading.names)])
        taken = {form for triplet in triplets for form in (triplet.subject, triplet.object)}
        taken |= {form for alias in aliases for form in (alias.first, alias.second)}
        counts = {
            f"sentences not wholly read: words of over {MAX_WORD_CHARS} characters, or clauses of over "
            f"{_LONGEST_CLAUSE} words": read.skipped,
            f"facts dropped: over {_MOST_FACTS} in one sentence": cut,
            **count_silent_rows(read.lines.rows.values()),
        }
        return Extraction(
            key=extraction_key(chunk, self),
            extractor=self.name,
            triplets=tuple(triplets),
            aliases=tuple(aliases),
            names=tuple(name for name in names if name not in taken and _stands_alone(name, taken, chunk.text)),
            note="" if triplets else "no sentence states a fact in a way that the patterns know",
            counts={what: count for what, count in counts.items() if count},
        )

    def _names_only(self, chunk: Chunk) -> Extraction:
        offsets = sentences(chunk.text, chunk.language)
        language = chunk.language or "a language that could not be told"
        lines = _lines(chunk, offsets)
        row_starts = {start for start, row in lines.rows.items() if row.triplets}
        sums = {start for start, row in lines.rows.items() if row.silent == A_SUM}
        prose = [span for span in offsets if span[0] not in lines.heads | row_starts | sums]
        rows = names_in(chunk.text, [span for span in offsets if span[0] in row_starts], chunk.language)
        names = names_in(chunk.text, prose, chunk.language)
        triplets = [*lines.triplets, *neighbouring_names(chunk.text, prose, names)]
        names = list(dict.fromkeys([*names, *(name for name in rows if " " in name)]))  # "Payment" in a cell is not one
        taken = {form for triplet in triplets for form in (triplet.subject, triplet.object)}
        return Extraction(
            key=extraction_key(chunk, self),
            extractor=self.name,
            triplets=tuple(triplets),
            aliases=tuple(_aliases_of_rows(lines)),
            names=tuple(name for name in names if name not in taken),
            note=f"no local extractor for {language}: only names, and which of them share a sentence",
        )


def _aliases_of_rows(lines: LineFacts) -> list[Alias]:
    """The usual order of names that tables and registers write with the surname first. The words around a comma may
    also be a place, unless the row is about the name, its first word is in capitals, or its last is a given name: one
    that places have, like "Georgia", only in a column of names.
    """
    aliases = dict[str, Alias]()
    for row in lines.rows.values():
        for form in row.names:
            start, end = row.span
            aliases.setdefault(form, Alias(first=form, second=natural_order(form), start=start, end=end))
    triplets = [triplet for row in lines.rows.values() for triplet in row.triplets]
    cells = [(column, form, t) for t in triplets for column, form in (("", t.subject), (t.predicate, t.object))]
    columns: dict[str, list[bool]] = {}
    for column, form, _ in cells:
        columns.setdefault(column, []).append(_is_name(form))
    persons = {column for column, are_names in columns.items() if 2 * sum(are_names) > len(are_names)}
    for column, form, triplet in cells:
        among_names = has_given_name(form) and column in persons
        about_it = not column and not may_be_place(form)
        if (_is_name(form) or among_names or about_it) and (name := natural_order(form)):
            aliases.setdefault(form, Alias(first=form, second=name, start=triplet.start, end=triplet.end))
    return list(aliases.values())


def _is_name(form: str) -> bool:
    """Whether a cell is a name, whatever its column."""
    return is_in_capitals(form) or (has_given_name(form) and not may_be_place(form))


def _lines(chunk: Chunk, offsets: Sequence[Span]) -> LineFacts:
    return read_line_facts(chunk.text, offsets, chunk.language, chunk.before)


def _in_chunk(
    chunk: Chunk,
    offsets: Sequence[Span],
    plain: Sequence[str],
    readings: Mapping[str, SentenceReading],
    lines: LineFacts,
) -> ParsedChunk:
    read: list[tuple[int, int, str, SentenceReading]] = []
    skipped = 0
    for (start, end), text in zip(offsets, plain, strict=True):
        if text in readings:
            reading = readings[text]
            row = lines.rows.get(start)
            read.append((start, end, text, _of_row(reading, row) if row else reading))
            skipped += any(_too_long(clause) for _, clause in _clauses(text))
        else:
            skipped += _has_long_word(chunk.text[start:end])
    return ParsedChunk(sentences=tuple(in_order(read, chunk.text)), skipped=skipped, lines=lines)


def _of_row(reading: SentenceReading, row: Row) -> SentenceReading:
    """The names in cells that give no fact."""
    return SentenceReading(names=[name for name in reading.names if any(name.form in cell for cell in row.unread)])


def triplets_with_patterns(
    sentences: Sequence[ReadSentence], lines: LineFacts | None = None, language: str = ""
) -> Iterator[tuple[Triplet, Pattern]]:
    """The facts of a chunk's sentences, each with its pattern; "I" is the person whom the lines name."""
    known = genders(sentences)
    for index, sentence in enumerate(sentences):
        date, day = _date_of_deed(sentence, lines, language)
        assertion = _Assertion(sentences, index, language)
        for fact in sentence.reading.facts[:_MOST_FACTS]:
            if not assertion.is_asserted(fact):
                continue
            subject = fact.subject
            predicate = fact.predicate
            premises: tuple[Span, ...] = ()
            if fact.pronoun == "i":
                who, signature = lines.speaker(sentence.start) if lines is not None else ("", (0, 0))
                if not who or sentence.spoken(fact):
                    continue
                premises = (signature,) if signature != (sentence.start, sentence.end) else ()
                subject, predicate = who, in_third_person(predicate, language)
            elif fact.pronoun:
                match = antecedent(fact, sentences, index, known)
                if match is None:
                    continue
                name, where = match
                subject = name.form
                premises = ((where.start, where.end),) if where is not sentence else ()
            if name_key(subject) == name_key(fact.object):
                continue
            dated = fact.pattern in _DEEDS and fact.object not in date
            yield (
                Triplet(
                    subject=subject,
                    predicate=predicate,
                    object=fact.object,
                    start=sentence.start,
                    end=sentence.end,
                    origin="implied" if fact.pronoun else "explicit",
                    according_to=speaker(fact, sentence) or assertion.source(fact) or _speaks(fact, sentence, lines),
                    premises=premises,
                    when=date if dated else "",
                    when_date=day if dated else "",
                ),
                fact.pattern,
            )


def _speaks(fact: SentenceFact, sentence: ReadSentence, lines: LineFacts | None) -> str:
    """The speaker, in texts where speakers take turns; stage directions have none."""
    is_assertion = lines is not None and fact.pattern in _ASSERTED and not sentence.text.startswith(("[", "("))
    return lines.speaker_at(sentence.start) if lines is not None and is_assertion else ""


# "none other than" is not a denial
_ONLY = re.compile(r"\bn['’](?:était|est|fut) autre que\b|\b(?:none|no) other than\b", re.IGNORECASE)


def _asserts_alias(sentence: str, second: str, language: str) -> bool:
    """Whether a sentence asserts the name `second`, unlike "was not known as" and "it is false that she is called"."""
    text = _ONLY.sub(lambda only: " " * len(only[0]), blank_idioms(sentence, language))
    at = text.find(second)
    before = {word.folded for word in tokens(text[:at])[-WORDS_BEFORE:]}
    denied = before & CUES[language].negations if language in CUES else set()
    return not denied and not any(at in scope for scope in unasserted_scopes(text, language) if scope.status != "said")


class _Assertion:
    """How a sentence states its facts: as true, as somebody's statement, or neither."""

    def __init__(self, sentences: Sequence[ReadSentence], index: int, language: str) -> None:
        here, after = sentences[index], sentences[index + 1 : index + 2]
        self._parts = unasserted_scopes(blank_idioms(here.text, language), language) if here.reading.facts else ()
        self._text = here.text
        self._taken_back = bool(after) and not after[0].opens_paragraph and taken_back(after[0].text, language)

    def is_asserted(self, fact: SentenceFact) -> bool:
        if fact.pattern not in _ASSERTED or is_hedged(fact.predicate):
            return not is_hedged(fact.predicate)
        if self._taken_back or any(self._is_left_out(name) for name in (fact.subject, fact.object)):
            return False
        return all(scope.status == "said" for scope in self._parts if fact.at in scope)

    def _is_left_out(self, name: str) -> bool:
        """Whether the sentence only says that it does not apply to a name: "met Eva but not Karl"."""
        places = (
            [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", self._text)] if name else []
        )
        return bool(places) and all(is_left_out(self._text, place) for place in places[:_MOST_PLACES])

    def source(self, fact: SentenceFact) -> str:
        """The person who states them, unless it is the text itself."""
        sources = (scope.source for scope in self._parts if fact.at in scope)
        return next(sources, "") if fact.pattern in _ASSERTED else ""


def _date_of_deed(sentence: ReadSentence, lines: LineFacts | None, language: str) -> tuple[str, str]:
    """The date in a sentence, as written and as ISO 8601, if the sentence has one date and one action: with several, it
    may belong to either.
    """
    deeds = {fact.at for fact in sentence.reading.facts if fact.pattern in _DEEDS}
    if len(deeds) != 1:
        return "", ""
    dates = lines.dates.get(sentence.start, ()) if lines is not None else dates_in(sentence.text, language)
    if not dates or len({one.date for one in dates}) != 1 or (len(dates) > 1 and not dates[0].date):
        return "", ""
    return dates[0].text, dates[0].date


def _stands_alone(name: str, longer: Iterable[str], text: str) -> bool:
    """Whether a name occurs outside longer names: "Saint-Nizier" in "bibliothèque Saint-Nizier" does not."""
    rest = _plain_line(text)
    if name.isalpha():
        rest = re.sub(rf"[(\[]\s*{name}[.,!]?\s*[)\]]", " ", rest)  # "(Aloud)"
    for form in longer:
        if name in form:
            rest = rest.replace(form, "\n")
    return name in rest


def _plain_sentences(text: str, offsets: Sequence[Span], labels: Mapping[int, int]) -> list[str]:
    """The sentences of a text, prepared for the parser: a gap becomes the dash that it replaced, and the label of a
    speech ("MR. ROE: I ...") is left out.
    """
    text = without_greetings(text)
    texts = [without_quote_prefixes(text[min(labels.get(start, start), end) : end]) for start, end in offsets]
    return (
        [_plain_line(_GAP.sub(" — ", one)) for one in texts]
        if _has_lost_dashes(text)
        else list(map(_plain_line, texts))
    )


def _plain_line(sentence: str) -> str:
    """A text on one line, with single spaces, no underscores (italics) and no lone surrogates."""
    return re.sub(r"[\s_]+", " ", re.sub(r"[\ud800-\udfff]", "\ufffd", sentence)).strip()


_GAP = re.compile(r"(?<=\S)[^\S\n]{3,}(?=\S)")
_WIDE = re.compile(r"(?<=\S)[^\S\n]{2}(?=\S)")
_GAPS_SHARE = 0.05  # max. share of wide spaces: if more are wide, the text is justified or has columns


def _has_lost_dashes(text: str) -> bool:
    """Whether a text has gaps instead of dashes ("Mr. Hastings   Miss Howard"), like some copies of novels.

    It has not if it still has dashes, or if many spaces are wide, as in justified lines and columns."""
    gaps = len(_GAP.findall(text))
    return (
        0 < gaps < _GAPS_SHARE * text.count(" ")
        and len(_WIDE.findall(text)) <= gaps
        and "--" not in text
        and "—" not in text
    )


_BREAK = re.compile(r"(?<=[;:])\s+|\s*--+\s*|\s*[—―]\s*")
# What affirms the rest of a sentence: the parser takes "Nul doute" for a name, and reads a main clause better.
_AFFIRMED = re.compile(
    r"\s*(?:it is (?:beyond (?:all |any )?(?:reasonable )?doubt|certain|true|a fact|undeniable|indisputable) that\b"
    r"|it (?:is|was) not (?:in |seriously )?(?:disput|doubt|contest|deni|question)(?:e|ed)? that\b"
    r"|it (?:is|was|would be) (?:wrong|absurd|useless|idle|futile|impossible) to (?:deny|dispute|doubt) that\b"
    r"|there is no (?:doubt|question|denying)(?: but)? that\b|no doubt that\b|every(?:one|body) knows that\b"
    r"|nul doute (?:que\b|qu['’])|(?:tout le monde|chacun|on) (?:sait|savait) (?:que\b|qu['’])"
    r"|il n['’](?:est|était) (?:pas|plus) (?:contesté|contestable|douteux) (?:que\b|qu['’])"
    r"|il (?:est (?:vrai|certain|exact|établi|avéré|notoire|incontestable|indéniable)|ne fait (?:aucun|pas de) doute)"
    r" (?:que\b|qu['’]))\s*(?=[^\W\d_])",
    re.IGNORECASE,
)


def _clauses(sentence: str) -> list[tuple[int, str]]:
    """The parts of a sentence that could be sentences, with their starts: a small parser reads these correctly, and
    rarely the whole.
    """
    ends = [(gap.start(), gap.end()) for gap in _BREAK.finditer(sentence)]
    affirmed = _AFFIRMED.match(sentence)
    starts = [affirmed.end() if affirmed else 0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(sentence)]
    return [(start, sentence[start:stop]) for start, stop in zip(starts, stops, strict=True) if stop > start]


_LAST_SMALL = re.compile(r"(?:(?<=\s)|(?<=['’]))[a-zà-ÿœ]{4,}$")


def _set_off(clause: str, language: str) -> str:
    """The clause, with a comma instead of the space between a date and a word that the parser would take for a part of
    one noun: "Yesterday Captain Rourke", "le moulin vendredi dernier".
    """
    for date in dates_in(clause, language):
        at, before = date.end, date.start - 1
        if clause[at : at + 1] == " " and clause[at + 1 : at + 2].isupper():
            clause = f"{clause[:at]},{clause[at + 1 :]}"
        ends = not clause[at:].strip(" .!?")
        if language == "fr" and ends and _LAST_SMALL.search(clause, 0, before) and clause[before] == " ":
            clause = f"{clause[:before]},{clause[before + 1 :]}"
    return clause


def _is_prose(sentence: str) -> bool:
    """Whether a sentence is worth parsing: at least two words, no extremely long word, not all in capitals."""
    return " " in sentence and not sentence.isupper() and not _has_long_word(sentence)


def _too_long(clause: str) -> bool:
    return clause.count(" ") >= _LONGEST_CLAUSE


def _has_long_word(sentence: str) -> bool:
    return any(len(word) > MAX_WORD_CHARS for word in sentence.split())
