"""Texts about a trajectory, in the units of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature import engine
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses
from armature.app.state.units import Units, number, seconds, significant
from armature.app.trajectory.trajectory_model import StatusText, TrajectoryModel

if TYPE_CHECKING:
    from armature.app.trajectory.clearance_check import ClearanceCheck
    from armature.app.trajectory.trajectory_preview import Preview

EMPTY = "Pose the arm and add it as a waypoint (Insert), or load the example under “More”."
ONE = "Add a second waypoint: pose the arm elsewhere and press “+ Joints”."
COMPUTING = "Computing…"
STATUS_FIELDS = "drag_error", "selected", "message", "plan_error", "preview", "clearance", "is_planned", "is_ready"


def status(model: TrajectoryModel, units: Units) -> StatusText:
    """Return the newest message; else the duration in s, the violated limit, or the missing step."""
    preview = model.preview
    if model.drag_error:
        return StatusText(f"Waypoint {model.selected + 1}: {model.drag_error}", Severity.ERROR)
    if model.message is not None:
        return model.message
    if model.plan_error:
        return StatusText(model.plan_error, Severity.ERROR)
    if preview is not None:
        of = "" if model.draft.waypoints or model.function is None else f"From {model.function.name}: "
        check, above = model.clearance, "" if preview.robot.floor is None else " and above the floor"
        severity = Severity.INFO if check is None or check.first is None else Severity.WARNING
        contacts = "" if check is None else clearance_text(check)
        if preview.violations:
            return StatusText(f"{of}{violations_text(preview, units)}.{contacts}", Severity.ERROR)
        verdict = f", within all limits{above}" if severity is Severity.INFO else ""
        return StatusText(f"{of}{seconds(preview.duration)} s{verdict}.{contacts}", severity)
    if model.is_ready and model.is_planned:
        return StatusText(COMPUTING)
    return StatusText(ONE if model.draft.waypoints and not model.is_planned else EMPTY)


def violations_text(preview: Preview, units: Units) -> str:
    """Name the limits that a trajectory violates, and the link that is below the floor."""
    return ". ".join(violation_text(preview.robot, found, units) for found in preview.violations)


def violation_text(robot: engine.Robot, found: engine.Violation, units: Units) -> str:
    """Name a violated limit with its time, value and limit."""
    when = f"at t = {number(found.t, 3)} s"
    if found.quantity == "floor":
        return f"{found.link} goes below the floor {when}, max. depth {number(1e3 * (found.limit - found.value), 0)} mm"
    slides = bool(robot.prismatic[found.joint])
    if found.quantity == "torque":
        factor, unit = 1.0, " N" if slides else " N·m"
    else:
        factor = units.factor(slides)
        unit = units.suffix(slides) if found.quantity == "position" else f" {units.symbol(slides)}/s"
    value, limit = (f"{significant(value * factor)}{unit}" for value in (found.value, found.limit))
    return f"{found.quantity} of {robot.joint_names[found.joint]} is {value} {when}, the limit is {limit}"


def clearance_text(check: ClearanceCheck) -> str:
    """Name the first contact of a trajectory and its remedy, or else the smallest clearance; begins with a space."""
    first = check.first
    if first is None:
        if not check.has_pairs:
            return ""
        distance, t, pair = check.smallest
        millimetres = number(1e3 * distance, 0 if distance >= 0.00995 else 1)
        return f" Smallest clearance {millimetres} mm ({'–'.join(pair)} at {number(t, 2)} s)."
    text = f" {contact_name(check)} at {number(first.time, 3)} s"
    if not check.preview.times.size:
        return f"{text}."
    before, after = check.waypoints or (0, 0)
    if check.waypoints is None:
        return f"{text}. Move a waypoint, or insert one before."
    if before == after:
        return f"{text}. Move waypoint {after + 1}."
    place = f"between waypoints {before + 1} and {after + 1}"
    return f"{text}, {place}. Move one of them, or select waypoint {before + 1} and add a free pose after it."


def contact_name(check: ClearanceCheck) -> str:
    """Name the pair of the first contact, such as "link6 hits table"; empty without contact."""
    return "" if check.first is None else " hits ".join(check.first.pair)


def refusal(preview: Preview, on_approach: engine.Violation | None, units: Units) -> str:
    """Explain why a trajectory was not run."""
    parts = [violations_text(preview, units)] if preview.violations else []
    if on_approach is not None:
        parts.insert(0, f"in the motion to the start, {violation_text(preview.robot, on_approach, units)}")
    return f"The trajectory was not run: {'. '.join(parts)}. Press Run again to run it anyway."


def run_tip(model: TrajectoryModel) -> str:
    """Describe the effect of Run."""
    tip = "Move the arm to the start, then follow the trajectory under the controller of the Control panel  (Ctrl+Return)"
    if not model.robot.has_dynamics:
        tip = f"Move the arm exactly as planned. {no_masses(model.robot.name)}"
    return f"The trajectory violates a limit or the floor. {tip}" if model.is_refused else tip
