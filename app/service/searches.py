"""Saved searches: a person stores one under a name, and each run shows first what is new since the last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import ValidationError

from filigraph.app.access.keys import LOCAL, Caller
from filigraph.app.schemas.searches import SearchHitsOut, SearchQueryIn
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.documents import Documents
from filigraph.app.service.graph.browse import ENTITY_ID, Browse
from filigraph.app.service.graph.views import Views
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.app.schemas.questions import AskedViewIn
    from filigraph.graph.analysis.passages import NamingPassage
    from filigraph.graph.annotations.searches import SavedSearch

MOST_SEARCHES = 1000  # of a person
MOST_HITS = 10_000  # passages of a saved search


class Searches:
    """The saved searches of workspaces, each seen by its person alone."""

    def __init__(self, context: ServiceContext, views: Views, browse: Browse, documents: Documents) -> None:
        self._context, self._views, self._browse, self._documents = context, views, browse, documents

    def listed(self, workspace: str, *, caller: Caller) -> list[SavedSearch]:
        """The saved searches that a caller sees, by name, without those of an import that this version cannot run."""
        owners = self._owners(workspace, caller)
        with self._context.connected():
            return [search for search in self._context.runtime.graph(workspace).searches(owners) if _can_run(search)]

    def save(
        self, workspace: str, name: str, query: SearchQueryIn, *, view: AskedViewIn | None, caller: Caller
    ) -> SavedSearch:
        """Store a search under a name, replacing one of the same name. What it finds now (in `view`) does not count as
        new later. Raises InputError, NotFound."""
        from filigraph.graph.annotations.searches import SavedSearch

        if any(ENTITY_ID.fullmatch(one) for one in query.name):
            raise InputError("A saved search needs names, because ids may change.", cure="Give the entity's name.")
        others = [one for one in self.listed(workspace, caller=caller) if one.name != name]
        if len(others) >= MOST_SEARCHES:
            raise InputError(f"You have {len(others):,} saved searches.", cure="Delete some that are not needed.")
        sentences = _sentences(self._find_passages(workspace, _query_in_view(query, view), caller))
        saved = SavedSearch(
            name=name,
            owner=self._owners(workspace, caller)[0],
            query=query.model_dump(exclude_defaults=True),
            at=_now(),
        ).after_showing(sentences, _now())
        with self._context.connected():
            self._context.runtime.graph(workspace).write_searches([saved])
        return saved

    def run(
        self,
        workspace: str,
        name: str,
        *,
        first: int,
        count: int,
        only_new: bool,
        view: AskedViewIn | None,
        caller: Caller,
    ) -> SearchHitsOut:
        """The passages that a search finds now, those with new sentences first. Asking for the first page (`first` 0)
        marks all sentences as seen; later pages keep the order of that page. `view` replaces the search's own. Raises
        InputError, NotFound."""
        from filigraph.graph.analysis.passages import new_first

        search = self._find_by_name(workspace, name, caller)
        query = _query_in_view(SearchQueryIn.model_validate(search.query), view)
        self._views.resolved(workspace, _caller_view(query, caller))
        try:
            hits = self._find_passages(workspace, query, caller)
        except NotFound:  # nothing has the name, type or predicate any more
            hits = []
        except InputError as error:
            error.cure += " Else delete the saved search."
            raise
        known = set(search.seen) - set(search.fresh) if first else set(search.seen)
        ordered, new = new_first(hits, known)
        sentences = _sentences(hits)
        if count and not first:
            with self._context.connected():
                self._context.runtime.graph(workspace).look_at_search(search, search.after_showing(sentences, _now()))
        shown = ordered[:new] if only_new else ordered
        return SearchHitsOut(
            since=search.before if first and search.before else search.looked,
            total=len(hits),
            new=new,
            gone=search.gone if first else len(set(search.seen) - sentences),
            passages=shown[first : first + count],
        )

    def delete(self, workspace: str, name: str, *, caller: Caller) -> None:
        """Delete a saved search. Raises NotFound."""
        search = self._find_by_name(workspace, name, caller)
        with self._context.connected():
            self._context.runtime.graph(workspace).delete_search(search)

    def _owners(self, workspace: str, caller: Caller) -> list[str]:
        """The owners whose searches a caller sees, its own first. A key for a whole workspace also sees those without
        an owner, from before there were keys."""
        if owner := self._views.owner(workspace, caller):
            return [owner]
        return [""] if caller == LOCAL else [caller.name, ""]

    def _find_by_name(self, workspace: str, name: str, caller: Caller) -> SavedSearch:
        searches = self.listed(workspace, caller=caller)
        named = sorted((search for search in searches if search.name == name), key=lambda search: not search.owner)
        if not named:
            raise NotFound(f"There is no saved search {name[:100]!r}.", cure="`filigraph searches list` shows all.")
        return named[0]

    def _find_passages(self, workspace: str, query: SearchQueryIn, caller: Caller) -> Sequence[NamingPassage]:
        """All passages that a search finds, in the order of reading. Raises InputError, NotFound."""
        from filigraph.graph.analysis.passages import passages_holding

        view = _caller_view(query, caller)
        if query.name or query.type or query.predicate:
            _, result = self._browse.passages_naming(
                workspace,
                query.name,
                in_document=query.within == "document",
                types=query.type,
                predicate=query.predicate,
                phrase=query.text,
                sources=query.source,
                where=query.where,
                first=0,
                count=MOST_HITS,
                view=view,
            )
            hits, total = result.passages, result.total
        else:
            if query.source or query.where or query.within == "document":
                raise InputError(
                    "`source`, `where` and `within` need a name, a type or a predicate.", cure="Give one of these."
                )
            places, total, _ = self._documents.find_phrase(workspace, query.text, first=0, count=MOST_HITS, view=view)
            with self._context.connected():
                hits = tuple(passages_holding(places, self._views.graph(workspace, view)))
        if total > MOST_HITS:
            raise InputError(
                f"It finds {total:,} passages; a saved search may find {MOST_HITS:,}.",
                cure=("Make the search narrower."),
            )
        return hits


def _sentences(hits: Sequence[NamingPassage]) -> set[str]:
    """The keys of all sentences of the hits."""
    from filigraph.graph.analysis.passages import sentence_keys

    return {key for passage in hits for key in sentence_keys(passage)}


def _can_run(search: SavedSearch) -> bool:
    try:
        SearchQueryIn.model_validate(search.query)
    except ValidationError:
        return False
    return True


def _query_in_view(query: SearchQueryIn, view: AskedViewIn | None) -> SearchQueryIn:
    return query if view is None else query.model_copy(update={"view": view})


def _caller_view(query: SearchQueryIn, caller: Caller) -> View:
    return caller.within(View.of(query.view.model_dump()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
