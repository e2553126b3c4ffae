"""Tables of figures in docs/benchmarks.md about names, facts, long texts and forms (see `figures.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.figure_tables import CASES, read, table

_CHARACTERS: Sequence[tuple[str, str, str, str]] = (
    ("English, held out: Hard Times, Oliver Twist, Persuasion", "en, held out", "all", "token sets"),
    ("proper names alone", "en, held out", "proper", "token sets, proper"),
    ("English, development: seven novels", "en, development", "all", "token sets"),
    ("proper names alone", "en, development", "proper", "token sets, proper"),
    ("French, development: *Indiana*, proper names", "fr, development", "all", "token sets"),
    ("with 30 questions a novel answered: English, held out", "en, held out", "questions", ""),
    ("English, development", "en, development", "questions", ""),
    ("French, development", "fr, development", "questions", ""),
)


def characters() -> str:
    """Who is who in whole novels, beside a plain rule."""
    results = read("characters")

    def row(label: str, novels: str, names: str, plain: str) -> list[str]:
        result = results[novels][names]
        shares = [_bounded(result, metric) for metric in ("precision", "recall")]
        return [label, *shares, f"{result['f1']:.3f}", f"{results[novels][plain]['f1']:.3f}" if plain else ""]

    head = ["pairs of name forms", "precision", "recall", "F1", "token sets, F1"]
    return table(head, [row(*names) for names in _CHARACTERS])


def _bounded(result: Mapping[str, Any], metric: str, digits: int = 3) -> str:
    low, high = result[f"{metric}_interval"]
    return f"{result[metric]:.{digits}f} ({low:.2f} to {high:.2f})"


def contradictions() -> str:
    """Contradictions of the case files: by rules, and by an LLM that reads."""
    results = read("contradictions")
    counts = ("candidates", "right", "holding", "half")

    def row(case: str, who: str, result: Mapping[str, Any], calls: str) -> list[str]:
        found = f"{result['found']} of {result['real']}"
        precision = f"{result['precision']:.0f} %"
        return [case, who, *(str(result[key]) for key in counts), precision, found, str(result["look-alikes"]), calls]

    def rows(case: str) -> list[list[str]]:
        result, calls = results[case], str(results[case]["calls"])
        return [
            row(case, "rules, by matter", result, "0"),
            row(case, "rules, by pair", result["pairs"], "0"),
            row(case, "LLM, by matter", result["read"], calls),
            row(case, "LLM, by pair", result["read"]["pairs"], calls),
            row(case, "LLM without the check, by matter", result["unchecked"], f"{calls}, less one"),
        ]

    head = ["case file", "who", "listed", "right", "holding", "half", "precision", "found", "look-alikes", "calls"]
    return table(head, [line for case in CASES for line in rows(case)])


def people() -> str:
    """Who is who in case files, by rules."""
    results = read("people")
    groups = (
        ("mairie, musee, theatre", ("mairie", "musee", "theatre")),
        ("filature, harbour", ("filature", "harbour")),
    )

    def shares(cases: Sequence[str], *keys: str) -> str:
        return ", ".join(f"{_at(results[case], keys):.2f}" for case in cases)

    columns = (("all", "recall"), ("knowable", "recall"), ("review", "knowable_recall"))
    rows = [
        [label, *dict.fromkeys(shares([case], "all", "precision") for case in cases)]
        + [shares(cases, *keys) for keys in columns]
        for label, cases in groups
    ]
    total = [_bounded(results["all"]["all"], metric, 2) for metric in ("precision", "recall")]
    total += [_bounded(results["all"]["knowable"], "recall", 2), shares(["all"], "review", "knowable_recall")]
    head = ["", "precision", "recall", "recall of what can be known", "with the review list answered"]
    return table(head, [*rows, ["all", *total]])


def _at(result: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        result = result[key]
    return result


def extraction() -> str:
    """What the local extractor reads in encyclopedic articles, beside plain sentences."""
    results = read("extraction")["redocred"]

    def row(label: str, method: str) -> list[str]:
        result = results[method]
        low, high = result["evidence_precision_interval"]
        precision = f"{100 * result['evidence_precision']:.1f} ({100 * low:.0f} to {100 * high:.0f})"
        joined = [f"{100 * result[key]:.1f}" for key in ("pairs_joined", "pairs_joined_one_sentence")]
        return [label, str(result["facts"]), *joined, precision, f"{100 * result['related']:.1f}"]

    rows = [
        row("subject, verb, object (spaCy's noun chunks)", "subject, verb, object"),
        row("Filigraph", "Filigraph"),
    ]
    sentences = ["pairs joined", "of those in one sentence", "precision by evidence sentence", "related at all"]
    return table(["", "facts", *sentences], rows)


def novel_facts() -> str:
    """What the local extractor reads in two novels, and how much of it is right."""
    results, judged = read("extraction"), read("judgements")

    def row(novel: str) -> list[str]:
        result = results[novel]
        plain = result["subject, verb, object per_1000_words"]
        without = f"{result['chunks_without']:,} of {result['chunks']:,}"
        return [
            novel.title(),
            str(result["facts"]),
            f"{result['facts_per_1000_words']:.2f}",
            f"{plain:.2f}",
            without,
            right(novel),
        ]

    def right(novel: str) -> str:
        low, high = judged[novel]["share_right_interval"]
        share = f"{100 * judged[novel]['share_right']:.1f} % ({100 * low:.0f} to {100 * high:.0f})"
        return f"{share} of {judged[novel]['judged_of_sample']}"

    head = ["", "facts", "for 1,000 words", "subject, verb, object", "chunks without a fact", "right"]
    return table(head, [row(novel) for novel in ("holmes", "lecoq")])


_READINGS: Sequence[tuple[str, Sequence[str]]] = (
    ("six Holmes stories", ("readings/holmes",)),
    ("*Monsieur Lecoq*, first chapters", ("readings/lecoq",)),
    ("case files mairie, musee, harbour", ("cases/mairie", "cases/musee", "cases/harbour")),
    ("case files filature, theatre (not at hand)", ("cases/filature", "cases/theatre")),
    ("another LLM on Wikipedia, English: 2WikiMultiHopQA, MuSiQue", ("2wiki", "musique-train")),
)


def relations() -> str:
    """How many facts of each reading have a relation type."""
    results = read("relations")

    def row(label: str, readings: Sequence[str]) -> list[str]:
        facts = ", ".join(f"{results[name]['facts']:,}" for name in readings)
        typed = ", ".join(f"{100 * results[name]['share_typed']:.1f}" for name in readings)
        return [label, facts, f"{typed} %", ", ".join(str(results[name]["types"]) for name in readings)]

    return table(["reading", "facts", "with a type other than `RELATED_TO`", "types"], [row(*one) for one in _READINGS])


_LONG_TEXTS: Sequence[tuple[str, str]] = (
    ("{} syntheses", "synthesis, 3000 tokens"),
    ("of them Holmes ({})", "synthesis, 3000 tokens, holmes"),
    ("Lecoq ({})", "synthesis, 3000 tokens, lecoq"),
    ("case files ({})", "synthesis, 3000 tokens, cases"),
    ("{} details", "detail, 3000 tokens"),
    ("{} entities", "entity, 3000 tokens"),
    ("{} of what is recent", "recent, 3000 tokens"),
)


def long_texts() -> str:
    """Coverage of long texts by the evidence, with summaries and without."""
    results = read("memory")

    def row(label: str, key: str) -> list[str]:
        result = results[key]
        coverage = [f"{result[method]['coverage']:.1f}" for method in ("levels", "walk", "hybrid", "hybrid, cut")]
        mean, low, high = result["coverage, levels / hybrid"]
        factor = f"{mean:.2f} ({low:.2f} to {high:.2f})"
        return [label.format(result["questions"]), *coverage, f"{result['oracle coverage']:.1f}", factor]

    plain = ["plain search, whole passages", "plain search, forty passages cut to sentences"]
    head = [
        "questions",
        "levels",
        "walk without levels",
        *plain,
        "oracle, whole chunks",
        "levels / plain search (95 %)",
    ]
    return table(head, [row(*one) for one in _LONG_TEXTS])


def forms() -> str:
    """A form on case files, by the number of fields in a call."""
    results = read("forms")["forms"]

    def row(label: str, key: str) -> list[str]:
        result = results[key]
        counts = [str(result.get(name, 0)) for name in ("right", "wrong", "missed", "rightly_empty")]
        return [label, str(result["calls"]), f"{result['tokens_in']:,}", *counts]

    rows = [
        row("1", "recorded, batches of 1"),
        row("5, of one group", "recorded, batches of 5"),
        row("20", "recorded, batches of 20"),
    ]
    return table(["fields in a call", "calls", "tokens in", "right", "wrong", "missed", "rightly not found"], rows)


def form_cuts() -> str:
    """A form and questions on case files that are cut into chunks in three ways."""
    results = read("forms")

    def row(cut: str) -> list[str]:
        questions = results["questions"][cut]
        right = results["forms"][f"recorded, one file, {cut}"]["right"]
        return [cut, str(questions["chunks"]), str(right), f"{questions['hits']} of {questions['gold']}"]

    head = ["cut", "chunks", "form fields right, of 71", "questions: gold in the first five passages"]
    return table(head, [row(cut) for cut in ("512 tokens", "2000/300", "250-350 words")])


TABLES: Mapping[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        *(characters, contradictions, people, extraction, novel_facts, relations),
        *(long_texts, forms, form_cuts),
    )
}
