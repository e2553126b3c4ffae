"""Units: the functions, methods, classes and types of a tree, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ingest.code.grammars import Grammar

Node = Any  # a node of tree-sitter, whose types exist only in C

DEEPEST = 60  # max. nesting of definitions; a hostile file may nest thousands
LONGEST_SIGNATURE, LONGEST_DOCSTRING = 300, 2000  # characters
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_COMMENT_MARKS = re.compile(r"^[ \t]*(?:///?!?|/\*+!?|\*+/|\*(?!/)|#+)[ \t]?|\*+/[ \t]*$", re.MULTILINE)
_CODE_BEFORE_BODY = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True, eq=False)
class Unit:
    """A definition: from its first comment or decorator to its end, in bytes."""

    kind: str
    name: str  # with the names of enclosing units: "Client.send"
    start: int
    end: int
    node: Node  # the definition itself
    inside: tuple[Unit, ...] = ()  # members of a class: methods and the like, each a unit


def code_units(root: Node, grammar: Grammar) -> list[Unit]:
    """The units of a file, in order; a function inside a function belongs to the outer one."""
    return list(_units(root, grammar, (), False, 0))


def _units(node: Node, grammar: Grammar, around: tuple[str, ...], in_class: bool, depth: int) -> Iterator[Unit]:
    children = node.named_children
    for position, child in enumerate(children):
        definition = _definition(child, grammar)
        if definition is not None and depth < DEEPEST:
            name = _name(definition)
            if name:
                yield _unit(definition, child, children[:position], name, grammar, around, in_class, depth)
                continue
        if child.type == "impl_item":
            type_node = child.child_by_field_name("type")
            body = child.child_by_field_name("body")
            if type_node is not None and body is not None:
                yield from _units(body, grammar, (*around, _plain_type(_text(type_node))), True, depth + 1)
        elif child.type in grammar.bodies or child.type in grammar.wrappers or child.type == "expression_statement":
            if depth < DEEPEST:
                yield from _units(child, grammar, around, in_class, depth + 1)
        elif child.type == "mod_item" and depth < DEEPEST:
            yield from _units(child, grammar, around, in_class, depth + 1)


def _unit(
    definition: Node,
    outer: Node,
    before: list[Node],
    name: str,
    grammar: Grammar,
    around: tuple[str, ...],
    in_class: bool,
    depth: int,
) -> Unit:
    kind = grammar.kinds[definition.type]
    if kind == "function" and in_class:
        kind = "method"
    receiver = definition.child_by_field_name("receiver")
    if receiver is not None:  # Go
        around = (_plain_type(_text(receiver).strip("()").split()[-1] if _text(receiver).strip("()") else ""),)
    path = (*around, name)
    inside: tuple[Unit, ...] = ()
    if kind in ("class", "type") and (body := definition.child_by_field_name("body")) is not None:
        inside = tuple(_units(body, grammar, path, True, depth + 1))
    return Unit(
        kind=kind,
        name=".".join(path),
        start=_with_comments(outer, before),
        end=outer.end_byte,
        node=definition,
        inside=inside,
    )


def _definition(node: Node, grammar: Grammar) -> Node | None:
    """The definition in a node: the node itself, or one that it wraps."""
    if node.type == "variable_declarator" or node.type in grammar.kinds:
        return node if _is_unit(node) else None
    if node.type in grammar.wrappers:
        wrapped = [
            child for child in node.named_children if child.type in grammar.kinds or child.type in grammar.wrappers
        ]
        if len(wrapped) == 1:
            return _definition(wrapped[0], grammar)
    return None


def _is_unit(node: Node) -> bool:
    if node.type != "variable_declarator":
        return True
    value = node.child_by_field_name("value")
    return value is not None and value.type in _FUNCTIONS


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return _text(name)[:200] if name is not None else ""


def _with_comments(node: Node, before: list[Node]) -> int:
    """The start of a unit, including comments and attributes directly above it."""
    start: int = node.start_byte
    line: int = node.start_point[0]
    for sibling in reversed(before):
        last = sibling.end_point[0] - (sibling.end_point[1] == 0 and sibling.end_point[0] > sibling.start_point[0])
        if (sibling.type not in _COMMENTS and sibling.type != "attribute_item") or line - last > 1:
            break
        start, line = sibling.start_byte, sibling.start_point[0]
    return start


# --------------------------------------------------------------------------------------------------------------------
# Descriptions of a unit


def signature(unit: Unit, source: bytes) -> str:
    """The head of a definition, on one line."""
    node = unit.node
    body = node.child_by_field_name("body") or _body_of_value(node)
    end = body.start_byte if body is not None else node.end_byte
    head = source[node.start_byte : end].decode("utf-8", "replace")
    return _CODE_BEFORE_BODY.sub(" ", head).strip(" :{=>")[:LONGEST_SIGNATURE]


def docstring(unit: Unit, source: bytes) -> str:
    """The documentation of a unit: a Python docstring, else the comment above it."""
    body = unit.node.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    inside = docstring_in(first)
    if inside:
        return inside
    above = source[unit.start : unit.node.start_byte].decode("utf-8", "replace")
    comment = above if above.lstrip().startswith(("//", "/*", "#")) else ""
    return _tidy_docstring(_COMMENT_MARKS.sub("", comment))


def docstring_in(statement: Node | None) -> str:
    """The text of a statement that is only a string."""
    if statement is None or statement.type != "expression_statement" or not statement.named_children:
        return ""
    string = statement.named_children[0]
    if string.type != "string":
        return ""
    return _tidy_docstring("".join(_text(part) for part in string.named_children if part.type == "string_content"))


def complexity(unit: Unit, grammar: Grammar) -> int:
    """Cyclomatic complexity (McCabe 1976): one, plus one per branch."""
    return 1 + sum(
        bool(node.type in grammar.branches or (not node.is_named and node.type in grammar.operators))
        for node in walk(unit.node)
    )


def walk(node: Node, leave_out: frozenset[tuple[int, int]] = frozenset()) -> Iterator[Node]:
    """All nodes below, in order, except below nodes that `leave_out` selects."""
    stack = list(reversed(node.children))
    while stack:
        current = stack.pop()
        if (current.start_byte, current.end_byte) in leave_out:
            continue
        yield current
        stack.extend(reversed(current.children))


def _body_of_value(node: Node) -> Node | None:
    value = node.child_by_field_name("value")
    return value.child_by_field_name("body") if value is not None else None


def _plain_type(text: str) -> str:
    """`*Client[T]`, `&'a mut Client<T>` -> Client."""
    words = re.findall(r"[^\W\d]\w*", re.split(r"[<\[]", text.lstrip("*& "))[0])
    return words[-1] if words else ""


def _text(node: Node) -> str:
    return str(node.text.decode("utf-8", "replace"))


def _tidy_docstring(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())[:LONGEST_DOCSTRING]
