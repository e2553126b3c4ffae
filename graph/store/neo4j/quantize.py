"""Vectors as bytes, for scoring outside the server: one signed byte per number.

A question is compared with some 2,000 vectors of the walk's pool. Reading them as lists of floats takes longer than the
rest of the answer; as bytes they have an eighth of the size and need no decoding. Rows have length 1, so they need no
scale: reading brings them back to length 1. A cosine changes by less than 0.002.
"""

from __future__ import annotations

import numpy as np

from filigraph.graph.model.arrays import Matrix

MAX_LEVEL = 127


def quantize(rows: Matrix) -> bytes:
    """Rows of length 1, shape (n, d), as n * d bytes."""
    if not len(rows):
        return b""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    quantized: bytes = np.rint(rows * (MAX_LEVEL / largest)).astype(np.int8).tobytes()
    return quantized


def dequantize(quantized: list[bytes], dimensions: int) -> Matrix:
    """The rows of all of `quantized`, in order, with length 1. Shape (n, dimensions)."""
    rows = np.frombuffer(b"".join(quantized), dtype=np.int8).reshape(-1, dimensions).astype(np.float32)
    unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
