"""Identifiers: what the qualified names of source code refer to. Only exact names and import tables count: two
functions are never one because their names are similar.

    app/main.py::Client.send  ->  <.client>Client  ->  app/client.py::Client  ->  app/client.py::Client.send

Starting from its file, a reference is replaced by what its longest defined or imported part means, from file to file. A
reference that leads out of the workspace has the name that its module gives it: `requests.get`. If only a part of a
reference is found, the reference means that part.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from filigraph.graph import ids
from filigraph.graph.model.names import MentionLike
from filigraph.graph.text.identifiers import LANGUAGES, is_identifier, qualified_name, split_identifier

MAX_REFERENCES = 12  # max. files that a reference leads through
_SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")


@dataclass(frozen=True, kw_only=True)
class ResolvedIdentifiers:
    """Which entity each mention belongs to, and what identifies the entities."""

    entity_of: Mapping[str, str]  # mention id -> entity id
    names: Mapping[str, str]  # entity id -> its name: the path of its file, without the folder that all files share
    types: Mapping[str, str]  # entity id -> function, class, ...


def is_of_code(mention: MentionLike) -> bool:
    """Whether the mention is resolved by identifiers."""
    return is_identifier(mention.form)


def resolve_identifiers(
    mentions: Iterable[MentionLike], document_aliases: Mapping[str, Sequence[tuple[str, str]]]
) -> ResolvedIdentifiers:
    """Group the mentions of source code (`is_of_code`) by what they refer to."""
    code = sorted(mentions, key=lambda one: one.id)
    defined = {one.form: one.type for one in code if one.type}
    stands_for: dict[str, str] = {}
    wild: dict[str, list[str]] = defaultdict(list)  # file -> modules from which it imports all names
    for first, second in sorted(pair for pairs in document_aliases.values() for pair in pairs):
        if not is_identifier(first) or first in defined:
            continue
        source, name = split_identifier(first)
        if name == "*":
            wild[source].append(second.removesuffix("*"))
        else:
            stands_for.setdefault(first, second)
    table = _Table(defined, stands_for, wild)
    groups: dict[str, list[MentionLike]] = defaultdict(list)
    for one in code:
        groups[one.form if one.type else table.target(one.form)].append(one)
    shared = _shared_folder({split_identifier(form)[0] for form in defined})
    entity_of: dict[str, str] = {}
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    for target, members in groups.items():
        id_ = ids.entity_id(members[0].id)
        entity_of.update((one.id, id_) for one in members)
        names[id_] = target.removeprefix(shared).removesuffix("::")
        types[id_] = defined.get(target, "")
    return ResolvedIdentifiers(
        entity_of=entity_of, names=names, types={id_: type_ for id_, type_ in types.items() if type_}
    )


def _shared_folder(sources: set[str]) -> str:
    """The folder that all files are in, with its `/`; names begin below it."""
    shared: list[str] = []
    for names in zip(*(source.rpartition("/")[0].split("/") for source in sorted(sources)), strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    path = "/".join(shared)
    return f"{path}/" if path else ""


class _Table:
    """All definitions, and the imports of each file."""

    def __init__(
        self, defined: Mapping[str, str], stands_for: Mapping[str, str], wild: Mapping[str, list[str]]
    ) -> None:
        self._defined, self._stands_for, self._wild = defined, stands_for, wild
        self._files = {split_identifier(form)[0] for form, type_ in defined.items() if type_ == "Module"}
        self._ending: dict[str, list[str]] = defaultdict(list)  # the end of a path -> files, the shortest first
        self._in_folder: dict[str, list[str]] = defaultdict(list)
        for file in sorted(self._files, key=lambda file: (len(file), file)):
            parts = file.split("/")
            for n in range(1, min(len(parts), 8) + 1):
                self._ending["/".join(parts[-n:])].append(file)
            self._in_folder[file.rpartition("/")[0]].append(file)
        self._found: dict[str, str] = {}

    def target(self, form: str) -> str:
        """The definition that a reference means, or a name outside the workspace."""
        if form not in self._found:
            self._found[form] = self._follow(form, 0) or form
        return self._found[form]

    def _follow(self, form: str, depth: int) -> str:
        if form in self._defined or depth > MAX_REFERENCES:
            return form if form in self._defined else ""
        source, name = split_identifier(form)
        if name.startswith("<"):
            return self._target_of_import(source, name, depth)
        parts = name.split(".")
        for n in range(len(parts), 0, -1):
            prefix, rest = qualified_name(source, ".".join(parts[:n])), ".".join(parts[n:])
            if prefix in self._stands_for and self._stands_for[prefix] != form:
                second = self._stands_for[prefix]
                if target := self._follow(_extend_reference(second, rest), depth + 1):
                    return target
            if prefix in self._defined:
                return prefix
        for module in self._wild.get(source, ()):
            if (target := self._follow(f"{module}{name}", depth + 1)) and is_identifier(target):
                return target
        return self._in_sibling_file(source, name)

    def _in_sibling_file(self, source: str, name: str) -> str:
        """The name in another file of the folder, for languages that need no import for that."""
        suffix = posixpath.splitext(source)[1]
        if suffix not in (".go", ".java"):
            return ""
        parts = name.split(".")
        for n in range(len(parts), 0, -1):
            for file in self._in_folder[source.rpartition("/")[0]]:
                if file.endswith(suffix) and (target := qualified_name(file, ".".join(parts[:n]))) in self._defined:
                    return target
        return ""

    def _target_of_import(self, source: str, reference: str, depth: int) -> str:
        """The target of `<module>name` in `source`."""
        module, _, name = reference[1:].partition(">")
        first, _, rest = name.partition(".")
        for file in self._module(source, module):
            if name in ("", "*"):
                return qualified_name(file)
            if target := self._follow(qualified_name(file, name), depth + 1):
                return target
            if first == "default" and (target := self._default_export(file, rest)):
                return target
        below = f"{module}{'' if module.endswith('.') else '.'}{first}" if first else ""
        for file in self._module(source, below) if below and first != "*" else ():
            if not rest:
                return qualified_name(file)
            return self._follow(qualified_name(file, rest), depth + 1) or qualified_name(file)
        if files := self._module(source, module):  # the module exists, and does not define the name
            return qualified_name(files[0])
        return f"{module}.{name}".rstrip(".*") if name else module

    def _default_export(self, file: str, rest: str) -> str:
        """The default export of a script: its one class or function, or the one with the file's name."""
        stem = posixpath.splitext(posixpath.basename(file))[0].lower()
        names = [
            name for form in self._defined if split_identifier(form)[0] == file and (name := split_identifier(form)[1])
        ]
        top = [name for name in names if "." not in name]
        exported = top[0] if len(top) == 1 else next((name for name in top if name.lower() == stem), "")
        whole = qualified_name(file, f"{exported}.{rest}" if rest else exported)
        return whole if exported and whole in self._defined else qualified_name(file, exported) if exported else ""

    def _module(self, source: str, module: str) -> list[str]:
        """The files of a module, as `source` imports it; none if it is outside the workspace."""
        suffix = posixpath.splitext(source)[1].lower()
        folder = source.rpartition("/")[0]
        language = LANGUAGES.get(suffix, "")
        if language == "python":
            return self._python_module(folder, module)
        if suffix in _SCRIPTS:
            return self._script(folder, module)
        if language == "go":
            last = module.split("/")[-3:]
            for n in range(len(last), 0, -1):
                ends = "/".join(last[-n:])
                files = [
                    file
                    for module_file in self._in_folder
                    if f"/{module_file}".endswith(f"/{ends}")
                    for file in self._in_folder[module_file]
                ]
                if files:
                    return [file for file in files if file.endswith(".go")]
            return []
        if language == "java":
            return self._ending.get(f"{module.replace('.', '/')}.java", [])[:1] or [
                file
                for module_file in sorted(self._in_folder)
                if f"/{module_file}".endswith(f"/{module.replace('.', '/')}")
                for file in self._in_folder[module_file]
            ]
        return self._rust_module(source, module)

    def _python_module(self, folder: str, module: str) -> list[str]:
        name = module.lstrip(".")
        levels = len(module) - len(name)
        path = name.replace(".", "/")
        if levels:
            for _ in range(levels - 1):
                folder = folder.rpartition("/")[0]
            return self._existing_file(_join_path(folder, path), (".py", "/__init__.py"))
        while True:
            if files := self._existing_file(_join_path(folder, path), (".py", "/__init__.py")):
                return files
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        return [*self._ending.get(f"{path}.py", [])[:1], *self._ending.get(f"{path}/__init__.py", [])[:1]][:1]

    def _script(self, folder: str, module: str) -> list[str]:
        if not module.startswith("."):
            if not module.startswith(("@/", "~/")):
                return []
            ends = [f"{module[2:]}{end}" for suffix in _SCRIPTS for end in (suffix, f"/index{suffix}")]
            return next((self._ending[end][:1] for end in ends if end in self._ending), [])
        whole = posixpath.normpath(_join_path(folder, module))
        bare = posixpath.splitext(whole)[0] if whole.endswith((".js", ".jsx", ".mjs", ".cjs")) else whole
        return self._existing_file(
            whole, ("", *_SCRIPTS, *(f"/index{suffix}" for suffix in _SCRIPTS))
        ) or self._existing_file(bare, _SCRIPTS)

    def _rust_module(self, source: str, module: str) -> list[str]:
        """The files of `crate::a::b`, `super::a`, `self::a`; names inside a file are resolved later."""
        folder, _, name = source.rpartition("/")
        own = folder if name in ("mod.rs", "lib.rs", "main.rs") else posixpath.splitext(source)[0]
        parts = module.split(".")
        if parts[0] == "crate":
            root = folder
            while root and not {f"{root}/lib.rs", f"{root}/main.rs"} & self._files:
                root = root.rpartition("/")[0]
            own, parts = root, parts[1:]
            if not parts:
                return [file for file in (f"{root}/lib.rs", f"{root}/main.rs") if file in self._files]
        while parts and parts[0] in ("self", "super"):
            own = own if parts[0] == "self" else own.rpartition("/")[0]
            parts = parts[1:]
        return self._existing_file(_join_path(own, "/".join(parts)), (".rs", "/mod.rs"))

    def _existing_file(self, path: str, ends: Sequence[str]) -> list[str]:
        path = path.rstrip("/")
        return next(([f"{path}{end}"] for end in ends if f"{path}{end}" in self._files), [])


def _join_path(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _extend_reference(reference: str, rest: str) -> str:
    """A reference, extended by further names."""
    if not rest:
        return reference
    return f"{reference}{'' if reference.endswith('>') else '.'}{rest}"
