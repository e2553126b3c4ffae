"""Shared by routes: the service, the workspace in the address, declared errors, uploads, events, reports."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from fastapi import Depends, File, Form, Path, Query, Request, UploadFile
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError

from filigraph.app.access.keys import Caller
from filigraph.app.http.audit import record_subjects
from filigraph.app.http.auth import CALLER
from filigraph.app.http.envelope import validation_cause
from filigraph.app.http.permissions import limited_to_part_error
from filigraph.app.http.stream import NDJSON, Emit
from filigraph.app.schemas.common import ErrorEnvelope, SourceIn, SourceName
from filigraph.app.schemas.questions import AskedViewIn
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.service import Service
from filigraph.graph.errors import InputError
from filigraph.graph.ids import WORKSPACE_NAME
from filigraph.graph.ingest.split import read_cut
from filigraph.graph.model.documents import Cut, CutPreset, CutUnit, Source, Strategy
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.metadata_filter import parse_condition
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.ingest.report import Progress

_SOURCES = TypeAdapter(list[SourceIn])
_PAUSE = 0.1  # seconds between two progress events of one stage

_MEANING = {
    400: "The request cannot be used as it is.",
    401: "A key is needed, or the one that came is not known.",
    403: "The request comes from another site, names another host, or its key may not do this.",
    404: "There is no such workspace, document, entity or trace.",
    408: "The request stopped coming.",
    409: "The workspace was built with another embedder, what is asked for is not set up, or a person decided the "
    "opposite before.",
    413: "The request is too large.",
    422: "A part of the request is missing, or not what it should be.",
    429: "That is more than this server allows.",
    499: "The client went away, or the server stops.",
    500: "The server made a mistake.",
    502: "The LLM answered nonsense.",
    503: "Neo4j, a model or the LLM does not answer, or too many requests are being answered.",
}


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for the OpenAPI description. Every route may return those listed here."""
    return {
        status: {"model": ErrorEnvelope, "description": _MEANING[status]}
        for status in sorted({400, 401, 403, 408, 413, 429, 500, 503, *statuses})
    }


def answered(model: type[Any], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that returns a `WorkResponse`."""
    return {200: {"model": model, "description": "Done."}, **errors(499, *statuses)}


STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON, each with its kind in `event`: `waiting`, `progress` "
        "(stage, done, total, message), `alive`, and as the last one the result (`report`, `estimate`) or `error`.",
        "content": {NDJSON: {"schema": {"type": "string", "description": "One JSON object a line."}}},
    },
    **errors(404, 409, 422, 499),
}


NDJSON_BODY: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON, each with its kind in `event`; the last one holds the result, or an `error`.",
        "content": {NDJSON: {"schema": {"type": "string", "description": "One JSON object a line."}}},
    }
}


# not `def`: FastAPI would run it in a thread, and requests would wait for a free one
async def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


async def _view(
    request: Request,
    view: Annotated[
        str,
        Query(
            max_length=100_000,
            description=(
                "The response is as if only a part of the workspace had been read: the object `view` of a "
                "question, as JSON."
            ),
            examples=['{"until": ["The Moonstone:chapter 12"]}'],
        ),
    ] = "",
) -> View:
    reader = await _reader(request)
    return reader.within(read_view(view, "view") if view else ALL)


def read_view(text: str, parameter: str) -> View:
    """The view in a parameter. Raises InputError."""
    try:
        return View.of(AskedViewIn.model_validate_json(text).model_dump())
    except ValidationError as error:
        cure = f'Write it like {parameter}={{"until": ["novel.txt:chapter 3"]}}.'
        raise InputError(f"The parameter `{parameter}`: {validation_cause(error.errors())}", cure=cure) from None


async def _workspace(
    request: Request,
    workspace: Annotated[str, Path(pattern=WORKSPACE_NAME, description="The workspace.", examples=["default"])],
) -> str:
    route = request.scope["route"]
    if (caller := request.scope[CALLER]).view and not _obeys_limits(route):
        raise limited_to_part_error(caller)
    if "view" in request.query_params and not _takes_view(route):
        raise InputError(
            "This cannot be shown in a view: it is about the whole workspace.",
            cure="Leave out the view, or clear the page's reading mark. A question has its `view` in its body.",
        )
    return workspace


def _takes_view(route: APIRoute) -> bool:
    """Whether a route obeys the parameter `view`."""
    return any(dependency.call is _view for dependency in route.dependant.dependencies)


def _obeys_limits(route: APIRoute) -> bool:
    """Whether a route limits its response to a limited key's view; other routes are closed to such keys."""
    return any(dependency.call in (_view, _reader) for dependency in route.dependant.dependencies)


async def _unlimited(request: Request) -> None:
    if (caller := request.scope[CALLER]).view:
        raise limited_to_part_error(caller)


async def _reader(request: Request) -> Caller:
    return cast(Caller, request.scope[CALLER])


async def _cut(
    strategy: Annotated[Strategy, Form(description="How to cut texts into chunks.")] = "paragraph",
    size: Annotated[int | None, Form(description="Maximum size of a chunk; by default 512 tokens.")] = None,
    overlap: Annotated[
        int | None, Form(description="Overlap of consecutive chunks; by default 15 % of the size.")
    ] = None,
    unit: Annotated[CutUnit, Form(description="The unit of size and overlap.")] = "tokens",
    preset: Annotated[
        CutPreset | None,
        Form(
            description="2000/300: characters, ending with a paragraph or sentence; 250-350 words: paragraphs together."
        ),
    ] = None,
    late: Annotated[
        bool,
        Form(description="Late chunking: embed the whole document, then pool a vector for each chunk."),
    ] = False,
) -> Cut:
    return read_cut(strategy=strategy, size=size, overlap=overlap, unit=unit, preset=preset, late=late)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SentFiles:
    """The files of a request, with the data about each."""

    files: Sequence[UploadFile]
    about: Sequence[SourceIn]

    @property
    def names(self) -> list[str]:
        return [known.name for known in self.about]

    def sources(self) -> Iterator[Source]:
        """The files one after the other: only one is in memory."""
        for file, known in zip(self.files, self.about, strict=True):
            file.file.seek(0)
            yield Source(
                name=known.name, content=file.file.read(), media_type=known.media_type, metadata=known.metadata
            )


async def _sent_files(
    request: Request,
    files: Annotated[
        list[UploadFile],
        File(
            description="The documents: txt, md, pdf, docx, odt, rtf, html, epub, eml, msg, mbox, csv, xlsx, xls, "
            "pptx, srt, jsonl, png, jpg, tiff. A job takes at most 1,000."
        ),
    ],
    sources: Annotated[
        str,
        Form(
            description=(
                "A JSON list with a name, a media type and metadata for each file, in the order of the files."
                " Without it, a file's own name identifies its document."
            ),
            examples=['[{"name": "case/letter.txt", "metadata": {"date": "1912-03-04"}}]'],
        ),
    ] = "",
) -> SentFiles:
    about = _read_sources(files, sources)
    record_subjects(request.scope, *(known.name for known in about))
    return SentFiles(files=files, about=about)


def _read_sources(files: Sequence[UploadFile], sources: str) -> list[SourceIn]:
    """The data about each file: from the field `sources`, else from its own name."""
    if not sources:
        return [SourceIn(name=file.filename or "", media_type=file.content_type or "") for file in files]
    try:
        named = _SOURCES.validate_json(sources)
    except ValidationError as error:
        raise InputError(f"The field `sources`: {validation_cause(error.errors())}", cure="See /docs.") from None
    if len(named) != len(files):
        raise InputError(f"The field `sources` names {len(named)} files, and {len(files)} came.", cure="See /docs.")
    return named


async def _caller(request: Request) -> Caller:
    return cast(Caller, request.scope[CALLER])


First = Annotated[int, Query(ge=0, le=1_000_000_000, description="Number of the first one, from 0.")]
Count = Annotated[int, Query(ge=1, le=1000, description="How many.")]
Priority = Annotated[int, Query(ge=-100, le=100, description="The job with the highest priority runs first.")]
PriorityForm = Annotated[int, Form(ge=-100, le=100, description="The job with the highest priority runs first.")]
EntityId = Annotated[str, Path(description="An entity's id, as hops and facts name it.")]
SourcesQuery = Annotated[
    list[SourceName],
    Query(max_length=1000, description="Only these: a source, a folder that ends in /, or a pattern with * and ?."),
]
WhereQuery = Annotated[
    list[str],
    Query(max_length=100, description="Only those with these metadata: key=value or key>=value, repeatable."),
]
ServiceDep = Annotated[Service, Depends(_service)]
CutForm = Annotated[Cut, Depends(_cut)]
FilesForm = Annotated[SentFiles, Depends(_sent_files)]
ExtractorForm = Annotated[
    Literal["auto", "local", "llm"],
    Form(description="Who reads the facts. auto: the LLM if one answers, else local."),
]
TriplesForm = Annotated[UploadFile | None, File(description="Ready triples, used instead of an extractor: JSON lines.")]
AliasesForm = Annotated[
    UploadFile | None, File(description="Names that are one: one group per line, with = between the names.")
]
CastForm = Annotated[
    bool | None,
    Form(
        description=(
            "Whether an LLM says who is who in each document and across them: a few calls for a novel or a case file. "
            "Default: if it reads the facts."
        )
    ),
]
CallerDep = Annotated[Caller, Depends(_caller)]
WorkspaceDep = Annotated[str, Depends(_workspace)]
ViewDep = Annotated[View, Depends(_view)]
FOR_UNLIMITED_KEYS = Depends(_unlimited)  # for a route with a view that shows more than documents
ReaderDep = Annotated[Caller, Depends(_reader)]  # for a route that obeys the limit of the caller's key


def conditions(where: Sequence[str]) -> dict[str, str]:
    """Conditions on metadata, from key=value, or a range as key>=value. Raises InputError."""
    pairs = [pair for text in where if (pair := parse_condition(text))]
    if len(pairs) < len(where):
        raise InputError("A condition on metadata has the form key=value.", cure="Write it like date=1912-03-04.")
    return dict(pairs)


def watcher(emit: Emit, cancelled: ShouldStop) -> ProgressCallbacks:
    """The client of a stream of events, as callbacks of the work."""
    return ProgressCallbacks(
        progress=throttled(emit), waiting=lambda message: emit("waiting", {"message": message}), cancelled=cancelled
    )


def throttled(emit: Emit) -> Callable[[Progress], None]:
    """Progress for people: a few events per second, including the first and the last of each stage."""
    last_stage, last_time = "", 0.0

    def progress(now: Progress) -> None:
        nonlocal last_stage, last_time
        clock = time.monotonic()
        if now.stage != last_stage or (now.total and now.done >= now.total) or clock - last_time >= _PAUSE:
            last_stage, last_time = now.stage, clock
            emit("progress", dataclasses.asdict(now))

    return progress
