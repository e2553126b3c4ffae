"""Whether a sentence states a fact, or denies, asks, wishes or supposes it: by the words around the verb.

A few words before the predicate and two after it are looked at, never across a comma or a full stop. That is no parse:
it catches what small models most often pass off as facts ("did not wear", "n'a jamais vu", "may have met", "if he
knew").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.words import Token, terms, tokens

BEFORE, AFTER = 4, 2  # words looked at on each side of the predicate
_STOP = re.compile('[,;:.!?…()«»“”"—。，；：！？]')
_ASKED = re.compile(r"[^.!?…。！？]*[?？؟]")


def _table(rows: str) -> dict[str, frozenset[str]]:
    """Rows of "language: word word"; the words folded."""
    parts = (row.split(": ") for row in rows.split("\n"))
    return {language: frozenset(words.split()) for language, words in parts}


# Tokens: "didn't" is didn and t, "n'a" is n and a, "peut-être" is peut and etre.
_DENIALS = _table(
    """en: not t never no nobody nothing neither nor without hardly scarcely cannot
fr: ne n sans
es: no nunca jamas nadie ningun ninguna sin tampoco
it: non mai nessuno nessuna senza
pt: nao nunca jamais ninguem nenhum nenhuma sem
de: nicht kein keine keinen keinem keiner nie niemals niemand ohne
nl: niet geen nooit niemand zonder
sv: inte aldrig ingen utan
pl: nie nigdy nikt bez
ru: не нет никогда никто без
uk: не ні ніколи ніхто без
zh: 不 没 未 无 非"""
)
_DENIED_AFTER = ("en", "de", "nl", "sv")  # "is not", "wore no ring", "trug nicht"
_DOUBTS = _table(
    """en: perhaps maybe probably possibly allegedly
fr: peut probablement
es: quiza quizas
it: forse
pt: talvez
de: vielleicht wahrscheinlich moglicherweise angeblich
nl: misschien
ru: возможно вероятно"""
)
# Only before the predicate: "si" after it is "so", and a wish after it is another clause.
_SUPPOSITIONS = _table(
    """en: might may could would should if whether unless want wants wanted wish wishes wished hope hopes hoped refused
fr: pourrait pourraient devrait devraient aurait auraient serait seraient si veut voulait voulut voudrait espere refusa
es: podria podrian quiere queria espera esperaba
it: potrebbe potrebbero avrebbe avrebbero se vuole voleva spera sperava
pt: poderia poderiam quer queria espera
de: wenn falls ob will wollte soll sollte
nl: wellicht indien of wil wilde zou
ru: может если ли бы хочет хотел хотела"""
)


def is_stated(sentence: str, predicate: str, language: str) -> bool:
    """Whether `sentence` may be taken to state `predicate`; True where no word of the predicate stands in it, for it
    says it in other words then. `language` is ISO 639-1; one without a table denies nothing."""
    denials, doubts, suppositions = (table.get(language, frozenset()) for table in (_DENIALS, _DOUBTS, _SUPPOSITIONS))
    said = [token.folded for token in tokens(predicate)]
    if (denials | doubts).intersection(said) or suppositions.intersection(said[:1]):
        return False

    def states(first: int, last: int) -> bool:
        if _ASKED.match(sentence, words[last].end):
            return False
        before = _until_stop(sentence, words[max(0, first - BEFORE) : first + 1][::-1])
        after = _until_stop(sentence, words[last : last + 1 + AFTER])
        inside = [word.folded for word in words[first : last + 1]]
        denied = denials.intersection([*before, *inside, *(after if language in _DENIED_AFTER else ())])
        if denied and denied <= {"ne", "n"} and "que" in [word.folded for word in words[last + 1 : last + 5]]:
            denied = frozenset()  # "ne porte que": wears nothing but
        return not (denied or doubts.intersection([*before, *after]) or suppositions.intersection(before))

    words = tokens(sentence)
    places = _places(words, predicate, language)
    return not places or any(states(first, last) for first, last in places)


def _places(words: Sequence[Token], predicate: str, language: str) -> list[tuple[int, int]]:
    """Where the words of the predicate stand: (first, last) indices of each run in `words`."""
    stems = set(terms(predicate, language))
    telling = stems - _little_words(language) or stems
    runs: list[tuple[int, int]] = []
    for index, word in enumerate(words):
        if not telling.intersection(terms(word.text, language)):
            continue
        if runs and index - runs[-1][1] <= AFTER:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return runs


@lru_cache
def _little_words(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(sorted(FUNCTION_WORDS)), language))


def _until_stop(sentence: str, run: Sequence[Token]) -> list[str]:
    """The words of `run` after its first one, up to the first comma or full stop; `run` may go backwards."""
    found: list[str] = []
    for here, there in pairwise(run):
        left, right = sorted((here, there), key=lambda token: token.start)
        if _STOP.search(sentence, left.end, right.start):
            break
        found.append(there.folded)
    return found
