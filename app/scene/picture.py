"""`Picture`: a scene drawn for paper and screen, with a caption and the scale of the colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

from armature import engine
from armature.app.scene.gizmo.gizmo_handles import offered
from armature.app.scene.gl import palette
from armature.app.scene.gl.solids import Solids
from armature.app.scene.hands.gesture_captions import shifts, turn
from armature.app.scene.labels.picture_caption import caption_box, draw_caption, font_of, unit_of
from armature.app.scene.overlays.clearance_item import shown_contacts
from armature.app.scene.overlays.lost_motion import lost_motions
from armature.app.scene.overlays.workspace.cut import Cut
from armature.app.scene.overlays.workspace.reach_picture import reach_picture
from armature.app.scene.overlays.workspace.surface_picture import surface_mesh
from armature.app.scene.scene_view import OVERLAYS, SceneView
from armature.app.state.units import Units, ends
from armature.app.style import colormap
from armature.engine import Robot, Workspace
from armature.engine.kinematics.task import movable_task

BARE = 1.16  # margin around an arm without names, in which its shadow ends softly


class Picture:
    """A view that is never on the screen."""

    def __init__(self, robot: Robot, q: np.ndarray, dark: bool, solids: Solids | None = None):
        self.view = SceneView()
        self.view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.view.resize(640, 400)
        self.view.show()
        self.view.set_theme(dark)
        self.view.set_robot(robot, np.asarray(q, float))
        self.view.set_solids(solids)
        report = engine.singularity(robot, q)
        self.view.set_warning(report.level(), report.joints, lost_motions(robot, self.view.q, report, report.level()))
        self.robot, self.theme = robot, palette.theme(dark)
        self.values: tuple[float, float] | None = None
        self._ends: tuple[np.ndarray, np.ndarray] | None = None
        self._distance: float | None = None
        self._recalled: tuple[float, ...] = ()
        self._named = True

    def show(self, names: tuple[str, ...], corner: bool = True) -> None:
        """Show exactly these overlays, and the world's axes in the corner unless told otherwise."""
        for name in OVERLAYS:
            usual = (corner and name == "corner") or (name == "labels" and "frames" in names)
            self.view.set_overlay(name, name in names or usual)
        self._named = bool(names)
        if "clearance" in names:
            self.view.set_contacts(shown_contacts(self.robot))

    def show_workspace(self, space: Workspace, style: str, axis: int, share: float) -> None:
        """Show a sampled workspace in one of its styles, cut open across an axis 0…2 at a share of its extent; -1: whole."""
        picture = reach_picture(space, style, Cut(axis, share))
        self.values = picture.low, picture.high
        self._ends = space.ends
        self.view.set_overlay("workspace", True)
        self.view.show_workspace(picture)

    def show_surfaces(self, found: engine.SingularSurfaces, axis: int, share: float) -> None:
        """Show singular surfaces, cut open as the workspace is."""
        self.view.set_overlay("workspace", True)
        self.view.show_surfaces(surface_mesh(found, Cut(axis, share), self._ends))

    def show_drag(self, axis: str, amount: float) -> None:
        """Show the gizmo with the handle of an axis in hand, dragged by m or rad."""
        k, units = "xyz".index(axis[-1]), Units()
        words = turn(amount, units) if axis.startswith("r") else shifts(amount * np.eye(3)[k], axis, units)
        gizmo = self.view.gizmo
        gizmo.offer(offered(movable_task(self.robot), np.eye(3)))
        gizmo.hold(axis)
        gizmo.set_shown(True)
        self.view.match_camera()
        gizmo.say(words, at=gizmo.look.outline(axis, self.view.camera)[-1])

    def look(self, azimuth: float, elevation: float, distance: float | None, orthographic: bool) -> None:
        """Look from so many degrees, at so many metres from what is seen, or so that all of it is."""
        self.view.camera.azimuth, self.view.camera.elevation = azimuth, elevation
        self.view.camera.orthographic = orthographic
        self._distance = distance

    def recall(self, view: tuple[float, ...]) -> None:
        """Look from a view that `SceneView.chosen_view` returned; an empty view changes nothing."""
        self._recalled = view

    def image(self, width: int, height: int, caption: str, transparent: bool = False) -> QImage:
        """The picture in pixels; without `caption` where that is empty."""
        self.view.resize(max(160, round(width * 400 / height)), 400)
        self.view.fit()
        if transparent:
            self._take_in_the_shadow()
        self.view.camera.distance = self._distance or self.view.camera.distance
        if self._recalled:
            self.view.recall_view(self._recalled)
        unit = unit_of(width, height)
        corner = (width - 220 * unit, 0, 220 * unit, 76 * unit)
        self.view.stage.labels.reserved = [corner, caption_box(width, height)] if caption else [corner]
        image = self.view.render_image(width, height, transparent)
        painter = QPainter(image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        if caption:
            draw_caption(painter, width, height, self.robot.name, caption, self.theme.text)
        if self.values is not None:
            self._scale(painter, width, unit, self.values)
        painter.end()
        return image

    def _take_in_the_shadow(self) -> None:
        """It lies on nothing that goes on, so that an edge of the picture would be seen to cut it."""
        (points, margin), floor = self.view.points_to_frame(), self.view.stage.floor
        fallen = floor.fallen()
        fallen = np.column_stack([fallen, np.full(len(fallen), floor.height)])
        self.view.camera.frame(np.concatenate([points, fallen]), margin if self._named else BARE)

    def close(self) -> None:
        """Give the view and its GL objects back."""
        self.view.close()
        self.view.deleteLater()

    def _scale(self, painter: QPainter, width: int, unit: float, values: tuple[float, float]) -> None:
        """What the colours of the cloud mean, at the upper right."""
        bar = QRectF(width - 202 * unit, 40 * unit, 180 * unit, 10 * unit)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for at in np.linspace(0.0, 1.0, 11):
            gradient.setColorAt(float(at), QColor.fromRgbF(*colormap.lookup(np.array([at]))[0]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3 * unit, 3 * unit)
        painter.setPen(QColor(self.theme.text))
        painter.setFont(font_of(13 * unit, bold=True))
        painter.drawText(QPointF(bar.left(), bar.top() - 9 * unit), "manipulability")
        painter.setFont(font_of(12 * unit))
        below = QRectF(bar.left(), bar.bottom() + 3 * unit, bar.width(), 18 * unit)
        for text, side in zip(
            ends(*values),
            (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight),
            strict=True,
        ):
            painter.drawText(below, side, text)
