"""`Forms`: the forms of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from filigraph.app.client.addresses import path
from filigraph.app.client.rest import Client
from filigraph.app.schemas.forms import FillEstimateOut, FormOut, FormRowOut, FormsOut, Writer
from filigraph.app.schemas.jobs import JobOut
from filigraph.graph.transfer.forms import FormFormat


class Forms:
    """Forms: fields with questions that are filled from the documents."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, language: str = "") -> list[FormRowOut]:
        """The forms of the workspace and the built-in ones."""
        return FormsOut.model_validate(self._client.get(self._path(), language=language)).forms

    def set(self, name: str, form: str) -> FormRowOut:
        """Store a form, given as YAML or JSON."""
        return FormRowOut.model_validate(self._client.put(self._path(name), {"form": form}))

    def show(self, name: str, *, about: str = "", language: str = "") -> FormOut:
        """A form with its values and their supporting sentences."""
        return FormOut.model_validate(self._client.get(self._path(name), about=about, language=language))

    def fill(self, name: str, *, about: str = "", writer: Writer = "auto", language: str = "") -> JobOut:
        """Submit a job that fills or updates a form; wait for it with `jobs.wait`."""
        body = {"about": about, "writer": writer, "language": language}
        return JobOut.model_validate(self._client.post(self._path(name, "fill"), body))

    def estimate(self, name: str, *, about: str = "", writer: Writer = "auto", language: str = "") -> FillEstimateOut:
        """Estimate the cost of filling a form, without calling an LLM."""
        params = {"about": about, "writer": writer, "language": language}
        return FillEstimateOut.model_validate(self._client.get(self._path(name, "fill", "estimate"), **params))

    def correct(self, name: str, field: str, values: Sequence[str], *, about: str = "") -> FormOut:
        """Set the values of a field by hand; later fills keep them. No values: the field is empty."""
        body = {"values": [*values], "about": about}
        return FormOut.model_validate(self._client.put(self._path(name, "fields", field), body))

    def undo(self, name: str, field: str, *, about: str = "") -> FormOut:
        """Remove the values set by `correct`."""
        address = f"{self._path(name, 'fields', field)}?{urlencode({'about': about})}"
        return FormOut.model_validate(self._client.delete(address))

    def export(self, name: str, format: FormFormat = "json", *, about: str = "", language: str = "") -> bytes:
        """A filled form as a file, with its sources as notes."""
        query = urlencode({"about": about, "language": language, "format": format})
        with self._client.download(f"{self._path(name, 'export')}?{query}") as response:
            return b"".join(response.iter_bytes())

    def remove(self, name: str) -> None:
        """Remove a form with its values; of a built-in form only the values."""
        self._client.delete(self._path(name))

    def _path(self, *parts: str) -> str:
        return path(self._workspace, "forms", *parts)
