"""The rule by context: what it keeps of earlier names and clusters gives the result of all names and clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.names import Decision
from filigraph.graph.names import candidates, index
from filigraph.graph.names.candidates import find_candidates, removed_and_added
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.context import Context, context_of
from filigraph.graph.names.context_names import ContextNames
from filigraph.graph.names.incremental import Change, names_after
from filigraph.graph.names.index import Names
from filigraph.graph.names.resolve import resolve
from filigraph.graph.names.shared_names import most_documents
from filigraph.graph.text.names.parse import name_key
from tests.unit.graph.names.making import CONTEXT_FORMS, CONTEXT_ROWS, Row, in_order, row, rows

Found = tuple[list[Any], list[Any]]
APART = ["", "", "jules delmas", "vauvert", "zebulonia delmas"]


@pytest.fixture(autouse=True)
def _whatever_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MAX_CHANGED_SHARE", float("inf"))
    monkeypatch.setattr(index, "ALONE", (2, 0.6))
    monkeypatch.setattr(index, "ALONE_SURNAME", (2, 0.6))


def found(rule: Context, clusters: Clusters) -> Found:
    homes = sorted((mention.id, sorted(homes.items())) for mention, homes in rule.homes_elsewhere(clusters))
    return homes, sorted((a.id, b.id, share) for a, b, share in rule.same_elsewhere(clusters))


def is_as_anew(rule: Context, names: Names, clusters: Clusters) -> None:
    new = Context(most_documents(names))
    new.refresh(names)
    assert found(rule, clusters) == found(new, clusters)
    assert rule.fits == {key: new.fits_one(key, clusters) for key in rule.fits}


def join(clusters: Clusters, pairs: Iterable[tuple[str, str]]) -> None:
    for first, second in pairs:
        if not clusters.together(first, second):
            clusters.join(first, second)


def any_mention(random: Random) -> Row:
    type_ = random.choice(["", "", "person", "person", "place"])
    return row(random.choice("abcdefghi"), random.choice(CONTEXT_FORMS), type_)


def any_two(random: Random, mentions: Sequence[Row]) -> list[tuple[str, str]]:
    return [(random.choice(mentions).id, random.choice(mentions).id) for _ in range(random.choice([0, 0, 1, 2]))]


def exact(names: Names, apart: Set[str]) -> list[tuple[str, str]]:
    """Of the same full name, but for those that stay apart."""
    return [(those[0].id, mention.id) for key, those in names.full.items() if key not in apart for mention in those[1:]]


def alone_again(before: Clusters, old: Names, names: Names, change: Change) -> set[str]:
    """The mentions of clusters with a mention that differs."""
    touched = {
        *change.mentions,
        *(m.id for of in (old, names) for key in change.turned for m in of.by_key.get(key, ())),
    }
    return touched.union(*(c.members for c in before.changed_clusters().values() if not touched.isdisjoint(c.members)))


def toggled(there: dict[str, Row], step: Iterable[Row]) -> list[Row]:
    """The mentions after a step: one that is there goes."""
    for mention in step:
        if there.pop(mention.id, None) is None:
            there[mention.id] = mention
    return [there[id_] for id_ in sorted(there)]


def properties(of: ContextNames) -> dict[str, Any]:
    lists = (of.with_core, of.things, of.initials, of.bearers)
    return {
        "plain": (of.by_id, of.open, of.open_as, of.words, +of.words_in),
        "lists": [{group: sorted(keys) for group, keys in groups.items()} for groups in lists],
        "telling": {document: of.count_evidence(document) for document in of.names.documents},
    }


@settings(max_examples=400)
@given(st.lists(st.lists(CONTEXT_ROWS, max_size=12), min_size=2, max_size=6))
def test_context_names_after_changes_are_those_of_all_names(history: Sequence[Sequence[Row]]) -> None:
    before, kept = Names([]), ContextNames()
    there: dict[str, Row] = {}
    for step in history:
        mentions = toggled(there, step)
        before, _ = names_after(before, mentions, *removed_and_added(before.mentions, mentions))
        was = properties(kept)
        change, all_ = kept.refresh(before), ContextNames()
        all_.refresh(before)
        now = properties(kept)
        assert now == properties(all_)
        for document, mentions in [*was["plain"][1].items(), *now["plain"][1].items()]:
            same = mentions == was["plain"][1].get(document) == now["plain"][1].get(document)
            assert same or document in change.documents


def test_a_name_that_becomes_a_persons_is_open_elsewhere() -> None:
    mentions = [row("a", "M. Delmas", "place"), *rows(b=["M. Delmas", "Maryvonne Delmas"])]
    before, kept = Names(in_order(mentions)), ContextNames()
    kept.refresh(before)
    assert set(kept.open) == {"a"}
    new = [row("c", "M. Delmas", "person"), row("c", "Maryvonne Delmas")]
    after, _ = names_after(before, in_order([*mentions, *new]), [], new)
    kept.refresh(after)
    assert set(kept.open) == {"a", "b", "c"}


@pytest.mark.parametrize("seed", range(150))
def test_context_after_changes_is_that_of_all_names(seed: int) -> None:
    """Histories by chance alone: those that hypothesis makes share few names."""
    random = Random(seed)
    before, clusters, state = Names([]), Clusters({}, {}, {}, {}), DerivationState()
    there: dict[str, Row] = {}
    never = random.sample([name_key(form) for form in CONTEXT_FORMS], 4)
    shared = [row(document, form) for document in "abcdefg" for form in CONTEXT_FORMS[:4] if random.random() < 0.4]
    first = [*shared, *(any_mention(random) for _ in range(random.randint(8, 50)))]
    for step in [first, *([any_mention(random) for _ in range(random.choice([0, 1, 1, 2]))] for _ in range(10))]:
        mentions, apart = toggled(there, step), {*never, random.choice(APART)}
        names, change = names_after(before, mentions, *removed_and_added(before.mentions, mentions))
        if step:
            now = Clusters(there, names.of, {}, {})
            now.adopt(clusters, alone_again(clusters, before, names, change))
        else:
            names = before
            gone = (
                member
                for made in clusters.changed_clusters().values()
                if not apart.isdisjoint(made.names)
                for member in made.members
            )
            now = clusters.copy(alone=[*gone])
        join(now, [*exact(names, apart), *any_two(random, mentions)])
        before, clusters = names, now
        round_ = now.copy()
        with context_of(names, state) as rule:
            is_as_anew(rule, names, round_)
            join(round_, any_two(random, mentions))
            is_as_anew(rule, names, round_)


@pytest.mark.parametrize("seed", range(60))
def test_entities_by_context_after_changes_are_those_of_all_mentions(seed: int) -> None:
    random = Random(seed)
    there: dict[str, Row] = {}
    said: list[Decision] = []
    shared = [row(document, form) for document in "abcdefg" for form in CONTEXT_FORMS[:4] if random.random() < 0.4]
    first = [*shared, *(any_mention(random) for _ in range(random.randint(8, 50)))]
    history, state = [], DerivationState()
    for step in [first, *([any_mention(random) for _ in range(random.choice([0, 0, 1, 2]))] for _ in range(8))]:
        mentions = toggled(there, step)
        said = [decision for decision in said if random.random() < 0.7]
        pairs = [(min(pair), max(pair)) for pair in any_two(random, mentions) if len({*pair}) > 1]
        said += [_decision(*pair, same=random.random() < 0.6) for pair in pairs]
        found = resolve(find_candidates(mentions, state), decisions=said, state=state)
        history.append((mentions, [*said], found))
    for mentions, decisions, found_ in history:
        assert resolve(find_candidates(mentions), decisions=decisions) == found_


def _decision(first: str, second: str, *, same: bool) -> Decision:
    return Decision(first=first, second=second, same=same, rule="person", score=1.0, by="person")


def test_near_misses_of_lone_mentions_follow_decisions_and_strangers() -> None:
    candidates_ = find_candidates(rows(a=["Sergi Lavrov"], b=["Sergei Lavrov"]), state := DerivationState())
    (near,) = resolve(candidates_, state=state).near_misses
    assert not resolve(candidates_, decisions=[_decision(near.first, near.second, same=False)], state=state).near_misses
    assert resolve(candidates_, state=state).near_misses == (near,)
    assert not resolve(candidates_, strangers={"a": {"sergi lavrov": 1}}, state=state).near_misses
    assert resolve(candidates_, state=state).near_misses == (near,)
