"""The overhead of reading with an LLM: an LLM server that takes two seconds a call, eight calls in flight.

python -m bench.speed.llm_stage [--chunks N ...]

The ideal is the time of only the server: chunks / 8 * 2 seconds. This measures the LLM stage by itself, and whole
ingests of the first chunks of a novel and of all, both over HTTP as with a real Ollama.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any

from bench.common import data, machine, save, stub_reply, workspace
from filigraph.graph.ingest.extract.context import in_context
from filigraph.graph.ingest.extract.llm import LLMExtractor
from filigraph.graph.ingest.load import load
from filigraph.graph.ingest.split import split
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.models.adapters.ollama import OllamaLLM
from filigraph.graph.models.embed import Embedder
from filigraph.graph.pipeline import ingest

SECONDS, IN_FLIGHT = 2.0, 8
NOVELS = {"en": "adventures_of_sherlock_holmes_en.txt", "fr": "monsieur_lecoq_fr.txt"}


class _Stub(BaseHTTPRequestHandler):
    """Ollama's protocol: two seconds, then facts between names in the text."""

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing."""

    def do_GET(self) -> None:
        self._answer({"models": [{"name": "stub"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(SECONDS)
        message = {"role": "assistant", "content": stub_reply(body["messages"][-1]["content"])}
        self._answer({"model": "stub", "message": message, "done": True, "done_reason": "stop"})

    def _answer(self, body: dict[str, Any]) -> None:
        reply = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)


def _serve(pipe: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stub)
    pipe.send(server.server_port)
    server.serve_forever()


@contextmanager
def stub() -> Iterator[str]:
    """The address of the server, which runs in a separate process."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.kill()
        process.join()


def chunks_of(language: str) -> tuple[str, list[Chunk]]:
    """A novel's text and its chunks."""
    name = NOVELS[language]
    document = load(Source(name=name, content=data(f"novels/{name}").read_bytes()))
    return document.text, in_context(split(document, "document"))


def prompts(extractor: LLMExtractor, chunks: list[Chunk]) -> dict[str, Any]:
    """The length of the prompts, as estimated (rather too high than too low)."""
    sizes = sorted(extractor.expected(chunk).tokens_in for chunk in chunks)
    return {"chunks": len(sizes), "mean": round(sum(sizes) / len(sizes)), "p95": sizes[int(0.95 * len(sizes))],
            "most": sizes[-1], "over_1000": sum(size > 1000 for size in sizes)}  # fmt: skip


def whole(part: Source, url: str, embedder: Embedder) -> dict[str, Any]:
    """An ingest from the text to the derived graph; replies are stored as in a job of the server."""
    with workspace("bench-llm-stage", embedder) as graph:
        llm = OllamaLLM("stub", url=url)
        extractor = LLMExtractor(llm, in_flight=IN_FLIGHT, keep=graph.keep_reading)
        begin = time.perf_counter()
        report = ingest([part], graph=graph, embedder=embedder, extractor=extractor)
        seconds = time.perf_counter() - begin
    ideal = report.chunks / IN_FLIGHT * SECONDS
    return {"chunks": report.chunks, "ideal_seconds": ideal, "seconds": round(seconds, 1), "facts": report.facts,
            "ratio": round(seconds / ideal, 3), "by_stage": report.seconds}  # fmt: skip


def main() -> None:
    """Measure the stage and whole ingests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="+", default=[96, 400])
    sizes = parser.parse_args().chunks
    text, chunks = chunks_of("en")
    with stub() as url:
        extractor = LLMExtractor(OllamaLLM("stub", url=url), in_flight=IN_FLIGHT)
        begin = time.perf_counter()
        read = list(extractor.extract(chunks[: sizes[0]]))
        stage = time.perf_counter() - begin
        embedder = load_embedder(None)
        ingests = {}
        for count in sizes:
            part = Source(name="part.txt", content=text[: chunks[count - 1].end].encode())
            ingests[str(count)] = whole(part, url, embedder)
    ideal = sizes[0] / IN_FLIGHT * SECONDS
    result = {
        "machine": machine(),
        "stage": {"chunks": sizes[0], "triplets": sum(len(extraction.triplets) for extraction in read),
                  "ideal_seconds": ideal, "seconds": round(stage, 1), "ratio": round(stage / ideal, 3)},
        "ingest": ingests,
        "prompt_tokens": {language: prompts(extractor, chunks_of(language)[1]) for language in NOVELS},
    }  # fmt: skip
    print(json.dumps(result, indent=1))
    save("llm_stage", result)


if __name__ == "__main__":
    main()
