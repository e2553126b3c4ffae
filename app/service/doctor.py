"""Checks of the installation: what works and what does not, one line each with its cure."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from filigraph.app.home import open_home
from filigraph.app.llm_provider import CodeValue, choose_llm, llm_named
from filigraph.app.runtime import Runtime
from filigraph.app.schemas.server import Check
from filigraph.graph.errors import FiligraphError
from filigraph.graph.records.workspaces import HOME_SHARD

LLM_SECONDS = 60.0  # for one token of the LLM, which may have to be loaded first
SPARE_GB = 2.0  # below this an ingest of some novels may fill the disk


def examine(runtime: Runtime) -> list[Check]:
    """All checks. They start Neo4j and load models where necessary, so it may take a while."""
    checks = [_neo4j(runtime), _embedder(runtime), _reranker(runtime), _llm(runtime), _spacy(), _ocr(runtime)]
    checks += [_disk(runtime), _memory(runtime)]
    checks += [_shard(runtime, name) for name in runtime.shard_names if name != HOME_SHARD]
    return [*checks, _ray(runtime)] if runtime.settings.ray else checks


def _broken_check(name: str, error: FiligraphError, *, essential: bool = False) -> Check:
    return Check(name=name, state="broken", essential=essential, detail=error.cause, cure=error.cure, code=error.code)


def _neo4j(runtime: Runtime) -> Check:
    whose = "your own" if runtime.settings.neo4j_uri else "Filigraph's own"
    try:
        store = runtime.store()
        workspaces = len(store.workspaces())
    except FiligraphError as error:
        runtime.forget_store()
        return _broken_check("Neo4j", error, essential=True)
    detail = f"{whose}, version {store.version}, {workspaces} workspace{'' if workspaces == 1 else 's'}"
    code = "own_neo4j" if runtime.settings.neo4j_uri else "bundled_neo4j"
    params: Mapping[str, CodeValue] = {"version": store.version, "workspaces": workspaces}
    return Check(name="Neo4j", state="ok", essential=True, detail=detail, code=code, params=params)


def _shard(runtime: Runtime, name: str) -> Check:
    what = f"Neo4j, shard {name}"
    try:
        store = runtime.shard(name)
        workspaces = len(store.workspaces())
    except FiligraphError as error:
        runtime.forget_store()
        return _broken_check(what, error)
    detail = f"version {store.version}, {workspaces} workspace{'' if workspaces == 1 else 's'}"
    params: Mapping[str, CodeValue] = {"version": store.version, "workspaces": workspaces}
    return Check(name=what, state="ok", essential=False, detail=detail, code="shard", params=params)


def _embedder(runtime: Runtime) -> Check:
    from filigraph.graph.models.embed import embed_texts

    try:
        embedder = runtime.embedder()
        embed_texts(embedder, ["Does it answer?"])
    except FiligraphError as error:
        return _broken_check("Embedder", error, essential=True)
    detail = f"{embedder.name}, {embedder.dimensions} dimensions"
    params: Mapping[str, CodeValue] = {"name": embedder.name, "dimensions": embedder.dimensions}
    if embedder.warning:
        return Check(
            name="Embedder",
            state="weak",
            essential=True,
            detail=f"{detail}; {embedder.warning}",
            cure=MULTILINGUAL,
            code="english_embedder",
            params=params,
        )
    return Check(name="Embedder", state="ok", essential=True, detail=detail, code="embedder", params=params)


MULTILINGUAL = "Set FILIGRAPH_EMBEDDER to a multilingual model's folder, or to its name where the hub can be reached."


def _reranker(runtime: Runtime) -> Check:
    try:
        reranker = runtime.reranker()
    except FiligraphError as error:
        return _broken_check("Reranker", error)
    if reranker is None:
        from filigraph.graph.models.adapters.hub import has_torch
        from filigraph.graph.models.adapters.reranker import MULTILINGUAL as CROSS_ENCODER

        code, detail = "no_reranker", "none; the graph's ranking is final"
        cure = f"Set FILIGRAPH_RERANKER to a cross-encoder's folder or name, such as {CROSS_ENCODER}, to have one."
        if not has_torch():
            code = "no_reranker_slim"
            detail += "; a slim installation runs no cross-encoder, and no embedder but the default one"
            cure = "Run `make install` without SLIM, then set FILIGRAPH_RERANKER to a cross-encoder's folder."
        params: Mapping[str, CodeValue] = {"example": CROSS_ENCODER}
        return Check(name="Reranker", state="none", essential=False, detail=detail, cure=cure, code=code, params=params)
    params = {"name": reranker.name}
    return Check(name="Reranker", state="ok", essential=False, detail=reranker.name, code="reranker", params=params)


def _llm(runtime: Runtime) -> Check:
    """Check the LLM that was named, or the one that was found: ask it for one token."""
    settings = runtime.settings
    try:
        choice = choose_llm(settings)
        if choice.llm is None:
            named = bool(settings.llm)
            detail = f"{'' if named else 'none: '}{choice.detail} Answers are passages then."
            return Check(
                name="LLM",
                state="broken" if named else "none",
                essential=named,
                detail=detail,
                cure=choice.cure,
                code=choice.code,
                params={**choice.params, "named": named},
            )
        llm_named(settings, choice.llm.model).probe(min(settings.llm_timeout, LLM_SECONDS))
    except FiligraphError as error:
        return _broken_check("LLM", error, essential=True)
    detail = f"{choice.detail}, which answers"
    return Check(name="LLM", state="ok", essential=False, detail=detail, code=choice.code, params=choice.params)


def _spacy() -> Check:
    from importlib.util import find_spec

    from filigraph.graph.models.adapters.spacy_models import PACKAGES

    missing = [package.replace("_", "-") for package in PACKAGES.values() if find_spec(package) is None]
    if missing:
        detail, cure = f"{' and '.join(missing)} cannot be found", f"Run `pip install {' '.join(missing)}`."
        return Check(
            name="Local extractor",
            state="broken",
            essential=False,
            detail=detail,
            cure=cure,
            code="no_spacy_models",
            params={"packages": missing},
        )
    languages = sorted(PACKAGES)
    detail = f"spaCy for {', '.join(languages)}; documents in other languages need an LLM or ready triples"
    params: Mapping[str, CodeValue] = {"languages": languages}
    return Check(name="Local extractor", state="ok", essential=False, detail=detail, code="spacy", params=params)


def _ocr(runtime: Runtime) -> Check:
    from filigraph.graph.ingest.load.pdf import ocr

    wanted = runtime.settings.ocr_languages
    try:
        installed = ocr.installed_languages()
    except FiligraphError as error:
        return _broken_check("OCR", error)
    if not installed:
        detail, cure = "none: scanned pages are reported, not read", "Install the program tesseract to have them read."
        return Check(name="OCR", state="none", essential=False, detail=detail, cure=cure, code="no_ocr")
    detail = f"tesseract, {', '.join(installed)}"
    missing = [name for name in wanted.split("+") if name not in installed]
    if missing:
        cure = "Install tesseract's data for it, or name other languages in FILIGRAPH_OCR_LANGUAGES."
        detail += f"; not {', '.join(missing)}, which FILIGRAPH_OCR_LANGUAGES names"
        params: Mapping[str, CodeValue] = {"languages": list(installed), "missing": missing}
        return Check(
            name="OCR", state="weak", essential=False, detail=detail, cure=cure, code="ocr_languages", params=params
        )
    params = {"languages": list(installed)}
    return Check(name="OCR", state="ok", essential=False, detail=detail, code="ocr", params=params)


def _disk(runtime: Runtime) -> Check:
    folder = open_home(runtime.settings.home).folder
    free = shutil.disk_usage(folder).free / 1e9
    detail = f"{free:.1f} GB free at {folder}"
    params: Mapping[str, CodeValue] = {"gigabytes": round(free, 1), "folder": str(folder)}
    if free < SPARE_GB:
        cure = "Free some space, or set FILIGRAPH_HOME to a folder on another disk."
        return Check(
            name="Disk", state="weak", essential=False, detail=detail, cure=cure, code="disk_low", params=params
        )
    return Check(name="Disk", state="ok", essential=False, detail=detail, code="disk", params=params)


def _memory(runtime: Runtime) -> Check:
    used, most = runtime.memory.size / 1e6, runtime.memory.most / 1e6
    detail = f"{used:,.0f} of at most {most:,.0f} MB kept of names and views"
    params: Mapping[str, CodeValue] = {"used": round(used), "most": round(most)}
    return Check(name="Memory", state="ok", essential=False, detail=detail, code="memory", params=params)


def _ray(runtime: Runtime) -> Check:
    try:
        cluster_run = runtime.cluster_run(lambda: False, lambda _: None)
    except FiligraphError as error:
        return _broken_check("Ray", error)
    assert cluster_run is not None
    can = f"{cluster_run.cores} cores, {cluster_run.llm_calls} calls of an LLM at once"
    detail = f"{cluster_run.machines} machines at {runtime.settings.ray}: {can}"
    params: Mapping[str, CodeValue] = {
        "machines": cluster_run.machines,
        "address": runtime.settings.ray,
        "cores": cluster_run.cores,
        "calls": cluster_run.llm_calls,
    }
    return Check(name="Ray", state="ok", essential=False, detail=detail, code="ray", params=params)
