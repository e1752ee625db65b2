"""`Picture`: a scene drawn for paper and screen, with a caption and the scale of the colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QLinearGradient, QPainter

from app import colormap
from app.scene import palette
from app.scene.solids import Solids
from app.scene.view import OVERLAYS, SceneView
from engine import Robot, singularity


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
        report = singularity(robot, q)
        self.view.set_warning(report.level(), report.joints)
        self.robot, self.theme = robot, palette.theme(dark)
        self.values: tuple[float, float] | None = None

    def show(self, names: tuple[str, ...], compute_workspace) -> None:
        """Show exactly these overlays; the cloud of reachable points comes from `compute_workspace(robot)`."""
        for name in OVERLAYS:
            self.view.set_overlay(name, name in names or name == "corner" or (name == "labels" and "frames" in names))
        if "workspace" in names:
            cloud = compute_workspace(self.robot)
            _, *self.values = colormap.normalised(cloud.values)
            self.view.show_workspace(cloud.points, cloud.values)

    def image(self, width: int, height: int, caption: str) -> QImage:
        """The picture in pixels."""
        self.view.resize(max(160, round(width * 400 / height)), 400)
        self.view.fit()
        unit = max(0.55, min(width / 1280.0, height / 800.0))
        lower_left, upper_right = (0, height - 64 * unit, 0.62 * width, 64 * unit), (width - 220 * unit, 0, 220 * unit, 76 * unit)
        self.view.stage.labels.reserved = [lower_left, upper_right]
        image = self.view.render_image(width, height)
        painter = QPainter(image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self._caption(painter, caption, width, height, unit)
        if self.values is not None:
            self._scale(painter, width, unit)
        painter.end()
        return image

    def close(self) -> None:
        """Give the view and its GL objects back."""
        self.view.close()
        self.view.deleteLater()

    def _caption(self, painter: QPainter, caption: str, width: int, height: int, unit: float) -> None:
        """Name and pose at the lower left, shortened where the picture is narrow."""
        left, room = 22 * unit, width - 150 * unit
        title, small = _font(19 * unit, bold=True), _font(13 * unit)
        painter.setPen(QColor(self.theme.text))
        for font, text, up in ((title, self.robot.name, 42), (small, caption, 20)):
            painter.setFont(font)
            text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(left, height - up * unit), text)

    def _scale(self, painter: QPainter, width: int, unit: float) -> None:
        """What the colours of the cloud mean, at the upper right."""
        bar = QRectF(width - 202 * unit, 40 * unit, 180 * unit, 10 * unit)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for at in np.linspace(0.0, 1.0, 11):
            gradient.setColorAt(float(at), QColor.fromRgbF(*colormap.lookup(np.array([at]))[0]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3 * unit, 3 * unit)
        painter.setPen(QColor(self.theme.text))
        painter.setFont(_font(13 * unit, bold=True))
        painter.drawText(QPointF(bar.left(), bar.top() - 9 * unit), "manipulability")
        painter.setFont(_font(12 * unit))
        ends = QRectF(bar.left(), bar.bottom() + 3 * unit, bar.width(), 18 * unit)
        for value, side in zip(self.values, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            painter.drawText(ends, side, f"{value:.3g}")


def _font(pixels: float, bold: bool = False) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(max(7, round(pixels)))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font
