"""The stored and exported forms of places, recipes and people's decisions; the version of the export format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, cast, get_args

from filigraph.graph.ids import content_part, workspace_tag
from filigraph.graph.model.documents import CutUnit, Place, PlaceKind, Recipe, Strategy
from filigraph.graph.model.llm_readings import CastMember, CastPair, CastReading
from filigraph.graph.model.names import STORED_KINDS, CorrectedName, Occurrence, StoredCorrection

EXPORT_FORMAT, EXPORT_VERSION = "filigraph", 1

_RECIPE = re.compile(
    rf"(.*)\|({'|'.join(get_args(Strategy))}):([0-9]{{1,9}}):([0-9]+(?:\.[0-9]+)?(?:e-[0-9]+)?)"
    rf"(?::({'|'.join(get_args(CutUnit))}))?(:late)?",
    re.DOTALL,
)

_NUMBERED = re.compile(r"(?: \([0-9]+/[0-9]+\))?")  # the end of a title that several summaries share
_KINDS = {stored: kind for kind, stored in STORED_KINDS.items()}


def places_json(places: Iterable[Place]) -> str:
    """The stored form of a document's places."""
    return json.dumps([[place.kind, place.label, place.start] for place in places], ensure_ascii=False)


def places_of(body: Iterable[tuple[PlaceKind, str, int]]) -> tuple[Place, ...]:
    """The inverse of `places_json`."""
    return tuple(Place(kind=kind, label=label, start=start) for kind, label, start in body)


def recipe_text(recipe: Recipe | None) -> str:
    """The stored and exported form of a document's recipe: "local:6|paragraph:512:0.15", with the unit unless it is
    tokens, and ":late"; "" if unknown.
    """
    if recipe is None:
        return ""
    unit = "" if recipe.unit == "tokens" else f":{recipe.unit}"
    late = ":late" if recipe.late else ""
    return f"{recipe.extractor}|{recipe.strategy}:{recipe.size}:{recipe.overlap}{unit}{late}"


def recipe_of(text: str) -> Recipe | None:
    """The inverse of `recipe_text`; None for any other text."""
    match = _RECIPE.fullmatch(text)
    if match is None:
        return None
    extractor, strategy, size, overlap, unit, late = match.groups()
    return Recipe(
        extractor=extractor,
        strategy=cast(Strategy, strategy),
        size=int(size),
        overlap=float(overlap),
        unit=cast(CutUnit, unit or "tokens"),
        late=bool(late),
    )


def exported_title(title: str, workspace: str) -> str:
    """The title of a summary of a whole workspace as it is exported: without the workspace's name."""
    rest = title.removeprefix(workspace)
    return rest if rest != title and _NUMBERED.fullmatch(rest) else title


def imported_title(title: str, workspace: str) -> str:
    """The inverse of `exported_title`, in a workspace that may have another name."""
    return workspace + title if _NUMBERED.fullmatch(title) else title


def correction_json(decision: StoredCorrection) -> str:
    """The stored and exported form of a decision: ids without their workspace part (see `ids.py`)."""
    body = asdict(decision)
    del body["id"], body["at"]
    body["kind"] = STORED_KINDS[decision.kind]
    for name in (*body["names"], *body["others"]):
        name["id"], name["document_id"] = content_part(name["id"]), content_part(name["document_id"])
    for place in body["places"]:
        place["chunk_id"] = content_part(place["chunk_id"])
    return json.dumps(body, ensure_ascii=False, sort_keys=True)


def correction_of(id_: str, at: str, body: Mapping[str, Any], workspace: str) -> StoredCorrection:
    """The inverse of `correction_json`, for a workspace."""
    tag = workspace_tag(workspace)

    def names(side: str) -> tuple[CorrectedName, ...]:
        own = ({**name, "id": name["id"] + tag, "document_id": name["document_id"] + tag} for name in body[side])
        return tuple(CorrectedName(**name) for name in own)

    return StoredCorrection(
        id=id_,
        at=at,
        kind=_KINDS[body["kind"]],
        names=names("names"),
        others=names("others"),
        places=tuple(Occurrence(**{**place, "chunk_id": place["chunk_id"] + tag}) for place in body["places"]),
        name=body["name"],
        forms=tuple(body["forms"]),
        note=body["note"],
    )


def casts_json(readings: Iterable[CastReading]) -> str:
    """The stored form of a document's cast; equal readings give equal texts."""
    return json.dumps([asdict(reading) for reading in readings], ensure_ascii=False, sort_keys=True)


def casts_of(text: str) -> tuple[CastReading, ...]:
    """The inverse of `casts_json`."""
    return tuple(
        CastReading(
            key=body["key"],
            members=tuple(
                CastMember(names=tuple(one["names"]), reason=one["reason"], further=tuple(one.get("further", ())))
                for one in body["members"]
            ),
            contrasts=tuple(CastPair(**one) for one in body["contrasts"]),
            identities=tuple(CastPair(**one) for one in body.get("identities", ())),
        )
        for body in json.loads(text)
    )
