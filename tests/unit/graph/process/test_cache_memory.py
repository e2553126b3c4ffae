"""What a server keeps in memory: it drops the least recently used first, and nothing in use."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.process.cache_memory import CacheMemory


@dataclass
class Kept:
    size: int


def test_what_was_used_least_recently_goes_first() -> None:
    memory = CacheMemory(10)
    for name in "ab":
        memory.keep(name, Kept(4))
    assert memory.get("a")
    memory.keep("c", Kept(4))
    assert (memory.get("a"), memory.get("b"), memory.size) == (Kept(4), None, 8)


def test_the_one_used_last_stays_however_large() -> None:
    memory = CacheMemory(10)
    memory.keep("a", Kept(4))
    memory.keep("b", Kept(100))
    assert (memory.get("a"), memory.get("b"), len(memory)) == (None, Kept(100), 1)


def test_what_grows_is_counted_as_it_is() -> None:
    memory = CacheMemory(10)
    first = memory.get_or_make("a", lambda: Kept(1))
    first.size = 9
    second = memory.get_or_make("b", lambda: Kept(1))
    assert memory.get_or_make("a", lambda: Kept(0)) is first
    second.size = 8
    assert memory.get_or_make("b", lambda: Kept(0)) is second and memory.get("a") is None


def test_what_is_dropped_is_kept_no_longer() -> None:
    memory = CacheMemory()
    memory.keep(("view", "w"), Kept(1))
    memory.keep(("view", "v"), Kept(1))
    memory.drop(lambda key: key == ("view", "w"))
    assert memory.get(("view", "w")) is None and memory.get(("view", "v"))
