"""`ScriptOrders`: what a script has the window do once: open robots and files, show results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from armature import engine
from armature.app.remote.script_layer import ScriptLayer
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.recognised_file import RECORDING, kind_of_file
from armature.app.workspace.feature import QUANTITIES, WorkspaceFeature
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature
from armature.engine.errors import EngineError
from armature.engine.remote.messages import Clear, OpenFile, OpenRobot, SavePage, ShowPath, ShowSurfaces, ShowWorkspace

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

Answer = Callable[[str], None]


class ScriptOrders:
    """Each order is answered with the error, or with nothing once it is done; what is read is read beside the window."""

    def __init__(
        self,
        bench: Workbench,
        workspace: WorkspaceFeature,
        surfaces: SingularSurfacesFeature,
        layer: ScriptLayer,
        clear: Callable[[], None],
    ):
        self._bench, self._workspace, self._surfaces = bench, workspace, surfaces
        self._layer, self._clear = layer, clear
        self._reading = JobRunner("script-recording", bench.parent)
        self._reading.finished.connect(self._on_read)
        self._reading.failed.connect(self._settle)
        self._requested: tuple[OpenFile, Answer] | None = None
        self._results = False

    def shut_down(self) -> None:
        """End what is being read."""
        self._reading.stop()

    def obey(self, order: Any, answer: Answer) -> None:
        """Do it."""
        try:
            if isinstance(order, OpenFile):
                self._open(order, answer)
            elif isinstance(order, OpenRobot):
                self._bench.files.reader.read(order.place, partial(self._open_robot, answer), order.changes, answer)
            elif isinstance(order, SavePage):
                self._bench.files.page_requested.emit(Path(order.path), answer)
            else:
                self._do(order)
                answer("")
        except (EngineError, ValueError, OSError) as error:
            answer(str(error) or type(error).__name__)

    def _open_robot(self, answer: Answer, robot: engine.Robot, _place: str) -> None:
        before = self._bench.document.robot
        self._bench.document.set_robot(robot)
        if (before.name, before.source) != (robot.name, robot.source):
            self._bench.scene.fit()  # whatever view of it was left
        answer("")

    def _do(self, order: Any) -> None:
        robot = self._bench.document.robot
        if isinstance(order, ShowPath):
            self._layer.set_path(_doubles(order.points, 3))
        elif isinstance(order, ShowWorkspace):
            self._results = True
            self._workspace.show(_workspace(order, robot))
        elif isinstance(order, ShowSurfaces):
            self._results = True
            self._surfaces.show(_surfaces(order, robot.n))
        elif isinstance(order, Clear):
            self.clear()

    def clear(self) -> None:
        """Take away all that a script shows."""
        self._clear()
        if self._results:
            self._results = False
            self._workspace.clear()
            self._surfaces.show(None)

    def _open(self, order: OpenFile, answer: Answer) -> None:
        path = Path(order.path)
        if kind_of_file(path) == RECORDING:
            self._settle("another recording was opened instead")
            self._requested = order, answer
            self._reading.start(partial(_read, path))
        else:
            self._bench.files.open_path(str(path))
            answer("")

    def _on_read(self, recording) -> None:
        robot = self._bench.document.robot
        if recording is None:
            return
        if len(recording.joint_names) != robot.n:
            self._settle(f"the recording has {len(recording.joint_names)} joints, {robot.name} has {robot.n}")
            return
        if self._requested is not None:
            self._bench.files.recording_opened.emit(recording, Path(self._requested[0].path))
            self._bench.replay.play(True)
        self._settle("")

    def _settle(self, error: str) -> None:
        if self._requested is None:
            return
        (order, answer), self._requested = self._requested, None
        if order.temporary:
            with suppress(OSError):
                Path(order.path).unlink()
                Path(order.path).parent.rmdir()
        answer(error)


def _read(path: Path, job: Job):
    return engine.load_recording(path, job.progress, job.cancelled)


def _doubles(data: bytes, width: int) -> np.ndarray:
    array = np.frombuffer(data, float).reshape(-1, width)
    if not np.isfinite(array).all():
        raise ValueError("the points contain values that are not finite")
    return array


def _workspace(order: ShowWorkspace, robot: engine.Robot) -> engine.Workspace:
    points, q = _doubles(order.points, 3), _doubles(order.q, robot.n)
    values = np.frombuffer(order.values, float)
    if not len(points) == len(values) == len(q):
        raise ValueError("the workspace needs one value and one pose per point")
    if order.quantity not in QUANTITIES:
        raise ValueError(f"unknown workspace quantity: {order.quantity}")
    return engine.Workspace(points, values, q, order.quantity, order.seed, order.complete, robot)


def _surfaces(order: ShowSurfaces, n: int) -> engine.SingularSurfaces:
    found = []
    for one in order.surfaces:
        vertices = _doubles(one.vertices, 3)
        triangles = np.frombuffer(one.triangles, np.int64).reshape(-1, 3)
        bounds = np.frombuffer(one.bounds, bool)
        if len(triangles) and not (triangles.min() >= 0 and triangles.max() < len(vertices)):
            raise ValueError("a surface refers to vertices that do not exist")
        if len(bounds) != (len(triangles) or max(len(vertices) - 1, 0)):
            raise ValueError("a surface needs one value in bounds for each triangle or line segment")
        found.append(engine.SingularSurface(one.kind, one.name, vertices, triangles, bounds))
    if any(not 0 <= j < n for j in order.joints):
        raise ValueError("the surfaces refer to joints that do not exist")
    return engine.SingularSurfaces(tuple(found), order.point, tuple(order.joints), order.complete)
