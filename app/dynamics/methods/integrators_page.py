"""Integrators compared on the arm on screen: energy error over time, and over the length of the step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel

from armature.app.dynamics.methods.page import MethodsPage
from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.state.units import UNKNOWN, significant
from armature.app.widgets.controls import choice

if TYPE_CHECKING:
    from armature.engine.simulation.runs.integrator_comparison import IntegratorComparison

NAMES = (
    "Euler, explicit",
    "Euler, semi-implicit (dashed)",
    "Implicit midpoint",
    "Runge–Kutta 4 (dashed)",
    "Gauss, order 6 (dots)",
)
TIMES = {0.001: "1 ms", 0.002: "2 ms", 0.005: "5 ms", 0.01: "10 ms", 0.02: "20 ms"}
TIP = "Simulate 2 s of free motion from the current pose with each integrator and six step sizes, in the background"
WORDS = "Without motors, friction and stops the energy is constant; any change is integration error. Starts at the current pose."
STYLES = (0, -1, 0, -1, -2)  # curves that are equal are all seen, the later ones over the first
LEAST = 1e-15  # J: less is rounding, and has no logarithm
MICRO = 1e6  # s


class IntegratorsPage(MethodsPage):
    """`found` is what was computed last."""

    def __init__(self):
        over_time = PlotView("integrator_error", "Energy error", log=True)
        over_step = PlotView("integrator_steps", "Energy error", log=True, log_x=1e-3, across="ms")
        dt = choice(
            "integrators_dt", "Time step of the left plot", TIMES, "Time step of the left plot, error over time", now=0.005
        )
        super().__init__("integrators", WORDS, TIP, NAMES, "Order", (over_time, over_step), (QLabel("Step"), dt))
        over_time.under, over_step.under = "time [s]", "step [ms]"
        self.dt = dt
        self.found: IntegratorComparison | None = None

    def show_runs(self, found: IntegratorComparison | None) -> None:
        """Curves and orders; None for none."""
        self.found = found
        self.draw()

    def draw(self) -> None:
        """The curves that are there."""
        found, (over_time, over_step) = self.found, self.plots
        if found is None:
            self.show_titles("Error over time", "Error over step size")
            self.show_numbers([UNKNOWN] * len(NAMES))
            for plot in self.plots:
                plot.show_curves([], 1.0, "Press “Compare” to see curves")
            return
        self.show_titles(
            f"|E(t) − E(0)| (J) against time (s), {significant(1e3 * found.dt)} ms steps",
            "Largest |E(t) − E(0)| (J) against step size (ms)",
        )
        self.show_numbers([significant(order, 2) for order in found.orders])
        over_time.show_curves(self._curves(found.t, found.error), float(found.t[-1]))
        x = np.log10(found.steps[::-1] * MICRO)
        over_step.show_curves(self._curves(x, found.worst[:, ::-1]), float(x[-1] - x[0]))
        lost = [name for name, row in zip(NAMES, found.worst) if np.isnan(row).any()]
        gone = f" {', '.join(lost)}: diverges with large steps." if lost else ""
        unclear = (np.isnan(found.orders) & ~np.isnan(found.worst).all(axis=1)).any()
        rounding = (
            f" {UNKNOWN}: order unknown, because almost all errors are rounding or as large as the motion." if unclear else ""
        )
        self.sentence.setText(
            f"Up to {significant(found.energy, 3)} J of kinetic energy. Order p: error proportional to dt^p.{rounding}{gone}"
        )

    def _curves(self, x: np.ndarray, rows: np.ndarray) -> list[Curves]:
        return [
            Curves(x, np.log10(np.maximum(row, LEAST))[:, None], (name,), (self.tokens.series[k],), STYLES[k])
            for k, (name, row) in enumerate(zip(NAMES, rows))
        ]
