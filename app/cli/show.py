"""Render documents, counts, keys, the audit log and the doctor's checks."""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.app.cli.console import Data, console, heading, line, plural, styled, table
from filigraph.app.cli.text import clean, one_line
from filigraph.graph.view import DATE

MARKS = {"ok": ("✓", "green"), "weak": ("!", "yellow"), "none": ("–", "dim"), "broken": ("✗", "bold red")}


def documents(found: Sequence[Data], *, limited: bool) -> None:
    """A list of documents; `limited`: only some were asked for."""
    out = console()
    if not found:
        none = (
            "No document is meant by that."
            if limited
            else "There are no documents. `filigraph ingest PATH` reads some."
        )
        line(out, none)
        return
    rows = table("Document", "", "Chunks", "Facts", right=(2, 3))
    for document in found:
        state = "" if document["status"] == "complete" else " partial"
        state += f", {plural(document['unread'], 'chunk')} unread" if document["unread"] else ""
        named = styled(document["source"])
        if document["title"] not in ("", document["source"]):
            named.append("\n").append(styled(document["title"], "dim"))
        note = styled(f"{document['language'] or '–'}{state}", "dim")
        rows.add_row(named, note, f"{document['chunks']:,}", f"{document['facts']:,}")
    out.print(rows)


def document(found: Data) -> None:
    """Details of a document."""
    out = console()
    heading(out, found["title"] or found["source"], found["status"])
    rows = table("", "")
    for name in ("source", "id", "sha256", "language", "media_type", "chunks", "facts", "unread"):
        rows.add_row(styled(f"  {name.replace('_', ' ')}"), styled("–" if found[name] in ("", None) else found[name]))
    for name, value in found["metadata"].items():
        if name != "thread" or len(found["thread"]) < 2:
            rows.add_row(styled(f"  {name}"), styled(value))
    if found["places"]:
        rows.add_row(styled("  places"), styled("; ".join(place["until"] for place in found["places"])))
    for n, mail in enumerate(found["thread"] if len(found["thread"]) > 1 else ()):
        here = "this mail" if mail["id"] == found["id"] else mail["source"]
        named = ", ".join(filter(None, (mail["date"], mail["sender"], here)))
        rows.add_row(styled("  thread" if not n else ""), styled(named))
    out.print(rows)
    for warning in found["warnings"]:
        line(out, styled(warning, "yellow"))


def deleted(found: Sequence[Data]) -> None:
    """Report of a deletion."""
    out = console()
    for row in found:
        line(out, styled(row["source"]))
    line(out, f"{plural(len(found), 'document')} deleted.")


def stats(found: Data) -> None:
    """Counts, one per line."""
    out = console()
    heading(out, f"Workspace {found['workspace']}")
    rows = table("", "")
    for name, value in found["stats"].items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        shown = ", ".join(f"{key} {count:,}".strip() for key, count in parts)
        rows.add_row(styled(f"  {name.replace('_', ' ')}"), styled(shown or "–"))
    out.print(rows)


def checks(found: Sequence[Data]) -> None:
    """Diagnostic checks with cures."""
    out = console()
    rows = table("", "", "")
    for check in found:
        mark, style = MARKS[check["state"]]
        text = styled(check["detail"])
        if check["cure"]:
            text.append(f"\n{clean(check['cure'])}", style="dim" if check["state"] == "none" else "yellow")
        rows.add_row(styled(mark, style), styled(check["name"], "bold"), text)
    out.print(rows)


def keys(found: Sequence[Data]) -> None:
    """A list of keys."""
    out = console()
    if not found:
        line(out, "There are no keys: every user of this machine has full access.")
        return
    rows = table("Key", "May", "Workspace", "Made")
    for key in found:
        made = key["made"][:10]
        where = ": ".join(filter(None, (key["workspace"] or "all", _said(key["view"]))))
        rows.add_row(styled(key["name"]), styled(key["scope"]), styled(where), styled(made))
    out.print(rows)


def workspaces(found: Data) -> None:
    """A list of workspaces."""
    out = console()
    if not found["workspaces"]:
        line(out, "There are no workspaces. `filigraph ingest` makes one.")
        return
    for row in found["workspaces"]:
        shard = f"on shard {row['shard']}" if row["shard"] != "home" else ""
        line(out, styled(row["name"]).append_text(styled(f"  {shard}", "dim")))


def named_views(found: Sequence[Data]) -> None:
    """The views of a workspace that have names."""
    out = console()
    if not found:
        line(out, "No view has a name. `filigraph views create NAME --until ...` keeps one.")
    for row in found:
        line(out, styled(row["name"]).append_text(styled(f"  {_said(row['view'])}", "dim")))


def kept_view(found: Data, workspace: str) -> None:
    """A view that was given a name."""
    out = console()
    line(out, styled(f"{found['name']}: {_said(found['view'])}"))
    counted = {"documents": "document", "chunks": "chunk", "entities": "entity", "facts": "fact"}
    visible = [plural(found[several], one, several) for several, one in counted.items()]
    line(out, styled(f"  Visible: {', '.join(visible)}.", "dim"))
    out.print(styled(f"  Read it with -w {workspace}@{found['name']}", "dim"), soft_wrap=True)  # to be copied: whole


def comparison(found: Data) -> None:
    """What differs between two views."""
    out = console()
    titles = {
        "joined": "Names that are one now",
        "parted": "Names that are not one any more",
        "renamed": "Called otherwise",
        "entities_came": "New names",
        "entities_gone": "Names that are gone",
        "facts_came": "New facts",
        "facts_gone": "Facts that are gone",
    }
    for name, title in titles.items():
        if total := found["totals"][name]:
            heading(out, title, f"{total:,}")
            for row in found[name]:
                line(out, styled(f"  {_differing(row)}"))
            if total > len(found[name]):
                line(out, styled(f"  and {total - len(found[name]):,} more: --count", "dim"))
    if not any(found["totals"].values()):
        line(out, "Nothing differs.")


def _differing(row: Data | str) -> str:
    if isinstance(row, str):
        return row
    if "others" in row:
        return f"{row['name']}: {', '.join(row['others'])}"
    return f"{row['subject']} {row['predicate']} {row['object']} ({row['source']})"


def _said(view: Data) -> str:
    """What a view says, in the words of the options."""
    options = {"within": "in", "until": "until", "without": "without", "without_decisions": "without-decision"}
    options |= {"without_facts": "without-fact", "sources": "only"}
    said = [f'--{option} "{one}"' for name, option in options.items() for one in view.get(name, ())]
    dated = {"dated-by": view.get("dated_by", DATE), "undated": view.get("undated", "in")}
    if view.get("as_of"):
        said += [f"--as-of {view['as_of']}", *(f"--{option} {value}" for option, value in dated.items())]
    said += [f"@{view['named']}"] if view.get("named") else []
    return " ".join([*said, *(f"{key}={value}" for key, value in view.get("where", {}).items())])


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
        line(out, "No entity bears such a name.")
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


def audit(entries: Sequence[Data]) -> None:
    """A page of the audit log."""
    out = console()
    if not entries:
        line(out, "Nothing was changed.")
        return
    rows = table("When (UTC)", "Who", "What", "Where")
    for entry in entries:
        what = styled(entry["action"].replace("/v1/workspaces/{workspace}/", "").replace("/v1/", ""))
        if entry["subject"]:
            what.append(f"\n{clean(entry['subject'])[:200]}", style="dim")
        if entry["status"] >= 400:
            what.append(f"\nended with {entry['status']}", style="yellow")
        at = entry["at"][:19].replace("T", " ")
        rows.add_row(styled(at, "dim"), styled(entry["by"]), what, styled(entry["workspace"] or "–"))
    out.print(rows)
