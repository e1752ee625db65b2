"""Arms from the lengths of a data sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from armature.engine.errors import ModelError
from armature.engine.model.draft.datasheet import DATASHEETS, Datasheet, Limits
from armature.engine.model.draft.robot_draft import RobotDraft, draft_of_text


def datasheet_draft(
    kind: str, lengths: Mapping[str, float], name: str = "my_arm", limits: Sequence[Limits | None] | None = None
) -> RobotDraft:
    """The draft of an arm of a common kind with the lengths of its data sheet, on a floor unless it is upright in a plane.

    Args:
        kind: a key of `DATASHEETS`.
        lengths: by their names in m; those that are left out are as usual for the kind.
        name: of the robot.
        limits: per joint (lower, upper) in degrees, m for slides, None for none; the usual ones where all are left out.

    Raises:
        ModelError: another kind or length, or a number that a robot file cannot have.
    """
    if kind not in DATASHEETS:
        raise ModelError(f"kind: must be one of {', '.join(DATASHEETS)}, got {kind!r}")
    sheet = DATASHEETS[kind]
    names = [length.name for length in sheet.lengths]
    for given in lengths:
        if given not in names:
            raise ModelError(f"{given}: unknown length of {sheet.title}; valid are {', '.join(names)}")
    values = {length.name: lengths.get(length.name, length.default) for length in sheet.lengths}
    for length, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1e9:
            raise ModelError(f"{length}: must be a length in m, got {value!r}")
    bounds = sheet.limits if limits is None else tuple(limits)
    if len(bounds) != len(sheet.limits):
        raise ModelError(f"limits: {sheet.title} has {len(sheet.limits)} joints, got {len(bounds)} pairs")
    usual = limits is None and any(bounds)
    draft = draft_of_text(_text(sheet, {key: float(value) for key, value in values.items()}, bounds, usual), None)
    draft = draft.with_value(("name",), name)
    return replace(draft, saved_text=draft.text)


def _text(sheet: Datasheet, lengths: Mapping[str, float], limits: Sequence[Limits | None], usual: bool) -> str:
    lines = [
        'name        = "my_arm"',
        f'description = "{sheet.sentence}"',
        *(['remarks     = ["Joint limits are typical for this arm type, not from the data sheet."]'] if usual else []),
        'convention  = "standard"',
    ]
    if sheet.task:
        lines.append(f"task        = {json.dumps(sheet.task)}")
    if not sheet.upright:
        lines.append("floor       = 0.0")
    else:
        lines += ["", "[base]", 'rpy = ["pi/2", 0.0, 0.0]']
    lines += ["", "[configurations_deg]", f"home = [{', '.join(f'{x:g}' for x in sheet.home)}]"]
    for i, (comment, row) in enumerate(sheet.rows(lengths)):
        lines += ["", f"[[joints]]  # {i + 1}: {comment}", *_row(row, limits[i])]
    return "\n".join(lines) + "\n"


def _row(row: Mapping[str, float | str], limits: Limits | None) -> list[str]:
    slides = row.get("type") == "prismatic"
    told: dict[str, str] = {"type": '"prismatic"' if slides else '"revolute"'}
    for key in ("theta", "d", "a", "alpha"):
        if not (slides and key == "d"):
            value = row.get(key, 0.0)
            told[key] = f'"{value}"' if isinstance(value, str) else repr(value)
    if limits is not None:
        low, high = limits
        told["limits" if slides else "limits_deg"] = f"[{low!r}, {high!r}]"
    return [f"{key:10} = {value}" for key, value in told.items()]
