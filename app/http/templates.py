"""The template of an address's route, which logs and metrics show instead of the address."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.routing import compile_path
from starlette.types import Scope

from filigraph.app.http.permissions import is_open

OTHER = "other"


class Templates:
    """The templates of the REST API."""

    def __init__(self, paths: Iterable[str]) -> None:
        # the most specific template first: `/documents/bulk` before `/documents/{id}`
        templates = sorted(set(paths), key=lambda path: path.count("{"))
        self._compiled = [(compile_path(path)[0], path) for path in templates]

    def of(self, scope: Scope) -> str:
        """For example `/v1/workspaces/{workspace}/ask`; `page` for the page's files, `other` for no route."""
        path = route_path(scope)
        for pattern, template in self._compiled:
            if pattern.match(path):
                return template
        return "page" if is_open(path) else OTHER


def route_path(scope: Scope) -> str:
    """The address as the routes see it: without the prefix of a proxy."""
    path, prefix = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(prefix) or "/" if prefix else path
