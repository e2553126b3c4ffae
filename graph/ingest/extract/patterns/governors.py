"""Whether the words that govern a clause, by the parse, leave it asserted: "denied that", "the rumour that", "it is
true that".

All governors up to the main clause count, so a clause under "thinks that Ann knows that" is only thought. The effect of
each governor is in `graph.text.factuality.lexicon`, which the reader without a parse also uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.text.factuality import lexicon
from filigraph.graph.text.factuality.cues import CUES
from filigraph.graph.text.factuality.lexicon import Kind
from filigraph.graph.text.words import fold

if TYPE_CHECKING:
    from spacy.tokens import Token

_CLAUSES = frozenset(("ccomp", "acl", "csubj", "csubjpass", "xcomp"))
_NOBODY = frozenset(("nobody", "none", "one", "personne", "nul", "aucun", "no"))
_HIGHEST = 6  # clauses above one another


def leaves_asserted(verb: Token, language: str) -> bool:
    """Whether every word that governs the clause of `verb` leaves it asserted, regardless of who says it."""
    return all(_lets_fact_stand(governor, language) for governor in _governors(verb))


def is_presupposed(verb: Token, language: str) -> bool:
    """Whether the next governor says that the clause of `verb` is true, even in the subjunctive: "regrette qu'Anne ait
    vendu", "nul ne conteste qu'Anne ait vendu".
    """
    governor = next(_governors(verb), None)
    if governor is None or verb.dep_ not in _CLAUSES:
        return False
    kind = _cue(governor, language)[1]
    return kind == "fact" or (kind == "denial" and _lets_fact_stand(governor, language))


def _governors(verb: Token) -> Iterator[Token]:
    for _ in range(_HIGHEST):
        head = verb.head
        if head is verb or verb.dep_ not in _CLAUSES | {"conj"}:
            return
        if verb.dep_ != "conj" and head.i < verb.i:
            yield head
        verb = head


def _lets_fact_stand(governor: Token, language: str) -> bool:
    word, kind = _cue(governor, language)
    if kind is None or kind == "fact":
        return True
    cues = CUES[language]
    around = {fold(child.text) for token in {governor, word} for child in token.children}
    around |= {fold(t.text) for child in governor.children if child.dep_.startswith("nsubj") for t in child.children}
    negated = bool(around & (cues.negations - {"plus", "point"}))
    if kind == "denial":
        return negated and bool(around & _NOBODY)
    weakened = bool(around & cues.modals)
    return kind in {"proof", "speech"} and not negated and not weakened


def _cue(governor: Token, language: str) -> tuple[Token, Kind | None]:
    """The word of a governor that decides: the adjective in "is untrue", the noun in "is a lie"."""
    tables = {"VERB": lexicon.verbs, "AUX": lexicon.verbs, "NOUN": lexicon.nouns, "ADJ": lexicon.adjectives}
    for token in (governor, *(child for child in governor.children if child.dep_ in {"acomp", "attr"})):
        kind = tables[token.pos_](language).get(fold(token.text)) if token.pos_ in tables else None
        if kind is not None:
            return token, kind
    return governor, None
