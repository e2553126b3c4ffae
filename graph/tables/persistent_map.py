"""Rows by id on small immutable pages.

A change of a few rows makes a few new pages, so a table after few changes shares most pages with the old one. A
comparison of two tables skips shared pages, and results that follow from one page are cached on it. Both depend only on
the content of pages, not on earlier calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from copyreg import __newobj__  # type: ignore[attr-defined]
from itertools import chain
from typing import Any, Generic, TypeVar, overload
from zlib import crc32

V = TypeVar("V")
W = TypeVar("W")
T = TypeVar("T")
PREFIX_HEX_DIGITS = 3  # hex digits: 4,096 pages, with less than a hundred rows each if a workspace has 350,000 names
HASHED_PAGES = 4096  # pages of keys whose prefixes are not spread evenly


def by_prefix(id_: str) -> str:
    """The page of an id, so that pages in order are ids in order."""
    return id_[:PREFIX_HEX_DIGITS]


def by_hash(key: str) -> int:
    """The page of a key that is not an id, by a hash that every process computes alike: pages may come from a file."""
    return crc32(key.encode("utf-8", "surrogatepass")) % HASHED_PAGES


class MapPage(dict[str, V]):
    """Rows by id, in order, with cached results by function. The rows never change."""

    __slots__ = ("results",)

    def __init__(self, rows: Mapping[str, V]) -> None:
        super().__init__({id_: rows[id_] for id_ in sorted(rows)})
        self.results: dict[Callable[..., Any], Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """For a file. Another thread may add a result while it is written."""
        return __newobj__, (MapPage,), (None, {"results": dict(self.results)}), None, iter(self.items())


class PersistentMap(Mapping[str, V]):
    """A table of rows, sorted by id if pages are by prefix; immutable."""

    def __init__(self, rows: Mapping[str, V], page_of: Callable[[str], Hashable] = by_prefix) -> None:
        pages: dict[Any, dict[str, V]] = defaultdict(dict)
        for id_, row in rows.items():
            pages[page_of(id_)][id_] = row
        self._page_of = page_of
        self._pages: Mapping[Any, MapPage[V]] = {number: MapPage(pages[number]) for number in sorted(pages)}
        self._count = len(rows)

    def __getitem__(self, id_: str) -> V:
        return self._pages[self._page_of(id_)][id_]

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, str) and id_ in self._pages.get(self._page_of(id_), _NO_ROWS)

    @overload
    def get(self, id_: str, /) -> V | None: ...
    @overload
    def get(self, id_: str, /, default: V | T) -> V | T: ...
    def get(self, id_: str, /, default: Any = None) -> Any:
        return self._pages.get(self._page_of(id_), _NO_ROWS).get(id_, default)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._pages.values())

    def __len__(self) -> int:
        return self._count

    def values(self) -> ValuesView[V]:
        return _Values(self)

    def items(self) -> ItemsView[str, V]:
        return _Items(self)

    def after(self, gone: Iterable[str], new: Mapping[str, V]) -> PersistentMap[V]:
        """The table without the ids in `gone`, with the new rows in place of old ones. An equal row replaces nothing;
        if nothing changes, it returns this table."""
        changed: dict[Any, dict[str, V]] = {}
        for id_ in gone:
            if id_ in self and id_ not in new:
                self._page_copy(id_, changed).pop(id_, None)
        for id_, row in new.items():
            page = self._pages.get(self._page_of(id_), _NO_ROWS)
            if id_ not in page or page[id_] != row:
                self._page_copy(id_, changed)[id_] = row
        if not changed:
            return self
        changed_map: PersistentMap[V] = PersistentMap({}, self._page_of)
        pages = {**self._pages, **{number: MapPage(rows) for number, rows in changed.items() if rows}}
        if len(pages) > len(self._pages):
            pages = {number: pages[number] for number in sorted(pages)}
        for number in (number for number, rows in changed.items() if not rows):
            del pages[number]
        changed_map._pages = pages
        changed_map._count = self._count + sum(len(rows) - len(self._pages.get(at, ())) for at, rows in changed.items())
        return changed_map

    def differences(self, other: PersistentMap[V]) -> Iterator[tuple[str, V | None, V | None]]:
        """(id, row here, row there) of each id whose rows are not equal, or that one of the tables lacks."""
        for number in self._pages.keys() | other._pages.keys():
            here: MapPage[V] = self._pages.get(number, _NO_ROWS)
            there: MapPage[V] = other._pages.get(number, _NO_ROWS)
            if here is not there:
                for id_ in here.keys() | there.keys():
                    first, second = here.get(id_), there.get(id_)
                    if first is not second and first != second:
                        yield id_, first, second

    def each(self, work: Callable[[Mapping[str, V]], T]) -> Iterator[T]:
        """The result of `work` for each page, in order; `work` depends on the rows of the page alone."""
        for page in self._pages.values():
            if work not in page.results:
                page.results[work] = work(page)
            yield page.results[work]

    def beside(self, other: PersistentMap[W], work: Callable[[Mapping[str, V], Mapping[str, W]], T]) -> Iterator[T]:
        """The result of `work` for each page and the same page of another table, whose ids are all in this one."""
        for number, page in self._pages.items():
            there: Mapping[str, W] = other._pages.get(number, _NO_ROWS)
            before, result = page.results.get(work, (None, None))
            if before is not there:
                result = work(page, there)
                page.results[work] = there, result
            yield result

    def _page_copy(self, id_: str, changed: dict[Any, dict[str, V]]) -> dict[str, V]:
        """A copy of the page of an id, for a change."""
        number = self._page_of(id_)
        if number not in changed:
            changed[number] = dict(self._pages.get(number, ()))
        return changed[number]


class _Values(ValuesView[V], Generic[V]):
    _mapping: PersistentMap[V]

    def __iter__(self) -> Iterator[V]:
        return chain.from_iterable(page.values() for page in self._mapping._pages.values())


class _Items(ItemsView[str, V], Generic[V]):
    _mapping: PersistentMap[V]

    def __iter__(self) -> Iterator[tuple[str, V]]:
        return chain.from_iterable(page.items() for page in self._mapping._pages.values())


_NO_ROWS: MapPage[Any] = MapPage({})
