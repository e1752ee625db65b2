"""Identification with known truth: exact data give exact parameters, noise gives the σ that is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from tests.engine.identification_data import moved


def heavier(robot, mass: float = 1.3, viscous: float = 2.0, coulomb: float = 1.5):
    """The same arm with other masses and friction."""
    bodies = []
    for body in robot.bodies:
        friction = replace(
            body.friction,
            viscous=viscous * (body.friction.viscous or 0.5),
            coulomb=tuple(coulomb * (each or 0.4) for each in body.friction.coulomb),
        )
        bodies.append(replace(body, mass=mass * body.mass, inertia=mass * body.inertia, friction=friction))
    return replace(robot, bodies=tuple(bodies))


@pytest.mark.parametrize("name", ["puma560", "ur10", "panda"])
def test_exact_data_give_the_base_parameters(name):
    file = engine.load_robot(name)
    true = heavier(file)
    found = engine.identify(moved(true), file, validation=moved(true, seed=7))
    truth = found.unknowns.values(true)
    assert np.abs(found.base.values - truth).max() <= 1e-8 * np.abs(truth).max()
    assert np.abs(found.base.prior - truth).max() > 0.1 * np.abs(truth).max()
    assert (found.residual.percent < 1e-6).all() and (found.residual.model > 1e-2 * found.residual.training).all()
