"""Rules for joint limits and for mimic joints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, number, vector
from armature.engine.examination.parameters import JointParameters, Parameters, limit_at
from armature.engine.examination.repairs import limits_edit, repair, together, velocity_edit
from armature.engine.examination.sizes import LONGEST, Sizes

RADIANS = math.pi / 180  # per degree
TURNS = 8 * math.pi  # four turns; cables allow no more
DEGREES = 1080.0  # larger angles are not in degrees
FASTEST = 60.0  # rad/s; the fastest SCARA wrists reach 50


def limit_ranges(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report limits in degrees, in mm, or in radians under a key for degrees, and reversed limits."""
    limited = [
        joint for joint in parameters.joints if not joint.follows and math.isfinite(joint.lower) and math.isfinite(joint.upper)
    ]
    yield from (
        _scaled(parameters, joint, 1e-3, "limits in millimetres", "They were probably entered in mm")
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
            (factor, _scaled(parameters, joint, factor, f"limits in {unit}", f"They were probably entered in {unit}", grade))
            for joint in wrong
        ]
        yield from together(found, all_of_them, "joints", partial(_scaled_limits, parameters))


def _far(joint: JointParameters) -> float:
    return max(abs(joint.lower), abs(joint.upper))


def _scaled_limits(parameters: Parameters, joint: JointParameters, factor: float) -> tuple[Edit, ...]:
    return limits_edit(parameters, joint, factor * joint.lower, factor * joint.upper)


def limits_without_motion(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report equal lower and upper limits in one finding for all joints."""
    still = [joint for joint in parameters.joints if joint.lower == joint.upper and not joint.follows]
    if still:
        yield Finding(
            "upper limit equals lower limit",
            NOTE,
            limit_at(parameters, still[0], "limits"),
            f"{', '.join(joint.name for joint in still[:3])}{', …' * (len(still) > 3)}: the lower and upper limits are equal",
            "These joints should be fixed, or their limits are not entered yet",
        )


def _scaled(parameters: Parameters, joint: JointParameters, factor: float, rule: str, cause: str, grade: str = ERROR) -> Finding:
    ends, unit = (joint.lower, joint.upper), "m" if joint.slides else "rad"
    meant = tuple(factor * x for x in ends)
    figure = f"{vector(ends)} {unit}"
    if rule == "limits in radians":
        figure = f"{vector([math.degrees(x) for x in ends])}°"
    elif not joint.slides:
        figure += f", {number(_far(joint) / math.tau)} turns"
    only = grade == ERROR and (not joint.slides or 10 * max(map(abs, meant)) > LONGEST)  # no cm
    mend = repair(f"{vector(meant)} {unit}", _scaled_limits(parameters, joint, factor), only)
    return Finding(rule, grade, limit_at(parameters, joint, "limits"), figure, cause, mend)


def speed_limits(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report velocity limits in degrees per second."""

    def scale_velocity(joint: JointParameters, factor: float) -> tuple[Edit, ...]:
        return velocity_edit(parameters, joint, factor * joint.velocity)

    turning = [joint for joint in parameters.joints if not joint.slides and not joint.follows]
    joints = [joint for joint in turning if math.isfinite(joint.velocity) and "velocity" not in joint.in_degrees]
    yield from together(list(_speeds(parameters)), joints, "joints", scale_velocity)


def _speeds(parameters: Parameters) -> Iterator[tuple[float, Finding]]:
    for joint in parameters.joints:
        if joint.slides or joint.follows or not FASTEST < joint.velocity < math.inf:
            continue
        default = math.log10(joint.velocity).is_integer()
        place = limit_at(parameters, joint, "velocity_limit", "velocity")
        figure = f"{number(joint.velocity)} rad/s, {number(joint.velocity / math.tau)} turns a second"
        if default or "velocity" in joint.in_degrees or joint.velocity > 20 * FASTEST:
            continue
        slower = math.radians(joint.velocity)
        edits: tuple[Edit, ...] = velocity_edit(parameters, joint, slower)
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


SLACK = 1e-3  # fraction of the range by which rounded limits may differ


def mimic_limits(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report limits of a mimic joint that restrict its master joint, or allow it no motion."""
    coupling = parameters.robot.coupling
    if coupling is None:
        return
    for joint in parameters.joints:
        if not joint.follows:
            continue
        driver = parameters.joints[coupling.own[coupling.driver[joint.body]]]
        low, high = coupling.driver_limits(joint.body)
        slack = SLACK * max(abs(driver.upper - driver.lower), 1e-9)
        if low <= driver.lower + slack and high >= driver.upper - slack:
            continue
        opposite = min(high, driver.upper) <= max(low, driver.lower)
        k = int(coupling.driver[joint.body])
        ends = parameters.robot.q_min[k], parameters.robot.q_max[k]
        m, b = float(coupling.multiplier[joint.body]), float(coupling.offset[joint.body])
        copied = f"{joint.name} = {number(m)} · {driver.name}" + (f" {'−' if b < 0 else '+'} {number(abs(b))}" if b else "")
        yield Finding(
            "incompatible limits of a mimic joint" if opposite else "limits of a mimic joint narrower than its master's",
            DOUBTFUL if opposite else NOTE,
            limit_at(parameters, joint, "limits"),
            f"{_range(joint)}, reached with {driver.name} in {_range(driver, low, high)}; "
            f"limits of {driver.name}: {_range(driver)}; {copied}",
            "The sign of the multiplier or of the limits is wrong; the mimic joint's limits are ignored"
            if opposite
            else f"Armature restricts {driver.name} to {_range(driver, *ends)}, so that both joints are within their limits",
        )


def mimic_joints_without_motion(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report mimic joints with a multiplier of 0, which do not move."""
    coupling = parameters.robot.coupling
    for joint in parameters.joints:
        if coupling is not None and joint.follows and coupling.multiplier[joint.body] == 0.0:
            yield Finding(
                "mimic joint with a multiplier of 0",
                DOUBTFUL,
                joint.where,
                f"{joint.name} is fixed at {number(float(coupling.offset[joint.body]))} {'m' if joint.slides else 'rad'}",
                "The multiplier is wrong, or the joint should be fixed",
            )


def _range(joint: JointParameters, *ends: float) -> str:
    return f"{vector(ends or (joint.lower, joint.upper))} {'m' if joint.slides else 'rad'}"
