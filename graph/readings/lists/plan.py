"""The prompts for a list: passages in batches, numbered, with their documents, and what is to be listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from filigraph.graph.ids import content_id
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.text.list_questions import ListQuestion

VERSION = "1"  # bump whenever a reply would be interpreted differently
TEXT_TOKENS = 5600  # tokens of the passages of a call: it fits 8,192 with its reply
REPLY_TOKENS = 1600  # tokens
HEADING_TOKENS = 30  # tokens of what says where a passage is from
HASH_BITS = 64  # of the names of documents


@dataclass(frozen=True, kw_only=True)
class ListBatch:
    """Passages that are read together."""

    passages: Mapping[int, Passage]  # by their numbers in the prompt
    prompt: Prompt

    @cached_property
    def key(self) -> str:
        """The hash of the prompt. The prompt has only visible passages, so nothing that a view hides is part of it."""
        return content_id("list", self.prompt.user)

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(sorted(passage.id for passage in self.passages.values()))

    @property
    def usage(self) -> Usage:
        """What the call takes, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY_TOKENS)


def recipe(model: str) -> str:
    """The version of the prompt, and the model."""
    return f"{VERSION}:{prompt_hash('list')}:{model}"


def plan_list(question: ListQuestion, passages: Sequence[Passage]) -> list[ListBatch]:
    """Batches of passages in the order of their documents. A new document changes only the batches that it is in."""
    order = {passage.id: n for n, passage in enumerate(passages)}
    return [_batch(question, sorted(group, key=lambda one: order[one.id])) for group in _groups(passages)]


def _groups(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """A long document in pieces of its own; its rest, and short documents, with others."""
    rests = []
    for _, of_document in groupby(passages, key=lambda passage: passage.document_id):
        *full, rest = _pieces(of_document)
        yield from full
        rests.append(rest)
    yield from _together(rests, bits=0)


def _pieces(passages: Iterable[Passage]) -> list[list[Passage]]:
    pieces, room = list[list[Passage]](), 0
    for passage in passages:
        if not pieces or _size(passage) > room:
            pieces.append([])
            room = TEXT_TOKENS
        pieces[-1].append(passage)
        room -= _size(passage)
    return pieces


def _together(rests: Sequence[Sequence[Passage]], *, bits: int) -> Iterator[list[Passage]]:
    """Short documents in one batch, or in several by the bits of a hash of their names. So the neighbours of a
    document do not depend on the order of the others; they depend on their number only if a batch gets too large."""
    group = [passage for rest in rests for passage in rest]
    if len(rests) < 2 or bits == HASH_BITS or sum(map(_size, group)) <= TEXT_TOKENS:
        yield from [group] if group else []
        return
    halves: tuple[list[Sequence[Passage]], list[Sequence[Passage]]] = ([], [])
    for rest in rests:
        halves[int(content_id("list", rest[0].source), 16) >> bits & 1].append(rest)
    for half in filter(None, halves):
        yield from _together(half, bits=bits + 1)


def _size(passage: Passage) -> int:
    return estimate_tokens(passage.text) + HEADING_TOKENS


def _batch(question: ListQuestion, passages: Sequence[Passage]) -> ListBatch:
    numbered = dict(enumerate(passages, start=1))
    blocks, document = list[str](), ""
    for number, passage in numbered.items():
        heading = [_heading(passage)] if passage.document_id != document else []
        place = f" {passage.place}" if passage.place else ""
        blocks.append("\n".join([*heading, f"[{number}]{place}", passage.text.strip()]))
        document = passage.document_id
    extracts, question_text = "\n\n".join(blocks), " ".join(question.text.split())
    return ListBatch(
        passages=numbered,
        prompt=render("list", tag=fence(extracts, question_text), passages=extracts, question=question_text),
    )


def _heading(passage: Passage) -> str:
    title = passage.title if passage.title != passage.source else ""
    about = (passage.source, title, passage.date and f"of {passage.date}")
    return f"--- {', '.join(' '.join(part.split()) for part in about if part)}"
