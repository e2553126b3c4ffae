"""How things look in a terminal: calm, in 80 columns as in 200, and plain when piped. rich is imported when needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from filigraph.app.cli.text import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

Data = Mapping[str, Any]

WIDEST = 110  # columns; longer lines are hard to read
SHOWN_PROBLEMS = 20
STAGES = {
    "extract": "reading facts",
    "read": "storing",
    "scan": "looking for known names",
    "resolve": "telling who is who",
    "entities": "entities",
    "facts": "facts",
    "finish": "finishing",
}
KEPT_BY = {"rank": "rank", "graph": "graph, force-kept", "neighbour": "neighbour"}
MARKS = {"ok": ("✓", "green"), "weak": ("!", "yellow"), "none": ("–", "dim"), "broken": ("✗", "bold red")}


def console(*, stderr: bool = False) -> Console:
    """A console of readable width; 80 columns where there is no terminal."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    made.width = min(made.width if made.is_terminal else 80, WIDEST)
    return made


def styled(text: object, style: str = "") -> Text:
    """Text from a document or a model: cleaned, and never read as markup."""
    from rich.text import Text

    return Text(clean(text), style=style)


def heading(out: Console, title: str, note: str = "") -> None:
    """A quiet headline."""
    from rich.text import Text

    out.print()
    out.print(Text.assemble((clean(title), "bold"), (f"  {clean(note)}" if note else "", "dim")))


# --------------------------------------------------------------------------------------------------------------------
# Answers


class AnswerView:
    """Shows an answer as it comes: the path first, then the words, then the evidence."""

    def __init__(self, out: Console | None = None) -> None:
        self.out = out or console()
        self._live: Live | None = None
        self._wait: AbstractContextManager[Any] = nullcontext()
        self._words = ""

    def __enter__(self) -> AnswerView:
        if self.out.is_terminal:
            self._wait = self.out.status("Looking…", spinner="dots")
        self._wait.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._wait.__exit__(None, None, None)
        self._end_live()

    def take(self, event: Data) -> None:
        """One event of the stream."""
        self._wait.__exit__(None, None, None)
        self._wait = nullcontext()
        if event["event"] == "retrieved":
            paths(self.out, event["paths"], event["evidence"])
        elif event["event"] == "token":
            self._words += event["text"]
            self._grow()
        elif event["event"] == "answer":
            self._end_live()
            answer(self.out, event["answer"])

    def _grow(self) -> None:
        """The words so far, in place; the finished answer is printed instead of them."""
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


def paths(out: Console, found: Sequence[Data], evidence: Sequence[Data]) -> None:
    """Each path hop by hop, with the sentence behind each hop."""
    chunks = {piece["id"]: piece for piece in evidence if piece["kind"] == "chunk"}
    for number, path in enumerate(found, start=1):
        hops = path["hops"]
        count = f"{len(hops)} hop{'' if len(hops) == 1 else 's'}"
        heading(out, f"Path {number}" if len(found) > 1 else "The path", f"{count}, score {path['score']:.2f}")
        for hop in hops:
            _hop(out, hop, chunks.get(hop["chunk_id"]))


def _hop(out: Console, hop: Data, chunk: Data | None) -> None:
    from rich.padding import Padding
    from rich.text import Text

    colour = {"fact": "cyan", "mention": "magenta", "title": "blue"}[hop["kind"]]
    line = Text.assemble(
        (one_line(hop["subject"]), "bold"),
        (f" ── {one_line(hop['predicate'])} ─→ ", colour),
        (one_line(hop["object"]), "bold"),
        ("  (implied)" if hop["implied"] else "", "dim italic"),
    )
    out.print(Padding(line, (0, 0, 0, 2)))
    sentence = Text.assemble((f"“{one_line(hop['sentence'])}”", "italic"))
    if chunk:
        sentence.append(f"  {where(chunk)}", style="dim")
    out.print(Padding(sentence, (0, 0, 0, 6)))


def answer(out: Console, found: Data) -> None:
    """The words, what is uncertain about them, the evidence, and vector search alone beside it."""
    from rich.padding import Padding

    note = f"by {found['model']}" if found["generated"] else ""
    heading(out, "Answer" if found["generated"] else "Passages, not an answer", note)
    out.print(Padding(styled(found["text"].strip()), (0, 0, 0, 2)))
    if found["unsupported_names"]:
        names = ", ".join(one_line(name) for name in found["unsupported_names"])
        out.print(Padding(styled(f"Names that stand in no evidence: {names}", "yellow"), (1, 0, 0, 2)))
    if found["missing"]:
        out.print(Padding(styled(found["missing"].strip(), "yellow"), (1, 0, 0, 2)))
    evidence(out, found["citations"])
    if found["vector_only"]:
        comparison(out, found)


def evidence(out: Console, pieces: Sequence[Data]) -> None:
    """What the answer rests on, and why each piece stayed."""
    if not pieces:
        return
    heading(out, "Evidence")
    table = _table("", "Where", "Kept by", "Found by")
    for number, piece in enumerate(pieces, start=1):
        kept = KEPT_BY[piece["kept_by"]]
        source = where(piece) if piece["kind"] == "chunk" else f"path: {one_line(piece['text'], 60)}"
        style = "bold" if piece["kept_by"] == "graph" else ""
        table.add_row(
            styled(f"[{number}]", "dim"), styled(source, style), styled(kept, style), styled(_branches(piece), "dim")
        )
    out.print(table)


def comparison(out: Console, found: Data) -> None:
    """Vector search alone beside the walk: the passages each would rest on, best first."""
    alone = found["vector_only"]
    walk_ids = {piece["id"] for piece in found["citations"]}
    alone_ids = {piece["id"] for piece in alone["citations"]}
    heading(out, "Side by side", "● only this side has it")
    table = _table("Vector search alone", "The walk", ratio=True)
    if found["generated"]:
        table.add_row(styled(alone["text"].strip()), styled(found["text"].strip()))
        table.add_row("", "")
    left = [_passage(piece, piece["id"] not in walk_ids) for piece in alone["citations"] if piece["kind"] == "chunk"]
    right = [_passage(piece, piece["id"] not in alone_ids) for piece in found["citations"] if piece["kind"] == "chunk"]
    for number in range(min(max(len(left), len(right)), 5)):
        table.add_row(*(side[number] if number < len(side) else "" for side in (left, right)))
    out.print(table)
    hops = len(found["paths"][0]["hops"]) if found["paths"] else 0
    if hops:
        _line(out, f"Vector search alone walks no path; the walk found one of {hops} hop{'' if hops == 1 else 's'}.")


def _passage(piece: Data, alone: bool) -> Text:
    from rich.text import Text

    return Text.assemble(
        ("● " if alone else "  ", "cyan"),
        (where(piece), "bold" if alone else ""),
        (f"\n  {one_line(piece['text'], 90)}", "dim"),
    )


def retrieved(found: Data) -> None:
    """Paths and evidence, without an answer."""
    out = console()
    paths(out, found["paths"], found["evidence"])
    evidence(out, found["evidence"])
    if not found["evidence"]:
        _line(out, "Nothing was found.")


def where(piece: Data) -> str:
    """Title and place of a piece of evidence."""
    return ", ".join(one_line(part, 60) for part in (piece["title"] or piece["source"], piece["place"]) if part)


def _branches(piece: Data) -> str:
    return ", ".join(piece["branches"])


# --------------------------------------------------------------------------------------------------------------------
# Ingest


class IngestProgress:
    """How far an ingest is, live on standard error where that is a terminal; nothing else is written there."""

    def __init__(self, *, quiet: bool, files: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        out = console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=out,
            transient=True,
            disable=quiet or not out.is_terminal,
        )
        self._files = self._bar.add_task("files", total=files)
        self._stage = self._bar.add_task("sending", total=None)

    def __enter__(self) -> IngestProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._bar.stop()

    def sent(self, files: int) -> None:
        """A batch is done."""
        self._bar.advance(self._files, files)
        self._bar.update(self._stage, description="sending", total=None, completed=0)

    def take(self, event: Data) -> None:
        """One event of the stream."""
        if event["event"] == "waiting":
            self._bar.update(self._stage, description=one_line(event["message"]), total=None)
        elif event["event"] == "progress":
            label = STAGES.get(event["stage"], event["stage"])
            self._bar.update(self._stage, description=label, completed=event["done"], total=event["total"] or None)


def report(found: Data) -> None:
    """What an ingest did."""
    out = console()
    counts = {key: len(found[key]) for key in ("added", "updated", "unchanged", "skipped")}
    heading(out, "Documents", ", ".join(f"{count} {key}" for key, count in counts.items() if count) or "none")
    if "chunks" in found:
        empty = f", {found['empty_chunks']:,} of them without facts" if found["empty_chunks"] else ""
        _line(out, f"{found['chunks']:,} chunks read{empty}")
        _line(out, f"{found['entities']:,} entities and {found['facts']:,} facts in the workspace")
    if found.get("seconds"):
        total = sum(found["seconds"].values())
        stages = ", ".join(f"{stage} {taken:.1f}" for stage, taken in found["seconds"].items() if taken >= 0.05)
        _line(out, f"{total:.1f} s: {stages}" if stages else f"{total:.1f} s")
    if found["skipped"]:
        heading(out, "Skipped")
        for skipped in found["skipped"][:SHOWN_PROBLEMS]:
            _line(out, f"{one_line(skipped['source'])}: {one_line(skipped['cause'])} {one_line(skipped['cure'])}")
        _more(out, len(found["skipped"]))
    if found["problems"]:
        heading(out, "Read, but not all of it")
        for problem in found["problems"][:SHOWN_PROBLEMS]:
            _line(out, one_line(problem))
        _more(out, len(found["problems"]))


def _more(out: Console, count: int) -> None:
    if count > SHOWN_PROBLEMS:
        _line(out, f"and {count - SHOWN_PROBLEMS} more; --json lists them all")


# --------------------------------------------------------------------------------------------------------------------
# The rest


def documents(rows: Sequence[Data]) -> None:
    """A list of documents."""
    out = console()
    if not rows:
        _line(out, "There are no documents. `filigraph ingest PATH` reads some.")
        return
    table = _table("Document", "", "Chunks", "Facts", right=(2, 3))
    for row in rows:
        state = "" if row["status"] == "complete" else "partial"
        language = row["language"] or "–"
        table.add_row(
            styled(row["title"] or row["source"]),
            styled(f"{language} {state}".strip(), "dim"),
            str(row["chunks"]),
            str(row["facts"]),
        )
    out.print(table)


def stats(found: Data) -> None:
    """Counts, one a line."""
    out = console()
    heading(out, f"Workspace {found['workspace']}")
    table = _table("", "", right=(1,))
    for name, value in found["stats"].items():
        shown = (
            ", ".join(f"{key} {count:,}" for key, count in value.items()) if isinstance(value, dict) else f"{value:,}"
        )
        table.add_row(styled(name.replace("_", " ")), styled(shown or "–"))
    out.print(table)


def checks(found: Sequence[Data]) -> None:
    """What works and what does not, with the cure."""
    out = console()
    table = _table("", "", "")
    for check in found:
        mark, style = MARKS[check["state"]]
        text = styled(check["detail"])
        if check["cure"]:
            text.append(f"\n{clean(check['cure'])}", style="dim" if check["state"] == "none" else "yellow")
        table.add_row(styled(mark, style), styled(check["name"], "bold"), text)
    out.print(table)


def _table(*columns: str, right: Sequence[int] = (), ratio: bool = False) -> Table:
    from rich.table import Table

    table = Table(
        box=None, show_header=any(columns), header_style="dim", pad_edge=False, padding=(0, 2, 0, 0), expand=ratio
    )
    for number, name in enumerate(columns):
        table.add_column(
            name, justify="right" if number in right else "left", ratio=1 if ratio else None, overflow="fold"
        )
    return table


def _line(out: Console, text: RenderableType) -> None:
    from rich.padding import Padding

    out.print(Padding(styled(text) if isinstance(text, str) else text, (0, 0, 0, 2)))
