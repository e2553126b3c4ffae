"""Render a path hop by hop, each hop with its sentence and where that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.terminal.console import Data, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

COLOURS = {
    "fact": "cyan",
    "mention": "magenta",
    "title": "blue",
    "sentence": "green",
    "identity": "blue",
    "unfound": "red",
}
BESIDE = {"title": "in the title", "head": "at its head", "end": "at its end", "text": "near by"}
HOW = {  # what is said of a hop that is not a fact of the graph
    "sentence": "read in this sentence",
    "identity": "two names of one",
    "unfound": "not found in the texts",
}
ALSO = 3  # copies of a passage that are named


def show_paths(terminal: Console, shown: Sequence[Data], evidence: Sequence[Data]) -> None:
    """Paths, hop by hop, each with its sentence."""
    chunks = {piece["id"]: piece for piece in evidence if piece["kind"] == "chunk"}
    for number, path in enumerate(shown, start=1):
        heading(terminal, f"Path {number}" if len(shown) > 1 else "The path", _describe_path(path))
        for hop in path["hops"]:
            line(terminal, hop_text(hop))
            chunk = chunks.get(hop["chunk_id"])
            if not hop["sentence"]:
                if hop["chunk_id"]:
                    line(terminal, cited_passage(hop, chunk), 6)
                continue
            quotation = " … ".join(map(one_line, (hop["sentence"], *_premises(hop, ""))))
            source = hop_source(hop, chunk)
            line(
                terminal,
                styled(f"“{quotation}”", "italic").append(f"  {source}" if source else "", style="dim not italic"),
                6,
            )
            for mark, label in BESIDE.items():
                for premise in _premises(hop, mark):
                    line(terminal, styled(f"{label}: “{one_line(premise)}”", "dim"), 6)


def _describe_path(path: Data) -> str:
    """How many hops it has, and how likely or how well founded it is."""
    hops = plural(len(path["hops"]), "hop")
    if path.get("origin") != "named":
        return f"{hops}, score {path['score']:.2f}"
    unfound = sum(hop["kind"] == "unfound" for hop in path["hops"])
    apart = sum(not hop.get("joined", True) for hop in path["hops"])
    notes = [f"{unfound} not found in the texts"] if unfound else []
    notes += [f"{plural(apart, 'break')}"] if apart else []
    return ", ".join([hops, "named by the model", *notes])


def hop_text(hop: Data) -> Text:
    """A hop with what is to be known of it."""
    from rich.text import Text

    return Text.assemble(
        ("⋮ " if not hop.get("joined", True) else "", "dim"),
        (one_line(hop["subject"]), "bold"),
        (f" ── {one_line(hop['predicate'])} ─→ ", COLOURS[hop["kind"]]),
        (one_line(hop["object"]), "bold"),
        (f"  {one_line(hop['when'])}" if hop["when"] else "", "italic"),
        ("  (denied)" if hop["denied"] else "", "dim italic"),
        ("  (implied)" if hop["implied"] else "", "dim italic"),
        ("  (stated by a person)" if hop.get("own") else "", "dim italic"),
        (f"  ({HOW[hop['kind']]})" if hop["kind"] in HOW else "", "dim italic"),
        ("  (the graph keeps them apart: `filigraph corrections apply`)" if hop.get("apart") else "", "dim italic"),
        (f"  (according to {one_line(hop['according_to'])})" if hop["according_to"] else "", "dim italic"),
    )


def cited_passage(hop: Data, chunk: Data | None) -> Text:
    """The passage that an unfound hop cites; empty if it cites none."""
    return styled(
        f"cites {hop_source(hop, chunk)}, which does not say it in one sentence" if hop["chunk_id"] else "", "dim"
    )


def _premises(hop: Data, *marks: str) -> list[str]:
    """The premises with one of these marks."""
    premise_marks = hop.get("premise_marks") or [""] * len(hop["premises"])
    return [premise for premise, mark in zip(hop["premises"], premise_marks, strict=True) if mark in marks]


def hop_source(hop: Data, chunk: Data | None) -> str:
    """Where the sentence of a hop is, and its date."""
    own = hop.get("place", "")
    place = source_and_place({**chunk, "place": own or chunk["place"]}) if chunk else one_line(own, 60)
    return ", ".join(part for part in (place, one_line(hop["date"], 40)) if part)


def source_and_place(piece: Data) -> str:
    """Title and place of a piece of evidence."""
    named = ", ".join(one_line(part, 60) for part in (piece["title"] or piece["source"], piece["place"]) if part)
    also = (
        f" (also in {', '.join(one_line(source, 60) for source in piece['also'][:ALSO])})" if piece.get("also") else ""
    )
    return f"summary of {named}" if piece["kind"] == "summary" else named + also


def show_folded_leads(terminal: Console, count: int) -> None:
    """How many paths are not shown, and how to see them."""
    if count:
        terminal.print()
        note = f"{plural(count, 'lead')}, not likely to answer: `--leads` shows {'it' if count == 1 else 'them'}."
        line(terminal, styled(note, "dim"))


def multi_hop_path(candidates: Sequence[Data]) -> Data | None:
    """The best path of several hops, which vector search cannot show; else the best path."""
    return next((path for path in candidates if len(path["hops"]) > 1), candidates[0] if candidates else None)
