"""Which documents are meant: by their sources, and by what their metadata say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from filigraph.graph.ask.reader import AskGraph, GraphReader
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.rows import DocumentName

MOST_PATTERNS = 100  # each is compared with each document


def filtered_reader(graph: AskGraph, *, sources: Sequence[str], where: Mapping[str, str]) -> GraphReader:
    """The workspace, or those of its documents that match. Raises NotFound where none does."""
    if not sources and not where:
        return graph
    documents = matching_documents(graph.document_names(), sources=sources, where=where)
    if not documents:
        raise NotFound("No document is meant by these sources and conditions.", cure="Look at `documents`.")
    return graph.filtered([document.id for document in documents])


def matching_documents(
    documents: Iterable[DocumentName], *, sources: Sequence[str] = (), where: Mapping[str, str] | None = None
) -> list[DocumentName]:
    """The documents that one of `sources` names, if there are any, and whose metadata hold all of `where`.

    A source names a document that is called so; one that ends in `/` all in that folder; in one with `*` or `?`, these
    stand for any characters, or for one. Raises InputError for more patterns than MOST_PATTERNS.
    """
    patterns = [
        f"{source}*" if source.endswith("/") else source for source in sources if "*" in source or "?" in source
    ]
    if len(patterns) > MOST_PATTERNS:
        raise InputError(
            f"There are {len(patterns)} patterns among the sources.",
            cure=f"Give at most {MOST_PATTERNS}, or name documents and folders.",
        )
    exact = {source for source in sources if "*" not in source and "?" not in source}
    folders = tuple(source for source in exact if source.endswith("/"))
    wanted = (where or {}).items()

    def named(name: str) -> bool:
        return name in exact or name.startswith(folders) or any(_fits(pattern, name) for pattern in patterns)

    return [row for row in documents if wanted <= row.metadata.items() and (not sources or named(row.source))]


def _fits(pattern: str, name: str) -> bool:
    """Whether `name` is what a pattern means, in at most len(pattern) * len(name) steps: a star takes as little as it
    can, and only the last one ever has to take more (R. Salz's wildmat; no regular expression is bounded so)."""
    if len(pattern) - pattern.count("*") > len(name):
        return False
    at = here = 0  # in the pattern, in the name
    star: tuple[int, int] | None = None  # what follows the last star, and where its match begins in the name
    while here < len(name):
        if at < len(pattern) and pattern[at] == "*":
            at += 1
            star = (at, here)
        elif at < len(pattern) and pattern[at] in ("?", name[here]):
            at += 1
            here += 1
        elif star is not None:
            star = (star[0], star[1] + 1)
            at, here = star
        else:
            return False
    return not pattern[at:].strip("*")
