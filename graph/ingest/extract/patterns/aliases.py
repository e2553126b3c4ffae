"""Statements that two names are one. Both languages use all patterns: a French text may say "also known as".

The Claw, dite La Griffe ...          The Claw and La Griffe are one
une société de voleurs dite La Griffe La Griffe is a society of thieves
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from filigraph.graph.ingest.extract.patterns import words_en, words_fr
from filigraph.graph.ingest.extract.patterns.phrases import Phrase, SentenceReading, capitalised, spell, words

if TYPE_CHECKING:
    from spacy.tokens import Token

_SAID = words("""
    alias aka dit dite dits dites surnommé surnommée surnommés surnommées appelé appelée nommé nommée baptisé baptisée
    nicknamed dubbed called named
""")
_VERBS_TOO = words("called named dubbed dit")  # "Holmes called Watson", "Soit, dit Lecoq"
_KNOWN = words("known connu connue connus connues")
_BETWEEN = words(", ( aussi plus mieux souvent et also otherwise better sometimes commonly and")
_ARTICLES = words_fr.ARTICLES | {"Der", "Die", "Das", "El"}
_TITLES = words_en.TITLES | words_fr.TITLES
_NO_NAME = words_en.NO_NAME | words_fr.NO_NAME
_REACH = 8  # tokens between "known" and "as", "connue" and "sous le nom de"


def read_aliases(
    tokens: Sequence[Token], reading: SentenceReading, phrase: Callable[[Token], Phrase | None], is_: str
) -> None:
    """Add the alias statements of a sentence to `reading`; `is_` is the predicate that joins a name to a
    description.
    """
    tokens = [token for token in tokens if not token.is_space]
    for position, token in enumerate(tokens):
        start = _second_begins(tokens, position)
        if start is None:
            continue
        left = position - 1
        while left >= 0 and tokens[left].lower_ in _BETWEEN:
            left -= 1
        second = _name_from(tokens, start)
        if second is None or left < 0:
            continue
        apart = left + 1 < position
        if token.lower_ == "dit" and (_quotes_speech(tokens) or _is_whole_reply(tokens, second)):
            continue
        first = _name_until(tokens, left)
        if first is not None:
            if token.lower_ not in _VERBS_TOO or (apart and not _speaks(token)):
                reading.same(first, second.text)
        else:
            described = phrase(_head_noun(tokens[left]))
            if described is not None and not described.named and not _speaks(token):
                reading.add(second, is_, described, "alias", token.idx)


def _second_begins(tokens: Sequence[Token], position: int) -> int | None:
    """The start of the second name, if the token at `position` announces one."""
    word = tokens[position].lower_
    if word in _SAID:
        return position + 1
    if word in _KNOWN:
        window = [token.lower_ for token in tokens[position + 1 : position + 1 + _REACH]]
        if "as" in window:
            return position + window.index("as") + 2
        if "sous" in window and "nom" in window:
            return position + window.index("nom") + 3  # "sous le nom de"
    return None


def _quotes_speech(tokens: Sequence[Token]) -> bool:
    """Whether the sentence quotes somebody: then "dit" is a verb, whatever the parser says."""
    return tokens[0].text in {"—", "–", "-"} or any(token.is_quote or token.text in {"«", "»"} for token in tokens)


def _is_whole_reply(tokens: Sequence[Token], speaker: Phrase) -> bool:
    """Whether this is "Marchons, dit Diélette.": one word and its speaker, without the dash."""
    rest = [token for token in tokens if token.i > speaker.last]
    return len(tokens) > 1 and tokens[1].text == "," and all(token.is_punct for token in rest)


def _speaks(token: Token) -> bool:
    """Whether the word is the verb of its clause, not a participle beside a name."""
    return token.dep_ not in {"acl", "amod", "appos"} or any(child.dep_ == "nsubj" for child in token.children)


def _name_from(tokens: Sequence[Token], position: int) -> Phrase | None:
    """The name that begins at `position`, after quotes and an article in small letters."""
    skipped = {"«", "(", ",", "l'", "l’", "le", "la", "les", "the"}
    while position < len(tokens) and (tokens[position].is_quote or tokens[position].text in skipped):
        position += 1
    end = position
    while end < len(tokens) and capitalised(tokens[end]):
        end += 1
    return _name_phrase(tokens[position:end])


def _name_until(tokens: Sequence[Token], position: int) -> str | None:
    """The name that ends at `position`, with its title."""
    if tokens[position].is_quote or tokens[position].text == "»":
        position -= 1
    begin = position + 1
    while begin > 0 and capitalised(tokens[begin - 1]):
        begin -= 1
    if 0 < begin <= position and tokens[begin - 1].lower_.rstrip(".") in _TITLES:
        begin -= 1
    name = _name_phrase(tokens[begin : position + 1])
    return None if name is None else name.text


def _name_phrase(tokens: Sequence[Token]) -> Phrase | None:
    text = spell(tokens)
    if not text or text in _ARTICLES or text.casefold() in _NO_NAME or text.casefold().rstrip(".") in _TITLES:
        return None
    return Phrase(text=text, named=True, words=len(tokens), first=tokens[0].i, last=tokens[-1].i)


def _head_noun(noun: Token) -> Token:
    """The noun whose phrase ends with `noun`: "a society of thieves" -> society; "a letter from a thief" -> thief."""
    while True:
        small = [child.lower_ for child in noun.children if child.dep_ in {"case", "det"}]
        if noun.dep_ == "nmod" and noun.head.i < noun.i and small in (["de"], ["d'"], ["d’"]):
            noun = noun.head
        elif noun.dep_ == "pobj" and noun.head.lower_ == "of" and not small:
            noun = noun.head.head
        else:
            return noun
