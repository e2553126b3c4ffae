"""Source code on the real Neo4j: defined here, called there, and what breaks if it changes."""

from __future__ import annotations

from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.engine import retrieve
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.conftest import World

CODE = {
    "shop/client.py": '''"""Speaks to the warehouse."""


class Client:
    """A connection."""

    def __init__(self, address: str) -> None:
        self.address = address

    def send_order(self, order: dict) -> str:
        """Send an order and return its number."""
        if not order:
            raise ValueError("empty")
        return "1"
''',
    "shop/__init__.py": "from .client import Client\n\n__all__ = ['Client']\n",
    "shop/cart.py": '''from shop import Client


def checkout(client: Client, items: list) -> str:
    """Pay for a cart."""
    return client.send_order({"items": items})
''',
    "shop/web/routes.py": """from ..cart import checkout


def post_cart(request):
    return checkout(None, request.items)
""",
    "web/ask.ts": "import { get } from './http';\nexport const loadCart = async () => get('/cart');\n",
    "web/http.ts": "/** Fetches. */\nexport function get(path: string) { return fetch(path); }\n",
    "letter.txt": "Jules calls Paul. Sophie calls the client.",
}


def run(graph: Graph, code: dict[str, str]):  # type: ignore[no-untyped-def]
    extractor = TripleExtractor({})
    sources = [source(name, text) for name, text in code.items()]
    return ingest(sources, graph=graph, embedder=word_embedder(), extractor=extractor)


def facts(graph: Graph) -> set[str]:
    told = (fact for chunk in graph.pool(graph.chunk_ids()) for fact in chunk.facts)
    return {f"{fact.subject} {fact.predicate} {fact.object}" for fact in told}


def test_calls_are_resolved_across_files_and_again_when_one_changes(world: World) -> None:
    graph = world.fresh()
    report = run(graph, CODE)
    assert (report.skipped, report.problems) == ([], [])
    told = facts(graph)
    assert "shop/cart.py::checkout CALLS shop/client.py::Client.send_order" in told  # through shop/__init__.py
    assert "shop/web/routes.py::post_cart CALLS shop/cart.py::checkout" in told
    assert "web/ask.ts::loadCart CALLS web/http.ts::get" in told
    assert "shop/cart.py IMPORTS shop/client.py::Client" in told
    assert "shop/client.py::Client DEFINES shop/client.py::Client.send_order" in told
    types = {row.name: row.type for row in graph.entity_rows().values()}
    assert types["shop/client.py::Client.send_order"] == "Method"
    assert types["shop/client.py"] == "Module"

    assert sorted(run(graph, CODE).unchanged) == sorted(CODE)
    renamed = {**CODE, "shop/client.py": CODE["shop/client.py"].replace("send_order", "send")}
    assert run(graph, renamed).updated == ["shop/client.py"]
    told = facts(graph)
    assert "shop/cart.py::checkout CALLS shop/client.py::Client" in told  # it is no method any more
    assert not any("send_order" in text for text in told)

    other = world.fresh()  # in another order, a file at a time: the same graph
    for name in sorted(renamed, reverse=True):
        run(other, {name: renamed[name]})
    assert facts(other) == told


def test_what_breaks_is_found_by_the_walk(world: World) -> None:
    graph = world.fresh()
    run(graph, CODE)
    question = "What breaks if Client.send_order changes?"
    found = retrieve(question, graph=graph, embedder=word_embedder(), settings=AskSettings(keep=4))
    linked = next(step for step in found.trace.steps if step.name == "search").outputs["link"]
    assert ["Client.send_order", "shop/client.py::Client.send_order"] in [row[:2] for row in linked]
    hops = [hop.predicate for path in found.paths for hop in path.hops]
    assert "CALLS" in hops
    assert any("checkout" in item.text for item in found.evidence)
    (cart,) = [item for item in found.evidence if item.place.startswith("function checkout")]
    assert (cart.place, cart.lines) == ("function checkout, lines 4-6", "shop/cart.py:4-6")

    only = AskSettings(keep=10, kinds=("method",))
    assert {item.place.split()[0] for item in ask(graph, question, only)} == {"method"}
    plain = AskSettings(keep=10, kinds=("function",), method="hybrid")
    assert {item.place.split()[0] for item in ask(graph, question, plain)} == {"function"}
    with_what_it_needs = AskSettings(keep=1, expand_dependencies=True, rerank=False, method="bm25")
    evidence = ask(graph, "post_cart", with_what_it_needs)
    assert [item.kept_by for item in evidence] == ["rank", "dependency"]
    assert evidence[1].place.startswith("function checkout")


def ask(graph: Graph, question: str, settings: AskSettings):  # type: ignore[no-untyped-def]
    return retrieve(question, graph=graph, embedder=word_embedder(), settings=settings).evidence
