"""The arguments of the MCP tools, with their descriptions for agents."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from functools import wraps
from typing import Annotated, Any

from pydantic import Field
from pydantic.fields import FieldInfo

from filigraph.app.schemas.questions import AnswerIn, ViewIn

Question = Annotated[str, Field(description="In any language, as one would ask a person.")]
Workspace = Annotated[str, Field(description="A workspace; omitted: the default one. `workspaces` lists them.")]
Entity = Annotated[str, Field(description="An entity's id, or a name.")]
DocumentId = Annotated[str, Field(description="A document's id.")]
First = Annotated[int, Field(ge=0, description="Begin with this one.")]

Tool = Callable[..., Awaitable[str]]

_SEARCH = (
    *("profile", "vector_weight", "budget_tokens", "min_score", "kinds", "sources", "expand_dependencies"),
    *("entity_types", "path_types"),
)
SEARCH: Mapping[str, FieldInfo] = {name: AnswerIn.model_fields[name] for name in _SEARCH}
ROUNDS: Mapping[str, FieldInfo] = {"rounds": AnswerIn.model_fields["rounds"]}
_VIEW = {  # argument: field of a view, and its description, which an agent reads once for each tool
    "until": ("until", "As if nothing after these places had been read: `DOCUMENT:chapter 12`, `:page 40`, `:40 %`."),
    "within": ("within", "Only these parts: `DOCUMENT:chapter 1-10`."),
    "as_of": ("as_of", "As of this date: no later document."),
    "undated": ("undated", "With as_of: whether documents without a date are visible."),
    "without": ("without", "As if these documents had not been read."),
    "documents": ("sources", "As if only these had been read: sources, folders, patterns."),
}
_RARE = {  # for the tools to which they matter most
    "where": ("where", "As if only documents with these metadata had been read."),
    "dated_by": ("dated_by", "With as_of: the metadata field with a document's date."),
    "without_decisions": ("without_decisions", "As if these decisions of people did not exist, by id."),
    "without_facts": ("without_facts", "As if nothing stated these facts, by fact_id."),
}


def _described(field: FieldInfo, description: str) -> FieldInfo:
    described = copy(field)
    described.description = description
    return described


def _fields(arguments: Mapping[str, tuple[str, str]]) -> Mapping[str, FieldInfo]:
    return {name: _described(ViewIn.model_fields[field], said) for name, (field, said) in arguments.items()}


VIEW = _fields(_VIEW)
ALL_OF_VIEW = _fields(_VIEW | _RARE)


def with_fields(*options: Mapping[str, FieldInfo]) -> Callable[[Tool], Tool]:
    """Give a tool fields of the REST API as arguments, in place of its `**options`, which receive the given ones."""
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[field.annotation | None, *field.metadata, Field(description=field.description)],  # type: ignore[operator]
        )
        for fields in options
        for name, field in fields.items()
    ]

    def decorate(tool: Tool) -> Tool:
        signature = inspect.signature(tool, eval_str=True)
        own = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]

        @wraps(tool)
        async def run(*args: Any, **arguments: Any) -> str:
            return await tool(*args, **{name: value for name, value in arguments.items() if value is not None})

        del run.__wrapped__  # else its signature would be the tool's
        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
        return run

    return decorate


def view_from(options: Mapping[str, Any]) -> dict[str, Any]:
    """The view in some options, in REST's form; {}: everything is visible."""
    return {field: options[name] for name, (field, _) in (_VIEW | _RARE).items() if options.get(name)}


def body_of(options: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """Options in the form of the body of a question."""
    return {name: value for name, value in options.items() if name not in _VIEW | _RARE} | (
        {"view": view} if view else {}
    )
