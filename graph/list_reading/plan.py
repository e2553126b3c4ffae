"""What an LLM is asked of a list: passages in batches, numbered, with their documents, and what is to be listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from filigraph.graph.ids import content_id
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.models.llm import Usage, estimate_tokens, fence
from filigraph.graph.models.prompts import Prompt, prompt_hash, render
from filigraph.graph.text.list_questions import ListQuestion

VERSION = "1"  # bump whenever a reply would be believed otherwise
ROOM = 5600  # tokens of the passages of a call: it fits 8,192 with its reply
REPLY = 1600  # tokens
HEADING = 30  # tokens of what says where a passage is from


@dataclass(frozen=True, kw_only=True)
class ListBatch:
    """Passages that are read together."""

    passages: Mapping[int, Passage]  # by their numbers in the prompt
    prompt: Prompt

    @cached_property
    def key(self) -> str:
        """What is asked, as a hash. It has the text of each passage, so what a view hides has no part in it."""
        return content_id("list", self.prompt.user)

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return tuple(sorted(passage.id for passage in self.passages.values()))

    @property
    def usage(self) -> Usage:
        """What the call takes, at most."""
        tokens = estimate_tokens(self.prompt.system + self.prompt.user)
        return Usage(calls=1, tokens_in=tokens, tokens_out=REPLY)


def recipe(model: str) -> str:
    """How lists are asked for, and of whom."""
    return f"{VERSION}:{prompt_hash('list')}:{model}"


def plan_list(question: ListQuestion, passages: Sequence[Passage], order: Mapping[str, int]) -> list[ListBatch]:
    """Batches of passages, those that come first in the first. Within a batch they stand as in their documents: `order`
    has the place of each chunk."""
    return [_batch(question, sorted(group, key=lambda one: order[one.id])) for group in _groups(passages)]


def calls_for(passages: Sequence[Passage]) -> int:
    """How many batches passages make."""
    return sum(1 for _ in _groups(passages))


def expected(batches: Sequence[ListBatch]) -> Usage:
    """What batches take, at most."""
    return sum((batch.usage for batch in batches), Usage())


def _groups(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    group, room = list[Passage](), ROOM
    for passage in passages:
        size = estimate_tokens(passage.text) + HEADING
        if group and size > room:
            yield group
            group, room = [], ROOM
        group.append(passage)
        room -= size
    if group:
        yield group


def _batch(question: ListQuestion, passages: Sequence[Passage]) -> ListBatch:
    numbered = dict(enumerate(passages, start=1))
    blocks, document = list[str](), ""
    for number, passage in numbered.items():
        heading = [_heading(passage)] if passage.document_id != document else []
        place = f" {passage.place}" if passage.place else ""
        blocks.append("\n".join([*heading, f"[{number}]{place}", passage.text.strip()]))
        document = passage.document_id
    extracts, asked = "\n\n".join(blocks), " ".join(question.text.split())
    return ListBatch(
        passages=numbered, prompt=render("list", tag=fence(extracts, asked), passages=extracts, question=asked)
    )


def _heading(passage: Passage) -> str:
    title = passage.title if passage.title != passage.source else ""
    about = (passage.source, title, passage.date and f"of {passage.date}")
    return f"--- {', '.join(' '.join(part.split()) for part in about if part)}"
