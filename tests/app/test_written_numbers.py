"""How numbers are written: no digits of rounding, as many digits as are known."""

from __future__ import annotations

import math

import numpy as np

from armature.app.dynamics.heat_map import HeatMap
from armature.app.dynamics.torque_bars import TERMS, TorqueBars
from armature.app.plots.curves import Curves, number
from armature.app.plots.plot_reading import readings
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units, ends, measured, significant, uncertain
from armature.app.widgets.colour_legend import ColourLegend


def test_values_below_the_rounding_of_their_scale_are_zero():
    assert [significant(x) for x in (-0.0, 0.0, 1e-17, -2.5)] == ["0", "0", "1e−17", "−2.5"]
    assert [significant(x, scale=12.0) for x in (-1.776e-15, 1e-11)] == ["0", "1e−11"]
    assert (
        ends(1.96e-8, 0.0912) == ("0", "0.0912")
        and ends(-3e-3, 0.2) == ("−0.003", "0.2")
        and ends(-3e-4, 0.2)[0] == "0"
        and ends(-1e-17, 0.0) == ("−1e−17", "0")
    )
    assert [Units().short(x, False) for x in (5e-11, -5e-11, 0.5)] == ["0°", "0°", "28.6°"]
    assert [number(x, 2) for x in (-0.001, -0.0, -0.01)] == ["0.00", "0.00", "−0.01"]
    curves = [Curves(np.arange(3.0), np.array([[0, 1.0], [3e-17, 2.0], [0, 3.0]]), ("a", "b"), ("red", "blue"))]
    assert [text for *_, text in readings(curves, 1.0, False, "", (0.0, 2.0, -0.1, 3.1))] == ["a  0", "b  2"]


def test_a_measured_number_keeps_the_zeros_at_its_end():
    assert [measured(x, 3) for x in (0.1898, 5.0, 123.0, 1000.0, 1e-7, 0.0)] == [
        "0.190",
        "5.00",
        "123",
        "1.00e+03",
        "1.00e−07",
        "0",
    ]
    assert [measured(x) for x in (-0.12, math.inf, math.nan)] == ["−0.1200", "∞", "–"]


def test_a_half_is_written_alike_whichever_way_it_was_computed():
    assert {number(x, 4) for x in (-0.15005, -0.15005000000000002, -0.15004999999999996)} == {"−0.1500"}
    assert number(0.150051, 4) == "0.1501"


def test_a_value_is_as_fine_as_its_error():
    pairs = (2.52, 0.009), (2.5204, 0.0096), (-0.5, 0.03), (812.3, 14.0), (1.0, 0.0)
    assert [uncertain(*pair) for pair in pairs] == ["2.520 ± 0.009", "2.520 ± 0.010", "−0.50 ± 0.03", "812 ± 14", "1 ± 0"]
    assert uncertain(2.3, 0.012, 2) == "2.300 ± 0.012"


def test_bars_maps_and_legends_have_no_digits_of_rounding(qtbot):
    bars, heat, legend = TorqueBars(), HeatMap("Mass matrix"), ColourLegend()
    for widget in (bars, heat, legend):
        qtbot.addWidget(widget)
    bars.set_joints(("shoulder", "elbow"), np.zeros(2, bool), np.full(2, np.inf), np.full(2, 50.0))
    terms = {name: np.zeros(2) for name in TERMS} | {"gravity": np.array([12.5, 1e-15]), "friction": np.array([-1.776e-15, -0.3])}
    bars.show_terms(terms, np.array([12.5, -0.3]))
    assert "friction = 0 N·m" in bars.text(0) and "\ng = 0 N·m" in bars.text(1) and "friction = −0.3 N·m" in bars.text(1)
    heat.set_shape(("a", "b"), (("kg·m²",) * 2,) * 2)
    heat.show_values(np.array([[2.0, -3e-17], [-3e-17, 1.0]]))
    assert heat.text(0, 1) == "a, b: 0 kg·m²" and heat.values[0, 1] == 0.0
    legend.show_range("Manipulability", 1.96e-8, 0.0912)
    assert legend.accessibleDescription() == "Manipulability from 0 to 0.0912"


def test_messages_begin_with_a_capital_and_names_as_they_are_written():
    assert sentence("the arm is singular") == "The arm is singular."
    assert sentence("self-motion, as in a file") == "Self-motion, as in a file."
    assert sentence("joints[2].limits_deg has no end") == "joints[2].limits_deg has no end."
    assert sentence("panda: q must be 7 numbers.") == "panda: q must be 7 numbers."
    assert sentence("") == ""
