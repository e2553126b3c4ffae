"""Which entities may be one although no text says so."""

from __future__ import annotations

import pytest

from filigraph.graph.analysis.alike import NameRow, NameTable


def thing(name: str, type_: str = "", *aliases: str, id_: str = "") -> NameRow:
    return NameRow(id=id_ or name, name=name, type=type_, aliases=(name, *aliases))


def alike(one: NameRow, other: NameRow, cosine: float = 0.6) -> bool:
    return bool(NameTable([one, other]).alike([one.id], [(one.id, other.id, cosine)]))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("account 2206", "compte 2206"),
        ("eight new flasks", "huit bouteilles de mercure"),
        ("Captain C. Voss", "Caradoc Voss"),
        ("un ciré vert", "ciré vert"),
    ],
)
def test_names_that_may_be_one(name: str, other: str) -> None:
    assert alike(thing(name), thing(other))


def test_entities_that_are_named_by_another() -> None:
    names = ["The sole shareholder of Tern Holdings", "La secrétaire de la Tern Holdings", "Tern Holdings Bank"]
    things = [thing("Tern Holdings", "Organization"), *map(thing, names), thing("Norbert de Varenne", "Person")]
    table = NameTable([*things, thing("Varenne"), thing("fire"), thing("report of fire"), thing("key of boathouse 7")])
    assert table.holding(["Tern Holdings", "Varenne", "fire", "nobody"]) == {"Tern Holdings": sorted(names[:2])}
    assert NameTable([thing("boathouse 7"), thing("key of boathouse 7")]).holding(["boathouse 7"])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("account 2206", "compte 2260"),
        ("eight flasks", "seventy-two flasks"),
        ("Silas Crome", "Ruth Crome"),
        ("Lyon", "Nantes"),
        ("quinze livres", "quinze livres sterling"),
        ("17 novembre 1958", "17 November 1958"),
    ],
)
def test_names_that_are_two(name: str, other: str) -> None:
    assert not alike(thing(name), thing(other), 0.9)


def test_names_that_somebody_says_are_two() -> None:
    one, other = thing("Captain C. Voss"), thing("Caradoc Voss")
    assert alike(one, other)
    assert not NameTable([one, other], apart=[(other.id, one.id)]).alike([one.id])


def test_types_and_meaning_speak_against_it() -> None:
    assert not alike(thing("the light", "Place"), thing("the light", "Person", id_="other"))
    assert alike(thing("a boat"), thing("un bateau"), 0.8)
    assert not alike(thing("a boat"), thing("un bateau"), 0.5)


def test_a_name_that_many_bear_is_many_things() -> None:
    few, many = (NameTable(thing("harmonium", "Object", id_=str(n)) for n in range(count)) for count in (3, 9))
    assert {*few.alike(["0"])} == {("0", "1"), ("1", "0"), ("0", "2"), ("2", "0")}
    assert few.alike(["0"])["0", "1"].after(2).other_id == "1"
    assert many.alike(["0"]) == {}


def test_aliases_count() -> None:
    assert alike(thing("W. P.", "Person", "Miss Winifred Pell"), thing("Winnie", "Person"))
    assert NameTable([thing("W. P.", "Person", "Miss Winifred Pell"), thing("Winnie", "Person")]).alike(["Winnie"])


def test_an_article_is_no_number_in_common() -> None:
    assert not alike(thing("dépense d'un carrelage"), thing("poids d'un incurable"))
