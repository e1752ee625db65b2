"""`ScenePort`: what the hands in the scene see of the view they work in."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import QPoint, SignalInstance

from armature.app.scene.camera.camera import Camera
from armature.app.scene.camera.camera_flight import Flight
from armature.app.scene.gl.picking import Hit
from armature.app.scene.stage import Stage
from armature.engine import Robot


class ScenePort(Protocol):
    """A widget that shows a robot; poses, pixels and joints as in `SceneView`, which is the only one."""

    camera: Camera
    flight: Flight
    stage: Stage
    robot: Robot
    q: np.ndarray
    slot_poses: np.ndarray
    selected: int
    selected_object: str
    hovered: int
    joint_clicked: SignalInstance
    beside_clicked: SignalInstance
    drag_started: SignalInstance
    joint_dragged: SignalInstance
    drag_finished: SignalInstance

    def update(self) -> None: ...

    def match_camera(self) -> None: ...

    def pick(self, x: float, y: float) -> Hit | None: ...

    def mapToGlobal(self, at: QPoint, /) -> QPoint: ...

    def set_hovered(self, joint: int) -> None: ...

    def dismiss_ghosts(self) -> bool: ...

    def ghost_under(self, x: float, y: float) -> int: ...

    def click_ghost(self, x: float, y: float) -> bool: ...

    def select_joint(self, joint: int) -> None: ...

    def select_object(self, name: str) -> None: ...

    def object_under(self, x: float, y: float) -> str: ...

    def fit(self) -> None: ...

    def standard_view(self, name: str) -> None: ...

    def orbit(self, azim: float, elev: float) -> None: ...

    def pan(self, dx: float, dy: float) -> None: ...

    def zoom(self, x: float, y: float, factor: float) -> None: ...

    def setCursor(self, shape) -> None: ...

    def unsetCursor(self) -> None: ...

    def width(self) -> int: ...

    def height(self) -> int: ...
