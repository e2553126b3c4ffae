"""Forms of a workspace, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from filigraph.graph.ids import field_value_id, form_fill_id, form_id
from filigraph.graph.model.forms import FieldEvidence, FieldValue
from filigraph.graph.records.entities import EndEntity, NamedFact
from filigraph.graph.records.forms import FieldPlace, FillRow
from filigraph.graph.store.neo4j.database import Row, Run
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows
from filigraph.graph.text.places import marks_of, place_of

MAX_FACTS_PER_SENTENCE = 6  # of one sentence
EMPTY: Row = {"state": "open", "values": [], "normalized": "", "note": "", "key": "", "recipe": ""}


class FormPart(GraphPart):
    """The forms of a workspace, and their values."""

    def forms(self) -> dict[str, str]:
        """The forms of the workspace: name -> YAML or JSON."""
        return {row["form"]["name"]: row["form"]["text"] for row in self._rows("forms")}

    def write_form(self, name: str, text: str) -> None:
        """Store a form. The values of an earlier form with its name remain until it is filled again."""
        self._alter(lambda run: run("write_form", workspace=self._name, id=self._form_id(name), name=name, text=text))

    def remove_form(self, name: str) -> bool:
        """Delete a form with its values; returns whether it existed."""

        def work(run: Run) -> bool:
            run("remove_fills", workspace=self._name, form=name)
            return bool(run("remove_form", workspace=self._name, id=self._form_id(name))[0]["removed"])

        return self._alter(work)

    def fills(self) -> list[FillRow]:
        """The subjects for which forms were filled."""
        rows = self._rows("fills")
        return [FillRow(form=row["form"], about=row["about"], states=tuple(sorted(row["states"]))) for row in rows]

    def field_values(self, form: str, about: str) -> dict[str, FieldValue]:
        rows = self._rows("field_values", id=self._fill(form, about))
        return {row["value"]["field"]: _value_of_row(row) for row in rows}

    def field_places(self, form: str, about: str) -> dict[str, list[FieldPlace]]:
        """The sentences that support the values of a form, by field."""
        by_field: dict[str, list[FieldPlace]] = {}
        for row in self._rows("field_evidence", id=self._fill(form, about), facts=MAX_FACTS_PER_SENTENCE):
            row["text"] = row["text"][row["start"] : row["end"]]
            places = marks_of(row.pop("places"))
            row["place"] = place_of(places, row["start"], row["end"], otherwise=row["place"])
            row["entities"] = tuple(EndEntity(id=entity["id"], name=entity["name"]) for entity in row["entities"])
            row["facts"] = tuple(NamedFact(**fact) for fact in row["facts"])
            by_field.setdefault(row.pop("field"), []).append(FieldPlace(**row))
        return by_field

    def write_field_values(self, values: Sequence[FieldValue]) -> None:
        """Store the values of fields; a person's own value remains next to them."""
        rows = [self._value_row(value) for value in values]
        if rows:
            self.database.write_batches(rows, self._write_values)

    def _write_values(self, run: Run, rows: list[Row]) -> None:
        run("write_form_fills", workspace=self._name, rows=rows)
        write_rows(run, "write_field_values", rows, workspace=self._name)
        run("forget_field_evidence", workspace=self._name, rows=rows)
        evidence = [{"id": row["id"], **item} for row in rows for item in row["evidence"]]
        if evidence:
            run("write_field_evidence", workspace=self._name, rows=evidence)

    def _value_row(self, value: FieldValue) -> Row:
        properties = asdict(value) | {"values": list(value.values)}
        del properties["evidence"], properties["corrected"]
        return {
            "id": field_value_id(self._name, value.form, value.about, value.field),
            "fill_id": self._fill(value.form, value.about),
            "form": value.form,
            "about": value.about,
            "properties": properties,
            "evidence": [{"n": n, **asdict(item)} for n, item in enumerate(value.evidence)],
        }

    def finish_fill(self, form: str, about: str, fields: Sequence[str]) -> None:
        """Delete the values of fields that the form does not have any more."""

        def work(run: Run) -> None:
            run("remove_other_values", workspace=self._name, id=self._fill(form, about), fields=list(fields))
            run("remove_empty_fills", workspace=self._name)

        self._alter(work)

    def correct_field(self, form: str, about: str, field: str, values: Sequence[str] | None) -> None:
        """Store a person's own value of a field; None deletes it."""
        fill = {"fill_id": self._fill(form, about), "form": form, "about": about}
        id_ = field_value_id(self._name, form, about, field)
        empty = {**EMPTY, "form": form, "about": about, "field": field}
        new_values = None if values is None else list(values)

        def work(run: Run) -> None:
            run("write_form_fills", workspace=self._name, rows=[fill])
            run("correct_field", workspace=self._name, fill_id=fill["fill_id"], id=id_, empty=empty, values=new_values)
            run("remove_open_values", workspace=self._name, id=id_)
            run("remove_empty_fills", workspace=self._name)

        self._alter(work)

    def named_places(self, chunk_ids: Sequence[str]) -> list[tuple[str, int, int]]:
        """The places of entities' names in chunks: chunk id, start, end."""
        rows = self._read_batches("named_places", dict.fromkeys(chunk_ids))
        return [(row["id"], row["start"], row["end"]) for row in rows]

    def _form_id(self, name: str) -> str:
        return form_id(self._name, name)

    def _fill(self, form: str, about: str) -> str:
        return form_fill_id(self._name, form, about)


def remove_values_of(run: Run, workspace: str, chunk_ids: Sequence[str]) -> None:
    """Delete the values that chunks support which are about to be deleted."""
    run("remove_values_of_chunks", workspace=workspace, ids=list(chunk_ids))
    run("open_values_of_chunks", workspace=workspace, ids=list(chunk_ids), empty=EMPTY)
    run("remove_empty_fills", workspace=workspace)


def _value_of_row(row: Row) -> FieldValue:
    value: dict[str, Any] = dict(row["value"])
    corrected = value.pop("corrected", None)
    return FieldValue(
        **{**value, "values": tuple(value["values"])},
        corrected=None if corrected is None else tuple(corrected),
        evidence=tuple(FieldEvidence(**item) for item in row["evidence"]),
    )
