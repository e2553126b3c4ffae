"""Statements that contradict each other, or seem to."""

from __future__ import annotations

from filigraph.graph.records.facts import Statement


def statement(text: str, *, by: str = "", source: str = "a.txt", denied: bool = False, **given: str) -> Statement:
    """What "subject | predicate | object" says; the sentence is the same."""
    subject, predicate, object_ = text.split(" | ")
    told = {"subject_type": "", "object_type": "", "when": "", "when_date": "", "author": "", "date": ""} | given
    return Statement(
        fact_id=text,
        subject_id=subject.lower(),
        subject=subject,
        predicate=predicate,
        object_id=object_.lower(),
        object=object_,
        denied=denied,
        sentence=text,
        place="",
        chunk_id=source,
        start=0,
        end=len(text),
        document_id=source,
        source=source,
        language="en",
        according_to=by,
        **told,
    )


STRUCK = statement("Le Dantec | struck out | the line", by="Malgorn")
NEVER = statement("Le Dantec | never struck out | a line", by="Le Dantec", denied=True)
