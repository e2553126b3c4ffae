"""Make a large set of passages to measure with: 2WikiMultiHopQA and MuSiQue, then copies of them under fresh names.

    python -m bench.speed.large FOLDER [--passages 30000]

In a copy, each word that nearly always has a capital gets another spelling, the same in titles, texts and triples. So a
copy is about other persons and places, shares its common words with the original, and answers none of the questions,
which are those of 2WikiMultiHopQA. `filigraph eval FOLDER` ingests it and measures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import regex

from bench.common import data, lines

SETS = ("2wiki", "musique-train")
WORD = regex.compile(r"\p{L}{3,}")
NAME_SHARE = 0.9  # of a word's occurrences that are capitalized, if it is part of a name
VOWELS = "aeiou"


def main() -> None:
    """Write passages.jsonl, triples.jsonl and questions.jsonl."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--passages", type=int, default=30_000)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with (
        (arguments.folder / "passages.jsonl").open("w", encoding="utf-8") as passages,
        (arguments.folder / "triples.jsonl").open("w", encoding="utf-8") as triples,
    ):
        for passage, triple in islice(rows(), arguments.passages):
            passages.write(json.dumps(passage, ensure_ascii=False) + "\n")
            triples.write(json.dumps(triple, ensure_ascii=False) + "\n")
    questions = data("2wiki/questions.jsonl").read_text(encoding="utf-8")
    (arguments.folder / "questions.jsonl").write_text(questions, encoding="utf-8")


def rows() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Passages with their triples: the originals, then each copy."""
    passages = [row for name in SETS for row in lines(data(f"{name}/passages.jsonl"))]
    by_passage = {row["passage_id"]: row["triples"] for name in SETS for row in lines(data(f"{name}/triples.jsonl"))}
    names = _names(passages)
    copy = 0
    while True:

        def fresh(text: str, copy: int = copy) -> str:
            return WORD.sub(_respell(names, copy), text) if copy else text

        for row in passages:
            id_ = f"{row['id']}-{copy}" if copy else row["id"]
            passage = {"id": id_, "title": fresh(row["title"]), "text": fresh(row["text"])}
            triples = [[fresh(part) for part in triple] for triple in by_passage.get(row["id"], [])]
            yield passage, {"passage_id": id_, "triples": triples}
        copy += 1


def _names(passages: list[dict[str, Any]]) -> frozenset[str]:
    """The words, in lower case, that are nearly always capitalized."""
    words = Counter(word for row in passages for word in WORD.findall(f"{row['title']} {row['text']}"))
    every: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for word, count in words.items():
        every[word.lower()] += count
        capital[word.lower()] += count * (not word.islower())
    return frozenset(word for word, count in every.items() if capital[word] >= NAME_SHARE * count)


def _respell(names: frozenset[str], copy: int) -> Callable[[regex.Match[str]], str]:
    """The word with other vowels and an ending that belongs to the copy."""
    shifted = str.maketrans(
        VOWELS + VOWELS.upper(), 2 * "".join(VOWELS[(n + copy) % len(VOWELS)] for n in range(len(VOWELS)))
    )
    ending = VOWELS[copy % len(VOWELS)] + "kmnrs"[copy // len(VOWELS) % len(VOWELS)]

    def respelled(match: regex.Match[str]) -> str:
        word = match.group()
        if word.lower() not in names:
            return word
        changed = word.lower().translate(shifted) + ending
        return changed.capitalize() if word[0].isupper() else changed

    return respelled


if __name__ == "__main__":
    main()
