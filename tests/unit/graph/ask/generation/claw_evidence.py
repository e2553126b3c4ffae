"""Evidence of The Claw, in French, with its path."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.model.retrieval import Evidence, Hop, Path, Retrieved
from filigraph.graph.model.traces import Trace

RING = "Jules porte une chevalière."

CLAW = "La chevalière est l'emblème de La Griffe."


def evidence(id_: str, text: str, *, title: str = "Lettre", place: str = "", source: str = "letter.txt") -> Evidence:
    return Evidence(
        id=id_, kind="chunk", text=text, document_id="d", title=title, source=source, place=place, score=0.5
    )


def hop(subject: str, predicate: str, object_: str, chunk_id: str, sentence: str, *, implied: bool = False) -> Hop:
    return Hop(
        kind="fact",
        subject=subject,
        predicate=predicate,
        object=object_,
        subject_id=subject,
        object_id=object_,
        chunk_id=chunk_id,
        sentence=sentence,
        start=0,
        end=len(sentence),
        score=0.5,
        implied=implied,
    )


THE_PATH = Path(
    id="p1",
    hops=(
        hop("Jules", "porte", "chevalière", "a", RING),
        hop("chevalière", "est l'emblème de", "La Griffe", "b", CLAW, implied=True),
    ),
    score=0.9,
    text="Jules porte chevalière; chevalière est l'emblème de La Griffe",
)


def retrieved(
    found: Sequence[Evidence], paths: Sequence[Path] = (), *, question: str = "Qui ?", language: str = "fr"
) -> Retrieved:
    trace = Trace(id="t", workspace="w", question=question, steps=(), settings={})
    return Retrieved(question=question, language=language, evidence=tuple(found), paths=tuple(paths), trace=trace)


CASE = retrieved(
    [evidence("x", "Il pleut."), evidence("b", CLAW, place="page 3", source="cutting.txt"), evidence("a", RING)],
    [THE_PATH],
)
