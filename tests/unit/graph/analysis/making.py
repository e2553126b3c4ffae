"""Facts for the tests of cast lists and families."""

from __future__ import annotations

from filigraph.graph.records.facts import DetailFact, FactSentence


def detail_fact(
    id_: str, subject: str, predicate: str, object_: str, *, weight: int = 1, denied: bool = False, by: str = ""
) -> DetailFact:
    """A fact with one sentence; `by`: who alone asserts it."""
    sentence = FactSentence(
        chunk_id="a0",
        document_id="novel",
        source="novel.txt",
        place="",
        sentence=f"{subject} {predicate} {object_}.",
        start=0,
        end=9,
        origin="explicit",
        according_to=by,
    )
    return DetailFact(
        fact_id=id_,
        subject_id=subject,
        subject=subject,
        predicate=predicate,
        object_id=object_,
        object=object_,
        text="",
        weight=weight,
        denied=denied,
        sentences=(sentence,),
    )
