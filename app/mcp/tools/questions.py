"""Questions: answers, extracts, forms, and what an answer depends on.

Each docstring is what an agent reads of a tool.
"""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from filigraph.app.mcp.options import ALL_OF_VIEW, ROUNDS, SEARCH, VIEW, Question, Workspace, body_of, with_fields
from filigraph.app.mcp.requests import Requests, as_text
from filigraph.app.mcp.results import graph, questions


class QuestionTools:
    """Questions: answers, extracts, forms, and what an answer depends on."""

    def __init__(self, rest: Requests) -> None:
        self._rest = rest

    @with_fields(SEARCH, ROUNDS, ALL_OF_VIEW)
    async def ask(self, ctx: Context, question: Question, workspace: Workspace = "", **options: Any) -> str:
        """Answer a question from the documents, with the path to the answer and the sentence behind each hop."""
        path, view = self._rest.in_view(workspace, options, "ask")
        body = {"question": question, "stream": True, **body_of(options, view)}
        return as_text(questions.answer(await self._rest.ask(ctx, path, body)))

    @with_fields(SEARCH, ALL_OF_VIEW)
    async def retrieve(
        self,
        ctx: Context,
        question: Question,
        workspace: Workspace = "",
        keep: Annotated[int, Field(ge=1, le=20, description="How many extracts.")] = 5,
        **options: Any,
    ) -> str:
        """Find extracts and paths for a question, without an answer: use them to write one yourself."""
        path, view = self._rest.in_view(workspace, options, "retrieve")
        body = {"question": question, "keep": keep, **body_of(options, view)}
        return as_text(questions.retrieved(await self._rest.send(ctx, "POST", path, json=body)))

    @with_fields(VIEW)
    async def why(
        self,
        ctx: Context,
        workspace: Workspace = "",
        answer: Annotated[str, Field(description="An answer: its trace_id.")] = "",
        fact: Annotated[str, Field(description="Or a fact: its fact_id.")] = "",
        names: Annotated[list[str], Field(max_length=2, description="Or two names of one entity.")] = [],  # noqa: B006
        document: Annotated[str, Field(description="Or a document, by its id: what exists only because of it.")] = "",
        count: Annotated[int, Field(ge=1, le=50, description="Of a document: how many of each kind.")] = 10,
        **options: Any,
    ) -> str:
        """The documents without which the path of an answer breaks, no sentence says a fact, or two names are not one:
        the smallest sets, and the responsibility of each document. An answer is examined in the view in which it was
        given.
        """
        if [bool(answer), bool(fact), bool(names), bool(document)].count(True) != 1:
            raise ToolError("This needs one of answer, fact, names and document.")
        if answer:
            path = self._rest.path(workspace, "traces", answer, "dependency")
            return as_text(questions.dependency(await self._rest.get(ctx, path)))
        if document:
            of_document = ("documents", document, "dependency")
            changes = await self._rest.read(ctx, workspace, options, *of_document, count=count)
            return as_text(graph.changes(changes))
        params: dict[str, Any] = {"fact": fact} if fact else {"name": names}
        return as_text(questions.dependency(await self._rest.read(ctx, workspace, options, "dependency", **params)))

    async def again(
        self,
        ctx: Context,
        workspace: Workspace = "",
        budget: Annotated[int, Field(ge=1, le=50, description="Questions at most, the newest first.")] = 10,
        llm: Annotated[bool, Field(description="Ask the language model too; else compare paths and passages.")] = False,
    ) -> str:
        """Ask earlier questions again whose last answer is older than a document, each in its view, and show which
        answers changed. The answers are kept.
        """
        body = {"budget": budget, "llm": llm}
        path = self._rest.path(workspace, "ask", "again")
        return as_text(questions.asked_again(await self._rest.send(ctx, "POST", path, json=body)))

    @with_fields(VIEW)
    async def form(
        self,
        ctx: Context,
        name: Annotated[str, Field(description="A form; omitted: list the forms.")] = "",
        about: Annotated[str, Field(description="The person or thing that the form is about.")] = "",
        workspace: Workspace = "",
        **options: Any,
    ) -> str:
        """The values of a form's fields, with the sentences that support them; or the list of forms."""
        if not name:
            return as_text(await self._rest.read(ctx, workspace, options, "forms"))
        return as_text(questions.form(await self._rest.read(ctx, workspace, options, "forms", name, about=about)))
