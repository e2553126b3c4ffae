"""Names of a document that no chunk's extraction has: which phrases may be names, and which of those in a cast are."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, LoadedDocument
from filigraph.graph.model.llm_readings import CastMember, CastReading
from filigraph.graph.names.phrases import cast_mentions, unread_phrases
from filigraph.graph.text.names.parse import name_key


def chunks_of(text: str, language: str) -> list[Chunk]:
    loaded = LoadedDocument(source="a.txt", title="", text=text, sha256="", media_type="text/plain", language=language)
    return split(loaded, "d", size=400)


def kept(text: str, *further: str, language: str = "en") -> set[str]:
    """The keys of the added names that become mentions."""
    member = CastMember(names=tuple(map(name_key, further)), further=further)
    reading = CastReading(key="k", members=(member,))
    return {mention.key for mention in cast_mentions("d", chunks_of(text, language), [], [reading])}


def test_a_word_that_is_no_proper_name_counts_if_it_recurs_behind_an_article() -> None:
    text = '"Hello," the cook said. "Hello," Anna said. The cook saw an old man, once. Anna had met Captain Grey.'
    assert kept(text, "the cook", "said", "hello", "old man", "Captain Grey") == {"cook", "captain grey"}


def test_so_in_french() -> None:
    text = "L'ancêtre parla. Anna vit l'ancêtre et dit oui. La vieille bonne dit non ; la vieille bonne partit."
    assert kept(text, "l'ancêtre", "dit", "la vieille bonne", language="fr") == {"ancetre", "vieille bonne"}


@pytest.mark.parametrize("article", ["einer", "keiner"])
def test_an_article_is_a_whole_word(article: str) -> None:
    text = f"« Ja! » sagte {article} alt. Er sah {article} alt. « Ja! » sagte eine alt, und alt, und alt, und alt."
    found = {phrase.key for phrase in unread_phrases(chunks_of(text, "de"), [])}
    assert ("alt" in found) == (article == "einer")
