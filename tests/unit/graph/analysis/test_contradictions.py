"""Possible contradictions: pairs of statements by different voices."""

from __future__ import annotations

import numpy as np

from filigraph.graph.analysis.contradictions import Contradiction, find_contradictions
from filigraph.graph.records.facts import Statement
from tests.unit.graph.analysis.statements import NEVER, STRUCK, statement


def found(*statements: Statement, vectors: list[list[float]]) -> list[Contradiction]:
    """Among these, beside statements that have nothing to do with them."""
    others = [statement(f"Other{n} | sees | thing{n}", source=f"{n}.txt") for n in range(4)]
    rows = np.zeros((len(statements) + len(others), 8), dtype=np.float32)
    for n, vector in enumerate(vectors):
        rows[n, : len(vector)] = vector
    for n in range(len(others)):
        rows[len(statements) + n, 4 + n] = 1.0
    return find_contradictions([*statements, *others], rows / np.linalg.norm(rows, axis=1, keepdims=True), {})


ALIKE = [[1.0, 0.1], [1.0, 0.0]]
DIFFERENT = [[1.0, 0.0], [0.0, 1.0]]


def test_what_one_says_and_another_denies() -> None:
    (one,) = found(STRUCK, NEVER, vectors=ALIKE)
    assert (one.kind, {one.first.voice, one.other.voice}) == ("denial", {"Malgorn", "Le Dantec"})
    assert one.is_about("le dantec")
    assert not one.is_about("malgorn")
    assert found(STRUCK, NEVER, vectors=DIFFERENT) == []


def test_one_voice_does_not_contradict_itself() -> None:
    again = statement("Le Dantec | struck out | the line", by="M. Le Dantec", source="b.txt")
    assert found(again, NEVER, vectors=ALIKE) == []
    initial = statement("Le Dantec | struck out | the line", by="R. Taillandier")
    full = statement("Le Dantec | never struck out | a line", by="Rémi Taillandier", denied=True)
    assert found(initial, full, vectors=ALIKE) == []


def test_another_hour_or_number_of_one_thing() -> None:
    mate = statement("His watch | had stopped at | 2.10 a.m.", by="the agent")
    doctor = statement("His watch | was stopped at | 11.52 a.m.", source="b.txt")
    assert [one.kind for one in found(mate, doctor, vectors=ALIKE)] == ["time"]
    owed = statement("Hervé | owed | 400 pounds", source="a.txt")
    more = statement("Hervé | owed | 612 pounds", source="b.txt")
    assert [one.kind for one in found(owed, more, vectors=ALIKE)] == ["number"]
    same = statement("Hervé | owed | £400", source="b.txt")
    assert found(owed, same, vectors=ALIKE) == []
    another = statement("Silas | owed | 612 pounds", source="b.txt")
    assert found(owed, another, vectors=ALIKE) == []


def test_ends_that_are_only_alike_need_a_common_word() -> None:
    knows = statement("Malgorn | does not know | one Lesquer", by="Malgorn", source="a.txt", denied=True)
    alike = {("one lesquer", "annick lesquer"): 0.9, ("annick lesquer", "one lesquer"): 0.9}
    vectors = np.array(ALIKE + DIFFERENT, dtype=np.float32)
    for predicate, count in (("is the son of", 0), ("knows", 1)):
        other = statement(f"Malgorn | {predicate} | Annick Lesquer", by="the clerk", source="b.txt")
        others = [statement(f"{n} | saw | {n}", by=n, source=n) for n in ("x", "y")]
        assert len(find_contradictions([knows, other, *others], vectors, alike)) == count


def test_two_birthplaces() -> None:
    lyon = statement("Jules | was born in | Lyon", source="a.txt")
    nantes = statement("Jules | was born in | Nantes", source="b.txt")
    assert [one.kind for one in found(lyon, nantes, vectors=DIFFERENT)] == ["object"]
    year = statement("Jules | was born in | 1884", source="b.txt")
    assert found(lyon, year, vectors=DIFFERENT) == []
    within = statement("Jules | was born in | the Old Town of Lyon", source="b.txt")
    assert found(lyon, within, vectors=DIFFERENT) == []


def test_two_places_on_one_day() -> None:
    at = {"object_type": "Place", "when_date": "1991-11-12"}
    dijon = statement("Étienne | was seen at | Dijon", source="a.txt", **at)
    calais = statement("Étienne | had breakfast at | Calais", source="b.txt", **at)
    assert [one.kind for one in found(dijon, calais, vectors=DIFFERENT)] == ["place"]
    later = statement("Étienne | slept at | Calais", source="b.txt", **at | {"when": "at 9 p.m."})
    early = statement("Étienne | was seen at | Dijon", source="a.txt", **at | {"when": "at 8 a.m."})
    assert found(early, later, vectors=DIFFERENT) == []
    assert found(dijon, calais, vectors=ALIKE)[0].first.source == "a.txt"


def test_nothing_disagrees_with_nothing() -> None:
    assert find_contradictions([], np.zeros((0, 8), dtype=np.float32), {}) == []
    assert found(STRUCK, vectors=[[1.0]]) == []
