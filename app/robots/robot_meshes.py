"""The shapes of URDF robots in the view: read in the background, then drawn in place of the body built from the joints."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.feature import Feature
from armature.app.robots.meshes.arm_meshes import FLUID, ArmMeshes, load, shapes_of
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.scene.gl import gl_format
from armature.app.scene.gl.solids import Solids
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot

PATIENCE = 0.3  # s before progress is shown; most robots are there by then

SHAPES = "View/Shapes of URDF robots"
CHOICES = ("visual", "collision", "both")


class MeshesFeature(Feature):
    """Follows the robot and the choice of what is shown; the latest wins."""

    commands = (
        *block(
            SHAPES,
            1.0,
            Command("shapes_visual", "Visual", tip="Show the visual shapes of a URDF robot", checkable=True, group="shapes"),
            Command(
                "shapes_collision", "Collision", tip="Show the collision shapes of a URDF robot", checkable=True, group="shapes"
            ),
            Command(
                "shapes_both", "Both", tip="Show the collision shapes over the visual shapes", checkable=True, group="shapes"
            ),
        ),
    )

    def __init__(self, bench: Workbench):
        self.cache = MeshCache()
        self.runner = JobRunner("meshes", bench.parent)
        self._bench = bench
        self._robot: Robot | None = None
        self._loaded: tuple[list[tuple], str, Solids | None] | None = None
        self._started, self._note = 0.0, ""

    def wire(self) -> None:
        """Follow the view's robot and the settings."""
        bench = self._bench
        for shapes in CHOICES:
            action = bench.actions[f"shapes_{shapes}"]
            action.setChecked(bench.preferences.now.shapes == shapes)
            action.triggered.connect(lambda _=False, shapes=shapes: bench.preferences.set(shapes=shapes))
        self._bench.scene.arm_built.connect(self._on_robot)
        self._bench.preferences.changed.connect(lambda name: self._on_choice() if name == "shapes" else None)
        self.runner.progressed.connect(self._on_progress)
        self.runner.finished.connect(self._on_loaded)
        self.runner.failed.connect(partial(self._bench.banner.show_message, Severity.ERROR, subject="meshes"))
        self.runner.busy_changed.connect(lambda busy: None if busy else self._hide_note())

    def shut_down(self) -> None:
        """End the reading."""
        self.runner.stop()

    def _on_robot(self, robot: Robot) -> None:
        self._robot = robot
        shown = self._bench.preferences.now.shapes
        before = self._loaded
        if before is not None and before[1] == shown and before[0] == _placed(robot):
            self.runner.cancel()
            self._bench.scene.set_solids(before[2])  # the same links with other figures
            return
        if before is not None and before[1] == shown and [one[:4] for one in before[0]] == [one[:4] for one in _placed(robot)]:
            self._bench.scene.set_solids(before[2])  # until they are where an edit of the rows has them
        else:
            self._loaded = None
        self._load(robot, shown)

    def _on_choice(self) -> None:
        if self._robot is not None:
            self._load(self._robot, self._bench.preferences.now.shapes)

    def _load(self, robot: Robot, shown: str) -> None:
        self.runner.cancel()
        self._bench.banner.settle("meshes")
        if not any(shapes_of(robot, shown)):
            self._bench.scene.set_solids(None)
            if robot.visuals or robot.collisions:
                self._bench.banner.show_message(Severity.INFO, f"{robot.name} has no {shown} shapes.")
            return
        self._started = time.monotonic()
        most = FLUID if gl_format.is_software() else None
        self.runner.start(lambda job: load(robot, shown, most, self.cache, job.progress, job.cancelled))

    def _on_progress(self, done: int, total: int) -> None:
        banner = self._bench.banner
        if self._robot is not None and time.monotonic() - self._started > PATIENCE and (self._note or not banner.isVisible()):
            self._note = f"Reading the meshes of {self._robot.name}"
            banner.show_progress(self._note, done, total)

    def _hide_note(self) -> None:
        if self._note and self._bench.banner.text.text() == self._note:
            self._bench.banner.dismiss()
        self._note = ""

    def _on_loaded(self, loaded: ArmMeshes) -> None:
        robot, bench = self._robot, self._bench
        if robot is None:
            return
        self._loaded = (_placed(robot), bench.preferences.now.shapes, loaded.solids)
        bench.scene.set_solids(loaded.solids)
        if loaded.problems:
            bench.banner.show_message(Severity.WARNING, _summary(robot.name, loaded), loaded.problems, "meshes")


def _placed(robot: Robot) -> list[tuple]:
    """Of every shape the body, what it is, its size and file, and where on the body it is."""
    shapes = ((robot.links[shape.link], shape) for shape in (*robot.visuals, *robot.collisions))
    return [
        (link.body, shape.shape, shape.size, shape.path, np.round(link.X_BF @ shape.X_LG, 12).tobytes(), shape.colour)
        for link, shape in shapes
    ]


def _summary(name: str, loaded: ArmMeshes) -> str:
    count = len(loaded.problems)
    files = "1 mesh file" if count == 1 else f"{count} mesh files"
    instead = "simplified links between the joints are shown instead" if loaded.solids is None else "boxes are shown instead"
    return f"{name}: {files} cannot be shown; {instead}."
