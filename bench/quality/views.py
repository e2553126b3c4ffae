"""Views: are questions on a part answered only from that part, and how long do they take?

python -m bench.quality.views [--speed 1500] [--only cases|speed]

The case files `phare` and `vignoble`, with recorded readings of an excellent LLM, without an LLM that answers. *As of*:
each question is asked as of its day and of all texts; a result is right if the evidence has the sentence that answered
then, or now, and nothing later. *Without*: each is asked of all texts, and without the one document that answers; a
result is right if it finds that document, then loses it, and the difference says so. If two documents answer, each is
left out in turn: a result is right if it still finds the other. Speed: passages of 2WikiMultiHopQA with their triples.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bench.common import data, lines, machine, memory, save
from bench.quality.narrative import extractor, folder, sources
from filigraph.app.neo4j import start_neo4j
from filigraph.graph.engine import retrieve
from filigraph.graph.ids import document_id
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.documents import Source
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.gc_tuning import FrozenObjects
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.view import View
from filigraph.graph.views.difference import difference
from filigraph.graph.views.open import open_view

CASES = ("phare", "vignoble")
SUPPORT = re.compile(r'([\w.-]+\.(?:txt|md|eml))(?:: "([^"]+)")?')
T = TypeVar("T")


def case(name: str, store: Store, embedder: Embedder) -> Graph:
    """A case file with the dates of its documents."""
    about = json.loads((folder(name) / "documents.json").read_text(encoding="utf-8"))
    dated = [replace(source, metadata={"date": about[source.name]["date"]}) for source in sources(name)]
    graph = made(f"bench-views-{name}", store, embedder)
    ingest(dated, graph=graph, embedder=embedder, extractor=extractor(name, "thorough"))
    return graph


def made(name: str, store: Store, embedder: Embedder) -> Graph:
    if name not in {row.name for row in store.workspaces()}:
        store.create_workspace(name, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
    return store.graph(name)


def has(retrieved: Retrieved, quote: str) -> bool:
    """Whether the evidence has a sentence."""
    wanted = squeezed(quote)
    return any(wanted in squeezed(item.text) for item in retrieved.evidence)


def squeezed(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


# --------------------------------------------------------------------------------------------------------------------
# Case files


def as_of(name: str, graph: Graph, embedder: Embedder) -> list[dict[str, Any]]:
    """Each question of `asof.jsonl` as of its day, and of all texts."""
    dates = {row.id: row.metadata["date"] for row in graph.document_rows(facts=False)}
    rows = []
    for entry in lines(folder(name) / "asof.jsonl"):
        view = open_view(graph, View(as_of=entry["until"]), embedder=embedder)
        then = retrieve(entry["question"], graph=view, embedder=embedder)
        now = retrieve(entry["question"], graph=open_view(graph, View(), embedder=embedder), embedder=embedder)
        documents = {item.document_id for item in then.evidence if item.kind == "chunk"}
        documents |= {view.derived.chunks[id_].chunk.document_id for path in then.paths for id_ in path.chunk_ids}
        rows.append(
            {
                "id": entry["id"],
                "then": has(then, entry["quote_then"]),
                "now": has(now, entry["quote_now"]),
                "later": sum(later(dates[id_], entry["until"]) for id_ in documents) + has(then, entry["quote_now"]),
            }
        )
    return rows


def later(date: str, until: str) -> bool:
    days, limit = days_of(date), days_of(until)
    assert days and limit
    return days[0] > limit[1]


def without(name: str, graph: Graph, embedder: Embedder) -> list[dict[str, Any]]:
    """Each question of `without.jsonl`, with all texts and without the document that answers."""
    rows = []
    whole = open_view(graph, View(), embedder=embedder)
    for entry in lines(folder(name) / "without.jsonl"):
        before = retrieve(entry["question"], graph=whole, embedder=embedder)
        if entry["document"]:
            view = open_view(graph, View(without=(entry["document"],)), embedder=embedder)
            after = retrieve(entry["question"], graph=view, embedder=embedder)
            changes = difference(before, after, view)
            rows.append(
                {
                    "id": entry["id"],
                    "found": entry["document"] in sources_of(before),
                    "told": entry["document"] in {item.source for item in changes.lost},
                    "path": bool(changes.breaks) if changes.path else None,
                    "gone": entry["document"] not in sources_of(after),
                }
            )
            continue
        supports = supports_of(entry["why"])
        supported = []
        for one in supports:
            view = open_view(graph, View(without=(one[0],)), embedder=embedder)
            after = retrieve(entry["question"], graph=view, embedder=embedder)
            others = (other for other in supports if other != one)
            supported.append(
                any(has(after, quote) if quote else source in sources_of(after) for source, quote in others)
            )
        rows.append({"id": entry["id"], "supports": len(supports), "kept": supported})
    return rows


def supports_of(why: Any) -> list[tuple[str, str]]:
    """The documents that answer, each with its sentence if that is quoted."""
    if isinstance(why, dict):
        return [(one["document"], one["quote"]) for one in why["supports"]]
    return [(match[1], match[2] or "") for match in SUPPORT.finditer(why)]


def sources_of(retrieved: Retrieved) -> set[str]:
    return {item.source for item in retrieved.evidence}


# --------------------------------------------------------------------------------------------------------------------
# Speed


def passages(count: int, store: Store, embedder: Embedder) -> Graph:
    """That many passages of 2WikiMultiHopQA, each a document, with their triples."""
    graph = made(f"bench-views-{count}", store, embedder)
    rows = lines(data("2wiki/passages.jsonl"))[:count]
    by_passage = {row["passage_id"]: row["triples"] for row in lines(data("2wiki/triples.jsonl"))}
    name = graph.workspace.name
    by_document = {document_id(name, row["id"]): [tuple(one) for one in by_passage.get(row["id"], [])] for row in rows}
    texts = [Source(name=row["id"], content=f"# {row['title']}\n\n{row['text']}".encode()) for row in rows]
    ingest(texts, graph=graph, embedder=embedder, extractor=TripleExtractor(by_document))
    return graph


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """The result, its seconds, and those of this process's CPU: a busy machine changes them less."""
    begin, used = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - begin, time.process_time() - used


def speed(graph: Graph, embedder: Embedder) -> dict[str, Any]:
    """Seconds to derive a view, and of its questions; twice: on a server that has just started, and with warm
    caches."""
    sources_ = [row.source for row in graph.document_names()]
    questions = [row["question"] for row in lines(data("2wiki/questions.jsonl"))[:20]]
    graph.memory = CacheMemory()
    views = {
        "all, server just started": View(),
        "all but one document": View(without=tuple(sources_[:1])),
        "half of the documents": View(sources=tuple(sources_[::2])),
        "a twentieth of the documents": View(sources=tuple(sources_[::20])),
    }
    result: dict[str, Any] = {"passages": graph.overview().chunks, "documents": len(sources_)}
    for name, view in views.items():
        result[name] = asked_of(view, graph, embedder, questions)
        print(name, result[name], flush=True)
    for question in questions[:3]:
        retrieve(question, graph=graph, embedder=embedder)
    _, plain, _ = timed(lambda: [retrieve(question, graph=graph, embedder=embedder) for question in questions])
    return result | {
        "plain_questions_s": round(plain / len(questions), 3),
        "kept_mb": graph.memory.size >> 20,
        **memory(),
    }


def asked_of(view: View, graph: Graph, embedder: Embedder, questions: Sequence[str]) -> dict[str, Any]:
    """Seconds of a view: its derivation, the first question including that, and later questions."""
    opened, seconds, cpu = timed(lambda: open_view(graph, view, embedder=embedder))
    _, first, first_cpu = timed(lambda: retrieve(questions[0], graph=opened, embedder=embedder))
    _, more, _ = timed(lambda: [retrieve(question, graph=opened, embedder=embedder) for question in questions])
    return {
        "derived_s": round(seconds, 2),
        "derived_cpu_s": round(cpu, 2),
        "first_question_s": round(seconds + first, 2),
        "first_question_cpu_s": round(cpu + first_cpu, 2),
        "next_questions_s": round(more / len(questions), 3),
        "megabytes": opened.size >> 20,
    }


def counted(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, int]:
    """How many of the rows are right by each measure; `path` only if there is one."""
    counts = {name: sum(bool(row.get(name)) for row in rows) for name in names}
    return counts | {"questions": sum(names[0] in row for row in rows)}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.views")
    parser.add_argument("--speed", type=int, nargs="*", default=[1500])
    parser.add_argument("--only", choices=("cases", "speed"))
    options = parser.parse_args()
    embedder = load_embedder(None)
    frozen = FrozenObjects()
    frozen.begin()  # as the server does
    address = start_neo4j()
    result: dict[str, Any] = {"machine": machine(), "embedder": embedder.name}
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        for name in CASES if options.only != "speed" else ():
            graph = case(name, store, embedder)
            days, left = as_of(name, graph, embedder), without(name, graph, embedder)
            print(name, *days, *left, sep="\n", flush=True)
            supported = [one for row in left for one in row.get("kept", ())]
            result[name] = {
                "as of": counted(days, ("then", "now")) | {"later": sum(row["later"] for row in days)},
                "without": counted(left, ("found", "told", "path", "gone")),
                "supports": {"left out": len(supported), "others found": sum(supported)},
            }
            print(name, result[name], flush=True)
        for count in options.speed if options.only != "cases" else ():
            result[f"{count} passages"] = speed(passages(count, store, embedder), embedder)
            print(result[f"{count} passages"], flush=True)
    frozen.end()
    save("views", result) if not options.only else None


if __name__ == "__main__":
    main()
