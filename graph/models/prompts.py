"""Prompts: one .md file each in `prompts/`, with `$variables`, identified by the hash of its text.

A prompt has two parts, separated by a line `--- user ---`: the system's message and the user's.
The system part has no variables, so a server can keep it in its cache from one call to the next.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from string import Template

_PART = re.compile(r"^--- user ---$\n?", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt to send to a model."""

    system: str
    user: str


@lru_cache
def _text(name: str) -> str:
    return files("filigraph.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")


def prompt_hash(name: str) -> str:
    """16 hex digits of the prompt's text: part of an extraction's key, and of the trace."""
    return hashlib.blake2b(_text(name).encode(), digest_size=8).hexdigest()


def render(name: str, **variables: str) -> Prompt:
    """The prompt `name` with its `$variables` filled in; `$$` is a dollar sign.

    Values are inserted without expanding them: a `$name` in them stays. Raises ValueError with all missing variables,
    else with all unknown ones.
    """
    system, user = _PART.split(_text(name), maxsplit=1)
    template = Template(user)
    wanted = set(template.get_identifiers())
    if missing := sorted(wanted - set(variables)):
        raise ValueError(f"The prompt {name}.md needs ${', $'.join(missing)}.")
    if unused := sorted(set(variables) - wanted):
        raise ValueError(f"The prompt {name}.md has no ${', $'.join(unused)}.")
    return Prompt(system=system.strip(), user=template.substitute(variables).strip())
