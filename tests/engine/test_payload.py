"""Figures of a payload that are none are one line, where the payload is made."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((1.2, [0, 0]), "Payload: com [x, y, z] in m must be three finite numbers, got [0, 0]"),
        ((1.2, 0.1), "Payload: com [x, y, z] in m must be three finite numbers, got 0.1"),
        ((1.2, [0, 0, "a"]), "Payload: com [x, y, z] in m must be three finite numbers, got [0, 0, 'a']"),
        (("heavy",), "Payload: mass must be a finite number in kg, got 'heavy'"),
        ((float("nan"),), "Payload: mass must be a finite number in kg, got nan"),
        ((1.2, [0, 0, 0], [1, 1, 1]), "Payload: inertia must be a finite 3×3 matrix in kg·m² about the com, got [1, 1, 1]"),
        ((1.2, [0, 0, 0], np.eye(1)), "Payload: inertia must be a finite 3×3 matrix in kg·m² about the com, got [[1.0]]"),
    ],
)  # fmt: skip
def test_a_figure_of_another_shape_is_one_line(arguments, says):
    with pytest.raises(engine.DimensionError) as problem:
        engine.Payload(*arguments)
    assert str(problem.value) == says


def test_a_payload_no_body_can_be_is_one_line_where_it_is_held():
    robot = engine.load_robot("scara")
    with pytest.raises(engine.ModelError, match=r"payload inertia must be .*, got \[\[-1.0, 0.0, 0.0\]") as problem:
        engine.Payload(1.0, [0, 0, 0], np.diag([-1.0, 1.0, 1.0])).held_by(robot)
    assert "\n" not in str(problem.value)
    with pytest.raises(engine.ModelError, match="payload mass -1 is not a finite number ≥ 0 kg"):
        engine.Payload(-1).held_by(robot)
