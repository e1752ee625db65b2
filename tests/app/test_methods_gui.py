"""The Methods dock: integrators compared on the arm on screen, algorithms on longer and longer arms; cancelled and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.dynamics.methods.feature import MethodsFeature
from armature.app.widgets.on_screen import on_screen


def test_methods_are_compared_in_the_background(make_window, find, wait_for, click):
    window = make_window("double_pendulum", perspective="dynamics")
    window.docks.bring_up("methods")
    feature = window.features[MethodsFeature]
    integrators, cost, model = feature.panel.integrators, feature.panel.cost, feature.model
    wait_for(lambda: on_screen(integrators))
    window.document.edit(np.array([1.0, 0.4]))
    click(window, "integrators_compute")
    wait_for(lambda: integrators.cancel.isEnabled())
    click(window, "integrators_cancel")
    wait_for(lambda: not feature.integrating.busy)
    assert model.runs is None
    click(window, "integrators_compute")
    wait_for(lambda: model.runs is not None)
    over_time, over_step = integrators.plots
    assert [len(curves.x) for curves in over_time.curves] == [401] * 5
    assert np.allclose(over_step.curves[0].y[:, 0], np.log10(model.runs.worst[0, ::-1]))
    assert [curves.style for curves in over_step.curves] == [0, -1, 0, -1, -2]  # where two lie over each other both are seen
    assert find(window, "integrators_number_3").text().startswith("4")
    window.grab()  # the logarithmic axis is painted

    bar = feature.panel.bar
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    wait_for(lambda: on_screen(cost))
    click(window, "cost_compute")
    wait_for(lambda: len(model.costs) >= 2 and cost.plots[0].curves, 60)
    wait_for(lambda: not feature.counting.busy, 60)
    counted, timed = cost.plots
    assert len(counted.curves[0].x) == 13 and counted.curves[2].y[-1, 0] > 6 > 4.2 > counted.curves[0].y[-1, 0]
    assert np.isfinite(timed.curves[0].y).all() and find(window, "cost_number_0").text() in ("n^1.00", "n^1,00")
    window.grab()

    # curves that end where a method has lost the arm are drawn as far as they go
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
    window.document.open_robot("panda")
    window.document.edit(window.document.q + 0.3)
    click(window, "integrators_compute")
    wait_for(lambda: model.runs is not None, 60)
    assert np.isnan(model.runs.worst).any() and np.isfinite(over_step.view).all() and np.isfinite(over_time.view).all()
    window.grab()
    assert "large steps" in integrators.sentence.text()

    window.document.open_robot("irb140")
    window.bench.views.flush()
    assert not integrators.compute.isEnabled() and "mass" in integrators.sentence.text()
