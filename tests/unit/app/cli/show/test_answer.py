"""An answer in the terminal: first the words, with marks where the evidence does not support them, then the path."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console

from filigraph.app.cli.show.answer import show_answer, show_answer_in_brief, show_dependency, show_list_command


def shown(**found: Any) -> str:
    out = Console(file=StringIO(), width=100, force_terminal=True, color_system="standard", highlight=False)
    usual = {"generated": True, "model": "scripted", "answered": True, "unsupported": [], "cut_short": "", "paths": []}
    usual |= {"missing": "", "citations": [], "vector_only": None, "question": "What does Jules wear?"}
    usual |= {"trace": {"settings": {"method": "filigraph"}}}
    with out.capture() as told:
        show_answer_in_brief(out, {**usual, **found})
    return told.get()


def a_path(text: str, score: float) -> dict[str, Any]:
    subject, predicate, object_ = text.split(" ", 2)
    hop = {"kind": "fact", "subject": subject, "predicate": predicate, "object": object_, "implied": False}
    hop |= {"according_to": "", "premises": [], "date": "", "when": "", "denied": False}
    hop |= {"sentence": f"{text}.", "chunk_id": "c"}
    return {"text": text, "score": score, "hops": [hop]}


def test_what_is_not_in_the_evidence_is_said() -> None:
    text = "Jules\u202e paid 9 million euros [99]."
    unsupported = [
        {"kind": kind, "text": words, "start": text.index(words), "end": text.index(words) + len(words)}
        for kind, words in (("number", "9 million euros"), ("citation", "[99]"))
    ]
    told = shown(text=text, unsupported=unsupported)
    marked = "\x1b[4;33m9 million euros\x1b[0m"
    assert marked in told and "\x1b[4;33m[99]\x1b[0m" in told
    assert "Not in the evidence: 9 million euros, [99]" in told
    assert "\u202e" not in told


def test_that_no_path_answers_is_said() -> None:
    assert "No path answers this" in shown(text="They do not say.", answered=False)
    assert "No path answers this" not in shown(text="He is a thief.")


def test_text_comes_first_then_the_best_path_then_a_line_per_other() -> None:
    paths = [a_path("Jules wears ring", 0.5), a_path("Sophie loves Jules", 0.25)]
    told = shown(text="A ring.", paths=paths)
    parts = ("A ring.", "The path", "Jules wears ring.", "0.25  Sophie loves Jules")
    at = [told.index(part) for part in parts]
    assert at == sorted(at)
    assert "Sophie loves Jules." not in told


def test_without_a_model_the_texts_say_it() -> None:
    passage = "It rained. Sophie read. Jules wears the signet ring of his father."
    piece = {"id": "c", "kind": "chunk", "text": passage, "title": "Letter", "source": "l.txt", "place": ""}
    told = shown(generated=False, text="Passages\n\nAdd one: ollama pull mistral", citations=[piece])
    assert "What the texts say" in told and "Add one:" in told and "It rained" not in told
    assert "\x1b[1mJules\x1b[0m" in told
    assert "Your Clara" not in shown(generated=False, text="Passages\n\nYour Clara", citations=[piece])


def test_an_answer_from_summaries_takes_a_screen() -> None:
    piece = {"kind": "summary", "text": "Jules wears a ring and walks on. " * 20, "title": "Letter", "place": ""}
    citations = [{"id": f"s{n}", "source": "l.txt", **piece} for n in range(12)]
    paths = [a_path("Jules wears ring", 0.5), a_path("Sophie loves Jules", 0.25)]
    told = shown(generated=False, text="Summaries", citations=citations, paths=paths)
    assert len(told.splitlines()) < 24
    assert "[5] summary of Letter" in told and "[6]" not in told and "7 more" in told
    assert "0.50  Jules wears ring" in told and "knows no path" not in told


def test_where_no_path_is_known_it_is_said_with_what_to_try() -> None:
    assert "The graph knows no path for this." in shown(text="He is.")
    assert "knows no path" not in shown(text="He is.", trace={"settings": {"method": "bm25"}})
    assert "knows no path" not in shown(text="He is.", paths=[a_path("Jules wears ring", 0.5)])


def test_in_full_the_excerpts_hold_the_sentences_of_the_path() -> None:
    said = "Sophie works at the library."
    piece = {"kind": "chunk", "title": "letter", "source": "letter", "place": "", "places": [], "date": "", "level": 0}
    piece |= {"id": "c", "text": f"{'It rained. ' * 60}{said}", "kept_by": "rank", "branches": [], "also": []}
    found = {"text": "Passages", "generated": False, "answered": True, "missing": "", "unsupported": [], "paths": []}
    found |= {"citations": [piece], "excerpts": [{"number": 1, "text": said}], "vector_only": None, "cut_short": ""}
    out = Console(file=StringIO(), width=100)
    with out.capture() as told:
        show_answer(out, {**found, "ended": "", "question": "Where?", "model": ""})
    assert said in told.get()


def test_who_denies_what_the_path_says() -> None:
    said = {
        "voice": "Ann",
        "sentence": "Jules wears a ring.",
        "source": "a.txt",
        "place": "",
        "date": "",
        "denied": False,
    }
    against = said | {"voice": "The notary", "sentence": "He never wore it.", "denied": True, "date": "1912-04-02"}
    one = {"kind": "denial", "verdict": "", "what": "", "said": said, "against": against}
    told = shown(text="A ring.", contradictions=[one])
    assert "The notary denies it (may disagree)" in told
    assert told.index("Ann: “Jules wears a ring.”") < told.index("The notary: “He never wore it.”")
    assert "a.txt, 1912-04-02" in told
    cook = said | {"voice": "The cook", "sentence": "A ring? No.", "side": 2}
    told = shown(text="A ring.", contradictions=[one | {"about": "whether he wore a ring", "further": [cook]}])
    assert told.index("whether he wore a ring") < told.index("as the second:") < told.index("The cook: “A ring? No.”")
    assert "says otherwise: another hour" in shown(text="A ring.", contradictions=[one | {"kind": "time"}])


def test_what_an_answer_hangs_on_is_said_with_shares() -> None:
    def told(**found: Any) -> str:
        out = Console(file=StringIO(), width=100, highlight=False)
        with out.capture() as captured:
            show_dependency(out, {"path": "Jules wears ring", "sets": [], "documents": [], "complete": True, **found})
        return captured.get()

    sets = [["a.txt"], ["b.txt", "c.txt"]]
    documents = [{"source": "a.txt", "weight": 1.0}, {"source": "b.txt", "weight": 0.5}]
    shares = told(sets=sets, documents=documents, complete=False)
    assert "It breaks without b.txt and c.txt." in shares and "1.00  a.txt" in shares and "0.50  b.txt" in shares
    assert "Not all sets were tried." in shares
    assert "No three documents" in told()
    assert "first passage" in told(path="", sets=[["a.txt"]], documents=documents[:1])


def test_a_question_for_a_list_leads_to_it() -> None:
    out = Console(file=StringIO(), width=200)
    asked = {"question": "How many of Ann's rings?", "asks_for_list": True, "trace": {"workspace": "case"}}
    with out.capture() as told:
        show_list_command(out, asked)
        show_list_command(out, asked | {"asks_for_list": False})
    command = "`filigraph list 'How many of Ann'\"'\"'s rings?' --workspace case`"
    assert told.get().count("filigraph list") == 1 and command in told.get()
