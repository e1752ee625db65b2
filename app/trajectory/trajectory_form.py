"""`TrajectoryForm`: a draft and what was found out about it, written into the trajectory dock."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from armature import engine
from armature.app.state.files import no_masses
from armature.app.state.preferences import Preferences
from armature.app.state.severity import Severity
from armature.app.state.units import number, seconds, significant
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_preview import Preview
from armature.app.trajectory.waypoint_table import WaypointRow

EMPTY = "Pose the arm and add it as a waypoint (Insert), or load the example under “More”."
ONE = "Add a second waypoint: pose the arm elsewhere and press “+ Joints”."


class TrajectoryForm:
    """Table, fields, buttons and the sentence about the limits."""

    def __init__(self, panel: TrajectoryPanel, preferences: Preferences):
        self._panel, self._preferences = panel, preferences

    def show_rows(self, draft: Draft, preview: Preview | None, selected: int) -> None:
        """The waypoints, with the times they need where these are known."""
        points = draft.waypoints
        times = preview.times if preview is not None and len(preview.times) == len(points) else None
        rows = []
        for k, point in enumerate(points):
            stay = points[k - 1].dwell if k else 0.0
            needed = float(times[k] - times[k - 1] - stay) if k and times is not None else None
            rows.append(WaypointRow(waypoint_values.place_words(point), point.kind, point.duration, needed, point.dwell))
        self._panel.model.set_rows(rows)
        self._panel.table.select(selected)

    def show_fields(self, robot: engine.Robot, draft: Draft, selected: int) -> None:
        """The numbers of the selected waypoint."""
        if not 0 <= selected < len(draft.waypoints):
            self._panel.fields.show_values((), np.zeros(0))
            self._panel.load.show_waypoint(None)
            return
        point = draft.waypoints[selected]
        self._panel.fields.show_values(waypoint_values.names(robot, point), waypoint_values.values(robot, point))
        self._panel.load.show_waypoint(point)

    def show_tool_limits(self, robot: engine.Robot, draft: Draft) -> None:
        """The limits that lines and arcs keep to, and where they come from."""
        own, of_robot = (_said(limits) for limits in (draft.tool_limits, robot.tool_limits))
        values = asdict(draft.tool_limits.over(robot.tool_limits).whole())
        self._panel.tool_limits.show_limits(values, own, [name for name in of_robot if name not in own])

    def allow(self, ready: bool, count: int, selected: int, planned: bool, followed: bool) -> None:
        """The buttons that can be pressed: of `count` waypoints one may be selected, and a trajectory `planned` or `followed`."""
        chosen = ready and 0 <= selected < count
        self._panel.allow(
            **dict.fromkeys(("add_joints", "add_tool"), ready),
            **dict.fromkeys(("save", "reverse", "clear"), count > 0),
            **dict.fromkeys(("go", "replace", "delete"), chosen),
            up=chosen and selected > 0,
            down=chosen and selected < count - 1,
            **dict.fromkeys(("run", "look"), planned),
            stop=followed,
        )

    def explain_run(self, robot: engine.Robot, anyway: bool) -> None:
        """What Run will do, or once more, although a limit is broken."""
        tip = "Move the arm to the start, then follow the trajectory under the controller of the Control panel  (Ctrl+Return)"
        if not robot.has_dynamics:
            tip = f"Move the arm exactly as planned. {no_masses(robot.name)}"
        if anyway:
            self._panel.offer_run("Run anyway", f"The trajectory violates a limit or the floor. {tip}")
        else:
            self._panel.offer_run("Run", tip)

    def broken(self, preview: Preview) -> str:
        """The limits that the trajectory breaks, and the link that goes below the floor, in the window's units."""
        return ". ".join(self.words(preview.robot, found) for found in preview.violations)

    def words(self, robot: engine.Robot, found: engine.Violation) -> str:
        """One of them."""
        when = f"at t = {number(found.t, 3)} s"
        if found.quantity == "floor":
            return f"{found.link} goes below the floor {when}, max. depth {number(1e3 * (found.limit - found.value), 0)} mm"
        units = self._preferences.units
        slides = bool(robot.prismatic[found.joint])
        if found.quantity == "torque":
            factor, unit = 1.0, " N" if slides else " N·m"
        else:
            factor = units.factor(slides)
            unit = units.suffix(slides) if found.quantity == "position" else f" {units.symbol(slides)}/s"
        value, limit = (f"{significant(value * factor)}{unit}" for value in (found.value, found.limit))
        return f"{found.quantity} of {robot.joint_names[found.joint]} is {value} {when}, the limit is {limit}"

    def tell_limits(self, preview: Preview, file: str) -> None:
        """Show the duration in s, or the violated limit; `file` is the source file of a function, or empty."""
        of = f"From {file}: " if file else ""
        if preview.violations:
            self._panel.show_status(f"{of}{self.broken(preview)}.", Severity.ERROR)
        else:
            above = "" if preview.robot.floor is None else " and above the floor"
            self._panel.show_status(f"{of}{seconds(preview.duration)} s, within all limits{above}.")


def _said(limits: engine.ToolLimits) -> list[str]:
    """The names of those that are numbers."""
    return [name for name, value in asdict(limits).items() if value is not None]
