"""Families from facts of kinship."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.analysis.family import Families, Family, families_of
from filigraph.graph.records.entities import FoundEntity
from filigraph.graph.records.facts import DetailFact, WholeFact
from tests.unit.graph.analysis.making import detail_fact


def kin(said: str, *, weight: int = 1, denied: bool = False, by: str = "") -> DetailFact:
    """A fact of "Ann | is the daughter of | Bea"."""
    subject, predicate, object_ = said.split(" | ")
    return detail_fact(said, subject, predicate, object_, weight=weight, denied=denied, by=by)


class Kin:
    def __init__(self, *facts: str | DetailFact, types: dict[str, str] | None = None) -> None:
        self.facts = [kin(one) if isinstance(one, str) else one for one in facts]
        self.types = types or {}

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[list[FoundEntity], int]:
        rows = [
            FoundEntity(id=id_, name=id_, type=type_, aliases=(), chunks=1, facts=1)
            for id_, type_ in self.types.items()
        ]
        return rows, len(rows)

    def facts_among(self, entity_ids: Sequence[str], *, document_id: str | None = None) -> list[WholeFact]:
        return [
            WholeFact(
                id=one.fact_id,
                subject_id=one.subject_id,
                predicate=one.predicate,
                object_id=one.object_id,
                relation="",
                weight=1,
                denied=one.denied,
            )
            for one in self.facts
        ]

    def facts_of_relations(
        self, relations: Sequence[str], *, subject_ids: Sequence[str] | None = None, document_id: str | None = None
    ) -> list[DetailFact]:
        return self.facts


def generations(family: Family) -> dict[str, int]:
    return {member.name: member.generation for member in family.members}


def ties(family: Family) -> set[tuple[str, str, str]]:
    return {(tie.kind, tie.first, tie.other) for tie in family.ties}


def only(found: Families) -> Family:
    assert len(found.families) == 1
    return found.families[0]


def test_generations_follow_from_parents_spouses_and_siblings() -> None:
    family = only(
        families_of(
            Kin(
                "Ann | is the daughter of | Bea",
                "Carl | is the father of | Ann",
                "Bea | was the wife of | Carl",
                "Dan | is the brother of | Ann",
                "Eve | is the grandmother of | Ann",
            )
        )
    )
    assert generations(family) == {"Eve": 0, "Bea": 1, "Carl": 1, "Ann": 2, "Dan": 2}
    assert ties(family) == {
        ("parent", "Bea", "Ann"),
        ("parent", "Carl", "Ann"),
        ("spouse", "Bea", "Carl"),
        ("sibling", "Ann", "Dan"),
        ("relative", "Eve", "Ann"),
    }
    assert not any(tie.open or tie.denied for tie in family.ties)


def test_spouses_are_beside_each_other_and_children_below_their_parents() -> None:
    family = only(
        families_of(
            Kin(
                "Zoe | married | Abel",
                "Ben | is the son of | Zoe",
                "Mia | is the sister of | Zoe",
                "Leo | is the son of | Mia",
            )
        )
    )
    assert [member.name for member in family.members] == ["Abel", "Zoe", "Mia", "Ben", "Leo"]


def test_one_tie_has_all_the_facts_that_say_it() -> None:
    family = only(families_of(Kin("Ann | is the daughter of | Bea", kin("Bea | is the mother of | Ann", weight=3))))
    assert [(tie.kind, len(tie.facts), tie.facts[0].weight) for tie in family.ties] == [("parent", 2, 3)]


def test_parents_that_exclude_each_other_are_all_shown_as_open() -> None:
    two = only(families_of(Kin("Carl | is the father of | Ann", "Dan | is the father of | Ann")))
    assert [(tie.first, tie.open) for tie in two.ties] == [("Carl", True), ("Dan", True)]
    three = only(
        families_of(Kin("Ann | is the child of | X", "Ann | is the child of | Y", "Ann | is the child of | Z"))
    )
    assert all(tie.open for tie in three.ties)
    each = only(families_of(Kin("Ann | is the child of | Bo", "Bo | is the child of | Ann")))
    assert all(tie.open for tie in each.ties) and len(each.ties) == 2


def test_what_is_denied_or_only_alleged_is_not_a_tie() -> None:
    found = families_of(
        Kin(
            "Ann | is the daughter of | Bea",
            kin("Ann | is not the daughter of | Bea", denied=True),
            kin("Ann | is not the sister of | Dan", denied=True),
            kin("Carl | is the brother of | Ann", by="Bea"),
        )
    )
    family = only(found)
    assert ties(family) == {("parent", "Bea", "Ann")} and family.ties[0].denied
    assert [fact.subject for fact in found.alleged] == ["Carl"]


def test_places_have_no_family_and_a_name_has_its_own() -> None:
    graph = Kin(
        "Ann | is the daughter of | Bea", "Lyon | is the mother of | arts", "Xi | married | Yo", types={"Lyon": "Place"}
    )
    found = families_of(graph)
    assert len(found.families) == 2
    assert set(generations(only(found.of(["Yo"])))) == {"Xi", "Yo"}
    assert not found.of(["Lyon"]).families


def test_maiden_names_come_from_sentences() -> None:
    graph = Kin("Ann Blake | married | Carl")
    graph.facts = [kin("Ann Blake, née Moore, | married | Carl")]
    graph.facts[0] = DetailFact(**{**vars(graph.facts[0]), "subject": "Ann Blake"})
    assert {member.name: member.maiden_name for member in only(families_of(graph)).members}["Ann Blake"] == "Moore"
