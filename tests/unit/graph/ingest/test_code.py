"""Source code as chunks and facts, in every language that is read."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.code import read
from filigraph.graph.ingest.code.read import LONGEST_CHUNK, read_code
from filigraph.graph.ingest.load import load
from filigraph.graph.model.documents import Chunk, LoadedDocument, Source
from filigraph.graph.text.identifiers import LANGUAGES, code_terms, identifiers_in, is_called

PYTHON = '''"""Orders."""
import os.path as osp
from .base import Base as B, Pool


# Sends.
@retry
class Client(B):
    """A connection."""

    limit = 3

    def __init__(self, pool: Pool):
        self.pool = Pool()

    def send(self, order):
        """Sends one."""
        if order and self.limit:
            self.lock.acquire()
            return self.pool.post(osp.join("a", helper(order)))

    timeout = 4


def helper(order): return é(order)
'''
TYPESCRIPT = """import get, { Http, post as send } from './http';
/** A cart. */
export class Cart { private http: Http; pay(items: Item[]) { if (items) this.http.put(); this.empty(); send(items); } }
export const total = (items) => items.reduce(add, 0);
function add(a, b) { return get(a); }
type Item = { price: number };
"""
GO = """package shop
import ( "fmt"; h "example.com/shop/http" )
type Cart struct { client *Client }
// Pay pays.
func (c *Cart) Pay(log *Logger) { c.check(); c.client.Post(); log.Info(len("")); h.Get(); fmt.Println() }
"""
RUST = """use crate::http::{Http, get as fetch};
/// A cart.
struct Cart { http: Http }
impl Cart { fn pay(&self) { self.http.put(); fetch(); let c = Cart::new(); c.pay(); } fn new() -> Self { todo!() } }
trait Payable { fn pay(&self); }
"""
JAVA = """package shop;
import shop.http.Http;
/** A cart. */
class Cart { private Http http; void pay(Log log) { check(); http.put(); log.info(); new Item(); } void check() {} }
"""
KNOWN = [
    ("a.py", PYTHON, ["class Client", "method Client.__init__", "method Client.send", "function helper"],
     {"Client.send CALLS Client.pool.post", "Client.send CALLS osp.join", "Client.send CALLS helper",
      " IMPORTS <os.path>", " IMPORTS <.base>Pool",
      " IMPORTS <.base>Base", " DEFINES Client", "Client DEFINES Client.send"}),
    ("a.ts", TYPESCRIPT, ["class Cart", "method Cart.pay", "function total", "function add", "type Item"],
     {"Cart.pay CALLS Cart.http.put", "Cart.pay CALLS Cart.empty", "Cart.pay CALLS send", "add CALLS get",
      " IMPORTS <./http>post", " IMPORTS <./http>default"}),
    ("a.go", GO, ["type Cart", "method Cart.Pay"],
     {"Cart.Pay CALLS Cart.check", "Cart.Pay CALLS Cart.client.Post", "Cart.Pay CALLS Logger.Info",
      "Cart.Pay CALLS h.Get", "Cart.Pay CALLS fmt.Println", " IMPORTS <example.com/shop/http>"}),
    ("a.rs", RUST, ["type Cart", "method Cart.pay", "method Cart.new", "class Payable", "method Payable.pay"],
     {"Cart.pay CALLS Cart.http.put", "Cart.pay CALLS fetch", "Cart.pay CALLS Cart.new", " IMPORTS <crate.http>get"}),
    ("A.java", JAVA, ["class Cart", "method Cart.pay", "method Cart.check"],
     {"Cart.pay CALLS Cart.check", "Cart.pay CALLS Cart.http.put", "Cart.pay CALLS Log.info", "Cart.pay CALLS Item",
      " IMPORTS <shop.http>Http"}),
]  # fmt: skip


def chunks_of(text: str, name: str) -> list[Chunk]:
    document = load(Source(name=name, content=text.encode()))
    return read_code(document, "0" * 48, LANGUAGES[f".{name.rpartition('.')[2]}"])[0]


def told(chunks: list[Chunk]) -> set[str]:
    facts = [triplet for chunk in chunks for triplet in (chunk.read.triplets if chunk.read else ())]
    return {f"{f.subject.partition('::')[2]} {f.predicate} {f.object.partition('::')[2]}" for f in facts}


@pytest.mark.parametrize(("name", "text", "units", "facts"), KNOWN)
def test_what_a_file_defines_imports_and_calls(name: str, text: str, units: list[str], facts: set[str]) -> None:
    chunks = chunks_of(text, name)
    found = [chunk.place.rpartition(", lines")[0] for chunk in chunks]
    assert [place for place in found if not place.startswith("module")] == units
    assert told(chunks) >= facts
    assert not {fact for fact in told(chunks) if "len" in fact or "Some" in fact or "lock" in fact}
    for chunk in chunks:
        assert chunk.read and chunk.text == text[chunk.start : chunk.end]
        for triplet in chunk.read.triplets:
            assert chunk.text[triplet.start : triplet.end].strip()


def test_what_is_told_of_a_unit() -> None:
    module, client, _, send, between, helper = chunks_of(PYTHON, "a.py")
    assert module.read and module.read.unit and module.read.unit.docstring == "Orders."
    assert client.text.startswith("# Sends.\n@retry\nclass Client(B):") and client.text.endswith("limit = 3")
    assert client.place == "class Client, lines 6-11"
    assert send.read and send.read.unit
    unit = send.read.unit
    assert (unit.signature, unit.docstring, unit.complexity) == ("def send(self, order)", "Sends one.", 3)
    assert between.text == "timeout = 4" and between.place.startswith("module a")
    assert helper.text == "def helper(order): return é(order)"
    java = next(chunk for chunk in chunks_of(JAVA, "A.java") if chunk.place.startswith("class"))
    assert java.read and java.read.unit and java.read.unit.docstring == "A cart."


@pytest.mark.parametrize("text", ["def broken(:\n  x = (\n", "}}}}{{{{", "x = 1\n" * 5000, "(" * 50_000, "é\n" * 40])
def test_a_file_that_does_not_parse_is_still_read(text: str) -> None:
    document = LoadedDocument(source="a.py", title="a", text=text, sha256="", media_type="", language="en")
    chunks, warnings = read_code(document, "0" * 48, "python")
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(text.split())
    assert max(len(chunk.text) for chunk in chunks) <= LONGEST_CHUNK
    assert bool(warnings) == any(letter in text for letter in "({")


def test_a_file_that_no_person_wrote_is_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "LONGEST_FILE", 100)
    chunks, (warning,) = read_code(load(Source(name="a.py", content=PYTHON.encode())), "0" * 48, "python")
    assert [chunk.place.split(",")[0] for chunk in chunks] == ["module a"] and "read as text" in warning


def test_identifiers_are_found_by_their_parts_and_as_a_whole() -> None:
    found = set(code_terms("parseUrl(HTTPServer, read_all_lines)"))
    assert found >= {"parse", "url", "http", "server", "readalllines"}
    question = "What breaks if Client.send changes, or parse_url, loadCart or `get` in shop/client.py? And run()?"
    written = [name for name in identifiers_in(question) if name not in ("What", "And")]  # which may be classes
    assert written == ["Client.send", "parse_url", "loadCart", "get", "shop/client.py", "run"]
    for question, name in (
        ("what calls echo?", "echo"),
        ("What breaks if style changes?", "style"),
        ("Qui appelle echo ?", "echo"),
        ("qu'est-ce qui casse si style change ?", "style"),
        ("Where is the function prompt used?", "prompt"),
    ):
        assert name in identifiers_in(question), question
    assert identifiers_in("what happens if it changes, and who calls the doctor?") == []
    assert is_called("shop/client.py::Client.send", "send") and is_called("shop/client.py::Client.send", "Client.send")
    assert is_called("shop/client.py::", "client.py") and not is_called("shop/client.py::Client.resend", "send")
