"""The map dock: two joints, a quantity over their range, and the curves on which the arm is singular."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature.app.singularity.joint_map import JointMap
from armature.app.singularity.map_axis import MapAxis
from armature.app.state.units import Units, measured
from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.colour_legend import ColourLegend
from armature.app.widgets.controls import named
from armature.app.widgets.section import note
from armature.engine.rounding import cleared

QUANTITIES = {
    "sigma_min": ("Smallest singular value", "σ min"),
    "manipulability": ("Manipulability", "w"),
    "determinant": ("Determinant", "det J"),
}
CURVES = "White curves: singular."
EVERYWHERE = "Singular at all positions of these two joints."

SIDE = 18  # width of the column next to the map, in line heights


class SingularityMapPanel(QWidget):
    """Tells `chosen(i, j, quantity)`, joints 0-based; `map` tells of mouse and keys."""

    chosen = Signal(int, int, str)

    def __init__(self, units: Units):
        super().__init__()
        self._units, self._axes, self._remark, self._largest = units, (MapAxis(), MapAxis()), CURVES, 0.0
        self._measure: Callable[[float, float], float] | None = None
        self._pointed: tuple[float, float] | None = None
        self.map = JointMap(units)
        self.map.setObjectName("singularity_map")
        self.map.setToolTip("Drag the dot or press the arrow keys to move the arm (Shift: ten times the step)")
        self.map.hovered.connect(self._on_hover)
        self.across, self.up, self.quantity = (
            self._choice(name, title, tip)
            for name, title, tip in (
                ("map_across", "Horizontal axis", "Joint on the map's horizontal axis"),
                ("map_up", "Vertical axis", "Joint on the map's vertical axis"),
                ("map_quantity", "Quantity", "Quantity shown as colour"),
            )
        )
        self._legend = named(ColourLegend(), "map_legend")
        self._read = named(note(), "map_reading")
        self._read.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._side = QWidget()
        column = QVBoxLayout(self._side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, field in (("Horizontal", self.across), ("Vertical", self.up), ("Colour", self.quantity)):
            label = QLabel(title)
            label.setBuddy(field)
            form.addRow(label, field)
        column.addLayout(form)
        column.addWidget(self._legend)
        column.addWidget(self._read)
        column.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 6, 8, 6)
        line.setSpacing(10)
        line.addWidget(self._side)
        line.addWidget(self.map, 1)

    def _choice(self, name: str, title: str, tip: str) -> QComboBox:
        field = named(ChoiceBox(), name, title, tip)
        field.setMinimumContentsLength(8)
        field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        field.activated.connect(lambda _: self._on_choice(field))
        return field

    def _on_choice(self, field: QComboBox) -> None:
        """A joint can stand on one axis only: the other axis takes over the one that was here."""
        i, j = self.across.currentIndex(), self.up.currentIndex()
        if i == j:
            i, j = (i, self._pair[0]) if field is self.across else (self._pair[1], j)
        self.chosen.emit(i, j, self.quantity.currentData())

    def set_robot(self, robot) -> None:
        """Other joints to choose from, and the determinant where J is square."""
        for field in (self.across, self.up):
            field.clear()
            field.addItems(list(robot.joint_names))
            field.setEnabled(robot.n > 1)
        before = self.quantity.currentData()
        self.quantity.clear()
        for name, (title, _) in QUANTITIES.items():
            if name != "determinant" or len(robot.task) == len(robot.moving_joints(robot.tool_frame)):
                self.quantity.addItem(title, name)
        self.quantity.setCurrentIndex(max(0, self.quantity.findData(before)))

    def set_choice(self, i: int, j: int, across: MapAxis, up: MapAxis) -> None:
        """These two joints stand on the axes."""
        self._pair = i, j
        self.across.setCurrentIndex(i)
        self.up.setCurrentIndex(j)
        self._axes = across, up
        self.map.set_axes(across, up)

    def show_map(self, result, measure: Callable[[float, float], float]) -> None:
        """Show a map; `measure(x, y)` computes its quantity at any point, in rad or m."""
        self._measure = measure
        self._remark = EVERYWHERE if result.everywhere else CURVES if len(result.curves) else ""
        low, high = float(result.values.min()), float(result.values.max())
        self._largest = max(abs(low), abs(high))
        self._legend.show_range(QUANTITIES[result.quantity][0], low, high)
        self._legend.show()
        self.map.show_map(result)
        self.read_off()

    def show_nothing(self, why: str) -> None:
        """There is no map, and why."""
        self._remark, self._measure = "", None
        self._legend.hide()
        self.map.show_map(None, why)
        self.read_off()

    def _on_hover(self, point: tuple[float, float] | None) -> None:
        self._pointed = point
        self.read_off()

    def read_off(self) -> None:
        """Write the computed value under the pointer; where that is beside the map or on the dot, the value of the arm."""
        pointed = self._pointed
        point = self.map.point if pointed is None or self.map.on_dot(pointed) else pointed
        if point is None or self._measure is None:
            self._read.setText(self._remark)
            return
        number = measured(cleared(self._measure(*point), self._largest))
        places = (f"{axis.name} {self._units.text(v, axis.slides)}" for axis, v in zip(self._axes, point, strict=True))
        value = f"{QUANTITIES[self.quantity.currentData()][1]} {number}".replace(" ", "\N{NO-BREAK SPACE}")
        reading = f"{', '.join(places)}: {value}"
        self._read.setText(reading if pointed is not None else f"{reading}\n{self._remark}".rstrip())

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        self.map.set_units(units)
        self.read_off()

    def set_theme(self, tokens) -> None:
        """Colours of map and legend."""
        self._legend.set_theme(tokens)
        self._side.setFixedWidth(SIDE * self.fontMetrics().height())
        self._read.setMinimumHeight(3 * self._read.fontMetrics().lineSpacing() + 2)  # the map beside it must not jump
        self.map.set_theme(tokens)
