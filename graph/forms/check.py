"""Check: a value counts only if its type is right and its cited evidence supports it.

The evidence must contain every name, number and date of the value. A value that does not pass is dropped, and its field
is not found: never guessed. The value of an entity field must be an entity of the graph, named in that very sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from filigraph.graph.forms.llm import FieldReply
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.forms import FieldEvidence, FormField
from filigraph.graph.model.names import Occurrence
from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.text.language import detect
from filigraph.graph.text.names.tables import FUNCTION_WORDS
from filigraph.graph.text.names.unsupported import unsupported_names
from filigraph.graph.text.numbers.answer_numbers import Figure, figures, unsupported_figures
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.time.dates import date_of
from filigraph.graph.text.words import fold, terms, tokens

MAX_SENTENCES_PER_VALUE = 3  # that support one value
_NOTHING = {
    *("", "-", "none", "null", "unknown", "n/a", "not found", "not stated", "not mentioned", "inconnu", "inconnue"),
    *("rien", "aucun", "aucune", "neant", "non precise", "non mentionne", "nothing", "nobody", "personne"),
}
_UNIT = re.compile(r"[^\W\d_]{1,20}\d?|[%°]")


@dataclass(frozen=True, kw_only=True)
class CheckedValue:
    """A value that counts, or why there is none."""

    values: tuple[str, ...] = ()
    normalized: str = ""
    note: str = ""
    evidence: tuple[FieldEvidence, ...] = ()


def check_reply(
    field: FormField, reply: FieldReply, extracts: Sequence[Evidence], named: Sequence[Occurrence]
) -> CheckedValue:
    """The values of a reply that pass. [n] is `extracts[n - 1]`; `named` are the entities in all of them."""
    stated_values = [value for value in reply.values if fold(value).strip(" .") not in _NOTHING]
    if not stated_values:
        return CheckedValue(note=_borne_out(reply.note, extracts))
    cited = [extracts[n - 1] for n in reply.numbers if 0 < n <= len(extracts)]
    if not cited:
        return CheckedValue(note=f"It cites no extract: {stated_values[0]}")
    values, wrong = [], ""
    for value in stated_values if field.type == "list" else stated_values[:1]:
        valid, why = _check_value(field, value, cited, extracts, named)
        values += [valid] if valid else []
        wrong = wrong or why
    if not values:
        return CheckedValue(note=wrong)
    evidence = [place for value in values for place in supporting_sentences(value, field, cited)]
    return CheckedValue(
        values=tuple(dict.fromkeys(values)),
        normalized=_normalized(field, values[0]),
        note=_borne_out(reply.note, cited),
        evidence=tuple(dict.fromkeys(evidence)),
    )


def _check_value(
    field: FormField, value: str, cited: Sequence[Evidence], extracts: Sequence[Evidence], named: Sequence[Occurrence]
) -> tuple[str, str]:
    """The accepted value, or "" and the reason."""
    if field.type == "enum":
        options = {fold(option): option for option in field.values}
        return options.get(fold(value).strip(" ."), ""), f"It is none of the values of the field: {value}"
    text = "\n".join(f"{extract.title}\n{extract.text}" for extract in cited)
    language = detect(cited[0].text)
    if wrong := _unsupported(value, language, text, extracts):
        return "", f"It does not occur in the evidence: {wrong}"
    if field.type in ("text", "list") and not _in_its_words(value, language, text):
        return "", f"The evidence does not say it in such words: {value}"
    if field.type == "date" and not _figure(value, "date"):
        return "", f"It is not a date: {value}"
    if field.type == "number" and not _figure(value, "number"):
        return "", f"It is not a number: {value}"
    if field.type == "entity" and not _is_linked(value, cited, named):
        return "", f"It is nothing that the graph knows: {value}"
    return value, ""


def _unsupported(value: str, language: str, text: str, extracts: Sequence[Evidence]) -> str:
    """The first name, number or date of a value that the evidence lacks; "" if it contains all."""
    for start, end in unsupported_names(value, text):
        if not _is_date(value[start:end], language):
            return value[start:end]
    for figure in unsupported_figures(value, language, text):
        return value[figure.start : figure.end]
    return _first_word(value, text, extracts)


def _in_its_words(value: str, language: str, text: str) -> bool:
    """Whether at least half of a value's words occur in the evidence: a value without names and numbers could be made
    up too."""
    value_terms = set(terms(value, language))
    return not value_terms or len(value_terms & set(terms(text, language))) >= len(value_terms) / 2


def _first_word(value: str, text: str, extracts: Sequence[Evidence]) -> str:
    """The first word, if it has a capital and occurs in none of the evidence: it is a name, whatever follows it.

    `unsupported_names` cannot detect it, because every sentence begins with a capital. A word that an extract has in
    lower case is not a name."""
    words = tokens(value)
    if not words or not words[0].text[0].isupper() or words[0].folded in FUNCTION_WORDS:
        return ""
    first = words[0]
    if _is_date(value, detect(text)) or {first.folded, *terms(first.text, "")} & {t.folded for t in tokens(text)}:
        return ""
    stems = {stem for language in ("en", "fr") for stem in terms(first.text, language)}
    if stems & {stem for language in ("en", "fr") for stem in terms(text, language)}:
        return ""
    small = any(re.search(rf"\b{re.escape(first.text.lower())}\b", extract.text) for extract in extracts)
    return "" if small else first.text


def _is_date(value: str, language: str) -> bool:
    """Whether it is a date, so that "March" is not a name."""
    return any(figure.kind == "date" for figure in figures(value, language or "en"))


def _borne_out(note: str, evidence: Sequence[Evidence]) -> str:
    """The note, or "" if it has names or figures that the evidence lacks."""
    text = "\n".join(extract.text for extract in evidence)
    wrong = unsupported_names(note, text) or unsupported_figures(note, detect(note), text)
    return "" if wrong else note


# --------------------------------------------------------------------------------------------------------------------
# Types


def _figure(value: str, kind: str) -> Figure | None:
    """The first date or number of a value. A year is a date, and a number."""
    for language in (detect(value) or "en", "en", "fr"):
        for figure in figures(value, language):
            if figure.kind == kind or (kind == "date" and date_of(figure, value, language)):
                return figure
    return None


def _normalized(field: FormField, value: str) -> str:
    figure = _figure(value, field.type) if field.type in ("date", "number") else None
    if figure is None:
        return ""
    if field.type == "date":
        return date_of(figure, value, detect(value) or "fr")
    if figure.time:
        return f"{figure.time[0]:02}:{figure.time[1]:02}"
    if len(figure.values) != 1:
        return ""  # 1.500 may be two numbers
    after = _UNIT.match(value[figure.end :].lstrip()) if not figure.unit else None
    unit = figure.unit or (after[0] if after else "")
    return f"{next(iter(figure.values)):f} {unit}".strip()


def _is_linked(value: str, cited: Sequence[Evidence], named: Sequence[Occurrence]) -> bool:
    """Whether an entity of the graph is named where the value occurs."""
    spans = {extract.id: occurrences(value, extract.text) for extract in cited}
    return any(start < name.end and name.start < end for name in named for start, end in spans.get(name.chunk_id, ()))


# --------------------------------------------------------------------------------------------------------------------
# Places


def supporting_sentences(value: str, field: FormField, cited: Sequence[Evidence]) -> list[FieldEvidence]:
    """The sentences of the evidence that support a value, the best first; at most one of each extract."""
    scored = [_best_sentence(value, field, extract) for extract in cited]
    best = max(says for says, _, _ in scored)
    saying = [row for row in scored if row[0] >= best / 2]  # other cited extracts may not support it
    return [place for _, _, place in sorted(saying, key=lambda row: -row[1])][:MAX_SENTENCES_PER_VALUE]  # stable


def _best_sentence(value: str, field: FormField, extract: Evidence) -> tuple[float, float, FieldEvidence]:
    """The best sentence of an extract, with its score for the value, and for value and question; words of the value
    count most."""
    language = detect(extract.text)
    wanted, question_terms = set(terms(value, language)), set(terms(field.question, language))
    spans = occurrences(value, extract.text)
    best: tuple[float, float, FieldEvidence] | None = None
    for start, end in sentences(extract.text, language):
        here = set(terms(extract.text[start:end], language))
        place = next(((a, b) for a, b in spans if start <= a and b <= end), None)
        value_score = (2.0 if place else 0.0) + len(wanted & here) / max(len(wanted), 1)
        value_score += _says_share(value, extract.text[start:end], language)
        score = value_score + 0.9 * len(question_terms & here) / max(len(question_terms), 1)
        if best is None or score > best[1]:
            at, to = place or (start, start)
            sentence = FieldEvidence(chunk_id=extract.id, start=start, end=end, value_start=at, value_end=to)
            best = value_score, score, sentence
    return best or (0.0, 0.0, FieldEvidence(chunk_id=extract.id, start=0, end=len(extract.text)))


def _says_share(value: str, sentence: str, language: str) -> float:
    """1 if the sentence contains each number and date of the value, in any spelling."""
    if not any(True for _ in figures(value, language or "en")):
        return 0.0
    return 0.0 if unsupported_figures(value, language or "en", sentence) else 1.0


def occurrences(value: str, text: str) -> list[Span]:
    """Where a value occurs in a text, whatever its case, accents and white space."""
    wanted = [token.folded for token in tokens(value)]
    words = tokens(text)
    folded = [token.folded for token in words]
    return [
        (words[n].start, words[n + len(wanted) - 1].end)
        for n in range(len(folded) - len(wanted) + 1)
        if wanted and folded[n : n + len(wanted)] == wanted
    ]
