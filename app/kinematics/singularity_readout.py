"""How near a singularity the pose is, in bars, numbers and a sentence."""

from __future__ import annotations

from math import inf

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QSizePolicy, QWidget

from armature.app.state.number_marks import said
from armature.app.state.units import measured, significant
from armature.app.style.colour_tokens import Tokens, level_colour
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named, number, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import Steady
from armature.engine import Robot
from armature.engine.kinematics.task import singular_task
from armature.engine.thresholds import CONDITION_STOP, CONDITION_WARN, Level

HIGH, LEAST = 8.0, 4.0  # px of a bar: its height, and what is seen of one that is empty
GAP = 8.0  # px between a bar and what stands beside it


class BarsLook:
    """`many` bars in lines `row` px high, `width` px wide with their names and numbers, at `scale` device pixels each."""

    def __init__(self, width: int, scale: float, many: int, row: int, font: QFont, colours: Tokens):
        self.made_for = width, scale, many
        self.ink = QColor(colours.text)
        metrics = QFontMetricsF(font)
        self._digit, self._right, self._row, self._scale = metrics.horizontalAdvance("8"), float(width), row, scale
        self._base = (row - metrics.height()) / 2 + metrics.ascent()
        left, right = metrics.horizontalAdvance("σ8") + GAP, metrics.horizontalAdvance("8.888e-88") + GAP
        self._left, self._least = self._whole(left), round(LEAST * scale)
        self._width = self._whole(width - right) - self._left
        self._places = [QPointF(self._left, self._whole(k * row + row / 2 - HIGH / 2)) for k in range(many)]
        fills = {level: colours.accent if level is Level.FINE else level_colour(colours, level) for level in Level}
        self._bars = {level: self._bar(colour) for level, colour in fills.items()}
        self.ground = self._ground(many, font, colours)

    def paint_bar(self, painter: QPainter, k: int, part: float, level: Level) -> None:
        """Bar `k`, as long as that part of the longest; both its ends are those of the whole."""
        bar, scale, at = self._bars[level], self._scale, self._places[k]
        long, high = max(self._least, round(bar.width() * part)), bar.height()
        half = long - long // 2
        painter.drawPixmap(at, bar, QRectF(0, 0, half, high))
        if half < long:
            painter.drawPixmap(
                QPointF(at.x() + half / scale, at.y()), bar, QRectF(bar.width() - long + half, 0, long - half, high)
            )

    def paint_number(self, painter: QPainter, k: int, number: str) -> None:
        """Beside bar `k`, in digits that are all as wide."""
        painter.drawText(QPointF(self._right - self._digit * len(number), k * self._row + self._base), number)

    def _whole(self, length: float) -> float:
        """Of device pixels, so that there is no seam in a bar."""
        return round(length * self._scale) / self._scale

    def _bar(self, colour: str) -> QPixmap:
        picture, painter = self._picture(QSizeF(self._width, HIGH))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(0.0, 0.0, self._width, HIGH), HIGH / 2, HIGH / 2)
        painter.end()
        return picture

    def _ground(self, many: int, font: QFont, colours: Tokens) -> QPixmap:
        """The empty bars with their names."""
        picture, painter = self._picture(QSizeF(self._right, many * self._row))
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        for k in range(many):
            painter.drawText(QPointF(0.0, k * self._row + self._base), f"σ{chr(0x2081 + k)}")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        for place in self._places:
            painter.drawRoundedRect(QRectF(self._left, place.y(), self._width, HIGH), HIGH / 2, HIGH / 2)
        painter.end()
        return picture

    def _picture(self, size: QSizeF) -> tuple[QPixmap, QPainter]:
        picture = QPixmap((size * self._scale).toSize())
        picture.setDevicePixelRatio(self._scale)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return picture, painter


class SigmaBars(QWidget):
    """One bar per singular value, coloured by how small it is beside the largest."""

    def __init__(self):
        super().__init__()
        self._sigma: list[float] = []
        self._thresholds, self._tokens = (CONDITION_WARN, CONDITION_STOP), None
        self._font, self._rows = fixed_font(0.92), 0
        self._look: BarsLook | None = None
        self.setAccessibleName("Singular values")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def expect(self, count: int):
        """Room for as many values, which are not known yet."""
        self._sigma, self._rows = [], count
        self.updateGeometry()
        self.update()

    def show_values(self, sigma: np.ndarray, warn: float, stop: float):
        """New singular values, largest first, and the condition numbers that colour them."""
        resized = len(sigma) != self._rows
        self._sigma, self._rows, self._thresholds = sigma.tolist(), len(sigma), (warn, stop)
        self.setAccessibleDescription(", ".join(map(measured, self._sigma)))
        if resized:
            self.updateGeometry()
        self.update()

    def set_theme(self, tokens):
        """Colours of the bars."""
        self._tokens, self._font, self._look = tokens, fixed_font(0.92), None
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """High enough for all bars."""
        return QSize(220, max(1, self._rows) * self._row())

    minimumSizeHint = sizeHint

    def _row(self) -> int:
        return self.fontMetrics().height() + 5

    def _level(self, sigma: float) -> Level:
        ratio = self._sigma[0] / sigma if sigma > 0 else inf
        return Level(int(ratio >= self._thresholds[0]) + int(ratio >= self._thresholds[1]))

    def changeEvent(self, event):
        self._look = None
        super().changeEvent(event)

    def paintEvent(self, event):
        if self._tokens is None or not self._sigma:
            return
        look, largest = self._look, max(self._sigma[0], 1e-300)
        made_for = self.width(), self.devicePixelRatioF(), len(self._sigma)
        if look is None or look.made_for != made_for:
            look = self._look = BarsLook(*made_for, self._row(), self._font, self._tokens)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, look.ground)
        for k, sigma in enumerate(self._sigma):
            look.paint_bar(painter, k, sigma / largest, self._level(sigma))
        painter.setFont(self._font)
        painter.setPen(look.ink)
        for k, sigma in enumerate(self._sigma):
            look.paint_number(painter, k, measured(sigma))
        painter.end()


ROWS = {
    "sigma_min": "Smallest singular value",
    "condition": "Condition number",
    "manipulability": "Manipulability",
    "determinant": "Determinant",
    "rank": "Rank",
}


class SingularitySection(Section):
    """Tells `thresholds_edited(warn, stop)`, condition numbers."""

    thresholds_edited = Signal(float, float)

    def __init__(self, warn: float, stop: float):
        super().__init__("Singularity")
        self._bars = self.add(named(SigmaBars(), "sigma_bars"))
        self._values: dict[str, QLabel] = {}
        self._reason = ""
        self._level: Level | None = None
        self.add(self._numbers())
        self.reason = named(QLabel(), "singularity_explanation")
        self.reason.setWordWrap(True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add(Steady(4, self.reason))
        self.add(self._thresholds(warn, stop))
        self._task = named(note(), "singularity_task")
        self.add(Steady(2, self._task))

    def _numbers(self) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for line, (key, title) in enumerate(ROWS.items()):
            head, value = QLabel(title), named(QLabel("–"), f"value_{key}", title)
            head.setProperty("role", "muted")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(head, line, 0)
            grid.addWidget(value, line, 1, Qt.AlignmentFlag.AlignRight)
            self._values[key] = value
        return widget

    def _thresholds(self, warn: float, stop: float) -> QWidget:
        self._warn, self._stop = self._threshold("warn", warn), self._threshold("stop", stop)
        parts = []
        for title, field in (("Warn at condition", self._warn), ("stop at", self._stop)):
            label = QLabel(title)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            parts += [label, field]
        return row(*parts, None)

    def _threshold(self, name: str, value: float) -> QDoubleSpinBox:
        title = f"Condition number to {name} at"
        tip = f"{title}: condition number of the scaled task Jacobian"
        field = number(f"threshold_{name}", title, (1.0, 1e6), value, tip=tip)
        field.valueChanged.connect(self._on_threshold)
        return field

    def _on_threshold(self, _):
        warn, stop = self._warn.value(), self._stop.value()
        if stop < warn:
            with QSignalBlocker(self._stop):
                self._stop.setValue(warn)
        self.thresholds_edited.emit(self._warn.value(), self._stop.value())

    def set_task(self, robot: Robot):
        """Room for the numbers of `robot`, and why it has the task that it has, where its file names none."""
        self._bars.expect(min(len(robot.moving_joints(robot.tool_frame)), len(singular_task(robot))))
        reason = robot.task_reason
        self._reason = f", {reason}" if reason else robot.task_text.removeprefix(", ".join(robot.task))

    def show_readout(self, readout):
        """New numbers."""
        report = readout.report
        self._bars.show_values(report.sigma, self._warn.value(), self._stop.value())
        texts = {
            "sigma_min": measured(report.sigma_min),
            "condition": measured(report.condition),
            "manipulability": measured(report.manipulability),
            "determinant": "not square" if readout.determinant is None else measured(readout.determinant),
            "rank": f"{report.rank} of {len(report.sigma)}",
        }
        for key, text in texts.items():
            self._values[key].setText(text)
        if readout.level != self._level:
            self._level = readout.level
            for label in (self._values["sigma_min"], self._values["condition"], self.reason):
                set_style_property(label, "level", str(readout.level))
        self.reason.setText(said(report.reason))
        self._task.setText(_task_words(report, self._reason))

    def set_theme(self, tokens):
        """Colours and fonts."""
        self._bars.set_theme(tokens)
        for label in self._values.values():
            label.setFont(fixed_font(0.92))


def _task_words(report, reason: str) -> str:
    """The task and why, how many joints there are for it, and how its turns are measured where it has both turns and ways."""
    parts = [f"Task {', '.join(report.task)}{reason}.", report.freedom]
    turns = [axis.startswith("r") for axis in report.task]
    if any(turns) and not all(turns):
        parts.append(f"Characteristic length {significant(report.length, 3)} m (scales rotation to translation).")
    return " ".join(filter(None, parts))
