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
        (("heavy",), "Payload: mass must be a finite number ≥ 0 kg, got 'heavy'"),
        ((float("nan"),), "Payload: mass must be a finite number ≥ 0 kg, got nan"),
        ((1.2, [0, 0, 0], [1, 1, 1]), "Payload: inertia must be a finite 3×3 matrix in kg·m² about the com, got [1, 1, 1]"),
        ((1.2, [0, 0, 0], np.eye(1)), "Payload: inertia must be a finite 3×3 matrix in kg·m² about the com, got [[1.0]]"),
    ],
)  # fmt: skip
def test_a_figure_of_another_shape_is_one_line(arguments, says):
    with pytest.raises(engine.DimensionError) as problem:
        engine.Payload(*arguments)
    assert str(problem.value) == says


def test_a_payload_no_body_can_be_is_one_line():
    robot = engine.load_robot("scara")
    for hold in (engine.Payload, robot.with_payload):
        with pytest.raises(engine.EngineError, match=r"inertia \[\[-1.0, 0.0, .* has a negative principal moment") as problem:
            hold(1.0, [0, 0, 0], np.diag([-1.0, 1.0, 1.0]))
        assert "\n" not in str(problem.value)
        with pytest.raises(engine.EngineError, match=r"mass.*-1"):
            hold(-1)
