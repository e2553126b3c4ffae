"""Run it: print and store the result."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from bench.common import data, machine, save, workspace
from bench.quality.forms.recorded import Careless, Gold, Recorded, plain
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.fill import Filler, fill
from filigraph.graph.forms.form import read_form, ready_forms
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.ingest.report import IngestSettings
from filigraph.graph.model.documents import CUT_PRESETS, Cut, Source
from filigraph.graph.model.forms import FieldValue, Form
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from filigraph.graph.text.words import terms

CASES = {"harbour": "en", "filature": "fr", "mairie": "fr", "musee": "fr", "theatre": "fr"}
# The case whose values the careless LLM gives.
NEXT = {"filature": "mairie", "harbour": "filature", "mairie": "filature", "musee": "theatre", "theatre": "musee"}
CUTS: Mapping[str, Cut] = {"512 tokens": Cut()} | dict(CUT_PRESETS.items())
SIZES = (1, 5, 20)


def judged(values: Mapping[str, FieldValue], form: Form, gold: Gold) -> Counter[str]:
    """Counts of right, wrong, missed (the file has it) and rightly empty (it does not) values."""
    counts: Counter[str] = Counter()
    for field in form.fields:
        value, known = values.get(field.id), gold.get(field.id)
        texts = value.values if value and value.state in ("found", "proposed") else ()
        if texts:
            counts["right" if known and agrees(texts, known["values"]) else "wrong"] += 1
        else:
            counts["missed" if known else "rightly_empty"] += 1
    return counts


def agrees(values: tuple[str, ...], known: list[str]) -> bool:
    """Whether all words of the values are among those of the known ones, and there are any: "Delattre" is "H.
    Delattre"."""
    words = {term for value in known for term in terms(value, "")}
    own = {term for value in values for term in terms(value, "")}
    return bool(own) and own <= words


def filled(graph: Graph, form: Form, name: str, llm: Recorded | None, embedder: Embedder, size: int) -> Any:
    variant = replace(form, name=name)
    if size > 5:  # together, in any group
        variant = replace(variant, fields=tuple(replace(field, group="") for field in variant.fields))
    report = fill(variant, "", Filler(graph=graph, embedder=embedder, llm=llm), size=size)
    return graph.field_values(name, ""), report


def shown(values: Mapping[str, FieldValue], form: Form, gold: Gold, graph: Graph) -> Counter[str]:
    """For fields without a proposal that the file answers: whether their passages contain the words."""
    counts: Counter[str] = Counter()
    for field in form.fields:
        value, known = values[field.id], gold.get(field.id)
        if value.state == "passages" and known:
            texts = graph.passages([one.chunk_id for one in value.evidence]).values()
            hit = any(plain(quote) in plain(text.text) for quote in known["quotes"] for text in texts)
            counts["shown" if hit else "not_shown"] += 1
    return counts


def recall(graph: Graph, embedder: Embedder, folder: Path) -> tuple[int, int]:
    """Pieces of gold in the first five passages, of all."""
    hits = total = 0
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        settings = AskSettings(keep=5)
        texts = [
            plain(e.text) for e in retrieve(row["question"], graph=graph, embedder=embedder, settings=settings).evidence
        ]
        for piece in row["gold"]:
            total += 1
            hits += any(plain(piece) in text for text in texts[:5])
    return hits, total


def main() -> None:
    """Fill the case sheet of each case in every way."""
    golds = yaml.safe_load((Path(__file__).parent / "gold.yaml").read_text(encoding="utf-8"))
    embedder, extractor = load_embedder(None), LocalExtractor(spacy_models.load)
    results: dict[str, Counter[str]] = defaultdict(Counter)
    questions: dict[str, Counter[str]] = defaultdict(Counter)
    for case, language in CASES.items():
        folder, gold = data(f"cases/{case}"), golds[case]
        files = sorted((folder / "documents").iterdir())
        apart = [Source(name=file.name, content=file.read_bytes()) for file in files]
        joined = [Source(name="file.txt", content=b"\n\n\n".join(source.content for source in apart))]
        form = read_form("case-sheet", ready_forms()["case-sheet"], language=language)

        def fill_by(graph: Graph, label: str, llm: Recorded | None, size: int) -> None:
            values, report = filled(graph, form, label, llm, embedder, size)  # noqa: B023 - called at once
            results[label].update(judged(values, form, gold))  # noqa: B023
            usage = report.usage
            results[label].update(calls=usage.calls, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out)
            if llm is None:
                results[label].update(shown(values, form, gold, graph))  # noqa: B023

        with workspace("bench-forms", embedder) as graph:
            ingest(apart, graph=graph, embedder=embedder, extractor=extractor)
            for size in SIZES:
                fill_by(graph, f"recorded, batches of {size}", Recorded(gold), size)
            fill_by(graph, "careless, batches of 5", Careless(golds[NEXT[case]]), 5)
            fill_by(graph, "facts", None, 5)
        for cut, how in CUTS.items():
            settings = IngestSettings(**how.fields())
            with workspace("bench-forms", embedder) as graph:
                ingest(joined, graph=graph, embedder=embedder, extractor=extractor, settings=settings)
                fill_by(graph, f"recorded, one file, {cut}", Recorded(gold), 5)
                hits, total = recall(graph, embedder, folder)
                questions[cut].update(hits=hits, gold=total, chunks=graph.stats().chunks)
        forms = {name: dict(row) for name, row in results.items()}
        cuts = {name: {**row, "recall@5": round(row["hits"] / row["gold"], 3)} for name, row in questions.items()}
        print(case, json.dumps({"forms": forms, "questions": cuts}), flush=True)
        done = list(CASES)[: list(CASES).index(case) + 1]
        save("forms", {"machine": machine(), "cases": done, "forms": forms, "questions": cuts})


if __name__ == "__main__":
    main()
