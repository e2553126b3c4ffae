"""Paths of the REST API."""

from __future__ import annotations

from urllib.parse import quote

from filigraph.graph.errors import InputError
from filigraph.graph.ids import check_workspace_name


def split_view(workspace: str) -> tuple[str, str]:
    """A workspace, and the view of it that "estate@before-the-fire" names; "" where it names none."""
    name, _, view = workspace.partition("@")
    return name, view


def path(workspace: str, *parts: str) -> str:
    """The path of a resource of a workspace. Raises InputError if nothing can have its name."""
    name, view = split_view(workspace)
    if view:
        raise InputError(f"{workspace} is a view: this is about a whole workspace.", cure=f"Give the workspace {name}.")
    check_workspace_name(workspace)
    return "/".join(["/v1/workspaces", quote(workspace, safe=""), *(quote(part, safe="") for part in parts)])


def view_path(workspace: str, name: str) -> str:
    """The path of a named view. Raises InputError if no view can have its name."""
    check_workspace_name(name, "view")
    return path(workspace, "views", name)


def job_path(job_id: str, *parts: str) -> str:
    return "/".join(["/v1/jobs", quote(job_id, safe=""), *parts])


def key_path(name: str, *parts: str) -> str:
    return "/".join(["/v1/keys", quote(name, safe=""), *parts])
