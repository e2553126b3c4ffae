"""Identifiers of source code: their qualified names, `package/module.py::Class.method`, and their terms.

A qualified name is a file's source, `::`, and the path of names inside it. A reference has the same form: a name as
that file uses it. After `::`, `<module>name` is an imported name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

MARK = "::"
LANGUAGES = {
    ".py": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx", ".go": "go", ".rs": "rust",
    ".java": "java",
}  # fmt: skip
_IDENTIFIER = re.compile(rf"(?:{'|'.join(re.escape(suffix) for suffix in LANGUAGES)}){MARK}", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d]\w*")
_WRITTEN = re.compile(
    r"`([^`\s]{1,200})`|((?<![\w/])(?:[\w./-]*\w\.(?:py|go|rs|java|[cm]?[jt]sx?)(?:::[\w.]+)?(?!\w)|"
    r"\w+(?:(?:\.|::|#)\w+)+(?:\(\))?|\w+\(\)|[^\W\d]\w*_\w+|_\w+|[A-Za-z]+[a-z0-9][A-Z]\w*|[A-Z][a-z0-9]+(?=[^\w]|$)))"
)
# A plain word, if the question uses it in a way that only fits code: "what calls echo", "if style changes".
_SAID_OF = re.compile(
    r"\b(?:calls?|called by|callers of|uses?|users of|imports?|function|method|class|appell\w+|utilis\w+|importe\w*|"
    r"fonction|méthode|classe)\s+(\w{3,})|"
    r"\b(?:if|si)\s+(\w{3,})(?=\s+(?:chang|break|is\s+(?:chang|renam|remov)|est\s+(?:renomm|supprim|modif)|cass))",
    re.IGNORECASE,
)
_NO_NAME = frozenset(
    ["the", "any", "this", "that", "these", "those", "all", "its", "our", "your", "their"]
) | frozenset(["les", "une", "des", "cette", "ces", "tout", "tous", "son", "ses", "leur", "cela"])
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def is_identifier(form: str) -> bool:
    """Whether a name is a qualified name of source code."""
    return MARK in form and bool(_IDENTIFIER.search(form))


def qualified_name(source: str, name: str = "") -> str:
    """The name of something in a file; without `name`, of the file itself."""
    return f"{source}{MARK}{name}"


def split_identifier(form: str) -> tuple[str, str]:
    """The file, and the name in the file."""
    source, _, name = form.rpartition(MARK)
    return source, name


def code_terms(text: str) -> Iterator[str]:
    """The terms of identifiers that `words` does not give: the parts of `parseUrl`, and `parse_url` as a whole, both
    folded and joined. A question with either form finds both.
    """
    for match in _WORD.finditer(text):
        word = match[0]
        if "_" in word.strip("_"):
            yield word.replace("_", "").lower()
        humps = [part.lower() for part in _HUMP.findall(word)]
        if len(humps) > 1 and "_" not in word:
            yield from humps


def whole_terms(text: str) -> list[str]:
    """The `code_terms` that a question needs beside its words: `parse_url` as a whole."""
    words = (match[0] for match in _WORD.finditer(text))
    return [word.replace("_", "").lower() for word in words if "_" in word.strip("_")]


def identifier_lookup(form: str) -> str:
    """The key for looking up an identifier: its last name, ignoring case; for a file, the file's name."""
    source, _, name = form.rpartition(MARK)
    last = name.rpartition(".")[2] or source.rpartition("/")[2]
    return f"{MARK}{last.lower()}"


def identifiers_in(question: str) -> list[str]:
    """The words of a question that look like identifiers: Client.send, parse_url, parseUrl, run(), a/b.py, anything in
    backticks; and plain words that it uses like names of code.
    """
    candidates = [match[1] or match[2] for match in _WRITTEN.finditer(question)]
    plain = [match[1] or match[2] for match in _SAID_OF.finditer(question)]
    candidates += [name for name in plain if name.lower() not in _NO_NAME]
    names = [name.removesuffix("()").strip(".:") for name in candidates if name]
    return list(dict.fromkeys(name for name in names if name))


def is_called(form: str, name: str) -> bool:
    """Whether `name` in a question means this identifier."""
    source, own = split_identifier(form)
    whole, wanted = f"{source}{MARK}{own}".lower(), name.replace("#", ".").lower()
    if not own:
        return f"/{source.lower()}".endswith(f"/{wanted}") or posixpath.splitext(whole[:-2])[0].endswith(f"/{wanted}")
    last = wanted.rpartition("::")[2]
    return f".{own.lower()}".endswith(f".{last}") or f".{wanted}".endswith(f".{own.lower()}")
