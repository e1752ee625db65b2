"""Rules: limits of joints that are in another unit, or that leave nothing to move."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from armature.engine.examination.edits import limits_edit, repair, velocity_edit
from armature.engine.examination.figures import Figures, JointFigures, limit_at
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding
from armature.engine.examination.rules.together import together
from armature.engine.examination.sizes import LONGEST, Sizes
from armature.engine.examination.wording import number, vector

RADIANS = math.pi / 180  # of a degree
TURNS = 8 * math.pi  # joints that turn farther than four times round have no cables
DEGREES = 1080.0  # nobody writes larger angles in degrees
FASTEST = 60.0  # rad/s; the quickest wrists of SCARA arms turn at 50


def ranges(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Limits in degrees or in mm, in radians where degrees are due, or of no width."""
    limited = [
        joint for joint in figures.joints if not joint.follows and math.isfinite(joint.lower) and math.isfinite(joint.upper)
    ]
    yield from (
        _scaled(figures, joint, 1e-3, "limits in millimetres", "They were probably entered in mm")
        for joint in limited
        if joint.slides and _far(joint) > LONGEST
    )
    turning = [joint for joint in limited if not joint.slides]
    written = [joint for joint in turning if "limits" in joint.in_degrees]
    many_turns = [joint for joint in turning if _far(joint) > math.tau]
    units = (
        (RADIANS, "degrees", ERROR, many_turns, [joint for joint in turning if TURNS < _far(joint) <= DEGREES]),
        (1 / RADIANS, "radians", DOUBTFUL, written, [joint for joint in written if math.degrees(_far(joint)) <= math.tau]),
    )
    for factor, unit, grade, all_of_them, wrong in units:
        found = [
            (factor, _scaled(figures, joint, factor, f"limits in {unit}", f"They were probably entered in {unit}", grade))
            for joint in wrong
        ]
        yield from together(found, all_of_them, "joints", partial(_scaled_limits, figures))


def _far(joint: JointFigures) -> float:
    return max(abs(joint.lower), abs(joint.upper))


def _scaled_limits(figures: Figures, joint: JointFigures, factor: float) -> tuple[Edit, ...]:
    return limits_edit(figures, joint, factor * joint.lower, factor * joint.upper)


def no_motion(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Lower and upper limit the same: one finding for all such joints."""
    still = [joint for joint in figures.joints if joint.lower == joint.upper and not joint.follows]
    if still:
        yield Finding(
            "limits without range",
            NOTE,
            limit_at(figures, still[0], "limits"),
            f"{', '.join(joint.name for joint in still[:3])}{', …' * (len(still) > 3)}: the lower and upper limits are equal",
            "These joints should be fixed, or their limits are not entered yet",
        )


def _scaled(figures: Figures, joint: JointFigures, factor: float, rule: str, cause: str, grade: str = ERROR) -> Finding:
    ends, unit = (joint.lower, joint.upper), "m" if joint.slides else "rad"
    meant = tuple(factor * x for x in ends)
    figure = f"{vector(ends)} {unit}"
    if rule == "limits in radians":
        figure = f"{vector([math.degrees(x) for x in ends])}°"
    elif not joint.slides:
        figure += f", {number(_far(joint) / math.tau)} turns"
    only = grade == ERROR and (not joint.slides or 10 * max(map(abs, meant)) > LONGEST)  # no cm
    mend = repair(f"{vector(meant)} {unit}", _scaled_limits(figures, joint, factor), only)
    return Finding(rule, grade, limit_at(figures, joint, "limits"), figure, cause, mend)


def speeds(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Speeds in degrees per second."""

    def slowed(joint: JointFigures, factor: float) -> tuple[Edit, ...]:
        return velocity_edit(figures, joint, factor * joint.velocity)

    turning = [joint for joint in figures.joints if not joint.slides and not joint.follows]
    joints = [joint for joint in turning if math.isfinite(joint.velocity) and "velocity" not in joint.in_degrees]
    yield from together(list(_speeds(figures)), joints, "joints", slowed)


def _speeds(figures: Figures) -> Iterator[tuple[float, Finding]]:
    for joint in figures.joints:
        if joint.slides or joint.follows or not FASTEST < joint.velocity < math.inf:
            continue
        default = math.log10(joint.velocity).is_integer()
        place = limit_at(figures, joint, "velocity_limit", "velocity")
        figure = f"{number(joint.velocity)} rad/s, {number(joint.velocity / math.tau)} turns a second"
        if default or "velocity" in joint.in_degrees or joint.velocity > 20 * FASTEST:
            continue
        slower = math.radians(joint.velocity)
        edits: tuple[Edit, ...] = velocity_edit(figures, joint, slower)
        yield (
            RADIANS,
            Finding(
                "speed limit in degrees per second",
                ERROR,
                place,
                figure,
                "It was probably entered in degrees per second",
                repair(f"{number(slower)} rad/s", edits, certain=True),
            ),
        )
