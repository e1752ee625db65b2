"""Branches: every way to take the tool's pose, as see-through arms and as a list, and the moves from one to another."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer

from armature import engine
from armature.app.feature import Feature
from armature.app.joints.pose_glide import PoseGlide
from armature.app.scene.arm.ghost_item import GhostLook, GhostName
from armature.app.scene.gl import palette
from armature.app.singularity.branches.branch_words import changes_text, refusal, row_text, summary, title, way_text
from armature.app.singularity.branches.panel import BranchesPanel
from armature.app.singularity.branches.straight_way import StraightWay, straight_ways
from armature.app.singularity.branches.tool_branches import ToolBranches, joints_to_hold, tool_branches
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.number_marks import said
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.kinematics.obstacles import Obstacles

SETTLED = 0.15  # s without a change of the pose, until what lies between the branches is looked for
TITLE = "Branches: other IK solutions"


class BranchesFeature(Feature):
    """Joins the dock with document and scene; it computes while the dock can be seen."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock, self.panel = bench, dock, BranchesPanel()
        self.runner = JobRunner("branches", bench.parent)
        self.way_runner = JobRunner("branch-ways", bench.parent)
        self.found: ToolBranches | None = None
        self.ways: tuple[StraightWay, ...] = ()
        self._held: int | None = None
        self._failed: tuple | None = None  # the pose for which there are none
        self._computed: np.ndarray | None = None  # the pose that was requested last
        self._obstacles: Obstacles | None = None  # the obstacles that were requested last
        self._ways_from: np.ndarray | None = None
        self._shown: list[int] = []  # the branches that are shown see-through
        self._target = -1  # the branch that the arm is on its way to
        self._moved, self._dismissed = 0.0, False

    def wire(self) -> None:
        """Wire panel, runners, document and view."""
        bench, panel = self._bench, self.panel
        self.glide = PoseGlide(bench)
        for signal, slot in (
            (panel.chosen, self._on_chosen),
            (panel.go_requested, self._go_to),
            (panel.held_chosen, self._hold),
            (self.runner.finished, self._on_found),
            (self.runner.failed, self._on_failed),
            (self.way_runner.finished, self._on_ways),
            (self.way_runner.failed, lambda text: panel.show_way(said(text))),
            (self.glide.ended, self._on_arrived),
            (bench.document.q_changed, self._on_q),
            (bench.preferences.units_changed, lambda _: self._tell()),
            (bench.look.changed, lambda _: self._tell()),
            (bench.clock.tick, self._on_tick),
            (self.dock.visibilityChanged, self._on_visible),
            (bench.scene.ghosts_dismissed, self._on_dismissed),
            (bench.scene.ghost_clicked, self._on_ghost_clicked),
        ):
            signal.connect(slot)

    def set_robot(self, robot) -> None:
        """Another robot: nothing is known of it."""
        self.runner.cancel()
        self.way_runner.cancel()
        joints = joints_to_hold(robot)
        self._held = joints[2] if joints else None
        self.panel.set_held(robot, joints, self._held)
        self._forget()
        self.panel.show_nothing("")

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.glide.stop()
        self.runner.stop()
        self.way_runner.stop()

    def bring_up(self) -> None:
        """Show the dock; the keys of its list work at once."""
        self._dismissed = False
        self.dock.bring_up()
        self.panel.list.setFocus()
        self._tell()

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self.found, self.ways, self._computed, self._ways_from, self._target = None, (), None, None, -1
        self._bench.scene.clear_ghosts(self)

    def _hold(self, joint: int) -> None:
        """A person chose which joint keeps its value."""
        self.runner.cancel()
        self._held = joint
        self._forget()

    def _on_q(self, _) -> None:
        self._moved = time.monotonic()

    def _on_visible(self, seen: bool) -> None:
        """The see-through arms go with the dock."""
        if seen:
            self._dismissed = False
            QTimer.singleShot(0, self.panel, self._tell)
        else:
            self._bench.scene.clear_ghosts(self)

    def _on_dismissed(self, owner: object) -> None:
        if owner is self:
            self._dismissed = True

    def _on_tick(self) -> None:
        """One computation at a time; what the arm did meanwhile is looked at next, so that a drag never starves the list."""
        if not self._bench.startup.has(KernelStage.ALL) or self.runner.busy or self.glide.moving or not on_screen(self.panel):
            return
        document = self._bench.document
        q, obstacles = document.q, self._bench.cell.obstacles
        if q is not self._computed or obstacles != self._obstacles:
            self._computed, self._obstacles, found = q, obstacles, self.found
            if found is not None and found.hold_for(document.robot, q, self._held) and found.obstacles == obstacles:
                self._tell()
            else:
                self.runner.start(lambda _: tool_branches(document.robot, q, self._held, self.found, obstacles))
        elif self.found is not None and q is not self._ways_from and time.monotonic() - self._moved > SETTLED:
            self._ways_from = q
            self.way_runner.start(partial(_ways, self.found, q))

    def _on_found(self, found: ToolBranches) -> None:
        if self.found is None or found.X_WT is not self.found.X_WT:  # else only its contacts are new
            self.ways, self._ways_from = (), None
            self.panel.show_way("")
        self.found = found
        self._tell()

    def _on_failed(self, text: str) -> None:
        self._computed, computed = None, self._computed
        self._forget()
        self._computed = computed
        self.panel.show_nothing(said(text))

    def _on_ways(self, ways: tuple[StraightWay, ...] | None) -> None:
        if ways is not None and self.found is not None and len(ways) == len(self.found.branches):
            self.ways = ways
            self._tell()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Rows, sentence and see-through arms, for where the arm is now."""
        found, bench = self.found, self._bench
        if found is None:
            return
        q, units = bench.document.q, bench.preferences.units
        ways: tuple[StraightWay | None, ...] = self.ways or (None,) * len(found.branches)
        rows = [row_text(found, k, q, units, way) for k, way in enumerate(ways)]
        tips = [changes_text(found, k, q, units) for k in range(len(rows))]
        self.panel.show_branches(summary(found), rows, tips, self._colours())
        self._on_chosen(self.panel.list.currentRow())

    def _colours(self) -> list[str]:
        tokens = self._bench.look.tokens
        branches = () if self.found is None else self.found.branches
        return [tokens.series[k % len(tokens.series)] for k in range(len(branches))]

    def _show_ghosts(self) -> None:
        scene, found = self._bench.scene, self.found
        others = [] if found is None else [k for k in range(len(found.branches)) if k != found.here(self._bench.document.q)]
        if found is None or not others or self._dismissed or not on_screen(self.panel):
            scene.clear_ghosts(self)
            return
        colours, chosen = self._colours(), self.panel.list.currentRow()
        names = tuple(GhostName(*title(k, found.branches[k], with_contact=True)) for k in others)
        marked = others.index(chosen) if chosen in others else -1
        self._shown = others
        poses = engine.link_poses(found.robot, np.array([found.branches[k].q for k in others]))
        shown = [palette.CONTACT if found.branches[k].collides else colours[k] for k in others]
        scene.show_ghosts(self, poses, shown, GhostLook.BRANCH, TITLE, names, marked)

    def _on_chosen(self, k: int) -> None:
        """What lies on the way to the branch that is looked at."""
        here = -1 if self.found is None else self.found.here(self._bench.document.q)
        if self.found is not None and 0 <= k < len(self.ways) and k != here:
            held = None if self.found.held is None else self.found.robot.joint_names[self.found.held]
            self.panel.show_way(way_text(self.found.branches[k], self.ways[k], held))
        elif k != here:
            self.panel.show_way("")
        self._show_ghosts()

    # -- what is requested -----------------------------------------------------------------------------------------------------

    def _on_ghost_clicked(self, owner: object, ghost: int) -> None:
        if owner is self and ghost < len(self._shown):
            self.panel.list.setCurrentRow(self._shown[ghost])
            self._go_to(self._shown[ghost])

    def _go_to(self, k: int) -> None:
        found = self.found
        if found is None or not 0 <= k < len(found.branches) or (self.glide.moving and k == self._target):
            return
        branch = found.branches[k]
        if not branch.within_limits:
            self.panel.show_way(refusal(branch))
            return
        if k != found.here(self._bench.document.q):
            self.panel.list.setCurrentRow(k)
            self._target = k
            self.glide.go_to(branch.q, "branch")

    def _on_arrived(self) -> None:
        self._target = -1


def _ways(found: ToolBranches, q: np.ndarray, job: Job) -> tuple[StraightWay, ...] | None:
    """What lies between q `(n,)` and each branch; None where it was cancelled."""
    ends = np.array([branch.q for branch in found.branches]).reshape(-1, len(q))
    return straight_ways(found.robot, q, ends, found.held, job.cancelled)
