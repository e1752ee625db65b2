"""What is typed about a joint and its link."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import pi
from typing import TYPE_CHECKING

from armature.app.builder.arm_file import file_of
from armature.app.builder.entries import Entry, NumberEntry, PartEntry, RangeEntry
from armature.app.builder.typed_quantity import Kind
from armature.engine.model.body import PRISMATIC
from armature.engine.model.draft.link_bodies import Shape

if TYPE_CHECKING:
    from armature.engine import RobotDraft
    from armature.engine.model.toml.robot_schema import RobotFile

NAME, TYPE, THETA, D, A, ALPHA, LIMITS, SPEED, TORQUE = "name", "type", "theta", "d", "a", "alpha", "limits", "speed", "torque"
ACCELERATION = "acceleration"
AXES = ("x", "y", "z")
USUAL_LIMITS = {"revolute": [-pi, pi], "prismatic": [0.0, 0.3]}  # rad, m


@dataclass(frozen=True)
class TypeEntry(Entry):
    """The type of a joint; what was said of it in the other unit goes, and the named poses have it at 0."""

    def put(self, draft: RobotDraft, value: str) -> RobotDraft:
        """As the other type, with limits that are usual."""
        i = int(self.where[1])
        if self.read(file_of(draft)) == value:
            return draft
        for key in ("limits", "velocity_limit", "acceleration_limit", "torque_limit"):
            draft = draft.with_value((*self.where[:2], key), None)
        for table in ("configurations", "configurations_deg"):
            for name in getattr(file_of(draft), table):
                draft = draft.with_value((table, name, i), 0.0)
        draft = draft.with_value(self.where, value)
        return draft.with_value((*self.where[:2], "limits"), USUAL_LIMITS[value])


@dataclass(frozen=True)
class MassEntry(NumberEntry):
    """The mass of a link; where it is the first that has one, a point mass."""

    def put(self, draft: RobotDraft, value: float) -> RobotDraft:
        """In its place, with 0 for links that have none."""
        if draft.robot.has_dynamics:
            return super().put(draft, value)
        at = self.where[:2]
        made = draft.with_body(int(at[1]), Shape("sphere", diameter=1.0), mass=value)
        return made.with_value((*at, "com"), None).with_value((*at, "inertia"), None)


def joint_entry(i: int, what: str, slides: bool) -> Entry:
    """The place of a column of the DH table in the row of joint i (0-based), which slides or turns."""
    of, at = f"joint {i + 1}", ("joints", i)
    match what:
        case "name":
            return Entry((*at, "name"), f"name of {of}", lambda file: file.joint_names()[i], True)
        case "type":
            return TypeEntry((*at, "type"), f"type of {of}", lambda file: file.joints[i].type)
        case "theta" | "alpha":
            symbol = {"theta": "θ", "alpha": "α"}[what]
            return NumberEntry((*at, what), f"{symbol} of {of}", lambda file: file.joints[i].turns[what][0], True, Kind.ANGLE)
        case "a" | "d":
            return NumberEntry((*at, what), f"{what} of {of}", lambda file: getattr(file.joints[i], what), True, Kind.LENGTH)
        case "limits":
            kind = Kind.LENGTH if slides else Kind.ANGLE
            return RangeEntry((*at, "limits"), f"limits of {of}", lambda file: file.joints[i].range, True, kind)
        case "speed":
            kind = Kind.SLIDE_SPEED if slides else Kind.TURN_SPEED
            return NumberEntry((*at, "velocity_limit"), f"speed limit of {of}", lambda file: file.joints[i].speed, True, kind)
        case "acceleration":
            kind, where = Kind.SLIDE_ACCELERATION if slides else Kind.TURN_ACCELERATION, (*at, "acceleration_limit")
            return NumberEntry(where, f"acceleration limit of {of}", lambda file: file.joints[i].acceleration, True, kind)
        case "torque":
            kind, name = (Kind.FORCE, "force") if slides else (Kind.TORQUE, "torque")
            where = (*at, "torque_limit")
            return NumberEntry(where, f"{name} limit of {of}", lambda file: file.joints[i].torque_limit, True, kind)
    raise ValueError(what)


def slides(file: RobotFile, i: int) -> bool:
    """Whether joint i is prismatic."""
    return file.joints[i].type == PRISMATIC


def link_entries(i: int) -> dict[str, Entry]:
    """What is typed about the link that joint i (0-based) carries, by the names of its fields."""
    of, at = f"link {i + 1}", ("joints", i)
    entries: dict[str, Entry] = {
        "mass": MassEntry((*at, "mass"), f"mass of {of}", lambda file: file.joints[i].mass, False, Kind.MASS)
    }
    for k, axis in enumerate(AXES):
        entries[f"com_{axis}"] = PartEntry(
            (*at, "com"), f"centre of mass of {of}", lambda file: file.joints[i].com, False, Kind.LENGTH, (k,)
        )
    for r in range(3):
        for c in range(r, 3):
            name = f"inertia_{AXES[r]}{AXES[c]}"
            entries[name] = PartEntry(
                (*at, "inertia"), f"inertia of {of}", lambda file: file.joints[i].inertia, False, Kind.INERTIA, (r, c)
            )
    return entries


def drive_entries(i: int, slides: bool) -> dict[str, Entry]:
    """What is typed about friction, motor and gears of joint i (0-based), which slides or turns, by the names of its fields."""
    of, at = f"joint {i + 1}", ("joints", i)
    effort = Kind.FORCE if slides else Kind.TORQUE
    viscous = Kind.SLIDE_VISCOUS if slides else Kind.TURN_VISCOUS
    entries: dict[str, Entry] = {
        "viscous": NumberEntry(
            (*at, "friction", "viscous"),
            f"viscous friction of {of}",
            lambda file: file.joints[i].friction.viscous,
            False,
            viscous,
        ),
        "stiction": NumberEntry(
            (*at, "friction", "stiction"),
            f"static friction of {of}",
            lambda file: file.joints[i].friction.stiction,
            False,
            effort,
        ),
        "rotor_inertia": NumberEntry(
            (*at, "rotor_inertia"), f"rotor inertia of {of}", lambda file: file.joints[i].rotor_inertia, False, Kind.INERTIA
        ),
        "gear_ratio": NumberEntry((*at, "gear_ratio"), f"gear ratio of {of}", lambda file: file.joints[i].gear_ratio),
    }
    for k, name in enumerate(("coulomb_plus", "coulomb_minus")):
        entries[name] = PartEntry(
            (*at, "friction", "coulomb"), f"Coulomb friction of {of}", partial(_coulomb, i), False, effort, (k,)
        )
    return entries


def _coulomb(i: int, file: RobotFile) -> tuple[float, float]:
    return file.joints[i].friction.coulomb
