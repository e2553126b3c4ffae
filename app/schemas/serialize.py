"""Values to JSON and back: the dataclasses of the library and the models of the API alike."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """A value as JSON data, with the fields that the API shows."""
    cls: Any = type(value)
    return _adapter(cls).dump_python(value, mode="json")


def from_json(cls: type[T], data: object) -> T:
    """A value of JSON data. Raises ValidationError."""
    read: T = _adapter(cast(Any, cls)).validate_python(data)
    return read


@cache
def _adapter(cls: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(cls)
