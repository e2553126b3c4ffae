"""What the rule by context keeps of the names and clusters before gives what all names and clusters give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.names import candidates, context, index
from filigraph.graph.names.candidates import differing
from filigraph.graph.names.clusters import Clusters
from filigraph.graph.names.context import Context, context_of
from filigraph.graph.names.context_names import ContextNames
from filigraph.graph.names.incremental import Change, names_after
from filigraph.graph.names.index import Names
from filigraph.graph.names.overlap import most_documents
from tests.unit.graph.names.making import CONTEXT_ROWS, Row, in_order, row, rows

Found = tuple[list[Any], list[Any]]
JOINS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=3)
STEPS = st.lists(st.tuples(st.lists(CONTEXT_ROWS, max_size=3), JOINS, JOINS, st.booleans()), min_size=1, max_size=6)


@pytest.fixture(autouse=True)
def _whatever_changes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(candidates, "FEW", float("inf"))
    monkeypatch.setattr(index, "ALONE", (2, 0.6))
    monkeypatch.setattr(index, "ALONE_SURNAME", (2, 0.6))
    context._LAST.clear()
    yield
    context._LAST.clear()


def found(rule: Context, clusters: Clusters) -> Found:
    homes = sorted((mention.id, sorted(homes.items())) for mention, homes in rule.homes_elsewhere(clusters))
    return homes, sorted((a.id, b.id, share) for a, b, share in rule.same_elsewhere(clusters))


def is_as_anew(rule: Context, names: Names, clusters: Clusters) -> None:
    new = Context(most_documents(names))
    new.bring_up(names)
    assert found(rule, clusters) == found(new, clusters)
    assert rule._fits == {key: new._fits_one(key, clusters) for key in rule._fits}


def join(clusters: Clusters, mentions: Sequence[Row], pairs: Iterable[tuple[int, int]]) -> None:
    for one, other in pairs:
        first, second = (mentions[number % len(mentions)].id for number in (one, other))
        if not clusters.together(first, second):
            clusters.join(first, second)


def alone_again(before: Clusters, old: Names, names: Names, change: Change) -> set[str]:
    """The mentions of clusters with a mention that differs."""
    touched = {
        *change.mentions,
        *(m.id for of in (old, names) for key in change.turned for m in of.by_key.get(key, ())),
    }
    return touched.union(*(c.members for c in before.made().values() if not touched.isdisjoint(c.members)))


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
        "telling": {document: of.telling(document) for document in of.names.documents},
    }


@settings(max_examples=400)
@given(st.lists(st.lists(CONTEXT_ROWS, max_size=12), min_size=2, max_size=6))
def test_context_names_after_changes_are_those_of_all_names(history: Sequence[Sequence[Row]]) -> None:
    before, kept = Names([]), ContextNames()
    there: dict[str, Row] = {}
    for step in history:
        mentions = toggled(there, step)
        before, _ = names_after(before, mentions, *differing(before.mentions, mentions))
        was = properties(kept)
        change, all_ = kept.bring_up(before), ContextNames()
        all_.bring_up(before)
        now = properties(kept)
        assert now == properties(all_)
        for document, mentions in [*was["plain"][1].items(), *now["plain"][1].items()]:
            same = mentions == was["plain"][1].get(document) == now["plain"][1].get(document)
            assert same or document in change.documents


def test_a_name_that_becomes_a_persons_is_open_elsewhere() -> None:
    mentions = [row("a", "M. Delmas", "place"), *rows(b=["M. Delmas", "Maryvonne Delmas"])]
    before, kept = Names(in_order(mentions)), ContextNames()
    kept.bring_up(before)
    assert set(kept.open) == {"a"}
    new = row("c", "M. Delmas", "person")
    after, _ = names_after(before, in_order([*mentions, new]), [], [new])
    kept.bring_up(after)
    assert set(kept.open) == {"b"}  # elsewhere it is a name of its own now


@settings(max_examples=400)
@given(st.lists(CONTEXT_ROWS, min_size=12, max_size=40), STEPS)
def test_context_after_changes_is_that_of_all_names(first: Sequence[Row], steps: Sequence[Any]) -> None:
    before, clusters = Names([]), Clusters({}, {}, {}, {})
    there: dict[str, Row] = {}
    for step, joins, more, apart in [(first, [], [], False), *steps]:
        mentions = toggled(there, step)
        if not mentions:
            continue
        names, change = names_after(before, mentions, *differing(before.mentions, mentions))
        if step:
            now = Clusters(there, names.of, {}, {})
            now.adopt(clusters, alone_again(clusters, before, names, change))
        else:
            names = before
            gone = next(iter(clusters.made().values()), None)  # a decision may have joined it
            now = clusters.copy(alone=gone.members if apart and gone else ())
        join(now, mentions, joins)
        before, clusters = names, now
        round_ = now.copy()
        with context_of(names) as rule:
            is_as_anew(rule, names, round_)
            join(round_, mentions, more)
            is_as_anew(rule, names, round_)
