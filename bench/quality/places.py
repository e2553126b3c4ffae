"""Files of any kind: how many quotes are found, and at the right place.

`python -m bench.quality.places FOLDER places.json` loads and splits each file of the folder that the JSON names,
without an LLM or a store. The JSON: {"a.pdf": [{"quote": "nine words of it", "place": "page 3"}]}; a place is a page,
row, paragraph, entry or time, or a heading above the quote ("chapter Results"). White space and signs do not count.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

from filigraph.graph.errors import FiligraphError
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences

_RANGE = re.compile(r"(page|row|paragraph) (\d+)(?:-(\d+))?")
_TIMES = re.compile(r"time ([\d:]+)(?:-([\d:]+))?")
_NUMBER = re.compile(r"\bparagraph [\d-]+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("places", type=Path)
    arguments = parser.parse_args()
    total = Counter[str]()
    for name, quotes in json.loads(arguments.places.read_text()).items():
        chunks = _chunks(arguments.folder / name)
        judged = Counter(_judged(chunks, quote["quote"], quote["place"]) for quote in quotes)
        total += judged
        print(f"{name}: right {judged['right']}, wrong {judged['wrong']}, not found {judged['not found']}")
    print(f"{total.total()} quotes: right {total['right'] / max(1, total.total()):.1%}, {dict(total)}")


def _chunks(path: Path) -> list[Chunk]:
    chunks: list[Chunk] = []
    for source in documents_in(Source(name=path.name, content=path.read_bytes()))[0]:
        try:
            chunks += split(load(source), source.name)
        except FiligraphError as error:
            print(f"{source.name}: {error}")
    return chunks


def _judged(chunks: list[Chunk], quote: str, place: str) -> str:
    """ "right", "wrong" or "not found": by the place of the sentence in which the quote begins."""
    wanted = _letters(quote)[0]
    shown = [_place(chunk, at) for chunk in chunks if (at := _found(chunk.text, wanted)) is not None]
    if not shown:
        return "not found"
    return "right" if any(is_place(one, place) for one in shown) else "wrong"


def _found(text: str, wanted: str) -> int | None:
    letters, offsets = _letters(text)
    at = letters.find(wanted)
    return offsets[at] if at >= 0 else None


def _place(chunk: Chunk, at: int) -> str:
    spans = sentences(chunk.text, chunk.language)
    start, end = next(((start, end) for start, end in spans if start <= at < end), (at, at + 1))
    return place_of(chunk.places, start, end, otherwise=chunk.place)


def is_place(shown: str, true: str) -> bool:
    """Whether a shown place equals or includes the true one."""
    if match := _RANGE.fullmatch(true):
        return any(
            kind == match[1] and int(first) <= int(match[2]) <= int(last or first)
            for kind, first, last in _RANGE.findall(shown)
        )
    if match := _TIMES.fullmatch(true):
        return any(_seconds(a) <= _seconds(match[1]) <= _seconds(b or a) for a, b in _TIMES.findall(shown))
    return _letters(true)[0] in _letters(_NUMBER.sub("", shown))[0]


def _seconds(time: str) -> int:
    return sum(int(part) * 60**n for n, part in enumerate(reversed(time.split(":"))))


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, folded, and the offset of each."""
    pairs = [
        (folded, at)
        for at, letter in enumerate(text)
        for folded in unicodedata.normalize("NFKC", letter).casefold()
        if folded.isalnum()
    ]
    return "".join(letter for letter, _ in pairs), [at for _, at in pairs]


if __name__ == "__main__":
    main()
