"""`RobotCanvas`: the GL widget with a robot on its stage, and the ways to look at it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStyle

from armature.app.scene.gl.gl_canvas import GLCanvas  # isort: skip  (settles which window system PyOpenGL talks to)
from armature import engine
from armature.app.scene.arm.built_arm import built_arm
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.scene.camera.camera_flight import Flight
from armature.app.scene.gl import offscreen_picture, palette
from armature.app.scene.gl.picking import Hit
from armature.app.scene.gl.solids import Solids
from armature.app.scene.stage import Stage
from armature.app.state.units import Units
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton


class RobotCanvas(GLCanvas):
    """Shows a robot in a pose, frames it, finds what lies under a pixel and makes pictures.

    Emits `view_chosen` when the user has chosen a view. With `glides`, the camera flies to views chosen by name.
    """

    view_chosen = Signal()
    robot_shown = Signal(object)
    arm_built = Signal(object)
    body_changed = Signal(object)
    joint_selected = Signal(int)
    object_selected = Signal(str)
    hidden_changed = Signal()

    _bones: Skeleton  # of the robot
    _built: Solids

    def __init__(self, parent=None):
        super().__init__(parent)
        self.glides = self.is_fitted = False
        self.flight = Flight(self.camera, self.update, self)
        self.robot: Robot | None = None
        self.q = np.zeros(0)
        self.slot_poses, self.X_WT = np.eye(4)[None], np.eye(4)
        self.selected = self._framed = -1
        self.selected_object = self._framed_object = ""
        self.stage = Stage()
        for item in self.stage.items:
            self.addItem(item)

    def set_robot(self, robot: Robot, q: np.ndarray) -> None:
        """Show a robot at joint positions q `(n,)`; another one than before is framed."""
        another = self.robot is None or (self.robot.name, self.robot.source) != (robot.name, robot.source)
        if self.robot is None or another or self.robot.joint_names != robot.joint_names:
            self.select_joint(-1)
        self._framed = -1
        bones, self._built = built_arm(robot)
        self._bones = bones
        self.robot = robot
        self.stage.set_robot(robot, bones, self._built)
        self.stage.set_selected(self.selected)
        self.camera.scene_radius = bones.scale
        self._links = links_of_slots(robot)
        self.set_q(q)
        if another:
            self.recall_view(STANDARD_VIEWS["iso"])
            self.robot_shown.emit(robot)
        self.arm_built.emit(robot)
        self.body_changed.emit(robot)

    def show_edited(self, robot: Robot, q: np.ndarray) -> None:
        """Show the robot that is shown with other figures, as while it is being edited; camera, selection and ghosts stay."""
        if self.robot is None or len(robot.bodies) != len(self.robot.bodies):
            self.set_robot(robot, q)
            return
        self._bones, self._built = built_arm(robot)
        self.robot = robot
        self.stage.set_edited(robot, self._bones, self._built)
        self.camera.scene_radius = self._bones.scale
        self._links = links_of_slots(robot)
        self.set_q(q)
        if robot.visuals or robot.collisions:
            self.arm_built.emit(robot)
        self.body_changed.emit(robot)

    def set_solids(self, solids: Solids | None) -> None:
        """Draw the robot that is shown with these solids, with built ones for None; they take the floor with them."""
        solids, robot = self._built if solids is None else solids, self.stage.robot
        home = self._slots(engine.link_poses(robot, robot.configurations["home"]))[:-1]
        lowest = float(solids.points(home)[:, 2].min(initial=np.inf)) if solids.stands else np.inf
        self.stage.set_solids(solids, min(self._bones.floor, lowest) if robot.floor is None else robot.floor)
        if self.is_fitted:
            self.recall_view(self.chosen_view())
        self.update()

    def set_q(self, q: np.ndarray) -> None:
        """Show joint positions q `(n,)` in rad or m."""
        q = np.asarray(q, float)
        self.set_poses(engine.link_poses(self.stage.robot, q), q)

    def set_poses(self, X_WL: np.ndarray, q: np.ndarray, update_labels: bool = True) -> None:
        """Show link poses `(n_links, 4, 4)` already computed for q `(n,)`.

        Without `update_labels` the numbers wait for `refresh_labels`.
        """
        X_WS = self._slots(X_WL)
        self.slot_poses, self.X_WT = X_WS[:-1], X_WS[-1]
        self.q = np.array(q, float)
        self.stage.set_poses(self.slot_poses, self.X_WT, self.q, update_labels)
        self.update()

    def refresh_labels(self) -> None:
        """Update the numbers in the view to the pose it shows."""
        if self.stage.refresh_labels():
            self.update()

    def set_theme(self, dark: bool) -> None:
        """Dark or light surroundings."""
        self.theme = palette.theme(dark)
        self.update()

    def set_text_size(self, magnification: float) -> None:
        """Letters in the view so many times as large as usual."""
        self.stage.labels.magnification = magnification
        self.update()

    def set_units(self, units: Units) -> None:
        """Units of the numbers in the view."""
        self.stage.set_units(units)
        self.update()

    def select_joint(self, joint: int) -> None:
        """Mark a joint's link as the one that F frames; -1 for none."""
        if joint != self.selected:
            self.selected = joint
            self.stage.set_selected(joint)
            self.joint_selected.emit(joint)
            self.update()
        if joint >= 0:
            self.select_object("")

    def select_object(self, name: str) -> None:
        """Mark an object of the cell as the one that F frames; "" for none."""
        if name != self.selected_object:
            self.selected_object = name
            self.stage.cell.set_selected(name)
            self.object_selected.emit(name)
            self.update()
        if name:
            self.select_joint(-1)

    @property
    def hides(self) -> bool:
        """Whether a link, a frame, a waypoint or an object of the cell is hidden."""
        stage = self.stage
        return bool(stage.arm.hidden or stage.frames.hidden or stage.tool_path.hides or stage.cell.hides)

    def hide(self, slots: frozenset[int], frames: frozenset[int]) -> None:
        """Draw the robot without the links on these slots, and without these of its frames, until another robot is shown."""
        self.stage.arm.hide(slots)
        self.stage.frames.hide(frames)
        self.stage.set_poses(self.slot_poses, self.X_WT, self.q)
        self.update()
        self.hidden_changed.emit()

    def fit(self) -> None:
        """Bring the selected link or object into view, or all of the arm; it stays fitted when the window's size changes."""
        self._framed, self._framed_object = self.selected, self.selected_object
        self._fly(self._frame)
        self.is_fitted = True
        self.view_chosen.emit()

    def keep_in_view(self) -> None:
        """Fit once more where the view is fitted and some of what it shows is out of the picture now."""
        points, _ = self.points_to_frame()
        if not self.is_fitted or not len(points):
            return
        self.match_camera()
        x, y, _ = self.camera.project(points).T
        if not np.all((x >= 0) & (x <= self.camera.width) & (y >= 0) & (y <= self.camera.height)):
            self._fly(self._frame)

    def frame_around(self, centre: np.ndarray, radius: float) -> None:
        """Bring a ball in W into the middle of the view, in m; the direction stays."""
        self.match_camera()
        corners = centre + radius * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        self._fly(lambda: self.camera.frame(corners, 1.0))
        self.is_fitted = False
        self.view_chosen.emit()

    def standard_view(self, name: str) -> None:
        """Look from one of STANDARD_VIEWS: front, back, left, right, top, bottom, iso."""
        if name not in STANDARD_VIEWS:
            raise ValueError(f"no view {name!r}; valid are {', '.join(STANDARD_VIEWS)}")
        self._fly(lambda: self.camera.look_from(name))
        self.view_chosen.emit()

    def chosen_view(self) -> tuple[float, ...]:
        """Azimuth and elevation in degrees of a fitted view, of another one all of `camera.pose()`."""
        pose = self.flight.destination()
        return pose[:2] if self.is_fitted else pose

    def recall_view(self, view: tuple[float, ...]) -> None:
        """Look at once as `chosen_view` said."""
        self.flight.stop()
        self.camera.set_pose((*view, *self.camera.pose()[len(view) :]))
        self.is_fitted = len(view) == 2
        if self.is_fitted:
            self._frame()
        self.update()

    def set_orthographic(self, on: bool) -> None:
        """Parallel rays instead of perspective; what is as far as the target keeps its size."""
        self.camera.orthographic = bool(on)
        if self.is_fitted:
            self._frame()
        self.update()

    def camera_moved(self) -> None:
        """The user chose a view: resizing the window no longer fits the arm into it."""
        self.is_fitted = False
        self.view_chosen.emit()
        self.update()

    def orbit(self, azim: float, elev: float) -> None:
        """Turn the camera around its target by so many degrees."""
        self.flight.stop()
        self.camera.orbit(azim, elev)
        self.camera_moved()

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by so many pixels."""
        self.flight.stop()
        self.camera.pan(dx, dy)
        self.camera_moved()

    def zoom(self, x: float, y: float, factor: float) -> None:
        """Scale the distance to what lies under a pixel, which stays there."""
        self.flight.stop()
        self.camera.zoom_about(self.point_under(x, y), factor)
        self.camera_moved()

    def points_to_frame(self) -> tuple[np.ndarray, float]:
        """Points `(N, 3)` in W that `fit` brings into view, and the margin around them: of the link or object that was selected
        then, or of the arm with its workspace and its cell; none without a robot."""
        if self.robot is None:
            return np.zeros((0, 3)), 1.0
        whole = 1.15 if self.stage.shows_workspace else 1.42  # names stand around an arm, not around a cloud
        is_part = self._framed >= 0 or bool(self._framed_object)
        return self.stage.points_to_frame(self._framed, self._framed_object), 1.6 if is_part else whole

    def pick(self, x: float, y: float) -> Hit | None:
        """What lies under a pixel of the widget."""
        if self.robot is None:
            return None
        self.match_camera()
        return self.stage.solids.picker.cast(*self.camera.ray(x, y), self.slot_poses, self.stage.arm.hidden)

    def object_under(self, x: float, y: float) -> str:
        """Name of the object of the cell under a pixel of the widget; "" if there is none or the arm hides it."""
        hit = self.pick(x, y)
        return self.stage.cell.object_under(*self.camera.ray(x, y), np.inf if hit is None else hit.distance)

    def point_under(self, x: float, y: float) -> np.ndarray:
        """The point `(3,)` in W under a pixel: on the arm, on the floor, or at the depth of the camera's target."""
        hit = self.pick(x, y)
        if hit is not None:
            return hit.point
        self.match_camera()
        eye, ray = self.camera.ray(x, y)
        floor = self.stage.floor.height
        if abs(ray[2]) > 1e-6:
            away = (floor - eye[2]) / ray[2]
            if 0 < away < self.camera.target_depth + 3.0 * self.camera.distance:
                return eye + away * ray
        return eye + ray * self.camera.target_depth / -(ray @ self.camera.axes()[2])

    def render_image(self, width: int, height: int, transparent: bool = False) -> QImage:
        """The picture at any size in pixels, overlays and labels included; `transparent` leaves the ground out."""
        self.flight.finish()
        self.refresh_labels()
        return offscreen_picture.render(self, width, height, transparent)

    def begin_image(self, width: int, height: int) -> Callable[[], QImage]:
        """`render_image` in two halves: what this returns draws the picture, in another turn of the event loop."""
        self.flight.finish()
        self.refresh_labels()
        return offscreen_picture.begun(self, width, height)

    def resizeGL(self, width: int, height: int) -> None:
        if self.is_fitted:
            self.flight.stop()
            self._frame()
            self.update()

    def hideEvent(self, event) -> None:
        self.flight.finish()
        super().hideEvent(event)

    def _frame(self) -> None:
        points, margin = self.points_to_frame()
        if len(points):
            self.match_camera()
            self.camera.frame(points, margin)

    def _fly(self, change: Callable[[], None]) -> None:
        """Change the camera; where it glides, from what is seen now."""
        seen = self.camera.pose()
        self.flight.finish()
        change()
        # Desktops that are set to less motion tell widgets to animate for 0 ms.
        if self.glides and self.isVisible() and self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0:
            self.flight.start(seen)
        self.update()

    def _slots(self, X_WL: np.ndarray) -> np.ndarray:
        """`slot_poses` of the robot that is shown."""
        return slot_poses(X_WL, self._links)

    def _ghost_slots(self, X_WL: np.ndarray) -> np.ndarray:
        """Poses of all slots of k ghosts `(k, n + 1, 4, 4)` from their link poses `(k, n_links, 4, 4)`."""
        return self._slots(X_WL)[:, :-1]


def links_of_slots(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """For every body, and for the tool frame, the index of a link that it is fixed to, and its pose on that, X_LS."""
    carrier, X_BL = robot.tree.link_table
    tool = robot.frames[robot.tool]
    links = np.array([int(np.flatnonzero(carrier == body)[0]) for body in (*range(robot.tree.n), tool.body)])
    X_LS = np.linalg.inv(X_BL[links])
    X_LS[-1] = X_LS[-1] @ tool.X_BF
    return links, X_LS


def slot_poses(X_WL: np.ndarray, links: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Poses of all slots, the world first, and of the tool frame `(…, n + 2, 4, 4)`, from link poses `(…, n_links, 4, 4)`.

    X_WS = X_WL X_LS, with the links and X_LS of `links_of_slots`
    """
    indices, X_LS = links
    X_WS = np.empty((*X_WL.shape[:-3], len(indices) + 1, 4, 4))
    X_WS[..., 0, :, :] = np.eye(4)
    np.matmul(X_WL[..., indices, :, :], X_LS, out=X_WS[..., 1:, :, :])
    return X_WS
