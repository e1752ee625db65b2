"""`MappingForm`: columns of the time, and of position, speed and torque of every joint, with their units."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from armature.app.recording.importing.import_model import ImportModel
from armature.app.state.evented import Binder, on
from armature.app.state.units import significant
from armature.app.widgets.controls import OptionForm, choice, column, fill, named, number, row
from armature.app.widgets.section import note
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import (
    ANGLES,
    CURRENTS,
    FIT,
    LENGTHS,
    NORMALISED,
    TIMES,
    TORQUES,
    LogMapping,
)

TITLES = {"q": "Position", "qd": "Speed", "tau": "Torque"}
NONE = "—"
_TIME_TEXTS = {"us": "µs", "samples": "samples", "stamps": "dates"}
_WIDTH = 7  # characters of a column's name that are always visible


class MappingForm(QWidget):
    """Shows and changes the mapping of the model."""

    def __init__(self, model: ImportModel):
        super().__init__()
        self._model = model
        self._built_for: tuple[tuple[str, ...], Robot] | None = None
        self._columns: dict[tuple[str, int], QComboBox] = {}
        self.time = _combo("import_time", "Time column", {})
        self.time_unit = _combo("import_time_unit", "Time unit", {unit: _TIME_TEXTS.get(unit, unit) for unit in TIMES})
        period = number("import_period", "Time between rows in seconds", (0.0, 1e6), 0.01, decimals=6, suffix=" s")
        self.angle = choice("import_angle_unit", "Angle unit", {unit: unit for unit in ANGLES} | {NORMALISED: "% of range"})
        self.angle.setPlaceholderText("choose…")
        self.length = choice("import_length_unit", "Length unit", {unit: unit for unit in LENGTHS})
        self.speed = choice("import_speed_unit", "Angle unit of velocities", {unit: f"{unit}/s" for unit in ANGLES})
        self.torque = choice("import_torque_unit", "Unit of torques or currents", {unit: unit for unit in TORQUES})
        units = {"angle_unit": self.angle, "length_unit": self.length, "speed_unit": self.speed, "torque_unit": self.torque}
        self._guessed = {"time": self.time, "time_unit": self.time_unit, **units}
        self._form = OptionForm({"time": self.time, "time_unit": self.time_unit, "period": period, **units}, model.change)
        self._period = row(note("Sampling period"), period, None)
        self._table = QWidget()
        title, how = "Torque per current", {FIT: "fitted to the model", "given": "entered"}
        self._how = choice("import_constants_how", title, how, "Torque constants at the joint, N·m/A (N/A)")
        self._how.currentIndexChanged.connect(lambda _: self._on_constants())
        self._given = named(QLineEdit(), "import_constants", "Torque constants per joint", "One number per joint, N·m/A")
        self._given.editingFinished.connect(self._on_constants)
        self._constants = column(row(QLabel("Torque per current"), self._how, None), self._given)
        times = row(QLabel("Time"), self.time, self.time_unit, stretch=self.time)
        fill(self, times, self._period, self._table, self._constants)

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._show, on(self._model, "table", "robot", "mapping"))

    def _show(self) -> None:
        model, mapping = self._model, self._model.mapping
        table, robot = model.table, model.robot
        if table is None or len(mapping.q) != robot.n:
            return
        if self._built_for != (table.names, robot):
            self._built_for = table.names, robot
            self._build()
            with QSignalBlocker(self.time):
                _fill(self.time, {"": "none (fixed period)", **{name: name for name in table.names}})
            for box in self._columns.values():
                with QSignalBlocker(box):
                    _fill(box, {"": NONE, **{name: name for name in table.names}})
        for (group, joint), box in self._columns.items():
            with QSignalBlocker(box):
                box.setCurrentIndex(max(0, box.findData(mapping.columns(group)[joint])))
        self._form.show(vars(mapping))
        for key, box in self._guessed.items():
            box.setToolTip(f"Detected: {mapping.why[key]}" if mapping.why.get(key) else "")
        self._period.setVisible(not mapping.time or mapping.time_unit == "samples")
        self.time_unit.setEnabled(bool(mapping.time))
        self._show_constants(mapping)

    def _build(self) -> None:
        """Make a row of boxes per joint."""
        old, self._table, robot = self._table, QWidget(), self._model.robot
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
        self.length.setVisible(bool(robot.prismatic.any()))
        self.angle.setVisible(not robot.prismatic.all())
        units = {"q": row(self.angle, self.length, None, spacing=4), "qd": row(self.speed, None), "tau": row(self.torque, None)}
        for at, (group, title) in enumerate(TITLES.items(), 1):
            grid.addWidget(QLabel(title), 0, at)
            grid.addWidget(units[group], 1, at)
            grid.setColumnStretch(at, 1)
            for joint, name in enumerate(robot.joint_names):
                box = self._columns[group, joint] = _combo(f"import_{group}_{name}", f"{title} of {name}", {})
                box.currentIndexChanged.connect(partial(self._on_column, group, joint))
                grid.addWidget(box, 2 + joint, at)
        for joint, name in enumerate(robot.joint_names):
            grid.addWidget(QLabel(name), 2 + joint, 0)
        grid.addWidget(note("Joint"), 0, 0, Qt.AlignmentFlag.AlignLeft)

    def _on_column(self, group: str, joint: int, _index: int) -> None:
        self._model.set_column(group, joint, str(self._columns[group, joint].currentData() or ""))

    def _show_constants(self, mapping: LogMapping) -> None:
        constants, is_fitted = mapping.constants, mapping.constants == FIT
        self._constants.setVisible(mapping.torque_unit in CURRENTS and any(mapping.tau))
        self._given.setVisible(not is_fitted)
        with QSignalBlocker(self._how):
            self._how.setCurrentIndex(int(not is_fitted))
        if is_fitted or isinstance(constants, str):
            self._given.setText(" ".join(["1"] * self._model.robot.n))
        elif constants and constants != _numbers(self._given.text()):
            self._given.setText(" ".join(significant(value, 6) for value in constants))

    def _on_constants(self) -> None:
        given = _numbers(self._given.text())
        self._model.change("constants", FIT if self._how.currentData() == FIT else given)


def _numbers(text: str) -> tuple[float, ...]:
    """Return the numbers of a text; none if one is invalid, which `LogMapping.check` reports."""
    try:
        return tuple(float(word.replace(",", ".")) for word in text.replace(";", " ").split())
    except ValueError:
        return ()


class ColumnBox(QComboBox):
    """Elides long names in the middle, since names differ at their ends; the wheel scrolls the page."""

    def paintEvent(self, _event):
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        field = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideMiddle, field.width() - 4)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event):
        event.ignore()


def _combo(name: str, title: str, items: Mapping[str, str]) -> QComboBox:
    """Return a box that needs little width, however long its items are."""
    box = named(ColumnBox(), name, title)
    for key, text in items.items():
        box.addItem(text, key)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_WIDTH)
    box.setMaxVisibleItems(20)
    box.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return box


def _fill(box: QComboBox, items: Mapping[str, str]) -> None:
    box.clear()
    for key, text in items.items():
        box.addItem(text, key)
        box.setItemData(box.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
