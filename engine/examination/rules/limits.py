"""Rules: limits of joints that are in another unit, or that leave nothing to move."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armature.engine.examination.edits import limits_edit, repair, velocity_edit
from armature.engine.examination.figures import Figures, JointFigures, limit_at
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, Place
from armature.engine.examination.sizes import LONGEST, Sizes
from armature.engine.examination.wording import number, vector

TURNS = 8 * math.pi  # joints that turn farther than four times round have no cables
DEGREES = 1080.0  # nobody writes larger angles in degrees
FASTEST = 60.0  # rad/s; the quickest wrists of SCARA arms turn at 50


def ranges(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Limits in degrees or in mm, in radians where degrees are due, or of no width."""
    for joint in figures.joints:
        if joint.follows or not (math.isfinite(joint.lower) and math.isfinite(joint.upper)):
            continue
        far, text = (
            max(abs(joint.lower), abs(joint.upper)),
            f"{vector((joint.lower, joint.upper))} {'m' if joint.slides else 'rad'}",
        )
        place = limit_at(figures, joint, "limits")
        if joint.slides and far > LONGEST:
            yield _scaled(figures, joint, place, text, 1e-3, "limits in millimetres", "They were given in mm")
        elif not joint.slides and TURNS < far <= DEGREES:
            yield _scaled(figures, joint, place, text, math.pi / 180, "limits in degrees", "They were given in degrees")
        elif "limits" in joint.in_degrees and math.degrees(far) <= 2 * math.pi:
            figure = f"{vector((math.degrees(joint.lower), math.degrees(joint.upper)))}°"
            yield _scaled(
                figures, joint, place, figure, 180 / math.pi, "limits in radians", "They were given in radians", DOUBTFUL
            )


def no_motion(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Lower and upper limit the same: one finding for all such joints."""
    still = [joint for joint in figures.joints if joint.lower == joint.upper and not joint.follows]
    if still:
        yield Finding(
            "limits that leave no motion",
            NOTE,
            limit_at(figures, still[0], "limits"),
            f"{', '.join(joint.name for joint in still[:3])}{', …' * (len(still) > 3)}: lower and upper limit are the same",
            "These joints are meant to be fixed, or have no limits yet",
        )


def _scaled(
    figures: Figures, joint: JointFigures, where: Place, text: str, factor: float, rule: str, cause: str, grade: str = ERROR
) -> Finding:
    lower, upper = factor * joint.lower, factor * joint.upper
    unit = "m" if joint.slides else "rad"
    figure = (
        text
        if joint.slides or rule == "limits in radians"
        else f"{text}, {number(max(abs(joint.lower), abs(joint.upper)) / math.tau)} turns"
    )
    only = grade == ERROR and (not joint.slides or 10 * max(abs(lower), abs(upper)) > LONGEST)  # no cm
    mend = repair(f"{vector((lower, upper))} {unit}", limits_edit(figures, joint, lower, upper), only)
    return Finding(rule, grade, where, figure, cause, mend)


def speeds(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Speeds in degrees per second."""
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
        yield Finding(
            "speed limit in degrees",
            ERROR,
            place,
            figure,
            "It was given in degrees per second",
            repair(f"{number(slower)} rad/s", edits, certain=True),
        )
