"""Reading documents into workspaces: ingest, update, retry, estimate, schema."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from filigraph.app.llm_provider import choose_llm, llm_named
from filigraph.app.runtime import ExtractorKind, Keep, Runtime
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.fair_semaphore import YieldToSearches
from filigraph.app.service.pricing import ExtractorSpeeds, Priced, price, price_estimate
from filigraph.graph.errors import InputError
from filigraph.graph.model.documents import Chunk, Cut, Source
from filigraph.graph.model.names import AliasGroup
from filigraph.graph.model.usage import Usage
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.app.cluster.cluster_run import ClusterRun
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.extract.llm import LLMExtractor
    from filigraph.graph.ingest.extract.schema import ExtractionSchema, Mode
    from filigraph.graph.ingest.incoming import Arrival, PreparedDocument
    from filigraph.graph.ingest.report import IngestReport
    from filigraph.graph.readings.read_cast import CastReader
    from filigraph.graph.records.documents import DocumentRow
    from filigraph.graph.store import Graph


@dataclass(frozen=True, kw_only=True)
class IngestRequest(Cut):
    """What to read, and how."""

    sources: Iterable[Source]
    names: Sequence[str]  # of the sources
    kind: ExtractorKind
    triples: bytes | None = None  # used instead of an extractor
    aliases: Sequence[AliasGroup] = ()
    cast: bool | None = None  # whether an LLM says who is who; None: if it is the extractor
    as_read: bool = False  # the same content is not read again by another extractor
    job: str = ""  # the job that does it
    awaited: str | None = None  # as in `Runtime.extractor`
    extractor: Extractor | None = None  # the extractor, if none is to be chosen


@dataclass(frozen=True, kw_only=True)
class IngestCallbacks:
    """A job's callbacks for its ingest; `loaded` and `stored` are `on_loaded` and `on_stored` of `pipeline.ingest`."""

    chosen: Callable[[Extractor], None] = lambda _: None
    loaded: Callable[[Arrival], None] = lambda _: None
    stored: Callable[[Sequence[Arrival], IngestReport], None] = lambda arrivals, report: None


class Ingestion:
    """Reads documents into workspaces."""

    def __init__(self, context: ServiceContext) -> None:
        self.context = context
        self._speeds = ExtractorSpeeds(context.runtime.store)
        self._ocr_languages = context.runtime.settings.ocr_languages

    # ---- read

    def ingest(
        self,
        workspace: str,
        request: IngestRequest,
        watcher: ProgressCallbacks,
        *,
        callbacks: IngestCallbacks | None = None,
    ) -> IngestReport:
        """Read sources into a workspace; creates it if there is none. One run at a time in each workspace."""
        from filigraph.graph.ingest.report import IngestSettings
        from filigraph.graph.pipeline import ingest

        callbacks = callbacks or IngestCallbacks()
        problems: list[str] = []
        cluster_run = self.context.runtime.cluster_run(watcher.cancelled, watcher.waiting)
        if request.extractor:
            extractor = request.extractor
        elif request.triples is None:
            schema = schema_of(self.context.graph_if_any(workspace))
            keep = self._storing_in(workspace)
            extractor = self._extractor(
                workspace, request.kind, schema, watcher, keep=keep, cluster_run=cluster_run, awaited=request.awaited
            )
        else:
            extractor, problems = self.context.runtime.triple_extractor(workspace, request.triples, request.names)
        callbacks.chosen(extractor)
        wanted = False if request.cast is None and request.extractor else request.cast  # batches are waited for
        reader = self._cast_reader(workspace, extractor, wanted, request.awaited)
        with (
            self.context.locked(workspace, watcher, job=request.job) as store,
            self._speeds.measure_speed(extractor) as record_speed,
        ):
            graph = self.context.runtime.graph_to_write(workspace, store)
            if request.aliases:
                graph.add_alias_groups(request.aliases)
            report = ingest(
                request.sources,
                graph=graph,
                embedder=self.context.runtime.embedder_of(graph.workspace, cluster_run),
                extractor=extractor,
                reader=reader,
                settings=IngestSettings(**request.fields(), as_read=request.as_read, ocr_languages=self._ocr_languages),
                apply=cluster_run.read_sources if cluster_run else map,
                on_loaded=callbacks.loaded,
                on_stored=callbacks.stored,
                progress=watcher.progress,
                cancelled=self._stop_of(watcher, request.job),
                report=self._counting_report(),
            )
            record_speed(0 if request.extractor else report.extracted - report.failed_chunks)
        report.problems[:0] = problems
        report.remarks[:0] = cluster_run.problems if cluster_run else []
        report.cost = self.cost(report.usage)
        return report

    def update(
        self,
        workspace: str,
        row: DocumentRow,
        source: Source,
        *,
        kind: ExtractorKind | None,
        watcher: ProgressCallbacks,
    ) -> IngestReport:
        """Read a document again, with the same cut and, if `kind` is None, the same extractor. A document that came
        with triples is read only if its content has changed: by the LLM if one answers, else locally."""
        from filigraph.graph.ingest.report import IngestReport

        as_it_is = kind is None and not source.metadata and row.status == "complete"
        if as_it_is and hashlib.sha256(source.content).hexdigest() == row.sha256:  # then no extractor is needed
            with self.context.connected():
                graph = self.context.runtime.graph(workspace)
                if not graph.needs_deriving():
                    counts = graph.derived_counts()
                    report = IngestReport(unchanged=[row.source], entities=counts.entities, facts=counts.facts)
                    report.cost = self.cost(report.usage)
                    return report
        before: dict[str, ExtractorKind] = {"llm": "llm", "local": "local"}
        request = IngestRequest(
            sources=[source],
            names=[source.name],
            kind=kind or before.get(row.recipe.read_by if row.recipe else "", "auto"),
            **(row.recipe or Cut()).fields(),
            as_read=kind is None,
        )
        return self.ingest(workspace, request, watcher)

    def retry(
        self,
        workspace: str,
        *,
        kind: ExtractorKind,
        watcher: ProgressCallbacks,
        job: str = "",
        awaited: str | None = None,
        cast: bool | None = None,
        extractor: Extractor | None = None,
    ) -> IngestReport:
        """Read the chunks that failed when their documents were ingested, and casts whose calls got no answer. `job`:
        the job that does it; `extractor`: used instead of choosing one."""
        from filigraph.graph.pipeline import retry

        with self.context.connected():
            schema = schema_of(self.context.runtime.graph(workspace))
        keep = self._storing_in(workspace)
        cluster_run = self.context.runtime.cluster_run(watcher.cancelled, watcher.waiting)
        wanted = False if cast is None and extractor else cast  # batches are waited for
        extractor = extractor or self._extractor(
            workspace, kind, schema, watcher, keep=keep, cluster_run=cluster_run, awaited=awaited
        )
        reader = self._cast_reader(workspace, extractor, wanted, awaited)
        with self.context.locked(workspace, watcher, job=job) as store:
            graph = store.graph(workspace)
            report = retry(
                graph=graph,
                embedder=self.context.runtime.embedder_of(graph.workspace, cluster_run),
                extractor=extractor,
                reader=reader,
                progress=watcher.progress,
                cancelled=self._stop_of(watcher, job),
                report=self._counting_report(),
            )
        report.remarks[:0] = cluster_run.problems if cluster_run else []
        report.cost = self.cost(report.usage)
        return report

    # ---- estimate

    def estimate(
        self,
        workspace: str,
        sources: Iterable[Source],
        *,
        kind: ExtractorKind,
        cut: Cut,
        watcher: ProgressCallbacks,
        cast: bool | None = None,
        batch: bool = False,
        on_prepared: Callable[[PreparedDocument], None] = lambda _: None,
    ) -> Priced:
        """The calls, tokens, time and cost of ingesting `sources`; calls `on_prepared` for each new or changed
        document.

        Raises NotSetUp if chunks are to be embedded late and the embedder cannot.

        It stores only the speed of the extractor: if that is unknown, the extractor reads some of the chunks, except
        with provider's batches (`batch`).
        """
        from filigraph.graph.estimate import estimate
        from filigraph.graph.ingest.report import IngestSettings

        graph = self.context.graph_if_any(workspace)
        if cut.late:
            self.context.check_late(workspace)
        if batch:
            self.context.runtime.check_batches(kind)
            kind = "llm"
        cluster_run = None if batch else self.context.runtime.cluster_run(watcher.cancelled, watcher.waiting)
        extractor = self._extractor(workspace, kind, schema_of(graph), watcher, cluster_run=cluster_run)
        with self.context.connected():
            estimated = estimate(
                sources,
                workspace=workspace,
                graph=graph,
                extractor=extractor,
                cast=extractor.expensive and not batch if cast is None else cast,
                settings=IngestSettings(**cut.fields(), ocr_languages=self._ocr_languages),
                on_prepared=on_prepared,
                cancelled=watcher.cancelled,
            )
            if batch:
                speed = self._speeds.last_speed(extractor)
            else:
                embed = partial(_embed, self.context.runtime, graph)
                speed = self._speeds.of(extractor, estimated.sample, watcher.waiting, embed)
        return price_estimate(estimated, extractor, speed, partial(self.cost, batch=batch), batch=batch)

    def cost(self, usage: Usage, *, batch: bool = False) -> float | None:
        """The cost, in the currency of the configured prices; None without prices. `batch`: in provider's batches."""
        return price(usage, self.context.runtime.settings, batch=batch)

    # ---- schema

    def schema(self, workspace: str) -> ExtractionSchema:
        """The schema of a workspace, by default the general one."""
        with self.context.connected():
            return schema_of(self.context.runtime.graph(workspace))

    def set_schema(self, workspace: str, text: str, mode: Mode | None) -> ExtractionSchema:
        """Set the schema of a workspace, by its text or a ready one's name; "" removes it. It applies to later reading.
        Creates the workspace if there is none."""
        from filigraph.graph.ingest.extract.schema import default_schema, read_schema, ready_schemas

        text = ready_schemas().get(text.strip(), text)
        if text.strip() and "\n" not in text.strip():
            known = ", ".join(sorted(ready_schemas()))
            raise InputError(f"There is no schema {text.strip()[:80]!r}.", cure=f"Give a file, or one of: {known}.")
        schema = read_schema(text, mode=mode) if text.strip() else default_schema()
        with self.context.connected():
            graph = self.context.ensure_workspace(workspace)
            settings: Mapping[str, Any] = graph.workspace.settings
            new = {"schema": schema.text, "schema_mode": schema.mode} if text.strip() else {}
            graph.save_settings({k: v for k, v in settings.items() if not k.startswith("schema")} | new)
        return schema

    # ---- extractors

    def _extractor(
        self,
        workspace: str,
        kind: ExtractorKind,
        schema: ExtractionSchema,
        watcher: ProgressCallbacks,
        keep: Keep = lambda chunk, read: None,
        cluster_run: ClusterRun | None = None,
        awaited: str | None = None,
    ) -> Extractor:
        """Raises LimitReached if an LLM would read and the workspace has no tokens left today."""
        extractor = self.context.runtime.extractor(
            kind,
            schema=schema,
            cancelled=watcher.cancelled,
            notify=watcher.waiting,
            keep=keep,
            metered=self.context.metered(workspace),
            cluster_run=cluster_run,
            awaited=awaited,
        )
        if extractor.expensive:
            self.context.budget.check(workspace)
        return extractor

    def _cast_reader(
        self, workspace: str, extractor: Extractor, wanted: bool | None, awaited: str | None
    ) -> CastReader | None:
        """The reader of casts: an LLM if one is the extractor, or if it is `wanted`; else None. Raises InputError if it
        is wanted and there is none, LimitReached if the workspace has no tokens left today."""
        from filigraph.graph.readings.read_cast import CastReader

        if not (extractor.expensive if wanted is None else wanted):
            return None
        choice = choose_llm(self.context.runtime.settings)
        llm = choice.llm or self.context.runtime.llm(awaited or "")
        if llm is None:
            if wanted is None:  # those of a cluster read
                return None
            raise InputError(f"No LLM is available to say who is who: {choice.detail}", cure=choice.cure)
        self.context.budget.check(workspace)
        settings = self.context.runtime.settings
        return CastReader(
            llm=self.context.metered(workspace)(llm), in_flight=settings.llm_parallel, timeout=settings.llm_timeout
        )

    def batch_extractor(self, workspace: str, *, llm: str, cancelled: ShouldStop) -> LLMExtractor:
        """The extractor whose LLM is asked in a provider's batches: it makes the requests, and reads the replies."""
        from filigraph.graph.ingest.extract.llm import LLMExtractor

        with self.context.connected():
            schema = schema_of(self.context.graph_if_any(workspace))
        settings = self.context.runtime.settings
        return LLMExtractor(llm_named(settings, llm), schema=schema, reading=settings.reading, cancel=cancelled)

    def _counting_report(self) -> IngestReport:
        """An empty report that counts stages as they go: a run may take a night, or be interrupted."""
        from filigraph.graph.ingest.report import IngestReport

        count = self.context.metrics.ingesting

        class Counted(IngestReport):
            def add_seconds(self, stage: str, seconds: float) -> None:
                super().add_seconds(stage, seconds)
                count(stage, seconds)

        return Counted()

    def _stop_of(self, watcher: ProgressCallbacks, job: str) -> ShouldStop:
        """A stop check. In a job, it also makes the server's own work, but not the calls of an LLM, yield to
        questions."""
        return YieldToSearches(self.context.search_slots, watcher.cancelled) if job else watcher.cancelled

    def _storing_in(self, workspace: str) -> Keep:
        """A function that stores what was read in a workspace, which need not exist yet."""
        return lambda chunk, read: self.context.runtime.graph(workspace).keep_reading(chunk, read)


def schema_of(graph: Graph | None) -> ExtractionSchema:
    """The schema that a workspace was given, else the general one."""
    from filigraph.graph.ingest.extract.schema import default_schema, read_schema

    settings = graph.workspace.settings if graph else {}
    return read_schema(settings["schema"], mode=settings["schema_mode"]) if "schema" in settings else default_schema()


def _embed(runtime: Runtime, graph: Graph | None, chunks: Sequence[Chunk]) -> None:
    """Embed chunks as an ingest into a workspace does, to measure the time."""
    from filigraph.graph.models.embed import embed_chunks

    embedder = runtime.embedder_of(graph.workspace) if graph else runtime.embedder()
    embed_chunks(embedder, [chunk.text for chunk in chunks], [""] * len(chunks), [()] * len(chunks))
