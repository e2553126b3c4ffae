"""Excerpts: the sentences of the first passages that a reader sees if no model words an answer. The sentences of the
first path that is shown open come first, and no sentence comes twice, although chunks overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from filigraph.graph.ask.generation.compose import quoted_by
from filigraph.graph.model.answers import Excerpt
from filigraph.graph.model.retrieval import Evidence, Path, Retrieved
from filigraph.graph.text.language import detect
from filigraph.graph.text.sentences import MIN_PIECE_CHARS, sentence_groups, sentences
from filigraph.graph.text.words import tokens

MAX_EXCERPTS = 3
SAME_TEXT_WORD_SHARE = 0.8  # share of the words of a sentence that another has: then it says the same


def open_path(paths: Sequence[Path]) -> Path | None:
    """The first path that is not a lead; None if all are."""
    return next((path for path in paths if not path.lead), None)


def path_first(retrieved: Retrieved) -> Retrieved:
    """The same with the passages of the open path first, hop after hop. Summaries stay where they are."""
    path = open_path(retrieved.paths)
    if path is None or (retrieved.evidence and retrieved.evidence[0].kind == "summary"):
        return retrieved
    place = {id_: n for n, id_ in enumerate(path.chunk_ids)}
    ordered = sorted(retrieved.evidence, key=lambda item: place.get(item.id, len(place)))  # stable
    return replace(retrieved, evidence=tuple(ordered))


def excerpts(citations: Sequence[Evidence], paths: Sequence[Path], most: int = MAX_EXCERPTS) -> tuple[Excerpt, ...]:
    """For each of the first passages the sentences that the open path quotes, else the sentence nearest to the question
    that was not shown yet. A passage with nothing new is left out."""
    path = open_path(paths)
    quoted = quoted_by([path]) if path else {}
    shown: list[frozenset[str]] = []
    chosen: list[Excerpt] = []
    for number, item in enumerate(citations, start=1):
        if item.kind != "chunk" or len(chosen) == most:
            continue
        quotes = quoted.get(item.id)
        unshown = [text for text in dict.fromkeys(quotes or ()) if not _was_shown(text, shown)]
        if not quotes and (nearest := _nearest_unshown_sentence(item, shown)):
            unshown = [nearest]
        if unshown:
            shown += map(_words, unshown)
            chosen.append(Excerpt(number=number, text=" […] ".join(" ".join(text.split()) for text in unshown)))
    return tuple(chosen)


def _nearest_unshown_sentence(item: Evidence, shown: Sequence[frozenset[str]]) -> str:
    """The sentence of a passage nearest to the question that was not shown yet; "" if all were shown."""
    spans = item.nearest or sentence_groups(item.text, detect(item.text))
    groups = (_without_line_before(item.text[start:end]) for start, end in spans)
    return next((text for text in groups if not _was_shown(text, shown)), "")


def _without_line_before(group: str) -> str:
    """A group of sentences without a short one that ends a line: a heading, or what another person says in a chat."""
    spans = sentences(group, detect(group))
    for (first, end), (following, _) in pairwise(spans):
        if end - first >= MIN_PIECE_CHARS or "\n" not in group[end:following]:
            return group[first:]
    return group[spans[-1][0] :] if spans else group


def _was_shown(text: str, shown: Sequence[frozenset[str]]) -> bool:
    words = _words(text)
    return not words or any(len(words & other) >= SAME_TEXT_WORD_SHARE * len(words) for other in shown)


def _words(text: str) -> frozenset[str]:
    return frozenset(token.folded for token in tokens(text))
