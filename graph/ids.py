"""Ids are hashes of content: the same input gives the same graph, in any order, on any machine, in any workspace.

An id has two parts: 32 hex digits that depend only on content, then 16 that identify the workspace, because all
workspaces share one database. So ids have the same order in every workspace, and decisions by their order are the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

from filigraph.graph.errors import InputError

CONTENT = 32  # hex digits of an id that depend only on content
WORKSPACE_NAME = r"^[\w.-]{1,64}$"
_FOLDERS = (".", "..")  # they have a meaning in an address


def content_id(kind: str, *parts: str) -> str:
    """A 128-bit hex id of `parts`; `kind` keeps ids of different things apart.

    Parts are length-prefixed, so ("ab", "c") and ("a", "bc") differ.
    """
    digest = hashlib.blake2b(digest_size=16, person=kind.encode()[:16])
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def workspace_tag(workspace: str) -> str:
    """The 16 hex digits that end every id of a workspace."""
    return content_id("workspace", workspace)[:16]


def content_part(id_: str) -> str:
    """An id without its workspace part."""
    return id_[:CONTENT]


def workspace_part(id_: str) -> str:
    """The part of an id that identifies its workspace."""
    return id_[CONTENT:]


def document_id(workspace: str, source: str) -> str:
    return content_id("document", source) + workspace_tag(workspace)


def chunk_id(document: str, text: str, occurrence: int) -> str:
    return _id_within(document, "chunk", text, str(occurrence))


def mention_id(document: str, key: str, type_: str) -> str:
    return _id_within(document, "mention", key, type_)


def part_id(mention: str, decision: str) -> str:
    """The id of a mention made of places that a person split off another one."""
    return _id_within(mention, "part", content_part(decision))


@lru_cache(maxsize=1 << 18)  # a change asks again for nearly all mentions of a workspace
def entity_id(smallest_mention: str) -> str:
    return _id_within(smallest_mention, "entity")


def fact_id(subject: str, predicate: str, object_: str) -> str:
    return _id_within(subject, "fact", predicate, content_part(object_))


def alias_group_id(workspace: str, document: str, names: tuple[str, ...]) -> str:
    return content_id("aliases", content_part(document), *sorted(set(names))) + workspace_tag(workspace)


def summary_id(workspace: str, recipe: str, level: int, covers: Sequence[str]) -> str:
    """The id of the summary that `recipe` makes of these chunks or summaries."""
    return content_id("summary", recipe, str(level), *map(content_part, covers)) + workspace_tag(workspace)


def search_id(workspace: str, owner: str, name: str) -> str:
    return content_id("search", owner, name) + workspace_tag(workspace)


def form_id(workspace: str, name: str) -> str:
    return content_id("form", name) + workspace_tag(workspace)


def form_fill_id(workspace: str, form: str, about: str) -> str:
    return content_id("fill", form, about) + workspace_tag(workspace)


def field_value_id(workspace: str, form: str, about: str, field: str) -> str:
    return content_id("value", form, about, field) + workspace_tag(workspace)


def contradiction_reading_id(workspace: str, key: str) -> str:
    return key + workspace_tag(workspace)


def cast_link_id(workspace: str, key: str) -> str:
    return key + workspace_tag(workspace)


def list_reading_id(workspace: str, key: str) -> str:
    return key + workspace_tag(workspace)


def correction_id(workspace: str, *content: str) -> str:
    """The id of a correction; ids in `content` are without their workspace part."""
    return content_id("decision", *content) + workspace_tag(workspace)


def _id_within(parent: str, kind: str, *parts: str) -> str:
    """An id of something that belongs to `parent`, and so to its workspace."""
    return content_id(kind, content_part(parent), *parts) + workspace_part(parent)


def check_workspace_name(name: str, what: str = "workspace") -> None:
    """Raises InputError for a name that cannot be one."""
    if not re.fullmatch(WORKSPACE_NAME, name) or name in _FOLDERS:
        raise InputError(
            f"{name[:80]!r} cannot name a {what}.",
            cure="Use 1 to 64 letters, digits, hyphens, underscores and dots.",
        )
