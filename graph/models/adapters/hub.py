"""Finds models: in a folder, in the local hub cache, or on the hub itself if a person named the model.

The hub's libraries ask the network, report usage and draw progress bars unless configured otherwise before they are
imported. `stay_local` does that. A download that a person asked for runs in its own process, so that this one never
goes online.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from filigraph.graph.errors import ModelUnavailable

_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}
# What the user set, read before `stay_local` sets it.
ASKED_OFFLINE = os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_NEEDED = ("*.json", "*.safetensors", "*.txt", "*.model", "README.md")  # no weights of other frameworks, no code
_DOWNLOAD = (
    "import sys; from huggingface_hub import snapshot_download as s; s(sys.argv[1], allow_patterns=sys.argv[2:])"
)

IMPORTING_TORCH = threading.Lock()  # held while torch is imported, or while its import is prevented
TORCH_PACKAGES = ("torch", "sentence_transformers")  # what a slim installation lacks


def made_models() -> Path:
    """The default folder of files made from a model's weights."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("filigraph")) / "models"


def stay_local() -> None:
    """Keep the hub's libraries silent and off the network, and let torch's waiting threads sleep. Call it before the
    import.

    If waiting threads spin, as is the default, while Neo4j needs the cores too, embedding takes four times as long.
    """
    os.environ.update(_OFFLINE)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def has_torch() -> bool:
    """Whether models other than the default embedder can be run. Imports nothing."""
    return all(importlib.util.find_spec(package) is not None for package in TORCH_PACKAGES)


def require_torch(model: str) -> None:
    """Raises ModelUnavailable if PyTorch or sentence-transformers is not installed."""
    if not has_torch():
        raise ModelUnavailable(
            f"{model} needs PyTorch and sentence-transformers, which this slim installation lacks.",
            cure="Install them: run `make install` without SLIM, or `pip install sentence-transformers`.",
        )


def silence_libraries() -> None:
    """Draw and log nothing while a model is loaded, even if the libraries were imported before us."""
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def loading_errors() -> tuple[type[Exception], ...]:
    """The errors that the libraries raise for a folder with unusable files."""
    from safetensors import SafetensorError

    return OSError, ValueError, RuntimeError, KeyError, ImportError, SafetensorError


def folder_in_cache(name: str, cache: Path | None = None) -> Path | None:
    """The folder of a hub's model in the local cache (`cache`, or the user's), None if it is incomplete."""
    stay_local()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, cache_dir=cache, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    whole = (folder / "config.json").is_file() and weight_files(folder)
    return folder if whole else None


def model_folder(choice: str, variable: str, cache: Path | None = None) -> Path:
    """The folder of the model that a person chose by `variable`: a folder, or a name on the hub.

    Only here may the network be used, and only if the name is not in the cache. Raises ModelUnavailable.
    """
    folder = Path(choice).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelUnavailable(
                f"The folder {folder} holds no model: it has no config.json.",
                cure=f"Set {variable} to a folder that sentence-transformers has saved, or to a name on the hub.",
            )
        return folder
    if not _HUB_NAME.fullmatch(choice):
        raise ModelUnavailable(
            f"There is no folder {folder}.", cure=f"Set {variable} to a model's folder, or to its name on the hub."
        )
    name = choice if "/" in choice else f"sentence-transformers/{choice}"
    cached_folder = folder_in_cache(name, cache)
    if cached_folder is None:
        download(name, variable, cache)
        cached_folder = folder_in_cache(name, cache)
    if cached_folder is None:
        raise ModelUnavailable(
            f"The model {name} came without a configuration or without safetensors weights.",
            cure=f"Set {variable} to another model, or unset it.",
        )
    return cached_folder


def weight_files(folder: Path) -> list[Path]:
    """The files that hold a model's numbers, in order of name."""
    return sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("pytorch_model*.bin"))


def download(name: str, variable: str, cache: Path | None) -> None:
    cure = f"Set {variable} to a folder that holds the model, or unset it."
    if ASKED_OFFLINE:
        raise ModelUnavailable(
            f"The model {name} is not in the cache, and HF_HUB_OFFLINE forbids the download.", cure=cure
        )
    environment = os.environ | _OFFLINE | {"HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0"}
    if cache is not None:
        environment["HF_HUB_CACHE"] = str(cache)
    command = [sys.executable, "-c", _DOWNLOAD, name, *_NEEDED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise ModelUnavailable(f"The model {name} cannot be downloaded from the hub: {reason[:300]}", cure=cure)
