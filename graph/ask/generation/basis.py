"""Basis: the support of an answer, in words: which of its numbers are summaries, which are passages, and what was only
summarized, so that a user can ask further."""

from __future__ import annotations

import re
from collections.abc import Sequence

from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.text.wording import wording

_CITED = re.compile(r"\[(\d{1,4})\]")
MAX_NAMED = 4


def basis_note(text: str, cited: Sequence[Evidence], language: str) -> str:
    """One or two sentences on an answer that cites a summary, "" for any other. [n] is `cited[n - 1]`."""
    numbers = sorted({int(number) for number in _CITED.findall(text) if 0 < int(number) <= len(cited)})
    summaries = [n for n in numbers if cited[n - 1].kind == "summary"]
    if not summaries:
        return ""
    words = wording(language)
    passages = [n for n in numbers if n not in summaries]
    sentences = [words.from_summaries.format(numbers=_citation_marks(summaries))]
    sentences += [words.from_text.format(numbers=_citation_marks(passages))] if passages else []
    read = [cited[n - 1] for n in passages]
    closed = [_summary_name(cited[n - 1]) for n in summaries if not any(_is_covered(one, cited[n - 1]) for one in read)]
    if names := list(dict.fromkeys(filter(None, closed)))[:MAX_NAMED]:
        sentences.append(words.deeper.format(places="; ".join(names)))
    return " ".join(sentences)


def _citation_marks(numbers: Sequence[int]) -> str:
    return " ".join(f"[{number}]" for number in numbers)


def _summary_name(summary: Evidence) -> str:
    return " ".join((summary.place or summary.title or summary.source).split())[:120]


def _is_covered(passage: Evidence, summary: Evidence) -> bool:
    """Whether a passage belongs to the section that is summarized."""
    section = summary.place.rpartition(" (")[0] or summary.place
    return passage.document_id == summary.document_id and section in passage.place
