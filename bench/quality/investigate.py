"""The quality of answers of an LLM that may search again, and the gold in the path that it names.

    python -m bench.quality.investigate [SET[:READING][=COUNT] ...] [--variant NAME] [--replies FOLDER]

Sets and readings: those of `bench.quality.narrative`; COUNT questions, spread over the set. Nobody is asked while it
runs: each prompt is looked up in FOLDER (`bench/replies` beside the data) by its hash, HASH.prompt.md -> HASH.reply.md.
A prompt without a reply is written there and its question waits; a reader who is blind to gold answers the files, and
the next run goes on. When all are answered, judges give verdicts in the same way (`judge-HASH.prompt.md`): is the
answer right, compared with gold, blind to its author; and does each sentence of a path say its step
(`hops-HASH.prompt.md`)?

Variants: `investigation`; `single` (one reading); `search` (no FACTS and BETWEEN).

Printed and stored, for each set and over all: right answers, gold behind the one named path (its found steps alone, and
with the passages that the others cite) and among the extracts that were read, hops of the named path by kind, refusals
right and wrong, calls and tokens a question.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.common import DATA, machine, save
from bench.intervals import wilson
from bench.quality.narrative import gold_of, percent, questions, workspace
from bench.quality.recorded_replies import RecordedReplies, Waiting, reply_to
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.answer import answer
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import find_evidence
from filigraph.graph.measure.gold import Gold
from filigraph.graph.model.answers import Answer
from filigraph.graph.model.retrieval import Hop
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import Graph, Store

DEVELOPMENT = ("holmes=20", "lecoq=10", "filature=10", "harbour=10", "mairie=10", "musee=10", "theatre=10")
VARIANTS = {"investigation": 4, "single": 1, "search": 4}  # readings
TOGETHER = 15  # answers in one prompt for a judge
JUDGE = """You judge answers to questions about a story or a case file. For each item you get the question, the right
answer, and an answer that was given. Say `right` where the given answer says what the right one says (more detail does
not harm, nor other words or another language), `half` where an essential part is missing or wrong, else `wrong`.

Reply with one line for each item and nothing else: its number, a colon, the verdict. Like this:
1: right
2: wrong
"""
HOPS_TOGETHER = 60
JUDGE_HOPS = """You judge whether short texts say what statements say. Each item has a statement (subject - relation -
object) and the text that is shown for it: a sentence or two of a document, sometimes with sentences or a title beside it
that name who is meant. Say `yes` where the text says the statement, or plainly implies it, when read by a careful reader
(languages may differ; a pronoun, or a narrator's "I" or "we", may stand for a name if nothing speaks against it), `no`
where it does not say it.

Reply with one line for each item and nothing else: its number, a colon, yes or no. Like this:
1: yes
2: no
"""  # noqa: E501 - replies are found by the hash of this text


class Recorded(RecordedReplies):
    """An LLM whose replies are files, in a variant."""

    def __init__(self, folder: Path, variant: str) -> None:
        super().__init__(folder)
        self._variant = variant

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        system = without_graph(request.system) if self._variant == "search" else request.system
        return super().complete(replace(request, system=system), cancel=cancel)


def without_graph(system: str) -> str:
    """The prompt of an investigation that can only SEARCH."""
    lines = [line for line in system.splitlines() if not line.startswith(("FACTS:", "BETWEEN:"))]
    return "\n".join(lines).replace("At most three such lines, SEARCH, FACTS or BETWEEN,", "At most three such lines,")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question of a set and its answer."""

    row: dict[str, Any]
    gold: Gold | None
    answer: Answer
    usage: Usage
    verdict: str = ""

    @property
    def refused(self) -> bool:
        return not self.answer.answered


def spread(rows: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """`count` of the rows, evenly spread."""
    places = np.linspace(0, len(rows) - 1, min(count, len(rows))).round().astype(int).tolist()
    return [rows[n] for n in places]


def ask_all(
    name: str, count: int, variant: str, graph: Graph, embedder: Embedder, folder: Path
) -> tuple[list[Asked], int]:
    """The answered questions, and the number of those that wait for a reader."""
    rows = spread(questions(name), count)
    gold = gold_of(rows, graph)
    search = partial(find_evidence, graph=graph, embedder=embedder)
    settings = AskSettings(rounds=VARIANTS[variant], seconds=3600)
    answered, waiting = [], 0
    for row in rows:
        llm = Recorded(folder, variant)
        try:
            reply = answer(row["question"], search=search, graph=graph, embedder=embedder, llm=llm, settings=settings)
        except Waiting:
            waiting += 1
            continue
        answered.append(Asked(row=row, gold=gold.get(row["id"]), answer=reply, usage=llm.usage))
    return answered, waiting


# --------------------------------------------------------------------------------------------------------------------
# Judge


def judged(answers: Sequence[Asked], folder: Path) -> tuple[list[str], int]:
    """The verdict on each answer, and the number of those that wait for a judge. The set judges refusals: right if it
    says that there is no answer."""
    verdicts = {n: refusal(one) for n, one in enumerate(answers) if one.refused or one.row["type"] == "unanswerable"}
    items = {n: item(one) for n, one in enumerate(answers) if n not in verdicts}
    judgements, waiting = _verdicts(items, folder, "judge-", JUDGE, TOGETHER)
    verdicts |= {n: verdict if verdict in ("right", "half") else "wrong" for n, verdict in judgements.items()}
    return [verdicts.get(n, "") for n in range(len(answers))], waiting


def judged_hops(answers: Sequence[Asked], folder: Path) -> tuple[list[bool], int]:
    """Whether the shown text says each step of a named path, and the number of steps that wait for a judge. Steps shown
    as not found, or as concluded by the LLM (an implied identity), need no text."""
    hops = [hop for one in answers for path in one.answer.paths[:1] if path.origin == "named" for hop in path.hops]
    items = {n: _hop_item(hop) for n, hop in enumerate(hops) if is_shown_as_said(hop)}
    judgements, waiting = _verdicts(items, folder, "hops-", JUDGE_HOPS, HOPS_TOGETHER)
    return [verdict == "yes" for verdict in judgements.values()], waiting


def is_shown_as_said(hop: Hop) -> bool:
    return hop.found and not (hop.kind == "identity" and hop.implied)


def _hop_item(hop: Hop) -> str:
    beside = [f"  beside: {' '.join(text.split())}" for text in hop.premises]
    statement = f"Statement: {hop.subject} - {hop.predicate} - {hop.object}"
    return "\n".join([statement, f"Text: {' '.join(hop.sentence.split())}", *beside])


def _verdicts(
    items: Mapping[int, str], folder: Path, kind: str, judge: str, together: int
) -> tuple[dict[int, str], int]:
    """The verdict on each item, and the number of items that wait for a judge. Judges do not see the order."""
    order = sorted(items, key=lambda n: (hashlib.blake2b(items[n].encode()).hexdigest(), n))
    verdicts: dict[int, str] = {}
    waiting = 0
    for begin in range(0, len(order), together):
        some = order[begin : begin + together]
        listed = "\n\n".join(f"Item {place}\n{items[n]}" for place, n in enumerate(some, start=1))
        try:
            reply = reply_to(folder, kind, f"{judge}\n{listed}\n").lower()
        except Waiting:
            waiting += len(some)
            continue
        parsed = dict(re.findall(r"(\d+)\s*[:.]\s*(\w+)", reply))
        verdicts |= {n: parsed.get(str(place), "") for place, n in enumerate(some, start=1)}
    return verdicts, waiting


def refusal(one: Asked) -> str:
    return "right" if one.refused == (one.row["type"] == "unanswerable") else "wrong"


def item(one: Asked) -> str:
    text = " ".join(one.answer.text.split())
    return f"Question: {one.row['question']}\nRight answer: {one.row['answer']}\nGiven answer: {text}"


# --------------------------------------------------------------------------------------------------------------------
# Figures


def figures(answers: Sequence[Asked], verdicts: Sequence[str]) -> dict[str, Any]:
    """What is kept of a set, or of several."""
    with_gold = [one for one in answers if one.gold]
    none = [one for one in answers if one.row["type"] == "unanswerable"]
    some = [one for one in answers if one.row["type"] != "unanswerable"]
    named = [path for one in answers for path in one.answer.paths[:1] if path.origin == "named"]
    hops = Counter(hop.kind for path in named for hop in path.hops)
    looks = Counter(look.kind for one in answers for a_round in one.answer.rounds for look in a_round.looks)
    calls = [one.usage.calls for one in answers]
    tokens = [one.usage.tokens_in + one.usage.tokens_out for one in answers]
    return {
        "questions": len(answers),
        "verdicts": dict(Counter(verdicts)),
        **percent(
            {
                "right": _mean([verdict == "right" for verdict in verdicts]),
                "gold behind the named path": _mean([_behind(one, 1, "named") for one in with_gold]),
                "gold behind its found steps": _mean([_behind(one, 1, "named", said_only=True) for one in with_gold]),
                "gold behind the first path": _mean([_behind(one, 1) for one in with_gold]),
                "gold behind the paths": _mean([_behind(one, 9) for one in with_gold]),
                "gold read": _mean([_holds(one, [item.id for item in one.answer.citations]) for one in with_gold]),
                "a path named": _mean([one.answer.paths[0].origin == "named" for one in some if one.answer.paths]),
                "hops found": 1 - hops["unfound"] / max(1, hops.total()),
                "unanswerable refused": _mean([one.refused for one in none]),
                "answerable refused": _mean([one.refused for one in some]),
            }
        ),
        "hops": dict(hops),
        "concluded": sum(hop.kind == "identity" and hop.implied for path in named for hop in path.hops),
        "gaps": sum(not hop.joined for path in named for hop in path.hops),
        "looks": dict(looks),
        "calls": {"mean": round(float(np.mean(calls)), 2), "median": float(np.median(calls))},
        "tokens": round(float(np.mean(tokens))),
    }


def shares(answers: Sequence[Asked], verdicts: Sequence[str], say: Sequence[bool]) -> dict[str, Any]:
    """The shares that are published: percent with the bounds of 95 % (Wilson 1927)."""
    kinds = {
        "right": [verdict == "right" for verdict in verdicts],
        "gold behind the named path": [_behind(one, 1, "named") for one in answers if one.gold],
        "gold behind its found steps": [_behind(one, 1, "named", said_only=True) for one in answers if one.gold],
        "shown steps that their text says": list(say),
        "unanswerable refused": [one.refused for one in answers if one.row["type"] == "unanswerable"],
        "answerable refused": [one.refused for one in answers if one.row["type"] != "unanswerable"],
    }
    result = {}
    for name, values in kinds.items():
        low, high = wilson(sum(values), len(values))
        result[name] = {"of": len(values), "share": 100 * _mean(values), "low": 100 * low, "high": 100 * high}
    return {"shares": result}


def _behind(one: Asked, count: int, origin: str = "", *, said_only: bool = False) -> bool:
    """Whether the first paths have all gold; `said_only`: without the passages that unfound steps only cite."""
    hops = [hop for path in one.answer.paths[:count] if origin in ("", path.origin) for hop in path.hops]
    behind = [hop for hop in hops if hop.found or not said_only]
    return _holds(one, [id_ for hop in behind for id_ in (hop.chunk_id, *hop.premise_chunk_ids) if id_])


def _holds(one: Asked, chunk_ids: Sequence[str]) -> bool:
    return one.gold is not None and one.gold.in_chunks(chunk_ids)


def _mean(values: Sequence[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")


def tell(one: Asked, verdict: str) -> None:
    """An answer, hop by hop, and the gold that no hop of its path has."""
    row, reply = one.row, one.answer
    looks = [f"{look.kind}: {look.text} {list(look.extracts)}" for a_round in reply.rounds for look in a_round.looks]
    print(f"\n{row['id']} ({row['type']}) {verdict or '-'}, {one.usage.calls} calls: {row['question']}")
    print(f"  gold: {row['answer']}\n  said: {' '.join(reply.text.split())}", *looks, sep="\n  ")
    for path in reply.paths[:1]:
        for hop in path.hops:
            apart = "" if hop.joined else " (apart)"
            print(f"  {path.origin} {hop.kind}{apart}: {hop.subject} - {hop.predicate} - {hop.object}")
            print(f"      {' '.join(hop.sentence.split())[:160]}")
    texts = [hop.sentence for path in reply.paths[:1] for hop in path.hops]
    print("  covered:", _behind(one, 1), "read:", _holds(one, [item.id for item in reply.citations]))
    for quote in row["gold"]:
        if not any(quote[:40] in text or text[:40] in quote for text in texts if text):
            print(f"  gold not quoted: {' '.join(quote.split())[:160]}")


def main() -> None:
    """Ask as far as replies carry, then judge, print and keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.investigate")
    parser.add_argument("sets", nargs="*", default=DEVELOPMENT)
    parser.add_argument("--variant", choices=VARIANTS, default="investigation")
    parser.add_argument("--tell", action="store_true", help="print what each answer rests on, and what it misses")
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    options = parser.parse_args()
    options.replies.mkdir(parents=True, exist_ok=True)
    embedder = load_embedder(None)
    address = start_neo4j()
    by_set: dict[str, list[Asked]] = {}
    waiting = 0
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name, count in ((*wanted.partition("=")[::2],) for wanted in options.sets):
            set_, _, reading = name.partition(":")
            graph = workspace(set_, reading or "thorough", store, embedder)
            by_set[name], left = ask_all(set_, int(count or 1_000), options.variant, graph, embedder, options.replies)
            waiting += left
            print(name, len(by_set[name]), "answered,", left, "wait for a reader", flush=True)
    everything = [one for answers in by_set.values() for one in answers]
    verdicts: list[str] = []
    say: list[bool] = []
    unjudged = 0
    for answers in by_set.values():  # set by set: a judge's prompt does not depend on the other sets of the run
        own_verdicts, left = judged(answers, options.replies) if not waiting else ([""] * len(answers), 0)
        say_of_set, hops_left = judged_hops(answers, options.replies) if not waiting else ([], 0)
        verdicts, say, unjudged = [*verdicts, *own_verdicts], [*say, *say_of_set], unjudged + left + hops_left
    if options.tell:
        for one, verdict in zip(everything, verdicts, strict=True):
            tell(one, verdict)
    print(waiting, "prompts wait for a reader,", unjudged, "answers and steps for a judge, in", options.replies)
    results: dict[str, Any] = {}
    begin = 0
    for name, answers in by_set.items():
        results[name] = figures(answers, verdicts[begin : begin + len(answers)]) if answers else {}
        begin += len(answers)
        print(name, results[name])
    results["all"] = figures(everything, verdicts) | shares(everything, verdicts, say) if everything else {}
    print("all", results["all"])
    if not waiting and not unjudged:
        developed = {re.split("[=:]", one)[0] for one in DEVELOPMENT}
        asked = {re.split("[=:]", one)[0] for one in options.sets}
        key = f"{options.variant}, development" if asked <= developed else options.variant
        save("investigate", {"machine": machine(), "embedder": embedder.name, key: results})


if __name__ == "__main__":
    main()
