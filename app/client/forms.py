"""`Forms`: the forms of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from filigraph.app.client.addresses import path
from filigraph.app.client.rest import Client
from filigraph.app.routes.form_schemas import FillEstimateOut, FormOut, FormRowOut, FormsOut, Writer
from filigraph.app.routes.job_schemas import JobOut
from filigraph.graph.transfer.forms import FormFormat


class Forms:
    """Forms: fields with questions, filled from the documents."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, language: str = "") -> list[FormRowOut]:
        """The workspace's own forms and the ready ones."""
        return FormsOut.model_validate(self._client.get(self._path(), language=language)).forms

    def set(self, name: str, form: str) -> FormRowOut:
        """Keep a form: YAML or JSON."""
        return FormRowOut.model_validate(self._client.put(self._path(name), {"form": form}))

    def show(self, name: str, *, about: str = "", language: str = "") -> FormOut:
        """A form with its values, and the sentences that they rest on."""
        return FormOut.model_validate(self._client.get(self._path(name), about=about, language=language))

    def fill(self, name: str, *, about: str = "", writer: Writer = "auto", language: str = "") -> JobOut:
        """Fill a form, or bring it up to date, as a job: `jobs.wait` waits for it."""
        asked = {"about": about, "writer": writer, "language": language}
        return JobOut.model_validate(self._client.post(self._path(name, "fill"), asked))

    def estimate(self, name: str, *, about: str = "", writer: Writer = "auto", language: str = "") -> FillEstimateOut:
        """What filling it would take. Nothing is asked."""
        asked = {"about": about, "writer": writer, "language": language}
        return FillEstimateOut.model_validate(self._client.get(self._path(name, "fill", "estimate"), **asked))

    def correct(self, name: str, field: str, values: Sequence[str], *, about: str = "") -> FormOut:
        """Give a field a value of one's own, which stays; none: it is empty."""
        body = {"values": [*values], "about": about}
        return FormOut.model_validate(self._client.put(self._path(name, "fields", field), body))

    def undo(self, name: str, field: str, *, about: str = "") -> FormOut:
        """Take a value of one's own back."""
        address = f"{self._path(name, 'fields', field)}?{urlencode({'about': about})}"
        return FormOut.model_validate(self._client.delete(address))

    def export(self, name: str, format: FormFormat = "json", *, about: str = "", language: str = "") -> bytes:
        """A filled form as a file, with its sources as notes."""
        asked = urlencode({"about": about, "language": language, "format": format})
        with self._client.download(f"{self._path(name, 'export')}?{asked}") as response:
            return b"".join(response.iter_bytes())

    def remove(self, name: str) -> None:
        """Remove a form with its values; of a ready one the values."""
        self._client.delete(self._path(name))

    def _path(self, *parts: str) -> str:
        return path(self._workspace, "forms", *parts)
