"""Detect whether a sentence states a fact, or denies, asks, wishes or supposes it, by the words around the verb.

The check looks at WORDS_BEFORE words before the predicate and WORDS_AFTER words after it, never across a comma, a full
stop or a
relative pronoun. Without a parse, it catches the most frequent errors of small models ("did not wear", "n'a jamais vu",
"may have met", "if he knew"). The method, trigger words within a window, is that of NegEx (Chapman et al. 2001). A
predicate that itself denies or supposes ("never wears") needs a sentence that does so too; one that wishes ("wants to
marry") states only the wish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from filigraph.graph.text.factuality.cues import word_set
from filigraph.graph.text.factuality.governors import Scope
from filigraph.graph.text.factuality.idioms import blank_idioms
from filigraph.graph.text.factuality.lexicon import verbs
from filigraph.graph.text.factuality.phrases import is_hedged, is_left_out, taken_back, unasserted_scopes
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.verbs import english_verbs, french_verbs
from filigraph.graph.text.words import Token, fold, folded_words, terms, tokens

WORDS_BEFORE, WORDS_AFTER = 4, 2  # words checked before and after the predicate
WORDS_TO_CLAUSE_END = 15  # "traf Eva Lang gestern in Bremen nicht"
MAX_INSERTED_WORDS = 4  # max. words of an inserted "asked Ann" between two commas
_INSERTS = ',"“”«»'
_GERMAN_ENDING = re.compile(r"(?<=\w{4})[enst]+$")
_STOP = re.compile('[,;:.!?…()«»“”"—。，；：！？]|--')
_ASKED = re.compile(r"[^.!?…。！？]*[?？؟]")


def _table(rows: str) -> dict[str, frozenset[str]]:
    """Parse rows of "language: word word"; the words are folded."""
    parts = (row.split(": ") for row in rows.split("\n"))
    return {language: frozenset(words.split()) for language, words in parts}


# Tokens: "didn't" is didn and t, "n'a" is n and a, "peut-être" is peut and etre.
_DENIALS = _table(
    """en: not t never no nobody nothing none neither nor without hardly scarcely cannot
fr: ne n sans
es: no nunca jamas nadie ningun ninguna sin tampoco
it: non mai nessuno nessuna senza
pt: nao nunca jamais ninguem nenhum nenhuma sem
de: nicht kein keine keinen keinem keiner nie niemals niemand ohne keineswegs keinesfalls mitnichten weder
nl: niet geen nooit niemand zonder
sv: inte aldrig ingen utan
pl: nie nigdy nikt bez
ru: не нет никогда никто без
uk: не ні ніколи ніхто без
zh: 不 没 未 无 非"""
)
# "is not", "wore no ring", "trug nicht"; not "left without a word".
_DENIED_AFTER = _table(
    """en: not t no nobody nothing never
de: nicht kein keine keinen keinem keiner nie niemals niemand keineswegs keinesfalls mitnichten weder
nl: niet geen nooit niemand
sv: inte aldrig ingen"""
)
# Languages where "not" may end the clause, and words that begin the next one.
_DENIED_LAST = _table(
    """de: und oder aber sondern doch weil denn obwohl ohne als dass
nl: en of maar want omdat hoewel zonder als dat"""
)
# These deny the complement of the verb, not the verb.
_WITHOUT = frozenset(
    ("without", "hardly", "scarcely", "sans", "sin", "senza", "sem", "ohne", "zonder", "utan", "bez", "без")
)
_DOUBTS = _table(
    """en: perhaps maybe probably possibly allegedly
fr: peut-etre probablement
es: quiza quizas
it: forse
pt: talvez
de: vielleicht wahrscheinlich moglicherweise angeblich
nl: misschien
ru: возможно вероятно"""
)
# Only before the predicate: "si" after it is "so", and a wish after it is another clause.
_SUPPOSITIONS = _table(
    """en: might may could would should if whether unless
fr: pourrait pourraient devrait devraient aurait auraient serait seraient si
es: podria podrian
it: potrebbe potrebbero avrebbe avrebbero se
pt: poderia poderiam
de: wenn falls ob soll sollte
nl: wellicht indien of zou
ru: может если ли бы"""
)
_WISHES = _table(
    """en: want wants wanted wish wishes wished hope hopes hoped refused
fr: veut voulait voulut voudrait espere refusa
es: quiere queria espera esperaba
it: vuole voleva spera sperava
pt: quer queria espera
de: will wollte
nl: wil wilde
ru: хочет хотел хотела"""
)
_AUXILIARIES = _table(
    """en: is are was were be been being has have had having do does did
fr: est sont etait etaient fut furent ete a ont avait avaient eut eu as ai suis"""
)
# Prefix that negates a predicate; "not" in unlisted languages. French and English have their own rules.
_NOT = {"es": "no", "it": "non", "pt": "não", "ru": "не", "uk": "не", "pl": "nie", "zh": "不"}
_PROCLITICS = ("se", "me", "te", "le", "la", "les", "lui", "leur", "y", "en")  # between "ne" and the verb
# These begin a clause; a denial before them does not apply after them.
_RELATIVES = _table(
    """en: but who whom whose which when while because although
fr: mais qui dont quand lorsque tandis parce puisque car"""
)
_POSSESSIVES = _table("en: my your his her its our their\nfr: mon ma mes ton ta tes son sa ses notre votre leur leurs")
_THAT = frozenset(("that", "que", "qu", "dass"))
_GERMAN_JOINTS = frozenset(("und", "oder", "aber"))
_GERMAN_NOUN_WORDS = FUNCTION_WORDS | word_set(
    "die das der den dem ein eine einen einem einer mein meine meinen meinem meiner sein seine seinen seinem seiner "
    "ihr ihre ihren ihrem ihrer unser unsere unseren unserem deren dessen bei aus nach in im am"
)
# Questions that state a fact: with a tag at the end, or presupposing what they ask about.
_TAG = re.compile(
    r",? ?(?:n['’]est-ce pas|non|hein|pas vrai|right|eh"
    r"|(?:is|are|was|were|do|does|did|has|have|had|will|would|could|ca|wo)n['’]t \w+"
    r"|(?:is|are|was|were|did|does) (?:it|he|she|they|you|I) not)\s*[?？]",
    re.IGNORECASE,
)
_TAKEN_FOR_GRANTED = re.compile(
    r"\W*(?:and |but |et |mais |then |now )?(?:(?:why|when|where|how) (?:do|does|did|is|are|was|were|has|have|had)\b"
    r"|(?:pourquoi|quand|où|comment)\b)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\W*(?:(?:ah|oh|well|eh bien|mais),? )?(?:yes|yea|certainly|of course|exactly|precisely|quite so|indeed|"
    r"(?:i|he|she|it|they) (?:am|did|do|does|is|was|had|has)(?= *[,.;!])|oui|parfaitement|certainement|en effet|"
    r"si fait|bien sûr|sans doute|sí|ja|da|да|是)\b",
    re.IGNORECASE,
)


def is_stated(sentence: str, predicate: str, language: str, after: str = "", names: Sequence[int] = ()) -> bool:
    """Whether `sentence` states `predicate`. If it contains no word of the predicate (a paraphrase): True, unless all
    `names`, the places of the fact's ends, are in parts that it does not assert.

    `after` is the text after the sentence. `language` is ISO 639-1; languages without a table have no denials.
    """
    written, sentence = sentence, blank_idioms(sentence, language)
    words, predicate_words = tokens(sentence), _folded(tokens(predicate))
    denials, doubts, suppositions, wishes, parting = (
        table.get(language, frozenset()) for table in (_DENIALS, _DOUBTS, _SUPPOSITIONS, _WISHES, _RELATIVES)
    )
    suppositions = suppositions | wishes
    spoken = set(_folded(words))
    open_parts = [scope for scope in unasserted_scopes(sentence, language) if scope.status != "said"]
    places = _runs_of_predicate(words, predicate, language)
    if denies(predicate, language):
        affirmed = " ".join(word for word in predicate.split() if not denials.intersection(_folded(tokens(word))))
        under = [
            _scope_at(words[first].start, open_parts) for first, _ in _runs_of_predicate(words, affirmed, language)
        ]
        if any(scope and scope.status == "denied" for scope in under):
            return True  # "the magistrate denied that she had signed": she "did not sign"
        return not denials or (bool(denials & spoken) and not (under and all(under)))
    if doubts.intersection(predicate_words) or (suppositions - wishes).intersection(predicate_words[:1]):
        return bool((doubts | suppositions) & spoken)
    if wishes.intersection(predicate_words[:1]):
        return True

    def is_stated_at(first: int, last: int) -> bool:
        own = _is_owned(words, first, language)
        if not own and _is_asked(written, words[first], words[last], after, parting, language):
            return False
        if not own and _scope_at(words[first].start, open_parts):
            return False
        before = _until_stop(sentence, words[max(0, first - WORDS_BEFORE) : first + 1][::-1], parting)
        reach = WORDS_TO_CLAUSE_END if language in _DENIED_LAST else WORDS_AFTER
        next_clause = parting | _DENIED_LAST.get(language, frozenset())
        run = words[last : last + 1 + reach]
        behind = _until_stop(sentence, _one_clause(run) if language == "de" else run, next_clause)
        inside = _folded(words[first : last + 1])
        denied = denials.intersection([*before, *inside]) | _DENIED_AFTER.get(language, frozenset()).intersection(
            behind
        )
        only = denied and denied <= {"ne", "n"} and not {"pas", "point"}.intersection([*before, *inside, *behind])
        if only and {"que", "qu"}.intersection(_folded(words[last + 1 : last + 5])):
            denied = frozenset()  # "ne porte que": wears nothing but
        supposed = suppositions.intersection(before) and not own
        return not (denied or supposed or doubts.intersection([*before, *inside, *behind]))

    if _is_hedged(words, places, predicate, language) or any(is_left_out(written, at) for at in names):
        return False
    if not places:
        under_any = all if language in _AUXILIARIES else any  # without a table of a verb's forms, most are no runs
        return not names or not under_any(_scope_at(at, open_parts) for at in names)
    return not taken_back(after, language) and any(is_stated_at(first, last) for first, last in places)


def speaker_of(sentence: str, predicate: str, language: str) -> str:
    """The person who states `predicate`, as the sentence writes the name: "Ann told the clerk that ..."; "" for the
    text itself.
    """
    text = blank_idioms(sentence, language)
    words = tokens(text)
    parts = [scope for scope in unasserted_scopes(text, language) if scope.status == "said"]
    scopes = (
        [_scope_at(words[first].start, parts) for first, _ in _runs_of_predicate(words, predicate, language)]
        if parts
        else []
    )
    return scopes[0].source if scopes and all(scopes) and scopes[0] else ""


def _scope_at(at: int, parts: Sequence[Scope]) -> Scope | None:
    return next((scope for scope in parts if at in scope), None)


@lru_cache(maxsize=1 << 14)
def denies(predicate: str, language: str) -> bool:
    """Whether a predicate contains a negation: "never met", "ne porte pas", "not signed"."""
    words = set(_folded(tokens(blank_idioms(predicate, language))))
    denials = words & ({"not"} | _DENIALS.get(language, frozenset()) - _WITHOUT)
    return bool(denials) and not (denials <= {"ne", "n"} and "que" in words)  # "ne porte que": wears nothing but


def negated(predicate: str, language: str) -> str:
    """The negation of `predicate`; unchanged if it is negated already. Not always grammatical: "not wears", "n'a pas
    vu"."""
    words = predicate.split()
    if not words or denies(predicate, language):
        return predicate
    if language == "fr":
        at = next((n for n, word in enumerate(words[:-1]) if fold(word) not in _PROCLITICS), len(words) - 1)
        verb = " ".join(words[: at + 1])
        ne = "n'" if fold(verb[0]) in "aeiouyh" else "ne "
        return " ".join([f"{ne}{verb}", "pas", *words[at + 1 :]])
    if language == "en" and fold(words[0]) in _AUXILIARIES["en"]:
        return " ".join([words[0], "not", *words[1:]])
    return f"{_NOT.get(language, 'not')} {predicate}"


def _folded(words: Sequence[Token]) -> list[str]:
    """Folded words; "peut-être" is one word."""
    folded = folded_words(words)
    pairs = zip(folded, [*folded[1:], ""], strict=False)
    return ["peut-etre" if pair == ("peut", "etre") else pair[0] for pair in pairs]


def _is_asked(sentence: str, first: Token, last: Token, after: str, parting: frozenset[str], language: str) -> bool:
    """Whether a question asks if the predicate between two words is true: it does not presuppose it, and no "yes"
    follows.
    """
    if not (question := _ASKED.match(sentence, last.end)) or _TAG.search(sentence, last.end, question.end()):
        return False
    left = max(map(sentence[: first.start].rfind, _INSERTS)) + 1
    right = min(at if (at := sentence.find(sign, last.end)) >= 0 else len(sentence) for sign in _INSERTS)
    if left and right < question.end() - 1 and len(tokens(sentence[left:right])) <= MAX_INSERTED_WORDS:
        return False  # "where, asked Ann, is Jules?"
    begin = max((match.end() for match in re.finditer(r"[.!?…«“\"]", sentence[: first.start])), default=0)
    clause = sentence[begin : first.start]
    said = [word.folded for word in tokens(clause)]
    if _TAKEN_FOR_GRANTED.match(clause) or parting.intersection(said[1:]):
        return False
    known = verbs(language)
    if any(known.get(said[n]) == "fact" and _THAT.intersection(said[n + 1 : n + 3]) for n in range(len(said))):
        return False  # "do you know that Ann sold it?"
    return not (question.end() >= len(sentence.rstrip(" \"'”’»")) and _YES.match(after))


def _is_hedged(words: Sequence[Token], places: Sequence[tuple[int, int]], predicate: str, language: str) -> bool:
    """Whether all places only say that somebody is said to be it: "the suspected murderer of", "meurtrier présumé
    de".
    """
    if not places or tokens(predicate)[-1].folded not in ("of", "de", "d"):
        return False
    return all(
        is_hedged(" ".join(word.text for word in words[max(0, first - 1) : last + 2 if language == "fr" else last]))
        for first, last in places
    )


def _is_owned(words: Sequence[Token], first: int, language: str) -> bool:
    """Whether a possessive presupposes the word: "if my brother comes", not "if he is my brother"."""
    if not first or words[first - 1].folded not in _POSSESSIVES.get(language, ()):
        return False
    return first < 2 or words[first - 2].folded not in _AUXILIARIES[language]


def _runs_of_predicate(words: Sequence[Token], predicate: str, language: str) -> list[tuple[int, int]]:
    """(first, last) indices of each run of the predicate's words in `words` that contains its head, its first content
    word."""
    auxiliaries = _AUXILIARIES.get(language, frozenset())
    little = _little_words(language)
    telling = [
        (word.folded in auxiliaries, stems) for word in tokens(predicate) if (stems := _stems(word, language) - little)
    ]
    if not telling:
        telling = [(False, set(terms(predicate, language)))]
    heads = next((stems for auxiliary, stems in telling if not auxiliary), telling[0][1])
    others = set().union(*(stems for auxiliary, stems in telling if not auxiliary)) | heads
    runs: list[tuple[int, int]] = []
    headed: list[bool] = []
    for index, word in enumerate(words):
        matching = others.intersection(_stems(word, language))
        if not matching:
            continue
        if runs and index - runs[-1][1] <= WORDS_AFTER:
            runs[-1] = (runs[-1][0], index)
            headed[-1] = headed[-1] or bool(matching & heads)
        else:
            runs.append((index, index))
            headed.append(bool(matching & heads))
    return [run for run, has_head in zip(runs, headed, strict=True) if has_head]


def _stems(word: Token, language: str) -> set[str]:
    """The terms of a word and of its present tense: a reader writes "met" if the text has "meeting"."""
    stems = set(terms(word.text, language))
    if language == "en" and (verb := english_verbs.PRESENT.get(word.folded)):
        stems.update(terms(verb, language))
    if language == "fr":
        low = word.text.lower()
        forms = (low, low.removesuffix("s"), low.removesuffix("e"), low.removesuffix("es"))  # "volées" is "volé"
        tables = french_verbs.FORMS, french_verbs.PARTICIPLES
        verb = next((table[form] for form in forms for table in tables if form in table), "")
        stems.update(terms(verb, language))
        if low.endswith(("er", "ir", "re")):  # "vendre" by the future, "vendra"; "incendier" as "incendié"
            stems.update(terms(french_verbs.FORMS.get(f"{low.removesuffix('e')}a", ""), language))
            stems.update(terms(f"{low[:-2]}é", language) if low.endswith("er") else ())
    if language == "de" and word.text.islower():  # "heiratete" and "geheiratet"
        stems.add(_GERMAN_ENDING.sub("", word.folded.removeprefix("ge") if len(word.folded) > 6 else word.folded))
    return stems


@lru_cache
def _little_words(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(sorted(FUNCTION_WORDS)), language))


def _one_clause(run: Sequence[Token]) -> list[Token]:
    """German words without the "und" and "aber" that join nouns up to a "nicht": "traf Eva und ihren alten Freund
    nicht", not "traf Eva und ging nicht".
    """
    last = next((n for n, word in enumerate(run) if word.folded in _DENIED_AFTER["de"]), 0)
    kept = list(run)
    for n in range(last - 2, 0, -1):
        if run[n].folded in _GERMAN_JOINTS and all(
            _is_in_noun_phrase(before, word, run[m + 1])
            for m, (before, word) in enumerate(pairwise(run[n:last]), n + 1)
        ):
            del kept[n]
    return kept


def _is_in_noun_phrase(before: Token, word: Token, after: Token) -> bool:
    if word.text[0].isupper() or word.folded in _GERMAN_JOINTS | _GERMAN_NOUN_WORDS:
        return True
    return before.text.islower() and before.folded not in _GERMAN_JOINTS and after.text[0].isupper()


def _until_stop(sentence: str, run: Sequence[Token], parting: frozenset[str]) -> list[str]:
    """Folded words of `run` after the first one, up to a comma, full stop or new clause, in the order of the text;
    `run` may go backwards."""
    crossed: list[Token] = []
    backwards = len(run) > 1 and run[1].start < run[0].start
    for here, after in pairwise(run):
        left, right = sorted((here, after), key=lambda token: token.start)
        if _STOP.search(sentence, left.end, right.start) or after.folded in parting:
            break
        crossed.append(after)
    return _folded(crossed[::-1] if backwards else crossed)
