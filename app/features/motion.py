"""Trajectories: made in the dock and from the arm's pose, looked at in the scene, checked in the background, and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer

import engine
from app.files import no_masses
from app.motion_draft import Draft, MotionDraft
from app.motion_edits import MotionEdits
from app.motion_form import EMPTY, ONE, MotionForm
from app.motion_look import MotionLook
from app.motion_planner import MotionPlanner
from app.motion_preview import Preview
from app.motion_run import SIMULATED, MotionRun
from app.panels.trajectory import TrajectoryPanel
from app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from app.main_window import MainWindow

NOTHING = (np.zeros((0, 3)), np.zeros((0, 3)))


class MotionFeature(QObject):
    """Every robot keeps its draft while the window is open. What is drawn in the scene is there while the dock can be seen."""

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window, self.panel = window, TrajectoryPanel(window.preferences.units)
        self.panels = {"trajectory": self.panel}
        self.draft = MotionDraft(window.document.undo_stack, self)
        self.edits = MotionEdits(window, self.draft)
        self.look, self.run = MotionLook(window), MotionRun(window)
        self.planner, self.form = MotionPlanner(window), MotionForm(self.panel)
        self.preview: Preview | None = None
        self._ready = self._active = False
        self._drafts: dict[str, Draft] = {}
        self._robot_key = ""

    def connect(self) -> None:
        """Wire dock, draft, scene and simulation."""
        window, panel, edits = self._window, self.panel, self.edits
        self._control = window.features["control"]
        self._commands = {
            **edits.commands,
            "go": self._go,
            "run": self._run,
            "stop": self.run.stop,
            "look": lambda: self.look.run(not self.look.running),
        }
        panel.asked.connect(self._on_asked)
        panel.selected.connect(self._on_selected)
        panel.sought.connect(lambda fraction: self.preview and self.look.seek(fraction * self.preview.duration))
        panel.speed_chosen.connect(edits.set_speed)
        panel.repeat_chosen.connect(edits.set_repeat)
        panel.model.entered.connect(edits.set_cell)
        panel.model.refused.connect(lambda text: panel.show_status(text, 1))
        panel.fields.entered.connect(edits.set_value)
        edits.told.connect(panel.show_status)
        self.draft.changed.connect(self._on_draft)
        self.planner.planned.connect(self._on_planned)
        self.planner.failed.connect(self._on_failed)
        self.run.connect()
        self.run.changed.connect(self._on_run)
        self.run.moved.connect(lambda: self._active and panel.plots.show_cursor(self.run.time))
        self.look.moved.connect(self._on_look)
        window.document.robot_changed.connect(self._on_robot)
        window.preferences.units_changed.connect(self._on_units)
        window.themed.connect(lambda _: self.look.draw())
        window.ready.connect(self._on_ready)
        window.clock.reading.connect(self._on_reading)
        self._dock = window.docks["trajectory"]
        self._dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self, self._on_visible))
        for name, asked in (("add_waypoint", "add_joints"), ("run_trajectory", "run")):
            window.actions_.on(name, lambda asked=asked: self._on_asked(asked))
        self._robot_key = _key(window.document.robot)
        self._allow()
        self._on_draft()

    def shut_down(self) -> None:
        """End the background computation and the look ahead."""
        self.look.run(False)
        self.planner.stop()

    # -- robot, dock, preferences ----------------------------------------------------------------------------------------------

    def _on_ready(self) -> None:
        self._ready = True
        self._on_draft()
        self._on_visible()

    def _on_robot(self, robot) -> None:
        self.planner.forget()
        self._drafts[self._robot_key] = self.draft.now
        self._robot_key, self.edits.selected = _key(robot), -1
        self.draft.set(self._drafts.get(self._robot_key, Draft()))

    def _on_visible(self) -> None:
        """The dock was opened, closed, or went behind another tab."""
        active = self._dock.isVisible() and on_screen(self.panel)
        if active != self._active:
            self._active = active
            self.look.run(self.look.running and active)
            self._show_scene()

    def _on_units(self, units) -> None:
        self.panel.set_units(units)
        self._show_fields()

    # -- what a person asks ----------------------------------------------------------------------------------------------------

    def _on_asked(self, name: str) -> None:
        if self._ready and (name not in self.panel.buttons or self.panel.buttons[name].isEnabled()):
            self._commands[name]()

    def _go(self) -> None:
        q = self._place_of(self.edits.selected)
        if q is not None:
            self._window.recordings.close_replay()
            self._window.simulation.pause()
            self._window.document.edit(q, text=f"waypoint {self.edits.selected + 1}")

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

    def _run(self) -> None:
        self.look.run(False)
        self.run.start(self.preview, self._control)

    # -- the draft -------------------------------------------------------------------------------------------------------------

    def _on_draft(self) -> None:
        """Another draft: show it, and compute its motion."""
        draft, robot = self.draft.now, self._window.document.robot
        self.edits.selected = min(self.edits.selected, len(draft.waypoints) - 1)
        self.preview = None
        self.panel.show_draft(draft.speed, draft.repeat)
        self._show_rows()
        self._show_fields()
        self.look.take(None)
        still = len(draft.waypoints) == 1 and not draft.waypoints[0].dwell
        if not self._ready or not draft.waypoints or still:
            self.planner.forget()
            self.panel.show_status(ONE if still else EMPTY)
            self._show_motion()
            return
        self._allow()
        self.panel.show_status("Computing…")
        self.planner.ask(robot, draft.plan(robot.name))

    def _on_planned(self, found: Preview, latest: bool) -> None:
        if not latest:
            return
        self.preview = found
        self.look.take(found)
        self._show_rows()
        self.form.tell_limits(self.preview)
        self._show_motion()

    def _on_failed(self, text: str) -> None:
        self.panel.show_status(text, 2)
        self._show_motion()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def _show_motion(self) -> None:
        """Everything that follows from the preview."""
        self.panel.plots.show_preview(self.preview)
        self._allow()
        self._show_scene()

    def _show_rows(self) -> None:
        self.form.show_rows(self.draft.now, self.preview, self.edits.selected)

    def _show_fields(self) -> None:
        self.form.show_fields(self._window.document.robot, self.draft.now, self.edits.selected)

    def _allow(self) -> None:
        count, robot = len(self.draft.now.waypoints), self._window.document.robot
        self.form.allow(self._ready, count, self.edits.selected, self.preview is not None, self.run.motion is not None)
        why = "" if robot.has_dynamics else f"The arm moves exactly as planned. {no_masses(robot.name)}"
        self.panel.explain_run(why or "From the beginning, simulated under the controller of the Control panel  (Ctrl+Return)")

    def _show_scene(self) -> None:
        """Path, handles and ghost, where the dock can be seen."""
        motion = self.preview if self._active else None
        path = NOTHING if motion is None else (motion.path, motion.places)
        self._window.scene.show_path(*path, self.edits.selected)
        self.look.visible = self._active and self.run.motion is None
        self.look.draw()

    def _on_selected(self, row: int) -> None:
        if row < 0 or row == self.edits.selected:
            return
        self.edits.selected = row
        self._show_fields()
        self._allow()
        if self.preview is not None and row < len(self.preview.times):
            self.look.seek(float(self.preview.times[row]))
        self._show_scene()

    # -- look ahead and run ----------------------------------------------------------------------------------------------------

    def _on_look(self) -> None:
        self.panel.show_time(self.look.fraction, self.look.running)
        if self.run.motion is None:
            self.panel.plots.show_cursor(self.look.t if self.preview is not None else None)

    def _on_run(self) -> None:
        self._allow()
        if self.run.motion is None and self.preview is not None:
            self.form.tell_limits(self.preview)
        self._show_scene()

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
