"""LLMs that reply from a record of what the case files say (`gold.yaml`)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop

Gold = Mapping[str, Mapping[str, list[str]]]  # field -> values, quotes


class Recorded(ScriptedLLM):
    """A perfect reader: knows the file, and gives a value if the extracts contain the words."""

    def __init__(self, gold: Gold, model: str = "recorded") -> None:
        super().__init__({"": ""}, model=model)
        self._gold = gold

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        ids = re.findall(r'^\{"id": "(\w+)"', request.prompt, re.MULTILINE)
        extracts = dict(re.findall(r"^\[(\d+)\] (.*?)(?=^</extract)", request.prompt, re.MULTILINE | re.DOTALL))
        reply = json.dumps({"fields": [self._field(id_, extracts) for id_ in ids]}, ensure_ascii=False)
        tokens_in = estimate_tokens(request.system + request.prompt)
        self._usage += Usage(calls=1, tokens_in=tokens_in, tokens_out=estimate_tokens(reply))
        return reply

    def _field(self, id_: str, extracts: Mapping[str, str]) -> dict[str, Any]:
        known = self._gold.get(id_)
        quotes = [plain(quote) for quote in known["quotes"]] if known else []
        cited = [int(n) for n, text in extracts.items() if any(quote in plain(text) for quote in quotes)]
        return {"id": id_, "values": known["values"] if known and cited else [], "evidence": cited, "note": ""}


class Careless(Recorded):
    """Gives values of another file for any question, and cites the first extracts: all values are made up."""

    def _field(self, id_: str, extracts: Mapping[str, str]) -> dict[str, Any]:
        known = self._gold.get(id_)
        return {"id": id_, "values": known["values"] if known else [], "evidence": [1, 2, 3], "note": ""}


def plain(text: str) -> str:
    return " ".join(text.split())
