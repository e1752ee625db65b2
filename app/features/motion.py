"""Trajectories: made in the dock and from the arm's pose, looked at in the scene, checked in the background, and run."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

import engine
from app import waypoint_values
from app.files import no_masses
from app.jobs import JobRunner
from app.motion_draft import Draft, MotionDraft, arc_point, draft_of, example
from app.motion_preview import Preview, preview
from app.motion_run import SIMULATED, MotionRun
from app.panels.trajectory import TrajectoryPanel
from app.widgets.on_screen import on_screen
from app.widgets.waypoint_table import STAY, TIME, WAY, WaypointRow

if TYPE_CHECKING:
    from app.main_window import MainWindow

NOTHING = (np.zeros((0, 3)), np.zeros((0, 3)))
FILTER = "Trajectories (*.toml);;All files (*)"


class MotionFeature(QObject):
    """Every robot keeps its draft while the window is open. What is drawn in the scene is there while the dock can be seen."""

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window, self.panel = window, TrajectoryPanel(window.preferences.units)
        self.panels = {"trajectory": self.panel}
        self.draft = MotionDraft(window.document.undo_stack, self)
        self.run = MotionRun(window)
        self.runner = JobRunner("trajectory", window)
        self.preview: Preview | None = None
        self.selected = -1
        self._t, self._looking, self._last = 0.0, False, 0.0
        self._ready = self._active = False
        self._drafts: dict[str, Draft] = {}
        self._robot_key = ""

    def connect(self) -> None:
        """Wire dock, draft, scene and simulation."""
        window, panel = self._window, self.panel
        self._control = window.features["control"]
        panel.asked.connect(self._on_asked)
        panel.selected.connect(self._on_selected)
        panel.sought.connect(self._seek)
        panel.speed_chosen.connect(lambda speed: self._edit(replace(self.draft.now, speed=speed), "speed"))
        panel.repeat_chosen.connect(lambda repeat: self._edit(replace(self.draft.now, repeat=repeat), "repeat"))
        panel.model.entered.connect(self._on_cell)
        panel.model.refused.connect(lambda text: panel.show_status(text, 1))
        panel.fields.entered.connect(self._on_value)
        self.draft.changed.connect(self._on_draft)
        self.runner.finished.connect(self._on_preview)
        self.runner.failed.connect(self._on_failed)
        self.run.connect()
        self.run.changed.connect(self._on_run)
        self.run.moved.connect(lambda: self._active and panel.plots.show_cursor(self.run.time))
        window.document.robot_changed.connect(self._on_robot)
        window.preferences.units_changed.connect(self._on_units)
        window.themed.connect(lambda _: self._show_ghost())
        window.ready.connect(self._on_ready)
        window.clock.reading.connect(self._on_reading)
        self._dock = window.docks["trajectory"]
        self._dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self, self._look))
        for name, asked in (("add_waypoint", "add_joints"), ("run_trajectory", "run")):
            window.actions_.on(name, lambda asked=asked: self._on_asked(asked))
        self._robot_key = _key(window.document.robot)
        self._allow()
        self._on_draft()

    def shut_down(self) -> None:
        """End the background computation and the look ahead."""
        self._set_looking(False)
        self.runner.stop()

    # -- robot, dock, preferences ----------------------------------------------------------------------------------------------

    def _on_ready(self) -> None:
        self._ready = True
        self._on_draft()
        self._look()

    def _on_robot(self, robot) -> None:
        self._drafts[self._robot_key] = self.draft.now
        self._robot_key, self.selected = _key(robot), -1
        self.draft.set(self._drafts.get(self._robot_key, Draft()))

    def _look(self) -> None:
        """The dock was opened, closed, or went behind another tab."""
        active = self._dock.isVisible() and on_screen(self.panel)
        if active != self._active:
            self._active = active
            self._set_looking(self._looking and active)
            self._show_scene()

    def _on_units(self, units) -> None:
        self.panel.set_units(units)
        self._show_fields()

    # -- what a person asks ----------------------------------------------------------------------------------------------------

    def _on_asked(self, name: str) -> None:
        if self._ready and (name not in self.panel.buttons or self.panel.buttons[name].isEnabled()):
            getattr(self, f"_do_{name}")()

    def _do_add_joints(self) -> None:
        self._insert(engine.Waypoint(q=self._window.document.q, kind=self._usual_kind()))

    def _do_add_tool(self) -> None:
        document = self._window.document
        self._insert(engine.Waypoint(X_WT=engine.frame_pose(document.robot, document.q), kind=self._usual_kind()))

    def _usual_kind(self) -> str:
        points = self.draft.now.waypoints
        return points[-1].kind if len(points) > 1 and points[-1].kind != "arc" else "quintic"

    def _insert(self, waypoint) -> None:
        """After the selected waypoint."""
        count = len(self.draft.now.waypoints)
        place = self.selected + 1 if 0 <= self.selected < count else count
        self.selected = place
        self._edit(self.draft.now.inserted(place, waypoint), "waypoint")

    def _do_go(self) -> None:
        q = self._place_of(self.selected)
        if q is not None:
            self._window.recordings.close_replay()
            self._window.simulation.pause()
            self._window.document.edit(q, text=f"waypoint {self.selected + 1}")

    def _place_of(self, k: int) -> np.ndarray | None:
        """q `(n,)` of a waypoint, or None with a word about why it cannot be taken."""
        motion, points = self.preview, self.draft.now.waypoints
        if motion is not None and len(motion.times) == len(points):
            return motion.q_at(motion.times[k])
        document = self._window.document
        try:
            return points[k].joints(document.robot, document.q)
        except engine.EngineError as error:
            self.panel.show_status(f"Waypoint {k + 1}: {error}", 2)
            return None

    def _do_replace(self) -> None:
        document, k = self._window.document, self.selected
        waypoint = waypoint_values.at_pose(document.robot, self.draft.now.waypoints[k], document.q)
        self._edit(self.draft.now.with_waypoint(k, waypoint), f"waypoint {k + 1}")

    def _do_up(self) -> None:
        self._move(-1)

    def _do_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        k = self.selected
        self.selected = k + by
        self._edit(self.draft.now.moved(k, by), "order of waypoints")

    def _do_delete(self) -> None:
        k = self.selected
        self.selected = min(k, len(self.draft.now.waypoints) - 2)
        self._edit(self.draft.now.without(k), f"delete waypoint {k + 1}")

    def _do_clear(self) -> None:
        self.selected = -1
        self._edit(Draft(), "remove all waypoints")

    def _do_reverse(self) -> None:
        self._edit(self.draft.now.reversed(), "reverse")

    def _do_example(self) -> None:
        self._take(lambda: example(self._window.document.robot), "pick and place")

    def _do_load(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, "Load trajectory", str(Path.home()), FILTER)
        if path:
            self.load(path)

    def load(self, path: str) -> None:
        """Take the trajectory of a file; one that cannot be read leaves the present one as it is."""
        self._take(lambda: draft_of(engine.load_plan(path, self._window.document.robot)), "load trajectory")

    def _take(self, make, text: str) -> None:
        try:
            draft = make()
        except engine.EngineError as error:
            self._window.banner.show_message("error", str(error))
            return
        self.selected = -1
        self._edit(draft, text)

    def _do_save(self) -> None:
        if not self.draft.now.waypoints:
            self.panel.show_status("There is nothing to save yet.", 1)
            return
        start = str(Path.home() / f"{self.draft.now.name}.toml")
        path, _ = QFileDialog.getSaveFileName(self._window, "Save trajectory", start, FILTER)
        if path:
            self.save(path if Path(path).suffix else f"{path}.toml")

    def save(self, path: str) -> None:
        """Write the trajectory as a file."""
        try:
            engine.save_plan(self.draft.now.plan(self._window.document.robot.name), path)
        except engine.EngineError as error:
            self._window.banner.show_message("error", str(error))
            return
        self._window.banner.show_message("info", f"Saved {path}")

    def _do_run(self) -> None:
        self._set_looking(False)
        self._window.scene.clear_ghosts(self)
        self.run.start(self.preview, self._control)

    def _do_stop(self) -> None:
        self.run.stop()

    def _do_look(self) -> None:
        self._set_looking(not self._looking)

    # -- the draft -------------------------------------------------------------------------------------------------------------

    def _edit(self, draft: Draft, text: str, gesture: int | None = None) -> None:
        self.draft.edit(draft, text, gesture)

    def _on_cell(self, row: int, column: int, value) -> None:
        draft, point = self.draft.now, self.draft.now.waypoints[row]
        field = {WAY: "kind", TIME: "duration", STAY: "dwell"}[column]
        new = {field: value}
        try:
            if column == WAY and (value == "arc") != (point.kind == "arc"):
                new["through"] = arc_point(self._window.document.robot, draft, row) if value == "arc" else None
            self._edit(draft.with_waypoint(row, replace(point, **new)), f"waypoint {row + 1}")
        except engine.EngineError as error:
            self.panel.show_status(f"Waypoint {row + 1}: {error}", 2)

    def _on_value(self, i: int, value: float, gesture: int) -> None:
        k, draft = self.selected, self.draft.now
        changed = waypoint_values.with_value(self._window.document.robot, draft.waypoints[k], i, value)
        self._edit(draft.with_waypoint(k, changed), f"waypoint {k + 1}", gesture)

    def _on_draft(self) -> None:
        """Another draft: show it, and compute its motion."""
        draft, robot = self.draft.now, self._window.document.robot
        self.selected = min(self.selected, len(draft.waypoints) - 1)
        self.preview = None
        self.panel.show_draft(draft.speed, draft.repeat)
        self._show_rows()
        self._show_fields()
        self.runner.cancel()
        self._set_looking(False)
        still = len(draft.waypoints) == 1 and not draft.waypoints[0].dwell
        if not self._ready or not draft.waypoints or still:
            more = "Add a second waypoint: pose the arm elsewhere and press “+ Joints”."
            first = "Pose the arm and add it as a waypoint (Insert), or load the example under “More”."
            self.panel.show_status(more if still else first)
            self._show_motion()
            return
        self._allow()
        self.panel.show_status("Computing…")
        plan = draft.plan(robot.name)
        self.runner.start(lambda job: preview(robot, plan, job))

    def _on_preview(self, found: Preview) -> None:
        self.preview = found
        self._t = min(self._t, found.duration)
        self._show_rows()
        self._tell_limits()
        self._show_motion()

    def _on_failed(self, text: str) -> None:
        self.panel.show_status(text, 2)
        self._show_motion()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def _tell_limits(self) -> None:
        motion = self.preview
        if motion.violation:
            self.panel.show_status(motion.violation, 2)
        else:
            self.panel.show_status(f"{motion.duration:.3g} s, within all limits.")

    def _show_motion(self) -> None:
        """Everything that follows from the preview."""
        self.panel.plots.show_preview(self.preview)
        self._allow()
        self._show_scene()

    def _show_rows(self) -> None:
        points, motion = self.draft.now.waypoints, self.preview
        times = motion.times if motion is not None and len(motion.times) == len(points) else None
        rows = []
        for k, point in enumerate(points):
            stay = points[k - 1].dwell if k else 0.0
            needed = float(times[k] - times[k - 1] - stay) if k and times is not None else None
            rows.append(WaypointRow(waypoint_values.place_words(point), point.kind, point.duration, needed, point.dwell))
        self.panel.model.set_rows(rows)
        self.panel.table.select(self.selected)

    def _show_fields(self) -> None:
        robot, points = self._window.document.robot, self.draft.now.waypoints
        if not 0 <= self.selected < len(points):
            self.panel.fields.show_values((), np.zeros(0))
            return
        point = points[self.selected]
        self.panel.fields.show_values(waypoint_values.names(robot, point), waypoint_values.values(robot, point))

    def _allow(self) -> None:
        count, k = len(self.draft.now.waypoints), self.selected
        chosen = self._ready and 0 <= k < count
        self.panel.allow(
            add_joints=self._ready,
            add_tool=self._ready,
            **dict.fromkeys(("go", "replace", "delete"), chosen),
            up=chosen and k > 0,
            down=chosen and k < count - 1,
            run=self.preview is not None,
            look=self.preview is not None,
            stop=self.run.motion is not None,
        )
        robot = self._window.document.robot
        why = "" if robot.has_dynamics else f"The arm moves exactly as planned. {no_masses(robot.name)}"
        self.panel.explain_run(why or "From the beginning, simulated under the controller of the Control panel  (Ctrl+Return)")

    def _show_scene(self) -> None:
        """Path, handles and ghost, where the dock can be seen."""
        motion = self.preview if self._active else None
        path = NOTHING if motion is None else (motion.path, motion.places)
        self._window.scene.show_path(*path, self.selected)
        self._show_ghost()

    def _show_ghost(self) -> None:
        motion, scene = self.preview, self._window.scene
        shown = self._active and motion is not None and self.run.motion is None and (self._t > 0 or self._looking)
        if shown:
            poses = engine.link_poses(motion.robot, motion.q_at(self._t))
            scene.show_ghosts(self, poses[None], (self._window.tokens.accent,))
        else:
            scene.clear_ghosts(self)
        fraction = self._t / motion.duration if motion is not None else 0.0
        self.panel.show_time(fraction, self._looking)
        if self.run.motion is None:
            self.panel.plots.show_cursor(self._t if motion is not None else None)

    def _on_selected(self, row: int) -> None:
        if row < 0 or row == self.selected:
            return
        self.selected = row
        self._show_fields()
        self._allow()
        if self.preview is not None and row < len(self.preview.times):
            self._t = float(self.preview.times[row])
        self._show_scene()

    def _seek(self, fraction: float) -> None:
        if self.preview is not None:
            self._t = fraction * self.preview.duration
            self._show_ghost()

    def _set_looking(self, on: bool) -> None:
        """Let the ghost run, or stand."""
        if on == self._looking:
            return
        self._looking, self._last, clock = on, time.monotonic(), self._window.clock
        (clock.tick.connect if on else clock.tick.disconnect)(self._on_tick)
        if on and self.preview is not None and self._t >= self.preview.duration:
            self._t = 0.0
        self._show_ghost()

    def _on_tick(self) -> None:
        now = time.monotonic()
        self._t += now - self._last
        self._last = now
        if self._t >= self.preview.duration:
            loops = self.preview.trajectory.loops
            self._t = self._t % self.preview.duration if loops else self.preview.duration
            if not loops:
                self._set_looking(False)
                return
        self._show_ghost()

    # -- the run ---------------------------------------------------------------------------------------------------------------

    def _on_run(self) -> None:
        self._allow()
        if self.run.motion is None and self.preview is not None:
            self._tell_limits()
        self._show_ghost()

    def _on_reading(self) -> None:
        run = self.run
        if not self._active or run.motion is None:
            return
        what = f"{run.time:.2f} of {run.motion.duration:.2f} s"
        if run.mode == SIMULATED:
            arrived = run.t >= run.motion.duration and not run.motion.trajectory.loops
            off = "rad" if not run.motion.robot.prismatic.any() else "rad or m"
            what = f"{'Arrived' if arrived else what}, the joint farthest off by {run.error:.2g} {off}."
        self.panel.show_status(run.remark + what)


def _key(robot) -> str:
    """Tells robots apart for which a draft is kept."""
    return f"{robot.name} {robot.source}"
