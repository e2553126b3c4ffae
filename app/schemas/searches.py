"""What the routes of saved searches take and give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, SourceName
from filigraph.app.schemas.passages import NamingPassageOut
from filigraph.app.schemas.questions import AskedViewIn

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
    """What a search looks for: words, or what `GET .../passages` takes."""

    text: Annotated[str, Field(max_length=200, description="Words in their order.")] = ""
    name: Annotated[
        list[Name],
        Field(default_factory=list, max_length=MOST_NAMES, description="Names of entities: a passage names all."),
    ]
    type: Annotated[
        list[Name],
        Field(default_factory=list, max_length=MOST_NAMES, description="Types: a passage names one of each."),
    ]
    predicate: Annotated[str, Field(max_length=200, description="A passage states a fact with it.")] = ""
    within: Annotated[
        Literal["passage", "document"], Field(description="Whether all stand in one passage or in one document.")
    ] = "passage"
    source: Annotated[
        list[SourceName], Field(default_factory=list, max_length=1000, description="Only in these documents.")
    ]
    where: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=100,
            description="Only in those whose metadata say so.",
            examples=[{"date>=": "1904-03-01"}],
        ),
    ]
    view: Annotated[
        AskedViewIn, Field(default_factory=AskedViewIn, description="As if only a part of the workspace had been read.")
    ]


class SaveSearchIn(In):
    """A search, to be saved under a name."""

    name: SearchName
    query: Annotated[SearchQueryIn, Field(description="What it looks for.")]
    view: Annotated[
        AskedViewIn | None,
        Field(description="What it finds in this view counts as seen. Left out: in the view of the query."),
    ] = None


class RunSearchIn(In):
    """Which hits of a saved search are shown."""

    first: Annotated[
        int, Field(ge=0, le=1_000_000_000, description="Begin with this hit; above 0 the last look goes on.")
    ] = 0
    count: Annotated[int, Field(ge=0, le=1000, description="How many; 0 counts them, and is not a look.")] = 50
    new: Annotated[bool, Field(description="Only the new ones.")] = False
    view: Annotated[AskedViewIn | None, Field(description="Instead of the view of the query.")] = None


class SavedSearchOut(BaseModel):
    """A saved search."""

    name: Annotated[str, Field(description="Its name.")]
    query: Annotated[SearchQueryIn, Field(description="What it looks for.")]
    at: Annotated[str, Field(description="When it was saved, as ISO 8601, UTC.")]
    looked: Annotated[str, Field(description="When its hits were shown last.")]

    @classmethod
    def of(cls, search: SavedSearch) -> SavedSearchOut:
        query = SearchQueryIn.model_validate(search.query)
        return cls(name=search.name, query=query, at=search.at, looked=search.looked)


class SavedSearchesOut(BaseModel):
    """The saved searches of whoever asks."""

    searches: Annotated[list[SavedSearchOut], Field(description="By name.")]


class SearchHitsOut(BaseModel):
    """What a saved search finds now, and what of it is new since its hits were shown last."""

    since: Annotated[str, Field(description="When that was.")]
    total: Annotated[int, Field(description="How many passages it finds.")]
    new: Annotated[int, Field(description="How many of them have a sentence that it did not find then.")]
    gone: Annotated[int, Field(description="How many sentences that it found then it does not find now.")]
    passages: Annotated[
        list[NamingPassageOut], Field(description="The first `new` of all are new; else in the order of reading.")
    ]


class DeletedSearchOut(BaseModel):
    """A saved search that is gone."""

    deleted: Annotated[str, Field(description="Its name.")]
