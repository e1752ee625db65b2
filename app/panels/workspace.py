"""The workspace dock: what to sample and how to show it, how far it is, how large it is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QMenu,
    QProgressBar,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from app.panels.surfaces_section import SurfacesSection
from app.units import significant
from app.widgets.colour_legend import ColourLegend
from app.widgets.plain_field import make_plain
from app.widgets.section import note, page

AXES = ("whole", "across x", "across y", "across z")
THIN = "\N{THIN SPACE}"


class WorkspacePanel(QWidget):
    """Tells `compute_asked()`, `cancel_asked()`, `clear_asked()`, `export_asked()` and `look_changed()`."""

    compute_asked = Signal()
    cancel_asked = Signal()
    clear_asked = Signal()
    export_asked = Signal()
    look_changed = Signal()

    def __init__(self, quantities: dict[str, str], styles: dict[str, str], surface_colours: dict[str, str]):
        super().__init__()
        self._quantities = quantities
        content = page(self, "Workspace")
        content.addWidget(note("Where the tool gets to within the joint limits. Click a point and the arm goes there."))
        content.addWidget(self._sampling())
        content.addWidget(self._buttons())
        self.progress = QProgressBar()
        self.progress.setObjectName("workspace_progress")
        self.progress.setAccessibleName("Progress of the workspace")
        self.progress.setTextVisible(False)
        self.progress.hide()
        content.addWidget(self.progress)
        self._legend = ColourLegend()
        self._legend.setObjectName("workspace_legend")
        self._legend.hide()
        content.addWidget(self._legend)
        self.result = note()
        self.result.setObjectName("workspace_result")
        content.addWidget(self.result)
        self.volume = note()
        self.volume.setObjectName("workspace_volume")
        content.addWidget(self.volume)
        self._look = self._looks(styles)
        content.addWidget(self._look)
        self.surfaces = SurfacesSection(surface_colours)
        self.surfaces.check.toggled.connect(lambda _: self._enable_look())
        content.addWidget(self.surfaces)
        content.addStretch(1)
        self.show_nothing()

    # -- what it is asked for --------------------------------------------------------------------------------------------------

    @property
    def cut(self) -> tuple[int, float, bool]:
        """Axis 0…2 of the cutting plane, -1 for none, its place as a share of the extent, and whether the far side goes."""
        return self.cut_axis.currentIndex() - 1, self.cut_place.value() / self.cut_place.maximum(), self.cut_behind.isChecked()

    def chosen_joints(self) -> list[int] | None:
        """The joints that move, None for all."""
        chosen = [k for k, action in enumerate(self._joints.actions()) if action.isChecked()]
        return None if len(chosen) == len(self._joints.actions()) else chosen

    def _sampling(self) -> QWidget:
        widget, form = self._form()
        self.samples = self._spin("workspace_samples", "Samples", 1_000, 2_000_000, 100_000)
        self.samples.setSingleStep(10_000)
        self.samples.setGroupSeparatorShown(True)
        self.seed = self._spin("workspace_seed", "Seed", 0, 2**31 - 1, 0)
        self.seed.setToolTip("The same seed gives the same points")
        self.quantity = self._choice("workspace_quantity", "Coloured by", self._quantities)
        self.limits = QCheckBox("Keep to the joint limits")
        self.limits.setObjectName("workspace_limits")
        self.limits.setChecked(True)
        self.limits.setToolTip("Without limits every revolute joint turns once round")
        self.joints = QToolButton()
        self.joints.setObjectName("workspace_joints")
        self.joints.setAccessibleName("Joints that move")
        self.joints.setToolTip("The other joints stay where they are")
        self.joints.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._joints = QMenu(self.joints)
        self.joints.setMenu(self._joints)
        for title, field in (
            ("Samples", self.samples),
            ("Coloured by", self.quantity),
            ("Joints", self.joints),
            ("", self.limits),
            ("Seed", self.seed),
        ):
            form.addRow(title, field)
        return widget

    def _looks(self, styles: dict[str, str]) -> QWidget:
        widget, form = self._form()
        self.style_choice = self._choice("workspace_style", "Shown as", styles)
        self.cut_axis = self._choice("workspace_cut_axis", "Cut", dict(zip(AXES, (a.capitalize() for a in AXES))))
        self.cut_axis.setToolTip("Cut it open with a plane across an axis of the world")
        self.cut_place = QSlider(Qt.Orientation.Horizontal)
        self.cut_place.setObjectName("workspace_cut_place")
        self.cut_place.setAccessibleName("Place of the cut")
        self.cut_place.setRange(0, 200)
        self.cut_place.setValue(100)
        self.cut_place.setEnabled(False)
        self.cut_behind = QCheckBox("Take the far side away")
        self.cut_behind.setObjectName("workspace_cut_behind")
        self.cut_behind.toggled.connect(self.look_changed)
        self.export = self._button("Export…", "workspace_export", self.export_asked.emit)
        self.export.setToolTip("Points as .npz or .csv, the boundary as .ply or .stl")
        self.style_choice.currentIndexChanged.connect(self.look_changed)
        self.cut_axis.currentIndexChanged.connect(lambda index: self.cut_place.setEnabled(index > 0))
        self.cut_axis.currentIndexChanged.connect(self.look_changed)
        self.cut_place.valueChanged.connect(self.look_changed)
        form.addRow("Shown as", self.style_choice)
        form.addRow("Cut", self.cut_axis)
        for field in (self.cut_place, self.cut_behind, self.export):
            form.addRow("", field)
        return widget

    @staticmethod
    def _form() -> tuple[QWidget, QFormLayout]:
        widget = QWidget()
        form = QFormLayout(widget)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        return widget, form

    @staticmethod
    def _choice(name: str, title: str, items: dict[str, str]) -> QComboBox:
        field = QComboBox()
        field.setObjectName(name)
        field.setAccessibleName(title)
        for key, text in items.items():
            field.addItem(text, key)
        return field

    @staticmethod
    def _spin(name: str, title: str, low: int, high: int, value: int) -> QSpinBox:
        field = QSpinBox()
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setRange(low, high)
        field.setValue(value)
        make_plain(field)
        return field

    def _buttons(self) -> QWidget:
        widget = QWidget()
        line = QHBoxLayout(widget)
        line.setContentsMargins(0, 0, 0, 0)
        self.compute = self._button("Compute", "workspace_compute", self.compute_asked.emit)
        self.compute.setProperty("role", "primary")
        self.cancel = self._button("Cancel", "workspace_cancel", self.cancel_asked.emit)
        self.clear = self._button("Clear", "workspace_clear", self.clear_asked.emit)
        self.cancel.setEnabled(False)
        for button in (self.compute, self.cancel, self.clear):
            line.addWidget(button)
        line.addStretch(1)
        return widget

    @staticmethod
    def _button(title: str, name: str, slot) -> QPushButton:
        button = QPushButton(title)
        button.setObjectName(name)
        button.setAccessibleName(f"{title.rstrip('…')} workspace")
        button.clicked.connect(lambda _=False: slot())
        return button

    # -- what it shows ---------------------------------------------------------------------------------------------------------

    def set_joints(self, names: tuple[str, ...]):
        """The joints of another robot, all of them chosen."""
        self._joints.clear()
        for name in names:
            action = self._joints.addAction(name)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(self._name_joints)
        self._name_joints()

    def _name_joints(self, _=False):
        chosen = [action.text() for action in self._joints.actions() if action.isChecked()]
        everything = len(chosen) == len(self._joints.actions())
        self.joints.setText(("all" if everything else ", ".join(chosen) or "none") + "  ▾")

    def show_busy(self, busy: bool):
        """Whether a computation is under way."""
        self.cancel.setEnabled(busy)
        self.progress.setVisible(busy)
        if busy:
            self.progress.setRange(0, 0)
            self.result.setText("Sampling…")

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        self.result.setText(f"{done:,} of {total:,} poses".replace(",", THIN))

    def show_legend(self, quantity: str, low: float, high: float):
        """What the colours mean."""
        self._legend.show_range(self._quantities[quantity], low, high)
        self._legend.show()

    def show_result(self, count: int, complete: bool):
        """A line about what is drawn."""
        self.clear.setEnabled(count > 0)
        self._enable_look()
        early = "" if complete else " Cancelled early: these are the points so far."
        self.result.setText(f"{count:,} points.".replace(",", THIN) + early)

    def _enable_look(self):
        """A cut needs something to cut, a style and an export need points."""
        points = self.clear.isEnabled()
        self._look.setEnabled(points or self.surfaces.check.isChecked())
        for field in (self.style_choice, self.export):
            field.setEnabled(points)

    def show_volume(self, text: str):
        """How large the reach is, or that it is being measured."""
        self.volume.setText(text)
        self.volume.setVisible(bool(text))

    def show_nothing(self, text: str = ""):
        """Nothing is drawn; `text` may say why."""
        self._legend.hide()
        self.clear.setEnabled(False)
        self._enable_look()
        self.result.setText(text)
        self.show_volume("")

    def set_theme(self, tokens):
        """Colours of the legend."""
        self._legend.set_theme(tokens)


def volume_words(volume) -> str:
    """A `ReachVolume` in words."""
    kind = "Volume" if volume.unit == "m³" else "Area"
    return f"{kind} reached by the tool: {significant(volume.value, 4)} ± {significant(volume.error, 1)} {volume.unit}"
