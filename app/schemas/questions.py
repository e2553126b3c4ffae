"""Questions, and how to search for their answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from filigraph.app.schemas.common import In, SourceName
from filigraph.graph.ask.levels.context_budget import BUDGETS, Budget, Group
from filigraph.graph.model.retrieval import Method, Profile
from filigraph.graph.view import DATE

Question = Annotated[
    str, Field(description="In any language; at most 10,000 words.", examples=["Pourquoi se méfier de Jules ?"])
]


class BlendIn(In):
    """The weights of cosine and cross-encoder: ann_weight x cosine + the rest x cross-encoder."""

    ann_weight: Annotated[float, Field(ge=0, le=1, description="Weight of the cosine with the question.")] = 0.2
    min_rerank: Annotated[
        float, Field(ge=0, le=1, description="Passages with a lower score of the cross-encoder are dropped,")
    ] = 0.35
    min_ann: Annotated[float, Field(ge=0, le=1, description="unless its cosine is at least this.")] = 0.55
    candidates: Annotated[
        int, Field(ge=1, le=200, description="Number of passages for the cross-encoder; `keep` of them remain.")
    ] = 30
    neighbours: Annotated[bool, Field(description="Whether to add to each remaining passage the one next to it.")] = (
        True
    )


class ViewIn(In):
    """The visible part of the workspace: names and facts are derived from only that part, as if nothing else had been
    read. All given conditions apply together.
    """

    sources: Annotated[
        list[SourceName],
        Field(default_factory=list, max_length=1000, description="Only these documents: sources, folders, patterns."),
    ]
    where: Annotated[
        dict[str, str],
        Field(default_factory=dict, max_length=100, description="Only documents with these metadata."),
    ]
    without: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="All but these documents. `difference` of the answer says what that changes.",
        ),
    ]
    without_decisions: Annotated[
        list[Annotated[str, Field(max_length=64)]],
        Field(
            default_factory=list,
            max_length=1000,
            description="All but these decisions of people, by id. `difference` of the answer says what that changes.",
        ),
    ]
    without_facts: Annotated[
        list[Annotated[str, Field(max_length=200)]],
        Field(
            default_factory=list,
            max_length=1000,
            description="All but these facts, by id. `difference` of the answer says what that changes.",
        ),
    ]
    until: Annotated[
        list[Annotated[str, Field(max_length=4200)]],
        Field(
            default_factory=list,
            max_length=100,
            description=(
                "`DOCUMENT:place`: of this document nothing after the end of a chapter, page, share of the "
                "text or passage."
            ),
            examples=[["The Moonstone:chapter 12"], ["moonstone.txt:40 %"]],
        ),
    ]
    within: Annotated[
        list[Annotated[str, Field(max_length=4200)]],
        Field(
            default_factory=list,
            max_length=100,
            description=(
                "Only these parts of documents, each a document or `DOCUMENT:place`: a part, a chapter, a "
                "page, a share of the text, a passage, or a range of them. A passage across the edge of one "
                "is visible."
            ),
            examples=[["The Moonstone:First Period"], ["moonstone.txt:chapter 1-10", "letters.txt"]],
        ),
    ]
    as_of: Annotated[
        str,
        Field(
            max_length=30,
            description="No documents later than this date. One dated by its year counts as of the end of that year.",
            examples=["1904-05-03"],
        ),
    ] = ""
    dated_by: Annotated[str, Field(max_length=100, description="The metadata field with a document's date.")] = DATE
    undated: Annotated[
        Literal["in", "out"], Field(description="With `as_of`: whether documents without a date are visible.")
    ] = "in"


class AskedViewIn(ViewIn):
    """A view, or the name of a named view of the workspace."""

    named: Annotated[
        str,
        Field(max_length=64, description="The stored view of this name, in place of all other fields."),
    ] = ""


class SearchIn(In):
    """How to search."""

    depth: Annotated[Literal[2, 3, 4], Field(description="Maximum number of hops of a path.")] = 4
    keep: Annotated[int, Field(ge=1, le=50, description="Number of pieces of evidence to keep.")] = 10
    method: Annotated[
        Method, Field(description="The walk (filigraph), or plain search: by words and vectors, by vectors, by words.")
    ] = "filigraph"
    profile: Annotated[
        Profile | None,
        Field(
            description=(
                "Which evidence, in which order: detail (the best first), synthesis (the whole text, from its"
                " summaries), entity (every mention, in reading order), recent (the newest first). Default: "
                "from the words of the question."
            )
        ),
    ] = None
    shares: Annotated[
        dict[Group, float],
        Field(
            default_factory=dict,
            description=(
                "Share of the budget for summaries, if there are any: overview (chapters and more), windows "
                "(some two pages each); passages get the rest. Default: the workspace's settings, else the "
                "profile's."
            ),
            examples=[{"overview": 0.8, "windows": 0.15}],
        ),
    ]
    today: Annotated[
        str,
        Field(
            max_length=10,
            description=(
                'The day from which "yesterday" or "last week" in the question counts. Default: the current day.'
            ),
            examples=["1912-04-10"],
        ),
    ] = ""
    rerank: Annotated[
        bool | None,
        Field(
            description=(
                "Whether to use a cross-encoder. Default: if one is loaded, except for a look-up (who, when, "
                "where, a name, a date, a number) about one entity whose best path has one hop."
            )
        ),
    ] = None
    blend: Annotated[
        BlendIn | None,
        Field(
            description=(
                "Rerank only by cosine and cross-encoder; `{}` uses the defaults. Paths then have no reserved"
                " places. Needs a cross-encoder. Default: by the walk and, if one is loaded, a cross-encoder."
            ),
            examples=[{}, {"ann_weight": 0.3, "candidates": 50}],
        ),
    ] = None
    vector_weight: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description=(
                "Weight of vectors in hybrid search; words get the rest, and 1 means only vectors. Default: "
                "depends on the languages and the embedder. The walk needs it only if no fact or title leads "
                "on."
            ),
        ),
    ] = None
    budget_tokens: Annotated[
        Annotated[int, Field(ge=100, le=100_000)] | Budget | None,
        Field(
            description=(
                "Tokens of evidence, or small (1,200), medium (3,000), large (8,000): in the LLM's prompt "
                "(default: 5,800, medium if the LLM reads once); for a search without an answer, as much as such a "
                "prompt would hold (default: everything)."
            ),
        ),
    ] = None
    min_score: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description=(
                "Minimum `cosine` of a passage with the question, except for passages of a path. Ignored if "
                "the embedder does not know the language; the trace says so."
            ),
        ),
    ] = None
    entity_types: Annotated[
        list[Annotated[str, Field(max_length=100)]],
        Field(
            default_factory=list,
            max_length=50,
            description=(
                "Only paths with an end of these types that the question does not name. This does not "
                "restrict passages."
            ),
            examples=[["Person"]],
        ),
    ]
    path_types: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(
            default_factory=list,
            max_length=100,
            description=(
                "Only paths whose facts have these predicates, as `GET .../predicates` lists them. This does "
                "not restrict passages."
            ),
            examples=[["porte", "est l'emblème de"]],
        ),
    ]
    kinds: Annotated[
        list[Literal["function", "method", "class", "type", "module"]],
        Field(
            default_factory=list, max_length=5, description="Only source code of these kinds.", examples=[["method"]]
        ),
    ]
    expand_dependencies: Annotated[
        bool,
        Field(description="Whether to add the definitions of what the found source code calls."),
    ] = False
    without_own: Annotated[bool, Field(description="Only paths without facts that people stated.")] = False
    sources: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="Search only these: a source, a folder that ends in /, or a pattern with * and ?, at most 100.",
        ),
    ]
    where: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=100,
            description=(
                "Search only documents with these metadata. A key that ends in >=, <=, > or < means a range "
                "of dates or numbers; a date that is less exact than the bound (`1912`) may be in the range."
            ),
            examples=[{"date>=": "1912-03-01", "date<": "1912-04"}],
        ),
    ]

    view: Annotated[
        AskedViewIn | None,
        Field(
            description=(
                "Ask as if only a part of the workspace had been read. Unlike `sources` and `where`, which "
                "select passages, this also limits names and facts to the visible part."
            ),
            examples=[{"until": ["The Moonstone:chapter 12"]}, {"as_of": "1904-05-03"}],
        ),
    ] = None

    def settings(self) -> dict[str, Any]:
        """The settings of the search, for the engine."""
        fields = self.model_dump(include=set(SearchIn.model_fields))
        fields["budget_tokens"] = BUDGETS.get(fields["budget_tokens"], fields["budget_tokens"])
        return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


class RetrieveIn(SearchIn):
    """A question, and how to search."""

    question: Question


class AnswerIn(SearchIn):
    """How a question is answered: by itself, as one of a file, or in a chat."""

    rounds: Annotated[
        int | None,
        Field(
            ge=1,
            le=10,
            description=(
                "How often the LLM may read; between two readings it searches for more. 1: it reads once. "
                "Null: the server's setting (4)."
            ),
        ),
    ] = None
    total_tokens: Annotated[
        int | None,
        Field(
            ge=1_000,
            description=(
                "Maximum tokens that the LLM reads and writes; then it must answer. Null: the server's "
                "setting (30,000)."
            ),
        ),
    ] = None
    seconds: Annotated[
        int | None,
        Field(
            ge=1,
            le=3600,
            description="Seconds after which the LLM must answer. Null: the server's setting (300).",
        ),
    ] = None
    llm: Annotated[
        bool,
        Field(description="Use the LLM, if one is set up; false: without, so the answer consists of passages."),
    ] = True

    def settings(self) -> dict[str, Any]:
        budgets = {"rounds": self.rounds, "total_tokens": self.total_tokens, "seconds": self.seconds}
        return super().settings() | budgets | {"llm": self.llm}


class AskIn(AnswerIn):
    """A question, and how to answer it."""

    question: Question
    compare: Annotated[bool, Field(description="Also answer from vector search alone, for comparison.")] = False
    thread: Annotated[
        str,
        Field(
            max_length=64,
            description=(
                "The `id` of the thread (of the trace of its first question) that this question continues: "
                'then "and who paid her?" is understood from the earlier questions.'
            ),
        ),
    ] = ""
    stream: Annotated[
        bool,
        Field(
            description=(
                "Send lines of JSON: `retrieved` (evidence and paths), then `token`s, and `round`s and "
                "`found` results if the LLM searches for more, then the `answer`."
            )
        ),
    ] = False
