"""Fields filled by an LLM: one call for a batch, with a schema. Its reply is checked before it counts (`check.py`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.model.forms import FormField
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLM, LLMRequest, estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.formats.loose_json import innermost_objects, whole_object

REPLY_TOKENS_PER_FIELD = 90  # tokens for a field
REPLY_TOKENS_PER_LIST = 200  # for one that is a list
REPLY_TOKENS_FOR_FRAME = 40  # for the frame around them
MAX_VALUES = 30  # of a list
MAX_VALUE_CHARS = 600  # characters
MAX_NOTE_CHARS = 200


@dataclass(frozen=True, kw_only=True)
class FieldReply:
    """The LLM's reply for a field, unchecked."""

    values: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()  # of the cited extracts
    note: str = ""


def recipe(llm: LLM) -> str:
    """The identity of model and prompt: others may give other values."""
    return f"llm:{llm.model}:{prompt_hash('fill')}"


def prompt_of(fields: Sequence[FormField], evidence: str) -> Prompt:
    """What the model is asked."""
    listed = "\n".join(json.dumps(_field_for_prompt(field), ensure_ascii=False) for field in fields)
    return render("fill", tag=fence(evidence, listed), evidence=evidence, fields=listed)


def expected_usage(fields: Sequence[FormField], evidence: str) -> Usage:
    """What one call costs."""
    prompt = prompt_of(fields, evidence)
    return Usage(calls=1, tokens_in=estimate_tokens(prompt.system + prompt.user), tokens_out=_max_reply_tokens(fields))


def ask_fields(
    fields: Sequence[FormField], evidence: str, llm: LLM, *, timeout: float, cancelled: ShouldStop
) -> dict[str, FieldReply]:
    """The model's reply for each field, without unreadable ones. Raises as the
    LLM does."""
    prompt = prompt_of(fields, evidence)
    request = LLMRequest(
        prompt.user, system=prompt.system, schema=_schema(fields), max_tokens=_max_reply_tokens(fields), timeout=timeout
    )
    return parse_replies(llm.complete(request, cancel=cancelled), {field.id for field in fields})


def _field_for_prompt(field: FormField) -> dict[str, Any]:
    described: dict[str, Any] = {"id": field.id, "type": field.type, "question": field.question}
    return (
        described
        | ({"values": list(field.values)} if field.values else {})
        | ({"help": field.help} if field.help else {})
    )


def _max_reply_tokens(fields: Sequence[FormField]) -> int:
    return REPLY_TOKENS_FOR_FRAME + sum(
        REPLY_TOKENS_PER_LIST if field.type == "list" else REPLY_TOKENS_PER_FIELD for field in fields
    )


def _schema(fields: Sequence[FormField]) -> dict[str, Any]:
    text = {"type": "string"}
    field = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": [field.id for field in fields]},
            "values": {"type": "array", "items": text},
            "evidence": {"type": "array", "items": {"type": "integer"}},
            "note": text,
        },
        "required": ["id", "values", "evidence", "note"],
        "additionalProperties": False,
    }
    listed = {"type": "array", "items": field, "minItems": len(fields), "maxItems": len(fields)}
    return {"type": "object", "properties": {"fields": listed}, "required": ["fields"], "additionalProperties": False}


def parse_replies(text: str, wanted: set[str]) -> dict[str, FieldReply]:
    """The fields of a reply, even if it was truncated; of a field named twice, the first."""
    whole = whole_object(text)
    rows = whole.get("fields") if whole else None
    if not isinstance(rows, list):
        rows = [whole] if whole and "id" in whole else list(innermost_objects(text))
    replies: dict[str, FieldReply] = {}
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("id"), str) and row["id"] in wanted:
            replies.setdefault(row["id"], _parse_reply(row))
    return replies


def _parse_reply(row: Mapping[str, Any]) -> FieldReply:
    raw = row.get("values", row.get("value"))
    values = raw if isinstance(raw, list) else [raw]
    texts = [" ".join(str(value).split())[:MAX_VALUE_CHARS] for value in values if isinstance(value, str | int | float)]
    cited = row.get("evidence")
    numbers = cited if isinstance(cited, list) else [cited]
    note = row.get("note")
    return FieldReply(
        values=tuple(dict.fromkeys(filter(None, texts)))[:MAX_VALUES],
        numbers=tuple(dict.fromkeys(n for n in numbers if isinstance(n, int) and not isinstance(n, bool))),
        note=" ".join(note.split())[:MAX_NOTE_CHARS] if isinstance(note, str) else "",
    )
