"""The dock *Methods*: errors of integrators, and the cost of algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.dynamics.methods.methods_model import ALGORITHMS, FREE, INTEGRATORS, SERIAL, MethodsModel
from armature.app.plots.curve_table import CurveTable
from armature.app.plots.curves import Curves
from armature.app.plots.plot_view import PlotView
from armature.app.plots.titled_plot import TitledPlot
from armature.app.state.evented import Binder, on
from armature.app.state.units import UNKNOWN, number, significant
from armature.app.widgets.computing.computing_panel import ComputingPanel
from armature.app.widgets.controls import OptionForm, choice, named, row
from armature.app.widgets.section import note
from armature.app.widgets.tabbed_pages import TabbedPages

if TYPE_CHECKING:
    from armature.app.state.jobs import JobStatus
    from armature.app.widgets.controls import Act

    Acts = tuple[Act, Act]
    Data = tuple[np.ndarray, np.ndarray]

TIMES = {0.001: "1 ms", 0.002: "2 ms", 0.005: "5 ms", 0.01: "10 ms", 0.02: "20 ms"}
TIP = "Simulate 2 s of free motion from the current pose with each integrator and six step sizes, in the background"
COST_TIP = "Count operations and measure times of the three algorithms on serial arms of 2 to 50 joints, in the background"
STOP = "Stop the computation; earlier results remain"
EMPTY = "Press “Compare” to see curves"
STYLES = (0, -1, 0, -1, -2)  # curves that are equal are all seen, the later ones over the first
LEAST = 1e-15  # J: less is rounding, and has no logarithm
MICRO = 1e6  # s


class MethodsPage(ComputingPanel):
    """Curves of some methods in two plots, and a number of each in the column `head`."""

    def __init__(
        self, name: str, tips: tuple[str, str], curves: tuple[str, ...], head: str, plots: Sequence[PlotView], acts: Acts
    ):
        words, tip = tips
        super().__init__(name, (tip, tip, STOP), *acts)
        self._names, self.plots, self._titled = curves, plots, [TitledPlot(plot) for plot in plots]
        numbers = [(f"{name}_number_{k}",) for k in range(len(curves))]
        self._table = CurveTable({curve: str(k) for k, curve in enumerate(curves)}, {head: ""}, numbers)
        self.sentence = named(note(words), f"{name}_sentence")

    def arrange(self, *choices: QWidget) -> None:
        """Lay the page out, with these controls before the button *Compare*."""
        controls = row(*choices, self.compute, self.cancel, None, spacing=4)
        self.lay_out(self.sentence.text(), (controls, self.progress, self._table, self.sentence), *self._titled)

    def show_results(self, titles: Sequence[str], numbers: Sequence[str] = (), data: Sequence[Data] = ()) -> None:
        """Show titles, numbers, and for each plot x `(m,)` and one row of values `(m,)` per curve; by default none."""
        self._table.show_numbers([[text] for text in numbers or [UNKNOWN] * len(self._names)])
        for titled, title in zip(self._titled, titles, strict=True):
            titled.show_title(title)
            if not data:
                titled.view.show_curves([], 1.0, EMPTY)
        styles = STYLES if len(self._names) == len(STYLES) else (0,) * len(self._names)
        for plot, (x, rows) in zip(self.plots, data):
            curves = [
                Curves(x, values[:, None], (name,), (str(k),), styles[k])
                for k, (name, values) in enumerate(zip(self._names, rows))
            ]
            plot.show_curves(curves, float(x[-1] - x[0]))


class MethodsPanel(TabbedPages):
    """The two pages; `integrate` and `count` are Compare and Cancel of each."""

    def __init__(self, model: MethodsModel, integrate: Acts, count: Acts):
        self._model = model
        over_time = PlotView("integrator_error", "Energy error", log=True)
        over_step = PlotView("integrator_steps", "Energy error", log=True, log_x=1e-3, across="ms")
        over_time.under, over_step.under = "time [s]", "step [ms]"
        self.integrators = MethodsPage("integrators", (FREE, TIP), INTEGRATORS, "Order", (over_time, over_step), integrate)
        title = "Time step of the left plot"
        dt = choice("integrators_dt", title, TIMES, f"{title}, error over time")
        self._form = OptionForm({"dt": dt}, lambda name, value: setattr(model, name, value))
        self.integrators.arrange(QLabel("Step"), dt)
        counted = PlotView("cost_operations", "Operations", log=True, log_x=1.0, across="joints")
        timed = PlotView("cost_time", "Time", log=True, log_x=1.0, across="joints")
        self.cost = MethodsPage("cost", (SERIAL, COST_TIP), ALGORITHMS, "Exponent", (counted, timed), count)
        self.cost.arrange()
        super().__init__("methods_tabs", "Methods", {"Integrators": self.integrators, "Cost of algorithms": self.cost})

    def bind(self, views: Binder, integrating: JobStatus, counting: JobStatus) -> None:
        """Bind the views."""
        model, integrators, cost = self._model, self.integrators, self.cost
        integrators.follow(integrating, views)
        cost.follow(counting, views)
        views.bind(lambda: self._form.show(vars(model)), on(model, "dt"))
        views.bind(lambda: integrators.compute.setEnabled(not model.why_not), on(model, "why_not"))
        views.bind(lambda: cost.compute.setEnabled(not model.why_no_costs), on(model, "why_no_costs"))
        views.bind(lambda: integrators.sentence.setText(model.text), on(model, "runs", "note", "why_not"))
        views.bind(lambda: cost.sentence.setText(model.cost_text), on(model, "costs", "cost_note", "why_no_costs"))
        views.bind(self._show_runs, on(model, "runs"))
        views.bind(self._show_costs, on(model, "costs"))

    def _show_runs(self) -> None:
        found = self._model.runs
        if found is None:
            self.integrators.show_results(("Error over time", "Error over step size"))
            return
        titles = (
            f"|E(t) − E(0)| (J) against time (s), {significant(1e3 * found.dt)} ms steps",
            "Largest |E(t) − E(0)| (J) against step size (ms)",
        )
        error, worst = (np.log10(np.maximum(rows, LEAST)) for rows in (found.error, found.worst[:, ::-1]))
        data = (found.t, error), (np.log10(found.steps[::-1] * MICRO), worst)
        self.integrators.show_results(titles, [significant(order, 2) for order in found.orders], data)

    def _show_costs(self) -> None:
        costs, titles = self._model.costs, ("Operations over n", "Time over n  [µs]")
        if len(costs) < 2:
            self.cost.show_results(titles)
            return
        from armature.engine.dynamics.algorithm_cost import growth  # numba: not before the window is on screen

        x = np.log10([cost.n for cost in costs])
        operations, times = (np.log10(np.array([getattr(cost, name) for cost in costs]).T) for name in ("operations", "seconds"))
        exponents = [f"n^{number(power, 2)}" for power in growth(costs)]
        self.cost.show_results(titles, exponents, ((x, operations), (x, times + np.log10(MICRO))))
