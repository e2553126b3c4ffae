"""Filled forms as files."""

from __future__ import annotations

import io

import docx
import pytest

from filigraph.graph.model.forms import FieldValue, Form, FormField
from filigraph.graph.records.forms import FilledField, FilledForm
from filigraph.graph.transfer.forms import export_form

FRENCH = ("Fiche du dossier", "Qui a vu la victime pour la dernière fois ?", "Quelles sommes ont été versées ?")
ENGLISH = ("Sheet of the case", "Who was the last person to see the victim?", "Which sums were paid to whom?")


def filled(title: str, who: str, sums: str) -> FilledForm:
    fields = (FormField(id="who", question=who, type="entity"), FormField(id="sums", question=sums, type="list"))
    value = FieldValue(form="sheet", about="", field="who", state="not_found")
    return FilledForm(
        form=Form(name="sheet", title=title, fields=fields, text=""),
        about="",
        fields=(
            FilledField(field=fields[0], value=value, places=()),
            FilledField(field=fields[1], value=None, places=()),
        ),
    )


@pytest.mark.parametrize(
    "words, states",
    [(FRENCH, ("non trouvé", "pas encore demandé")), (ENGLISH, ("not found", "not asked yet"))],
)
def test_the_state_of_a_field_is_in_the_form_s_language(words: tuple[str, str, str], states: tuple[str, str]) -> None:
    markdown = export_form(filled(*words), "markdown").decode()
    document = docx.Document(io.BytesIO(export_form(filled(*words), "docx")))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    for state in states:
        assert f"({state})" in markdown
        assert f"({state})" in text
