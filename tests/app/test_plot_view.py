"""Plots: round numbers on the axes, thinning that loses no peak, and work only for what can be seen."""

from __future__ import annotations

import numpy as np
import pytest

from app.panels.plot_view import PlotView, thinned
from app.theme import LIGHT
from app.widgets.on_screen import on_screen
from app.widgets.ticks import ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "values", "decimals"),
    [
        (0.0, 10.0, 5, [0, 2, 4, 6, 8, 10], 0),
        (-1.06, 1.06, 4, [-1, 0, 1], 0),
        (0.0, 0.3, 3, [0, 0.1, 0.2, 0.3], 1),
        (97.2, 107.2, 2, [100, 105], 0),
        (-1e-3, 1e-3, 2, [-1e-3, 0, 1e-3], 3),
    ],
)
def test_ticks_are_round(low, high, most, values, decimals):
    found, digits = ticks(low, high, most)
    assert found == pytest.approx(values)
    assert digits == decimals


def test_thinning_keeps_every_peak_and_does_nothing_to_few_samples():
    t = np.linspace(0, 10, 4000)
    values = np.column_stack([np.sin(40 * t), np.zeros_like(t)])
    values[1234, 1] = 7.0
    thin_t, thin = thinned(t, values, 0.1)
    assert len(thin_t) == len(thin) <= 2 * 101
    assert thin.max(axis=0) == pytest.approx(values.max(axis=0))
    assert thin.min(axis=0) == pytest.approx(values.min(axis=0))
    assert (np.diff(thin_t) >= 0).all()
    few_t, few = thinned(t[:50], values[:50], 0.001)
    assert np.array_equal(few_t, t[:50]) and np.array_equal(few, values[:50])
    assert len(thinned(t[:0], values[:0], 0.1)[0]) == 0


def test_a_plot_draws_its_curves_and_leaves_out_what_is_switched_off(qtbot):
    view = PlotView("q", "Position")
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.set_theme(LIGHT)
    view.set_curves(["#ff0000", "#00ff00"])
    t = np.linspace(0, 5, 300)
    view.show_data(t, np.column_stack([np.sin(t), np.cos(t)]), [True, False], 10.0)
    image = view.grab().toImage().convertToFormat(view.grab().toImage().Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)
    blue, green, red = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    assert ((red > 150) & (green < 100) & (blue < 100)).sum() > 50
    assert not ((green > 150) & (red < 100) & (blue < 100)).any()


def test_a_panel_behind_another_tab_costs_nothing_until_it_is_brought_up(window, wait_for):
    window.docks.bring_up("recording")
    wait_for(lambda: not on_screen(window.plots))
    window.actions_["run"].trigger()
    wait_for(lambda: len(window.plots._history) > 10)
    plot = window.plots._views["q"]
    assert window.plots.isVisible() and len(plot.t) == 0
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    window.docks.bring_up("plots")
    wait_for(lambda: len(plot.t) > 10)
