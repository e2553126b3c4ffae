"""Vectors as bytes: an eighth of the size, and a cosine that hardly changes."""

from __future__ import annotations

import numpy as np
import pytest

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.store.neo4j.quantize import dequantize, quantize


def directions(count: int, size: int, seed: int = 7) -> Matrix:
    rows = np.random.default_rng(seed).standard_normal((count, size))
    unit: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("size", [384, 768, 1024])  # the sizes of models; of 64 numbers each weighs more
def test_a_cosine_moves_by_less_than_two_thousandths(size: int) -> None:
    rows, questions = directions(2_000, size), directions(20, size, seed=8)
    back = dequantize([quantize(rows)], size)
    assert np.abs(back @ questions.T - rows @ questions.T).max() < 0.002
    assert ((back * rows).sum(axis=1) > 0.9998).all()


@pytest.mark.parametrize("size", [1, 2, 8, 384])
def test_rows_come_back_at_length_1(size: int) -> None:
    back = dequantize([quantize(directions(50, size))], size)
    assert back.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(back, axis=1), 1.0, atol=1e-6)


def test_a_row_takes_a_byte_for_each_number() -> None:
    assert len(quantize(directions(3, 384))) == 3 * 384


def test_what_points_along_an_axis_comes_back_as_it_was() -> None:
    axes = np.vstack([np.eye(8, dtype=np.float32), -np.eye(8, dtype=np.float32)])
    assert (dequantize([quantize(axes)], 8) == axes).all()


def test_many_are_read_one_after_the_other() -> None:
    rows = directions(6, 16)
    apart = dequantize([quantize(rows[:1]), quantize(rows[1:1]), quantize(rows[1:5]), quantize(rows[5:])], 16)
    assert (apart == dequantize([quantize(rows)], 16)).all()


def test_nothing_packed_is_nothing() -> None:
    assert quantize(directions(0, 8)) == b""
    assert dequantize([], 8).shape == (0, 8)
    assert dequantize([b"", b""], 8).shape == (0, 8)
