"""Words: Unicode tokens, their folded form, and the terms of the word index.

Neo4j's analyzers do not support several languages in one index (`standard` misses "Étranger" in "l'Étranger", `french`
loses "chevaliere"), so `terms` analyzes chunks and questions alike for an index with the whitespace analyzer. Words are
folded before stemming (Snowball, Porter 2001), so that "chevaliere" matches "chevalière". There is no stop list: BM25
weighs rare words higher anyway, and a function word of one language is a name in another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import snowballstemmer  # type: ignore[import-untyped]

MAX_TERM_CHARS = 64  # characters; a longer "word" is noise, and a term over 8 kB would fail a whole batch in the store
MAX_QUERY_TERMS = 200  # 1,024 clauses break Lucene
# Weight of a single ideograph in a query, relative to a pair; measured at v0.1 (decision 8).
IDEOGRAPH_WEIGHT = 0.4

IDEOGRAPHS = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
# Scripts without spaces: each character is a token, and terms are bigrams.
UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f" + IDEOGRAPHS  # kana
)
APOSTROPHES = "'\u2019\u02bc\uff07"
# Soft hyphens, joiners, bidi controls, byte order marks: invisible, must not split a word.
INVISIBLE = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


class Token(NamedTuple):
    """A word of a text: `text == source[start:end]`."""

    text: str
    folded: str  # never empty
    start: int
    end: int


# --------------------------------------------------------------------------------------------------------------------
# Folding


_ARABIC_POINTS = (0x640, *range(0x64B, 0x660), 0x670, *range(0x6D6, 0x6DD), *range(0x6DF, 0x6E5), *range(0x6EA, 0x6EE))
_HEBREW_POINTS = (*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7)
_ARABIC_LETTERS = {"أإآٱ": "ا", "ىی": "ي", "ک": "ك", "ة": "ه"}


def _letters_without_accents() -> dict[int, str]:
    """Translation table of Latin and Greek letters with marks, and of letters that do not decompose, to plain letters.

    In other scripts, the optional marks: the vowel points of Arabic and Hebrew, the kinds of alef and yeh, and ё, which
    Russian mostly prints as е. Russian й is a separate letter, as are the signs of Hindi.
    """
    table = {ord(apostrophe): "'" for apostrophe in APOSTROPHES}
    for code in (*range(0xC0, 0x250), *range(0x370, 0x400), *range(0x1E00, 0x2000)):
        decomposed = unicodedata.normalize("NFD", chr(code))
        plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
        if plain and plain != chr(code):
            table[code] = plain
    by_hand = {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "þ": "th"}
    table.update({ord(letter): plain for letter, plain in {**by_hand, "ё": "е", "ѐ": "е", "ѝ": "и"}.items()})
    table |= dict.fromkeys((*_ARABIC_POINTS, *_HEBREW_POINTS), "")
    table.update({ord(letter): plain for letters, plain in _ARABIC_LETTERS.items() for letter in letters})
    table |= {first + digit: str(digit) for first in (0x660, 0x6F0) for digit in range(10)}
    return table


_PLAIN = _letters_without_accents()
# Marks that NFKC does not compose are not part of the letter (Russian stress, rare Latin transcriptions).
_LEFT_OVER = re.compile(rf"[\u0300-\u036f{INVISIBLE}]+")


def fold(text: str) -> str:
    """NFKC, case folding, without Latin and Greek accents, one apostrophe: "L’ÉTRANGER" -> "l'etranger"."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", _LEFT_OVER.sub(_keep_composable, text)).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(_PLAIN)
    return _LEFT_OVER.sub("", folded)


def _keep_composable(match: re.Match[str]) -> str:
    """Drop invisible characters, which would separate a mark from its letter."""
    return "".join(mark for mark in match[0] if "\u0300" <= mark <= "\u036f")


# --------------------------------------------------------------------------------------------------------------------
# Tokens


def _marks() -> str:
    """The combining marks of all scripts as a character class; Python's `\\w` omits the vowel signs of Hindi."""
    codes = [code for code in range(0x300, 0x1F000) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    starts = [code for code, before in zip(codes, [0, *codes], strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], 0], strict=True) if after != code + 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


MARKS = _marks()
_BORN = "né"
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_WORD = re.compile(rf"[^\W_\u02bc]+(?:[{MARKS}{INVISIBLE}]+[^\W_\u02bc]*)*")  # U+02BC is an apostrophe
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
_IS_IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
_UNSPACED_PIECE = re.compile(rf"[{UNSPACED}][{MARKS}\uff9e\uff9f]*|[^{UNSPACED}]+")  # half-width kana have marks, too


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is a single character of an unspaced script) of each word."""
    for word in _WORD.finditer(text):
        yield from _pieces(text, *word.span())


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """As `_spans`, of one match of `_WORD`."""
    if text[start:end].isascii() or not _IS_UNSPACED.search(text, start, end):
        yield start, end, False
        return
    for piece in _UNSPACED_PIECE.finditer(text, start, end):
        yield piece.start(), piece.end(), bool(_IS_UNSPACED.match(piece[0]))


def tokens(text: str) -> list[Token]:
    """The words of `text` in order. Apostrophes and hyphens separate words: "l'Étranger" -> l, Étranger;
    "porte-monnaie" -> porte, monnaie; "Holmes's" -> Holmes, s. Unspaced scripts: one token per character."""
    if text.isascii():  # most texts of many languages: the same result in fewer steps
        folded_text = text.lower()
        spans = (match.span() for match in _ASCII_WORD.finditer(text))
        return [Token(text[start:end], folded_text[start:end], start, end) for start, end in spans]
    words: list[Token] = []
    for match in _WORD.finditer(text):
        word = match[0]
        folded = word.lower() if word.isascii() else _folded_spaced(word)
        if folded is not None:
            words += [Token(word, folded, *match.span())] if folded else ()
            continue
        for start, end, _ in _pieces(text, *match.span()):
            if folded := fold(text[start:end]):
                words.append(Token(text[start:end], folded, start, end))
    return words


@lru_cache(maxsize=1 << 16)
def _folded_spaced(word: str) -> str | None:
    """The word folded; None if it has characters of an unspaced script, and so several tokens."""
    return None if _IS_UNSPACED.search(word) else fold(word)


def folded_words(words: Sequence[Token]) -> list[str]:
    """Folded words, except the French "né", which only its accent distinguishes from "ne"."""
    return [_BORN if word.text.lower() == _BORN else word.folded for word in words]


# --------------------------------------------------------------------------------------------------------------------
# Terms


@lru_cache(maxsize=1 << 17)
def _term(word: str, language: str) -> str:
    """The term of one word. Creates a stemmer per call, because stemmers are not thread-safe."""
    folded = "".join(fold(word).split())[:MAX_TERM_CHARS]
    algorithm = _STEMMERS.get(language)
    if algorithm is None or folded.isdigit():
        return folded
    if language == "fr":  # without its accent, the stemmer does not see a participle in "aimée"
        folded = re.sub(r"(?<=..)ee(s?)$", r"e\1", folded)
    stem: str = snowballstemmer.stemmer(algorithm).stemWord(folded)
    return stem or folded


def _is_clitic(text: str, start: int, end: int) -> bool:
    """Whether a word is a clitic: l', d', qu', 's."""
    if end - start > 2:
        return False
    after = end + 1 < len(text) and text[end] in APOSTROPHES and text[end + 1].isalnum()
    if end - start == 2:
        return after and text[start:end].lower() == "qu"
    return after or (start > 1 and text[start - 1] in APOSTROPHES and text[start - 2].isalnum())


def terms(text: str, language: str) -> list[str]:
    """The index terms of `text`, in order, with repetition: folded, stemmed in `language` (ISO 639-1; unstemmed without
    a stemmer), without clitics (l', qu', 's); unspaced scripts as overlapping bigrams.

    Single ideographs of a run are appended at the end: many words have one character, and bigrams miss them.
    """
    result: list[str] = []
    ideographs: list[str] = []
    run: list[str] = []  # adjacent characters of an unspaced script
    run_end = -1
    for start, end, unspaced in _spans(text):
        if run and not (unspaced and start == run_end):
            result += _bigrams(run)
            ideographs += _ideographs(run)
            run = []
        if unspaced:
            run.append(fold(text[start:end]))
            run_end = end
        elif not _is_clitic(text, start, end) and (
            term := _term(text[start : min(end, start + 2 * MAX_TERM_CHARS)], language)
        ):
            result.append(term)
    return result + _bigrams(run) + ideographs + _ideographs(run)


def indexed_parts(text: str) -> list[str]:
    """What a text must contain to contain a phrase: its words; of unspaced scripts each pair of neighbours, or a single
    character alone.
    """
    spans = list(_spans(text))
    parts: list[str] = []
    joined = False
    for (start, end, unspaced), (after, stop, more) in pairwise([*spans, (-1, -1, False)]):
        pair = unspaced and more and after == end
        if pair or not joined:
            parts.append(text[start : stop if pair else end])
        joined = pair
    return parts


def is_indexed_alone(term: str) -> bool:
    """Whether a term of an unspaced script is in the word index: a pair, or a single ideograph."""
    return bool(_IS_UNSPACED.match(term)) and (len(term) > 1 or bool(_IS_IDEOGRAPH.match(term)))


def _bigrams(run: list[str]) -> list[str]:
    """Bigrams of a run; a single character is a term itself."""
    return [first + second for first, second in pairwise(run)] if len(run) != 1 else run


def _ideographs(run: list[str]) -> list[str]:
    """The ideographs of a run of two or more characters; a single character is a term already."""
    return [character for character in run if _IS_IDEOGRAPH.match(character)] if len(run) > 1 else []


def query_terms(question: str, *languages: str) -> list[str]:
    """At most MAX_QUERY_TERMS distinct terms of a question, in order. `languages`: of the question and the documents,
    because "Jules" has the term "jul" in French and "jule" in English.
    """
    all_terms: Iterable[str] = (term for language in languages or ("",) for term in terms(question, language))
    return list(dict.fromkeys(all_terms))[:MAX_QUERY_TERMS]


def lucene_query(terms: Iterable[str]) -> str:
    """A Lucene OR query for the whitespace analyzer, with quoted terms, so that no term is an operator. A single
    ideograph weighs less than a bigram. Without terms "", which Lucene rejects: callers must skip the query."""
    return " OR ".join('"' + term.replace("\\", "\\\\").replace('"', '\\"') + '"' + _boost(term) for term in terms)


def _boost(term: str) -> str:
    return f"^{IDEOGRAPH_WEIGHT}" if len(term) == 1 and _IS_IDEOGRAPH.match(term) else ""
