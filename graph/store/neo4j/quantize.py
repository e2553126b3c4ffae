"""Vectors as bytes, for scoring outside the server: one signed byte a number.

A question compares itself with some 2,000 vectors of the walk's pool. As lists of floats they take longer to read than
all the rest of the answer; as bytes an eighth of the room and no time to decode. Rows have length 1, so a row needs no
scale: it is brought back to length 1 on reading. A cosine moves by less than 0.002.
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
    """The rows of all of `quantized`, one after the other, at length 1. Shape (n, dimensions)."""
    rows = np.frombuffer(b"".join(quantized), dtype=np.int8).reshape(-1, dimensions).astype(np.float32)
    unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
