"""The canonical dump: the same for the same content, in any order and after any number of writes."""

from __future__ import annotations

import itertools
import json

import pytest

from filigraph.graph.errors import InputError
from filigraph.graph.model.names import AliasGroup, Decision
from filigraph.graph.store import Graph, Store
from tests.store.world import LETTERS, derive, empty, ingest, read

ORDERS = list(itertools.permutations(LETTERS))


@pytest.fixture(scope="module")
def canonical(store: Store, workspaces: list[Graph]) -> list[str]:
    """What one order gives."""
    ingest(workspaces[0], LETTERS)
    lines = list(workspaces[0].dump())
    empty(store, workspaces[0].workspace.name)
    return lines


@pytest.mark.parametrize("order", ORDERS[1:], ids=lambda order: "-".join(name[:2] for name in order))
def test_the_order_of_documents_does_not_matter(order: tuple[str, ...], canonical: list[str], graph: Graph) -> None:
    ingest(graph, {source: LETTERS[source] for source in order})
    assert list(graph.dump()) == canonical


def test_deriving_all_at_once_or_one_by_one_does_not_matter(canonical: list[str], graph: Graph) -> None:
    for source, passages in LETTERS.items():
        read(graph, source, passages)
    derive(graph)
    assert list(graph.dump()) == canonical


def test_ingesting_twice_changes_nothing(graph: Graph) -> None:
    ingest(graph, LETTERS)
    once, stats = list(graph.dump()), graph.stats()
    ingest(graph, LETTERS)
    assert list(graph.dump()) == once
    assert graph.stats() == stats


def test_a_dump_is_sorted_json_without_vectors(graph: Graph) -> None:
    ingest(graph, LETTERS)
    graph.add_alias_groups([AliasGroup(names=("Jules", "J."))])
    first, second = sorted(row.id for row in graph.mentions())[:2]
    graph.write_rule_decisions([Decision(first=first, second=second, same=True, rule="exact", score=1.0)])
    header, settings, *lines, end = [json.loads(line) for line in graph.dump()]
    assert (header["kind"], header["format"], header["version"], header["derived"]) == ("header", "filigraph", 1, False)
    assert settings == {"kind": "settings", "settings": {}}
    assert end == {"kind": "end", "lines": len(lines) + 3}
    assert list(dict.fromkeys(line["kind"] for line in lines)) == [
        "documents",
        "chunks",
        "mentions",
        "decisions",
        "alias_groups",
        "entities",
        "facts",
    ]
    for kind, group in itertools.groupby(lines, key=lambda line: str(line["kind"])):
        found = [line["id"] for line in group]
        assert found == sorted(found), kind
    assert not any("embedding" in line for line in lines)
    assert all(line.get("embedded", True) for line in lines)


def test_what_a_workspace_is_called_does_not_matter(canonical: list[str], other: Graph) -> None:
    ingest(other, LETTERS)
    assert list(other.dump()) == canonical


def test_a_dump_during_which_something_changes_is_none(graph: Graph) -> None:
    ingest(graph, LETTERS)
    lines = graph.dump()
    next(lines)
    read(graph, "late.txt", ["Paul | dort."])
    with pytest.raises(InputError, match="was changed while"):
        list(lines)


def test_a_dump_longer_than_a_page_has_every_line_once(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(graph, LETTERS)
    whole = list(graph.dump())
    monkeypatch.setattr("filigraph.graph.store.workspace.export.BATCH_NODES", 2)
    assert list(graph.dump()) == whole
    assert len(whole) == len(set(whole))
