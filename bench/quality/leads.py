"""How many of the paths that are shown without an LLM help to answer.

    python -m bench.quality.leads [SET ...] [--gold | --replies FOLDER]

The first paths of every question of the development sets, read thoroughly. A judge says of each, with the right answer
beside it, whether it answers, holds a step that is needed, or is noise. Prompts and replies are files; a verdict holds
for a question and the words of a path, so a change of the search asks only for the paths that it changed. Printed and
kept, for first paths and for all: how many are open, how many of these help, and how many helping ones are folded as
leads; and the same for other thresholds of the probability. With `--gold` nobody judges: a path that says the end of
the answer answers, one that shows a gold sentence holds a step.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import DATA, machine, save
from bench.intervals import wilson
from bench.quality.narrative import NOVELS, questions, says_the_end, workspace
from bench.quality.recorded_replies import Waiting, reply_to
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.engine import retrieve
from filigraph.graph.model.retrieval import Path as Shown
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.store import Store

CASE_FILES = ("filature", "harbour", "mairie", "musee", "theatre")
NAMED_SETS = {(*NOVELS, *CASE_FILES): "development", CASE_FILES: "case files"}  # in the result
FIRST = 3  # paths of a question: as many as are shown
TOGETHER = 15  # in one prompt
BEGINS = 40  # characters of a shown sentence by which it is found in the gold
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
JUDGE = """You judge chains of facts that a search shows for questions about a story or a case file. For each item you
get the question, the right answer, and one chain with the sentence behind each fact. Say `answers` where the chain and
its sentences say the answer, `step` where it does not but holds a step that is needed to get there (who or what is meant,
or a fact from which the answer follows), else `noise`.

Reply with one line for each item and nothing else: its number, a colon, the verdict. Like this:
1: step
2: noise
"""  # noqa: E501 - replies are found by the hash of this text


@dataclass(frozen=True, kw_only=True)
class ShownPath:
    """A path that a question was shown."""

    place: int  # among the paths, from 1
    path: Shown
    item: str  # as a judge reads it


def item(row: dict[str, Any], path: Shown) -> str:
    hops = [f"- {hop.subject} | {hop.predicate} | {hop.object}: {' '.join(hop.sentence.split())}" for hop in path.hops]
    return "\n".join([f"Question: {row['question']}", f"Right answer: {row['answer']}", *hops])


def verdict_of_gold(row: dict[str, Any], path: Shown) -> str:
    """What the gold says of a path, in the words of a judge."""
    if says_the_end(row, [path]):
        return "answers"
    gold = " ".join(" ".join(row["gold"]).split())
    shown = [" ".join(text.split()) for hop in path.hops for text in (hop.sentence, *hop.premises)]
    return "step" if any(text and text[:BEGINS] in gold for text in shown) else "noise"


def given_verdicts(folder: Path) -> dict[str, str]:
    """The verdicts of all replies in a folder, by item."""
    verdicts: dict[str, str] = {}
    for prompt in sorted(folder.glob("paths-*.prompt.md")):
        reply = prompt.with_name(prompt.name.replace(".prompt.", ".reply."))
        if not reply.exists():
            continue
        verdict_of = dict(re.findall(r"(\d+)\s*[:.]\s*(answers|step|noise)", reply.read_text(encoding="utf-8")))
        _, *items = re.split(r"^Item (\d+)\n", prompt.read_text(encoding="utf-8"), flags=re.MULTILINE)
        numbered = zip(items[::2], items[1::2], strict=True)
        verdicts |= {text.strip(): verdict_of[number] for number, text in numbered if number in verdict_of}
    return verdicts


def write_prompts(items: Iterable[str], folder: Path) -> None:
    """Prompts for a judge; their order says nothing of a path's set or place."""
    order = sorted(set(items), key=lambda text: hashlib.blake2b(text.encode()).hexdigest())
    for begin in range(0, len(order), TOGETHER):
        some = order[begin : begin + TOGETHER]
        listed = "\n\n".join(f"Item {number}\n{text}" for number, text in enumerate(some, start=1))
        with suppress(Waiting):
            reply_to(folder, "paths-", f"{JUDGE}\n{listed}\n")


def figures(shown: Sequence[ShownPath], verdicts: Mapping[str, str]) -> dict[str, Any]:
    """Of first paths and of all: as folded today, and by thresholds of the probability."""
    result: dict[str, Any] = {}
    for which, most in (("first", 1), ("all", FIRST)):
        rows = [one for one in shown if one.place <= most]
        helps = [verdicts[one.item] != "noise" for one in rows]
        result[which] = {
            "answers": sum(verdicts[one.item] == "answers" for one in rows),
            "hops": round(sum(len(one.path.hops) for one in rows) / max(1, len(rows)), 2),
            **folding(helps, [not one.path.lead for one in rows]),
            "thresholds": {str(bar): folding(helps, [one.path.score >= bar for one in rows]) for bar in THRESHOLDS},
        }
    return result


def folding(helps: Sequence[bool], open_: Sequence[bool]) -> dict[str, Any]:
    """How many of the open paths help, and how many of the helping ones are folded."""
    open_helps = [good for good, shown in zip(helps, open_, strict=True) if shown]
    folded = [not shown for good, shown in zip(helps, open_, strict=True) if good]
    return {"paths": len(helps), "of open helps": _share(open_helps), "of helping folded": _share(folded)}


def _share(values: Sequence[bool]) -> dict[str, float]:
    low, high = wilson(sum(values), len(values))
    share = sum(values) / max(1, len(values))
    return {"of": len(values), "share": 100 * share, "low": 100 * low, "high": 100 * high}


def main() -> None:
    """Ask, judge, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.leads")
    parser.add_argument("sets", nargs="*", default=(*NOVELS, *CASE_FILES))
    parser.add_argument("--replies", type=Path, default=DATA.parent / "replies")
    parser.add_argument("--gold", action="store_true", help="the verdicts of the gold")
    options = parser.parse_args()
    options.replies.mkdir(parents=True, exist_ok=True)
    embedder, address = load_embedder(None), start_neo4j()
    shown: list[ShownPath] = []
    by_gold: dict[str, str] = {}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in options.sets:
            graph = workspace(name, "thorough", store, embedder)
            for row in (row for row in questions(name) if row["type"] != "unanswerable"):
                paths = retrieve(row["question"], graph=graph, embedder=embedder).paths[:FIRST]
                shown += [ShownPath(place=n, path=path, item=item(row, path)) for n, path in enumerate(paths, start=1)]
                by_gold |= {item(row, path): verdict_of_gold(row, path) for path in paths}
            print(name, len(shown), flush=True)
    verdicts = by_gold if options.gold else given_verdicts(options.replies)
    unjudged = [one.item for one in shown if one.item not in verdicts]
    write_prompts(unjudged, options.replies)
    print(len(unjudged), "of", len(shown), "paths wait for a judge, in", options.replies)
    if not unjudged:
        results = figures(shown, verdicts)
        print(json.dumps(results, indent=1))
        name = NAMED_SETS.get(tuple(options.sets), " ".join(options.sets))
        save(
            "leads_gold" if options.gold else "leads", {"machine": machine(), "embedder": embedder.name, name: results}
        )


if __name__ == "__main__":
    main()
