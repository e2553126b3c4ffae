"""Render entities and passages that were looked for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from filigraph.app.cli.terminal.console import Data, console, heading, line, more, plural, styled
from filigraph.app.cli.terminal.text import one_line, source_name


def show_naming_passages(page: Data, first: int) -> None:
    """Passages that name several, by document, each sentence with its place."""
    terminal = console()
    for row in page["names"]:
        if (entity_names := [entity["name"] for entity in row["entities"]]) != [row["name"]]:
            line(terminal, styled(f"{row['name']}: {' or '.join(entity_names)}", "dim"))
    if not page["passages"]:
        none = "No such passage. --in-document looks for documents that name all."
        line(terminal, "There are no more passages." if page["total"] else none)
        return
    last = first + len(page["passages"])
    where = f"{first + 1:,} to {last:,} of {page['total']:,}, in {plural(page['documents'], 'document')}"
    heading(terminal, "Passages", where)
    show_passages(terminal, page["passages"])
    more(terminal, last, page["total"])


def show_passages(terminal: Console, rows: Sequence[Data]) -> None:
    """The sentences of passages, by document."""
    source = ""
    for row in rows:
        if row["source"] != source:
            source = row["source"]
            line(
                terminal,
                styled(one_line(", ".join(filter(None, (row["title"], source_name(source), row["date"]))), 200)),
            )
        place = ""
        for sentence in row["sentences"]:
            named = sentence["place"] if sentence["place"] != place else ""
            place = sentence["place"]
            text = styled(f"“{one_line(sentence['text'])}”")
            line(terminal, text.append_text(styled(f"  {named}", "dim")) if named else text, indent=2)


def show_phrases(page: Data, first: int) -> None:
    """Places that hold a phrase, by document."""
    terminal = console()
    if not page["places"]:
        line(terminal, "There are no more places." if page["total"] else "No document says that.")
        return
    last = first + len(page["places"])
    where = f"{first + 1:,} to {last:,} of {page['total']:,}, in {plural(page['documents'], 'document')}"
    heading(terminal, "Places", where)
    source = ""
    for row in page["places"]:
        if row["source"] != source:
            source = row["source"]
            line(terminal, styled(source_name(source)))
        excerpt = one_line(row["text"], 400)
        line(terminal, "  " + " · ".join(filter(None, (row["place"], f"… {excerpt} …"))))
    more(terminal, last, page["total"])


def show_entities(page: Data, first: int) -> None:
    """Entities that were looked for by a name."""
    terminal = console()
    if not page["entities"]:
        line(terminal, "There are no more entities." if page["total"] else "No entity has such a name.")
        return
    last = first + len(page["entities"])
    heading(terminal, "Entities", f"{first + 1:,} to {last:,} of {page['total']:,}")
    for row in page["entities"]:
        counts = f"{plural(row['chunks'], 'passage')}, {plural(row['facts'], 'fact')}"
        line(terminal, styled(" · ".join(filter(None, (row["name"], row["type"], counts)))))
        others = [name for name in row["aliases"] if name != row["name"]]
        if others:
            line(terminal, styled(f"also: {'; '.join(others)}", "dim"), indent=4)
        line(terminal, styled(row["id"], "dim"), indent=4)
    more(terminal, last, page["total"])
