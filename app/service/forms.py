"""Forms of workspaces: store, fill, estimate, correct and show them."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.graph.views import Views
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.service.pricing import price
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.records.forms import FieldPlace, FilledField, FilledForm, FillRow, FormRow
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.fill import Filler, FillEstimate
    from filigraph.graph.model.forms import FieldValue, Form
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.store import Graph, JobRow

FieldWriter = Literal["auto", "llm", "facts"]
MOST_VALUES = 100  # that a person may give a field


class Forms:
    """The forms of workspaces, including those that come with Filigraph."""

    def __init__(self, context: ServiceContext, views: Views, jobs: JobRequests) -> None:
        self.context = context
        self._views = views
        self._jobs = jobs

    # ---- list

    def list_forms(self, workspace: str, language: str, *, view: View = ALL) -> list[FormRow]:
        """The workspace's own forms and the ready ones, by name, with their fills; in a view, only fills with a visible
        value."""
        from filigraph.graph.forms.form import read_form, ready_forms

        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            own, fills = graph.forms(), graph.fills()
        if view:
            seen = [self._with_view_states(workspace, fill, view) for fill in fills]
            fills = [fill for fill in seen if set(fill.states) - {"not_found"}]
        return [
            FormRow(
                form=read_form(name, text, language=language),
                ready=name not in own,
                fills=tuple(fill for fill in fills if fill.form == name),
            )
            for name, text in sorted({**ready_forms(), **own}.items())
        ]

    def _with_view_states(self, workspace: str, fill: FillRow, view: View) -> FillRow:
        """A fill, with the states of the part that a view shows."""
        from filigraph.graph.transfer.forms import state_of

        states = map(state_of, self.filled(workspace, fill.form, fill.about, "", view=view).fields)
        return replace(fill, states=tuple(sorted(state for state in states if state != "open")))

    def set_form(self, workspace: str, name: str, text: str) -> Form:
        """Store a form, replacing one of the same name. Creates the workspace if there is none. Raises InputError."""
        from filigraph.graph.forms.form import read_form

        form = read_form(name, text)
        with self.context.connected():
            self.context.ensure_workspace(workspace).write_form(name, text)
        return form

    def remove_form(self, workspace: str, name: str) -> None:
        """Remove a workspace's own form with its fills; for a ready form remove only the fills. Raises NotFound."""
        self._form_text(workspace, name)
        with self.context.connected():
            self.context.runtime.graph(workspace).remove_form(name)

    def form_about(self, workspace: str, name: str, about: str, language: str) -> Form:
        """A form about a subject, in a language, by default that of most documents. Raises NotFound, InputError."""
        from filigraph.graph.forms.form import form_about as about_subject
        from filigraph.graph.forms.form import languages_of, read_form

        text = self._form_text(workspace, name)
        if not language:
            with self.context.connected():
                rows = self.context.runtime.graph(workspace).document_rows()
            spoken = Counter(row.language for row in rows if row.language in languages_of(text))
            language = min(spoken, key=lambda one: (-spoken[one], one), default="")
        return about_subject(read_form(name, text, language=language), about)

    def _form_text(self, workspace: str, name: str) -> str:
        from filigraph.graph.forms.form import ready_forms

        with self.context.connected():
            text = {**ready_forms(), **self.context.runtime.graph(workspace).forms()}.get(name)
        if text is None:
            raise NotFound(f"There is no form {name[:80]!r}.", cure="`filigraph form list` shows all.")
        return text

    # ---- fill

    def submit_fill(
        self, workspace: str, name: str, *, about: str, writer: FieldWriter, language: str, priority: int
    ) -> JobRow:
        """Have a form filled by a job. Raises NotFound, InputError."""
        from filigraph.graph.forms.plan import batches
        from filigraph.graph.store import Upload

        about = normalized_subject(about)
        form = self.form_about(workspace, name, about, language)
        if self.writer_today(writer):
            self.context.budget.check(workspace)
        items = [
            Upload(
                name=f"{batch.fields[0].group or name}: {', '.join(field.id for field in batch.fields)}",
                content=io.BytesIO(),
                metadata={"fields": " ".join(field.id for field in batch.fields)},
            )
            for batch in batches(form)
        ]
        options = {"form": name, "about": about, "writer": writer, "language": language}
        return self._jobs.submit(workspace, "fill", items, attached={}, priority=priority, options=options)

    @contextmanager
    def filler(self, workspace: str, watcher: ProgressCallbacks, *, awaited: str, job: str) -> Iterator[Filler]:
        """The filler of a job, under the workspace's lock. `awaited`: the LLM; "" for none."""

        with self.context.locked(workspace, watcher, job=job) as store:
            graph = store.graph(workspace)
            yield self._filler(graph, self.context.runtime.llm(awaited) if awaited else None, watcher)

    def estimate(
        self, workspace: str, name: str, *, about: str, writer: FieldWriter, language: str, watcher: ProgressCallbacks
    ) -> tuple[str, FillEstimate, float | None]:
        """Who would fill a form, and the calls, tokens and cost. Writes nothing."""
        from filigraph.graph.fill import estimate_fill

        about = normalized_subject(about)
        form = self.form_about(workspace, name, about, language)
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            llm = self.context.runtime.llm() if self.writer_today(writer) else None
            estimate = estimate_fill(form, about, self._filler(graph, llm, watcher))
        return (f"llm:{llm.model}" if llm else "facts"), estimate, price(estimate.usage, self.context.runtime.settings)

    def _filler(self, graph: Graph, llm: LLM | None, watcher: ProgressCallbacks) -> Filler:
        from filigraph.graph.fill import Filler

        runtime, name = self.context.runtime, graph.workspace.name
        return Filler(
            graph=graph,
            embedder=runtime.embedder_of(graph.workspace),
            reranker=runtime.reranker(),
            llm=self.context.metered(name)(llm) if llm else None,
            timeout=runtime.settings.llm_timeout,
            cancelled=watcher.cancelled,
        )

    def writer_today(self, writer: FieldWriter) -> str:
        """The LLM that would fill fields now, "" for none. Raises InputError if one is wanted and there is none."""
        llm = None if writer == "facts" else self.context.runtime.llm()
        if llm is None and writer == "llm":
            raise InputError("No LLM is available.", cure="See `filigraph doctor`, or fill the form from the facts.")
        return llm.model if llm else ""

    # ---- show, correct

    def filled(self, workspace: str, name: str, about: str, language: str, *, view: View = ALL) -> FilledForm:
        """A form with the values of its fields and the sentences that support them; in a view only values that depend
        on nothing hidden. Raises NotFound, InputError."""
        from filigraph.graph.views.forms import visible_fields

        about = normalized_subject(about)
        form = self.form_about(workspace, name, about, language)
        with self.context.connected():
            graph = self.context.runtime.graph(workspace)
            values, places = graph.field_values(name, about), graph.field_places(name, about)
            fields = tuple(
                FilledField(field=field, value=value, places=_places_of_value(value, places.get(field.id, ())))
                for field in form.fields
                for value in (values.get(field.id),)
            )
            if view:
                seen = self._views.open(workspace, view, self.context.runtime.stopping.is_set)
                fields = visible_fields(fields, seen.derived)
        return FilledForm(form=form, about=about, fields=fields)

    def correct(self, workspace: str, name: str, field: str, *, about: str, values: Sequence[str] | None) -> FilledForm:
        """Store a person's own value of a field; None removes it. Raises NotFound, InputError."""
        about = normalized_subject(about)
        form = self.form_about(workspace, name, about, "")
        form_field = next((other for other in form.fields if other.id == field), None)
        if form_field is None:
            raise NotFound(
                f"The form {name} has no field {field[:80]!r}.", cure=f"`filigraph form show {name}` lists them."
            )
        if values is not None:
            texts = [text for value in values if (text := " ".join(value.split()))]
            most = MOST_VALUES if form_field.type == "list" else 1
            if len(texts) > most:
                holds = "one value" if most == 1 else f"{most} values at most"
                raise InputError(f"The field {field} holds {holds}.", cure="Give fewer, or none to leave it empty.")
            values = texts
        with self.context.connected():
            self.context.runtime.graph(workspace).correct_field(name, about, field, values)
        return self.filled(workspace, name, about, "")


def normalized_subject(about: str) -> str:
    return " ".join(about.split())


def _places_of_value(value: FieldValue | None, places: Sequence[FieldPlace]) -> tuple[FieldPlace, ...]:
    """The sentences of a value. For a person's own value only those that contain it: the others support the value
    before it."""
    from filigraph.graph.forms.check import occurrences

    if value is None or value.corrected is None:
        return tuple(places)
    return tuple(place for place in places if any(occurrences(own, place.text) for own in value.corrected))
