"""Names in a document that no extraction contains. `unread_phrases` finds phrases that may mean somebody ("the
Duchess", "said the old gentleman"); an LLM says whom they mean, as it does for names. `cast_mentions` are the names
that its cast adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Mention
from filigraph.graph.names.finder import NameFinder
from filigraph.graph.names.mentions import mentions_found, scannable
from filigraph.graph.text.names.parse import name_key, parse
from filigraph.graph.text.names.tables import ARTICLES, EPITHETS, FUNCTION_WORDS
from filigraph.graph.text.words import Token, tokens

MAX_PHRASE_WORDS = 3  # max. words of a phrase, without the article
WITH_ARTICLE = 0.5  # min. share of its places with an article: "only" and "very" usually have none
_ENDS_OF_SPEECH = frozenset("\"”»’'!?…")
_MAX_ARTICLE_CHARS = 30  # max. characters of an article


def unread_phrases(chunks: Sequence[Chunk], mentions: Sequence[Mention]) -> list[Mention]:
    """The phrases that speak somewhere and recur, with all their places."""
    read = {mention.key: mention.form for mention in mentions}
    forms: dict[str, str] = {}
    for chunk in chunks:
        for form in _phrases(chunk.text):
            if (key := name_key(form)) not in read:
                forms[key] = min(form, forms.get(key, form))
    finder = NameFinder(read | forms, as_written=True)
    texts = [(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks]
    text_of = {chunk.id: chunk.text for chunk in chunks}
    phrases = []
    for mention in mentions_found(texts, lambda _, text: finder.all_in(text)):
        if mention.key in forms and _recurs(mention, text_of, _is_behind_article):
            phrases.append(replace(mention, form=forms[mention.key]))
    return phrases


def further_names(casts: Iterable[CastReading]) -> dict[str, str]:
    """Key -> form of the names that casts add to those of the extractions."""
    forms = sorted((form for cast in casts for member in cast.members for form in member.further), reverse=True)
    return {name_key(form): form for form in forms}


def cast_mentions(
    document_id: str, chunks: Sequence[Chunk], read: Sequence[Mention], casts: Iterable[CastReading]
) -> list[Mention]:
    """The mentions of the names that the casts of a document add, with all their places in it, as if an extractor had
    read them. A phrase that is not a proper name must recur after an article. `read`: the names of the extractions;
    places of a longer one among them do not count.
    """
    known = {mention.key: mention.form for mention in read}
    further = {key: form for key, form in further_names(casts).items() if key not in known}
    if not further:
        return []
    finder = NameFinder({key: form for key, form in known.items() if scannable(form)} | further, as_written=True)
    texts = [(chunk.id, document_id, chunk.language, chunk.text) for chunk in chunks]
    text_of = {chunk.id: chunk.text for chunk in chunks}
    return [
        replace(mention, scanned=False)
        for mention in mentions_found(texts, lambda _, text: finder.all_in(text))
        if mention.key in further and (parse(further[mention.key]).proper or _recurs(mention, text_of, _has_article))
    ]


def _recurs(mention: Mention, text_of: Mapping[str, str], is_named: Callable[[str, int], bool]) -> bool:
    """Whether a phrase has several places, and enough of them look like a name, by the text before them and their
    beginning.
    """
    places = mention.occurrences
    named = sum(is_named(text_of[place.chunk_id], place.start) for place in places)
    return len(places) > 1 and named >= WITH_ARTICLE * len(places)


def _phrases(text: str) -> Iterator[str]:
    """Phrases that speak in a text: "old", "old man" and "old man quietly" of "… here," said the old man quietly"."""
    words = tokens(text)
    for at in range(2, len(words) - 1):
        if words[at].folded in ARTICLES and _follows_speech(words[at - 2 : at + 1], text):
            yield from _beginnings(words[at + 1 : at + 1 + MAX_PHRASE_WORDS], text)


def _follows_speech(words: Sequence[Token], text: str) -> bool:
    """Whether one word is between the end of a speech and an article: "… here," said the"."""
    before, verb, article = words
    gap = text[before.end : verb.start]
    if len(gap) < 2 or _ENDS_OF_SPEECH.isdisjoint(gap):
        return False
    return verb.text.islower() and verb.folded not in FUNCTION_WORDS and text[verb.end : article.start] == " "


def _beginnings(words: Sequence[Token], text: str) -> Iterator[str]:
    """The first word, the first two and so on, as far as they may be a name."""
    for count, word in enumerate(words, start=1):
        if word.folded in FUNCTION_WORDS or (count > 1 and text[words[count - 2].end : word.start] != " "):
            return
        if word.folded not in EPITHETS:
            yield text[words[0].start : word.end]


def _is_behind_article(text: str, start: int) -> bool:
    return _last_word(text, start) in ARTICLES


def _has_article(text: str, start: int) -> bool:
    """Whether an article is before a phrase, also an elided one (l'ancêtre), or begins it: "The cook" at the beginning
    of a sentence. This accepts more than the phrases an LLM is asked about, because here the LLM has said that it is a
    name.
    """
    first = tokens(text[start : start + _MAX_ARTICLE_CHARS])[:1]
    return _last_word(text, start) in ARTICLES | {"l"} or any(word.folded in ARTICLES for word in first)


def _last_word(text: str, end: int) -> str:
    """The last word before a place, folded. Articles are never cut off."""
    return next((word.folded for word in reversed(tokens(text[max(0, end - _MAX_ARTICLE_CHARS) : end]))), "")
