"""References: what a file imports, and what each unit calls, as names in that file's own terms.

    from .client import Client as C        C is <.client>Client
    c = C(); c.send()                      C.send

What a name means elsewhere depends on the other files and is decided later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from filigraph.graph.ingest.code.grammars import Grammar
from filigraph.graph.ingest.code.units import Node, Unit, walk

MAX_NAME_CHARS = 200  # characters of a name
DEEPEST_USE = 30  # nested prefixes in one `use` of Rust
_CHAIN = frozenset(
    {
        "attribute",
        "member_expression",
        "selector_expression",
        "field_expression",
        "scoped_identifier",
        "nested_identifier",
    }
    | {"field_access", "scoped_type_identifier", "qualified_type"}
)
_NAMES = frozenset(
    {"identifier", "property_identifier", "type_identifier", "field_identifier", "shorthand_property_identifier"}
    | {
        "self",
        "this",
        "super",
        "crate",
        "package_identifier",
        "private_property_identifier",
        "dotted_name",
        "jsx_identifier",
    }
)
_FIELDS = frozenset({"field_declaration", "public_field_definition"})  # of a class
_IMPORTS = frozenset(
    {
        "import_statement",
        "import_from_statement",
        "import_declaration",
        "use_declaration",
        "export_statement",
        "mod_item",
    }
)


@dataclass(frozen=True, kw_only=True)
class Import:
    """`local` means `name` of `module` in this file; "*" for all of its names."""

    local: str
    module: str
    name: str  # "" if it means the module itself
    line: int


@dataclass(frozen=True, kw_only=True)
class CodeCall:
    """A name that a line calls, as the file calls it: `Client.send`."""

    name: str
    line: int


@dataclass(frozen=True, kw_only=True)
class NameScope:
    """The meaning of names at a call."""

    known: frozenset[str]  # defined or imported in this file
    own: str = ""  # the enclosing class
    receiver: str = ""  # the name of the object in Go's methods
    members: frozenset[str] = frozenset()  # fields of that class
    types: Mapping[str, str] = field(default_factory=dict)  # types of variables and parameters


# --------------------------------------------------------------------------------------------------------------------
# Imports


def find_imports(root: Node) -> list[Import]:
    """Every import of a file, anywhere in it."""
    imports: list[Import] = []
    for node in walk(root):
        if node.type in _IMPORTS:
            imports += _imports(node)
        elif node.type == "call_expression" and (required := _required(node)):
            imports.append(required)
    return [one for one in imports if one.module and len(one.module) + len(one.name) <= MAX_NAME_CHARS]


def _imports(node: Node) -> Iterator[Import]:
    line = node.start_point[0]
    if node.type == "import_from_statement":
        yield from _from_import(node, line)
    elif node.type == "import_statement" and node.child_by_field_name("source") is None:
        for child in node.named_children:  # Python
            module, alias = _aliased(child)
            local = alias or module.partition(".")[0]
            yield Import(local=local, module=module if alias else local, name="", line=line)
            if not alias and local != module:
                yield Import(local=module, module=module, name="", line=line)
    elif node.type in ("import_statement", "export_statement"):
        yield from _script_import(node, line)
    elif node.type == "import_declaration":
        yield from _go_or_java_import(node, line)
    elif node.type == "use_declaration":
        argument = node.child_by_field_name("argument")
        yield from _use(argument, (), line) if argument is not None else ()
    elif node.type == "mod_item" and node.child_by_field_name("body") is None:
        name = _text(node.child_by_field_name("name"))
        yield Import(local=name, module=f"self.{name}", name="", line=line)


def _from_import(node: Node, line: int) -> Iterator[Import]:
    module = _text(node.child_by_field_name("module_name")).replace(" ", "")
    for child in node.children_by_field_name("name"):
        name, alias = _aliased(child)
        yield Import(local=alias or name, module=module, name=name, line=line)
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Import(local="*", module=module, name="*", line=line)


def _aliased(node: Node) -> tuple[str, str]:
    alias = node.child_by_field_name("alias")
    name = node.child_by_field_name("name") if alias is not None else node
    return _text(name), _text(alias)


def _script_import(node: Node, line: int) -> Iterator[Import]:
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = _text(source).strip("\"'`")
    clauses = [child for child in walk(node) if child.type in ("import_specifier", "export_specifier")]
    for clause in clauses:
        name, alias = _text(clause.child_by_field_name("name")), _text(clause.child_by_field_name("alias"))
        yield Import(local=alias or name, module=module, name=name, line=line)
    for child in walk(node):
        if child.type in ("namespace_import", "namespace_export"):
            yield Import(local=_text(child.named_children[-1]), module=module, name="", line=line)
        elif child.type == "import_clause" and child.named_children and child.named_children[0].type == "identifier":
            yield Import(local=_text(child.named_children[0]), module=module, name="default", line=line)
    if not clauses and any(child.type == "*" for child in node.children):
        yield Import(local="*", module=module, name="*", line=line)


def _required(node: Node) -> Import | None:
    """`const a = require("./a")`."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or _text(function) != "require" or arguments is None or not arguments.named_children:
        return None
    module, around = _text(arguments.named_children[0]).strip("\"'`"), node.parent
    name = around.child_by_field_name("name") if around is not None and around.type == "variable_declarator" else None
    local = _text(name) if name is not None and name.type == "identifier" else ""
    return Import(local=local or module, module=module, name="", line=node.start_point[0])


def _go_or_java_import(node: Node, line: int) -> Iterator[Import]:
    specs = [child for child in walk(node) if child.type == "import_spec"]
    for spec in specs:
        path = _text(spec.child_by_field_name("path")).strip('"`')
        local = _text(spec.child_by_field_name("name")) or re.sub(r"^v\d+$", "", path.rpartition("/")[2]) or path
        yield Import(local=local, module=path, name="", line=spec.start_point[0])
    if not specs and node.named_children:  # Java
        whole = _text(node.named_children[0])
        if any(child.type == "asterisk" for child in node.named_children):
            yield Import(local="*", module=whole, name="*", line=line)
        else:
            module, _, name = whole.rpartition(".")
            yield Import(local=name, module=module, name=name, line=line)


def _use(node: Node, before: tuple[str, ...], line: int) -> Iterator[Import]:
    """Rust's tree of names; unreasonably deep nesting is left out."""
    if len(before) > DEEPEST_USE:
        return
    if node.type in ("scoped_use_list", "use_list"):
        path = node.child_by_field_name("path")
        around = (*before, *_text(path).split("::")) if path is not None else before
        uses = node.child_by_field_name("list") if node.type == "scoped_use_list" else node
        for child in uses.named_children if uses is not None else ():
            yield from _use(child, around, line)
        return
    alias = _text(node.child_by_field_name("alias"))
    path = node.child_by_field_name("path") if node.type == "use_as_clause" else node
    *outer, name = (*before, *_text(path).removesuffix("::*").split("::"))
    if node.type == "use_wildcard":
        yield Import(local="*", module=".".join((*outer, name)), name="*", line=line)
    elif name == "self":
        yield Import(local=alias or (outer or [""])[-1], module=".".join(outer), name="", line=line)
    else:
        yield Import(local=alias or name, module=".".join(outer) or name, name=name if outer else "", line=line)


# --------------------------------------------------------------------------------------------------------------------
# Calls


def find_calls(node: Node, grammar: Grammar, scope: NameScope, leave_out: frozenset[tuple[int, int]]) -> list[CodeCall]:
    """The calls below a node, each name once per line."""
    calls: dict[CodeCall, None] = {}
    for child in walk(node, leave_out):
        fields = grammar.calls.get(child.type)
        if fields is None:
            continue
        parts = [chain for name in fields if (chain := _chain(child.child_by_field_name(name)))]
        if len(parts) < len(fields) and child.child_by_field_name(fields[0]) is not None:
            continue  # a call on an expression without a name
        name = in_file(".".join(parts), grammar, scope)
        if name:
            calls[CodeCall(name=name, line=child.start_point[0])] = None
    return list(calls)


def in_file(chain: str, grammar: Grammar, scope: NameScope) -> str:
    """A chain of names with its root in the file's terms; "" if unknown."""
    root, _, rest = chain.partition(".")
    if not root or len(chain) > MAX_NAME_CHARS or root in grammar.builtins:
        return ""
    tail = f".{rest}" if rest else ""
    if scope.own and (root in grammar.own or root == scope.receiver):
        return f"{scope.own}{tail}"
    if root in scope.types:
        return f"{scope.types[root]}{tail}"
    if grammar.bare_is_own and scope.own and root in scope.members:
        return f"{scope.own}.{chain}"
    if root in scope.known or (grammar.package and (rest == "" or root[0].isupper())):
        return chain
    return ""


def types_in(node: Node, grammar: Grammar, scope: NameScope) -> dict[str, str]:
    """The types of variables and parameters below a node, from annotations or from the class that makes the value.
    `self.x` has the file's name for it: `Class.x`.
    """
    types: dict[str, str] = {}
    for child in walk(node):
        typed = None
        if fields := grammar.typed.get(child.type):
            name = child.child_by_field_name(fields[0]) if fields[0] else (child.named_children or [None])[0]
            typed = name, _type_name(child.child_by_field_name(fields[1]))
        elif child.type == "assignment" and (annotated := child.child_by_field_name("type")) is not None:
            typed = child.child_by_field_name("left"), _type_name(annotated)
        if (typed is None or not typed[1]) and (fields := grammar.assigned.get(child.type)):
            typed = (
                child.child_by_field_name(fields[0]),
                _constructed_class(child.child_by_field_name(fields[1]), grammar),
            )
        if typed is None or typed[0] is None or not typed[1]:
            continue
        variable = _chain(_first(typed[0]))
        type_ = in_file(typed[1], grammar, scope)
        if variable and type_ and child.type in _FIELDS and scope.own:
            types.setdefault(f"{scope.own}.{variable}", type_)
        elif variable and type_:
            own = in_file(variable, grammar, scope) if "." in variable else variable
            types.setdefault(own or variable, type_)
    return types


def _first(node: Node) -> Node:
    """The name of a declarator; the first element of a list."""
    if node.type == "variable_declarator":
        return node.child_by_field_name("name")
    return node.named_children[0] if node.type in ("expression_list", "variable_list") and node.named_children else node


def _type_name(node: Node | None) -> str:
    """The class that an annotation names: the first name in it, past `Optional` and the like."""
    if node is None:
        return ""
    names = re.findall(r"[^\W\d][\w.]*", _text(node).replace("::", "."))
    useful = [
        name for name in names if name not in ("Optional", "Annotated", "None", "mut", "const", "typing.Optional")
    ]
    return useful[0] if useful else ""


def _constructed_class(node: Node | None, grammar: Grammar) -> str:
    """The class of a new object: `Client()`, `new Client()`, `Client::new()`, `&Client{}`; recognized by its
    capital.
    """
    if node is None:
        return ""
    node = _first(node)
    while (
        node.type in ("await", "await_expression", "unary_expression", "reference_expression") and node.named_children
    ):
        node = node.named_children[-1]
    fields = grammar.calls.get(node.type)
    if not fields or len(fields) > 1:
        return ""
    parts = _chain(node.child_by_field_name(fields[0])).split(".")
    if parts[-1] == "new" and len(parts) > 1:
        parts = parts[:-1]
    return ".".join(parts) if parts[-1][:1].isupper() else ""


def _chain(node: Node | None) -> str:
    """A dotted chain of names, through calls: `Client().send` gives Client.send. "" if it contains anything else."""
    parts: list[str] = []
    while node is not None:
        if node.type in _NAMES:
            return ".".join([_text(node), *reversed(parts)])
        if node.type in ("call", "call_expression", "new_expression", "object_creation_expression", "generic_function"):
            node = (
                node.child_by_field_name("function")
                or node.child_by_field_name("constructor")
                or (node.child_by_field_name("type"))
            )
            continue
        if node.type in ("generic_type", "pointer_type", "parenthesized_expression", "await", "await_expression"):
            node = node.named_children[0] if node.named_children else None
            continue
        if node.type not in _CHAIN or len(parts) > 20:
            return ""
        last = next(
            (part for name in ("attribute", "property", "field", "name") if (part := node.child_by_field_name(name))),
            node.named_children[-1] if node.named_children else None,
        )
        parts.append(_text(last))
        node = next(
            (
                part
                for name in ("object", "operand", "value", "path", "package")
                if (part := node.child_by_field_name(name))
            ),
            node.named_children[0] if len(node.named_children) > 1 else None,
        )
    return ""


def known_names(units: Sequence[Unit], imports: Sequence[Import]) -> frozenset[str]:
    """The names that a file defines and imports: the possible roots of its chains."""
    return frozenset({unit.name.partition(".")[0] for unit in units} | {one.local for one in imports})


def _text(node: Node | None) -> str:
    return "" if node is None else str(node.text.decode("utf-8", "replace"))
