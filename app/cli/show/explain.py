"""Render the explanation of an answer: each path as a lane from left to right, and a timeline of the stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from filigraph.app.cli.show.path import COLOURS, HOW, cited_passage, hop_source, show_paths
from filigraph.app.cli.terminal.console import Data, heading, line, plural, styled, table
from filigraph.app.cli.terminal.text import one_line
from filigraph.app.path_lane import LaneStep, on_lane

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NAME, LEAST = 16, 11  # max., min. columns of a name; with less room the path is printed line by line
EDGE, LONGEST = 13, 26  # columns of a relation
BAR = 30  # columns of the timeline
LINES = {  # thin, thick
    "fact": "─━",
    "implied": "╌╍",
    "mention": "┈┈",
    "title": "══",
    "sentence": "╌╍",
    "identity": "══",
    "unfound": "··",
}
THICK_LINE_COSINE = 0.45  # min. cosine of hop and question for a thick line
BRANCHES = {"vector": "by vectors", "keyword": "by words", "facts": "facts", "link": "names"}
ONLY = {"entity_types": "to", "path_types": "over"}
STAGES = {
    "rewrite": "put the question by itself",
    "embed": "read the question",
    "search": "search",
    "levels": "look through the summaries",
    "walk": "walk the graph",
    "rank": "rank",
    "rerank": "rerank",
    "summaries": "choose summaries",
    "compose": "compose",
    "read": "read",
    "look up": "look in the graph",
    "check the path": "check the path",
}


def show_lanes(terminal: Console, shown: Sequence[Data], evidence: Sequence[Data]) -> None:
    """Draw paths from left to right, with the sentence under each hop; line by line if the terminal is too narrow."""
    chunks = {piece["id"]: piece for piece in evidence if piece["kind"] == "chunk"}
    for number, path in enumerate(shown, start=1):
        steps = list(on_lane(path["hops"]))
        names = sum(1 if step.joined else 2 for step in steps)
        room = terminal.width - 2
        name = min(NAME, (room - EDGE * len(steps)) // names)
        if name < LEAST:
            show_paths(terminal, [path], evidence)
            continue
        heading(terminal, f"Path {number}" if len(shown) > 1 else "The path", plural(len(path["hops"]), "hop"))
        _draw(terminal, steps, chunks, name, room)


def _draw(terminal: Console, steps: Sequence[LaneStep], chunks: Mapping[str, Data], name: int, room: int) -> None:
    from rich.padding import Padding
    from rich.table import Table

    track, below = (Table.grid(padding=0) for _ in range(2))
    row, sentences = [], []
    ends = [[styled(one_line(end, 60), "bold") for end in (step.left, step.right)][step.joined :] for step in steps]
    names_width = sum(min(name, end.cell_len) for own in ends for end in own)
    edge = min(LONGEST, (room - names_width) // len(steps))
    for step, own in zip(steps, ends, strict=True):
        parts = [(end, min(name, end.cell_len)) for end in own]
        parts.insert(len(own) - 1, (_relation_line(step, edge), edge))
        for text, width in parts:
            track.add_column(width=width, justify="center", vertical="middle")
            row.append(text)
        below.add_column(width=sum(width for _, width in parts))
        sentences.append(Padding(_hop_quotation(step.hop, chunks.get(step.hop["chunk_id"])), (0, 2, 0, 0)))
    track.add_row(*row)
    below.add_row(*sentences)
    line(terminal, track)
    terminal.print()
    line(terminal, below)


def _relation_line(step: LaneStep, width: int) -> Text:
    """The relation above its line, which is thick from THICK_LINE_COSINE on."""
    from rich.text import Text

    hop = step.hop
    kind = "implied" if hop["implied"] else hop["kind"]
    drawn = LINES[kind][hop["score"] >= THICK_LINE_COSINE] * (width - 4)
    arrow = f"◂{drawn}" if step.backward else f"{drawn}▸"
    notes = [one_line(hop["when"], 40)] if hop["when"] else []
    notes += [note for note in ("denied", "implied") if hop[note]]
    notes += ["stated by a person"] if hop.get("own") else []
    notes += [HOW["unfound"]] if hop["kind"] == "unfound" else []
    notes += [f"according to {one_line(hop['according_to'], 40)}"] if hop["according_to"] else []
    colour = COLOURS[hop["kind"]]
    return Text.assemble(
        (one_line(hop["predicate"], 40), f"italic {colour}"),
        (f"\n{arrow}", colour),
        ("\n" + ", ".join(notes) if notes else "", "dim"),
    )


def _hop_quotation(hop: Data, chunk: Data | None) -> Text:
    if hop["kind"] == "unfound":
        return cited_passage(hop, chunk)
    quotation = " … ".join(one_line(sentence) for sentence in (hop["sentence"], *hop["premises"]))
    source = hop_source(hop, chunk)
    text = styled(f"“{quotation}”", "italic").append(f"\n{source}" if source else "", style="dim not italic")
    return text.append("\nkept by the graph", style="red not italic") if chunk and chunk["kept_by"] == "graph" else text


def show_timeline(terminal: Console, trace: Data) -> None:
    """The stages of an answer on a timeline, with milliseconds and results."""
    total = sum(step["milliseconds"] for step in trace["steps"]) or 1.0
    heading(terminal, "How it came about", f"{total:,.0f} ms")
    rows = table("", "", "", "", right=[2])
    begin = 0.0
    for step in trace["steps"]:
        first = min(int(BAR * begin / total), BAR - 1)
        cells = max(1, round(BAR * step["milliseconds"] / total))
        begin += step["milliseconds"]
        bar = "┈" * first + "━" * min(cells, BAR - first)
        rows.add_row(
            f"  {STAGES.get(step['name'], step['name'])}",
            styled(bar.ljust(BAR, "┈"), "dim"),
            f"{step['milliseconds']:,.0f} ms",
            styled(_step_results(step), "dim"),
        )
    terminal.print(rows)


def _filters_of_paths(outputs: Data) -> str:
    only = outputs.get("only") or {}
    kinds = [f"{word} {one_line(', '.join(only[name]), 60)}" for name, word in ONLY.items() if only.get(name)]
    return f"; only paths {' '.join(kinds)}" if kinds else ""


def _step_results(step: Data) -> str:
    """The results of a stage in one line."""
    outputs, inputs = step["outputs"], step["inputs"]
    match step["name"]:
        case "search" if "method" not in inputs:
            return ", ".join(f"{len(outputs.get(branch, []))} {name}" for branch, name in BRANCHES.items())
        case "rewrite":
            return one_line(outputs["question"], 60)
        case "levels":
            return _levels(outputs["searched"]) if "searched" in outputs else "no summaries"
        case "summaries":
            rejected = sum(len(group.get("rejected", [])) for group in (outputs["overview"], outputs["windows"]))
            return f"{_levels(outputs['levels']) or 'none'}; {rejected} left out"
        case "walk":
            return f"{outputs['pool']} passages in play, {outputs['reached']} reached"
        case "rank":
            return f"{one_line(outputs['by'], 60)}{_filters_of_paths(outputs)}"
        case "rerank":
            forced = sum(piece["kept_by"] == "graph" for piece in outputs["kept"])
            return f"{len(outputs['kept'])} kept, {forced} by the graph; {one_line(inputs['reranker'], 50)}"
        case "compose":
            left_out = f", {len(outputs['left_out'])} shortened or left out" if "left_out" in outputs else ""
            return f"{outputs['tokens']:,} tokens{left_out}"
        case "read":
            looks = "; ".join(outputs["looks_for"])
            return one_line(outputs.get("failed") or looks or f"answered by {inputs['model']}", 60)
        case "look up":
            return one_line(outputs.get("failed") or f"{inputs['kind']}: {inputs['text']}", 60)
        case "check the path":
            hops_found = sum(hop["kind"] != "unfound" for hop in outputs["hops"])
            steps = f"{hops_found} of {len(outputs['hops'])} steps found in the texts"
            return steps if outputs["hops"] else "no path was named"
    return ""


def _levels(counts: Data) -> str:
    """The number of summaries per level."""
    return ", ".join(f"{count} of level {level}" for level, count in counts.items())
