"""The camera's choices that last: perspective or not, gliding or not, and where it stood for each robot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.state.settings import robot_key, with_camera
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

VIEWS = ("front", "back", "left", "right", "top", "bottom", "iso")


class CameraFeature(Feature):
    """Keeps in the settings how each robot was looked at last; a view from below the floor is recalled in one session only."""

    commands = (
        *block("View", 2.0, Command("fit", "Fit the arm in the view", "fit", ("F",), "Show the whole arm", bar=4.1, help=1.0)),
        *block(
            "View/Camera",
            1.0,
            Command("view_front", "Front view", "", ("1",)),
            Command("view_back", "Back view", "", ("2",)),
            Command("view_left", "Left view", "", ("3",)),
            Command("view_right", "Right view", "", ("4",)),
            Command("view_top", "Top view", "", ("5",)),
            Command("view_bottom", "View from below", "", ("6",)),
            Command("view_iso", "Isometric view", "", ("7",)),
        ),
        *block(
            "View/Camera",
            2.0,
            Command("orthographic", "Orthographic", "", ("O",), "Parallel rays instead of perspective", True),
            Command("camera_glides", "Animate view changes", tip="Move the camera smoothly to a new view", checkable=True),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._cameras = bench.preferences.now.cameras
        self._seen: set[str] = set()  # keys of the robots shown since the start

    def wire(self) -> None:
        """Wire the actions and follow the view."""
        bench, scene, now = self._bench, self._bench.scene, self._bench.preferences.now
        bench.actions.on("fit", scene.fit)
        for name in VIEWS:
            bench.actions.on(f"view_{name}", partial(scene.standard_view, name))
        for name, on, choose in (
            ("orthographic", now.orthographic, scene.set_orthographic),
            ("camera_glides", now.camera_glides, self._set_glides),
        ):
            action = bench.actions[name]
            action.setChecked(on)
            choose(action.isChecked())
            action.toggled.connect(choose)
            action.toggled.connect(lambda on, name=name: bench.preferences.set(**{name: on}))
        scene.robot_shown.connect(self._recall)
        scene.view_chosen.connect(self._remember)

    def shut_down(self) -> None:
        """Keep what is remembered."""
        self._bench.scene.flight.finish()
        self._bench.preferences.set(cameras=self._cameras)

    def _set_glides(self, on: bool) -> None:
        self._bench.scene.glides = on

    def _remember(self) -> None:
        scene = self._bench.scene
        if scene.robot is not None:
            self._cameras = with_camera(self._cameras, robot_key(scene.robot), scene.chosen_view())

    def _recall(self, robot) -> None:
        self._bench.preferences.set(cameras=self._cameras)
        scene, key = self._bench.scene, robot_key(robot)
        if known := self._cameras.get(key):
            scene.recall_view(known)
            if key not in self._seen and scene.camera.eye[2] < scene.stage.floor.height:  # of an earlier start: few want it again
                scene.recall_view(STANDARD_VIEWS["iso"])
        self._seen.add(key)
