"""The demo's questions, as `filigraph demo` asks them: a path answers each, whichever extractor read the case."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from filigraph.app.cli.show.path import show_paths as print_paths
from filigraph.app.cli.terminal.console import console
from filigraph.app.schemas.serialize import to_json
from filigraph.graph.ask.generation.excerpts import excerpts, path_first
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.contract import Extractor
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.extract.local import LocalExtractor
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters import spacy_models
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.embed import Embedder
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import Graph, Store
from tests.making import case_file

READING = [json.loads(line) for line in Path(__file__).with_name("demo_reading.jsonl").read_text("utf-8").splitlines()]


class GoodReader:
    """An LLM that reads the case well: what was read in each sentence is kept in a file."""

    model = "good reader"
    usage = Usage()

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        facts, aliases = [], []
        for number, sentence in re.findall(r"^(\d+): (.*)$", request.prompt, re.MULTILINE):
            for read in (row for row in READING if row["says"] in sentence):
                facts += [{"n": int(number), "s": s, "p": p, "o": o, "by": ""} for s, p, o in read["facts"]]
                aliases += [[int(number), *pair] for pair in read.get("aliases", ())]
        return json.dumps({"names": {}, "aliases": aliases, "facts": facts, "implied": []})

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        raise NotImplementedError


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder()


@pytest.fixture(scope="module", params=["local", "good LLM"])
def case(request: pytest.FixtureRequest, store: Store, embedder: Embedder) -> Iterator[Graph]:
    readers: dict[str, Extractor] = {"local": LocalExtractor(spacy_models.load), "good LLM": LLMExtractor(GoodReader())}
    name = f"test-demo-{uuid.uuid4().hex[:12]}"
    store.create_workspace(name, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
    ingest(case_file(), graph=store.graph(name), embedder=embedder, extractor=readers[request.param])
    yield store.graph(name)
    store.delete_workspace(name)


CLAW, THIEVES = "est l'emblème de La Griffe", "est une société de voleurs"
PEARLS, CHIEF = "the Carfax pearls were stolen by The Claw", "Octave Ferrand est le chef de La Griffe"
LIBRARY = "travaille toujours à la bibliothèque Saint-Nizier"


@pytest.mark.essential
@pytest.mark.parametrize(
    ("question", "sentences", "within"),
    [
        ("Pourquoi se méfier de Jules ?", [CLAW, THIEVES], 1),
        ("Why be wary of Jules?", [CLAW, THIEVES], 1),
        ("Qui est le chef de la bande qui a volé les perles Carfax ?", [PEARLS, CHIEF], 1),
        ("Who leads the gang that stole the Carfax pearls?", [PEARLS, CHIEF], 3),
        ("Où travaille Sophie Vernet ?", [LIBRARY], 1),
    ],
)
def test_a_path_answers(case: Graph, embedder: Embedder, question: str, sentences: list[str], within: int) -> None:
    """One of the first `within` paths."""
    paths = retrieve(question, graph=case, embedder=embedder).paths[:within]
    said = [" ".join(hop.sentence for hop in path.hops) for path in paths]
    assert any(all(sentence in told for sentence in sentences) for told in said), said


def test_the_first_excerpt_answers_a_plain_question(case: Graph, embedder: Embedder) -> None:
    found = path_first(retrieve("Où travaille Sophie Vernet ?", graph=case, embedder=embedder))
    assert not found.paths[0].lead
    assert LIBRARY in excerpts(found.evidence, found.paths)[0].text


@pytest.mark.parametrize("case", ["local"], indirect=True)
def test_the_readme_shows_what_the_demo_prints(
    case: Graph, embedder: Embedder, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    shown = readme.partition("<!-- demo -->\n```\n")[2].partition("```\n<!-- /demo -->")[0]
    title, _, path = shown.partition("\n\n")
    question = title.rstrip(" ─")
    found = to_json(retrieve(question, graph=case, embedder=embedder))
    print_paths(console(), [one for one in found["paths"] if not one["lead"]], found["evidence"])
    assert path in capsys.readouterr().out
