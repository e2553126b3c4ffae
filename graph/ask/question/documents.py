"""The documents that a question is limited to: by their sources and their metadata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from unicodedata import normalize

from filigraph.graph.ask.reader import AskGraph, GraphReader, StatedReader
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.model.periods import Period
from filigraph.graph.records.documents import DocumentName
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.text.wording import wording

MAX_PATTERNS = 100  # each is compared with each document
_RANGE = re.compile(r"(.+?)\s*(>=|<=|>|<)")


@dataclass(frozen=True, kw_only=True)
class PeriodDocuments:
    """How many of the searched documents are of the period that the question names."""

    period: Period
    inside: int  # 0: the period leaves none out
    undated: int
    documents: int

    def remark(self, language: str) -> str:
        """The same in words."""
        words, first, last = wording(language), self.period.first, self.period.last
        if first == last:
            when = words.on_day.format(when=first)
        else:
            form = words.until if first is None else words.since if last is None else words.between
            when = form.format(first=first, last=last)
        counted = words.of_period if self.inside else words.none_of_period
        counted = counted.format(inside=self.inside, documents=self.documents, when=when)
        undated = words.undated.format(undated=self.undated, documents=self.documents) if self.undated else ""
        return " ".join(filter(None, (counted, undated)))


def filtered_reader(
    graph: AskGraph, *, sources: Sequence[str], where: Mapping[str, str], period: Period | None = None
) -> tuple[GraphReader, PeriodDocuments | None]:
    """A reader of the workspace, or of its documents that match; if some of these are of the period, only of those.
    Raises NotFound if no document matches."""
    ids, period_documents = _selected_documents(graph, sources, where, period)
    return graph if ids is None else graph.filtered(ids), period_documents


def stated_reader(
    graph: AskGraph, *, sources: Sequence[str], where: Mapping[str, str], period: Period | None
) -> StatedReader:
    """A reader of what the documents of `filtered_reader` state. Raises NotFound."""
    ids, _ = _selected_documents(graph, sources, where, period)
    return graph if ids is None else graph.stated(ids)


def _selected_documents(
    graph: AskGraph, sources: Sequence[str], where: Mapping[str, str], period: Period | None
) -> tuple[Sequence[str] | None, PeriodDocuments | None]:
    """The ids of the documents; None for all of them."""
    if not sources and not where and not period:
        return None, None
    documents = matching_documents(graph.document_names(), sources=sources, where=where)
    if not documents:
        raise NotFound("No documents match these sources and conditions.", cure=("`filigraph documents` lists all."))
    period_documents, inside = _documents_of_period(period, documents, graph) if period else (None, [])
    if not inside and not sources and not where:
        return None, period_documents
    return [document.id for document in inside or documents], period_documents


def _documents_of_period(
    period: Period, documents: Sequence[DocumentName], graph: AskGraph
) -> tuple[PeriodDocuments, list[DocumentName]]:
    """The documents whose `date` lies in a period, and those about that time: a letter of Thursday says what happens on
    Sunday."""
    dated = {row.id: days for row in documents if (days := days_of(row.metadata.get("date", "")))}
    written = {id_ for id_, days in dated.items() if period.overlaps(days)}
    others = [row.id for row in documents if row.id not in written]
    telling = {
        id_
        for id_, dates in (graph.dates_in_documents(others) if others else {}).items()
        if any(period.overlaps(days) for days in map(days_of, dates) if days)
    }
    inside = [row for row in documents if row.id in written or row.id in telling]
    undated = len(documents) - len(dated)
    return PeriodDocuments(period=period, inside=len(inside), undated=undated, documents=len(documents)), inside


def matching_documents(
    documents: Iterable[DocumentName],
    *,
    sources: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    glob: bool = True,
) -> list[DocumentName]:
    """The documents that match one of `sources` (if there are any) and whose metadata match all of `where`.

    A source is the name of a document, or with a final `/` a folder with all its documents. With `glob`, a source that
    names no document may be a pattern, in which `*` means any characters and `?` one. A key of `where` that ends in
    >=, <=, > or < asks for a range of dates or numbers. Raises InputError for more patterns than MAX_PATTERNS, and for
    a range of anything else.
    """
    documents = list(documents)
    called = {normalize("NFC", row.source) for row in documents}
    sources = [normalize("NFC", source) for source in sources]
    patterns = [
        f"{source}*" if source.endswith("/") else source
        for source in sources
        if glob and source not in called and ("*" in source or "?" in source)
    ]
    if len(patterns) > MAX_PATTERNS:
        raise InputError(
            f"There are {len(patterns)} patterns among the sources.",
            cure=f"Give at most {MAX_PATTERNS}, or name documents and folders.",
        )
    exact = {source for source in sources if f"{source}*" not in patterns and source not in patterns}
    folders = tuple(source for source in exact if source.endswith("/"))
    wanted = dict(where or {})
    ranges = [(*match.groups(), wanted.pop(key)) for key in list(wanted) if (match := _RANGE.fullmatch(key))]
    for _, _, bound in ranges:
        if not days_of(bound) and _number(bound) is None:
            raise InputError(
                f"{bound!r} is neither a date nor a number, so it cannot be a bound.",
                cure="Write a day, month or year as 1912-03-04, 1912-03 or 1912.",
            )

    def is_selected(name: str) -> bool:
        return name in exact or name.startswith(folders) or any(_matches_pattern(pattern, name) for pattern in patterns)

    return [
        row
        for row in documents
        if wanted.items() <= row.metadata.items()
        and all(_is_in_range(row.metadata.get(key, ""), operator, bound) for key, operator, bound in ranges)
        and (not sources or is_selected(normalize("NFC", row.source)))
    ]


def _is_in_range(value: str, operator: str, bound: str) -> bool:
    """Whether a date or number may lie in the range: one that is less exact than the bound ("1912" for "1912-03")
    may."""
    days, limits = days_of(value), days_of(bound)
    number, limit = _number(value), _number(bound)
    if days and limits:
        first, last, lowest, highest = days[0], days[1], limits[0], limits[1]
        return {">=": last >= lowest, ">": last > highest, "<=": first <= highest, "<": first < lowest}[operator]
    if number is not None and limit is not None:
        return {">=": number >= limit, ">": number > limit, "<=": number <= limit, "<": number < limit}[operator]
    return False


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _matches_pattern(pattern: str, name: str) -> bool:
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
