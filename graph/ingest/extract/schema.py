"""What an LLM is to look for: entity types, relations with the types they join, and examples. Written in YAML:

    name: case files
    mode: guide                  # or enforce: drop what is outside the schema; both report it
    types:
      Person:
      Organization: a firm, a gang, a police force
    relations:
      - {name: is member of, fr: est membre de, from: Person, to: Organization}
    examples:
      - sentences: ["Paul wears the Weavers' ring, says Ann."]
        names: {Person: [Paul, Ann], Organization: [Weavers]}
        facts: [[1, Paul, is member of, Weavers, Ann]]       # sentence, subject, predicate, object, according to, date
        implied: [[[1], Ann, knows, Paul]]                   # the same, with the sentences it follows from

A relation's other keys are languages; without `from` or `to` it joins any types; a name may occur twice, with other
types. `schemas/` has ready ones: `general` is the schema of a workspace without its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from filigraph.graph.errors import InputError, without_prefix
from filigraph.graph.ids import content_id
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.text.formats.plain_yaml import YAMLError, plain_yaml
from filigraph.graph.text.words import terms, tokens

MAX_NAMES = 12  # of one type
MAX_ALIASES = 8  # pairs of names of one thing; beside the facts
ALIAS = "alias"  # the predicate that joins two names of one thing; in every schema
DESCRIBED = "described"  # the predicate before words that describe a person: "young", "limps"
DESCRIPTION = "Description"  # the type of such words
OTHER = "Other"  # the type of things of none of the schema's types; not if the schema is enforced
MAX_TOKENS = 190  # max. tokens of the schema in a prompt: with 512 of text and the rules, the prompt stays within 1,000

Mode = Literal["guide", "enforce"]
Thoroughness = Literal["thorough", "thrifty"]


@dataclass(frozen=True, kw_only=True)
class ReplyLimit:
    """How much a model may say of one chunk."""

    facts: int
    implied: int
    tokens: int  # tokens of the reply, without thinking


BUDGETS: Mapping[Thoroughness, ReplyLimit] = {
    "thorough": ReplyLimit(
        facts=20, implied=4, tokens=1000
    ),  # excellent readings have 15 and 3 on average, in 480 tokens
    "thrifty": ReplyLimit(facts=8, implied=2, tokens=500),
}

_AUXILIARIES = {
    *("is", "are", "was", "were", "be", "been", "has", "have", "had"),
    *("est", "sont", "etait", "etaient", "fut", "furent", "ete", "a", "ont", "avait", "avaient", "eut"),
}


# --------------------------------------------------------------------------------------------------------------------
# The file


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
_Type = Annotated[str, StringConstraints(pattern=r"^\w[\w -]{0,39}$")]
_Types = Annotated[list[_Type], BeforeValidator(_as_list)]
_Fact = Annotated[list[Any], Field(min_length=4, max_length=6)]


class _RelationFile(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    __pydantic_extra__: dict[str, _Name]
    name: _Name
    from_: Annotated[_Types, Field(alias="from")] = []
    to: _Types = []

    @model_validator(mode="after")
    def _only_languages(self) -> _RelationFile:
        for key in self.__pydantic_extra__:
            if not re.fullmatch("[a-z]{2}", key):
                raise ValueError(f"{key!r} is neither name, from, to, nor a language such as fr")
        return self


class _ExampleFile(_Strict):
    sentences: Annotated[list[str], Field(min_length=1)]
    names: dict[_Type, list[str]]
    facts: list[_Fact] = []
    implied: list[_Fact] = []


class _SchemaFile(_Strict):
    name: _Name
    mode: Mode = "guide"
    types: Annotated[dict[_Type, str | None], Field(min_length=1, max_length=12)]
    relations: Annotated[list[_RelationFile], Field(max_length=40)] = []
    examples: Annotated[list[_ExampleFile], Field(min_length=1, max_length=3)]


# --------------------------------------------------------------------------------------------------------------------
# The schema


@dataclass(frozen=True, kw_only=True)
class Relation:
    """A relation type and what it may join."""

    name: str
    names: Mapping[str, str]  # by language, if it is not `name`
    subjects: tuple[str, ...]  # types; none: any
    objects: tuple[str, ...]

    def name_in(self, language: str) -> str:
        return self.names.get(language, self.name)

    def allows(self, subject_type: str, object_type: str) -> bool:
        return (not self.subjects or subject_type in self.subjects) and (
            not self.objects or object_type in self.objects
        )


@dataclass(frozen=True, kw_only=True)
class ExtractionSchema:
    """A parsed schema. `version` changes whenever the prompts change because of it."""

    name: str
    mode: Mode
    types: Mapping[str, str]  # with the meaning of each, "" if the name says it
    relations: tuple[Relation, ...]  # none: any
    examples: tuple[Mapping[str, Any], ...]
    text: str  # the text of the file

    @property
    def version(self) -> str:
        return content_id("schema", self.text, self.mode)

    @property
    def enforced(self) -> bool:
        return self.mode == "enforce"

    def type_names(self) -> list[str]:
        return [*self.types] if self.enforced or OTHER in self.types else [*self.types, OTHER]

    @property
    def _closed(self) -> bool:
        """Whether only its own predicates are allowed. Then the reply has facts as objects, whose predicate a JSON
        schema can constrain; otherwise as arrays, which are a third shorter.
        """
        return self.enforced and bool(self.relations)

    def prompt(self, language: str) -> str:
        """The text of the schema in a prompt: types that need an explanation, relations in the chunk's language,
        examples.
        """
        lines = []
        if meant := [f"{type_} ({meaning})" for type_, meaning in self.types.items() if meaning]:
            lines.append(f"Types: {', '.join(meant)}.")
        if self.relations:
            only = "No p but these" if self.enforced else "Take p from these where one fits"
            lines.append(f"{only}. {'; '.join(_patterns(self.relations, language))}.")
        return "\n".join([*lines, "", *map(self._example, self.examples)]).strip()

    def _example(self, example: Mapping[str, Any]) -> str:
        names = {type_: example["names"].get(type_, []) for type_ in self.type_names()}
        facts, implied = ([fact for fact in example[kind] if fact[2] != ALIAS] for kind in ("facts", "implied"))
        aliases = [[n, one, other] for n, one, is_, other, *_ in example["facts"] if is_ == ALIAS]
        if self._closed:
            keys = ("n", "s", "p", "o", "by", "when")
            facts, implied = (
                [
                    dict(zip(keys, [*fact, "", ""], strict=False)) | {"not": False}
                    for fact in group
                    if fact[2] != DESCRIBED
                ]
                for group in (facts, implied)
            )
        reply = {"names": names, "aliases": aliases, "facts": facts, "implied": implied}
        return f"{numbered(example['sentences'])}\n{json.dumps(reply, ensure_ascii=False, separators=(',', ':'))}"

    def reply_schema(self, language: str, budget: ReplyLimit) -> dict[str, Any]:
        """The JSON schema of a reply."""
        text, number = {"type": "string"}, {"type": "integer"}
        several = _list_of(number, 4)
        names = {type_: _list_of(text, MAX_NAMES) for type_ in self.type_names()}
        fact, implied = (_list_of({"anyOf": [n, text]}, 6, least=4) for n in (number, several))
        if self._closed:
            allowed = dict.fromkeys(relation.name_in(language) for relation in self.relations)
            ends = {"s": text, "p": {"type": "string", "enum": [*allowed, ALIAS]}, "o": text, "by": text, "when": text}
            ends["not"] = {"type": "boolean"}
            fact, implied = (_object_of(n=n, **ends) for n in (number, several))
        return _object_of(  # the number first: a small model then reads that sentence, and not all of them again
            names=_object_of(**names),
            aliases=_list_of(_list_of({"anyOf": [number, text]}, 3, least=3), MAX_ALIASES),
            facts=_list_of(fact, budget.facts),
            implied=_list_of(implied, budget.implied),
        )

    def fitting(self, predicate: str, language: str) -> list[Relation]:
        """The relations that a predicate expresses: "was seen by chance at" is "was seen at". Those with the most
        words.
        """
        predicate_terms = _content_terms(predicate, language)
        words = [(relation, _content_terms(relation.name_in(language), language)) for relation in self.relations]
        most = max((len(own) for _, own in words if own <= predicate_terms), default=0)
        return [relation for relation, own in words if len(own) == most and own <= predicate_terms]


def _content_terms(words: str, language: str) -> frozenset[str]:
    """The terms of a predicate, without auxiliaries if it has other words."""
    word_terms = [(token.folded, set(terms(token.text, language))) for token in tokens(words)]
    telling = [stems for word, stems in word_terms if word not in _AUXILIARIES] or [stems for _, stems in word_terms]
    return frozenset().union(*telling)


def _object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _list_of(items: Any, most: int, *, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": most} | ({"minItems": least} if least else {})


def _patterns(relations: Sequence[Relation], language: str) -> Iterator[str]:
    """The relations grouped by the types that they join: "Person to Place: lives in, was born in"."""
    by_ends: dict[str, list[str]] = {}
    for relation in relations:
        ends = f"{'|'.join(relation.subjects) or 'any'} to {'|'.join(relation.objects) or 'any'}"
        by_ends.setdefault(ends, []).append(relation.name_in(language))
    for ends, names in by_ends.items():
        yield f"{ends}: {', '.join(names)}"


def numbered(sentences: Sequence[str]) -> str:
    """Sentences as a model sees them: one per line, with numbers."""
    return "\n".join(f"{n}: {' '.join(sentence.split())}" for n, sentence in enumerate(sentences, start=1))


# Parsing a schema


def read_schema(text: str, *, mode: Mode | None = None) -> ExtractionSchema:
    """The schema in a YAML text; `mode` overrides the file's. Raises InputError that names the faulty place."""
    try:
        file = _SchemaFile.model_validate(plain_yaml(text))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise _schema_error(f"{place}: {without_prefix(first['msg'])}") from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise _schema_error(" ".join(str(error).split())) from None
    known = set(file.types)
    relations = tuple(
        Relation(name=r.name, names=dict(r.__pydantic_extra__), subjects=tuple(r.from_), objects=tuple(r.to))
        for r in file.relations
    )
    for relation in relations:
        if unknown := {*relation.subjects, *relation.objects} - known:
            raise _schema_error(
                f"the relation {relation.name!r} joins {sorted(unknown)[0]!r}, which is not among the types"
            )
    schema = ExtractionSchema(
        name=file.name,
        mode=mode or file.mode,
        types={name: " ".join((meaning or "").split()) for name, meaning in file.types.items()},
        relations=relations,
        examples=tuple(example.model_dump() for example in file.examples),
        text=text,
    )
    longest = max(estimate_tokens(schema.prompt(language)) for language in {"", *_languages(relations)})
    if longest > MAX_TOKENS:
        raise _schema_error(f"it takes {longest} tokens of every prompt, more than {MAX_TOKENS}")
    return schema


def _languages(relations: Sequence[Relation]) -> set[str]:
    return {language for relation in relations for language in relation.names}


def _schema_error(why: str) -> InputError:
    return InputError(f"The schema cannot be used: {why}.", cure="docs/schema.md describes the file.")


@lru_cache
def ready_schemas() -> Mapping[str, str]:
    """The schemas that come with Filigraph: name -> YAML."""
    folder = files("filigraph.graph.ingest.extract") / "schemas"
    return {
        file.name.removesuffix(".yaml"): file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".yaml")
    }


@lru_cache
def default_schema() -> ExtractionSchema:
    """The schema of a workspace without its own."""
    return read_schema(ready_schemas()["general"])
