"""Ids are hashes of content: the same input gives the same graph, in any order, on any machine."""

from __future__ import annotations

import hashlib


def content_id(kind: str, *parts: str) -> str:
    """A 128-bit hex id of `parts`; `kind` keeps ids of different things apart.

    Parts are length-prefixed, so ("ab", "c") and ("a", "bc") differ.
    """
    digest = hashlib.blake2b(digest_size=16, person=kind.encode()[:16])
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def document_id(workspace: str, source: str) -> str:
    return content_id("document", workspace, source)


def chunk_id(document: str, text: str, occurrence: int) -> str:
    return content_id("chunk", document, text, str(occurrence))


def mention_id(document: str, key: str, type_: str) -> str:
    return content_id("mention", document, key, type_)


def entity_id(smallest_mention: str) -> str:
    return content_id("entity", smallest_mention)


def fact_id(subject: str, predicate: str, object_: str) -> str:
    return content_id("fact", subject, predicate, object_)
