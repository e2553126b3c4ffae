"""Requests and responses that many routes share.

A response that equals a dataclass of the library is that dataclass, whose fields have the descriptions. The models here
exist only in the API: requests, and responses made of several parts.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

JSON = dict[str, Any]
SourceName = Annotated[str, Field(max_length=4096)]  # of a document, or a pattern


class Out(BaseModel):
    """A response that is read from the dataclass with the same fields."""

    model_config = ConfigDict(from_attributes=True)


class In(BaseModel):
    """A request. An unknown field is an error: the server reports it and does not ignore it."""

    model_config = ConfigDict(extra="forbid")


class ErrorDetail(BaseModel):
    """Why a request failed, and what to do about it."""

    code: Annotated[str, Field(description="Stable; programs may depend on it.", examples=["not_found"])]
    cause: Annotated[str, Field(description="The cause, in one sentence.")]
    cure: Annotated[str, Field(description="What to do, in one sentence; may be empty.")]
    request_id: Annotated[str, Field(description="The id of the request, also in the server's log.")]


class ErrorEnvelope(BaseModel):
    """The one shape of every error."""

    error: Annotated[ErrorDetail, Field(description="The error.")]


class ReadDocumentOut(Out):
    """A document as it was when an answer was given."""

    id: Annotated[str, Field(description="The document's id.")]
    title: Annotated[str, Field(description="Its title.")]
    source: Annotated[str, Field(description="The source under which it was ingested.")]
    sha256: Annotated[str, Field(description="SHA-256 of its bytes: identifies the version that was read.")]
    language: Annotated[str, Field(description="ISO 639-1; empty if unknown.")]


class SourceIn(In):
    """Data about one uploaded file."""

    name: Annotated[str, Field(min_length=1, max_length=4096, description="Identifies the document in its workspace.")]
    media_type: Annotated[
        str, Field(max_length=200, description="Media type, as declared by the client; the bytes take precedence.")
    ] = ""
    metadata: Annotated[dict[str, str], Field(description='Free metadata, e.g. {"date": "1912-03-04"}.')] = {}
