"""The workspace dock: what to sample and how to show it, how far it is, how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QPushButton, QWidget

from armature.app.state.units import grouped, uncertain
from armature.app.widgets.colour_legend import ColourLegend
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady
from armature.app.workspace.reach_look import ReachLook
from armature.app.workspace.sampling_form import SamplingForm
from armature.app.workspace.surfaces_section import SurfacesSection

if TYPE_CHECKING:
    from armature.engine import ReachVolume

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
