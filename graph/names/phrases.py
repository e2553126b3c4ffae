"""Phrases of a document that may be somebody's name though no chunk was read to have them: "the Duchess", "said the old
gentleman". An LLM is asked whose they are, as of names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.names import Mention
from filigraph.graph.names.finder import NameFinder
from filigraph.graph.names.mentions import mentions_found
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.names.tables import ARTICLES, EPITHETS, FUNCTION_WORDS
from filigraph.graph.text.words import Token, tokens

LONGEST = 3  # words of a phrase, without the article
WITH_ARTICLE = 0.5  # min. share of its places: "only" and "very" have none before them as a rule
_ENDS_OF_SPEECH = frozenset("\"”»’'!?…")
_LONGEST_ARTICLE = 6  # characters


def unread_phrases(chunks: Sequence[Chunk], mentions: Sequence[Mention]) -> list[Mention]:
    """The phrases whose bearer speaks somewhere and that recur, with all their places."""
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
        places = mention.occurrences
        named = sum(_is_behind_article(text_of[place.chunk_id], place.start) for place in places)
        if mention.key in forms and len(places) > 1 and named >= WITH_ARTICLE * len(places):
            phrases.append(replace(mention, form=forms[mention.key]))
    return phrases


def _phrases(text: str) -> Iterator[str]:
    """Who speaks in a text: "old", "old man" and "old man quietly" of "… here," said the old man quietly"."""
    words = tokens(text)
    for at in range(2, len(words) - 1):
        if words[at].folded in ARTICLES and _follows_speech(words[at - 2 : at + 1], text):
            yield from _beginnings(words[at + 1 : at + 1 + LONGEST], text)


def _follows_speech(words: Sequence[Token], text: str) -> bool:
    """Whether one word stands between the end of a speech and an article: "… here," said the"."""
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
    before = tokens(text[max(0, start - _LONGEST_ARTICLE) : start])
    return bool(before) and before[-1].folded in ARTICLES
