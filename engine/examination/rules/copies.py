"""Rules: joints that copy others (mimic) with limits narrower than those of the joint they copy, or that never move."""

from __future__ import annotations

from collections.abc import Iterator

from armature.engine.examination.figures import Figures, JointFigures, limit_at
from armature.engine.examination.finding import DOUBTFUL, NOTE, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number, vector

SLACK = 1e-3  # share of the range by which rounded limits may differ


def limits(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Limits of a copy that narrow those of the joint it copies, or leave it no motion at all."""
    coupling = figures.robot.coupling
    if coupling is None:
        return
    for joint in figures.joints:
        if not joint.follows:
            continue
        driver = figures.joints[coupling.own[coupling.driver[joint.body]]]
        low, high = coupling.driver_limits(joint.body)
        slack = SLACK * max(abs(driver.upper - driver.lower), 1e-9)
        if low <= driver.lower + slack and high >= driver.upper - slack:
            continue
        opposite = min(high, driver.upper) <= max(low, driver.lower)
        k = int(coupling.driver[joint.body])
        ends = figures.robot.q_min[k], figures.robot.q_max[k]
        m, b = float(coupling.multiplier[joint.body]), float(coupling.offset[joint.body])
        copied = f"{joint.name} = {number(m)} · {driver.name}" + (f" {'−' if b < 0 else '+'} {number(abs(b))}" if b else "")
        yield Finding(
            "incompatible limits of a mimic joint" if opposite else "limits of a mimic joint narrower than its master's",
            DOUBTFUL if opposite else NOTE,
            limit_at(figures, joint, "limits"),
            f"{_range(joint)}, reached with {driver.name} in {_range(driver, low, high)}; "
            f"limits of {driver.name}: {_range(driver)}; {copied}",
            "The sign of the multiplier or of the limits is wrong; the mimic joint's limits are ignored"
            if opposite
            else f"Armature limits {driver.name} to {_range(driver, *ends)}, so that both joints are within their limits",
        )


def without_motion(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Copies with a multiplier of 0, which stand still whatever the joint that they copy does."""
    coupling = figures.robot.coupling
    for joint in figures.joints:
        if coupling is not None and joint.follows and coupling.multiplier[joint.body] == 0.0:
            yield Finding(
                "mimic joint with a multiplier of 0",
                DOUBTFUL,
                joint.where,
                f"{joint.name} is fixed at {number(float(coupling.offset[joint.body]))} {'m' if joint.slides else 'rad'}",
                "The multiplier is wrong, or the joint should be fixed",
            )


def _range(joint: JointFigures, *ends: float) -> str:
    return f"{vector(ends or (joint.lower, joint.upper))} {'m' if joint.slides else 'rad'}"
