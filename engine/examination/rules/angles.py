"""Rules for constant angles and joint axes: wrong units, nearly parallel axes, two joints on one axis."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, number, vector
from armature.engine.examination.parameters import TOML, URDF, XACRO, Parameters, WrittenAngle
from armature.engine.examination.repairs import number_edit, repair, round_off, together, vector_edit
from armature.engine.examination.sizes import Sizes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.written_values import as_fraction
from armature.engine.rotations import roll_pitch_yaw

RADIANS = math.pi / 180  # per degree
TURN = 2 * math.pi + 0.1
LEAST, MOST = 1e-6, 2e-3  # rad: 1.570796 is π/2 rounded to its digits, 1.57 is not
RIGHT = math.pi / 2
DIGITS = 1e-4  # largest difference of 0.7854, 1.0472 and 0.5236 from a fraction of π


def angles_in_degrees(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report constant angles of more than one turn; if most are, also the others that are not fractions of π."""
    written = [angle for angle in parameters.angles if angle.value and not _key(angle).endswith("_deg") and not angle.exact]
    places = {angle.where.key: angle for angle in written if abs(angle.value) > TURN or not _fraction(angle.value)}
    wild = {angle.where.key: angle for angle in reversed(written) if abs(angle.value) > TURN}
    found = [(RADIANS, _angle_in_degrees(parameters, wild[key])) for key in places if key in wild]
    yield from together(found, list(places.values()), "angles", partial(_turned, parameters))


def _angle_in_degrees(parameters: Parameters, angle: WrittenAngle) -> Finding:
    value = math.radians(angle.value)
    return Finding(
        "angle in degrees",
        ERROR,
        angle.where,
        f"{_key(angle)} = {number(angle.value)} rad, {number(abs(angle.value) / math.tau)} turns",
        "It was probably entered in degrees",
        repair(f"{number(angle.value)}°, {number(value)} rad", _turned(parameters, angle, RADIANS), certain=True),
    )


def _key(angle: WrittenAngle) -> str:
    return str(angle.where.key[-1]) if angle.where.key else ""


def _turned(parameters: Parameters, angle: WrittenAngle, factor: float) -> tuple[Edit, ...]:
    """Return the edits that multiply an angle, and the angles of its rotation that are not in radians, by a factor."""
    if angle.all_of:
        return vector_edit(parameters, angle.where, [x if abs(x) <= TURN and _fraction(x) else factor * x for x in angle.all_of])
    return _edits(parameters, angle, factor * angle.value)


def _edits(parameters: Parameters, angle: WrittenAngle, value: float) -> tuple[Edit, ...]:
    return ((angle.where.key, as_fraction(value) or value),) if parameters.kind == TOML else ()


def angles_in_radians(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report fractions of pi under keys for degrees, such as `alpha_deg = 1.5708`, one finding for each value."""
    seen: set[tuple] = set()
    for angle in parameters.angles:
        key = _key(angle)
        written = [math.degrees(x) for x in angle.all_of or (angle.value,)]
        meant = [_fraction(x) for x in written]
        if not key.endswith("_deg") or angle.where.key in seen or not any(meant):
            continue
        seen.add(angle.where.key)
        named = " and ".join(dict.fromkeys(_of_pi(text) for _, text in filter(None, meant)))
        degrees = [round_off(found[0] if found else x) for x, found in zip(written, meant, strict=True)]
        shown = vector if angle.all_of else lambda values: number(values[0])
        edits = (
            vector_edit(parameters, angle.where, degrees) if angle.all_of else number_edit(parameters, angle.where, degrees[0])
        )
        yield Finding(
            "angle in radians",
            DOUBTFUL,
            angle.where,
            f"{key} = {shown(written)}: this is {named} in radians, but is read as degrees",
            f"It was probably entered in radians; enter radians in {key.removesuffix('_deg')}",
            repair(f"{key} = {shown(degrees)}", edits),
        )


def _fraction(written: float) -> tuple[float, str] | None:
    """Return degrees and text such as "pi/2" of a number that is a rounded fraction of pi; None for others and for 0."""
    for below, most in ((2, MOST), (4, DIGITS), (6, DIGITS)):
        above = round(written * below / math.pi)
        if 0 < abs(above) <= 2 * below and abs(written - above * math.pi / below) < most:
            return 180.0 * above / below, as_fraction(above * math.pi / below) or ""
    return None


def _of_pi(text: str) -> str:
    return text.replace("*", "").replace("pi", "π").replace("-", "−")


def nearly_parallel_axes(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report rounded multiples of 90°, such as 1.5708, in one finding."""
    off = [(abs(missed), angle) for angle in parameters.angles if LEAST < abs(missed := _missed(angle)) < MOST]
    if not off:
        return
    worst, first = max(off, key=lambda pair: pair[0])
    yield Finding(
        "axes nearly but not exactly parallel",
        NOTE,
        first.where,
        f"{len(off)} angle{'s miss' if len(off) > 1 else ' misses'} a multiple of 90° by up to {number(worst)} rad; "
        f"each moves the tool by up to {number(1e3 * worst * sizes.reach)} mm",
        "π/2 was rounded, for example to 1.5708; closed-form kinematics and formulas then find no parallel axes",
        repair(
            "use exact multiples of π/2",
            _exact(parameters, [angle for _, angle in off]),
            certain=all(_is_rounded(angle.value) for _, angle in off),
        ),
    )


def _is_rounded(written: float) -> bool:
    """Return True for a multiple of π/2 rounded to its own digits."""
    exact = RIGHT * round(written / RIGHT)
    return any(round(exact, digits) == written for digits in range(2, 16))


def _missed(angle: WrittenAngle) -> float:
    return 0.0 if angle.exact else float(angle.value - RIGHT * np.round(angle.value / RIGHT))


def _exact(parameters: Parameters, angles: list[WrittenAngle]) -> tuple[Edit, ...]:
    """Return the edits of these angles; the angles of one rotation share one edit."""
    edits: dict[tuple[str | int, ...], Edit] = {}
    for angle in angles:
        if angle.all_of:
            turns = [x - m if LEAST < abs(m := x - RIGHT * round(x / RIGHT)) < MOST else x for x in angle.all_of]
            found = tuple((key, _digits(text, turns)) for key, text in vector_edit(parameters, angle.where, turns))
        else:
            found = _edits(parameters, angle, angle.value - _missed(angle))
        edits |= {edit[0]: edit for edit in found}
    return tuple(edits.values())


def _digits(written: object, turns: list[float]) -> object:
    """Write multiples of π with all digits of a double."""
    return " ".join(repr(x) for x in turns) if isinstance(written, str) else turns


CLOSE = 1e-9


def joints_on_one_axis(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report consecutive joints with the same axis, which act as one joint."""
    robot = parameters.robot
    children = [body.parent for body in robot.bodies]
    for joint in parameters.joints:
        body = robot.bodies[joint.body]
        if body.parent < 0 or robot.bodies[body.parent].joint_type != body.joint_type or joint.follows:
            continue
        R, p = body.X_PJ[:3, :3], body.X_PJ[:3, 3]
        beside = 0.0 if joint.slides else float(np.hypot(p[0], p[1]))
        if abs(R[2, 2]) < 1 - CLOSE or beside > CLOSE * sizes.reach or children.count(body.parent) > 1:
            continue
        before = parameters.joints[body.parent]
        if before.follows:
            continue
        X = None if joint.slides else _tool_offset(robot, joint.body)
        if X is not None:
            yield Finding(
                "tool entered as a joint",
                DOUBTFUL,
                joint.where,
                f"{joint.name}, the last joint, has the same axis as {before.name} and carries only the tool",
                _tool_advice(parameters.kind, X),
            )
            continue
        yield Finding(
            "two joints on one axis",
            DOUBTFUL,
            joint.where,
            f"{joint.name} has the same axis as {before.name}; together they act as one joint",
            "A frame was entered twice, or an angle between the axes (alpha, rpy) was left out",
        )


def _tool_offset(robot: Robot, last: int) -> np.ndarray | None:
    """Return the pose `(4, 4)` of the tool in the link before the `last` body at q = 0; None if this is not an arm's tool.

    A tool is carried by the last of three joints or more, at an offset from the link before, without rotor inertia or friction.
    """
    body, tool = robot.bodies[last], robot.tool_frame
    if tool.body != last or len(robot.bodies) < 3 or any(other.parent == last for other in robot.bodies):
        return None
    if body.rotor_inertia or body.friction.viscous or any(body.friction.coulomb):
        return None
    links = [frame for frame in robot.links.values() if frame.body == body.parent]
    X = np.linalg.inv(links[-1].X_BF) @ body.X_PJ @ tool.X_BF
    return X if np.linalg.norm(X[:3, 3]) > CLOSE else None


def _tool_advice(kind: str, X: np.ndarray) -> str:
    """Return the likely cause and the text that replaces the joint."""
    if kind in (URDF, XACRO):
        return "Probably a tool entered as a joint: make it a fixed joint"
    numbers = ", ".join(f"{value:.6g}" for value in np.where(np.abs(X[:3, 3]) < CLOSE, 0.0, X[:3, 3]))
    turn = np.degrees(roll_pitch_yaw(X[:3, :3]))
    angles = ", ".join(f"{value:.6g}" for value in np.where(np.abs(turn) < CLOSE, 0.0, turn))
    rotated = f", rpy_deg = [{angles}]" if np.abs(turn).max() > CLOSE else ""
    return f"Probably a tool entered as a joint: remove the row and write under [tool] xyz = [{numbers}]{rotated}"
