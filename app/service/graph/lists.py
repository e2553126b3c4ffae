"""Lists: all things of a kind, found by rules, and by an LLM that reads: estimate, submit as a job, read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from filigraph.app.schemas.readings import PricedReading
from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.graph.readings import batch_reader, reading_llm, submit_reading, with_price
from filigraph.app.service.graph.views import Views
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.analysis.browse import BrowseGraph
    from filigraph.graph.analysis.list_items import ItemList
    from filigraph.graph.model.arrays import Vector
    from filigraph.graph.models.llm_batches import ReadingReport
    from filigraph.graph.store import JobRow
    from filigraph.graph.text.list_questions import ListQuestion

_UNDECIDED = "en"  # the language of a text that is too short to tell
CACHED_LISTS = 16
MAX_NAME_CHARS = 200  # characters of a text as the name of a job


class Lists:
    """Lists the things that a text describes."""

    def __init__(self, context: ServiceContext, views: Views, jobs: JobRequests) -> None:
        self.context = context
        self._views = views
        self._jobs = jobs
        # by workspace, its revision and that of the view, text and day
        self._found: LRUCache[tuple[str, str, str, date], tuple[ListQuestion, ItemList]] = LRUCache(CACHED_LISTS)
        self._lock = threading.Lock()

    def items(self, workspace: str, text: str, *, view: View = ALL) -> tuple[ListQuestion, ItemList]:
        """The question that a text asks, and the items that answer it. Asks no LLM. Further pages of a list find it
        computed, as long as nothing changes and no LLM has read lists."""
        with self._graph_in_view(workspace, view) as graph:
            whole = self.context.runtime.graph(workspace)
            if whole.has_list_readings():
                return self._find(workspace, text, graph)
            key = (whole.workspace.id, graph.revision(), text, date.today())  # "last week" depends on the day
            with self._lock:
                found = self._found.get(key)
            if found is None:
                found = self._find(workspace, text, graph)
                with self._lock:
                    self._found[key] = found
            return found

    def _find(self, workspace: str, text: str, graph: BrowseGraph) -> tuple[ListQuestion, ItemList]:
        from filigraph.graph.readings.read_lists import list_items

        question, vector = self._parse_question(workspace, text)
        return question, list_items(question, vector, graph, self.context.runtime.graph(workspace))

    def submit(self, workspace: str, text: str, *, budget: int, priority: int, view: View = ALL) -> JobRow:
        """Have the items read by a job, with at most `budget` calls (0: no limit). Raises NotFound; InputError if no
        LLM answers."""
        with self._graph_in_view(workspace, view):
            pass  # raises NotFound
        name = " ".join(text.split())[:MAX_NAME_CHARS]
        options = {"text": text, "budget": budget, "view": view.fields()}
        return submit_reading(
            self.context, self._jobs, workspace, "lists", name=name, options=options, priority=priority
        )

    @staticmethod
    def asked(job: JobRow) -> dict[str, Any]:
        """What a job is to read, as `read` takes it."""
        return {"text": job.options["text"], "view": View.of(job.options["view"])}

    def read(
        self,
        workspace: str,
        watcher: ProgressCallbacks,
        *,
        text: str,
        view: View,
        budget: int,
        awaited: str = "",
        job: str = "",
    ) -> ReadingReport:
        """Read what was not read yet. `awaited`: the name of an LLM to use if none answers now. Raises InputError if
        there is no LLM."""
        from filigraph.graph.readings.read_lists import read_list

        with self._graph_in_view(workspace, view):  # before the search for an LLM
            llm = reading_llm(self.context, workspace, awaited)
        self.context.budget.check(workspace)
        reader = batch_reader(self.context, llm, "lists", budget=budget, watcher=watcher)
        with self.context.locked(workspace, watcher, job=job) as store, self._graph_in_view(workspace, view) as graph:
            question, vector = self._parse_question(workspace, text)
            return read_list(
                question=question, vector=vector, graph=graph, readings=store.graph(workspace), reader=reader
            )

    def estimate(self, workspace: str, text: str, *, budget: int, view: View = ALL) -> PricedReading:
        """The passages, calls, tokens and cost of `read`. Asks and writes nothing. Raises NotFound; InputError if no
        LLM answers."""
        from filigraph.graph.readings.read_lists import estimate_list

        with self._graph_in_view(workspace, view) as graph:
            llm = reading_llm(self.context, workspace)
            question, vector = self._parse_question(workspace, text)
            readings = self.context.runtime.graph(workspace)
            estimate = estimate_list(question, vector, graph, readings, llm.model, budget=budget)
        return with_price(self.context, llm, estimate)

    def _parse_question(self, workspace: str, text: str) -> tuple[ListQuestion, Vector]:
        from filigraph.graph.models.embed import embed_questions
        from filigraph.graph.text.language import detect
        from filigraph.graph.text.list_questions import parse_list_question

        embedder = self.context.runtime.embedder_of(self.context.runtime.graph(workspace).workspace)
        return parse_list_question(text, detect(text) or _UNDECIDED), embed_questions(embedder, [text])[0]

    @contextmanager
    def _graph_in_view(self, workspace: str, view: View) -> Iterator[BrowseGraph]:
        with self.context.connected():
            yield self._views.graph(workspace, view)
