"""Records and sheets: OpenDocument spreadsheets and slides, JSON of any kind, notebooks; and what is no text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in
from filigraph.graph.ingest.load.markup.as_markdown import asciidoc_as_markdown, org_as_markdown
from filigraph.graph.ingest.load.markup.latex_wiki import latex_as_markdown, rst_as_markdown, wiki_as_markdown
from filigraph.graph.model.documents import Source
from tests.unit.graph.ingest.loading import archive, places, read

DATE = 'o:date-value="1871-05-03"'
OPEN_DOCUMENT = "application/vnd.oasis.opendocument."


def open_document(kind: str, body: str) -> bytes:
    content = f'<c xmlns:t="t" xmlns:o="o" xmlns:d="d" xmlns:c="c"><body>{body}</body></c>'
    return archive({"mimetype": f"{OPEN_DOCUMENT}{kind}", "content.xml": content})


def test_a_sheet_of_opendocument_is_a_table_with_the_numbers_of_its_rows() -> None:
    def cell(words: str, more: str = "") -> str:
        return f"<t:table-cell {more}><t:p>{words}</t:p></t:table-cell>"

    remark = "<o:annotation><c:creator>Bo</c:creator><c:date>1912-05-03T10:00</c:date><t:p>Is it?</t:p></o:annotation>"
    sheet = (
        f"<t:table-row>{cell('Name')}{cell('Born')}</t:table-row>"
        f'<t:table-row t:number-rows-repeated="3"><t:table-cell t:number-columns-repeated="9"/></t:table-row>'
        f"<t:table-row>{cell('Ada Finch')}{cell('3/5/71', DATE)}</t:table-row>"
        f"<t:table-row>{cell('Bo Lind')}<t:table-cell>{remark}<t:p>?</t:p></t:table-cell></t:table-row>"
        f'<t:table-row t:number-rows-repeated="2">{cell("Cy")}{cell("1880")}</t:table-row>'
    )
    table = f'<o:spreadsheet><t:table t:name="Crew">{sheet}</t:table></o:spreadsheet>'
    document = read(open_document("spreadsheet", table))
    assert document.text == (
        "| Name | Born |\n| Ada Finch | 1871-05-03 |\n| Bo Lind | ? |\n| Cy | 1880 |\n| Cy | 1880 |\n\n"
        "[1912-05-03] Bo: Comment: Is it?"
    )
    assert places(document)[0][0] == "Crew"
    assert [line.label for line in document.lines] == ["1", "5", "6", "7", "8"]
    assert document.media_type == f"{OPEN_DOCUMENT}spreadsheet"
    assert not [warning for warning in document.warnings if "Comment" in warning]


def test_slides_of_opendocument_are_places() -> None:
    pages = "".join(f"<d:page><d:frame><t:p>{words}</t:p></d:frame></d:page>" for words in ("Ada left.", "Bo came."))
    remark = "<o:annotation><c:creator>Bo</c:creator><c:date>1912-05-03T10:00</c:date><t:p>Is it?</t:p></o:annotation>"
    pages += f"<d:page>{remark}<d:frame><t:p>Cy sang.</t:p></d:frame></d:page>"
    document = read(open_document("presentation", f"<o:presentation>{pages}</o:presentation>"), "a.odp")
    assert places(document) == [("Slide 1", "Ada left."), ("Slide 2", "Bo came."), ("Slide 3", "Cy sang.")]
    assert document.text.endswith("Cy sang.\n\n[1912-05-03] Bo: Comment: Is it?")


def test_json_is_read_by_its_values() -> None:
    data = {
        "case_title": "The fire",
        "judge": {"last_name": "Lindström", "seat": None},
        "tags": ["arson", "ferry"],
        "said": ["Ana left.", "Bo came."],
        "seen": [{"who": "Ana", "at": "21:14"}, {"who": "Bo", "at": "21:20", "by": "Ana"}],
        "opinion": "<p>The ferry burned.</p><p>Nobody <i>knows</i> why.</p>",
    }
    text = read(json.dumps(data), "a.json").text
    assert text.split("\n\n") == [
        "case title: The fire", "judge last name: Lindström", "tags: arson, ferry", "said:", "Ana left.", "Bo came.",
        "seen:\n| who | at | by |\n| Ana | 21:14 |\n| Bo | 21:20 | Ana |", "opinion:", "The ferry burned.",
        "Nobody knows why.",
    ]  # fmt: skip
    assert read("{ no JSON", "a.json").text == "{ no JSON"


def test_json_loses_no_name_and_no_digit() -> None:
    told = "I saw the boat leave. " * 12
    data = {"told": {"Ana Prado": told, "Bo Lind": {"words": told}, "Carla": ["आग लगी।", "नाव गई।"]}}
    text = read(json.dumps(data), "a.json").text
    assert text.split("\n\n") == [
        "told Ana Prado:", told.strip(), "told Bo Lind words:", told.strip(), "told Carla:", "आग लगी।", "नाव गई।",
    ]  # fmt: skip
    assert read('{"paid": 100.50, "at": 1234567890.12345678901}', "a.json").text == (
        "paid: 100.50\nat: 1234567890.12345678901"
    )
    assert read('{"who": "Ana", "who": "Bo"}', "a.json").text == "who: Ana, Bo"


def test_json_that_is_nested_deeply_loses_nothing() -> None:
    data: dict[str, object] = {"text": "Ana left."}
    for number in range(150):
        data = {"text": f"Reply {number}.", "replies": [data]}
    assert "Ana left." in read(json.dumps(data), "a.json").text
    for depth in (400, 20_000):
        assert "Ana left" in read('{"a":' * depth + '"Ana left"' + "}" * depth, "a.json").text


def test_the_cells_of_a_notebook_are_markdown_and_code() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "Ada *measured* them."]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"text": "1"}]},
    ]
    document = read(json.dumps({"nbformat": 4, "cells": cells}), "tides.ipynb")
    assert document.text == "# Tides\n\nAda measured them.\n\n```\nprint(1)\n```"
    assert document.title == "Tides"
    assert document.warnings == ("left out, as no part of the text: what 1 cells gave when they ran",)


@pytest.mark.parametrize(
    ("content", "media_type"), [(b".snd\0\0\0\x18aaaaaaaaaaaa", ""), (b"aaaaaaaaaaaaaaaaa", "audio/basic")]
)
def test_sounds_are_no_texts(content: bytes, media_type: str) -> None:
    with pytest.raises(UnreadableDocument, match="a sound"):
        read(content, "a.au", media_type)
    assert documents_in(Source(name="a.au", content=content, media_type=media_type))[1] == []


def test_source_code_whose_name_is_also_that_of_films_is_code() -> None:
    code = read("export const one = 1;\n", "one.ts", "video/mp2t")
    assert code.text.startswith("export const one")


def test_a_carriage_return_in_a_cell_ends_no_row() -> None:
    document = read("name,said\nAda,I left\ron Monday\nBo,I came\n", "a.csv")
    assert document.text == "| name | said |\n| Ada | I left on Monday |\n| Bo | I came |"
    assert read("name,said\rAda,I left\r", "a.csv").text == "| name | said |\n| Ada | I left |"


def test_org_is_read_without_its_signs() -> None:
    text = (
        "#+TITLE: The fire\n#+AUTHOR: Ann Vane\n#+DATE: 1912-05-03\n#+OPTIONS: toc:2\n\n# mine\n* TODO Harbour  :sea:\n"
        ":PROPERTIES:\n:ID: 7\n:END:\nAda *sold* the [[http://x.test][Heron]] to /Bo/.\n** Night\nIt burned.\n"
    )
    document = read(text, "fire.org")
    assert document.text == "# The fire\n\n## Harbour\nAda sold the Heron to Bo.\n### Night\nIt burned."
    assert (document.title, dict(document.metadata)) == ("The fire", {"author": "Ann Vane", "date": "1912-05-03"})
    assert [label for label, _ in places(document)] == ["Harbour", "Night"]


def test_asciidoc_is_read_without_its_signs() -> None:
    text = (
        "= The fire\nAnn Vane <a@x.test>\nv1.0, 1912-05-03\n:toc: left\n\n[[port]]\n== Harbour\n\n[NOTE]\n====\n"
        "Ada *sold* the link:http://x.test[Heron] to _Bo_.footnote:[In May.]\n====\n\n----\nls\n----\n\n"
        "== Night\n\nIt burned.\n"
    )
    document = read(text, "fire.adoc")
    assert document.text == (
        "# The fire\n\n## Harbour\n\nAda sold the Heron to Bo. (In May.)\n\n```\nls\n```\n\n## Night\n\nIt burned."
    )
    assert (document.title, dict(document.metadata)) == ("The fire", {"author": "Ann Vane", "date": "1912-05-03"})


def test_what_code_quotes_and_terms_say_is_kept() -> None:
    org = read("#+begin_src sh\n# Ada's\n* all\n#+end_src\nBo left.\n", "a.org").text
    assert org == "```\n# Ada's\n* all\n```\nBo left."
    said = "[quote, Ann Vane, Letters]\n____\nBo lit the ((lamp))(((lights, lamp))): see <<fire>>.\n____\n\n"
    assert (
        read(f"{said}----\n// why\n----\n", "a.adoc").text
        == "Ann Vane, Letters:\nBo lit the lamp: see fire.\n\n```\n// why\n```"
    )


@pytest.mark.parametrize(
    "as_markdown", [org_as_markdown, asciidoc_as_markdown, latex_as_markdown, rst_as_markdown, wiki_as_markdown]
)
@pytest.mark.parametrize("signs", [":a:\n", "http:", "link:a", " ", "\n", "&", "{{a", "\\a{"])
def test_signs_without_end_take_no_hours(as_markdown: Callable[[str], tuple[object, str]], signs: str) -> None:
    assert as_markdown(f"* Ada left.{signs * 50_000}")[1].startswith(("# Ada left.", "* Ada left."))


def test_latex_is_read_without_its_commands() -> None:
    text = r"""\documentclass{article}
\title{The \emph{Grey} Ferry}\author{Ad\`ele B{\oe}uf}\date{\today}
\begin{document}
\maketitle % mine
\section{The fire}\label{sec:fire}
\textbf{Ann Roe}\footnote{Her aunt was \emph{Mary}.} sold 5\,\% to Fran\c{c}ois~Lind --- see \ref{x}.

\begin{tabular}{ll}
Name & Place \\
Ann \& Co & Lyon \\
\end{tabular}
\end{document}"""
    document = read(text, "ferry.tex")
    assert (document.title, document.metadata["author"]) == ("The Grey Ferry", "Adèle Bœuf")
    assert document.text == (
        "# The Grey Ferry\n\n## The fire\n\nAnn Roe (Her aunt was Mary.) sold 5 % to François Lind — see.\n\n"
        "| Name | Place |\n| Ann & Co | Lyon |"
    )
    assert [label for label, _ in places(document)] == ["The fire"]


def test_restructured_text_is_read_without_its_signs() -> None:
    text = (
        "=====\nFerry\n=====\n:Author: Ann Roe\n\n.. _top:\n\nFire\n----\n\n**Ann** sold ``it`` "
        "to :ref:`Bo <bo>` [#f1]_.\n\n.. note:: Not Paul.\n\n.. image:: x.png\n   :alt: y\n\n"
        ".. mine\n   too\n\n.. [#f1] Her aunt.\n"
    )
    document = read(text, "ferry.rst")
    assert document.text == "# Ferry\n\n## Fire\n\nAnn sold it to Bo.\n\nNot Paul.\n\nHer aunt."
    assert (document.title, document.metadata["author"]) == ("Ferry", "Ann Roe")


def test_a_page_of_a_wiki_is_read_without_its_signs() -> None:
    text = (
        "{{Box|a={{b}}}}\n'''Ann''' sold the [[Heron (ship)|Heron]].<ref name=\"x\">In May.</ref> "
        "[http://x.org Site].<!-- a-b -->\n"
        '[[File:x.png|thumb|A [[boat]]]]\n== Fire ==\n{| class="a"\n|-\n! Name !! Place\n'
        "|-\n| Ann || Lyon\n|}\n[[Category:Ships]]"
    )
    document = read(text, "ferry.wiki")
    assert document.text == "Ann sold the Heron. (In May.) Site.\n## Fire\n| Name | Place |\n| Ann | Lyon |"
    assert document.warnings == ("left out, as no part of the text: templates of the wiki: 2",)
