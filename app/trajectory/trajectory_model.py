"""`TrajectoryModel`: the trajectory that is edited in the window, its plan, and all edits as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from armature import engine
from armature.app.state.evented import Model, function_of
from armature.app.state.severity import Severity
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.clearance_check import ClearanceCheck
from armature.app.trajectory.trajectory_draft import Draft, arc_point
from armature.app.trajectory.trajectory_preview import Preview
from armature.engine.control.own_law.law_parameters import Parameter

if TYPE_CHECKING:
    from armature.engine.contact.contact_model import ContactModel

NO_PATH = np.zeros((0, 3))
ALWAYS = "load", "function", "example", "more"


class RunMode(Enum):
    """State of the run: none, motion to the start, simulated, or shown as planned for an arm without masses."""

    NONE = auto()
    APPROACH = auto()
    SIMULATED = auto()
    SHOWN = auto()


class StatusText(NamedTuple):
    """Text about the trajectory."""

    text: str
    severity: Severity = Severity.INFO


class RetainedDraft(NamedTuple):
    """Draft of a robot, and the version of it that is in a file or was discarded."""

    robot: engine.Robot
    draft: Draft
    saved: Draft | None

    @property
    def is_unsaved(self) -> bool:
        """True if there are waypoints that are in no file."""
        return bool(self.draft.waypoints) and self.draft is not self.saved


@dataclass(frozen=True, eq=False)
class PlanResult:
    """Result of planning a draft for a robot: a preview, or `why` it failed."""

    robot: engine.Robot
    draft: Draft
    preview: Preview | None
    why: str = ""


@dataclass(frozen=True, eq=False)
class TrajectoryFunction:
    """Trajectory that a Python file defines, with its parameters and their values."""

    name: str
    preview: Preview
    parameters: Mapping[str, Parameter]
    values: Mapping[str, float]


@dataclass(frozen=True)
class WaypointRow:
    """One row of the table; `needed` is the duration of the motion in s where no `duration` is given, None while unknown."""

    place: str
    kind: str
    duration: float | None
    needed: float | None
    dwell: float


def _put_at_once(put: Callable[[Draft], None], old: Draft, new: Draft, text: str, gesture: int | None) -> None:
    put(new)


@dataclass(eq=False)
class TrajectoryModel(Model):
    """Draft, selection and plan of the open robot; the drafts of other robots are retained.

    `record(put, old, new, text, gesture)` makes each edit a step of undo; one gesture is one step.
    """

    robot: engine.Robot
    record: Callable[[Callable[[Draft], None], Draft, Draft, str, int | None], None] = _put_at_once
    draft: Draft = field(default_factory=Draft)
    saved: Draft | None = None
    selected: int = -1  # row of a waypoint, −1 for none
    plan: PlanResult | None = None  # of this draft, or of an earlier one until this one is planned
    function: TrajectoryFunction | None = None  # while there are no waypoints
    contacts: ContactModel | None = None  # of the robot in its cell, None while unknown
    check: ClearanceCheck | None = None  # newest, also while another one is computed
    message: StatusText | None = None
    drag_error: str = ""  # why the dragged waypoint cannot follow the pointer
    is_dragged: bool = False
    refused: Preview | None = None  # was not run because it violates a limit; is run if requested again
    followed: Preview | None = None  # trajectory of the run
    followed_draft: Draft | None = None  # at the start of the run
    mode: RunMode = RunMode.NONE
    run_note: str = ""  # why the last run ended, until the draft changes
    is_ready: bool = False  # all kernels are compiled
    is_shown: bool = False  # the dock is visible
    _others: dict[str, RetainedDraft] = field(default_factory=dict)

    # -- values that follow from the fields ----------------------------------------------------------------------------------

    @function_of("draft")
    def is_planned(self) -> bool:
        """True if the waypoints define a motion: two waypoints, or one with a dwell."""
        points = self.draft.waypoints
        return len(points) > 1 or any(point.dwell for point in points)

    @function_of("robot", "draft", "plan", "function")
    def preview(self) -> Preview | None:
        """Planned trajectory of this draft or of the function; None while unknown."""
        if not self.draft.waypoints:
            return None if self.function is None else self.function.preview
        plan = self.plan
        return plan.preview if plan is not None and plan.draft is self.draft and plan.robot is self.robot else None

    @function_of("preview", "contacts", "check")
    def clearance(self) -> ClearanceCheck | None:
        """Contacts of this trajectory in this cell; None while unknown."""
        check = self.check
        is_current = check is not None and check.preview is self.preview and check.contacts is self.contacts
        return check if is_current else None

    @function_of("robot", "draft", "plan")
    def plan_error(self) -> str:
        """Reason why this draft cannot be planned, empty if it can."""
        plan = self.plan
        return plan.why if plan is not None and plan.draft is self.draft and plan.robot is self.robot else ""

    @function_of("robot", "is_planned", "plan", "preview")
    def path(self) -> np.ndarray:
        """Path of the tool `(N, 3)`, m: of this draft, or of the last one until this one is planned."""
        plan, found = self.plan, self.preview
        if found is None and self.is_planned and plan is not None and plan.robot is self.robot:
            found = plan.preview
        return NO_PATH if found is None else found.path

    @function_of("draft", "preview")
    def rows(self) -> list[WaypointRow]:
        """Rows of the table of waypoints."""
        points, preview, rows = self.draft.waypoints, self.preview, []
        times = preview.times if preview is not None and len(preview.times) == len(points) else None
        for k, point in enumerate(points):
            dwell = points[k - 1].dwell if k else 0.0
            needed = float(times[k] - times[k - 1] - dwell) if k and times is not None else None
            rows.append(WaypointRow(waypoint_values.place_words(point), point.kind, point.duration, needed, point.dwell))
        return rows

    @function_of("draft", "selected")
    def waypoint(self) -> engine.Waypoint | None:
        """Selected waypoint."""
        return self.draft.waypoints[self.selected] if self.selected >= 0 else None

    @function_of("draft", "followed", "followed_draft")
    def is_edited(self) -> bool:
        """True if the arm follows a trajectory of an earlier draft."""
        return self.followed is not None and self.draft is not self.followed_draft

    @function_of("preview", "refused")
    def is_refused(self) -> bool:
        """True if this trajectory violates a limit and was not run when it was requested."""
        return self.refused is not None and self.refused is self.preview

    @function_of("is_ready", "draft", "selected", "preview", "clearance", "followed")
    def possible_commands(self) -> frozenset[str]:
        """Names of the commands that can be called now."""
        count, is_chosen = len(self.draft.waypoints), self.is_ready and self.selected >= 0
        rules = {
            **dict.fromkeys(ALWAYS, True),
            **dict.fromkeys(("add_joints", "add_tool"), self.is_ready),
            **dict.fromkeys(("save", "reverse", "clear"), count > 0),
            **dict.fromkeys(("go", "replace", "delete"), is_chosen),
            "up": is_chosen and self.selected > 0,
            "down": is_chosen and self.selected < count - 1,
            **dict.fromkeys(("run", "look"), self.preview is not None),
            "contact": self.clearance is not None and self.clearance.first is not None,
            "stop": self.followed is not None,
        }
        return frozenset(name for name, on in rules.items() if on)

    @property
    def unsaved(self) -> list[RetainedDraft]:
        """Drafts that are in no file, that of the open robot first."""
        drafts = RetainedDraft(self.robot, self.draft, self.saved), *self._others.values()
        return [one for one in drafts if one.is_unsaved]

    def place(self, q: np.ndarray) -> np.ndarray | None:
        """Joint positions `(n,)` at the selected waypoint, searched from `q` `(n,)`; None, with a message, if it fails."""
        preview, k = self.preview, self.selected
        if preview is not None and len(preview.times) == len(self.draft.waypoints):
            return preview.q_at(preview.times[k])
        try:
            return self.draft.waypoints[k].joints(self.robot, q)
        except engine.EngineError as error:
            self.report(f"Waypoint {k + 1}: {error}")
            return None

    # -- robot, plan and messages --------------------------------------------------------------------------------------------

    def change_robot(self, robot: engine.Robot, is_same_arm: bool) -> None:
        """Retain the draft and continue with that of another robot; the same arm with other parameters keeps it."""
        self.function, self.selected = None, -1
        if not is_same_arm:
            self._others[_key(self.robot)] = RetainedDraft(self.robot, self.draft, self.saved)
            _, draft, self.saved = self._others.pop(_key(robot), RetainedDraft(robot, Draft(), None))
            self.draft = draft
        self.robot = robot
        self.put(self.draft)

    def put(self, draft: Draft) -> None:
        """Replace the draft without a step of undo."""
        self.draft, self.message = draft, None
        self.selected = min(self.selected, len(draft.waypoints) - 1)
        if self.followed is None:
            self.run_note = ""

    def mark_saved(self, draft: Draft) -> None:
        """Note that a draft, of whichever robot, is in a file or not needed."""
        if draft is self.draft:
            self.saved = draft
        self._others = {key: one._replace(saved=draft) if one.draft is draft else one for key, one in self._others.items()}

    def discard_all(self) -> None:
        """Discard the drafts of all robots."""
        self._others = {}
        self.put(Draft())

    def take_plan(self, plan: PlanResult) -> None:
        """Store the plan of this draft, or the path of an earlier draft that is dragged on."""
        if plan.preview is not None or plan.draft is self.draft:
            self.plan = plan
            self.message = None

    def take_function(self, function: TrajectoryFunction) -> None:
        """Store the trajectory of a Python file."""
        self.function, self.message = function, None

    def begin_run(self, preview: Preview) -> None:
        """Note that the arm follows a trajectory from now on."""
        self.followed, self.followed_draft, self.run_note = preview, self.draft, ""
        if preview is self.preview:
            self.message = None  # that it was refused

    def end_run(self) -> None:
        """Note that the arm follows no trajectory."""
        self.mode, self.followed = RunMode.NONE, None

    def report(self, text: str, severity: Severity = Severity.ERROR) -> None:
        """Show a message until something changes."""
        self.message = StatusText(text, severity)

    # -- edits, each a step of undo ------------------------------------------------------------------------------------------

    def edit(self, draft: Draft, text: str, gesture: int | None = None) -> None:
        """Replace the draft; edits of the same gesture become one step of undo."""
        self.record(self.put, self.draft, draft, text, gesture)

    def change(self, text: str, **fields: Any) -> None:
        """Change speed or repeat."""
        self.edit(replace(self.draft, **fields), text)

    def set_tool_limit(self, name: str, value: float, gesture: int) -> None:
        """Limit the tool, in m or rad per s, s² or s³."""
        limits = replace(self.draft.tool_limits, **{name: value})
        self.edit(replace(self.draft, tool_limits=limits), "limits of the tool", gesture)

    def reset_tool_limits(self) -> None:
        """Use the tool limits of the robot's file, or the default values."""
        self.change("limits of the tool", tool_limits=engine.ToolLimits())

    def set_waypoint(self, row: int, **fields: Any) -> None:
        """Change fields of a waypoint; an arc receives a point to pass through. An invalid value becomes a message."""
        point = self.draft.waypoints[row]
        kind = fields.get("kind", point.kind)
        try:
            if (kind == "arc") != (point.kind == "arc"):
                fields["through"] = arc_point(self.robot, self.draft, row) if kind == "arc" else None
            new = replace(point, **fields)
        except engine.EngineError as error:
            self.report(f"Waypoint {row + 1}: {error}")
            return
        self.edit(self.draft.with_waypoint(row, new), f"waypoint {row + 1}")

    def put_waypoint(self, waypoint: engine.Waypoint, gesture: int | None = None, of: str = "") -> None:
        """Replace the selected waypoint."""
        k = self.selected
        self.edit(self.draft.with_waypoint(k, waypoint), f"{of}waypoint {k + 1}", gesture)

    def set_value(self, i: int, value: float, gesture: int) -> None:
        """Change number i of the selected waypoint, in rad or m."""
        if self.waypoint is not None:
            self.put_waypoint(waypoint_values.with_value(self.robot, self.waypoint, i, value), gesture)

    def set_action(self, action: str) -> None:
        """Pass, grasp or release at the selected waypoint."""
        if self.waypoint is not None:
            self.put_waypoint(waypoint_values.with_action(self.waypoint, action))

    def set_load(self, i: int, value: float, gesture: int) -> None:
        """Change mass in kg, i = 0, or centre in m, 1…3, of the payload that is grasped at the selected waypoint."""
        if self.waypoint is not None and self.waypoint.grasp is not None:
            self.put_waypoint(waypoint_values.with_load(self.waypoint, i, value), gesture, "load of ")

    def add(self, waypoint: engine.Waypoint) -> None:
        """Insert a waypoint after the selected one, with the motion type of the last one."""
        points = self.draft.waypoints
        kind = points[-1].kind if len(points) > 1 and points[-1].kind != "arc" else "quintic"
        place = self.selected + 1 if self.selected >= 0 else len(points)
        self.edit(self.draft.inserted(place, replace(waypoint, kind=kind)), "waypoint")
        self.selected = place

    def replace(self, q: np.ndarray) -> None:
        """Move the selected waypoint to joint positions `(n,)`."""
        if self.waypoint is not None:
            self.put_waypoint(waypoint_values.at_pose(self.robot, self.waypoint, q))

    def move(self, by: int) -> None:
        """Exchange the selected waypoint with a neighbour."""
        k = self.selected
        self.edit(self.draft.moved(k, by), "order of waypoints")
        self.selected = k + by

    def delete(self) -> None:
        """Remove the selected waypoint."""
        self.edit(self.draft.without(self.selected), f"delete waypoint {self.selected + 1}")

    def take(self, draft: Draft, text: str) -> None:
        """Continue with a draft that comes from a file."""
        self.selected = -1
        self.edit(draft, text)
        self.saved = draft


def _key(robot: engine.Robot) -> str:
    """Identify robots that share a draft."""
    return f"{robot.name} {robot.source} {robot.joint_names} {robot.joint_types}"
