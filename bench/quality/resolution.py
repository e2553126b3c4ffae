"""How well names are resolved, beside the bare rules: exact, cosine above 0.9, token-set 90.

    python -m bench.quality.resolution

Two sets: 419 labelled pairs of real names (each name in a document of its own), and the aliases of the characters of
a whole novel (one document, counted in its text). Precision and recall with Wilson's 95 % interval; errors are listed.
"With review" counts what is joined and what a person would be asked about. The labels contradict each other here and
there ("Mohamad Iqbal Abdurrahim" is and is not "... Abdurrahman", "Citigroup Capital Trust I" is "... II"); nothing is
corrected. Last, how the time grows: made-up names of persons, 50,000 and 100,000, in documents of 200.
"""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from bench.common import data, lines, machine, save
from bench.intervals import wilson
from filigraph.graph import ids
from filigraph.graph.model.arrays import Vector
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import embed_texts
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.resolve import resolve
from filigraph.graph.text.names.parse import name_key

Vectors = dict[str, Vector]
Embed = Callable[[Iterable[str]], Vectors]

NOVEL = "mysterious_affair_at_styles_en"


@dataclass(frozen=True)
class Named:
    """The parts of a mention that resolution needs."""

    id: str
    document_id: str
    key: str
    form: str
    type: str
    count: int
    part_of: str = ""


@dataclass(frozen=True)
class Labelled:
    """Two names, whether they are one, and whether a rule said so."""

    first: str
    second: str
    same: bool
    said: bool


def named(document: str, form: str, type_: str = "", count: int = 1) -> Named:
    key = name_key(form)
    return Named(ids.mention_id(document, key, type_), document, key, form, type_, count)


def score(judged: Sequence[Labelled]) -> dict[str, Any]:
    right = sum(j.same and j.said for j in judged)
    joined, true = sum(j.said for j in judged), sum(j.same for j in judged)
    return {
        "pairs": len(judged),
        "said": joined,
        "precision": right / joined if joined else 1.0,
        "precision_interval": wilson(right, joined),
        "recall": right / true if true else 1.0,
        "recall_interval": wilson(right, true),
        "wrong": sorted(f"{j.first} | {j.second}" for j in judged if j.said and not j.same),
        "missed": sorted(f"{j.first} | {j.second}" for j in judged if j.same and not j.said),
    }


def bare_rules(pairs: Sequence[tuple[str, str, bool]], vectors: Vectors) -> dict[str, Any]:
    """The figures of the rules without guards on (name, name, whether they are one)."""
    rules: dict[str, Callable[[str, str], bool]] = {
        "exact": lambda a, b: a == b,
        "cosine 0.9": lambda a, b: float(vectors[a] @ vectors[b]) > 0.9,
        "token-set 90": lambda a, b: fuzz.token_set_ratio(a.casefold(), b.casefold()) >= 90,
    }
    return {name: score([Labelled(a, b, same, rule(a, b)) for a, b, same in pairs]) for name, rule in rules.items()}


def real_names(embed: Embed) -> dict[str, Any]:
    """The labelled pairs: two documents without any other names."""
    rows = list(csv.DictReader(data("names/pairs.csv").read_text(encoding="utf-8").splitlines()))
    pairs = [(row["name1"], row["name2"], row["is_match"] == "true") for row in rows]
    results = bare_rules(pairs, embed({name for a, b, _ in pairs for name in (a, b)}))
    both = [[named("a", row["name1"], row["schema"]), named("b", row["name2"], row["schema"])] for row in rows]
    candidates = [find_candidates(mentions) for mentions in both]
    vectors = embed({text for one in candidates for text in one.texts})
    automatic, review = [], []
    for (a, b, same), two in zip(pairs, candidates, strict=True):
        resolution = resolve(two, vectors=vectors)
        joined = len(set(resolution.entity_of.values())) == 1
        automatic.append(Labelled(a, b, same, joined))
        review.append(Labelled(a, b, same, joined or bool(resolution.near_misses)))
    return results | {"Filigraph": score(automatic), "Filigraph, with review": score(review)}


def characters(embed: Embed) -> dict[str, Any]:
    """The aliases of one novel that occur in its text; every pair of them is judged."""
    text = data(f"characters/{NOVEL}.txt").read_text(encoding="utf-8")
    owner: dict[str, str] = {}
    counts: dict[str, int] = {}
    for row in lines(data(f"characters/{NOVEL}.characters.jsonl")):
        for alias in row["aliases"]:
            count = len(re.findall(rf"\b{re.escape(alias)}\b", text, re.IGNORECASE))
            if count and not alias.startswith("_"):
                owner[alias], counts[alias] = row["name"], count
    pairs = [(a, b, owner[a] == owner[b]) for a, b in combinations(sorted(owner), 2)]
    results = bare_rules(pairs, embed(owner))
    mentions = {alias: named("novel", alias, count=count) for alias, count in counts.items()}
    candidates = find_candidates(mentions.values())
    entity = resolve(candidates, vectors=embed(candidates.texts)).entity_of
    labelled = [Labelled(a, b, same, entity[mentions[a].id] == entity[mentions[b].id]) for a, b, same in pairs]
    return results | {"Filigraph": score(labelled)}


def growth(sizes: Sequence[int] = (25_000, 50_000, 100_000)) -> dict[str, Any]:
    """Seconds to find candidates and to resolve that many names, without vectors."""
    rng = np.random.default_rng(7)
    syllables = [a + b for a in "bcdfglmnprstv" for b in ("a", "e", "i", "o", "ou", "an", "el", "or")]
    surnames = ["".join(rng.choice(syllables, 3)).capitalize() for _ in range(20_000)]
    first_names = ["".join(rng.choice(syllables, 2)).capitalize() for _ in range(2_000)]
    results: dict[str, Any] = {}
    for size in sizes:
        forms = [f"{first_names[rng.integers(2_000)]} {surnames[rng.integers(20_000)]}" for _ in range(size)]
        mentions = list({m.id: m for n, form in enumerate(forms) for m in [named(f"d{n // 200}", form)]}.values())
        begin = time.perf_counter()
        candidates = find_candidates(mentions)
        middle = time.perf_counter()
        resolve(candidates)
        end = time.perf_counter()
        results[str(size)] = {
            "names": len({mention.key for mention in mentions}),
            "pairs": len(candidates.pairs),
            "candidates_seconds": round(middle - begin, 1),
            "resolve_seconds": round(end - middle, 1),
        }
        print(f"{size:>8,} mentions: {results[str(size)]}")
    return results


def show(title: str, results: dict[str, Any]) -> None:
    print(f"\n{title}\n{'':24}{'said':>6}  precision             recall")
    for name, result in results.items():
        shares = "   ".join(
            f"{result[part]:.3f} ({result[part + '_interval'][0]:.2f}-{result[part + '_interval'][1]:.2f})"
            for part in ("precision", "recall")
        )
        print(f"{name:24}{result['said']:>6}  {shares}")
    ours = results["Filigraph"]
    for kind in ("wrong", "missed"):
        print(f"{kind}, {len(ours[kind])}: " + "; ".join(ours[kind][:12]) + (" ..." if len(ours[kind]) > 12 else ""))


def main() -> None:
    data("names"), data("characters")  # without them there is nothing to measure
    embedder = load_embedder()

    def embed(texts: Iterable[str]) -> Vectors:
        wanted = sorted(set(texts))
        rows = embed_texts(embedder, wanted, exact=True)
        return {text: np.asarray(row, dtype=np.float32) for text, row in zip(wanted, rows, strict=True)}

    results = {"names/pairs.csv": real_names(embed), "characters": characters(embed)}
    for title, result in results.items():
        show(title, result)
    figures = {  # the names themselves are other people's data: shown, never kept
        title: {
            rule: {key: value for key, value in row.items() if key not in ("wrong", "missed")}
            for rule, row in rows.items()
        }
        for title, rows in results.items()
    }
    save("resolution", {"machine": machine(), "embedder": embedder.name} | figures | {"growth": growth()})


if __name__ == "__main__":
    main()
