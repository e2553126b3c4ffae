"""Suggest: questions that a graph can answer by a path, made from its own chains.

A chain of two facts from different passages joins two names that no fact joins: what has the one to do with the other?
The caller must try whether the search finds the path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from filigraph.graph.records.facts import ChainEnds
from filigraph.graph.text.names.parse import is_proper

MAX_NAME_CHARS = 40  # characters
_WORDED = {"fr": "Quel est le lien entre {first} et {last} ?", "en": "What connects {first} and {last}?"}


def suggest(chains: Iterable[ChainEnds]) -> Iterator[tuple[ChainEnds, str]]:
    """Chains with their questions, those between names first, dates and numbers last; each entity is asked about
    once."""
    used = set[str]()
    fit = [chain for chain in chains if max(len(chain.first), len(chain.last)) <= MAX_NAME_CHARS]
    for chain in sorted(fit, key=lambda chain: -(_is_name(chain.first) + _is_name(chain.last))):
        ends = {chain.first_id, chain.last_id}
        if ends & used:
            continue
        used |= ends
        worded = _WORDED.get(chain.language, _WORDED["en"])
        yield chain, worded.format(first=chain.first, last=chain.last)


def _is_name(form: str) -> bool:
    return is_proper(form) and not any(character.isdigit() for character in form)
