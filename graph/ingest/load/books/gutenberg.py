"""Remove the additions of an edition: Project Gutenberg's head and licence, marks of pages and italics, missing
pictures. Places move with the text, and the report says what was removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from filigraph.graph.ingest.load.content import LEFT_OUT, Content, one_line
from filigraph.graph.model.documents import Place
from filigraph.graph.text.note_marks import marks_in_brackets

_START = re.compile(
    r"^[^\n]{0,20}\*{2,3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG E(?:BOOK|TEXT)[^\n]*"
    r"(?:\n[^\n*]{1,100})?\*{0,3}[^\n]*$"
    r"|^\*END\*?\s*THE SMALL PRINT![^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_END = re.compile(
    r"^[^\n]{0,20}\*{2,3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG E(?:BOOK|TEXT)"
    r"|^[ \t]*End of (?:the |this )?Project Gutenberg(?:'s|’s)?\b[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
# Other publishers of e-texts in this form, without such marks.
_OTHERS = re.compile(
    r"Distributed Proofreaders Canada|Faded ?Page|Project Gutenberg (?:of )?(?:Australia|Canada)", re.IGNORECASE
)
_OTHERS_HEAD = re.compile(
    r"^(?:This e-?(?:book|text) (?:is|was) (?:produced|made|created)|Produced by|Faded Page e-?book"
    r"|To contact Project Gutenberg|[^\n]*gutenberg\.(?:net\.au|ca)\b)[^\n]*(?:\n[^\n]+)*$",
    re.MULTILINE | re.IGNORECASE,
)
_OTHERS_END = re.compile(r"^[ \t]*\[(?:the )?end of [^\n\]]{3,150}\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_OTHERS_HEAD_CHARS = 5000
_FIELD = re.compile(r"^(Title|Author|Titel|Titre|Auteur|Autor|Language)\s*:[ \t]*(\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.M)
_FIELDS = {"Title": "title", "Titel": "title", "Titre": "title", "Language": "language"}
_PRODUCED = re.compile(
    r"\A\s*(?:(?:E-text |E-?book |This (?:e-?text|ebook|file) was )?(?:prepared|produced|transcribed|scanned) by"
    r"|Transcribed from (?:the|an?) [^\n]*(?:\n[^\n]+)*?edition\b"
    r"|Credits?:|\[?Transcriber[’']s notes?)[^\n]*(?:\n[^\n]+)*\n",
    re.IGNORECASE,
)
_DIGITIZER = re.compile(r"gutenberg|proofread|e-?text|e-?book|digitiz|archive\.org|librivox|wikisource", re.IGNORECASE)
# Blanks are matched from the first on: from each of many it would take as long as their number squared.
_PAGE = re.compile(
    r"(?<![ \t])[ \t]*[\[{](?:Pg|Page|p\.|pg\.|Pag\.|Seite|S\.)\s*(\d{1,4}|[ivxlc]{1,8})[\]}]", re.IGNORECASE
)
_PICTURE = re.compile(
    r"\[(?:(?:Illustrations?|Picture|Frontispiece|Decoration|Image|Abbildung|Gravure|Ilustraci[oó]n|Illustrazione"
    r"|Ilustração|Illustratie|Kuva|Kuvitus|Il·lustració)\b|(?:Vignette|Ornament|Portada|Copertina|Titelbild)(?=[\s:\]]))"
    r"(?:[^\[\]]|\[[^\[\]]*\]){0,600}\]",
    re.IGNORECASE,
)
_PAGE_ALONE = re.compile(r"^[ \t]*\[(\d{1,4})\][ \t]*$\n?", re.MULTILINE)
_PAGE_IN_BRACES = re.compile(r"(?<![ \t])[ \t]*\{(\d{1,4}|[ivxlc]{1,8})\}")
_TRANSCRIBER = re.compile(
    r"^[ \t]*Transcriber[’']s notes?\b[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*"
    r"|\[\s*(?:Transcriber[’']s?|Transcriber|Anmerkung(?:en)? (?:zur Transkription|des Bearbeiters)|Notes? d[eu] "
    r"transcript(?:ion|eur)|Nota del? transcriptor)\b(?:[^\[\]]|\[[^\[\]]*\]){0,3000}\]",
    re.IGNORECASE | re.MULTILINE,
)
_ITALICS = re.compile(r"(?<![\w_])_(?=[^\s_])([^_]{1,600}?)(?<=[^\s_])_(?![\w_])")
_BOLD = re.compile(r"(?<![\w=])=(?=[^\s=])([^=\n]{1,200}?)(?<=[^\s=])=(?![\w=])")
_DASH = re.compile(r"(?<=[\w.,;:!?”\"’')])--(?=[\w“\"‘'(])|(?<=\w)--(?=\s|$)|(?<=\s)--(?=\w)")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){3,}")


@dataclass(frozen=True, kw_only=True)
class Edition:
    """A text with its places, and what the edition says about it."""

    text: str
    places: tuple[Place, ...] = ()
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    warnings: tuple[str, ...] = ()


def without_edition(editing: Edition, *, plain: bool = False) -> Content:
    """A text without the additions of its edition. `plain`: its italics are `_so_` if it is an e-text."""
    text = editing.text
    wrapper = _wrapper(text)
    start, end = wrapper or (0, len(text))
    known = _header_fields(text[: start or 0]) if wrapper else {}
    pages = list(_PAGE.finditer(text, start, end))
    if wrapper and not pages:
        in_braces = list(_PAGE_IN_BRACES.finditer(text, start, end))
        pages = in_braces or list(_PAGE_ALONE.finditer(text, start, end))
    is_etext = bool(wrapper) or len(pages) > 2
    notes = list(_TRANSCRIBER.finditer(text, start, end)) if is_etext else []
    changes = [(0, start, ""), (end, len(text), "")] if wrapper else []
    changes += [(*match.span(), "") for match in pages] if is_etext else []
    pictures = list(_PICTURE.finditer(text, start, end))
    changes += [(*match.span(), "") for match in (*pictures, *notes)]
    changes += [(*span, "") for span in marks_in_brackets(text) if start <= span[0] < end]
    if plain and is_etext:
        changes += [one for form in (_ITALICS, _BOLD) for one in _signs(form, text, start, end)]
        changes += [(*match.span(), "—") for match in _DASH.finditer(text, start, end)]
    places = list(editing.places)
    if is_etext and not any(place.kind == "page" for place in places):
        places += [Place(kind="page", label=match[1], start=match.end()) for match in pages]
    content, moved = _apply_changes(text, changes, places)
    left_out = [
        what
        for what, there in (
            ("Project Gutenberg's head and licence", wrapper and not _OTHERS.search(text[:3000])),
            ("the head of the e-text", wrapper and _OTHERS.search(text[:3000])),
            ("marks of pages", is_etext and pages),
            ("notes of who transcribed it", notes),
            (f"{len(pictures)} captions of pictures", pictures),
        )
        if there
    ]
    return Content(
        text=content,
        title=one_line(known.get("title", "")) or editing.title,
        places=tuple(sorted(moved, key=lambda place: place.start)),
        language=editing.language,
        metadata={**editing.metadata, **{name: one_line(known[name]) for name in ("author",) if name in known}},
        warnings=(*editing.warnings, *([f"{LEFT_OUT} {', '.join(left_out)}"] if left_out else [])),
    )


def edit_content(content: Content, *, plain: bool = False) -> Content:
    """The same for the result of a reader."""
    edition = without_edition(Edition(text=content.text, places=content.places, metadata=content.metadata), plain=plain)
    return replace(
        content,
        text=edition.text,
        title=edition.title or content.title,
        places=edition.places,
        metadata=edition.metadata,
        warnings=(*content.warnings, *edition.warnings),
    )


def _wrapper(text: str) -> tuple[int, int] | None:
    """Start and end of the book between Project Gutenberg's marks, or after the credits with which it begins where
    somebody has removed the marks; None without both."""
    first = _START.search(text, 0, min(len(text), 60_000))
    last = next(iter(_END.finditer(text, first.end() if first else 0)), None)
    if not first and not (last and "gutenberg" in text[:3000].lower()):
        produced = _PRODUCED.match(text[:3000])
        if produced and _DIGITIZER.search(produced[0]):
            return produced.end(), len(text)
        return _wrapper_of_others(text)
    start = first.end() if first else 0
    if produced := _PRODUCED.match(text[start : start + 3000]):
        start += produced.end()
    return start, last.start() if last else len(text)


def _wrapper_of_others(text: str) -> tuple[int, int] | None:
    head = text[:_OTHERS_HEAD_CHARS]
    produced = list(_OTHERS_HEAD.finditer(head)) if _OTHERS.search(head[:3000]) else []
    if not produced:
        return None
    last = _OTHERS_END.search(text, produced[-1].end())
    return produced[-1].end(), last.start() if last else len(text)


def _header_fields(head: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in _FIELD.findall(head):
        field, lines = _FIELDS.get(name, "author"), [" ".join(line.split()) for line in value.split("\n")]
        fields.setdefault(field, (", " if field == "author" else " ").join(lines))
    return fields


def _signs(form: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The marks of emphasis."""
    for match in form.finditer(text, start, end):
        yield match.start(), match.start() + 1, ""
        yield match.end() - 1, match.end(), ""


def _apply_changes(text: str, changes: list[tuple[int, int, str]], places: list[Place]) -> tuple[str, list[Place]]:
    """A text with some parts replaced, and its places moved accordingly. If changes overlap, the first one applies."""
    if not changes:
        return text, places
    parts: list[str] = []
    moved: list[Place] = []
    waiting = sorted(places, key=lambda place: place.start)
    at = length = 0
    for start, end, instead in sorted(changes, key=lambda change: (change[0], -change[1])):
        if start < at:
            continue
        while waiting and waiting[0].start < start:
            place = waiting.pop(0)
            moved.append(replace(place, start=length + place.start - at))
        parts += [text[at:start], instead]
        length += start - at + len(instead)
        at = end
        while waiting and waiting[0].start < end:  # it begins with the next text, if that is the same page or chapter
            place = waiting.pop(0)
            if end < len(text) and start > 0:
                moved.append(replace(place, start=length))
    moved += [replace(place, start=length + place.start - at) for place in waiting]
    parts.append(text[at:])
    whole = "".join(parts)
    first = len(whole) - len(whole.lstrip())
    return whole[first:].rstrip(), [replace(place, start=max(0, place.start - first)) for place in moved]
