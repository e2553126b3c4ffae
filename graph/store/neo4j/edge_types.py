"""The relationship type of a fact in Neo4j Browser: a relation of the workspace's schema, else a type of the lists.

It is a pure function of the wording, its languages, the object's name and the workspace's settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import yaml

from filigraph.graph.ids import content_id
from filigraph.graph.store.neo4j.labels import safe_token
from filigraph.graph.text.verbs.predicates import normalized
from filigraph.graph.text.verbs.relation_lists import RelationType
from filigraph.graph.text.verbs.relation_types import lists_version, relation_type

TOGETHER = "mentioned with"  # the predicate of names that are side by side in a sentence, see `patterns/together.py`
CODE = frozenset({"DEFINES", "IMPORTS", "CALLS"})  # predicates of source code
UNTYPED = RelationType("RELATED_TO")  # for predicates that no list has


class EdgeTypes:
    """The relation types of one workspace."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._named = _relation_names(settings.get("schema", ""))

    @property
    def schema_types(self) -> frozenset[str]:
        """The types from the workspace's schema; all others are the same everywhere."""
        return frozenset(self._named.values())

    @property
    def version(self) -> str:
        """Changes whenever types may change."""
        return content_id(
            "types", lists_version(), *(f"{words}: {type_}" for words, type_ in sorted(self._named.items()))
        )

    def listed_type(self, predicate: str, object_: str, languages: Iterable[str]) -> RelationType:
        """The type from the lists only; `languages` of the chunks with the predicate, in a fixed order."""
        if predicate == TOGETHER or predicate in CODE:
            return RelationType(safe_token(predicate))
        relation_types = (relation_type(predicate, object_, language) for language in languages)
        return next(filter(None, relation_types), UNTYPED)

    def of(self, predicate: str, object_: str, languages: Iterable[str]) -> RelationType:
        """The type of a predicate with this object."""
        named = self._named.get(predicate.casefold())
        return RelationType(named) if named else self.listed_type(predicate, object_, languages)


@lru_cache(maxsize=64)
def _relation_names(schema: str) -> Mapping[str, str]:
    """The wordings of a schema's relations (valid YAML) -> the type of each."""
    parsed = yaml.safe_load(schema) if schema else {}
    relations = parsed.get("relations", []) if isinstance(parsed, dict) else []
    named: dict[str, str] = {}
    for relation in relations:
        type_ = safe_token(normalized(relation["name"], "en"))
        for language, words in relation.items():
            if type_ and isinstance(words, str) and language not in ("from", "to"):
                named.setdefault(normalized(words, "en" if language == "name" else language).casefold(), type_)
    return named
