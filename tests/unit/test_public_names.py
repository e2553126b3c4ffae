"""Tests use the product through its public names, as its other callers do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"_[a-zA-Z]\w*")
PUBLIC = {
    *("_asdict", "_fields", "_make", "_replace"),  # of a NamedTuple
    *("_get_query_embedding", "_get_text_embedding", "_get_text_embeddings"),  # LlamaIndex's: embedders define them
}


def defined(tree: ast.AST) -> Iterator[str]:
    """The names of functions, classes, fields and variables that this code defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def used(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that this code uses of other objects and modules, `monkeypatch.setattr` included, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setattr":
            yield from (
                (node.lineno, a.value) for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
            )


def test_no_test_uses_a_private_name_of_the_product() -> None:
    product = {
        name
        for room in ("app", "graph")
        for file in (ROOT / room).rglob("*.py")
        for name in defined(ast.parse(file.read_text("utf-8")))
        if PRIVATE.fullmatch(name)
    } - PUBLIC
    found = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        private = product.difference(defined(tree))
        found += [f"{file.relative_to(ROOT)}:{line}: {name}" for line, name in used(tree) if name in private]
    assert not found, "make it public, or test what a caller sees"
