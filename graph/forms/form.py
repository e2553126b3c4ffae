"""A form: fields with questions. Written in YAML, or JSON:

    title: {en: Case sheet, fr: Fiche d'affaire}
    fields:
      - id: victim
        group: {en: Parties, fr: Parties}
        question: {en: "Who is the victim?", fr: "Qui est la victime ?"}
        type: entity              # text, date, number, enum, list or entity
        required: true
      - id: outcome
        question: How did it end?
        type: enum
        values: [solved, open]

A text is a string, or one for each language. Where questions say `{about}`, the form has a subject ("Where was {about}
born?"), given when it is filled. Ready forms are in `templates/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from filigraph.graph.errors import InputError, without_prefix
from filigraph.graph.model.forms import FieldType, Form, FormField
from filigraph.graph.text.formats.plain_yaml import YAMLError, plain_yaml

ABOUT = "{about}"
MAX_ABOUT_CHARS = 200  # characters
MAX_FIELDS = 200
NAME = re.compile(r"[\w.-]{1,64}")
CURE = "docs/forms.md shows a form."


def _text_by_language(value: Any) -> Any:
    return {"": value} if isinstance(value, str) else value


_Language = Annotated[str, StringConstraints(pattern=r"^([a-z]{2})?$")]
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
_Texts = Annotated[dict[_Language, _Line], BeforeValidator(_text_by_language), Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _FieldFile(_Strict):
    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
    question: _Texts
    type: FieldType
    required: Annotated[bool, Field(strict=True)] = False
    group: _Texts | None = None
    help: _Texts | None = None
    values: Annotated[list[_Texts], Field(max_length=50)] = []


class _FormFile(_Strict):
    title: _Texts | None = None
    fields: Annotated[list[_FieldFile], Field(min_length=1, max_length=MAX_FIELDS)]


def read_form(name: str, text: str, *, language: str = "") -> Form:
    """Parse a form from YAML or JSON, in a language, by default the first one of each text. Raises InputError that says
    which field is wrong, why, and what to do."""
    if not NAME.fullmatch(name):
        raise InputError(f"{name[:80]!r} cannot be the name of a form.", cure="Use 1 to 64 letters, digits, . _ or -.")
    file = _read(text)
    fields = tuple(_field(file_field, language) for file_field in file.fields)
    _check(fields)
    return Form(
        name=name,
        title=_text_in_language(file.title, language) or name,
        fields=fields,
        text=text,
        about_one=any(ABOUT in field.question for field in fields),
    )


def languages_of(text: str) -> set[str]:
    """The languages of the questions of a valid form."""
    return {language for field in _read(text).fields for language in field.question}


def form_about(form: Form, subject: str) -> Form:
    """A form for a subject. Raises InputError if the form needs a subject and there is none, or the other way round."""
    subject = " ".join(subject.split())
    if form.about_one and not subject:
        raise InputError(f"The form {form.name} is about one person or thing.", cure="Name it (`--about NAME`).")
    if subject and not form.about_one:
        raise InputError(f"The form {form.name} is about all the documents.", cure="Leave out `about`.")
    if len(subject) > MAX_ABOUT_CHARS:
        raise InputError(f"What the form is about is longer than {MAX_ABOUT_CHARS} characters.", cure="Give its name.")
    fields = (replace(field, question=field.question.replace(ABOUT, subject)) for field in form.fields)
    return replace(form, fields=tuple(fields))


@lru_cache
def ready_forms() -> Mapping[str, str]:
    """The forms that come with Filigraph: name -> YAML."""
    folder = files("filigraph.graph.forms") / "templates"
    return {
        file.name.removesuffix(".yaml"): file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".yaml")
    }


# --------------------------------------------------------------------------------------------------------------------
# Reading one


def _read(text: str) -> _FormFile:
    try:
        value = plain_yaml(text)
        if not isinstance(value, dict):
            raise ValueError("it is not a list of `fields` with a `title`")
        return _FormFile.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"The form cannot be used: {_error_place(first, value)}.", cure=_error_cure(first)) from None
    except (YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"The form cannot be used: {reason}.", cure=CURE) from None


def _error_place(error: Any, value: Mapping[str, Any]) -> str:
    """Where the first mistake is, and what it is: "field 3 (victim), type: Input should be ..."."""
    place = [part for part in error["loc"] if part != "function-before"]
    message = without_prefix(error["msg"])
    if place[:1] != ["fields"] or len(place) < 2:
        return f"{'.'.join(map(str, place)) or 'the file'}: {message}"
    fields = value["fields"]
    field = fields[place[1]] if isinstance(fields, list) else {}
    id_ = f" ({str(field['id'])[:40]})" if isinstance(field, dict) and field.get("id") else ""
    rest = ".".join(str(part) for part in place[2:] if isinstance(part, str) or part)
    raw = error["input"]
    shown = f", not {json.dumps(raw, ensure_ascii=False)[:60]}" if isinstance(raw, str | int | float) else ""
    return f"field {place[1] + 1}{id_}{', ' + rest if rest else ''}: {message}{shown}"


def _error_cure(error: Any) -> str:
    match error["type"]:
        case "missing":
            return f"Give it `{error['loc'][-1]}`. {CURE}"
        case "extra_forbidden":
            allowed = ", ".join(_FieldFile.model_fields if error["loc"][0] == "fields" else _FormFile.model_fields)
            return f"Leave it out; there are {allowed}."
        case "literal_error":
            return f"Use one of {', '.join(get_args(FieldType))}."
        case _:
            return f"Correct it. {CURE}"


def _check(fields: Sequence[FormField]) -> None:
    """Raises InputError if two fields have one id, or if not all enums, and only enums, have `values`."""
    seen: set[str] = set()
    for number, field in enumerate(fields, start=1):
        place = f"The form cannot be used: field {number} ({field.id})"
        if field.id in seen:
            raise InputError(f"{place}: another field has that id.", cure="Give each field a different id.")
        seen.add(field.id)
        if (field.type == "enum") != bool(field.values):
            cause, cure = (
                ("it is an enum without `values`", "List what it may be: values: [yes, no].")
                if field.type == "enum"
                else ("`values` are of an enum", "Leave them out, or make it an enum.")
            )
            raise InputError(f"{place}: {cause}.", cure=cure)


def _field(field: _FieldFile, language: str) -> FormField:
    return FormField(
        id=field.id,
        question=_text_in_language(field.question, language),
        type=field.type,
        required=field.required,
        group=_text_in_language(field.group, language),
        help=_text_in_language(field.help, language),
        values=tuple(_text_in_language(value, language) for value in field.values),
    )


def _text_in_language(texts: Mapping[str, str] | None, language: str) -> str:
    return (texts or {}).get(language) or next(iter((texts or {"": ""}).values()))
