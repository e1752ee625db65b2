"""Arms from the lengths of a data sheet."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from armature.engine.errors import ModelError
from armature.engine.model.draft.robot_draft import RobotDraft, draft_of_text

Limits = tuple[float, float]
Rows = list[tuple[str, dict[str, float | str]]]


@dataclass(frozen=True)
class Length:
    """Length of a data sheet: `name` as in the tables, its meaning `means`, its `default` in `unit`."""

    name: str
    means: str
    default: float
    unit: str = "m"


@dataclass(frozen=True)
class Datasheet:
    """Kind of arm: `title`, a description `sentence`, its `lengths`, the usual `limits` of its joints, deg or m, and `rows`.

    `rows` computes the DH rows, standard convention, from the lengths by name: comment and nonzero values of each joint.
    """

    title: str
    sentence: str
    lengths: tuple[Length, ...]
    limits: tuple[Limits | None, ...]
    home: tuple[float, ...]
    rows: Callable[[Mapping[str, float]], Rows]
    upright: bool = False
    task: tuple[str, ...] = ()


def _six_axis(length: Mapping[str, float]) -> Rows:
    return [
        ("waist", {"d": length["d1"], "a": length["a1"], "alpha": "-pi/2"}),
        ("shoulder", {"theta": "-pi/2", "a": length["a2"]}),
        ("elbow", {"a": length["a3"], "alpha": "-pi/2"}),
        ("forearm roll", {"d": length["d4"], "alpha": "pi/2"}),
        ("wrist pitch", {"alpha": "-pi/2"}),
        ("flange roll", {"d": length["d6"]}),
    ]


def _parallel_axes(length: Mapping[str, float]) -> Rows:
    return [
        ("base", {"d": length["d1"], "alpha": "pi/2"}),
        ("shoulder", {"a": -length["a2"]}),
        ("elbow", {"a": -length["a3"]}),
        ("wrist 1", {"d": length["d4"], "alpha": "pi/2"}),
        ("wrist 2", {"d": length["d5"], "alpha": "-pi/2"}),
        ("wrist 3", {"d": length["d6"]}),
    ]


def _scara(length: Mapping[str, float]) -> Rows:
    return [
        ("shoulder", {"d": length["d1"], "a": length["a1"]}),
        ("elbow", {"a": length["a2"], "alpha": "pi"}),
        ("quill, down", {"type": "prismatic"}),
        ("quill, rotation", {"d": length["d4"]}),
    ]


def _planar(length: Mapping[str, float]) -> Rows:
    return [(f"link {name[1:]}", {"a": value}) for name, value in length.items()]


DATASHEETS = {
    "six_axis": Datasheet(
        "Six axes with a spherical wrist",
        "Six axes with a spherical wrist, as in KUKA, ABB, Fanuc and Yaskawa arms; lengths from a data sheet",
        (
            Length("d1", "pedestal: from the floor to the shoulder axis, axis 2", 0.4),
            Length("a1", "shoulder offset: from axis 1 out to axis 2", 0.025),
            Length("a2", "upper arm: from axis 2 to axis 3", 0.455),
            Length("a3", "elbow offset: from axis 3 up to the forearm axis, axis 4", 0.035),
            Length("d4", "forearm: from the elbow to the wrist centre", 0.42),
            Length("d6", "flange: from the wrist centre to the flange", 0.08),
        ),
        ((-170, 170), (-100, 130), (-200, 70), (-185, 185), (-120, 120), (-350, 350)),
        (0, 0, 0, 0, 90, 0),
        _six_axis,
    ),
    "parallel_axes": Datasheet(
        "Six axes, three of them parallel",
        "Six axes, 2, 3 and 4 parallel, as in Universal Robots arms; lengths from a data sheet",
        (
            Length("d1", "base: from the floor to the shoulder axis, axis 2", 0.0892),
            Length("a2", "upper arm: from axis 2 to axis 3", 0.425),
            Length("a3", "forearm: from axis 3 to axis 4", 0.392),
            Length("d4", "wrist 1: from the arm's plane to axis 5", 0.109),
            Length("d5", "wrist 2: from axis 4 to axis 6", 0.0947),
            Length("d6", "wrist 3: from axis 5 to the flange", 0.0823),
        ),
        ((-360, 360),) * 6,
        (0, -70, 100, -120, -90, 0),
        _parallel_axes,
    ),
    "scara": Datasheet(
        "SCARA",
        "SCARA: two vertical axes and a quill that moves down and rotates; lengths from a data sheet",
        (
            Length("d1", "column: from the floor to the arm", 0.4),
            Length("a1", "first arm: from axis 1 to axis 2", 0.325),
            Length("a2", "second arm: from axis 2 to the quill", 0.275),
            Length("d4", "quill: from the arm down to the flange, when fully raised", 0.05),
        ),
        ((-130, 130), (-145, 145), (0.0, 0.2), (-360, 360)),
        (-30, 60, 0.05, 0),
        _scara,
        task=("x", "y", "z", "rz"),
    ),
    "planar_2r": Datasheet(
        "Two joints in a plane",
        "Two parallel axes: an arm in a vertical plane",
        (Length("l1", "first link", 0.5), Length("l2", "second link", 0.4)),
        ((-180, 180), (-150, 150)),
        (45, -60),
        _planar,
        upright=True,
        task=("x", "z"),
    ),
    "planar_3r": Datasheet(
        "Three joints in a plane",
        "Three parallel axes: an arm in a vertical plane",
        (Length("l1", "first link", 0.5), Length("l2", "second link", 0.4), Length("l3", "third link", 0.2)),
        ((-180, 180), (-150, 150), (-150, 150)),
        (60, -60, -45),
        _planar,
        upright=True,
        task=("x", "z", "ry"),
    ),
}


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
    entries: dict[str, str] = {"type": '"prismatic"' if slides else '"revolute"'}
    for key in ("theta", "d", "a", "alpha"):
        if not (slides and key == "d"):
            value = row.get(key, 0.0)
            entries[key] = f'"{value}"' if isinstance(value, str) else repr(value)
    if limits is not None:
        low, high = limits
        entries["limits" if slides else "limits_deg"] = f"[{low!r}, {high!r}]"
    return [f"{key:10} = {value}" for key, value in entries.items()]
