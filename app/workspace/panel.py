"""The workspace dock: what to sample and how to show it, how far it is, how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QPushButton, QSlider, QToolButton, QVBoxLayout, QWidget

from armature.app.state.units import grouped, number, uncertain
from armature.app.style.icons import pixmap
from armature.app.widgets.colour_legend import ColourLegend
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, check, choice, form, named, row
from armature.app.widgets.plain_field import WholeField
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady, keeps_room

if TYPE_CHECKING:
    from armature.app.state.session_tables import WorkspaceTable
    from armature.engine import ReachVolume

KINDS = {
    "bounds": "singular, bounds the reach",
    "inside": "singular, inside the reach",
    "limit": "joint limit, bounds the reach",
    "limit_inside": "joint limit, inside the reach",
}


class SurfacesSection(QWidget):
    """`check` switches, `cancel` gives up."""

    def __init__(self, colours: dict[str, str]):
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        tip = "Positions where the arm is singular or at a joint limit; cut together with the workspace"
        self.check = check("workspace_surfaces", "Singular surfaces", tip)
        self.cancel = keeps_room(button("workspace_surfaces_cancel", "Cancel", "Cancel computing the singular surfaces"))
        self.cancel.hide()
        column.addWidget(row(self.check, self.cancel, stretch=self.check))
        self.progress = ProgressBar("workspace_surfaces_progress", "Progress of the singular surfaces")
        column.addWidget(self.progress)
        self.legend = QWidget()
        self.legend.setObjectName("workspace_surfaces_legend")
        grid = QGridLayout(self.legend)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for line, (kind, text) in enumerate(KINDS.items()):
            swatch = QLabel()
            swatch.setPixmap(pixmap("swatch", colours[kind], 14))
            grid.addWidget(swatch, line, 0)
            grid.addWidget(QLabel(text), line, 1)
        grid.setColumnStretch(1, 1)
        column.addWidget(self.legend)
        self.remark = note()
        self.remark.setObjectName("workspace_surfaces_note")
        column.addWidget(self.remark)
        self.show_nothing()

    def show_busy(self, busy: bool):
        """Whether they are computed."""
        self.cancel.setVisible(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.show_done(done, total)

    def show_found(self, text: str):
        """What is drawn."""
        self.legend.show()
        self.remark.setText(text)
        self.remark.show()

    def show_nothing(self, why: str = ""):
        """No surfaces; `why` may say the reason."""
        self.legend.hide()
        self.remark.setText(why)
        self.remark.setVisible(bool(why))


SWITCHES = ("limits", "floor", "contacts")


class SamplingForm(QWidget):
    """Fields `samples`, `quantity`, `limits`, `floor`, `contacts`, `seed`, and the joints that move."""

    def __init__(self, quantities: dict[str, str]):
        super().__init__()
        self.samples = self._spin("workspace_samples", "Samples", 1_000, 2_000_000, 100_000)
        self.samples.setSingleStep(10_000)
        self.samples.setGroupSeparatorShown(True)
        self.seed = self._spin("workspace_seed", "Seed", 0, 2**31 - 1, 0)
        self.seed.setToolTip("The same seed gives the same points")
        self.quantity = choice("workspace_quantity", "Colour", quantities)
        tip = "If off, every revolute joint covers a full turn"
        self.limits = check("workspace_limits", "Respect joint limits", tip, on=True)
        self.floor = check(
            "workspace_floor", "Only poses above the floor", "If off, poses with a link below the floor are included", on=True
        )
        tip = "If on, poses in which the arm touches itself, the floor or an object of the cell are excluded"
        self.contacts = check("workspace_contacts", "Without colliding poses", tip)
        self._floor_note = named(note(), "workspace_floor_note")
        self._joints = named(QToolButton(), "workspace_joints", "Joints that move", "The other joints keep their positions")
        self._joints.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._joints)
        self._joints.setMenu(self._menu)
        fields = {"Samples": self.samples, "Colour": self.quantity, "Joints": self._joints, "": self.limits}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(
            form([*fields.items(), ("", self.floor), ("", self._floor_note), ("", self.contacts), ("Seed", self.seed)])
        )

    @staticmethod
    def _spin(name: str, title: str, low: int, high: int, value: int) -> WholeField:
        field = named(WholeField(), name, title)
        field.setRange(low, high)
        field.setValue(value)
        return field

    def set_joints(self, names: tuple[str, ...]):
        """The joints of another robot, all of them chosen."""
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(self._name_joints)
        self._name_joints()

    def show_floor(self, height: float | None):
        """Show the height of the robot's floor, m in W; without one no pose is left out."""
        self.floor.setEnabled(height is not None)
        no_floor = "This arm has no floor (for example, it hangs from a ceiling), so no pose is excluded."
        remark = no_floor if height is None else f"No link below z = {number(height, 3)} m, the height of the robot's floor."
        self._floor_note.setText(remark)

    @property
    def settings(self) -> dict[str, Any]:
        """All fields as plain values."""
        return {
            "samples": self.samples.value(),
            "quantity": self.quantity.currentData(),
            "seed": self.seed.value(),
            **{name: vars(self)[name].isChecked() for name in SWITCHES},
            "joints": self.chosen_joints(),
        }

    def show_settings(self, settings: WorkspaceTable) -> None:
        """Set all fields. Raises ValueError for an unknown quantity."""
        if self.quantity.findData(settings.quantity) < 0:
            raise ValueError(f"{settings.quantity!r} is not a quantity of workspaces")
        self.samples.setValue(settings.samples)
        self.quantity.setCurrentIndex(self.quantity.findData(settings.quantity))
        self.seed.setValue(settings.seed)
        for name in SWITCHES:
            vars(self)[name].setChecked(vars(settings)[name])
        for k, action in enumerate(self._menu.actions()):
            action.setChecked(settings.joints is None or k in settings.joints)

    def chosen_joints(self) -> list[int] | None:
        """The joints that move, None for all."""
        chosen = [k for k, action in enumerate(self._menu.actions()) if action.isChecked()]
        return None if len(chosen) == len(self._menu.actions()) else chosen

    def _name_joints(self, _=False):
        chosen = [action.text() for action in self._menu.actions() if action.isChecked()]
        everything = len(chosen) == len(self._menu.actions())
        self._joints.setText(("all" if everything else ", ".join(chosen) or "none") + "  ▾")


AXES = ("whole", "across x", "across y", "across z")


class ReachLook(QWidget):
    """`changed()` tells of another style or cut, `export_requested()` that it is to be saved."""

    changed = Signal()
    export_requested = Signal()

    def __init__(self, styles: dict[str, str]):
        super().__init__()
        self.style_choice = choice("workspace_style", "Shown as", styles)
        tip = "Cut the workspace with a plane across a world axis"
        self._axis = choice("workspace_cut_axis", "Cut", {axis: axis.capitalize() for axis in AXES}, tip)
        self._place = named(QSlider(Qt.Orientation.Horizontal), "workspace_cut_place", "Position of the cut")
        self._place.setRange(0, 200)
        self._place.setValue(100)
        self._place.setEnabled(False)
        self._behind = check("workspace_cut_behind", "Clip far side", "Draw only the part in front of the cutting plane")
        tip = "Export the points as .npz or .csv, or the boundary as .ply or .stl"
        self._export = button("workspace_export", "Export…", "Export workspace", tip)
        self._export.clicked.connect(lambda _: self.export_requested.emit())
        self._axis.currentIndexChanged.connect(lambda index: self._place.setEnabled(index > 0))
        for signal in (
            self.style_choice.currentIndexChanged,
            self._axis.currentIndexChanged,
            self._place.valueChanged,
            self._behind.toggled,
        ):
            signal.connect(lambda _: self.changed.emit())
        fields: list[tuple[str, QWidget]] = [("Shown as", self.style_choice), ("Cut", self._axis)]
        fields += [("", field) for field in (self._place, self._behind, self._export)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form(fields))

    @property
    def cut(self) -> tuple[int, float, bool]:
        """Axis 0…2 of the cutting plane, -1 for none, its place as a share of the extent, and whether to clip the far side."""
        return self._axis.currentIndex() - 1, self._place.value() / self._place.maximum(), self._behind.isChecked()

    def allow(self, points: bool, surfaces: bool):
        """A cut needs something to cut, a style and an export need points."""
        self.setEnabled(points or surfaces)
        for field in (self.style_choice, self._export):
            field.setEnabled(points)


SAMPLING = "Sampling…"


class WorkspacePanel(QWidget):
    """Tells `compute_requested()`, `cancel_requested()` and `clear_requested()`; `sampling`, `look`, `surfaces` have own ones."""

    compute_requested = Signal()
    cancel_requested = Signal()
    clear_requested = Signal()

    def __init__(self, quantities: dict[str, str], styles: dict[str, str], surface_colours: dict[str, str]):
        super().__init__()
        self._quantities = quantities
        self.sampling, self.look = SamplingForm(quantities), ReachLook(styles)
        self.compute = self._button("compute", "Compute", self.compute_requested)
        self.compute.setProperty("role", "primary")
        self.cancel = self._button("cancel", "Cancel", self.cancel_requested)
        self.cancel.setEnabled(False)
        self.clear = self._button("clear", "Clear", self.clear_requested)
        self.progress = ProgressBar("workspace_progress", "Progress of the workspace computation")
        self._legend = named(ColourLegend(), "workspace_legend")
        self._legend.hide()
        self.result = named(note(), "workspace_result")
        self.drawn = named(note(), "workspace_drawn")
        self.volume = named(note(), "workspace_volume")
        self.surfaces = SurfacesSection(surface_colours)
        self.surfaces.check.toggled.connect(lambda _: self._enable_look())
        content = page(self, "Workspace")
        content.addWidget(note("Reachable positions of the tool. Click a point to move the arm there."))
        content.addWidget(self.sampling)
        content.addWidget(row(self.compute, self.cancel, self.clear, None))
        content.addWidget(Steady(8, self.progress, self.result, self._legend, self.volume, self.drawn))
        content.addWidget(self.look)
        content.addWidget(self.surfaces)
        content.addStretch(1)
        self.show_nothing()

    @staticmethod
    def _button(name: str, title: str, clicked: SignalInstance) -> QPushButton:
        result = button(f"workspace_{name}", title, f"{title} workspace")
        result.clicked.connect(lambda _: clicked.emit())
        return result

    # -- what it shows ---------------------------------------------------------------------------------------------------------

    def show_busy(self, busy: bool):
        """Whether a computation is under way."""
        self.cancel.setEnabled(busy)
        self.progress.show_busy(busy)
        if busy:
            self.result.setText(SAMPLING)

    def show_progress(self, done: int, total: int):
        """How far it is."""
        self.progress.show_done(done, total)
        self.result.setText(f"{grouped(done)} of {grouped(total)} poses")

    def show_legend(self, quantity: str, low: float, high: float):
        """What the colours mean."""
        self._legend.show_range(self._quantities[quantity], low, high)
        self._legend.show()

    def show_left_out(self, drawn: int, left_out: int):
        """Whether the picture shows all points."""
        self.drawn.setText(f"{grouped(drawn)} points are drawn, evenly chosen; volume and export use all points.")
        self.drawn.setVisible(left_out > 0)

    def show_result(self, count: int, complete: bool, outdated: bool):
        """Show the number of points, and whether the cell has changed since they were computed."""
        self.clear.setEnabled(count > 0)
        self._enable_look()
        early = "" if complete else " Cancelled before the end."
        late = " The cell has changed; compute again." if outdated else ""
        self.result.setText(f"{grouped(count)} points.{early}{late}")

    def _enable_look(self):
        self.look.allow(points=self.clear.isEnabled(), surfaces=self.surfaces.check.isChecked())

    def show_measuring(self, done: int, total: int):
        """How far the measurement is, 0 of 0 at its beginning."""
        self.progress.show_busy(True)
        if total:
            self.progress.show_done(done, total)
        share = f" {100 * done // total} %" if total else ""
        self.volume.setText(f"Measuring the volume…{share}")
        self.volume.show()

    def show_volume(self, text: str):
        """Show how large the reach is, or why it is not known; empty for nothing."""
        self.progress.show_busy(False)
        self.volume.setText(text)
        self.volume.setVisible(bool(text))

    def show_nothing(self, text: str = ""):
        """Nothing is drawn; `text` may say why."""
        self._legend.hide()
        self.drawn.hide()
        self.clear.setEnabled(False)
        self._enable_look()
        self.result.setText(text)
        self.show_volume("")

    def set_theme(self, tokens):
        """Colours of the legend."""
        self._legend.set_theme(tokens)


def reach_words(ways: int, volumes: Sequence[ReachVolume]) -> str:
    """Return the volume as text, of two also the second, without contacts; for none, the curve or surface of the tool's motion.

    The tool can move in `ways` directions.
    """
    if not volumes:
        what = {2: "on a surface, so it reaches no volume", 1: "along a curve, so it reaches neither volume nor area"}
        return f"The tool moves {what[ways]}." if ways in what else ""
    kind = "Volume" if volumes[0].unit == "m³" else "Area"
    sizes = [f"{uncertain(volume.value, volume.error)} {volume.unit}" for volume in volumes]
    return f"{kind} reached by the tool: {', '.join(sizes)}{' without contacts' * (len(sizes) > 1)}"
