"""What is taken for what, column by column: the time, and position, speed and torque of every joint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from armature.app.state.units import significant
from armature.app.widgets.controls import choice, named, number, row
from armature.app.widgets.section import note
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import (
    ANGLES,
    CURRENTS,
    FIT,
    GROUPS,
    LENGTHS,
    NORMALISED,
    TIMES,
    TORQUES,
    LogMapping,
)
from armature.engine.recording.measured.log_table import LogTable

TITLES = {"q": "Position", "qd": "Speed", "tau": "Torque"}
NONE = "—"
_TIME_WORDS = {"us": "µs", "samples": "samples", "stamps": "dates"}
_WIDTH = 7  # characters of a column's name that are always seen


class MappingForm(QWidget):
    """`changed()` when a person chose something else; `mapping` is what is chosen now."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._mapping = LogMapping()
        self._columns: dict[tuple[str, int], QComboBox] = {}
        self.time = _combo("import_time", "Time column", {})
        self.time_unit = _combo("import_time_unit", "Time unit", {unit: _TIME_WORDS.get(unit, unit) for unit in TIMES})
        self.period = number("import_period", "Time between rows in seconds", (0.0, 1e6), 0.01, decimals=6, suffix=" s")
        self.angle = choice("import_angle_unit", "Angle unit", {unit: unit for unit in ANGLES} | {NORMALISED: "% of range"})
        self.angle.setPlaceholderText("choose…")
        self.length = choice("import_length_unit", "Length unit", {unit: unit for unit in LENGTHS})
        self.speed = choice("import_speed_unit", "Angle unit of velocities", {unit: f"{unit}/s" for unit in ANGLES})
        self.torque = choice("import_torque_unit", "Unit of torques or currents", {unit: unit for unit in TORQUES})
        for box in (self.time, self.time_unit, self.angle, self.length, self.speed, self.torque):
            box.currentIndexChanged.connect(self._on_change)
        self.period.valueChanged.connect(self._on_change)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._period_row = row(note("Sampling period"), self.period, None)
        column.addWidget(row(QLabel("Time"), self.time, self.time_unit, stretch=self.time))
        column.addWidget(self._period_row)
        self._table = QWidget()
        column.addWidget(self._table)
        self._constants = _Constants()
        self._constants.changed.connect(self._on_change)
        column.addWidget(self._constants)
        self._grid: QGridLayout | None = None

    @property
    def mapping(self) -> LogMapping:
        """What is chosen."""
        values = {
            group: tuple(str(self._columns[group, k].currentData() or "") for k in range(len(self._mapping.columns(group))))
            for group in GROUPS
        }
        return replace(
            self._mapping.with_columns(values),
            time=str(self.time.currentData() or ""),
            time_unit=str(self.time_unit.currentData()),
            period=self.period.value(),
            angle_unit=str(self.angle.currentData() or ""),
            length_unit=str(self.length.currentData()),
            speed_unit=str(self.speed.currentData()),
            torque_unit=str(self.torque.currentData()),
            constants=self._constants.values,
        )

    def show_mapping(self, table: LogTable, robot: Robot, mapping: LogMapping) -> None:
        """Offer the columns of a log for the joints of a robot, with these chosen."""
        self._mapping = mapping
        self._build(table, robot)
        names = {"": "none (fixed period)", **{name: name for name in table.names}}
        with QSignalBlocker(self.time), QSignalBlocker(self.time_unit), QSignalBlocker(self.period):
            _fill(self.time, names, mapping.time)
            self.time_unit.setCurrentIndex(self.time_unit.findData(mapping.time_unit))
            self.period.setValue(mapping.period or 0.01)
        for box, value in (
            (self.angle, mapping.angle_unit),
            (self.length, mapping.length_unit),
            (self.speed, mapping.speed_unit),
            (self.torque, mapping.torque_unit),
        ):
            with QSignalBlocker(box):
                box.setCurrentIndex(box.findData(value))
        for (group, joint), box in self._columns.items():
            with QSignalBlocker(box):
                _fill(box, {"": NONE, **{name: name for name in table.names}}, mapping.columns(group)[joint])
        self._constants.show_values(robot.n, mapping.constants)
        self._explain(mapping.why)
        self._show_parts()

    def _build(self, table: LogTable, robot: Robot) -> None:
        """A row of boxes per joint."""
        old, self._table = self._table, QWidget()
        layout = self.layout()
        assert layout is not None
        layout.replaceWidget(old, self._table)
        old.hide()
        old.deleteLater()
        self._columns.clear()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(4)
        slides, turns = bool(robot.prismatic.any()), not robot.prismatic.all()
        self.length.setVisible(slides)
        self.angle.setVisible(turns)
        units = {"q": row(self.angle, self.length, None, spacing=4), "qd": row(self.speed, None), "tau": row(self.torque, None)}
        for at, (group, title) in enumerate(TITLES.items(), 1):
            grid.addWidget(QLabel(title), 0, at)
            grid.addWidget(units[group], 1, at)
            grid.setColumnStretch(at, 1)
            for joint, name in enumerate(robot.joint_names):
                box = self._columns[group, joint] = _combo(f"import_{group}_{name}", f"{title} of {name}", {})
                box.currentIndexChanged.connect(self._on_change)
                grid.addWidget(box, 2 + joint, at)
        for joint, name in enumerate(robot.joint_names):
            grid.addWidget(QLabel(name), 2 + joint, 0)
        grid.addWidget(note("Joint"), 0, 0, Qt.AlignmentFlag.AlignLeft)

    def _explain(self, why: Mapping[str, str]) -> None:
        """What each guess rests on, where the mouse asks."""
        for key, box in (
            ("time", self.time),
            ("time_unit", self.time_unit),
            ("angle_unit", self.angle),
            ("length_unit", self.length),
            ("speed_unit", self.speed),
            ("torque_unit", self.torque),
        ):
            box.setToolTip(f"Detected: {why[key]}" if why.get(key) else "")

    def _show_parts(self) -> None:
        counted = not self.time.currentData() or self.time_unit.currentData() == "samples"
        self._period_row.setVisible(counted)
        self.time_unit.setEnabled(bool(self.time.currentData()))
        current = self.torque.currentData() in CURRENTS and any(self.mapping.tau)
        self._constants.setVisible(current)

    def _on_change(self, *_) -> None:
        self._show_parts()
        self.changed.emit()


class _Constants(QWidget):
    """Torque per current of each joint, fitted or typed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._n = 0
        self._how = choice(
            "import_constants_how",
            "Torque per current",
            {FIT: "fitted to the model", "given": "entered"},
            "Torque constants at the joint, N·m/A (N/A)",
        )
        self._text = named(QLineEdit(), "import_constants", "Torque constants per joint", "One number per joint, N·m/A")
        self._how.currentIndexChanged.connect(self._on_change)
        self._text.editingFinished.connect(self.changed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(row(QLabel("Torque per current"), self._how, None))
        column.addWidget(self._text)

    def _on_change(self, *_) -> None:
        self._text.setVisible(self._how.currentData() != FIT)
        self.changed.emit()

    @property
    def values(self) -> tuple[float, ...] | str:
        """The constants, "fit", or so many that `LogMapping.check` refuses them."""
        if self._how.currentData() == FIT:
            return FIT
        try:
            return tuple(float(word.replace(",", ".")) for word in self._text.text().replace(";", " ").split())
        except ValueError:
            return ()

    def show_values(self, n: int, constants: tuple[float, ...] | str) -> None:
        """These constants of n joints."""
        self._n = n
        with QSignalBlocker(self._how):
            self._how.setCurrentIndex(int(constants != FIT))
        given = (1.0,) * n if isinstance(constants, str) else constants
        self._text.setText(" ".join(significant(value, 6) for value in given))
        self._text.setVisible(constants != FIT)


class ColumnBox(QComboBox):
    """Of a name that is too long the middle is left out, since names differ at their ends; the wheel is the page's."""

    def paintEvent(self, _event):
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, field.width() - 4)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event):
        event.ignore()


def _combo(name: str, title: str, items: Mapping[str, str]) -> QComboBox:
    """A box that needs little room, however long what it offers is."""
    box = named(ColumnBox(), name, title)
    for key, text in items.items():
        box.addItem(text, key)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_WIDTH)
    box.setMaxVisibleItems(20)
    box.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return box


def _fill(box: QComboBox, items: Mapping[str, str], now: str) -> None:
    box.clear()
    for key, text in items.items():
        box.addItem(text, key)
        box.setItemData(box.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
    box.setCurrentIndex(max(0, box.findData(now)))
