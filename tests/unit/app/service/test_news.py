"""News: the matters that new documents touch."""

from __future__ import annotations

from dataclasses import replace

from filigraph.app.service.news import touched_by
from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.analysis.matters import Matter
from tests.unit.graph.analysis.statements import statement

MATE = statement("light | was | out", by="the mate", source="a.txt")
KEEPER = statement("light | was never | out", by="the keeper", source="b.txt", denied=True)
WIFE = statement("light | was seen by | wife", by="the wife", source="c.txt")
FOUND = Contradiction(kind="denial", first=MATE, other=KEEPER, score=0.9, verdict="contradiction")


def test_a_pair_that_is_no_contradiction_is_no_news() -> None:
    none = replace(FOUND, other=WIFE, verdict="not")
    matter = Matter("whether the light was out", (FOUND, none))
    assert touched_by({WIFE.document_id}, [matter]) == ()
    assert touched_by({KEEPER.document_id}, [matter]) == (replace(matter, further=1),)
    assert touched_by({WIFE.document_id}, [Matter("", (none,))]) == ()
