"""Render answers: the text or the best passages, then the path hop by hop; in full also the evidence and a comparison
with vector search."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from filigraph.app.cli.show.contradictions import show_said_against
from filigraph.app.cli.show.path import hop_text, multi_hop_path, show_folded_leads, show_paths, source_and_place
from filigraph.app.cli.show.views import WHY
from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.terminal.excerpt import excerpts
from filigraph.app.cli.terminal.options import DEFAULT_WORKSPACE
from filigraph.app.cli.terminal.text import clean, one_line, source_name
from filigraph.app.path_lane import visible_paths

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

PASSAGES = 3  # shown without an LLM
EXCERPT = 320  # characters of each
NOTES = 300  # characters of what an LLM notes
LOOKING = {"search": "for:", "facts": "at what the graph knows of", "between": "for what joins"}
IN_BRIEF = 120  # the same, in a brief answer: two lines of a terminal with its source
SUMMARIES = 5  # shown in a brief answer that rests on summaries
ADD_MODEL = "ollama pull"  # the command in the words that say how to have a model
SIDE_BY_SIDE = 4  # passages of vector search
KEPT_BY = {"rank": "rank", "graph": "graph, force-kept", "neighbour": "neighbour"}
ENDED = {
    "rounds": "It had to answer after so many readings, and did not: try --rounds.",
    "tokens": "It had to answer, since it had spent its tokens (FILIGRAPH_ANSWER_TOKENS), and did not.",
    "seconds": "It had to answer, since its time was over (FILIGRAPH_ANSWER_SECONDS), and did not.",
    "repeats": "It looked for the same again, and then did not answer.",
    "cancelled": "Cancelled: this is what was read so far, and may be half of it.",
}

Draw = Callable[["Console", Sequence[Data], Sequence[Data]], None]  # paths, evidence


class AnswerView:
    """Shows a streamed answer. In brief: the text, then the path. With `draw`, a function that draws the paths: paths,
    text, evidence."""

    def __init__(self, draw: Draw | None = None, *, leads: bool = False) -> None:
        self.out = console()
        self.draw = draw
        self.leads = leads  # show what is not likely to answer, too
        self.answer: Data | None = None  # set by the last event
        self._live: Live | None = None
        self._wait: AbstractContextManager[Any] = nullcontext()
        self._words = ""
        self._evidence: list[Data] = []

    def __enter__(self) -> AnswerView:
        if self.out.is_terminal:
            self._wait = self.out.status("Looking…", spinner="dots")
        self._wait.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._wait.__exit__(None, None, None)
        self._end_live()

    def take(self, event: Data) -> None:
        """Handle an event of the stream."""
        self._wait.__exit__(None, None, None)
        self._wait = nullcontext()
        if event["event"] == "retrieved":
            self._evidence = event["evidence"]
        elif event["event"] == "token":
            self._words += event["text"]
            self._show_text_so_far()
        elif event["event"] in ("round", "found"):
            self._end_live()
            self._words = ""
            for text in thinking(event):
                line(self.out, styled(text, "dim"))
        elif event["event"] == "answer":
            self._end_live()
            self.answer = event["answer"]
            show_difference(self.out, self.answer.get("difference"))
            if self.draw:
                shown, folded = visible_paths(self.answer["paths"], leads=self.leads)
                self.draw(self.out, shown, [*self._evidence, *self.answer["citations"]])
                show_folded_leads(self.out, folded)
                show_said_against(self.out, self.answer)
                show_answer(self.out, self.answer)
            else:
                show_answer_in_brief(self.out, self.answer, leads=self.leads)
            show_list_command(self.out, self.answer)

    def _show_text_so_far(self) -> None:
        """Show the text so far in a live display; the final answer replaces it."""
        from rich.live import Live

        if not self.out.is_terminal:
            return
        if self._live is None:
            self._live = Live(console=self.out, transient=True, vertical_overflow="ellipsis", auto_refresh=False)
            self._live.start()
        tail = "\n".join(self._words.splitlines()[-(self.out.height - 2) :])
        self._live.update(styled(tail), refresh=True)

    def _end_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def show_list_command(terminal: Console, answer: Data) -> None:
    """The command for the list that a question asks for."""
    if answer.get("asks_for_list"):
        workspace = answer["trace"]["workspace"]
        elsewhere = "" if workspace == DEFAULT_WORKSPACE else f" --workspace {workspace}"
        command = f"filigraph list {shlex.quote(one_line(answer['question']))}{elsewhere}"
        terminal.print()
        line(terminal, f"This asks for a list or a number: `{command}` shows each item with its sentence.")


def show_difference(terminal: Console, difference: Data | None) -> None:
    """What is otherwise without the documents or decisions that were left out."""
    if not difference:
        return
    heading(terminal, "Without what is left out")
    if not difference["path"]:
        line(terminal, styled("There was no path before either."))
    elif not difference["breaks"]:
        line(terminal, styled(f"The path holds: {one_line(difference['path']['text'])}"))
    for broken in difference["breaks"]:
        line(
            terminal,
            styled(f"The path breaks at hop {broken['hop']}: {one_line(broken['text'])} ({WHY[broken['why']]})."),
        )
    if difference["breaks"]:
        now = difference["becomes"]
        line(terminal, styled(f"It becomes: {one_line(now['text'])}" if now else "No path is left."))
    for name, label in (("lost", "Not visible any more"), ("gained", "New among the evidence")):
        places = dict.fromkeys(source_and_place(piece) for piece in difference[name])
        if places:
            line(terminal, styled(f"{label}: {one_line(', '.join(places), NOTES)}", "dim"))


def show_dependency(terminal: Console, reply: Data) -> None:
    """The documents that an answer depends on."""
    heading(terminal, "What this depends on")
    if reply["path"]:
        line(terminal, styled(f"Path: {one_line(reply['path'])}"))
    elif reply["documents"]:
        line(terminal, styled("There is no path: the answer depends on its first passage."))
    for documents in reply["sets"]:
        line(terminal, styled(f"It breaks without {' and '.join(map(source_name, documents))}."))
    if not reply["sets"]:
        line(terminal, styled("No three documents are found without which it breaks."))
    for row in reply["documents"]:
        line(terminal, styled(f"{row['weight']:.2f}  {source_name(row['source'])}", "dim"))
    if not reply["complete"]:
        line(terminal, styled("Not all sets were tried.", "dim"))


def thinking(event: Data) -> list[str]:
    """What an LLM that looks for more does, in lines: its notes and what it looks for, or what that brought."""
    if event["event"] == "round":
        notes = [f"Reading {event['number']}: {one_line(event['notes'], NOTES)}"] if event["notes"] else []
        return notes + [f"Looking {LOOKING[look['kind']]} {one_line(look['text'])}" for look in event["looks"]]
    places = ", ".join(dict.fromkeys(source_and_place(piece) for piece in event["evidence"]))
    new = f"{plural(len(event['evidence']), 'new passage')}: {one_line(places, NOTES)}" if places else "nothing new"
    return [f"  {one_line(event['look']['text'], 60)}: {new}"]


def show_answer_in_brief(terminal: Console, answer: Data, *, leads: bool = False) -> None:
    """An answer in brief: the text or the best passages, the best path, and one line per other path."""
    if answer.get("ended") == "cancelled":
        _read_so_far(terminal, answer)
    elif answer["generated"]:
        heading(terminal, "Answer", f"by {answer['model']}")
        line(terminal, _mark_unsupported(answer))
        _cited(terminal, answer)
    else:
        _what_the_texts_say(terminal, answer)
    _remarks(terminal, answer)
    whole = not answer["generated"] and bool(_leading(answer["citations"]))  # of a text: no path says it best
    shown, folded = visible_paths(answer["paths"], leads=leads)
    first, others = shown[: not whole], shown[not whole :]
    show_paths(terminal, first, answer["citations"])
    show_said_against(terminal, answer)
    if others:
        heading(terminal, "Paths" if whole else "Other paths")
    for path in others:
        line(terminal, styled(f"{path['score']:.2f}  {one_line(path['text'], terminal.width - 8)}", "dim"))
    show_folded_leads(terminal, folded)
    pathless = not answer["paths"] and answer["answered"] and not _leading(answer["citations"])
    if pathless and answer["trace"]["settings"]["method"] == "filigraph":
        terminal.print()
        line(
            terminal,
            "The graph knows no path for this. Name who or what it is about as the texts do, or read more of them.",
        )
    if answer["vector_only"]:
        show_comparison(terminal, answer)


def _read_so_far(terminal: Console, answer: Data) -> None:
    """What a model had read and noted when it was cancelled."""
    heading(terminal, "So far", "not an answer")
    line(terminal, _mark_unsupported(answer))
    for number, piece in enumerate(answer["citations"], start=1):
        line(terminal, styled(f"[{number}] {source_and_place(piece)}", "dim"))


def _cited(terminal: Console, answer: Data) -> None:
    """The cited sources, one per line."""
    numbers = {int(number) for number in re.findall(r"\[(\d{1,4})\]", answer["text"])}
    for number, piece in enumerate(answer["citations"], start=1):
        if number in numbers:
            line(terminal, styled(f"[{number}] {source_and_place(piece)}", "dim"))


def _what_the_texts_say(terminal: Console, answer: Data) -> None:
    """The beginnings of the summaries where the answer rests on them, else excerpts of the best passages; and how to
    add a model."""
    cited = list(enumerate(answer["citations"], start=1))
    if not cited:
        line(terminal, styled(answer["text"].strip()))
        return
    summaries = _leading(answer["citations"])
    if summaries:
        heading(terminal, "In short")
        for number, piece in cited[: min(SUMMARIES, len(summaries))]:
            sentence = styled(one_line(piece["text"], IN_BRIEF))
            line(terminal, sentence.append(f"  [{number}] {source_and_place(piece)}", style="dim not bold"))
        if len(summaries) > SUMMARIES:
            line(terminal, styled(f"{len(summaries) - SUMMARIES} more; whole with `--explain` and on the page.", "dim"))
    else:
        heading(terminal, "What the texts say")
        best = [(excerpt["number"], excerpt["text"]) for excerpt in answer.get("excerpts", ())] or [
            (number, piece["text"]) for number, piece in cited if piece["kind"] != "summary"
        ][:PASSAGES]
        texts = excerpts([text for _, text in best], answer["question"], IN_BRIEF)
        for (number, whole), (text, start) in zip(best, texts, strict=True):
            piece = answer["citations"][number - 1]
            source = source_and_place(_with_place(piece, max(0, piece["text"].find(whole)) + start))
            line(terminal, text.append(f"  [{number}] {source}", style="dim not bold"))
    _how_to_add_a_model(terminal, answer)


def _how_to_add_a_model(terminal: Console, answer: Data) -> None:
    """The last block of an answer without a model, where it says how to have one; not where a model failed."""
    last = answer["text"].strip().rsplit("\n\n", 1)[-1]
    if ADD_MODEL in last and not answer["missing"]:
        line(terminal, styled(last, "dim"))


def _leading(citations: Sequence[Data]) -> list[Data]:
    """The summaries with which the evidence begins; those after passages only say what these are part of."""
    return list(itertools.takewhile(lambda piece: piece["kind"] == "summary", citations))


def show_answer(terminal: Console, full: Data) -> None:
    """An answer in full: text, remarks, evidence, comparison with vector search."""
    if full.get("ended") == "cancelled":
        _read_so_far(terminal, full)
    elif full["generated"]:
        heading(terminal, "Answer", f"by {full['model']}")
        line(terminal, _mark_unsupported(full))
    else:
        _passages(terminal, full)
    _remarks(terminal, full)
    show_evidence(terminal, full["citations"])
    if full["vector_only"]:
        show_comparison(terminal, full)


def _remarks(terminal: Console, answer: Data) -> None:
    """Remarks on the text: missing and unsupported statements, sources."""
    _about_question(terminal, answer)
    if not answer["answered"] and answer.get("ended") != "cancelled":
        terminal.print()
        line(terminal, styled("No path answers this: what is shown above only leads near it.", "yellow"))
    if answer.get("basis"):
        terminal.print()
        line(terminal, styled(clean(answer["basis"]), "dim"))
    if answer["unsupported"]:
        parts = ", ".join(dict.fromkeys(one_line(part["text"]) for part in answer["unsupported"]))
        terminal.print()
        line(terminal, styled(f"Not in the evidence: {parts}", "yellow"))
    if answer["missing"]:
        terminal.print()
        label = "Not answered by the texts: " if answer["generated"] else ""
        line(terminal, styled(label + answer["missing"].strip(), "yellow"))
    if ended := ENDED.get(answer.get("ended", "")):
        terminal.print()
        line(terminal, styled(ended, "yellow"))
    if answer["cut_short"]:
        terminal.print()
        line(terminal, styled(f"The language model ended in mid-answer: {one_line(answer['cut_short'])}", "yellow"))


def _about_question(terminal: Console, answer: Data) -> None:
    """Which documents its period leaves; names that no document contains."""
    if answer.get("remark"):
        terminal.print()
        line(terminal, styled(clean(answer["remark"]), "yellow"))
    if answer.get("nowhere"):
        terminal.print()
        line(terminal, styled(f"Found in no document: {', '.join(map(one_line, answer['nowhere']))}", "yellow"))


def _mark_unsupported(answer: Data) -> Text:
    """The text of a model, with unsupported names and figures marked."""
    from rich.text import Text

    shown, at, words = Text(), 0, answer["text"]
    for part in answer["unsupported"]:
        shown.append(clean(words[at : part["start"]]))
        shown.append(clean(words[part["start"] : part["end"]]), style="underline yellow")
        at = part["end"]
    return shown.append(clean(words[at:]))


def _passages(terminal: Console, answer: Data) -> None:
    """An answer without an LLM: its heading, excerpts of the best passages, whole, since they hold the sentences of the
    path, and its last block, how to add a model.

    The paths in between have been printed already.
    """
    blocks = answer["text"].strip().split("\n\n")
    heading(terminal, blocks[0])
    summaries = len(_leading(answer["citations"]))
    best = [] if summaries else answer.get("excerpts", ())
    for excerpt in best:
        piece = answer["citations"][excerpt["number"] - 1]
        source = source_and_place(_with_place(piece, max(0, piece["text"].find(excerpt["text"]))))
        line(terminal, styled(f"[{excerpt['number']}] {source}", "bold"))
        line(terminal, styled(one_line(excerpt["text"])), indent=6)
    for number, piece in enumerate([] if best else answer["citations"][: summaries or PASSAGES], start=1):
        line(terminal, styled(f"[{number}] {source_and_place(_with_place(piece, 0, EXCERPT))}", "bold"))
        line(terminal, styled(one_line(piece["text"], 0 if piece["kind"] == "summary" else EXCERPT)), indent=6)
    _how_to_add_a_model(terminal, answer)


def show_evidence(terminal: Console, pieces: Sequence[Data]) -> None:
    """The pieces of evidence, with the reason why each was kept."""
    if not pieces:
        return
    heading(terminal, "Evidence")
    rows = table("", "Where", "Kept by", "Found by")
    for number, piece in enumerate(pieces, start=1):
        source = source_and_place(piece) if piece["kind"] != "path" else f"path: {one_line(piece['text'], 60)}"
        style = "bold" if piece["kept_by"] == "graph" else ""
        rows.add_row(
            styled(f"  [{number}]", "dim"),
            styled(source, style),
            styled(KEPT_BY[piece["kept_by"]], style),
            styled(", ".join(piece["branches"]), "dim"),
        )
    terminal.print(rows)


def show_comparison(terminal: Console, answer: Data) -> None:
    """Vector search next to the graph walk: both answers, the passages of the one and the path of the other."""
    alone = answer["vector_only"]
    heading(terminal, "Side by side")
    rows = table("Vector search alone", "The walk", ratio=True)
    if answer["generated"]:
        rows.add_row(_mark_unsupported(alone), _mark_unsupported(answer))
        rows.add_row("", "")
    rank = {piece["id"]: number for number, piece in enumerate(alone["citations"], start=1)}
    titles = {piece["id"]: source_and_place(piece) for piece in [*alone["citations"], *answer["citations"]]}
    path = multi_hop_path(answer["paths"])
    hops = path["hops"] if path else []
    left = [_passage(piece, number) for number, piece in enumerate(alone["citations"][:SIDE_BY_SIDE], start=1)]
    right = [_hop_with_rank(hop, titles, rank) for hop in hops]
    for number in range(max(len(left), len(right))):
        rows.add_row(*(side[number] if number < len(side) else "" for side in (left, right)))
    terminal.print(rows)


def _passage(piece: Data, number: int) -> Text:
    from rich.text import Text

    return Text.assemble((f"{number}. {source_and_place(piece)}", "bold"), (f"\n{one_line(piece['text'], 90)}", "dim"))


def _hop_with_rank(hop: Data, titles: Data, rank: Data) -> Text:
    """A hop, its source, and the rank of its chunk in vector search."""
    chunk = hop["chunk_id"]
    place = f"number {rank[chunk]} there" if chunk in rank else "not there"
    title = f"{titles[chunk]}: " if chunk in titles else ""
    return hop_text(hop).append(f"\n{title}{place}", style="dim")


def show_retrieved(result: Data, *, leads: bool = False) -> None:
    """Paths and evidence, without an answer."""
    terminal = console()
    _about_question(terminal, result)
    shown, folded = visible_paths(result["paths"], leads=leads)
    show_paths(terminal, shown, result["evidence"])
    show_folded_leads(terminal, folded)
    show_evidence(terminal, result["evidence"])
    if not result["evidence"]:
        line(terminal, "Nothing was found.")


def _with_place(piece: Data, start: int, end: int | None = None) -> Data:
    """A piece, with the place of the part that is shown."""
    from filigraph.graph.text.places import place_of

    return {**piece, "place": place_of(piece.get("places", ()), start, end, otherwise=piece["place"])}
