"""Folders that the server watches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In


class WatchFolderIn(In):
    """A folder to watch."""

    path: Annotated[str, Field(min_length=1, max_length=4096, description="Its absolute path on the server's machine.")]
    extractor: Annotated[Literal["auto", "local", "llm"], Field(description="The extractor.")] = "auto"


class WatchedFolderOut(BaseModel):
    """A folder that the server watches, with its results since it began."""

    id: Annotated[str, Field(description="Its id.")]
    path: Annotated[str, Field(description="Its path, without links.")]
    extractor: Annotated[str, Field(description="The extractor.")]
    added: Annotated[datetime, Field(description="Time when it was added, UTC.")]
    by: Annotated[str, Field(description="The key that added it.")]
    looked: Annotated[datetime | None, Field(description="Time of the last check; null: none since the server began.")]
    sent: Annotated[int, Field(description="New or changed files since the server began.")]
    job: Annotated[str, Field(description="The id of the last job; empty: none since the server began.")]
    gone: Annotated[
        list[str],
        Field(description="Documents whose files are gone, at most 100. They remain until you delete them."),
    ]
    problem: Annotated[str, Field(description="Why the last check failed; empty if it did not.")]
    skipped: Annotated[list[str], Field(description="The last unreadable files, each with its cause.")]


class WatchedFoldersOut(BaseModel):
    """Folders that the server watches."""

    folders: Annotated[list[WatchedFolderOut], Field(description="In the order in which they were added.")]
