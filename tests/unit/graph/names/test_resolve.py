from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.facts import Entity
from filigraph.graph.model.llm_readings import CastMember, CastReading
from filigraph.graph.model.names import AliasGroup, Decision, Resolution
from filigraph.graph.names import facts
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.propose.proposals import propose
from filigraph.graph.names.resolve import resolve as resolve_candidates
from filigraph.graph.tables.persistent_map import PersistentMap
from tests.unit.graph.names.making import Row, row, rows


def resolve(mentions: Iterable[Row], state: DerivationState | None = None, **given: Any) -> Resolution:
    return resolve_candidates(find_candidates(mentions, state), state=state, **given)


def groups(mentions: Iterable[Row], resolution: Resolution) -> set[frozenset[str]]:
    """The groups of two or more, as "document:form"."""
    found: dict[str, set[str]] = {}
    for mention in mentions:
        found.setdefault(resolution.entity_of[mention.id], set()).add(f"{mention.document_id}:{mention.form}")
    return {frozenset(members) for members in found.values() if len(members) > 1}


def resolved(mentions: Sequence[Row], **given: Any) -> set[frozenset[str]]:
    return groups(mentions, resolve(mentions, **given))


def group(*members: str) -> frozenset[str]:
    return frozenset(members)


def decision(first: Row, second: Row, *, same: bool) -> Decision:
    low, high = sorted((first.id, second.id))
    return Decision(first=low, second=high, same=same, rule="person", score=1.0, by="person")


# --------------------------------------------------------------------------------------------------------------------
# Exact


def test_full_names_join_across_documents() -> None:
    assert resolved(rows(a=["Sophie"], b=["sophie Vernet", "La Griffe"], c=["Sophie Vernet", "la Griffe"])) == {
        group("b:sophie Vernet", "c:Sophie Vernet"),
        group("b:La Griffe", "c:la Griffe"),
    }


def test_a_name_is_known_by_its_key_where_its_form_alone_has_another() -> None:
    """ "the World Turns" is found in "As the World Turns", of which the article is a part."""
    turns = [replace(row(document, "the World Turns"), key="the world turns") for document in "ab"]
    assert resolved([*turns, row("c", "World Turns")]) == {
        group("a:the World Turns", "b:the World Turns", "c:World Turns")
    }


def test_a_name_that_no_longer_name_contains_is_full() -> None:
    assert resolved(rows(a=["Sophie"], b=["Sophie"])) == {group("a:Sophie", "b:Sophie")}


def test_a_short_form_stays_in_its_document() -> None:
    assert resolved(rows(a=["Delmas"], b=["Delmas"], c=["Jules Delmas"])) == set()
    assert resolved(rows(a=["J. Delmas"], b=["J. Delmas"], c=["Jules Delmas"])) == set()


@pytest.mark.parametrize("form", ["voleurs", "the ring", "the Judge", "Monsieur le juge", "signet ring", "Voleurs"])
def test_common_nouns_never_join_across_documents(form: str) -> None:
    mentions = [row("a", form), row("b", form), row("c", form.lower())]
    assert resolved(mentions) == set()


def test_a_full_description_joins_across_documents() -> None:
    ring = "chevalière d'argent à tête de loup"
    assert resolved(rows(a=[f"la {ring}"], b=[f"une {ring}"])) == {group(f"a:la {ring}", f"b:une {ring}")}


def test_a_name_of_its_own_joins_although_a_longer_one_contains_it() -> None:
    documents = {f"d{n}": ["Elmham"] for n in range(6)}
    longer = {"x": ["Great Elmham"]}
    assert len(resolved(rows(**documents, **longer))) == 1
    assert resolved(rows(**{f"d{n}": ["Elmham"] for n in range(4)}, **longer)) == set()
    assert resolved(rows(**documents, x=["Jules Elmham"])) == set()  # a surname needs many more


def test_types_keep_apart_and_the_untyped_join_where_there_is_no_choice() -> None:
    person, place, none = row("a", "Paris", "Person"), row("b", "Paris", "PLACE"), row("c", "Paris")
    assert resolved([person, place]) == set()
    assert resolved([person, place, none]) == set()
    assert resolved([person, none]) == {group("a:Paris", "c:Paris")}
    assert resolved([row("a", "La Griffe", "Gang"), row("b", "La Griffe", "Organization")]) == {
        group("a:La Griffe", "b:La Griffe")
    }


def test_decisions_are_a_spanning_set() -> None:
    mentions = [row(f"d{n}", "Sophie") for n in range(50)]
    result = resolve(mentions)
    assert len(set(result.entity_of.values())) == 1
    assert [d.rule for d in result.decisions] == ["exact"] * 49
    smallest = min(mention.id for mention in mentions)
    assert set(result.entity_of.values()) == {ids.entity_id(smallest)}


# --------------------------------------------------------------------------------------------------------------------
# Names as novels use them


def test_holmes() -> None:
    forms = ["Holmes", "Sherlock Holmes", "Mr. Holmes", "Mr. Sherlock Holmes"]
    assert resolved(rows(a=forms)) == {frozenset(f"a:{form}" for form in forms)}


def test_a_surname_of_two_is_nobody_in_particular() -> None:
    forms = ["Holmes", "Sherlock Holmes", "Mycroft Holmes"]
    result = resolve(rows(a=forms))
    assert len(set(result.entity_of.values())) == 3
    assert {d.rule for d in result.near_misses} == {"contained"}


def test_a_short_form_goes_to_the_one_who_has_nearly_all_places() -> None:
    mentions = [row("a", "John Cavendish", count=30), row("a", "Saint John", count=1), row("a", "John", count=99)]
    assert resolved(mentions) == {group("a:John Cavendish", "a:John")}


@pytest.mark.parametrize(
    ("others", "joined"),
    [
        ((), True),
        (("Evangeline Cade",), False),  # she may be either
        (("Martha Evie",), False),  # a surname
    ],
)
def test_a_diminutive_is_she_whose_name_it_fits_alone(others: tuple[str, ...], joined: bool) -> None:
    found = resolved(rows(a=["Evelyn Howard", "Evie", *others]))
    assert (group("a:Evelyn Howard", "a:Evie") in found) == joined


def test_a_saint_and_a_river_are_nobody_of_that_name() -> None:
    assert resolved(rows(a=["Saint-Jean", "Jean", "Mary River", "Mary"])) == set()


def test_husband_and_wife() -> None:
    forms = ["St. Clair", "Neville St. Clair", "Mr. St. Clair"]
    assert resolved(rows(a=[*forms, "Mrs. St. Clair"])) == {frozenset(f"a:{form}" for form in forms)}
    assert resolved(rows(a=["Mrs. John Cavendish", "John Cavendish"])) == set()
    assert resolved(rows(a=["Wellington Koo"], b=["Madame Wellington Koo"])) == set()
    assert resolved(rows(a=["Mrs. Cavendish", "Mary Cavendish", "John Cavendish"])) == {
        group("a:Mrs. Cavendish", "a:Mary Cavendish")
    }


def test_lecoq() -> None:
    assert resolved(rows(a=["Lecoq", "M. Lecoq", "monsieur Lecoq", "Mme Lecoq"], b=["M. Lecoq"])) == {
        group("a:Lecoq", "a:M. Lecoq", "a:monsieur Lecoq", "b:M. Lecoq")
    }


def test_father_and_son() -> None:
    assert resolved(rows(a=["père Delmas", "Jules Delmas", "Delmas"])) == set()
    assert resolved(rows(a=["Alexandre Dumas père"], b=["Alexandre Dumas fils"], c=["Alexandre Dumas"])) == set()
    assert resolved(rows(a=["le vieux Delmas"], b=["le jeune Delmas"])) == set()


def test_the_three_delmas() -> None:
    found = resolved(
        rows(a=["Jules Delmas", "J. Delmas"], b=["Jean Delmas", "J. Delmas"], c=["Jules Delmas", "Delmas"])
    )
    assert found == {
        group("a:Jules Delmas", "a:J. Delmas", "c:Jules Delmas", "c:Delmas"),
        group("b:Jean Delmas", "b:J. Delmas"),
    }


def test_le_jeune_jules() -> None:
    assert resolved(rows(a=["le jeune Jules", "Jules Delmas"], b=["Jules Delmas"], c=["le jeune Jules"])) == {
        group("a:le jeune Jules", "a:Jules Delmas", "b:Jules Delmas")
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("chevalière", "chevalier"),
        ("Louis XIV", "Louis XV"),
        ("Victory", "Victory 3"),
        ("Tony Award", "Tony Awards"),
        ("Count of Savoy", "County of Savoy"),
        ("Captain Kangaroo", "Kangaroo"),
        ("Cristina Rodríguez", "Cristian Rodríguez"),
        ("Muhammad bin Salman", "Salman bin Muhammad"),
        ("Sergey Viktorovich Lavrov", "Sergey Borisovitch Lavrov"),
        ("films made in 1970s", "films made in 1960s"),
        ("John I, Duke of Cleves", "son of John I, Duke of Cleves"),
        ("Academy Award for Best Actor", "Academy Award for Best Supporting Actor"),
        ("Robert Petre", "Robert James Petre"),
        ("Kuwait", "Kuwaiti"),
        ("Anhalt-Bernburg", "Anhalt-Dornburg"),
        ("National Public Health Institute", "National Health Institute"),
        ("Jules Antoine Marie Delmas", "Jules Marie Antoine Delmas"),
        ("White & Co Street", "White Street"),
        ("Exxon Mobil Inc.", "Exxon Valdez Inc."),
        ("Сергей Лавров", "Sergei Lebedev"),
        ("Ted Doe", "Edmund Doe"),
        ("Holmesia", "Holmesian"),
    ],
)
def test_apart_whatever_the_vectors_say(first: str, second: str) -> None:
    mentions = rows(a=[first], b=[second])
    same = np.ones(4, dtype=np.float32) / 2
    vectors = dict.fromkeys(find_candidates(mentions).texts, same)
    assert resolved(mentions, vectors=vectors) == set()


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("Siemens AG", "Siemens Aktiengesellschaft", "core"),
        ("Pol Pot", "PolPot", "spelling"),
        ("Emanuel Macron", "Emmanuel Macron", "spelling"),
        ("Dr. Rami Makhlouf", "Rami Makhlouf", "core"),
        ("König Harald Blauzahn", "Harald Blauzahn", "core"),
        ("Procter & Gamble", "Procter and Gamble", "core"),
        ("Banque Cordier & Cie", "Banque Cordier", "core"),
        ("OAO Gazprom Neft", "Open Joint Stock Company Gazprom Neft", "core"),
        ("SRL Pro Traffic", "Societatea cu Răspundere Limitată Pro Traffic", "core"),
        ("Citigroup Inc.", "Citygroup Inc.", "spelling"),
        ("Sergey Lavrov", "Сергей Лавров", "spelling"),
        ("Jules Delmas", "Jules Delm\u0430s", "spelling"),  # a Cyrillic а
        ("Thomas Sawyer", "Tom Sawyer", "nickname"),
        ("Mary Jane Watson Parker", "Mary Jane Anne Watson Parker", "middle-name"),
    ],
)
def test_together_across_documents(first: str, second: str, rule: str) -> None:
    result = resolve(rows(a=[first], b=[second]))
    assert [(d.rule, d.same) for d in result.decisions] == [(rule, True)]


@pytest.mark.parametrize(("first", "second"), [("Inspector James Japp", "Jimmy Japp"), ("Margaret Hale", "Peggy Hale")])
def test_an_unlike_nickname_joins_in_a_document_and_is_asked_across(first: str, second: str) -> None:
    here = resolve(rows(a=[first, second]))
    assert [(d.rule, d.same) for d in here.decisions] == [("nickname", True)]
    apart = resolve(rows(a=[first], b=[second]))
    assert not apart.decisions and [miss.rule for miss in apart.near_misses] == ["nickname"]


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("Sergi Lavrov", "Sergei Lavrov", "spelling"),
        ("Exxor Mobil Corporation", "Exxon Mobil Corporation", "spelling"),
        ("Boris Johnson", "Alexandre Boris de Pfeffel Johnson", "contained"),
        ("N. Nazarbayev", "Nursultan Nazarbayev", "contained"),
        ("Barack Obama", "Բարակ Օբամա", "spelling"),
        ("Fernando Pérez", "فرناندو بيريز", "spelling"),
        ("Barack Obama", "バラク・オバマ", "spelling"),
        ("Al Qaeda", "Al Qa'ida", "spelling"),
        ("Bachar el-Assad", "Bashar al-Assad", "spelling"),
        ("Homs Refinery Corporation", "The Homs Refinery Company", "spelling"),
        ("ABC Co.", "A.B.C. Company", "spelling"),
        ("PLA", "People's Liberation Army", "contained"),
        ("Miss Mary Morstan", "Mrs. Mary Morstan", "core"),
    ],
)
def test_a_person_is_asked(first: str, second: str, rule: str) -> None:
    result = resolve(rows(a=[first], b=[second]))
    assert [miss.rule for miss in result.near_misses] == [rule]
    assert not any(made.same for made in result.decisions)


@pytest.mark.parametrize("longer", ["Umar Patek Abdullah Anshori", "Abdullah Patek Umar"])
def test_a_person_is_asked_where_a_longer_name_has_the_same_words(longer: str) -> None:
    result = resolve([row("a", "Umar Patek", "Person"), row("b", longer, "Person")])
    assert [(miss.rule, miss.score) for miss in result.near_misses] == [
        ("contained", round(2 / len(longer.split()), 4))
    ]
    assert resolve(rows(a=["Umar Patek"], b=[longer])).near_misses == ()


def test_a_short_name_that_may_be_two_is_left_to_a_person() -> None:
    names = ["Mary Jane Watson Parker", "Mary Jane Anne Watson Parker", "Mary Jane Lucy Watson Parker"]
    result = resolve(rows(a=[names[0]], b=[names[1]], c=[names[2]]))
    assert len(set(result.entity_of.values())) == 3
    assert {miss.rule for miss in result.near_misses} <= {"middle-name", "contained", "spelling"} and result.near_misses


def test_a_part_belongs_to_nobody_until_a_person_says_so() -> None:
    whole = row("a", "Jules Delmas")
    part = replace(whole, id=ids.part_id(whole.id, "decision"), part_of=whole.id)
    mentions = [whole, part, row("b", "Jules Delmas"), row("a", "Delmas")]
    kept = decision(whole, part, same=False)
    assert resolved(mentions, decisions=[kept]) == {group("a:Jules Delmas", "b:Jules Delmas", "a:Delmas")}
    elsewhere = row("c", "Paul Martin")
    said = [kept, decision(part, elsewhere, same=True)]
    assert group("a:Jules Delmas", "c:Paul Martin") in resolved([*mentions, elsewhere], decisions=said)


HOSTILE = [
    "x" * 5000, "Jules " * 900, "", "...", "‮drowssap‬", "Jules\u200b Delmas", "Jules Delm\u0430s", "🙂🙂", "ſ",
    "Жюль Delmas", "שלום עולם", "ﷺ", "\ud7ff", "И" * 300, "a\u0301" * 400, "W_0_C", "Delmas); DROP",
]  # fmt: skip


def test_hostile_names_are_only_names_and_none_is_lost() -> None:
    mentions = [row(document, form) for document in "ab" for form in HOSTILE]
    result = resolve(mentions)
    assert set(result.entity_of) == {mention.id for mention in mentions}
    entity = {mention.form: result.entity_of[mention.id] for mention in mentions if mention.document_id == "a"}
    assert entity["‮drowssap‬"] != entity["Delmas); DROP"]


def test_homonyms_in_different_documents_stay_apart() -> None:
    mentions = rows(a=["Jules Delmas", "Delmas"], b=["Paul Delmas", "Delmas"], c=["Delmas"])
    assert resolved(mentions) == {group("a:Jules Delmas", "a:Delmas"), group("b:Paul Delmas", "b:Delmas")}


def test_the_cosine_must_be_above_0_9() -> None:
    mentions = rows(a=["Agricultural Bank of China Limited"], b=["Agriculture Bank of China Limited"])
    texts = find_candidates(mentions).texts
    assert texts == ["Agricultural Bank of China Limited", "Agriculture Bank of China Limited"]

    def at(cosine: float) -> Resolution:
        other = np.array([cosine, (1 - cosine**2) ** 0.5], dtype=np.float32)
        return resolve(mentions, vectors={texts[0]: np.array([1, 0], dtype=np.float32), texts[1]: other})

    assert [(d.rule, d.same, d.score) for d in at(0.93).decisions] == [("vector", True, 0.93)]
    assert at(0.90).decisions == ()
    assert [(d.rule, d.same, d.score) for d in at(0.85).near_misses] == [("vector", False, 0.85)]


def test_a_persons_family_name_is_another_whatever_the_vectors_say() -> None:
    mentions = [row("a", "Ukhnaagiin Khürelchükh", "Person"), row("b", "Ukhnaagiin Khürelsükh", "Person")]
    vectors = dict.fromkeys(find_candidates(mentions).texts, np.array([1.0], dtype=np.float32))
    assert vectors
    result = resolve(mentions, vectors=vectors)
    assert [miss.rule for miss in result.near_misses] == ["vector"] and not result.decisions


# --------------------------------------------------------------------------------------------------------------------
# Stated by documents and persons


def test_an_alias_that_a_document_states_joins_the_namesakes_elsewhere() -> None:
    mentions = rows(a=["The Claw", "La Griffe"], b=["La Griffe"], c=["The Claw"])
    assert resolved(mentions, document_aliases={"a": [("The Claw", "La Griffe")]}) == {
        group("a:The Claw", "a:La Griffe", "b:La Griffe", "c:The Claw")
    }
    assert resolved(mentions) == {group("a:La Griffe", "b:La Griffe"), group("a:The Claw", "c:The Claw")}


def test_a_stated_alias_holds_in_its_document_only() -> None:
    mentions = rows(a=["Octave Ferrand", "le patron"], b=["le patron"])
    assert resolved(mentions, document_aliases={"a": [("Octave Ferrand", "le patron")]}) == {
        group("a:Octave Ferrand", "a:le patron")
    }


def test_an_alias_file_joins_in_the_workspace_or_in_one_document() -> None:
    mentions = rows(a=["The Claw"], b=["La Griffe"], c=["Delmas"], d=["Delmas", "Jules Delmas"])
    everywhere = AliasGroup(names=("the Claw", "Griffe"))
    assert group("a:The Claw", "b:La Griffe") in resolved(mentions, alias_groups=[everywhere])
    here = AliasGroup(names=("The Claw", "La Griffe"), document_id="a")
    assert group("a:The Claw", "b:La Griffe") not in resolved(mentions, alias_groups=[here])


def test_a_person_joins_what_no_rule_would_and_parts_what_is_equal() -> None:
    mentions = rows(a=["Jules Delmas"], b=["Jean Delmas"], c=["Sophie"], d=["Sophie"])
    joined, parted = decision(mentions[0], mentions[1], same=True), decision(mentions[2], mentions[3], same=False)
    result = resolve(mentions, decisions=[joined, parted])
    assert groups(mentions, result) == {group("a:Jules Delmas", "b:Jean Delmas")}
    assert [(d.rule, d.same) for d in result.decisions] == [("guard:person", False)]


def test_a_person_who_parts_two_parts_their_clusters() -> None:
    mentions = rows(a=["Jules Delmas", "J. Delmas"], b=["Jules Delmas"])
    parted = decision(mentions[1], mentions[2], same=False)
    assert len(resolved(mentions, decisions=[parted])) == 1
    assert resolved(mentions, decisions=[parted]) != resolved(mentions)


def test_a_decision_about_mentions_that_are_gone_is_ignored() -> None:
    mentions = rows(a=["Sophie"], b=["Sophie"])
    gone = decision(row("x", "Sophie"), mentions[0], same=False)
    assert resolve(mentions, decisions=[gone]) == resolve(mentions)


def test_a_veto_is_for_the_whole_cluster() -> None:
    mentions = rows(a=["Ultime Fauchelevent", "Jules Delmas"], b=["Ultime Fauchelevent", "Jean Delmas"])
    stated = {"a": [("Ultime Fauchelevent", "Jules Delmas")], "b": [("Ultime Fauchelevent", "Jean Delmas")]}
    result = resolve(mentions, document_aliases=stated)
    assert len(groups(mentions, result)) == 2
    assert ("guard:first name", False) in [(d.rule, d.same) for d in result.decisions]


@pytest.mark.parametrize(("one", "other"), [("Société", "PLACE"), ("Персона", "Organization"), ("Œuvre", "person")])
def test_types_of_different_kinds_keep_namesakes_apart_in_any_language(one: str, other: str) -> None:
    mentions = [row("a", "Montelimar", one), row("b", "Montelimar", other), row("c", "Montelimar", one.upper())]
    assert resolved(mentions) == {group("a:Montelimar", "c:Montelimar")}


# --------------------------------------------------------------------------------------------------------------------
# Order and size

FORMS = [
    "Delmas", "M. Delmas", "Mme Delmas", "J. Delmas", "Jules Delmas", "Jean Delmas", "père Delmas", "le jeune Jules",
    "Jules", "Jules Antoine Delmas", "Julles Delmas", "Holmes", "Sherlock Holmes", "Mr. Holmes", "La Griffe",
    "The Claw", "voleurs", "la chevalière d'argent à tête de loup", "Louis XIV", "Louis XV", "PolPot", "Pol Pot",
    "Жюль Delmas", "Jules Delm\u0430s", "Julie Delmas", "Tom Delmas", "Thomas Delmas", "‮samleD‬", "...",
    "Jules Marie Antoine Delmas", "Jules Marie Antoine Paul Delmas",
]  # fmt: skip


@st.composite
def workspaces(draw: st.DrawFn) -> tuple[list[Row], list[Row], dict[str, Any]]:
    """Mentions, the same in another order, and what persons and documents say."""
    places = st.tuples(st.sampled_from("abcd"), st.sampled_from(FORMS), st.sampled_from(["", "", "Person", "Place"]))
    chosen = draw(st.lists(places, min_size=2, max_size=25))
    mentions = list({(m := row(*place)).id: m for place in chosen}.values())
    pairs = st.tuples(st.sampled_from(mentions), st.sampled_from(mentions), st.booleans())
    persons = [decision(a, b, same=same) for a, b, same in draw(st.lists(pairs, max_size=3)) if a.id != b.id]
    stated = draw(st.lists(st.tuples(st.sampled_from(FORMS), st.sampled_from(FORMS)), max_size=2))
    return mentions, draw(st.permutations(mentions)), {"decisions": persons, "document_aliases": {"a": stated}}


@settings(max_examples=200)
@given(workspaces())
def test_the_order_of_the_mentions_does_not_matter(workspace: tuple[list[Row], list[Row], dict[str, Any]]) -> None:
    mentions, shuffled, said = workspace
    said_backwards = said | {"decisions": said["decisions"][::-1]}
    assert resolve(mentions, **said) == resolve(shuffled, **said_backwards)
    assert find_candidates(mentions).pairs == find_candidates(shuffled).pairs


@settings(max_examples=200)
@given(workspaces())
def test_nobody_is_joined_against_a_person_and_every_join_is_explained(
    workspace: tuple[list[Row], list[Row], dict[str, Any]],
) -> None:
    mentions, _, said = workspace
    result = resolve(mentions, **said)
    for person in said["decisions"]:
        if not person.same:
            assert result.entity_of[person.first] != result.entity_of[person.second]
    joined = sum(d.same for d in result.decisions) + sum(d.same for d in said["decisions"])
    assert len(mentions) - len(set(result.entity_of.values())) <= joined
    assert all(d.first < d.second for d in (*result.decisions, *result.near_misses))
    assert all(result.entity_of[d.first] != result.entity_of[d.second] for d in result.near_misses)
    assert all((result.entity_of[d.first] == result.entity_of[d.second]) == d.same for d in result.decisions if d.same)


Steps = list[list[tuple[int, int, bool]]]  # of each step: two mentions, whether they are one


def check_what_was_asked_before(mentions: Sequence[Row], steps: Steps, said: Mapping[str, Any]) -> None:
    """Decisions that come and go give the same whether anything is kept between them or not."""
    mentions = sorted(mentions, key=lambda mention: mention.id)

    def derived(
        number: int, persons: Set[tuple[int, int, bool]], state: DerivationState | None = None
    ) -> tuple[Resolution, Mapping[str, Entity]]:
        there = mentions[: len(mentions) - number // 2 % 3]  # the last ones go and come back
        pairs = ((mentions[a % len(mentions)], mentions[b % len(mentions)], same) for a, b, same in persons)
        decided = [decision(a, b, same=same) for a, b, same in pairs if a.id != b.id]
        found = resolve(there, state, decisions=decided, **said)
        named = dict.fromkeys(list(found.entity_of.values())[: len(persons)], "A Name")
        rows = PersistentMap({mention.id: mention for mention in there})
        return found, facts.derive_entities(rows, found.entity_of, named, {}, state).entities

    state = DerivationState()
    standing: Set[tuple[int, int, bool]] = frozenset()
    histories = list(enumerate(standing := standing ^ frozenset(step) for step in steps))
    one_after_the_other = [derived(*history, state) for history in histories]
    for history, found in zip(histories, one_after_the_other, strict=True):
        assert derived(*history) == found


HISTORIES = st.lists(st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24), st.booleans()), max_size=3), max_size=6)


@settings(max_examples=100)
@given(workspaces(), HISTORIES)
def test_what_was_asked_before_does_not_matter(
    workspace: tuple[list[Row], list[Row], dict[str, Any]], steps: Steps
) -> None:
    mentions, _, said = workspace
    part = replace(mentions[0], id=ids.part_id(mentions[0].id, "decision"), part_of=mentions[0].id)
    strangers = {"b": {"delmas": 1, "jules delmas": 1}}
    stated = {"document_aliases": said["document_aliases"], "strangers": strangers}
    check_what_was_asked_before([*mentions, part], steps, stated)


@settings(max_examples=100)
@given(HISTORIES)
def test_what_was_asked_before_does_not_matter_to_context(steps: Steps) -> None:
    mentions = case_file("M. Delmas", "Jules", "Delmas")
    assert any(made.rule == "context" for made in resolve(mentions).decisions)
    check_what_was_asked_before(mentions, steps, {})


def test_what_is_kept_does_not_grow_with_the_decisions() -> None:
    """Clusters that no decision touched live on; the copies that they came from do not."""
    state = DerivationState()
    mentions = [row(document, f"Jules Delmas{n}") for document in "ab" for n in range(20)]

    def decide_about(number: int) -> int:
        decided = [decision(mentions[n], mentions[n + 20], same=False) for n in range(number)]
        resolve(mentions, state, decisions=decided)
        gc.collect()
        return sum(type(kept) is Clusters for kept in gc.get_objects())  # `isinstance` asks lazy objects of libraries

    few = [decide_about(number) for number in range(4)][-1]
    assert [decide_about(number) for number in range(4, 20)][-1] <= few


def test_a_decision_touches_its_component_alone() -> None:
    mentions = rows(a=["Jules Delmas", "Delmas", "Kilburn"], b=["Jules Delmas", "Sherlock Holmes"], c=["Paul Delmas"])
    found = propose(find_candidates(mentions), [], {}, {})
    by_id = {mention.id: f"{mention.document_id}:{mention.form}" for mention in mentions}
    (short,) = [id_ for id_, name in by_id.items() if name == "a:Delmas"]
    (alone,) = [id_ for id_, name in by_id.items() if name == "a:Kilburn"]
    assert {by_id[id_] for id_ in found.connected_mentions([short])} == {
        "a:Delmas", "a:Jules Delmas", "b:Jules Delmas"
    }  # fmt: skip
    assert found.connected_mentions([alone]) == {alone}


def test_candidates_grow_with_the_names_not_with_their_pairs() -> None:
    def count(size: int) -> int:
        return len(
            find_candidates(row("a", f"{chr(97 + n % 26)}{n:05} Delmas-Vernet".title()) for n in range(size)).pairs
        )

    assert count(2000) <= 2.5 * count(1000)


def test_nothing_to_resolve() -> None:
    assert resolve([]) == Resolution(entity_of={}, decisions=(), near_misses=())


# --------------------------------------------------------------------------------------------------------------------
# Given names that no table has, kinds of things, registers


def test_a_given_name_is_learned_where_a_person_bears_it() -> None:
    sholto = [row("a", "Xanthius Sholto", "Person", count=3), row("a", "Xanthius", "Person", count=3)]
    assert resolved(sholto) == {group("a:Xanthius Sholto", "a:Xanthius")}
    assert resolved(rows(a=["Mr. Xanthius Sholto", "Xanthius"])) == {group("a:Mr. Xanthius Sholto", "a:Xanthius")}
    assert resolved(rows(a=["Xanthius Sholto", "Xanthius"])) == set()


def test_a_wife_with_a_given_name_of_her_own() -> None:
    """ "Mme Ordane Lenoir" is Ordane; Mrs. Xanthius Sholto is not Xanthius."""
    mine = [row("a", "Mme Ordane Lenoir", "Person"), row("a", "Ordane Lenoir", "Person"), row("a", "Mme Lenoir")]
    assert resolved(mine) == {group("a:Mme Ordane Lenoir", "a:Ordane Lenoir", "a:Mme Lenoir")}
    assert resolved([row("a", "Mrs. Xanthius Sholto", "Person"), row("a", "Xanthius Sholto", "Person")]) == set()


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("House", "Merripit House"), ("America", "Central America"), ("Devon", "Mid-Devon"),
        ("Company", "Ford Company"), ("Turner", "Old Turner"),
    ],
)  # fmt: skip
def test_a_kind_of_thing_and_what_is_larger_are_no_short_forms(short: str, long: str) -> None:
    assert resolved(rows(a=[short, long])) == set()


@pytest.mark.parametrize(
    ("short", "long"), [("League", "League of the Red-headed Men"), ("Société", "Société des Amis")]
)
def test_a_kind_of_thing_is_short_for_a_name_of_which_it_is_the_head(short: str, long: str) -> None:
    assert resolved(rows(a=[short, long])) == {group(f"a:{short}", f"a:{long}")}
    assert resolved(rows(a=[long], b=[short])) == set(), "in its own document"


def test_a_kind_of_thing_leaves_its_document_never() -> None:
    assert resolved(rows(a=["House"], b=["House"])) == set()


def test_junk_has_no_share_in_whose_name_it_is() -> None:
    mentions = [row("a", "Sherlock Holmes", count=5), row("a", "Holmes", count=9), row("a", "Resisting Holmes")]
    assert resolved(mentions) == {group("a:Sherlock Holmes", "a:Holmes")}
    sholto = [row("a", "John Sholto", count=5), row("a", "Sholto", count=9), row("a", "Xanthius Sholto", count=2)]
    assert resolved(sholto) == set()
    assert resolved(rows(a=["Sherlock Holmes", "Holmes", "DEAR HOLMES"])) == {
        group("a:Sherlock Holmes", "a:Holmes", "a:DEAR HOLMES")
    }


def test_names_as_registers_write_them() -> None:
    forms = ["Lebrec (Lucien)", "Lebrec (Yves)", "Yves Lebrec"]
    assert resolved(rows(a=forms[:2], b=forms[2:])) == {group("a:Lebrec (Yves)", "b:Yves Lebrec")}
    assert resolved(rows(a=["Paris (Texas)"], b=["Texas Paris"])) == set()


def test_a_hotel_is_a_place_and_an_organization() -> None:
    kinds = ("Place", "Organization")
    assert len(resolved([row(kind, "Hôtel du Bassin", kind) for kind in kinds])) == 1
    assert resolved([row(kind, "Paris", kind) for kind in kinds]) == set()


# --------------------------------------------------------------------------------------------------------------------
# Short forms across documents that tell of the same people


def case_file(*forms: str) -> list[Row]:
    """A document on Jules Delmas, and one that names the same others and these."""
    return rows(a=["Jules Delmas", "Odile Brunet", "La Griffe"], b=["Odile Brunet", "La Griffe", *forms])


@pytest.mark.parametrize("form", ["M. Delmas", "J. Delmas"])
def test_a_short_form_goes_to_a_document_that_names_the_same_others(form: str) -> None:
    mentions = case_file(form)
    found = resolve(mentions)
    assert group("a:Jules Delmas", f"b:{form}") in groups(mentions, found)
    assert [d.rule for d in found.decisions if d.same].count("context") == 1


@pytest.mark.parametrize("form", ["Delmas", "Jules"])
def test_a_typed_name_does_and_one_that_may_be_no_persons_does_not(form: str) -> None:
    assert group("a:Jules Delmas", f"b:{form}") in resolved([*case_file(), row("b", form, "Person")])
    assert not any(f"b:{form}" in members for members in resolved(case_file(form)))


def test_a_given_name_of_documents_that_share_one_name_is_for_a_person() -> None:
    mentions = [*rows(a=["Jules Delmas", "La Griffe"], b=["La Griffe"]), row("b", "Jules", "Person")]
    found = resolve(mentions)
    assert groups(mentions, found) == {group("a:La Griffe", "b:La Griffe")}
    assert [miss.rule for miss in found.near_misses] == ["context"]


@pytest.mark.parametrize("form", ["M. Jean Delmas", "Mme Delmas", "le père Delmas", "King Jules", "oncle Jules"])
def test_what_is_against_it_in_one_document_is_against_it_in_two(form: str) -> None:
    assert not any(f"b:{form}" in members for members in resolved(case_file(form)))


def test_two_who_fit_are_for_a_person() -> None:
    mentions = [*case_file("M. Delmas"), *rows(c=["Jean Delmas", "Odile Brunet", "La Griffe"])]
    found = resolve(mentions)
    assert not any("b:M. Delmas" in members for members in groups(mentions, found))
    assert [miss.rule for miss in found.near_misses] == ["context", "context"]


def test_the_same_surname_in_documents_on_the_same_people() -> None:
    others = ["Odile Brunet", "La Griffe"]
    mentions = rows(a=["M. Delmas", *others], b=["M. Delmas", *others], c=["Jules Delmas"])
    assert group("a:M. Delmas", "b:M. Delmas") in resolved(mentions)
    assert resolved([*mentions, row("d", "Jean Delmas")]) == resolved(rows(a=others, b=others))


def test_a_second_bearer_anywhere_is_for_a_person() -> None:
    """The one of a document that names nobody else may be meant as well."""
    mentions = [*case_file("M. Delmas"), *rows(c=["Jean Delmas"])]
    found = resolve(mentions)
    assert not any("b:M. Delmas" in members for members in groups(mentions, found))
    assert [(miss.rule, miss.score) for miss in found.near_misses] == [("context", 0.0)]


def test_captain_is_not_his_brother_nor_miss_one_of_unknown_gender() -> None:
    captain = case_file("Captain Delmas")
    assert not any("b:Captain Delmas" in members for members in resolved(captain))
    assert {miss.rule for miss in resolve(captain).near_misses} == {"context"}
    known = [*captain, row("a", "Captain Jules Delmas")]
    assert any({"b:Captain Delmas", "a:Jules Delmas"} <= members for members in resolved(known))
    unknown = [row(m.document_id, m.form.replace("Jules", "Xanthius"), "Person") for m in case_file("Miss Delmas")]
    assert not any("b:Miss Delmas" in members for members in resolved(unknown))


def test_what_many_documents_name_says_nothing() -> None:
    many = rows(**{f"d{n}": ["Odile Brunet", "La Griffe"] for n in range(20)})
    assert not any("b:M. Delmas" in members for members in resolved([*case_file("M. Delmas"), *many]))


def test_a_gentleman_is_no_firm() -> None:
    forms = [("a", "Josiah Pike", "Person"), ("a", "Amos Birtwell", "Person"), ("b", "Amos Birtwell", "Person")]
    firm = [row("b", "Ollerton & Pike", "Organization"), row("b", "Mr. Pike", "Person")]
    found = resolved([*(row(*form) for form in forms), *firm])
    assert group("a:Josiah Pike", "b:Mr. Pike") in found
    assert group("c:Ollerton & Pike", "c:Pike") in resolved(
        [row("c", "Ollerton & Pike", "Organization"), row("c", "Pike", "Organization")]
    )


def test_a_few_names_of_a_whole_book_say_little() -> None:
    names = [f"Personne{chr(97 + n)}{chr(97 + n)} Durand" for n in range(25)]
    others = [f"Quidam{chr(97 + n)}{chr(97 + n)} Martin" for n in range(25)]
    shared = ["Odile Brunet"]
    books = rows(a=["Jules Delmas", *shared, *names], b=["M. Delmas", *shared, *others])
    assert not any("b:M. Delmas" in members for members in resolved(books))


def test_a_partial_place_name_joins_where_documents_share_people() -> None:
    place = [row("a", "Noirval-sur-Orselle", "Place"), row("b", "Noirval", "Place")]
    file = [mention for mention in case_file("Paul Brun") if "Delmas" not in mention.form]
    assert group("a:Noirval-sur-Orselle", "b:Noirval") in resolved([*file, *place])
    other = row("c", "Noirval-les-Bains", "Place")
    assert not any("b:Noirval" in members for members in resolved([*file, *place, other]))
    who = [row("a", "Jules Noirval", "Person"), row("b", "Noirval", "Place")]
    assert not any("b:Noirval" in members for members in resolved([*file, *who]))


def test_initials_are_the_one_person_who_has_them() -> None:
    file = case_file("J. D.")
    initials = [row("b", "N. K", "Person"), row("a", "Nadège Kermorvan", "Person")]
    assert group("a:Nadège Kermorvan", "b:N. K") in resolved([*file, *initials])
    second = row("c", "Noël Kerbrat", "Person")
    assert not any("b:N. K" in members for members in resolved([*file, *initials, second]))


def test_a_ship_has_its_name_without_what_stands_before_it() -> None:
    assert resolved(rows(a=["M.V. Corvane"], b=["Corvane"])) == {group("a:M.V. Corvane", "b:Corvane")}
    assert resolved(rows(a=["M. V. Hugo"], b=["Hugo"])) == set()


@given(st.permutations(case_file("M. Delmas", "Jules", "Delmas")))
def test_context_whatever_the_order(mentions: list[Row]) -> None:
    assert resolve(mentions) == resolve(sorted(mentions, key=lambda mention: mention.id))


# --------------------------------------------------------------------------------------------------------------------
# Somebody else


def test_what_the_text_says_is_somebody_else_joins_nobody() -> None:
    """ "Another L. Marchetti, a dentist in Lyon, has nothing to do with the affair"."""
    mentions = rows(a=["Laurent Marchetti", "L. Marchetti", "Marchetti"], b=["Laurent Marchetti"])
    assert resolved(mentions, strangers={"a": {"l marchetti": 1}}) == {
        group("a:Laurent Marchetti", "b:Laurent Marchetti"),
    }
    found = resolve(mentions, strangers={"a": {"l marchetti": 1}})
    assert {d.rule for d in found.decisions if not d.same} == {"guard:another"}


def test_a_full_name_of_somebody_else_leaves_its_namesakes_alone() -> None:
    mentions = rows(a=["Paul Delmas"], b=["Paul Delmas"], c=["Paul Delmas"])
    assert resolved(mentions, strangers={"b": {"paul delmas": 1}}) == {group("a:Paul Delmas", "c:Paul Delmas")}


def test_different_years_of_birth_keep_one_name_apart() -> None:
    mentions = rows(**{document: ["Li Wei"] for document in "abcd"})
    born = {"a": {"li wei\t1961": 1}, "b": {"li wei\t1994": 2}, "c": {"li wei\t1994": 1}, "d": {"li wei\t1961": 1}}
    assert resolved(mentions, strangers=born) == {
        group("a:Li Wei", "d:Li Wei"),
        group("b:Li Wei", "c:Li Wei"),
    }
    found = resolve(mentions, strangers=born)
    assert {d.rule for d in found.decisions if not d.same} == {"guard:birth"}
    assert len(resolved(mentions[:2], strangers={"a": {"li wei\t1961": 1}, "b": {"li wei\t1962": 1}})) == 1
    assert len(resolved(mentions[:2], strangers={"a": {"li wei\t1961": 1, "li wei\t1990": 1}, "b": born["b"]})) == 1


def test_the_pronouns_after_a_surname_show_that_it_is_not_the_wifes() -> None:
    mentions = [row("a", "Mina Harker", count=35), row("a", "Jonathan Harker", count=3), row("a", "Harker", count=42)]
    wife = group("a:Mina Harker", "a:Harker")
    assert resolved(mentions, strangers={"a": {"harker\tm": 2}}) == {wife}
    assert resolved(mentions, strangers={"b": {"harker\tm": 3}}) == {wife}
    assert resolved(mentions, strangers={"a": {"harker\tm": 3}}) == {group("a:Jonathan Harker", "a:Harker")}
    said = [decision(mentions[0], mentions[2], same=True)]
    assert resolved(mentions, strangers={"a": {"harker\tm": 3}}, decisions=said) == {wife}


def test_what_an_llm_says_of_two_names_counts_more_than_pronouns() -> None:
    mentions = rows(a=["Zebby", "Mr. Gillis"])
    casts = {"a": [CastReading(key="k", members=(CastMember(names=("zebby", "mr gillis")),))]}
    assert len(resolved(mentions, strangers={"a": {"zebby\tf": 3}}, casts=casts)) == 1


def test_a_way_to_speak_takes_no_name_from_its_bearer() -> None:
    """ "He is another Holmes", once in a novel full of him."""
    mentions = [row("a", "Sherlock Holmes", count=90), row("a", "Holmes", count=400)]
    assert resolved(mentions, strangers={"a": {"holmes": 1}}) == {group("a:Sherlock Holmes", "a:Holmes")}


def test_a_person_may_say_that_it_is_nobody_else() -> None:
    mentions = rows(a=["Laurent Marchetti", "L. Marchetti"])
    said = [decision(mentions[0], mentions[1], same=True)]
    assert resolved(mentions, strangers={"a": {"l marchetti": 1}}, decisions=said) == {
        group("a:Laurent Marchetti", "a:L. Marchetti")
    }


@given(st.permutations(rows(a=["Laurent Marchetti", "L. Marchetti", "Marchetti"], b=["L. Marchetti", "Marchetti"])))
def test_somebody_else_whatever_the_order(mentions: list[Row]) -> None:
    strangers = {"a": {"l marchetti": 1}}
    once = resolve(sorted(mentions, key=lambda mention: mention.id), strangers=strangers)
    assert resolve(mentions, strangers=strangers) == once


def test_a_longer_form_is_no_bridge_between_mr_and_miss() -> None:
    """ "Resisting Stapleton" is nobody's name: it joined Miss Stapleton to Stapleton, and left Mr. Stapleton apart."""
    mentions = [
        row("a", "Stapleton", count=40), row("a", "Mr. Stapleton", count=20), row("a", "Miss Stapleton", count=15),
        row("a", "Resisting Stapleton"),
    ]  # fmt: skip
    found = resolved(mentions)
    (men,) = (members for members in found if "a:Stapleton" in members)
    assert "a:Mr. Stapleton" in men and "a:Miss Stapleton" not in men


def test_a_pair_that_two_rules_propose_and_one_guard_vetoes_is_one_veto() -> None:
    """Two would be told apart by their scores alone, and one that goes would take the other along."""
    mentions = [row("a", "Saint Mary's", "Person"), row("a", "Saint Mary's's", "Organization")]
    near = {"Saint Mary's": np.array([1, 0]), "Saint Mary's's": np.array([0.96, 0.28])}
    vectors = {name: vector.astype(np.float32) for name, vector in near.items()}
    (veto,) = resolve(mentions, vectors=vectors).decisions
    assert (veto.rule, veto.same, veto.score) == ("guard:type", False, 0.96)
    (alone,) = resolve(mentions).decisions
    assert (alone.rule, alone.score) == ("guard:type", 1.0), "by `contained`, which proposed it as well"
