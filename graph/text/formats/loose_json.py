"""Lenient parser for the JSON of language models: fenced, wrapped in prose, with trailing commas, bad escapes or single
quotes, truncated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import unescape
from typing import Any

from filigraph.graph.text.formats.plain_yaml import YAMLError, plain_yaml

MAX_REPAIRED_CHARS = 60_000  # characters: json_repair takes seconds for a hostile text ten times as long

_STRING = r'"(?:[^"\\]|\\.)*+"'
_STRING_OR_REST = f"{_STRING}?"  # one without an end, too: or each quote in it would be read to the end of the text
_TRAILING_COMMA = re.compile(rf"({_STRING_OR_REST})|,(?=\s*[\]}}])", re.DOTALL)
_WIDE_SIGN = re.compile(rf"({_STRING_OR_REST})|([：，［］｛｝])", re.DOTALL)  # between the strings of Chinese models
_AS_PLAIN = str.maketrans("：，［］｛｝", ":,[]{}")
_FLAT = re.compile(rf'\{{(?:[^{{}}"]|{_STRING})*+\}}', re.DOTALL)
# A number or numbers, then strings: [3, "Paul", "wears", "ring"]
_ROW = re.compile(rf"\[\s*(?:\d+|\[[\d\s,]*+\])(?:\s*,\s*{_STRING})++\s*,?\s*\]", re.DOTALL)
_FENCED = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)|\Z)", re.DOTALL | re.MULTILINE)
_YAML = re.compile(r"\s*(?:---\s+)?[a-z_]{2,20}:(?:\s*$|[ \t]+\S)", re.MULTILINE)
_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟″", '"'))
_DECODER = json.JSONDecoder(strict=False)  # allows raw newlines inside strings


def whole_object(text: str) -> dict[str, Any] | None:
    """The JSON object in `text`, in a fence or between the first "{" and the last "}"; None if it is not a complete
    object. It repairs a complete object that is not quite JSON (unknown escapes, single quotes).
    """
    if '"' not in text:
        text = unescape(text) if "&quot;" in text else text.translate(_STRAIGHT)
    candidates = [region for region in map(_between_outer_braces, [*_FENCED.findall(text), text]) if region]
    readers: tuple[Callable[[str], Any], ...] = (
        _DECODER.decode,
        _decoded_without_commas,
        _decoded_with_plain_signs,
        _repair_if_complete,
    )
    for read in readers:
        for candidate in candidates:
            try:
                value = read(candidate)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                return value
    return None


def yaml_object(text: str) -> dict[str, Any] | None:
    """The mapping in a reply that is YAML, in a fence or not."""
    for candidate in (*_FENCED.findall(text), text):
        if _YAML.match(candidate):
            with suppress(YAMLError, ValueError, RecursionError):
                if isinstance(value := plain_yaml(candidate), dict):
                    return value
    return None


def cut_object(text: str) -> dict[str, Any] | None:
    """The complete part of a truncated object, up to its last "]" or "}"; None if there is none."""
    begin, end = text.find("{"), max(text.rfind("]"), text.rfind("}"))
    if begin < 0 or end < begin:
        return None
    try:
        value = _repair(text[begin : end + 1])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def breaks_off(text: str) -> bool:
    """Whether more brackets are opened in `text` than closed."""
    return text.count("{") > text.count("}") or text.count("[") > text.count("]")


def innermost_objects(text: str) -> Iterator[dict[str, Any]]:
    """All complete objects without nested objects in `text`, in order: salvages a truncated reply.

    Linear in the length of `text`: each "{" is visited once and scanned to the next "}" or "{" outside strings.
    """
    for match in _FLAT.finditer(text):
        try:
            value = _decoded_or_mended(match[0])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def rows(text: str) -> Iterator[list[Any]]:
    """All complete arrays in `text` that consist of a number or an array of numbers, followed by strings."""
    for match in _ROW.finditer(text):
        try:
            value = _decoded_or_mended(match[0])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list):
            yield value


def _between_outer_braces(text: str) -> str:
    begin, end = text.find("{"), text.rfind("}")
    return text[begin : end + 1] if 0 <= begin < end else ""


def _decoded_without_commas(text: str) -> Any:
    return _DECODER.decode(_TRAILING_COMMA.sub(lambda match: match[1] or "", text))


def _decoded_with_plain_signs(text: str) -> Any:
    return _decoded_without_commas(_WIDE_SIGN.sub(lambda m: m[1] or m[2].translate(_AS_PLAIN), text))


def _decoded_or_mended(text: str) -> Any:
    try:
        return _decoded_without_commas(text)
    except ValueError:
        return _repair_if_complete(text)


def _repair_if_complete(text: str) -> Any:
    """Raises ValueError if brackets are missing: any repair would be a guess."""
    if text.count("{") != text.count("}") or text.count("[") != text.count("]"):
        raise ValueError("not complete")
    return _repair(text)


def _repair(text: str) -> Any:
    from json_repair import loads

    if len(text) > MAX_REPAIRED_CHARS:
        raise ValueError("too long")
    return loads(text)
