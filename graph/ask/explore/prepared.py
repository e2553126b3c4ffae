"""Prepared: a question spelled as the texts spell it, cut and embedded, before the searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from filigraph.graph.ask.explore.search import EmbeddedQuestion, embed_question
from filigraph.graph.ask.question.documents import PeriodDocuments
from filigraph.graph.ask.question.parse import ParsedQuestion
from filigraph.graph.ask.question.spelling import Spelling, corrected_spelling
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.models.embed import Embedder
from filigraph.graph.records.entities import FoundEntity
from filigraph.graph.text.wording import wording
from filigraph.graph.text.words import lucene_query, query_terms


@dataclass(frozen=True, kw_only=True)
class PreparedQuestion:
    """A question as it is searched, with the corrected names and the number of documents of its period."""

    parsed: ParsedQuestion
    spelling: Spelling
    embedded: EmbeddedQuestion
    of_period: PeriodDocuments | None  # None where no period limits the documents

    @property
    def remark(self) -> str:
        """In words: which names were corrected, and how many documents are of the period."""
        form = wording(self.parsed.language).taken_as
        taken = (form.format(word=word, name=name) for word, name in self.spelling.taken.items())
        period = self.of_period.remark(self.parsed.language) if self.of_period else ""
        return " ".join(filter(None, (*taken, period)))

    def summary(self) -> dict[str, Any]:
        taken = {"taken_as": dict(self.spelling.taken)} if self.spelling.taken else {}
        return {**taken, "segments": self.embedded.segment_texts, **self._period_summary()}

    def _period_summary(self) -> dict[str, Any]:
        if self.of_period is None:
            return {}
        documents = self.of_period
        return {"period": str(documents.period), "documents_of_period": documents.inside, "undated": documents.undated}


def prepare_question(
    parsed: ParsedQuestion, of_period: PeriodDocuments | None, reader: GraphReader, embedder: Embedder
) -> PreparedQuestion:
    """Correct the names in a question, cut and embed it. `of_period`: how many documents of `reader` are of its
    period."""
    spelling = corrected_spelling(parsed.text, *_word_searches(parsed.language, reader, embedder.dimensions))
    embedded = embed_question(spelling.text, parsed.language, reader, embedder)
    return PreparedQuestion(parsed=parsed, spelling=spelling, embedded=embedded, of_period=of_period)


def _word_searches(
    language: str, reader: GraphReader, dimensions: int
) -> tuple[Callable[[str], bool], Callable[[str, int], Sequence[FoundEntity]]]:
    """Whether a text has a word, and the entities with a name near to one."""
    languages = (language, *reader.overview().languages)
    anywhere = np.full(dimensions, dimensions**-0.5, dtype=np.float32)  # only words matter here, not vectors

    def is_known_word(word: str) -> bool:
        sought = lucene_query(query_terms(word, *languages))
        return not sought or bool(reader.search_words(sought, anywhere, 1))

    return is_known_word, reader.names_near
