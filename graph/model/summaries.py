"""Summaries and the sentences that they quote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A sentence of a passage."""

    chunk_id: Annotated[str, Field(description="The passage.")]
    start: Annotated[int, Field(description="Where it begins in the passage.")]
    end: Annotated[int, Field(description="Where it ends.")]
    text: Annotated[str, Field(description="The sentence.")]
    date: Annotated[str, Field(description="ISO 8601: the day, month or year that it names; empty in a summary.")] = ""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A summary of consecutive chunks (level 1) or summaries (above). The last level covers a document or a folder."""

    id: str  # hash(recipe, level, content): a changed chunk only affects its ancestors
    key: str  # hash(recipe, the summarized text): the same text is never paid for twice
    document_id: str  # "" if it covers several documents
    folder: str  # of the sources it covers, "." for sources without one, "" for all; "" if it covers one document
    level: int  # from 1
    index: int  # among those of its document or folder and level, in reading order, from 0
    title: str  # "chapter I - chapter VI", or the document's or folder's
    text: str
    quotes: tuple[Quote, ...]  # the sentences that it consists of; () if a model worded it
    timeline: tuple[Quote, ...]  # sentences that name a date, by date
    tags: tuple[str, ...]  # its subjects, in words of the text
    omissions: tuple[str, ...]  # what the model says it left out
    start: int  # offset in the document's text; 0 if it covers several documents
    end: int
    size: int  # tokens of the text that it covers, estimated
    recipe: str  # who wrote it: "extractive:1", "llm:mistral:5f0c"
    covers: tuple[str, ...]  # ids of chunks or summaries, in reading order
