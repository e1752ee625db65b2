"""What algorithms cost as an arm gets longer: operations counted, time measured, drawn as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.dynamics.methods.page import MethodsPage
from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.state.units import UNKNOWN, grouped, number

if TYPE_CHECKING:
    from armature.engine.dynamics.algorithm_cost import AlgorithmCost

NAMES = ("Newton–Euler: τ, O(n)", "Composite bodies: M, O(n²)", "Lagrange: τ, O(n³)")
TIP = "Count operations and measure times of the three algorithms on serial arms of 2 to 50 joints, in the background"
WORDS = "Serial arms with 2 to 50 revolute joints: number of multiplications and additions, and time on this computer."


class CostPage(MethodsPage):
    """`costs` grow while it computes."""

    def __init__(self):
        counted = PlotView("cost_operations", "Operations", log=True, log_x=1.0, across="joints")
        timed = PlotView("cost_time", "Time", log=True, log_x=1.0, across="joints")
        super().__init__("cost", WORDS, TIP, NAMES, "Exponent", (counted, timed))
        self.costs: tuple[AlgorithmCost, ...] = ()

    def show_costs(self, costs: tuple[AlgorithmCost, ...]) -> None:
        """Of the arms measured so far."""
        self.costs = costs
        self.draw()

    def draw(self) -> None:
        """The curves that are there."""
        costs, counted, timed = self.costs, *self.plots
        self.show_titles("Operations over n", "Time over n  [µs]")
        if len(costs) < 2:
            self.show_numbers([UNKNOWN] * len(NAMES))
            for plot in self.plots:
                plot.show_curves([], 1.0, "Press “Compare” to see curves")
            return
        from armature.engine.dynamics.algorithm_cost import growth  # numba: not before the window is on screen

        x = np.log10([cost.n for cost in costs])
        for plot, values in (
            (counted, np.array([cost.operations for cost in costs], float)),
            (timed, 1e6 * np.array([cost.seconds for cost in costs])),
        ):
            curves = [
                Curves(x, np.log10(values[:, k : k + 1]), (name,), (self.tokens.series[k],)) for k, name in enumerate(NAMES)
            ]
            plot.show_curves(curves, float(x[-1] - x[0]))
        self.show_numbers([f"n^{number(power, 2)}" for power in growth(costs)])
        last = costs[-1]
        ratio = last.operations[2] / last.operations[0]
        counts = ", ".join(grouped(count) for count in last.operations)
        self.sentence.setText(
            f"{last.n} joints: {counts} operations; Lagrange needs {number(ratio, 1)} times as many as Newton–Euler."
            " The exponents approach 1, 2 and 3 for long arms."
        )
