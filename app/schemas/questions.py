"""How a question is asked: what it is, and how to look."""

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
    """How cosine and cross-encoder are weighed: ann_weight x cosine + the rest x cross-encoder."""

    ann_weight: Annotated[float, Field(ge=0, le=1, description="What the cosine with the question weighs.")] = 0.2
    min_rerank: Annotated[
        float, Field(ge=0, le=1, description="A passage that the cross-encoder scores lower goes,")
    ] = 0.35
    min_ann: Annotated[float, Field(ge=0, le=1, description="unless its cosine is at least this.")] = 0.55
    candidates: Annotated[
        int, Field(ge=1, le=200, description="How many passages the cross-encoder is shown; `keep` of them stay.")
    ] = 30
    neighbours: Annotated[bool, Field(description="Whether each that stays brings the passage next to it.")] = True


class ViewIn(In):
    """Which part of the workspace is visible: names and facts are derived from that part alone, as if nothing else had
    been read. All that is given holds together."""

    sources: Annotated[
        list[SourceName],
        Field(default_factory=list, max_length=1000, description="These documents alone: sources, folders, patterns."),
    ]
    where: Annotated[
        dict[str, str],
        Field(default_factory=dict, max_length=100, description="Those alone whose metadata say so."),
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
            description="All but these decisions of persons, by id. `difference` of the answer says what that changes.",
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
            description="`DOCUMENT:place`: of this document nothing behind the end of a chapter, page, share of the "
            "text or passage.",
            examples=[["The Moonstone:chapter 12"], ["moonstone.txt:40 %"]],
        ),
    ]
    within: Annotated[
        list[Annotated[str, Field(max_length=4200)]],
        Field(
            default_factory=list,
            max_length=100,
            description="These parts of documents alone, each a document or `DOCUMENT:place`: a part, a chapter, a "
            "page, a share of the text, a passage, or a range of them. A passage over the edge of one is visible.",
            examples=[["The Moonstone:First Period"], ["moonstone.txt:chapter 1-10", "letters.txt"]],
        ),
    ]
    as_of: Annotated[
        str,
        Field(
            max_length=30,
            description="No document that is later than this date. One that is dated by its year counts as of the end "
            "of that year.",
            examples=["1904-05-03"],
        ),
    ] = ""
    dated_by: Annotated[str, Field(max_length=100, description="The metadata field that has a document's date.")] = DATE
    undated: Annotated[
        Literal["in", "out"], Field(description="With `as_of`: whether documents without a date are visible.")
    ] = "in"


class AskedViewIn(ViewIn):
    """A view, or the name of one that the workspace keeps."""

    named: Annotated[
        str,
        Field(max_length=64, description="The view that the workspace keeps under this name, instead of all the rest."),
    ] = ""


class SearchIn(In):
    """How to look."""

    depth: Annotated[Literal[2, 3, 4], Field(description="How many hops a path may have.")] = 4
    keep: Annotated[int, Field(ge=1, le=50, description="How many pieces of evidence to keep.")] = 10
    method: Annotated[
        Method, Field(description="The walk (filigraph), or plain search: by words and vectors, by vectors, by words.")
    ] = "filigraph"
    profile: Annotated[
        Profile | None,
        Field(
            description="Which evidence, in which order: detail (the best first), synthesis (the whole text, from its "
            "summaries), entity (every mention, in reading order), recent (the newest first). Left out: as the "
            "question's words tell."
        ),
    ] = None
    shares: Annotated[
        dict[Group, float],
        Field(
            default_factory=dict,
            description="What share of the budget summaries get, where there are some: overview (chapters and more), "
            "windows (some two pages each); passages have the rest. Left out: as the workspace's settings or the "
            "profile say.",
            examples=[{"overview": 0.8, "windows": 0.15}],
        ),
    ]
    today: Annotated[
        str,
        Field(
            max_length=10,
            description='What "yesterday" or "last week" in the question counts from; left out: the current day.',
            examples=["1912-04-10"],
        ),
    ] = ""
    rerank: Annotated[
        bool | None,
        Field(
            description="Whether a cross-encoder has a say. Left out: where one is loaded, but not on a look-up (who, "
            "when, where, a name, a date, a number) about one entity whose best path has one hop."
        ),
    ] = None
    blend: Annotated[
        BlendIn | None,
        Field(
            description="Rerank by cosine and cross-encoder alone; `{}` takes the defaults. Paths reserve no places "
            "then. Needs a cross-encoder. Left out: by the walk and, where one is loaded, a cross-encoder.",
            examples=[{}, {"ann_weight": 0.3, "candidates": 50}],
        ),
    ] = None
    vector_weight: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="What vectors weigh in hybrid search, the rest being the weight of words: 1 is vectors alone. "
            "Left out: as the languages and the embedder ask for. The walk needs it only where no fact and no title "
            "leads on.",
        ),
    ] = None
    budget_tokens: Annotated[
        Annotated[int, Field(ge=100, le=100_000)] | Budget | None,
        Field(
            description="How many tokens of evidence, or small (1,200), medium (3,000), large (8,000): in the LLM's "
            "prompt (left out: medium); of a search without an answer, what such a prompt would hold (left out: all of "
            "it).",
        ),
    ] = None
    min_score: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="Passages whose `cosine` with the question is lower go, but for those behind a path. Not "
            "applied where the embedder does not know the language; the trace says so.",
        ),
    ] = None
    entity_types: Annotated[
        list[Annotated[str, Field(max_length=100)]],
        Field(
            default_factory=list,
            max_length=50,
            description="Only paths one of whose ends is an entity of these types that the question does not name. "
            "Passages are found as ever.",
            examples=[["Person"]],
        ),
    ]
    path_types: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(
            default_factory=list,
            max_length=100,
            description="Only paths whose facts are said by these predicates, as `GET .../predicates` lists them. "
            "Passages are found as ever.",
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
        Field(description="Whether what the source code among the evidence calls comes along, where it is defined."),
    ] = False
    without_own: Annotated[bool, Field(description="Paths without facts that persons state.")] = False
    sources: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="Ask only these: a source, a folder that ends in /, or a pattern with * and ?, at most 100.",
        ),
    ]
    where: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=100,
            description="Ask only documents whose metadata say so. A key that ends in >=, <=, > or < asks for a range "
            "of dates or numbers; a date that is less exact than the bound (`1912`) may lie within.",
            examples=[{"date>=": "1912-03-01", "date<": "1912-04"}],
        ),
    ]

    view: Annotated[
        AskedViewIn | None,
        Field(
            description="Ask as if only a part of the workspace had been read. Unlike `sources` and `where`, which "
            "choose passages, this takes names and facts from the visible part alone.",
            examples=[{"until": ["The Moonstone:chapter 12"]}, {"as_of": "1904-05-03"}],
        ),
    ] = None

    def settings(self) -> dict[str, Any]:
        """How to look, as the engine takes it."""
        fields = self.model_dump(include=set(SearchIn.model_fields))
        fields["budget_tokens"] = BUDGETS.get(fields["budget_tokens"], fields["budget_tokens"])
        return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


class RetrieveIn(SearchIn):
    """A question, and how to look."""

    question: Question


class AnswerIn(SearchIn):
    """How a question is answered: by itself, as one of a file, or in a chat."""

    rounds: Annotated[
        int | None,
        Field(
            ge=1,
            le=10,
            description="How often the LLM may read: between two readings it looks for more. 1: it reads once. Null: "
            "as the server's settings say (4).",
        ),
    ] = None
    total_tokens: Annotated[
        int | None,
        Field(
            ge=1_000,
            description="How many tokens the LLM may read and write; when they are spent it must answer. Null: as the "
            "server's settings say (30,000).",
        ),
    ] = None
    seconds: Annotated[
        int | None,
        Field(
            ge=1,
            le=3600,
            description="After how many seconds the LLM must answer. Null: as the server's settings say (300).",
        ),
    ] = None
    llm: Annotated[
        bool,
        Field(description="With the LLM, where one is set up; false: without, so the answer is what the texts say."),
    ] = True

    def settings(self) -> dict[str, Any]:
        budgets = {"rounds": self.rounds, "total_tokens": self.total_tokens, "seconds": self.seconds}
        return super().settings() | budgets | {"llm": self.llm}


class AskIn(AnswerIn):
    """A question, and how to answer it."""

    question: Question
    compare: Annotated[
        bool, Field(description="Answer from vector search alone as well, to see what the graph adds.")
    ] = False
    thread: Annotated[
        str,
        Field(
            max_length=64,
            description="The `id` of a thread (of the trace of its first question) that this question goes on with: "
            '"and who paid her?" is then understood from what was asked before.',
        ),
    ] = ""
    stream: Annotated[
        bool,
        Field(
            description="Send lines of JSON: `retrieved` (evidence and paths), then `token`s, "
            "`round`s and what was `found` where the LLM looks for more, then the `answer`."
        ),
    ] = False
