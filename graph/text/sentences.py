"""Sentence splitter, for chunks and for the evidence of a hop.

Rules instead of a model: deterministic, and a novel takes a second. A sentence ends at . ! ? … 。 ！ ？ and similar
marks, with closing quotes, before a space and a possible start of a sentence. It does not end after a title or an
abbreviation of the language ("M. Lecoq", "т. е."), an initial ("J. Delmas"), an abbreviated day or month ("3 Dec.
Ticket brought"), the number of an item or a heading before a dash ("PRIX. – La vente"), nor before a lower-case letter
("« Ah ! » dit-il"). Blank lines, bullets and dialogue dashes on a new line also end it, and so does the end of a line,
except in a wrapped paragraph. A row of a table is one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

MAX_SENTENCE_CHARS = 4000  # characters; longer ones are cut, preferably at a space

# Abbreviations that never end a sentence: a name, a number or the rest of the abbreviation follows.
_BEFORE_A_NAME = {
    "en": "mr mrs ms messrs dr prof rev hon st mt capt col gen lt sgt maj insp supt det gov sen rep pres fr sr mme "
    "mlle ult inst prox",
    "fr": "m mm mr mme mmes mlle mlles dr drs pr prof me mgr st ste sts abbé cap cdt col gal lt sgt insp chap env cf",
    "de": "hr hrn fr frl dr prof st hl nr bzw vgl ca evtl ggf inkl sog geb gest str dipl ing",
    "es": "sr sra srta sres dr dra d dª dña ud uds vd vds prof gral cap cnel sto sta núm pág",
    "it": "sig sigg sigra dott dr prof avv ing on rev mons cap col gen sen s ss pag",
    "pt": "sr sra srta dr dra d prof profa exmo exma cap cel gen sto sta pág",
    "nl": "dhr mw mevr mej dr prof ir ing drs mr st jl bijv",
    "ru": "т д п г гг в вв им ул пр пл пер см ср стр гл рис проф акад ген кап св тов гр",
    "uk": "т д п р рр ім вул пл див стор проф акад св",
    "pl": "p pp dr prof inż mgr ks św ul al nr tzw tzn np",
    "sv": "hr fr dr prof st nr dvs bl",
}
# Abbreviations only before a number ("no. 5"), ordinary words elsewhere.
_BEFORE_A_NUMBER = [
    "no",
    "nos",
    "nr",
    "vol",
    "p",
    "pp",
    "fig",
    "art",
    "ch",
    "chap",
    "sec",
    "tome",
    "t",
    "l",
    "núm",
    "pág",
    "с",
    "стр",
]
_DAYS_AND_MONTHS = (
    "mon tue tues wed weds thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec "
    "lun mer jeu ven sam dim janv févr fév avr juil août déc ene abr ago dic mag giu lug ott dez mrz okt "
    "янв февр апр авг сент окт нояб дек"
)
# Words of one letter; any other single letter before a full stop is an initial or part of an abbreviation.
_ONE_LETTER_WORDS = {
    "en": "a I", "fr": "a à y ô", "es": "a e o u y", "it": "a e è i o", "pt": "a à e é o", "ru": "а в и к о с у я",
    "uk": "а в є з і у я", "pl": "a i o u w z", "cs": "a i k o s u v z",
}  # fmt: skip
_ORDINAL_POINT = frozenset(("de", "da", "no", "fi", "cs", "hu", "pl"))  # "am 3. März"

MAX_WRAPPED_LINE_CHARS = 120  # characters; longer lines are not wrapped
MAX_HEADING_CHARS = 60  # characters of a heading before a dash
MIN_PIECE_CHARS = 40  # characters
MAX_PIECES = 16  # max. per chunk

_END = re.compile(
    r"[.!?\u2026\u203d\u203c-\u2049\u037e\u061f\u06d4\u0589\u1362\u0964\u0965\u1367\u1368]+"  # with a space after it
    r"|[\u3002\uff01\uff1f\uff61]+"  # ideographic: with or without a space
)
_IDEOGRAPHIC = "\u3002\uff01\uff1f\uff61"
_CLOSERS = "\"'\u2019\u201d\u201c\u00bb\u00ab\u203a)]}\u300d\u300f\u3011\u300b\uff09*_"
_CLOSING = re.compile(
    rf"[{re.escape(_CLOSERS)}]*(?:[ \u00a0\u202f]{{1,2}}[\u00bb\u203a](?!\w))?[{re.escape(_CLOSERS)}]*"
)
_IDEOGRAPHIC_CLOSING = re.compile("[\"'\u2019\u201d\u300b\u300d\u300f\u3011\uff09)\\]]*")
_OPENING = re.compile(r"\W{1,20}")  # quotes, brackets, dashes, spaces before the next letter
_QUOTED_ON = "とっ、，,"  # 「…。」と言った: the sentence continues after the quotation

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*|[\f\u2029]\s*")
_LINE_START = re.compile(r"\n[^\S\n]*(?=\S)")
_BULLET = re.compile(r"(?:[-*•·‣▪]|\d{1,3}[.)]|[a-z]\))\s+\S")
_DIALOGUE = re.compile(r"[-–—―]+\s*[«“\"]?\s*(\w)")
# A line of a chat, a transcript or a log: "12.03.24, 21:14 - Ana", "[00:12:03] Q.", "21:14 <ana>", "2024-03-12T21:14Z".
_TURN = re.compile(
    r"\W{0,2}(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:T|,?\s+(?:[^\W\d]{1,5} ){0,2})\d{1,2}[:.h]\d{2}"
    r"|(?<=\[)\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\]|\d{1,2}:\d{2}(?::\d{2})?\s+(?:<\s?[^\s<>]|-!-\s|\d{1,2}[./]\d{1,2}[./]\d))"
)
_FIELD = re.compile(
    r"[^\W\d_][\w'’.-]{0,15}(?: [\w'’-]{1,12})?[ \u00a0\u202f]?:\s+\S"
)  # "Date: 4 May", "Envoyé le : lundi"
_LAST_WORD = re.compile(r"[^\W_]+$")
_ITEM = re.compile(r"\s*(?:(?:n[°ºo]|nos?|nr|art|§|№)\.?\s*)?", re.IGNORECASE)  # prefix of an item's number
_DASH = re.compile(r"\s+[-–—―]\s")


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of `text`, in order. Together they cover every non-space character.

    `language` is ISO 639-1; "" uses the abbreviations of all languages.
    """
    result: list[tuple[int, int]] = []
    start = 0
    for end in _sentence_ends(text, language):
        result.extend(_trimmed_and_cut(text, start, end))
        start = end
    return result


def sentence_groups(text: str, language: str) -> list[tuple[int, int]]:
    """Spans of at most MAX_PIECES groups of sentences of `text`, which cover all sentences.

    A sentence of less than MIN_PIECE_CHARS characters ("He did.") is joined with the next, because it has too little
    content to be compared by itself.
    """
    joined: list[tuple[int, int]] = []
    for start, end in sentences(text, language):
        if joined and joined[-1][1] - joined[-1][0] < MIN_PIECE_CHARS:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    if len(joined) > 1 and joined[-1][1] - joined[-1][0] < MIN_PIECE_CHARS:
        _, end = joined.pop()
        joined[-1] = (joined[-1][0], end)
    together = -(-len(joined) // MAX_PIECES)
    if together <= 1:
        return joined
    return [(joined[n][0], joined[min(n + together, len(joined)) - 1][1]) for n in range(0, len(joined), together)]


def _sentence_ends(text: str, language: str) -> Iterator[int]:
    """Ends of sentences, in order; the last is the end of the text."""
    start = 0
    wrapped = _is_wrapped(text)
    for gap in (*_BLANK_LINE.finditer(text), None):
        stop = gap.start() if gap else len(text)
        for line_end in (*_ends_of_lines(text, start, stop, wrapped), stop):
            if not _is_row(text, start, line_end):
                yield from _ends_at_marks(text, start, line_end, language)
            yield line_end
            start = line_end
        start = gap.end() if gap else stop


def _ends_at_marks(text: str, start: int, stop: int, language: str) -> Iterator[int]:
    while start < stop and text[start].isspace():
        start += 1
    for mark in _END.finditer(text, start, stop):
        closing = _IDEOGRAPHIC_CLOSING if mark[0][-1] in _IDEOGRAPHIC else _CLOSING
        end = _end_of(closing, text, mark.end(), stop)
        if end == stop or not _goes_on(text, start, mark, end, stop, language):
            yield end
            start = end


def _end_of(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    match = pattern.match(text, start, stop)
    return match.end() if match else start


def _goes_on(text: str, sentence: int, mark: re.Match[str], end: int, stop: int, language: str) -> bool:
    """Whether the sentence from `sentence` on continues after the mark, whose closing quotes end at `end`."""
    if mark[0][-1] in _IDEOGRAPHIC:
        return end > mark.end() and text[end] in _QUOTED_ON
    if not text[end].isspace():
        return True
    first = _end_of(_OPENING, text, end, stop)
    if first < stop and text[first].islower():
        return True
    if mark[0] != "." or end != mark.end():
        return False
    short = mark.start() - sentence <= MAX_HEADING_CHARS
    heads = short and text[sentence : mark.start()].isupper() and _DASH.match(text, end, stop) is not None
    return heads or _is_abbreviation(text, sentence, mark.start(), first, language)


def _is_abbreviation(text: str, sentence: int, point: int, first: int, language: str) -> bool:
    """Whether the full stop at `point` belongs to the word before it; `first`: offset of the next letter or digit."""
    match = _LAST_WORD.search(text, max(sentence, point - 12), point)
    if match is None:
        return False
    word = match[0]
    number_follows = text[first : first + 1].isdigit()
    if word.isdigit():
        numbers_a_line = len(word) <= 3 and _ITEM.fullmatch(text, sentence, match.start()) is not None
        return numbers_a_line or (language in _ORDINAL_POINT and len(word) <= 2)
    if len(word) == 1:
        after_apostrophe = match.start() > 0 and text[match.start() - 1] in "'\u2019"
        return not after_apostrophe and word not in _ONE_LETTER_WORDS.get(language, "").split()
    if word.lower() in _BEFORE_A_NUMBER and number_follows:
        return True
    if word.lower() in _DAYS_AND_MONTHS.split():
        before = text[max(sentence, point - 24) : match.start()].split()
        return bool(before and before[-1][0].isdigit()) or (number_follows and word[0].isupper())
    abbreviations = [_BEFORE_A_NAME.get(language, "")] if language else _BEFORE_A_NAME.values()
    return any(word.lower() in names.split() for names in abbreviations)


def _is_row(text: str, start: int, stop: int) -> bool:
    """Whether this is one line of cells separated by bars or tabs."""
    line = text[start:stop].strip()
    return (" | " in line or "\t" in line) and "\n" not in line


def _is_wrapped(text: str) -> bool:
    """Whether the text may be wrapped: more than three quarters of it are in lines of at most MAX_WRAPPED_LINE_CHARS
    characters."""
    lines = [line for line in text.split("\n") if line.strip()]
    return 4 * sum(len(line) for line in lines if len(line) > MAX_WRAPPED_LINE_CHARS) < sum(map(len, lines))


def _ends_of_lines(text: str, start: int, stop: int, wrapped: bool) -> Iterator[int]:
    """Ends of lines that end a sentence without a mark: before a bullet or dialogue, next to a table row, and where
    wrapping does not explain the line break because the next word would fit (letterheads, forms, lists, verse)."""
    lines = list(pairwise([start, *(gap.end() for gap in _LINE_START.finditer(text, start, stop)), stop]))
    width = max(end - begin for begin, end in lines)
    for (begin, line), (_, end) in pairwise(lines):
        before = text[begin:line].rstrip()
        dialogue = _DIALOGUE.match(text, line, stop)
        if (
            _BULLET.match(text, line, stop)
            or _TURN.match(text, line, stop)
            or (_is_field(text, begin, line) and _is_field(text, line, end))
            or (dialogue and (dialogue[1].isupper() or not (before[-1:].isalnum() or before[-1:] in ",;")))
            or _is_row(text, begin, line)
            or _is_row(text, line, end)
            or not wrapped
        ):
            yield begin + len(before)
            continue
        opening = text[(first := _end_of(_OPENING, text, line, stop)) : first + 1]
        word = text[line : line + 100].split(maxsplit=1)[0]
        if _is_heading(before) and opening.isupper() and not text[line:end].isupper():
            yield begin + len(before)
            continue
        had_room = len(before) + 1 + len(word) <= 0.75 * width
        if had_room and (opening.isupper() or opening.isdigit()):
            yield begin + len(before)


def _is_field(text: str, start: int, stop: int) -> bool:
    """Whether a line is a label and its value, as in the head of a mail."""
    return text[start : start + 1].isupper() and _FIELD.match(text, start, stop) is not None


def _is_heading(line: str) -> bool:
    """Whether a line is all in capitals, like a title or a speaker, and not an acronym."""
    return len(line) <= MAX_HEADING_CHARS and line.isupper() and any(len(word) > 3 for word in line.split())


def _trimmed_and_cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """`text[start:end]` stripped, in pieces of at most MAX_SENTENCE_CHARS characters."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_SENTENCE_CHARS:
        cut = start + MAX_SENTENCE_CHARS
        while cut > start + MAX_SENTENCE_CHARS // 2 and not text[cut].isspace():
            cut -= 1
        if not text[cut].isspace():
            cut = start + MAX_SENTENCE_CHARS
        piece_end = cut
        while text[piece_end - 1].isspace():
            piece_end -= 1
        yield start, piece_end
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end
