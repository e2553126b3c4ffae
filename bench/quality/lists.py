"""Lists: recall and precision of the items.

python -m bench.quality.lists [CASE ...] [--show] [--replies FOLDER]

Case files with `lists.jsonl`, read with recorded readings of an excellent LLM. An item of gold is found if a sentence
or row of the list contains its quote, or lies within it; *held*: the items whose quote is the sentence of a fact of the
graph; *right*: items of the list with a quote. With `--replies` an LLM reads as well (`read`): nobody is asked while it
runs; a prompt without a reply is written into the folder (HASH.prompt.md -> HASH.reply.md), and its case has no such
figures until a reader who is blind to gold has answered. Developed on questions of our own about two others, harbour
and filature, and on `phare`; `vignoble` took no part.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cases import run
from bench.common import lines
from bench.intervals import wilson
from bench.quality.investigate import Recorded
from bench.quality.narrative import folder, workspace
from bench.quality.recorded_replies import Waiting
from bench.quality.views import squeezed
from filigraph.graph.analysis.entity_lists import items_of_type
from filigraph.graph.analysis.list_items import ItemList, find_items, load_texts
from filigraph.graph.model.arrays import Vector
from filigraph.graph.models.embed import Embedder, embed_questions
from filigraph.graph.readings.lists.ask import ask, ask_check
from filigraph.graph.readings.read_lists import list_items, planned_batches, planned_checks
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.language import detect
from filigraph.graph.text.list_questions import ListQuestion, list_question, parse_list_question


def holds(sentence: str, quote: str) -> bool:
    return quote in sentence or sentence in quote


def said(graph: Graph) -> list[str]:
    """The sentences of facts."""
    return [squeezed(one.sentence) for one in graph.statements()[0]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question of gold, with its vector."""

    row: dict[str, Any]
    question: ListQuestion
    vector: Vector
    known: Sequence[str]  # the sentences of the graph's facts

    def figures(self, listing: ItemList, show: bool) -> dict[str, int]:
        """Of a list."""
        quotes = [squeezed(one) for one in self.row["quotes"]]
        items = [[squeezed(place.sentence) for place in (item, *item.also)] for item in listing.items]
        sentences = [sentence for places in items for sentence in places]
        held = [quote for quote in quotes if any(holds(sentence, quote) for sentence in self.known)]
        shown = [quote for quote in quotes if any(holds(sentence, quote) for sentence in sentences)]
        right = [places for places in items if any(holds(one, quote) for one in places for quote in quotes)]
        if show:
            print(self.row["id"], self.question.text, f"{len(shown)}/{len(quotes)}", f"{len(right)}/{len(items)}")
            for item, places in zip(listing.items, items, strict=True):
                print("   ", "+" if places in right else "-", item.item, "|", *places)
            print("    not found:", *(quote for quote in quotes if quote not in shown), sep="\n      ")
        return {
            "gold": len(quotes),
            "found": len(shown),
            "held": len(held),
            "held, found": len({*held} & {*shown}),
            "items": len(items),
            "right": len(right),
        }


def measure(
    name: str, store: Store, embedder: Embedder, show: bool, replies: Path | None, cast: Path | None
) -> dict[str, Any]:
    """The figures of a case: by rules and, if there are replies, by an LLM."""
    graph = workspace(name, "thorough", store, embedder, cast=cast)
    known = said(graph)
    questions = [_asked(row, embedder, known) for row in lines(folder(name) / "lists.jsonl")]
    rows, seconds = list[dict[str, int]](), list[float]()
    for one in questions:
        begin = time.perf_counter()
        listing = items_of_type(one.question, graph) or find_items(
            one.question, one.vector, load_texts(one.question, one.vector, graph)
        )
        seconds.append(time.perf_counter() - begin)
        taken = list_question(one.question.text, one.question.language) is not None
        rows.append(one.figures(listing, show) | {"taken for a list": taken})
    result = {"questions": len(rows), **summed(rows), "slowest": round(max(seconds), 3)}
    if replies is not None:
        llm = Recorded(replies, "lists")
        listings = [read(one, graph, llm) for one in questions]
        waiting = sum(listing is None for listing in listings)
        print(name, llm.usage.calls, "calls;", waiting, "questions wait for a reader, in", replies)
        if show or not waiting:
            read_rows = [
                one.figures(listing, show) for one, listing in zip(questions, listings, strict=True) if listing
            ]
            left_out = sum(listing.left_out for listing in listings if listing)
            result["read"] = summed(read_rows) | {"calls": llm.usage.calls, "left out": left_out}
        if waiting:
            result["read"] = {}
    return result


def _asked(row: dict[str, Any], embedder: Embedder, known: Sequence[str]) -> Asked:
    question = parse_list_question(row["question"], detect(row["question"]) or "en")
    return Asked(row=row, question=question, vector=embed_questions(embedder, [row["question"]])[0], known=known)


def read(one: Asked, graph: Graph, llm: Recorded) -> ItemList | None:
    """The list as the reader has it; None if prompts wait for a reply."""
    texts = load_texts(one.question, one.vector, graph)
    batches, readings, waiting = planned_batches(one.question, texts), [], False
    for batch in batches:
        try:
            readings.append(ask(batch, llm, timeout=60.0, cancelled=lambda: False))
        except Waiting:
            waiting = True
    if waiting:
        return None
    graph.write_list_readings(readings)
    for check in planned_checks(one.question, texts, batches, graph):
        try:
            graph.write_list_readings([ask_check(check, llm, timeout=60.0, cancelled=lambda: False)])
        except Waiting:
            return None
    return list_items(one.question, one.vector, graph, graph)


def summed(rows: Sequence[dict[str, int]]) -> dict[str, Any]:
    """Sums over questions, with the Wilson interval of each share."""
    total = {field: sum(row[field] for row in rows) for field in rows[0]}
    shares = {"recall": ("found", "gold"), "recall of held": ("held, found", "held"), "precision": ("right", "items")}
    return {
        **total,
        **{share: round(100 * total[part] / max(total[whole], 1), 1) for share, (part, whole) in shares.items()},
        "interval": {
            share: [round(100 * bound) for bound in wilson(total[part], max(total[whole], 1))]
            for share, (part, whole) in shares.items()
        },
    }


if __name__ == "__main__":
    run("lists", measure)
