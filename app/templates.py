"""Which route an address belongs to, by its template: what logs and figures say instead of the address itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from starlette.routing import compile_path
from starlette.types import Scope

from filigraph.app.keys import is_open

OTHER = "other"


class Templates:
    """The templates of the REST API, read when first needed: by then every route is there."""

    def __init__(self, paths: Callable[[], Iterable[str]]) -> None:
        self._paths = paths

    @cached_property
    def _compiled(self) -> list[tuple[re.Pattern[str], str]]:
        # what names most of its address comes first, as `/documents/bulk` before `/documents/{id}`
        return [(compile_path(path)[0], path) for path in sorted(self._paths(), key=lambda path: path.count("{"))]

    def of(self, scope: Scope) -> str:
        """`/v1/workspaces/{workspace}/ask`; `page` for its files, `other` for what is no route."""
        path = route_path(scope)
        for pattern, template in self._compiled:
            if pattern.match(path):
                return template
        return "page" if is_open(path) else OTHER


def route_path(scope: Scope) -> str:
    """The address as the routes see it: without the prefix under which a proxy shows the server."""
    path, prefix = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(prefix) or "/" if prefix else path
