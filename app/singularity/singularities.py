"""Singular poses: why this one is, where the nearest one is, which others there are, and the moves there and back."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.feature import Feature
from armature.app.joints.pose_glide import PoseGlide
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.scene.gl import palette
from armature.app.singularity.internal_motion import InternalMotion
from armature.app.singularity.singular_families import SEARCHING
from armature.app.singularity.singular_pose import SingularPose, nearest
from armature.app.singularity.singularity_studio import LOOKING, NOT_HERE, SingularityStudioPanel
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.number_marks import said
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.state.readouts import Readout
    from armature.app.workbench import Workbench
    from armature.engine import SingularFamily

SETTLED = 0.15  # s without a change of the pose
RESTS = "The search starts when the arm is at rest."
NO_FAMILIES = "No singular pose was found within the joint limits."


def _families(robot, job):
    return engine.singular_families(robot, progress=job.progress, cancel=job.cancelled)


class SingularitiesFeature(Feature):
    """Joins the singularity dock with document, scene and clock; it searches while the dock can be seen and the arm rests."""

    dock: Dock

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.panel = SingularityStudioPanel(bench.preferences.units)
        self.dock = Dock("singularity", "Singularity", self.panel, RIGHT, {"singularity": 1})
        self.runner = JobRunner("nearest", bench.parent)
        self.family_runner = JobRunner("families", bench.parent)
        self.nearest: SingularPose | None = None
        self.families: tuple[SingularFamily, ...] = ()
        self._searched: np.ndarray | None = None  # the pose whose nearest is known
        self._before: np.ndarray | None = None  # the pose to go back to
        self._moved, self._ready = 0.0, False
        self._untold: Readout | None = None  # what the panel does not say yet
        self._previews = False  # whether the nearest pose is seen in the view, its button pressed or under the pointer

    def wire(self) -> None:
        """Wire panel, document and clock."""
        bench, panel = self._bench, self.panel
        self.glide, self.internal = PoseGlide(bench), InternalMotion(bench)
        for signal, slot in (
            (panel.play_requested, self._on_play),
            (panel.ghost_requested, self._show_ghost),
            (panel.go_requested, self._go_there),
            (panel.back_requested, self._go_back),
            (panel.families.find_requested, self._find_families),
            (panel.families.cancel_requested, self.family_runner.finish_early),
            (panel.families.chosen, self._show_family),
            (panel.families.go_requested, self._go_to_family),
            (self.family_runner.busy_changed, panel.families.show_busy),
            (self.family_runner.progressed, panel.families.show_progress),
            (self.family_runner.finished, self._on_families),
            (self.family_runner.failed, lambda text: panel.families.show_families((), text)),
            (self.internal.playing_changed, self._on_playing),
            (self.glide.ended, self._on_arrived),
            (self.internal.refused, lambda: panel.show_remark(NOT_HERE)),
            (self.runner.finished, self._on_found),
            (self.runner.failed, self._on_failed),
            (bench.readouts.changed, self._on_readout),
            (bench.document.robot_changed, self._on_robot),
            (bench.document.q_changed, self._on_q),
            (bench.preferences.units_changed, panel.set_units),
            (bench.clock.reading, self._on_reading),
            (self.dock.visibilityChanged, self._on_visible),
            (bench.scene.ghosts_dismissed, lambda owner: owner is self and self._hide()),
        ):
            signal.connect(slot)
        bench.scene.stage.lost_motion.explained_by.append(panel.cause)
        self.dock.visibilityChanged.connect(lambda _: bench.scene.update())
        self._on_robot(bench.document.robot)
        families, show_nearest = self.family_runner, partial(panel.show_nearest, None, None)
        bench.startup.show_wait(lambda: families.awaits_kernel, panel.families.show_remark, SEARCHING)
        bench.startup.show_wait(lambda: not self._ready, show_nearest, LOOKING)
        bench.startup.when(KernelStage.ALL, self._on_ready)

    def shut_down(self) -> None:
        """No search outlives the window."""
        self.internal.shut_down()
        self.glide.stop()
        self.runner.stop()
        self.family_runner.stop()

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def _on_ready(self) -> None:
        self._ready = True

    def _on_robot(self, robot) -> None:
        self.runner.cancel()
        self.family_runner.cancel()
        self.families = ()
        self.nearest = self._searched = self._before = self._untold = None
        self.panel.set_robot(robot)
        self.panel.set_back(False)

    def _on_q(self, _) -> None:
        self._moved = time.monotonic()

    def _on_readout(self, readout: Readout) -> None:
        """What the pose is."""
        self._untold = readout
        if on_screen(self.panel) or not self._bench.simulation.running:  # a run has no time for what nobody sees
            self._tell()

    def _tell(self) -> None:
        readout, self._untold = self._untold, None
        if readout is None:
            return
        possible = (readout.level > 0 or self.internal.playing) and not self._bench.simulation.running
        self.panel.show_report(readout.report, said(readout.verdict), readout.level, possible)

    def _on_reading(self) -> None:
        """Search anew where the arm came to rest somewhere else, if the dock is seen."""
        if not self._bench.simulation.running:
            self._tell()
        q = self._bench.document.q
        if not self._ready or q is self._searched or self.internal.playing or not on_screen(self.panel):
            return
        if time.monotonic() - self._moved > SETTLED:
            self._searched = q
            self.runner.start(partial(nearest, self._bench.document.robot, q))

    def _on_found(self, pose: SingularPose | None) -> None:
        previews, self.nearest = self._previews, pose
        self.panel.show_nearest(self._searched, pose, "" if pose else "No singular pose within the joint limits and half a turn.")
        if previews:
            self._show_ghost(pose is not None and not pose.is_here)

    def _on_failed(self, text: str) -> None:
        self.nearest = None
        self.panel.show_nearest(self._searched, None, text)

    def _find_families(self) -> None:
        self.family_runner.start(partial(_families, self._bench.document.robot))

    def _on_families(self, families) -> None:
        self.families = families
        self.panel.families.show_families(families) if families else self.panel.families.show_families((), NO_FAMILIES)

    # -- what is requested -----------------------------------------------------------------------------------------------------

    def _on_play(self, on: bool) -> None:
        self.glide.stop()
        self.internal.stop()
        self.panel.show_playing(False)
        if on:
            self._bench.replay.close()
            self.internal.play()

    def _on_playing(self, on: bool) -> None:
        """The nearest pose is another one at every moment."""
        self.panel.show_playing(on)
        if on:
            self._hide()
            self.nearest = self._searched = None
            self.panel.show_nearest(None, None, RESTS)

    def _show_ghost(self, on: bool) -> None:
        self.panel.families.deselect()
        pose = self.nearest if on else None
        self._previews = pose is not None
        self._show_pose(None if pose is None else pose.q, "Nearest singular pose")

    def _show_family(self, k: int) -> None:
        if k >= 0:
            self.panel.buttons["ghost"].setChecked(False)
            self._previews = False
            self.panel.families.list.setCurrentRow(k)
            self._show_pose(self.families[k].q, f"Singular pose: {self.families[k].cause.title}")
        else:
            self._show_pose(None, "")

    def _on_visible(self, seen: bool) -> None:
        """Hide the ghost with the dock, and move the warning between dock and status line."""
        self._bench.status_line.hide_explanation(seen)
        if seen:
            self._tell()
        else:
            self._hide()

    def _hide(self) -> None:
        """No see-through arm, and nothing pressed or chosen that would show one."""
        self.panel.buttons["ghost"].setChecked(False)
        self.panel.families.deselect()
        self._previews = False
        self._bench.scene.clear_ghosts(self)

    def _show_pose(self, q, title: str) -> None:
        """The arm at q `(n,)`, seen through; None for no such arm."""
        scene = self._bench.scene
        if q is not None:
            poses = engine.link_poses(self._bench.document.robot, q)
            scene.show_ghosts(self, poses[None], (palette.LOST,), GhostLook.SINGULAR, title)
        else:
            scene.clear_ghosts(self)

    def _go_there(self) -> None:
        if self.nearest is not None:
            self._go_to(self.nearest.q, "nearest singularity")

    def _go_to_family(self, k: int) -> None:
        if 0 <= k < len(self.families):
            self._go_to(self.families[k].q, self.families[k].cause.title)

    def _go_to(self, q, text: str) -> None:
        self.internal.stop()
        self._before = self._bench.document.q
        self.panel.set_back(True)
        self.glide.go_to(q, text)

    def _on_arrived(self) -> None:
        if self._before is not None:
            self._hide()  # the arm itself stands there now

    def _go_back(self) -> None:
        self.internal.stop()
        if self._before is not None:
            q, self._before = self._before, None
            self.panel.set_back(False)
            self.glide.go_to(q, "return to the previous pose")
