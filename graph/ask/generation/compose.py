"""Compose: the evidence as one text for the model, within a budget; and as passages for a reader, where there is none.

    [P1] Jules porte chevalière; chevalière est l'emblème de La Griffe
      [2] Jules porte chevalière
      [1] chevalière est l'emblème de La Griffe
    [2] Lettre (letter.txt)
    Jules portait au doigt une chevalière ...
    [1] Le Petit Bleu, page 3 (cutting.txt)
    ...

Paths come first: they are short, and they are what vector search does not find. A sentence that a path quotes is in its
extract, or beside its hop if there is no room for the extract. The first path may use the whole budget, the others
share a part of it. Extracts behind a path come together, hop after hop. If not all extracts fit, each is cut to its
most important sentences, so that ten say a little rather than four everything: first the sentences that a path quotes
(without them the extract is not shown), then those beside them, then the nearest to the question. `left_out` names what
has no room; nothing is cut in mid-sentence (docs/decisions/0016-a-model-chooses.md).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Any

from filigraph.graph.ask.generation.basis import basis_note
from filigraph.graph.model.answers import Answer, Composed, Generated
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.retrieval import Evidence, Hop, Path, Retrieved
from filigraph.graph.models.llm import DEFAULT_MODEL, estimate_tokens, fence
from filigraph.graph.text.language import detect
from filigraph.graph.text.places import place_of
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.wording import Wording, hop_in_words, wording

PATHS_SHARE = 0.25  # of the budget, for the paths after the first
BREADTH_PLACES = 2  # the second sentence of an extract goes before the first one of the extract two places below
SENTENCES_BESIDE_QUOTE = 2  # sentences beside a quoted one that go before the nearest to the question
MAX_LABEL_CHARS = 120  # characters of a title, place, source or name
ADD_MODEL = f"ollama pull {DEFAULT_MODEL}"
MAX_PLAIN_PASSAGES = 3  # of an answer that no model words
ELLIPSIS = "[…]"
_GAP = estimate_tokens(f" {ELLIPSIS} ")


def compose(retrieved: Retrieved, *, budget_tokens: int = 3000) -> Composed:
    """Paths as [P1], then extracts as [1], each numbered by its place in `retrieved`.

    Summaries before the passages get room first, then paths, then the chunks behind them; the extracts also come in
    this order. Summaries after the passages get the room that is left. Only what is shown gets a number, so [n] is
    `cited[n - 1]`.
    """
    fitted = fit_to_budget(retrieved, budget_tokens)
    cited = [evidence for evidence in retrieved.evidence if evidence.id in fitted.texts]
    numbers = _number_by_id(cited)
    extracts = [f"[{numbers[e.id]}] {header(e)}\n{fitted.texts[e.id]}" for e in fitted.ordered if e.id in numbers]
    paths = [format_path(f"[P{n}]", path, numbers, wording("en"), fitted.texts) for n, path in fitted.paths.items()]
    context = fenced(paths, extracts)
    return Composed(
        question=retrieved.question,
        language=retrieved.language,
        context=context,
        cited=tuple(cited),
        paths=tuple(fitted.paths),
        left_out=tuple(fitted.left_out),
        tokens=estimate_tokens(context),
    )


@dataclass(frozen=True, kw_only=True)
class EvidenceInBudget:
    """The evidence and the paths that fit into a prompt, and that prompt."""

    retrieved: Retrieved
    composed: Composed

    def summary(self) -> dict[str, Any]:
        return self.composed.summary()


def within_budget(retrieved: Retrieved, *, budget_tokens: int) -> EvidenceInBudget:
    """The evidence and the paths that fit into a prompt of `budget_tokens`."""
    fitted, composed = fit_to_budget(retrieved, budget_tokens), compose(retrieved, budget_tokens=budget_tokens)
    evidence = tuple(replace(e, text=fitted.texts[e.id]) for e in composed.cited)
    cut = replace(retrieved, evidence=evidence, paths=tuple(fitted.paths.values()))
    return EvidenceInBudget(retrieved=cut, composed=composed)


@dataclass(frozen=True, kw_only=True)
class InBudget:
    """The evidence that has room in a prompt."""

    paths: Mapping[int, Path]  # by number
    texts: Mapping[str, str]  # of extracts, by id
    ordered: Sequence[Evidence]  # all of it, the chunks behind a path first
    left_out: Sequence[str]


def fit_to_budget(retrieved: Retrieved, budget_tokens: int) -> InBudget:
    """The evidence and the paths that have room in a prompt of `budget_tokens`."""
    left_out: list[str] = []
    shown: dict[int, Path] = {}
    ahead = {e.id for e in takewhile(lambda e: e.kind == "summary", retrieved.evidence)}
    reserved = sum(_tokens_needed(evidence) for evidence in retrieved.evidence if evidence.id in ahead)
    room, share = max(budget_tokens - reserved, 0), int(budget_tokens * PATHS_SHARE)
    for number, path in enumerate(retrieved.paths, start=1):
        needed = sum(estimate_tokens(_format_hop(hop, {}, wording("en"))) + 10 for hop in path.hops) + 30
        if needed > (share if shown else room):
            left_out.append(f"path {path.id}: no room")
            continue
        shown[number] = path
        room -= needed
        share -= needed

    room += min(reserved, budget_tokens)
    behind = list(dict.fromkeys(chunk for path in shown.values() for chunk in path.chunk_ids))
    first = {id_: place for place, id_ in enumerate(behind)}
    group = {e.id: 0 if e.id in ahead else 2 if e.kind == "summary" else 1 for e in retrieved.evidence}
    ordered = sorted(retrieved.evidence, key=lambda e: (group[e.id], first.get(e.id, len(first))))  # stable
    texts = _texts(ordered, quoted_by(shown.values()), _quoted_tokens(shown.values()), ahead, room, left_out)
    return InBudget(paths=shown, texts=texts, ordered=ordered, left_out=left_out)


def _texts(
    ordered: Sequence[Evidence],
    quoted: Mapping[str, Sequence[str]],
    freed: Mapping[str, int],
    ahead: Collection[str],
    room: int,
    left_out: list[str],
) -> dict[str, str]:
    """The text of each extract that has room, by id: every extract whole, or the most important sentences of each.
    Summaries come whole or not at all: those `ahead` of the passages get room first, the others the room that is left.
    `freed`: tokens that an extract saves, since paths need not repeat its sentences."""
    if sum(_tokens_needed(evidence) - freed.get(evidence.id, 0) for evidence in ordered) <= room:
        return {evidence.id: evidence.text.strip() for evidence in ordered}
    texts: dict[str, str] = {}
    cut = [_CutExtract(evidence, quoted.get(evidence.id, ())) for evidence in ordered if evidence.kind != "summary"]
    for evidence in ordered:
        if evidence.id in ahead and _tokens_needed(evidence) <= room:
            texts[evidence.id] = evidence.text.strip()
            room -= _tokens_needed(evidence)
    waiting = [(BREADTH_PLACES * n + rank, rank, n) for rank, one in enumerate(cut) for n in range(len(one.parts))]
    for _, rank, n in sorted(waiting):
        needed = cut[rank].needed(n)
        if needed is not None and n == 0:
            needed -= freed.get(cut[rank].evidence.id, 0)
        if needed is not None and needed <= room:
            cut[rank].kept += cut[rank].parts[n]
            room -= needed
    texts |= {one.evidence.id: one.text() for one in cut if one.kept}
    for evidence in ordered:
        if evidence.kind == "summary" and evidence.id not in ahead and _tokens_needed(evidence) <= room:
            texts[evidence.id] = evidence.text.strip()
            room -= _tokens_needed(evidence)
    for evidence in ordered:
        if evidence.id not in texts:
            left_out.append(f"{evidence.kind} {evidence.id}: no room")
    for one in cut:
        if one.kept and one.dropped_count:
            left_out.append(f"chunk {one.evidence.id}: shortened by {one.dropped_count} sentences")
    return texts


class _CutExtract:
    """An extract that is cut to its most important sentences."""

    def __init__(self, evidence: Evidence, quoted: Sequence[str]) -> None:
        self.evidence = evidence
        self.kept: list[int] = []
        self._spans = sentences(evidence.text, detect(evidence.text))
        own = [n for quote in quoted for n in self._sentences_touching(_span_of(quote, evidence.text))]
        beside = [near for n in own for near in (n + 1, n - 1) if 0 <= near < len(self._spans)]
        near = [n for part in evidence.nearest for n in self._sentences_touching(part)]
        others = dict.fromkeys([*beside[:SENTENCES_BESIDE_QUOTE], *near, *range(len(self._spans))])
        self._quoted = tuple(dict.fromkeys(own))
        # In the order in which they get room. The sentences that a path quotes are one part: without it no other is
        # shown.
        self.parts = [self._quoted] if own else []
        self.parts += [(n,) for n in others if n not in own]

    @property
    def dropped_count(self) -> int:
        """Sentences left out."""
        return len(self._spans) - len(self.kept)

    def _sentences_touching(self, part: Span) -> list[int]:
        """The sentences that a part of the text touches."""
        return [n for n, (start, end) in enumerate(self._spans) if start < part[1] and part[0] < end]

    def needed(self, part: int) -> int | None:
        """Tokens that a part adds, fewer if it closes a gap; the first part also counts the header. None if it may not
        be shown because the sentences that a path quotes are not."""
        if part and self._quoted and not self.kept:
            return None
        gaps = self._count_gaps([*self.kept, *self.parts[part]]) - self._count_gaps(self.kept)
        own = sum(map(self._sentence_tokens, self.parts[part])) + gaps * _GAP
        return own if self.kept else own + _overhead_tokens(self.evidence)

    def _sentence_tokens(self, n: int) -> int:
        """Tokens of a sentence and of what stands between it and the next one."""
        end = self._spans[n + 1][0] if n + 1 < len(self._spans) else self._spans[n][1]
        return estimate_tokens(self.evidence.text[self._spans[n][0] : end])

    def _count_gaps(self, chosen: Sequence[int]) -> int:
        """How often `text` has an ELLIPSIS if these sentences are kept."""
        bounds = [-1, *sorted(chosen), len(self._spans)]
        return sum(after > before + 1 for before, after in pairwise(bounds)) if chosen else 0

    def text(self) -> str:
        """The sentences that are kept, with an ELLIPSIS wherever others are left out."""
        text, spans, chosen = self.evidence.text, self._spans, sorted(self.kept)
        shown = ELLIPSIS + " " if chosen[0] else ""
        for before, n in zip([None, *chosen], chosen, strict=False):
            gap = "" if before is None else text[spans[before][1] : spans[n][0]] if n == before + 1 else f" {ELLIPSIS} "
            shown += gap + text[spans[n][0] : spans[n][1]]
        return shown.strip() + (f" {ELLIPSIS}" if chosen[-1] < len(spans) - 1 else "")


def quoted_by(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Chunk id -> the sentences of it that the hops of some paths quote."""
    quoted: dict[str, list[str]] = defaultdict(list)
    for hop in (hop for path in paths for hop in path.hops):
        quoted[hop.chunk_id] += [hop.sentence, *hop.premises]
    return quoted


def _quoted_tokens(paths: Iterable[Path]) -> dict[str, int]:
    """Chunk id -> tokens of the sentences that paths quote from it."""
    freed: dict[str, int] = defaultdict(int)
    words = wording("en")
    for hop in (hop for path in paths for hop in path.hops):
        extract = {hop.chunk_id: " ".join([hop.sentence, *hop.premises])}
        freed[hop.chunk_id] += estimate_tokens(_format_hop(hop, {}, words)) - estimate_tokens(
            _format_hop(hop, {}, words, extract)
        )
    return freed


def _span_of(quote: str, text: str) -> Span:
    """Where a quote occurs; an empty span where it does not."""
    start = text.find(quote)
    return (start, start + len(quote)) if start >= 0 else (0, 0)


def _tokens_needed(evidence: Evidence) -> int:
    return estimate_tokens(evidence.text) + _overhead_tokens(evidence)


def _overhead_tokens(evidence: Evidence) -> int:
    """Tokens of the header and the tags."""
    return estimate_tokens(header(evidence)) + 25


def fenced(paths: Sequence[str], extracts: Sequence[str]) -> str:
    """The evidence as one text. Each extract is between tags that no document can forge, so none can pass for another
    extract or for the instructions."""
    tag = fence(*paths, *extracts)
    blocks = [f"<path-{tag}>\n{path}\n</path-{tag}>" for path in paths]
    blocks += [f"<extract-{tag}>\n{extract}\n</extract-{tag}>" for extract in extracts]
    return "\n".join(blocks)


# --------------------------------------------------------------------------------------------------------------------
# Passages, not an answer


def plain_answer(retrieved: Retrieved, composed: Composed, *, add_model: bool = True) -> Generated:
    """What was found, for a reader: the paths hop by hop with their sentences, then the best passages.

    [n] is `composed.cited[n - 1]`, as in an answer that a model words. `add_model`: say how to have one.
    """
    words = wording(retrieved.language)
    if not composed.cited and not retrieved.paths:
        return Generated(text=words.nothing, generated=False)
    blocks = [words.not_an_answer, *filter(None, [retrieved.remark])]
    blocks += [words.nowhere.format(names=", ".join(map(_one_line, retrieved.nowhere)))] if retrieved.nowhere else []
    shown = [path for path in retrieved.paths if not path.lead]
    blocks += _format_paths(shown, _number_by_id(composed.cited), words)
    leads = len(retrieved.paths) - len(shown)
    blocks += [words.leads.format(count=leads)] if leads else []
    first = bool(composed.cited) and composed.cited[0].kind == "summary"  # else they are context
    summaries = first * sum(evidence.kind == "summary" for evidence in composed.cited)  # each covers another part
    listed = composed.cited[: summaries + MAX_PLAIN_PASSAGES]
    best = [
        f"[{number}] {header(evidence)}\n{text}"
        for number, (evidence, text) in enumerate(zip(listed, without_repetition(listed), strict=True), start=1)
    ]
    blocks += [f"{words.passages}:", *best] if best else []
    blocks += [rests_on] if (rests_on := basis_note("\n".join(best), composed.cited, retrieved.language)) else []
    if add_model:
        blocks.append(words.add_model.format(command=ADD_MODEL))
    return Generated(text="\n\n".join(blocks), generated=False)


def without_repetition(listed: Sequence[Evidence]) -> list[str]:
    """The texts of passages, each without the sentences at its beginning and end that an earlier passage of its
    document has: chunks overlap. A passage with no other sentence stays whole."""
    texts: list[str] = []
    shown: set[tuple[str, str]] = set()
    for evidence in listed:
        spans = sentences(evidence.text, detect(evidence.text))
        keyed_sentences = [(evidence.document_id, " ".join(evidence.text[start:end].split())) for start, end in spans]
        new = [n for n, sentence in enumerate(keyed_sentences) if sentence not in shown]
        shown.update(keyed_sentences)
        first, last = (new[0], new[-1]) if new else (0, len(spans) - 1)
        start = spans[first][0] if first else 0
        end = spans[last][1] if last < len(spans) - 1 else len(evidence.text)
        parts = (
            ELLIPSIS if first else "",
            evidence.text[start:end].strip(),
            ELLIPSIS if end < len(evidence.text) else "",
        )
        texts.append(" ".join(filter(None, parts)))
    return texts


def footnotes(answer: Answer, language: str) -> str:
    """The support of an answer that a model worded, in Markdown, for readers who see only its text: the paths hop by
    hop, the cited extracts, what no extract says. An answer of passages shows all that itself: for it only the reason
    why no model worded it, "" if there is none.
    """
    words = wording(language)
    if not answer.generated:
        return answer.missing  # why the model gave none; the passages have the remark
    shown = [(n, path) for n, path in enumerate(answer.paths, start=1) if path.id in answer.rests_on]
    shown = shown or list(enumerate(answer.paths[:1], start=1))
    numbers = _number_by_id(answer.citations)
    behind = {chunk_id for _, path in shown for chunk_id in path.chunk_ids}
    cited = {int(number) for number in re.findall(r"\[(\d{1,4})\]", answer.text)}
    blocks = [
        "\n".join(
            [
                f"**{words.path} {n}** {_one_line(path.text)}",
                *(f"- {_format_hop(h, numbers, words).strip()}" for h in path.hops),
            ]
        )
        for n, path in shown
    ]
    listed = [
        f"- [{n}] {header(extract)}"
        for n, extract in enumerate(answer.citations, start=1)
        if n in cited or extract.id in behind
    ]
    blocks += [f"**{words.passages}**\n" + "\n".join(listed)] if listed else []
    blocks += [f"**{words.missing}** {answer.missing}"] if answer.missing else []
    unsupported = ", ".join(dict.fromkeys(_one_line(part.text) for part in answer.unsupported))
    blocks += [f"**{words.unsupported}** {unsupported}"] if unsupported else []
    blocks += list(filter(None, (answer.basis, answer.remark)))
    return "\n\n".join(["---", *blocks]) if blocks else ""


# --------------------------------------------------------------------------------------------------------------------
# Shared wording


def _format_paths(paths: Sequence[Path], numbers: Mapping[str, int], words: Wording) -> list[str]:
    """Each path under its number."""
    return [format_path(f"{words.path} {n}:", path, numbers, words) for n, path in enumerate(paths, start=1)]


def format_path(
    label: str, path: Path, numbers: Mapping[str, int], words: Wording, texts: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A path as a line, and under it each hop with the sentence that carries it, unless that occurs in `texts`, the
    extracts."""
    return "\n".join(
        [f"{label} {_one_line(path.text)}".strip(), *(_format_hop(hop, numbers, words, texts) for hop in path.hops)]
    )


def _format_hop(
    hop: Hop, numbers: Mapping[str, int], words: Wording, texts: Mapping[str, str] = MappingProxyType({})
) -> str:
    number = numbers.get(hop.chunk_id)
    if not hop.found:
        notes = [words.unfound, *([words.cites.format(passage=f"[{number}]")] if number else [])]
        return f"  {_one_line(hop_in_words(hop, words), 3 * MAX_LABEL_CHARS)} ({'; '.join(notes)})"
    marks = f"[{number}] " if number else ""
    quotes, extract = (hop.sentence, *hop.premises), texts.get(hop.chunk_id, "")
    quoted = [] if all(q.strip() in extract for q in quotes) else [f'"{" ".join(q.split())}"' for q in quotes]
    line = f"  {marks}{_one_line(hop_in_words(hop, words), 3 * MAX_LABEL_CHARS)}{_attribution(hop, words)}"
    return f"{line}: {' '.join(quoted)}" if quoted else line


def _attribution(hop: Hop, words: Wording) -> str:
    """ " (according to Ann, 1912-03-04, page 3)": who asserts a hop, when and where, as far as is known."""
    notes = [words.implied] if hop.implied else []
    notes += [words.own] if hop.own else []
    notes += [words.according_to.format(who=_one_line(hop.according_to))] if hop.according_to else []
    notes += [_one_line(note) for note in (hop.date, hop.place) if note]
    return f" ({', '.join(notes)})" if notes else ""


def header(evidence: Evidence) -> str:
    """ "Le Petit Bleu, page 3, 1912-03-04 (cutting.txt)"; of a summary of level 2 "Σ2 Monsieur Lecoq, I – IV"."""
    kind = f"Σ{evidence.level} " if evidence.kind == "summary" else ""
    where = place_of(evidence.places, 0, len(evidence.text), otherwise=evidence.place)
    place = f", {_one_line(where)}" if where else ""
    source = f" ({_one_line(evidence.source)})" if evidence.source and evidence.source != evidence.title else ""
    date = f", {_one_line(evidence.date)}" if evidence.date else ""
    return f"{kind}{_one_line(evidence.title)}{place}{date}{source}"


def _one_line(text: str, longest: int = 4 * MAX_LABEL_CHARS) -> str:
    """The text on one line of limited length: a title is as untrusted as the text."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def _number_by_id(cited: Sequence[Evidence]) -> dict[str, int]:
    return {evidence.id: number for number, evidence in enumerate(cited, start=1)}
