"""Requests and responses of the routes of saved searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, SourceName
from filigraph.app.schemas.questions import AskedViewIn
from filigraph.graph.analysis.passages import NamingPassage

if TYPE_CHECKING:
    from filigraph.graph.annotations.searches import SavedSearch

MOST_NAMES = 10
Name = Annotated[str, Field(min_length=1, max_length=200)]
SearchName = Annotated[
    str,
    Field(
        pattern=r"^\w[^/\x00-\x1f\x7f]{0,99}$",
        description="The name of the search: it begins with a letter or digit, and has no slash.",
        examples=["Averill and the home"],
    ),
]


class SearchQueryIn(In):
    """The subject of a search: words, or the parameters of `GET .../passages`."""

    text: Annotated[str, Field(max_length=1000, description="Words, in this order.")] = ""
    name: Annotated[
        list[Name],
        Field(
            default_factory=list, max_length=MOST_NAMES, description="Names of entities: a passage names all of them."
        ),
    ]
    type: Annotated[
        list[Name],
        Field(default_factory=list, max_length=MOST_NAMES, description="Types: a passage names an entity of each."),
    ]
    predicate: Annotated[str, Field(max_length=200, description="A passage states a fact with this predicate.")] = ""
    within: Annotated[
        Literal["passage", "document"], Field(description="Whether all are in one passage, or in one document.")
    ] = "passage"
    source: Annotated[
        list[SourceName], Field(default_factory=list, max_length=1000, description="Only in these documents.")
    ]
    where: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=100,
            description="Only in documents with these metadata.",
            examples=[{"date>=": "1904-03-01"}],
        ),
    ]
    view: Annotated[
        AskedViewIn,
        Field(
            default_factory=AskedViewIn,
            description="The view of the search: as if only a part of the workspace had been read.",
        ),
    ]


class SaveSearchIn(In):
    """A search to save under a name."""

    name: SearchName
    query: Annotated[SearchQueryIn, Field(description="The query.")]
    view: Annotated[
        AskedViewIn | None,
        Field(description="The view whose current results count as seen. Default: the view of the query."),
    ] = None


class RunSearchIn(In):
    """Which hits of a saved search to show."""

    first: Annotated[
        int,
        Field(
            ge=0, le=1_000_000_000, description="Number of the first hit, from 0; above 0 it continues the last run."
        ),
    ] = 0
    count: Annotated[
        int, Field(ge=0, le=1000, description="Number of hits; 0 only counts them and does not mark them as seen.")
    ] = 50
    new: Annotated[bool, Field(description="Only new hits.")] = False
    view: Annotated[AskedViewIn | None, Field(description="A view in place of the query's.")] = None


class SavedSearchOut(BaseModel):
    """A saved search."""

    name: Annotated[str, Field(description="Its name.")]
    query: Annotated[SearchQueryIn, Field(description="The query.")]
    at: Annotated[str, Field(description="Time when it was saved, as ISO 8601, UTC.")]
    looked: Annotated[str, Field(description="Time when its hits were last shown.")]

    @classmethod
    def of(cls, search: SavedSearch) -> SavedSearchOut:
        query = SearchQueryIn.model_validate(search.query)
        return cls(name=search.name, query=query, at=search.at, looked=search.looked)


class SavedSearchesOut(BaseModel):
    """The saved searches of the key that asks."""

    searches: Annotated[list[SavedSearchOut], Field(description="By name.")]


class SearchHitsOut(BaseModel):
    """The current hits of a saved search, and which of them are new since its hits were shown last."""

    since: Annotated[str, Field(description="That time.")]
    total: Annotated[int, Field(description="Number of passages found.")]
    new: Annotated[int, Field(description="Number of passages with a sentence that was not found then.")]
    gone: Annotated[int, Field(description="Number of sentences that were found then and are not found now.")]
    passages: Annotated[
        list[NamingPassage], Field(description="The first `new` ones are new; otherwise in reading order.")
    ]


class DeletedSearchOut(BaseModel):
    """A deleted saved search."""

    deleted: Annotated[str, Field(description="Its name.")]
