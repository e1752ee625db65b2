"""Lines of the text of a robot file, by what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armature.engine.model.draft.draft_text import Parts, place_of
from armature.engine.model.draft.places import Where, found
from armature.engine.model.draft.table_edit import changed_part
from armature.engine.model.draft.written_places import in_other_unit
from armature.engine.model.draft.written_poses import POSES

_MARK = "\N{REPLACEMENT CHARACTER} here"
_OTHER_WAYS = {"xyz": ("matrix",), "rpy": ("rpy_deg", "quaternion", "matrix"), "rpy_deg": ("rpy", "quaternion", "matrix")}


def line_of(parts: Parts, table: Mapping[str, Any], where: Where) -> int:
    """The line, from 1, where a value stands, whichever way it is written; where it does not, that of its table."""
    where = _written(table, where)
    while where and found(table, where) is None:
        where = where[:-1]
    if not where:
        return 1
    if where == ("joints",):
        where = ("joints", 0)
    place = place_of(parts, where)
    if place is None:
        return 1
    k, path = place
    above = sum(part.text.count("\n") for part in parts[:k]) + parts[k].lead.count("\n") + 1
    if not path:
        return above
    core = changed_part(parts[k], [(path, _MARK)]).core
    return above + core[: max(core.find(_MARK), 0)].count("\n")


def _written(table: Mapping[str, Any], where: Where) -> Where:
    """Where the file has what is meant."""
    if found(table, where) is not None:
        return where
    ways = [in_other_unit(where)]
    if where[0] in POSES and len(where) == 2:
        ways += [(where[0], key) for key in _OTHER_WAYS.get(str(where[1]), ())]
    return next((way for way in ways if way is not None and found(table, way) is not None), where)
