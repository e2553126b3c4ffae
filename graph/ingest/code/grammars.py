"""What the syntax trees of each language call definitions, calls and branches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

Kinds = Mapping[str, str]  # type of a node -> kind of unit


@dataclass(frozen=True, kw_only=True)
class Grammar:
    """One language's names for definitions, calls and branches."""

    module: str  # the Python package
    language: str = "language"  # its function that returns the language
    kinds: Kinds
    bodies: frozenset[str]  # nodes that contain definitions beside their own: classes, and wrappers around a whole file
    wrappers: frozenset[str] = frozenset()  # nodes around one definition: decorators, export
    calls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # type of a call -> fields that name the callee
    typed: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a name with its type -> their fields
    assigned: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # a name with its value -> their fields
    branches: frozenset[str] = frozenset()  # each adds one to the cyclomatic complexity
    operators: frozenset[str] = frozenset({"&&", "||"})  # and so does each of these
    own: frozenset[str] = frozenset()  # names of the object that a method belongs to
    bare_is_own: bool = False  # `name()` may be a method of the class
    package: bool = False  # files of a folder see each other without imports
    builtins: frozenset[str] = frozenset()  # names that are called but defined nowhere


_JS_KINDS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "class": "class",
    "method_definition": "method",
    "interface_declaration": "type",
    "type_alias_declaration": "type",
    "enum_declaration": "type",
    "variable_declarator": "function",  # only if the value is a function
}
_JS = {
    "kinds": _JS_KINDS,
    "bodies": frozenset({"class_body", "statement_block", "internal_module", "module"}),
    "wrappers": frozenset({"export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"}),
    "calls": {
        "call_expression": ("function",),
        "new_expression": ("constructor",),
        "jsx_opening_element": ("name",),
        "jsx_self_closing_element": ("name",),
    },
    "typed": {
        "required_parameter": ("pattern", "type"),
        "optional_parameter": ("pattern", "type"),
        "public_field_definition": ("name", "type"),
    },
    "assigned": {
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
    },
    "branches": frozenset(
        {"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case"}
        | {"catch_clause", "ternary_expression"}
    ),
    "operators": frozenset({"&&", "||", "??"}),
    "own": frozenset({"this"}),
}  # fmt: skip

GRAMMARS: Mapping[str, Grammar] = {
    "python": Grammar(
        module="tree_sitter_python",
        kinds={"function_definition": "function", "class_definition": "class"},
        bodies=frozenset({"block", "if_statement", "else_clause", "try_statement", "except_clause"}),
        wrappers=frozenset({"decorated_definition"}),
        calls={"call": ("function",)},
        typed={"typed_parameter": ("", "type"), "typed_default_parameter": ("name", "type")},
        assigned={"assignment": ("left", "right"), "named_expression": ("name", "value")},
        branches=frozenset(
            {"if_statement", "elif_clause", "for_statement", "while_statement", "except_clause", "case_clause"}
            | {"conditional_expression", "if_clause", "for_in_clause"}
        ),
        operators=frozenset({"and", "or"}),
        own=frozenset({"self", "cls"}),
    ),
    "javascript": Grammar(module="tree_sitter_javascript", **_JS),  # type: ignore[arg-type]
    "typescript": Grammar(module="tree_sitter_typescript", language="language_typescript", **_JS),  # type: ignore[arg-type]
    "tsx": Grammar(module="tree_sitter_typescript", language="language_tsx", **_JS),  # type: ignore[arg-type]
    "go": Grammar(
        module="tree_sitter_go",
        kinds={"function_declaration": "function", "method_declaration": "method", "type_spec": "type"},
        bodies=frozenset(),
        wrappers=frozenset({"type_declaration"}),
        calls={"call_expression": ("function",), "composite_literal": ("type",)},
        typed={
            "parameter_declaration": ("name", "type"),
            "var_spec": ("name", "type"),
            "field_declaration": ("name", "type"),
        },
        assigned={"short_var_declaration": ("left", "right")},
        branches=frozenset(
            {"if_statement", "for_statement", "expression_case", "type_case", "communication_case", "default_case"}
        ),
        package=True,
        builtins=frozenset(
            ("append", "cap", "close", "copy", "delete", "len", "make", "new", "panic", "print", "println", "recover")
        )
        | frozenset(
            ("string", "int", "int32", "int64", "float64", "byte", "rune", "min", "max", "clear", "any", "error")
        ),
    ),
    "rust": Grammar(
        module="tree_sitter_rust",
        kinds={
            "function_item": "function",
            "function_signature_item": "function",
            "struct_item": "type",
            "enum_item": "type",
            "union_item": "type",
            "type_item": "type",
            "trait_item": "class",
        },
        bodies=frozenset({"impl_item", "mod_item", "declaration_list"}),
        calls={"call_expression": ("function",)},
        typed={
            "parameter": ("pattern", "type"),
            "let_declaration": ("pattern", "type"),
            "field_declaration": ("name", "type"),
        },
        assigned={"let_declaration": ("pattern", "value")},
        branches=frozenset({"if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"}),
        own=frozenset({"self", "Self"}),
        builtins=frozenset({"Some", "None", "Ok", "Err", "Box", "Vec", "String", "Default", "From", "Into"}),
    ),
    "java": Grammar(
        module="tree_sitter_java",
        kinds={
            "class_declaration": "class",
            "record_declaration": "class",
            "interface_declaration": "type",
            "enum_declaration": "type",
            "annotation_type_declaration": "type",
            "method_declaration": "method",
            "constructor_declaration": "method",
        },
        bodies=frozenset({"class_body", "interface_body", "enum_body", "enum_body_declarations", "record_body"}),
        calls={"method_invocation": ("object", "name"), "object_creation_expression": ("type",)},
        typed={
            "formal_parameter": ("name", "type"),
            "local_variable_declaration": ("declarator", "type"),
            "field_declaration": ("declarator", "type"),
        },
        branches=frozenset(
            {"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement"}
            | {"catch_clause", "ternary_expression", "switch_label"}
        ),
        own=frozenset({"this", "super"}),
        bare_is_own=True,
        package=True,
    ),
}


@cache
def _language(name: str) -> Any:
    from tree_sitter import Language

    grammar = GRAMMARS[name]
    return Language(getattr(import_module(grammar.module), grammar.language)())


def parse(name: str, text: bytes) -> Any:
    """The root of the syntax tree of a text. Each call makes its own parser, because parsers hold state."""
    from tree_sitter import Parser

    return Parser(_language(name)).parse(text).root_node
