"""The case to which the browser tests ask questions, and the server that has it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from tests.api.real import WordRuntime
from tests.patience import PATIENCE
from tests.runs.claw_case import TEXTS, TRIPLES

QUESTION = "Why be wary of Jules Delmas?"  # three hops
HOPS = [
    ("Jules", "wears", "The heavy signet ring of the Moreau house"),
    ("The heavy signet ring of the Moreau house", "is the emblem of", "The Claw"),
    ("The Claw", "is", "society of thieves"),
]
SENTENCES = [
    "Jules wears a heavy signet ring of the Moreau house.",
    "The heavy signet ring of the Moreau house is the emblem of The Claw.",
    "The police say that The Claw is a society of thieves.",
]

SCRIPT = "<script>window.broken = 1</script>"
IMAGE = "<img src=x onerror='window.broken = 2'>"
LINK = "javascript:window.broken=3"
TURNED = "invoice\u202etxt.exe"
HOSTILE = f"Baron {SCRIPT} Zorn hides {IMAGE} behind {LINK}. Baron Zorn signs as {TURNED} in the ledger."

PARAGRAPH = "The rain fell on the roofs of the harbour, and nobody in the street looked up at the lamp. " * 6
PARROT = "Captain Okoye keeps a crimson parrot in the chart room."
NOVEL = "\n\n".join(
    f"CHAPTER {numeral}\n\n{PARAGRAPH}\n\n{PARROT if numeral == 'II' else PARAGRAPH}\n\n" + "\n\n".join([PARAGRAPH] * 5)
    for numeral in ("I", "II", "III")
)

DOCUMENTS = {**TEXTS, "hostile.txt": HOSTILE, "novel.txt": NOVEL}
FACTS = {
    **TRIPLES,
    "hostile.txt": [(f"Baron {SCRIPT} Zorn", f"hides {IMAGE}", LINK), (f"Baron {SCRIPT} Zorn", "signs as", TURNED)],
    "novel.txt": [("Captain Okoye", "keeps", "crimson parrot")],
}


def uploads() -> list[tuple[str, tuple[str, bytes]]]:
    """The case as a form sends it."""
    facts = "\n".join(json.dumps({"source": name, "triples": rows}) for name, rows in FACTS.items())
    files = [("files", (name, text.encode())) for name, text in DOCUMENTS.items()]
    return [*files, ("triples", ("triples.jsonl", facts.encode()))]


class Halting(ScriptedLLM):
    """Says half of its answer, and the rest when it is told to go on."""

    def __init__(self, reply: str) -> None:
        super().__init__({"": reply})
        self.halfway = threading.Event()
        self.go_on = threading.Event()

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        words = list(super().stream(request, cancel=cancel))
        yield from words[: len(words) // 2]
        self.halfway.set()
        assert self.go_on.wait(PATIENCE)
        yield from words[len(words) // 2 :]


class SiteRuntime(WordRuntime):
    """The real runtime; a test chooses the model that words the answers."""

    model: LLM | None = None

    def llm(self, awaited: str = "") -> LLM | None:
        return self.model


@dataclass(frozen=True)
class Site:
    """A server with the case in it."""

    url: str
    runtime: SiteRuntime
    workspace: str
    neo4j: Neo4jAddress
    service: Service
    folder: Path  # that the server may watch

    def at(self, path: str = "/", **parameters: str) -> str:
        """The address of a view of the case."""
        asked = "&".join(f"{name}={value}" for name, value in {"workspace": self.workspace, **parameters}.items())
        return f"{self.url}{path}?{asked}"


def service_on(address: Neo4jAddress, **settings: object) -> tuple[SiteRuntime, Service]:
    runtime = SiteRuntime(address, **settings)
    return runtime, Service(runtime)
