"""Source code: files as functions, methods, classes and types, and what they define, import and call.

    text -> tree (tree-sitter) -> units -> chunks, each with its extraction

No extractor reads code: a syntax tree needs no model. What a name means in another file is decided when
all files are known, by `graph/names/identifiers.py`. Why so: docs/decisions/0023-code.md.
"""
