"""The server: the application, its parts, and the process that runs it."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from types import FrameType
from typing import TYPE_CHECKING, Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from filigraph.app.http import envelope, openapi
from filigraph.app.http.audit import AuditMiddleware
from filigraph.app.http.auth import AuthMiddleware
from filigraph.app.http.chat_errors import ChatErrors
from filigraph.app.http.connections import MAX_REQUESTS, ConcurrencyLimit, Protocol
from filigraph.app.http.limits import BodyLimit, RateLimit
from filigraph.app.http.logs import log_config
from filigraph.app.http.metrics import MetricsMiddleware
from filigraph.app.http.page import serve_page
from filigraph.app.http.security import HostAndOriginCheck
from filigraph.app.http.templates import Templates
from filigraph.app.http.tracing import SpanMiddleware
from filigraph.app.mcp.endpoint import McpEndpoint
from filigraph.app.routes import (
    cast_list,
    chat,
    dependency,
    documents,
    embedding,
    evaluations,
    export,
    family,
    folders,
    forms,
    jobs,
    keys,
    list_items,
    monitoring,
    news,
    notes,
    ollama,
    passages,
    questions,
    reading,
    searches,
    server,
    summaries,
)
from filigraph.app.routes.graph import connections, contradictions, corrections, entities, predicates, views, whole
from filigraph.app.service.service import Service
from filigraph.app.telemetry.spans import tracer_provider
from filigraph.app.version import installed_version

if TYPE_CHECKING:
    import uvicorn

DESCRIPTION = """Turns novels and case files into a knowledge graph and answers questions by walking it.

Every error, on every path, has the same shape: `{"error": {"code", "cause", "cure", "request_id"}}`. Those of
`/v1/models` and `/v1/chat/completions` have OpenAI's `message`, `type` and `param` as well."""

DOCS_POLICY = (  # a script in the page starts Swagger UI
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

TAGS = [
    {"name": "questions", "description": "Ask, retrieve, and look at how an answer came about."},
    {"name": "chat", "description": "The same by OpenAI's protocol: each workspace is a model."},
    {"name": "documents", "description": "Ingest documents, and look at what was ingested."},
    {"name": "jobs", "description": "Work that outlives the request, and the server that began it."},
    {"name": "summaries", "description": "Long texts as a whole: summaries in levels."},
    {"name": "forms", "description": "Fields with questions, filled from the documents."},
    {"name": "reading", "description": "What an ingest will cost, what it looks for, what it could not read."},
    {"name": "entities", "description": "Look for an entity, see why its names are one, and what is near it."},
    {"name": "views", "description": "Named parts of a workspace."},
    {"name": "notes", "description": "People's notes, tags and stars; answers never use them."},
    {"name": "corrections", "description": "Look at what was joined, and correct it."},
    {"name": "evaluations", "description": "Measure with questions whose answers are known."},
    {"name": "keys", "description": "Who may use the server, and for what."},
    {"name": "export", "description": "Workspaces as files: export and import."},
    {"name": "server", "description": "Health, settings and checks of the server."},
]


def create_app(service: Service) -> FastAPI:
    """The application for a service. Creating it connects to nothing and loads nothing."""
    provider = tracer_provider()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = MAX_REQUESTS  # every admitted request has a thread
        service.start()
        yield
        await mcp.close()
        service.close()
        if provider:
            provider.shutdown()  # sends the remaining spans

    app = FastAPI(
        title="Filigraph",
        version=installed_version(),
        description=DESCRIPTION,
        openapi_tags=TAGS,
        docs_url=None,  # our own below: FastAPI's loads its scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.service = service
    envelope.install(app)
    modules = (
        *(
            questions,
            news,
            chat,
            documents,
            jobs,
            folders,
            reading,
            summaries,
            forms,
            entities,
            connections,
            whole,
            views,
        ),
        *(
            corrections,
            contradictions,
            dependency,
            list_items,
            cast_list,
            family,
            passages,
            predicates,
            notes,
            searches,
            evaluations,
            export,
            keys,
            server,
            embedding,
            monitoring,
            ollama,
        ),
    )
    # Added directly: `include_router` would build each of them again at the first request, which takes 0.3 s.
    routes = [route for module in modules for route in module.router.routes]
    app.router.routes.extend(routes)
    mcp = McpEndpoint(app)
    app.router.routes.append(Route("/mcp", mcp, methods=["POST"]))
    serve_page(app)
    _serve_docs(app)
    openapi.install(app)
    settings = service.runtime.settings
    # the last middleware is the outermost
    app.add_middleware(BodyLimit, settings=settings)
    templates = Templates(["/mcp", *(route.path for route in routes)])
    app.add_middleware(AuditMiddleware, audit=service.audit, templates=templates)
    app.add_middleware(AuthMiddleware, keys=service.keys, limit=RateLimit(settings.requests_a_minute))
    app.add_middleware(ConcurrencyLimit)
    app.add_middleware(HostAndOriginCheck, settings=settings)
    app.add_middleware(MetricsMiddleware, metrics=service.metrics, templates=templates)
    if provider:
        app.add_middleware(SpanMiddleware, provider=provider, templates=templates)
    app.add_middleware(envelope.RequestIdMiddleware)
    app.add_middleware(ChatErrors)
    return app


def _serve_docs(app: FastAPI) -> None:
    """`/docs` without any other host: the files of Swagger UI come from the package fastapi-offline."""
    app.mount("/assets/docs", StaticFiles(directory=str(files("fastapi_offline") / "static")), name="docs-assets")

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> HTMLResponse:
        prefix = request.scope.get("root_path", "")
        page = get_swagger_ui_html(
            openapi_url=f"{prefix}/openapi.json",
            title="Filigraph",
            swagger_js_url=f"{prefix}/assets/docs/swagger-ui-bundle.js",
            swagger_css_url=f"{prefix}/assets/docs/swagger-ui.css",
            swagger_favicon_url="data:,",
        )
        page.headers["content-security-policy"] = DOCS_POLICY
        return page


def run(service: Service, listener: socket.socket, on_listening: Callable[[], None]) -> None:
    """Serve on `listener` until SIGTERM or SIGINT. `on_listening` is called when the server is reachable."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_listening()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            service.runtime.stopping.set()  # at once: uvicorn waits for requests to end, and long ones would continue
            super().handle_exit(sig, frame)

    settings = service.runtime.settings
    Server(server_config(service, log_config(settings.log, settings.secrets))).run([listener])


def server_config(service: Service, log_config: dict[str, Any] | None = None) -> uvicorn.Config:
    import uvicorn

    return uvicorn.Config(
        create_app(service),
        log_config=log_config,
        http=Protocol,
        timeout_graceful_shutdown=10,
        server_header=False,
        ws="none",
        root_path=service.runtime.settings.root_path,
    )
