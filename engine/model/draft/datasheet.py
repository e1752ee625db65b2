"""`Datasheet`: a kind of arm that is described by a few lengths, and the kinds there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Limits = tuple[float, float]
Rows = list[tuple[str, dict[str, float | str]]]


@dataclass(frozen=True)
class Length:
    """A length of a data sheet: `name` as the tables call it, what it `means`, its `default` in `unit`."""

    name: str
    means: str
    default: float
    unit: str = "m"


@dataclass(frozen=True)
class Datasheet:
    """A kind of arm: `title`, one `sentence`, its `lengths`, the `limits` of its joints, deg or m, that most have, and `rows`.

    `rows` makes the DH rows, standard convention, of the lengths by name: per joint type, comment and what differs from 0.
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
