"""The dock that compares runs of a trajectory with known, without and with unknown payload."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from armature.app.plots.curve_table import CurveTable
from armature.app.plots.curves import Curves
from armature.app.plots.plot_bands import phase_bands
from armature.app.plots.plot_view import PlotView
from armature.app.plots.titled_plot import TitledPlot, link_plots
from armature.app.state.evented import Binder, on
from armature.app.state.units import significant
from armature.app.state.window_state import WindowState
from armature.app.trajectory.comparison.comparison_model import TIP, TITLE, ComparisonModel
from armature.app.widgets.computing.computing_panel import ComputingPanel
from armature.app.widgets.controls import Act, choice, fill, form, named, row
from armature.app.widgets.section import note

RUNS = {"with": "With known payload", "without": "Without payload", "unknown": "With unknown payload"}
COLOURS, STYLES = ("0", "2", "1"), (0, 0, 1)  # the unknown payload is often on top of the known one
COLUMNS = {"Torque": "Largest torque of the joint", "Error": "Largest tracking error of the joint"}
EMPTY = "Press “Compare” to plot the torque", "Press “Compare” to plot the difference"
TITLES = "Torque", "Difference from known payload"


class ComparisonPanel(ComputingPanel):
    """Selected joint, table of the runs with the colours of their curves, and below each other the torque of the joint in the
    three runs and the differences from the run with the known payload."""

    def __init__(self, model: ComparisonModel, state: WindowState, compute: Act, cancel: Act):
        super().__init__("load", (TITLE, TIP, "Stop the computation"), compute, cancel, "load_compare")
        self._model, self._state = model, state
        self.joint = choice("load_joint", "Joint shown", {})
        self.joint.currentIndexChanged.connect(lambda k: setattr(model, "joint", max(k, 0)))
        names = [(f"load_{run}_torque", f"load_{run}_error") for run in RUNS]
        self._table = CurveTable(dict(zip(RUNS.values(), COLOURS)), COLUMNS, names)
        self.torque, self.difference = PlotView("load_torque", "Torque"), PlotView("load_difference", "Difference")
        self._plots = TitledPlot(self.torque, "Torque"), TitledPlot(self.difference, "Difference")
        link_plots(self.torque, self.difference)
        self.sentence = named(note(), "load_sentence")
        head, plots = form((("Joint", row(self.joint, None, self.compute, self.cancel, spacing=4)),)), QWidget()
        fill(plots, *self._plots, spacing=1, stretches=(1, 1))
        self.lay_out("Comparison of payloads", (head, self.progress, self._table, self.sentence), plots)

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        model, state = self._model, self._state
        views.bind(self._show_joints, on(model.trajectory, "robot"))
        views.bind(self._show, on(model, "found", "joint", "note"), on(model.trajectory, "robot", "preview"), on(state, "units"))
        views.bind(self._draw, on(model, "found", "joint"))

    def show_cursor(self, t: float | None) -> None:
        """Show a line at time t of a run in s, None for none."""
        for plot in (self.torque, self.difference):
            plot.show_cursor(t)

    def _show_joints(self) -> None:
        self.joint.clear()
        self.joint.addItems(self._model.trajectory.robot.joint_names)

    def _show(self) -> None:
        model, units = self._model, self._state.units
        found, joint, slides = model.found, model.joint, model.is_prismatic
        self.compute.setEnabled(not model.why_not)
        self.compute.setToolTip(model.why_not or TIP)
        self.sentence.setText(model.text(units))
        self.joint.setCurrentIndex(joint)
        texts = [["–", "–"]] * len(RUNS)
        if found is not None:
            peaks = zip(found.peak_torque[:, joint].tolist(), (found.peak_error[:, joint] * units.factor(slides)).tolist())
            texts = [
                [f"{significant(torque, 3)} {model.torque_unit}", f"{significant(error, 3)}{units.suffix(slides)}"]
                for torque, error in peaks
            ]
        self._table.show_numbers(texts)

    def _draw(self) -> None:
        found, joint = self._model.found, self._model.joint
        for titled, title, hint in zip(self._plots, TITLES, EMPTY):
            titled.view.bands = () if found is None else phase_bands(found.phases)
            titled.show_title("" if found is None else f"{title}, {found.joint_names[joint]}  [{self._model.torque_unit}]")
            if found is None:
                titled.view.show_curves([], 1.0, hint)
        if found is None:
            return
        for plot, values, first in ((self.torque, found.tau, 0), (self.difference, found.difference, 1)):
            curves = [
                Curves(found.t, np.array(values[k, :, joint : joint + 1]), (title,), (COLOURS[k],), STYLES[k])
                for k, title in enumerate(RUNS.values())
            ]
            plot.show_curves(curves[first:], float(found.t[-1]))
