"""Checks of the installation: what works and what does not, one line each with its cure."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from filigraph.app.home import open_home
from filigraph.app.llm_provider import CodeValue, choose_llm, llm_named
from filigraph.app.runtime import Runtime
from filigraph.app.schemas.server import Check, CheckState
from filigraph.graph.errors import FiligraphError
from filigraph.graph.records.workspaces import HOME_SHARD

if TYPE_CHECKING:
    from filigraph.graph.store import Store

LLM_SECONDS = 60.0  # for one token of the LLM, which may have to be loaded first
SPARE_GB = 2.0  # below this an ingest of some novels may fill the disk


def examine(runtime: Runtime) -> list[Check]:
    """All checks. They start Neo4j and load models where necessary, so it may take a while."""
    checks = [_neo4j(runtime), _embedder(runtime), _reranker(runtime), _llm(runtime), _spacy(), _ocr(runtime)]
    checks += [_disk(runtime), _memory(runtime)]
    checks += [_shard(runtime, name) for name in runtime.shard_names if name != HOME_SHARD]
    return [*checks, _ray(runtime)] if runtime.settings.ray else checks


def _check(
    name: str,
    state: CheckState,
    detail: str,
    code: str,
    params: Mapping[str, CodeValue],
    *,
    cure: str = "",
    essential: bool = False,
) -> Check:
    return Check(name=name, state=state, essential=essential, detail=detail, cure=cure, code=code, params=params)


def _broken_check(name: str, error: FiligraphError, *, essential: bool = False) -> Check:
    return _check(name, "broken", error.cause, error.code, {}, cure=error.cure, essential=essential)


def _neo4j(runtime: Runtime) -> Check:
    own = bool(runtime.settings.neo4j_uri)
    whose = "your own" if own else "Filigraph's own"
    return _database(runtime, "Neo4j", runtime.store, f"{whose}, ", "own_neo4j" if own else "bundled_neo4j", True)


def _shard(runtime: Runtime, name: str) -> Check:
    return _database(runtime, f"Neo4j, shard {name}", lambda: runtime.shard(name), "", "shard", False)


def _database(
    runtime: Runtime, name: str, connect: Callable[[], Store], whose: str, code: str, essential: bool
) -> Check:
    try:
        store = connect()
        workspaces = len(store.workspaces())
    except FiligraphError as error:
        runtime.forget_store()
        return _broken_check(name, error, essential=essential)
    detail = f"{whose}version {store.version}, {workspaces} workspace{'' if workspaces == 1 else 's'}"
    params: Mapping[str, CodeValue] = {"version": store.version, "workspaces": workspaces}
    return _check(name, "ok", detail, code, params, essential=essential)


def _embedder(runtime: Runtime) -> Check:
    from filigraph.graph.models.embed import embed_texts

    try:
        embedder = runtime.embedder()
        embed_texts(embedder, ["Does it answer?"])
    except FiligraphError as error:
        return _broken_check("Embedder", error, essential=True)
    name, dimensions = embedder.name, embedder.dimensions
    detail, code, cure = f"{name}, {dimensions} dimensions", "embedder", ""
    if embedder.warning:
        detail, code, cure = f"{detail}; {embedder.warning}", "english_embedder", MULTILINGUAL
    state: CheckState = "weak" if embedder.warning else "ok"
    params: Mapping[str, CodeValue] = {"name": name, "dimensions": dimensions}
    return _check("Embedder", state, detail, code, params, cure=cure, essential=True)


MULTILINGUAL = "Set FILIGRAPH_EMBEDDER to a multilingual model's folder, or to its name where the hub can be reached."


def _reranker(runtime: Runtime) -> Check:
    try:
        reranker = runtime.reranker()
    except FiligraphError as error:
        return _broken_check("Reranker", error)
    if reranker is not None:
        return _check("Reranker", "ok", reranker.name, "reranker", {"name": reranker.name})
    from filigraph.graph.models.adapters.hub import has_torch
    from filigraph.graph.models.adapters.reranker import MULTILINGUAL as CROSS_ENCODER

    code, detail = "no_reranker", "none; the graph's ranking is final"
    cure = f"Set FILIGRAPH_RERANKER to a cross-encoder's folder or name, such as {CROSS_ENCODER}, to have one."
    if not has_torch():
        code = "no_reranker_slim"
        detail += "; a slim installation runs no cross-encoder, and no embedder but the default one"
        cure = "Run `make install` without SLIM, then set FILIGRAPH_RERANKER to a cross-encoder's folder."
    return _check("Reranker", "none", detail, code, {"example": CROSS_ENCODER}, cure=cure)


def _llm(runtime: Runtime) -> Check:
    """Check the LLM that was named, or the one that was found: ask it for one token."""
    settings = runtime.settings
    try:
        choice = choose_llm(settings)
        if choice.llm is None:
            named = bool(settings.llm)
            detail = f"{'' if named else 'none: '}{choice.detail} Answers are passages then."
            params = {**choice.params, "named": named}
            state: CheckState = "broken" if named else "none"
            return _check("LLM", state, detail, choice.code, params, cure=choice.cure, essential=named)
        llm_named(settings, choice.llm.model).probe(min(settings.llm_timeout, LLM_SECONDS))
    except FiligraphError as error:
        return _broken_check("LLM", error, essential=True)
    return _check("LLM", "ok", f"{choice.detail}, which answers", choice.code, choice.params)


def _spacy() -> Check:
    from importlib.util import find_spec

    from filigraph.graph.models.adapters.spacy_models import PACKAGES

    missing = [package.replace("_", "-") for package in PACKAGES.values() if find_spec(package) is None]
    if missing:
        detail, cure = f"{' and '.join(missing)} cannot be found", f"Run `pip install {' '.join(missing)}`."
        return _check("Local extractor", "broken", detail, "no_spacy_models", {"packages": missing}, cure=cure)
    languages = sorted(PACKAGES)
    detail = f"spaCy for {', '.join(languages)}; documents in other languages need an LLM or ready triples"
    return _check("Local extractor", "ok", detail, "spacy", {"languages": languages})


def _ocr(runtime: Runtime) -> Check:
    from filigraph.graph.ingest.load.pdf import ocr

    wanted = runtime.settings.ocr_languages
    try:
        installed = list(ocr.installed_languages())
    except FiligraphError as error:
        return _broken_check("OCR", error)
    if not installed:
        cure = "Install the program tesseract to have them read."
        return _check("OCR", "none", "none: scanned pages are reported, not read", "no_ocr", {}, cure=cure)
    detail = f"tesseract, {', '.join(installed)}"
    missing = [name for name in wanted.split("+") if name not in installed]
    if missing:
        cure = "Install tesseract's data for it, or name other languages in FILIGRAPH_OCR_LANGUAGES."
        detail += f"; not {', '.join(missing)}, which FILIGRAPH_OCR_LANGUAGES names"
        params = {"languages": installed, "missing": missing}
        return _check("OCR", "weak", detail, "ocr_languages", params, cure=cure)
    return _check("OCR", "ok", detail, "ocr", {"languages": installed})


def _disk(runtime: Runtime) -> Check:
    folder = open_home(runtime.settings.home).folder
    free = shutil.disk_usage(folder).free / 1e9
    low = free < SPARE_GB
    cure = "Free some space, or set FILIGRAPH_HOME to a folder on another disk." if low else ""
    detail, gigabytes = f"{free:.1f} GB free at {folder}", round(free, 1)
    state: CheckState = "weak" if low else "ok"
    code = "disk_low" if low else "disk"
    return _check("Disk", state, detail, code, {"gigabytes": gigabytes, "folder": str(folder)}, cure=cure)


def _memory(runtime: Runtime) -> Check:
    used, most = runtime.memory.size / 1e6, runtime.memory.most / 1e6
    disk = (runtime.memory.snapshots.size if runtime.memory.snapshots else 0) / 1e6
    detail = f"{used:,.0f} of at most {most:,.0f} MB kept of names and views, {disk:,.0f} MB in snapshots on disk"
    params = {"used": round(used), "most": round(most), "disk": round(disk)}
    return _check("Memory", "ok", detail, "memory", params)


def _ray(runtime: Runtime) -> Check:
    try:
        run = runtime.cluster_run(lambda: False, lambda _: None)
    except FiligraphError as error:
        return _broken_check("Ray", error)
    assert run is not None
    address = runtime.settings.ray
    can = f"{run.cores} cores, {run.llm_calls} calls of an LLM at once"
    detail = f"{run.machines} machines at {address}: {can}"
    params: Mapping[str, CodeValue] = {
        "machines": run.machines,
        "address": address,
        "cores": run.cores,
        "calls": run.llm_calls,
    }
    return _check("Ray", "ok", detail, "ray", params)
