"""Names in an answer that the evidence does not contain: possible hallucinations.

A name is a run of capitalized words. The first word of a sentence counts only as part of a longer run or before a verb
("Moriarty was ..."). In scripts without case: text in title marks (《...》) and foreign names in katakana. Other names
in Chinese, Arabic, Hebrew and Thai are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import Token, fold, tokens

# Words at the start of a sentence that are not part of a name. Folded.
_OPENERS = FUNCTION_WORDS.union(
    *map(
        str.split,
        (
            "i he she it we you they there here what who which one nobody nothing everyone someone no some all each",
            "both many most if but so yes then thus when while where why how because since after before although only",
            "though however moreover therefore also even once without according finally later",
            "il elle ils elles on ce c cela ceci ca je tu nous vous qui que rien personne aucun aucune tout tous",
            "chacun notre mais si oui non ne j puis alors ainsi quand lorsque ou pourquoi comment parce car depuis",
            "apres avant cependant toutefois donc aussi meme selon chez entre contre vers enfin plus comme seul",
            "ella ellos esto eso nada nadie todo lo pero si segun cuando porque er sie wir dies niemand nichts aber",
            "wenn weil nach lui lei loro questo nulla nessuno tutto ma se quando perche secondo",
        ),
    )
)
# Verbs after a name at the start of a sentence. Folded.
_VERBS: frozenset[str] = frozenset().union(
    *map(
        str.split,
        (
            "is was has had does did will would can could may might must should s",
            "est etait fut sera serait a avait eut aura porte portait peut pouvait doit devait n ne s se",
            "es era fue tiene ist war hat hatte wird fu ha aveva",
        ),
    )
)
_JOINER = re.compile(r"[ \u00a0\u202f]|[ \u00a0]?['’.-] ?|\. ")  # between two words of one name
_CASELESS = re.compile(r"《([^》]{1,60})》|([\u30a1-\u30fa\u30fc]{2,}(?:[·・][\u30a1-\u30fa\u30fc]{2,})*)")


def unsupported_names(answer: str, *evidence: str) -> list[tuple[int, int]]:
    """Spans of the names in `answer` with a word that no text of `evidence` contains, in order."""
    evidence_words = {token.folded for text in evidence for token in tokens(text)}
    everything = fold("\n".join(evidence))
    spans = [
        (start, end)
        for start, end in _capitalized(answer)
        if any(token.folded not in evidence_words for token in tokens(answer[start:end]))
    ]
    spans += [(start, end) for start, end in _caseless(answer) if fold(answer[start:end]) not in everything]
    return sorted(spans)


def _caseless(text: str) -> Iterator[tuple[int, int]]:
    for match in _CASELESS.finditer(text):
        yield match.span(1 if match[1] else 2)


def _capitalized(text: str) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text, ""):
        words = tokens(text[start:end])
        run: list[int] = []
        for index, word in enumerate([*words, None]):
            if word is not None and _has_capital(word) and (not run or _are_joined(words, index, text[start:end])):
                run.append(index)
                continue
            if run and not (run == [0] and not _is_name_first(words)):
                shown = [i for i in run if i or words[i].folded not in _OPENERS]
                if shown:
                    yield start + words[shown[0]].start, start + words[shown[-1]].end
            run = [index] if word is not None and _has_capital(word) else []


def _has_capital(word: Token) -> bool:
    return word.text[0].isupper() and (len(word.text) > 1 or word.folded not in _OPENERS)


def _are_joined(words: list[Token], index: int, text: str) -> bool:
    return bool(_JOINER.fullmatch(text[words[index - 1].end : words[index].start]))


def _is_name_first(words: list[Token]) -> bool:
    """Whether the first word of a sentence is a name: no opener, and a verb follows."""
    return len(words) > 1 and words[0].folded not in _OPENERS and words[1].folded in _VERBS
