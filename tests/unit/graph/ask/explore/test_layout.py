"""The layout of a whole workspace is kept for one revision, and gives each question the result of a new one."""

from __future__ import annotations

import gc
import uuid
import weakref
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.ask.explore import layout as layout_module
from filigraph.graph.ask.explore.layout import Layout, cached_layout
from filigraph.graph.ask.explore.pool import build_pool, pool_of
from filigraph.graph.ask.paths.fact_graph import fact_graph
from filigraph.graph.model.retrieval import PoolChunk
from tests.unit.graph.making import Q, asking, random_chunks

CHUNKS = random_chunks(7, facts=12)
IDS = [chunk.id for chunk in CHUNKS]


def reader(asked: list[int], chunks: list[PoolChunk] = CHUNKS) -> Callable[[], list[PoolChunk]]:
    """Reads chunks, and notes that it did."""
    return lambda: [asked.append(len(chunks)), chunks][1]


def test_a_layout_is_read_once_for_a_revision_and_its_chunks() -> None:
    asked: list[int] = []
    revision, other = uuid.uuid4().hex, uuid.uuid4().hex
    first = cached_layout(revision, IDS, reader(asked))
    assert cached_layout(revision, IDS, reader(asked)) is first
    assert asked == [len(IDS)]
    assert cached_layout(other, IDS, reader(asked)) is not first
    assert cached_layout(revision, IDS[:2], reader(asked, CHUNKS[:2])) is not first
    assert len(asked) == 3


def test_of_a_workspace_one_revision_is_kept() -> None:
    asked: list[int] = []
    before, now, elsewhere = (uuid.uuid4().hex for _ in range(3))
    others = [replace(chunk, id=f"other {chunk.id}") for chunk in CHUNKS]
    of_others = cached_layout(elsewhere, [chunk.id for chunk in others], reader(asked, others))
    old = weakref.ref(cached_layout(before, IDS, reader(asked)) or pytest.fail("nothing was made"))
    cached_layout(now, IDS[1:], reader(asked, CHUNKS[1:]))  # a chunk was removed
    gc.collect()
    assert old() is None
    assert cached_layout(elsewhere, [chunk.id for chunk in others], reader(asked)) is of_others


def test_nothing_is_kept_of_a_workspace_without_revision_or_chunks() -> None:
    asked: list[int] = []
    for _ in range(2):
        assert cached_layout("", IDS, reader(asked)) is not None
        assert cached_layout("empty", [], reader(asked, [])) is None
    assert len(asked) == 4


def test_what_is_larger_than_the_room_is_used_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(layout_module, "CACHE_BYTES", 1)
    revision = uuid.uuid4().hex
    for _ in range(2):
        assert cached_layout(revision, IDS, reader(asked)) is not None
    assert len(asked) == 2


def test_a_kept_layout_says_of_each_question_what_a_fresh_one_says() -> None:
    kept = Layout.of(CHUNKS)
    names = sorted({entity.entity_id for chunk in CHUNKS for entity in chunk.entities})
    for n, name in enumerate([*names[:4], "nobody"]):
        question = asking(
            f"Who knows {name}?", entities={name: 2}, titles=[CHUNKS[n].document_id], words={IDS[n]: 2.0, "gone": 3.0}
        )
        pool, fresh = pool_of(kept, question), build_pool(reversed(CHUNKS), question)
        for column in ("dense", "words", "title", "entities", "fact", "first", "sentence", "segment", "terms"):
            assert np.array_equal(getattr(pool, column), getattr(fresh, column)), column
        assert pool.words[pool.row[IDS[n]]] == pytest.approx(2 / 3)
        one, other = fact_graph(pool, question), fact_graph(fresh, question)
        for name_, column in vars(one).items():
            if isinstance(column, np.ndarray):
                assert np.array_equal(column, getattr(other, name_)), name_
    assert pool.layout.vectors.shape[1] == len(Q)
