"""Render entities and passages that were looked for."""

from __future__ import annotations

from filigraph.app.cli.terminal.console import Data, console, heading, line, plural, styled
from filigraph.app.cli.terminal.text import one_line


def naming(found: Data, first: int) -> None:
    """Passages that name several, by document, each sentence with its place."""
    out = console()
    for row in found["names"]:
        if (taken := [one["name"] for one in row["entities"]]) != [row["name"]]:
            line(out, styled(f"{row['name']}: {' or '.join(taken)}", "dim"))
    if not found["total"]:
        line(out, "No passage names them all. --in-document looks for documents that do.")
        return
    last = first + len(found["passages"])
    where = f"{first + 1:,} to {last:,} of {found['total']:,}, in {plural(found['documents'], 'document')}"
    heading(out, "Passages", where)
    source = ""
    for row in found["passages"]:
        if row["source"] != source:
            source = row["source"]
            line(out, styled(one_line(", ".join(filter(None, (row["title"], source, row["date"]))), 200)))
        place = ""
        for sentence in row["sentences"]:
            named = sentence["place"] if sentence["place"] != place else ""
            place = sentence["place"]
            text = styled(f"“{one_line(sentence['text'])}”")
            line(out, text.append_text(styled(f"  {named}", "dim")) if named else text, indent=2)
    if last < found["total"]:
        line(out, styled(f"More: --first {last}", "dim"))


def phrases(found: Data, first: int) -> None:
    """Places that hold a phrase, by document."""
    out = console()
    if not found["total"]:
        line(out, "No document says that.")
        return
    last = first + len(found["places"])
    where = f"{first + 1:,} to {last:,} of {found['total']:,}, in {plural(found['documents'], 'document')}"
    heading(out, "Places", where)
    source = ""
    for row in found["places"]:
        if row["source"] != source:
            source = row["source"]
            line(out, styled(one_line(source, 200)))
        said = one_line(row["text"], 400)
        line(out, "  " + " · ".join(filter(None, (row["place"], f"… {said} …"))))


def entities(found: Data, first: int) -> None:
    """Entities that were looked for by a name."""
    out = console()
    if not found["entities"]:
        line(out, "No entity has such a name.")
        return
    last = first + len(found["entities"])
    heading(out, "Entities", f"{first + 1:,} to {last:,} of {found['total']:,}")
    for row in found["entities"]:
        counts = f"{plural(row['chunks'], 'passage')}, {plural(row['facts'], 'fact')}"
        line(out, styled(" · ".join(filter(None, (row["name"], row["type"], counts)))))
        others = [name for name in row["aliases"] if name != row["name"]]
        if others:
            line(out, styled(f"also: {'; '.join(others)}", "dim"), indent=4)
        line(out, styled(row["id"], "dim"), indent=4)
