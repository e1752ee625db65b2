"""det J as a product: of the arms of the books as the books have it, each factor with a pose where it vanishes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.task import task_rows
from tests.engine.trees import random_tree

# factors by the names in their terms, in the order they are found; those that vanish within the limits
BOOKS = {
    "scara": ([{"s2"}], 1),
    "puma560": ([{"c3", "s3"}, {"s5"}, {"c2", "c23", "s23"}], 3),
    "stanford": ([{"s2"}, {"q3"}, {"s5"}], 2),
    "ur5": ([{"s3"}, {"s5"}, {"c2", "c23", "s234"}], 3),
    "irb140": ([{"c3"}, {"s5"}, {"", "c2", "s23"}], 3),
}


def det(robot, q) -> np.ndarray:
    return np.linalg.det(engine.jacobian(robot, q)[:, task_rows(robot)])


@pytest.mark.parametrize("name", BOOKS)
def test_factors_of_the_books(name):
    robot = engine.load_robot(name)
    names, zeros = BOOKS[name]
    D = engine.equations(robot).det_J
    found = [{"".join(f.name for f, _ in monomial) for monomial in factor.formula.terms()} for factor in D.factors]
    assert found == names
    assert [factor.power for factor in D.factors] == [2 if names[k] == {"q3"} else 1 for k in range(len(names))]
    q = np.random.default_rng(0).uniform(-2, 2, (100, robot.n))
    product = np.full(100, D.number(D.constant))
    for factor in D.factors:
        product *= factor.formula.evaluate(q) ** factor.power
    expected = det(robot, q)
    assert np.abs(product - expected).max() < 1e-11 * np.abs(expected).max()
    assert np.abs(D.evaluate(q) - expected).max() < 1e-12 * np.abs(expected).max()
    poses = [factor.q for factor in D.factors if factor.q is not None]
    assert len(poses) == zeros
    for q in poses:
        assert (q >= robot.q_min - 1e-9).all() and (q <= robot.q_max + 1e-9).all()
        assert engine.singularity(robot, q).rank < robot.n


def test_the_coefficients_are_lengths_of_the_table(puma):
    """a2, d4 and a3: det J = a2 (d4 c3 + a3 s3) s5 (a2 c2 + a3 c23 − d4 s23) for this table."""
    D = engine.equations(puma).det_J
    assert D.constant == pytest.approx(0.4318, rel=1e-11)
    sizes = [sorted(abs(value) for value in factor.formula.terms().values()) for factor in D.factors]
    assert sizes == [pytest.approx([0.0203, 0.4318]), [1.0], pytest.approx([0.0203, 0.4318, 0.4318])]
    assert D.sentence == "det J is a product of 3 factors; 3 of them vanish within the joint limits"
    assert D.factored_latex().startswith(r"0.4318 \, \left(0.4318 \, c_3 + 0.0203 \, s_3\right) \, s_5 \, \left(")


def test_the_lectures_scara_in_letters():
    D = engine.equations(engine.load_robot("scara")).det_J
    assert D.factored_latex() == r"-a_{1} \, a_{2} \, s_2" and D.latex() == r"-a_{1} \, a_{2} \, s_2"
    assert D.factors[0].q[1] == 0.0 and D.sentence == "det J has a single factor"
    rp = engine.equations(engine.load_robot("rp")).det_J
    assert rp.factored_latex() == r"-\left(d_{2} + q_2\right)" and rp.factors[0].q is None


def test_arms_without_factors_and_without_determinant():
    tree = random_tree(5, 6, branching=False)
    tree = replace(tree, bodies=tuple(replace(body, joint_type="revolute") for body in tree.bodies))
    D = engine.equations(tree).det_J
    assert D.sentence == "det J cannot be factored" and len(D.factors) == 1
    q = np.random.default_rng(1).uniform(-2, 2, (20, 6))
    assert np.abs(D.evaluate(q) - det(tree, q)).max() < 1e-11 * np.abs(det(tree, q)).max()
    with pytest.raises(engine.EngineError, match="7 joints for 6 task coordinates"):
        _ = engine.equations(engine.load_robot("panda")).det_J
