"""Choice: whether a cross-encoder reorders the evidence of a question."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.ask.explore.search import SearchHits
from filigraph.graph.ask.question.parse import ParsedQuestion
from filigraph.graph.ask.ranking.cosine_blend import Blend
from filigraph.graph.ask.ranking.rank import Ranked
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.errors import NotSetUp
from filigraph.graph.text.question_words import is_factoid, needs_reasoning


@dataclass(frozen=True, kw_only=True)
class RerankerChoice:
    """The reranker of a question, or the reason why it has none."""

    scorer: Scorer | None = None
    why_not: str = ""

    def __str__(self) -> str:
        return self.scorer.name if self.scorer else f"none: {self.why_not}"


def choose_reranker(
    question: ParsedQuestion,
    ranked: Ranked,
    hits: SearchHits,
    reranker: Scorer | None,
    *,
    rerank: bool | None,
    blend: Blend | None,
    profile_is_set: bool,
) -> RerankerChoice:
    """`rerank` and `blend` as in `AskSettings`; `profile_is_set`: by the request. Raises NotSetUp for a blend without a
    reranker."""
    if blend and reranker is None:
        raise NotSetUp(
            "blend needs a cross-encoder, and none is loaded.",
            cure="Set FILIGRAPH_RERANKER to a cross-encoder's folder, or ask without blend.",
        )
    if blend:
        return RerankerChoice(scorer=reranker)
    if rerank is False:
        return RerankerChoice(why_not="not wanted")
    if reranker is None:
        return RerankerChoice(why_not="no reranker is loaded: the graph's ranking is final")
    ordered = profile_is_set or question.profile == "synthesis" or not needs_reasoning(question.text)
    if rerank is None and question.profile != "detail" and ordered:
        return RerankerChoice(why_not=f"the order is that of the profile {question.profile!r}")
    single_fact = hits.about_one and ranked.is_single_fact_about(hits.linked[0].entity_id)
    if rerank is None and single_fact and is_factoid(question.text):
        return RerankerChoice(why_not="a plain look-up: one fact about the one thing that it names")
    return RerankerChoice(scorer=reranker)
