"""The lab “Dynamics that change”: an arm that becomes another one on the way, under laws that learn it and one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.feature import Feature
from armature.app.lab.panel import CHANGE, END, LAWS, MASS, LabPanel, changes
from armature.app.lab.tracking_log import TrackingLog
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import Dock
from armature.engine.files import shipped

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.simulation.snapshot import Snapshot

ROBOT, ROUND = "puma560", ("assets", "trajectories", "round_puma560.toml")
FIRST = CHANGE / 2  # s: the first look at a run is earlier, however fast time runs
CENTRE = (0.0, 0.0, 0.05)
"""As in assets/scenarios/changing_arm.toml, which is the same without a window."""


class LabFeature(Feature):
    """Runs the laws that were requested in turn; a hand on the arm, another robot or *Stop* ends it."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, trajectory: TrajectoryFeature, control: ControlFeature, own: OwnLawFeature):
        self._bench, self.dock, self._trajectory, self._control, self._own = bench, dock, trajectory, control, own
        self.panel = LabPanel()
        self._queue: list[str] = []
        self.now, self._what = "", "load"
        self._way: engine.Trajectory | None = None
        self._begun = self._changed = False
        self.logs: dict[str, TrackingLog] = {}

    def wire(self) -> None:
        """Wire dock, simulation and clock."""
        bench, panel = self._bench, self.panel
        panel.start_wanted.connect(self.start)
        panel.stop_wanted.connect(self.stop)
        bench.simulation.snapshot_taken.connect(self._on_snapshot)
        bench.clock.reading.connect(self._on_reading)
        bench.document.robot_changed.connect(lambda _: self._give_up())
        self._trajectory.run.changed.connect(self._on_run)

    def start(self, laws: tuple[str, ...], what: str) -> None:
        """These laws, one after the other, with what becomes of the arm."""
        self.stop()
        if self._bench.document.robot.name != ROBOT:
            self._bench.files.open_robot(ROBOT, lambda: self._begin(laws, what))
        else:
            self._begin(laws, what)

    def _begin(self, laws: tuple[str, ...], what: str) -> None:
        if what != self._what:
            self.logs, self._what = {}, what
        self._queue = list(laws)
        self._next()

    def stop(self) -> None:
        """No more, and the arm as its file says."""
        self._queue = []
        if self.now:
            self._finish("Stopped.")

    def _next(self) -> None:
        """Have the next law made ready."""
        self.now, self._begun, self._changed = self._queue.pop(0), False, False
        self._restore()
        self._control.panel.set_knowledge(payload=False, friction=False)
        self._bench.simulation.pause()
        if self._control.shown == self.now and self._control.follows:
            self._control.put_to_work()
        else:
            self._control.panel.law_chosen.emit(self.now)
        self.panel.show_state(f"Loading {LAWS[self.now]}…", True)

    def _restore(self) -> None:
        """The arm of the file, with empty hands."""
        self._bench.simulation.set_payload(None)
        self._bench.simulation.choose(wear=1.0)

    def _on_reading(self) -> None:
        if not self.now:
            return
        if not self._begun and self._control.shown == self.now and self._control.follows:
            self._begun = True
            robot = self._bench.document.robot
            self._way = way = engine.load_trajectory(shipped(*ROUND), robot)
            self.logs[self.now] = TrackingLog(way.duration)
            self._bench.files.follow_requested.emit(way)
            self.dock.bring_up()  # in front of Control, where the law was made ready
        elif self._begun:
            self.panel.show_logs(self.logs)

    @property
    def _runs(self) -> bool:
        followed = self._trajectory.model.followed
        return bool(self.now) and self._begun and followed is not None and followed.trajectory is self._way

    def _on_run(self) -> None:
        """The run was ended from elsewhere."""
        if self.now and self._begun and self._way is not None and self._trajectory.model.followed is None:
            self._queue = []
            self._finish("Stopped.")

    def _on_snapshot(self, snapshot: Snapshot) -> None:
        if not self._runs or not snapshot.running or snapshot.q_desired is None:
            return
        t, law = snapshot.t, snapshot.law
        if t > FIRST and not self.logs[self.now].begun:
            return  # of the run before
        mass = np.nan if law is None else float(np.ravel(law.log.get("mass", np.nan))[0])
        self.logs[self.now].take(t, float(np.linalg.norm(snapshot.q_desired - snapshot.q)), mass)
        self.panel.show_state(
            f"{LAWS[self.now]}: {t:.0f} of {END:.0f} s" + (f"; {changes()[self._what]}" if t > CHANGE else ""), True
        )
        if t >= CHANGE and not self._changed:
            self._changed = True
            if self._what == "load":
                self._bench.simulation.set_payload(engine.Payload(MASS, np.array(CENTRE)))
            else:
                self._bench.simulation.choose(wear=2.0)
        if t >= END:
            self._finish("Finished. Compare the errors before the change, after it, and at the end.")

    def _finish(self, words: str) -> None:
        """The run is over; the next one, if any."""
        self.now, self._way = "", None
        self._trajectory.run.stop()
        self._restore()
        self.panel.show_logs(self.logs)
        self.panel.show_state(words, False)
        if self._queue:
            self._next()

    def _give_up(self) -> None:
        """The robot is another one, and as its file says."""
        self._queue, self.now, self._way = [], "", None
        self.panel.show_state("", False)
