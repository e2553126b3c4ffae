"""Names in an answer that stand in no evidence: what a model may have made up.

A name is a run of words with a capital. The first word of a sentence has one anyway: it counts only within a longer
run, or where what follows can only follow a name ("Moriarty was ..."). Scripts without case: a foreign name joined by a
middle dot (夏洛克·福尔摩斯) and what stands in title marks (《...》). Arabic, Hebrew, Thai: not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import Token, fold, tokens

# What begins a sentence without being a name, though a verb follows. Folded.
_OPENERS = frozenset(
    word
    for line in (
        "i he she it we you they this that these those there here what who which one nobody nothing everyone someone",
        "his her their its my our your no some all each both many most the a an in on as if but and or so yes",
        "il elle ils elles on ce c cela ceci ca je tu nous vous qui que rien personne aucun aucune tout tous chacun",
        "son sa ses leur leurs mon ma notre le la les un une des du de en et mais ou si oui non y l d qu n s j",
        "el ella ellos esto eso nada nadie todo es lo los las una uno er sie wir das dies niemand nichts der die ein",
        "lui lei loro questo nulla nessuno tutto gli",
    )
    for word in line.split()
)
# What follows a name that begins a sentence. Folded.
_VERBS = frozenset(
    word
    for line in (
        "is was has had does did will would can could may might must should s",
        "est etait fut sera serait a avait eut aura porte portait peut pouvait doit devait n ne s se",
        "es era fue tiene ist war hat hatte wird era fu ha aveva",
    )
    for word in line.split()
)
_JOINER = re.compile(r"[ \u00a0\u202f]|[ \u00a0]?['’.-] ?|\. ")  # between two words of one name
_CASELESS = re.compile(r"《([^》]{1,60})》|([\u3400-\u9fff\u30a0-\u30ff]+(?:[·・‧][\u3400-\u9fff\u30a0-\u30ff]+)+)")


def unsupported_names(answer: str, *evidence: str) -> tuple[str, ...]:
    """The names of `answer` of which some word stands in none of `evidence`; in order, each once."""
    known = {token.folded for text in evidence for token in tokens(text)}
    found: dict[str, str] = {}
    for name in (*_capitalized(answer), *_caseless(answer)):
        if any(token.folded not in known for token in tokens(name)):
            found.setdefault(fold(name), name)
    return tuple(found.values())


def _caseless(text: str) -> Iterator[str]:
    for match in _CASELESS.finditer(text):
        yield match[1] or match[2]


def _capitalized(text: str) -> Iterator[str]:
    for start, end in sentences(text, ""):
        words = tokens(text[start:end])
        run: list[int] = []
        for index, word in enumerate([*words, None]):
            if word is not None and _has_capital(word) and (not run or _joined(words, index, text[start:end])):
                run.append(index)
                continue
            if run and not (run == [0] and not _is_name_first(words)):
                kept = [i for i in run if i or words[i].folded not in _OPENERS]
                if kept:
                    yield text[start + words[kept[0]].start : start + words[kept[-1]].end]
            run = [index] if word is not None and _has_capital(word) else []


def _has_capital(word: Token) -> bool:
    return word.text[0].isupper() and (len(word.text) > 1 or word.folded not in _OPENERS)


def _joined(words: list[Token], index: int, text: str) -> bool:
    return bool(_JOINER.fullmatch(text[words[index - 1].end : words[index].start]))


def _is_name_first(words: list[Token]) -> bool:
    """Whether the first word of a sentence, capitalized as any would be, is a name."""
    return len(words) > 1 and words[0].folded not in _OPENERS and words[1].folded in _VERBS
