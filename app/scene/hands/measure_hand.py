"""`MeasureHand`: clicks on two frames or points of the arm, and what lies between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.scene.overlays.measure_item import Anchor, MeasureItem, Measurement
from armature.app.scene.scene_port import ScenePort
from armature.app.state.units import Units, number

NEAR = 14.0  # logical pixels from the origin of a frame
_MARGIN = 12
_FIRST = "Measure: click a frame, or a point on a link"
_SECOND = "click a second frame or point"


class MeasureHand(QObject):
    """While it is `on` it takes clicks, not drags; a third click begins anew. `ended()` when Escape took it away."""

    ended = Signal()

    def __init__(self, view: ScenePort, item: MeasureItem, parent: QWidget):
        super().__init__(parent)
        self._view, self._item, self._parent = view, item, parent
        self.on, self.units = False, Units()
        self.text = QLabel(parent)
        self.text.setObjectName("measure_text")
        self.text.setAccessibleName("Measured")
        self.text.setProperty("role", "hover")
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text.hide()
        parent.installEventFilter(self)

    def set_on(self, on: bool) -> None:
        """Take clicks from now on, or forget what was measured."""
        self.on = on
        self.text.setVisible(on)
        self.restart()

    def set_units(self, units: Units) -> None:
        """Units of the numbers."""
        self.units = units
        self.follow()

    def restart(self) -> None:
        """Forget what was clicked."""
        self._item.set_anchors(())
        self.follow()
        self._view.update()

    def dismiss(self) -> bool:
        """Put it away; True where it was in hand."""
        was = self.on
        if was:
            self.set_on(False)
            self.ended.emit()
        return was

    def click(self, at: QPointF) -> None:
        """Take the frame at a pixel, or else the point on a link, where there is one."""
        anchor = self._frame_at(at) or self._point_at(at)
        if anchor is None:
            return
        before = self._item.anchors if len(self._item.anchors) < 2 else ()
        self._item.set_anchors((*before, anchor))
        self.follow()
        self._view.update()

    def follow(self) -> None:
        """The arm has moved, or the view has another size."""
        if not self.on:
            return
        text = self._words()
        if text != self.text.text():
            self.text.setText(text)
            self.text.adjustSize()
        self.text.move(_MARGIN, self._parent.height() - self.text.height() - _MARGIN)

    def eventFilter(self, watched, event) -> bool:
        """The text stays in its corner."""
        if event.type() == QEvent.Type.Resize:
            self.follow()
        return False

    def _words(self) -> str:
        anchors, found = self._item.anchors, self._item.measured()
        if found is None:
            return f"Measure from {anchors[0].name}: {_SECOND}" if anchors else _FIRST
        return f"{anchors[0].name} → {anchors[1].name}\n{self._numbers(found)}"

    def _numbers(self, found: Measurement) -> str:
        factor, unit = self.units.factor(prismatic=True), self.units.symbol(prismatic=True)
        decimals = self.units.decimals(prismatic=True)
        parts = "   ".join(f"d{name} {number(x * factor, decimals)}" for name, x in zip("xyz", found.parts, strict=True))
        lines = [f"distance {number(found.distance * factor, decimals)} {unit}", f"{parts} {unit}", "along the axes of the base"]
        if found.angle is not None:
            lines.append(f"angle between the frames {self.units.text(found.angle, prismatic=False)}")
        return "\n".join(lines)

    def _frame_at(self, at: QPointF) -> Anchor | None:
        """The frame whose origin is nearest to a pixel; of several at one place the one that comes last."""
        view = self._view
        view.match_camera()
        frames = list(view.robot.frames.items())
        origins = np.array([(view.slot_poses[frame.body + 1] @ frame.X_BF)[:3, 3] for _, frame in frames])
        off = np.hypot(*(view.camera.project(origins)[:, :2] - [at.x(), at.y()]).T)
        off[~np.isfinite(off)] = np.inf
        k = min(range(len(frames)), key=lambda k: (round(float(min(off[k], 1e6))), -k))
        name, frame = frames[k]
        return Anchor(f"frame {name}", frame.body + 1, np.array(frame.X_BF), True) if off[k] <= NEAR else None

    def _point_at(self, at: QPointF) -> Anchor | None:
        hit = self._view.pick(at.x(), at.y())
        if hit is None:
            return None
        X = np.eye(4)
        X[:3, 3] = hit.local
        link = next((name for name, frame in self._view.robot.links.items() if frame.body == hit.slot - 1), "base")
        return Anchor(f"a point on {link}", hit.slot, X, False)
