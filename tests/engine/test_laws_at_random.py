"""Random arms with friction and stops under every law, integrator, control period and error of the model: what always holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.control_laws import NAMES
from armature.engine.model.body import Friction
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.stepper import Stepper
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS
from tests.chance import seeds
from tests.engine.trees import random_tree

STEPS, DT = 240, 1e-3


def stepper_of(seed: int, law: str, friction: bool) -> Stepper:
    """An arm on its way, held at the hand, which grasps and lets go; everything about it drawn by chance."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    robot = random_tree(seed, n, branching=False)
    q = rng.uniform(-0.5, 0.5, n)
    rubs = Friction(0.3, (0.4, 0.5), 0.6) if friction else Friction()
    robot = replace(
        robot,
        bodies=tuple(replace(body, friction=rubs, rotor_inertia=body.rotor_inertia + 0.05) for body in robot.bodies),
        q_min=q - rng.uniform(0.02, 0.3, n),
        q_max=q + rng.uniform(0.02, 0.3, n),
        tau_max=rng.uniform(5.0, 60.0, n),
    )
    way = engine.minimum_jerk([q, q + rng.uniform(-0.3, 0.3, n)], [0.15])
    way = replace(way, payloads=((0.0502, engine.Payload(0.5, rng.normal(size=3) * 0.1)), (0.1203, None)))
    period = [None, 0.0025, 0.004][seed % 3]
    controller = replace(engine.default_gains(robot, law, 10.0, q), period=period, saturate=seed % 4 != 3)
    stepper = Stepper(robot, q, None, DT, INTEGRATORS_IN_TURN[seed % len(INTEGRATORS)], ledger=True)
    stepper.set_controller(controller, robot.with_payload(rng.uniform(0, 1)), knows_payload=bool(seed % 2))
    stepper.set_trajectory(way)
    target = engine.frame_pose(robot, q)[:3, 3] + rng.normal(size=3) * 0.1
    stepper.set_pull(Pull(n - 1, rng.normal(size=3) * 0.1, target, 100.0, 5.0))
    return stepper


INTEGRATORS_IN_TURN = tuple(INTEGRATORS)
CASES = list(zip(seeds(3 * len(NAMES)), list(NAMES.values()) * 3, strict=True))


@pytest.mark.parametrize(("seed", "law"), CASES)
def test_motors_give_what_they_can_and_pacing_changes_nothing(seed, law):
    stepper, again, hand = stepper_of(seed, law, True), stepper_of(seed, law, True), np.random.default_rng(seed)
    whole = stepper.advance(STEPS)
    assert whole.divergence is None
    n = stepper.robot.n
    tau = whole.states[:, 1 + 3 * n :]
    if stepper.control.controller.saturate:
        assert (np.abs(tau) <= stepper.robot.tau_max).all()
    parts = []
    while again.steps < STEPS:
        parts.append(again.advance(int(min(hand.integers(1, 40), STEPS - again.steps))))
        if hand.random() < 0.3:
            again.sample()  # a look changes nothing
    for name in ("states", "side", "desired"):
        np.testing.assert_array_equal(getattr(whole, name), np.concatenate([getattr(part, name) for part in parts]))
    assert again.ledger() == stepper.ledger()


@pytest.mark.parametrize(("seed", "law"), CASES)
def test_the_energy_that_comes_is_the_energy_that_is_there(seed, law):
    """To 1e-6 of what is turned over with the best integrator; friction and stops only take."""
    stepper = stepper_of(seed, law, True)
    stepper.set_integrator("gauss6")
    stepper.advance(STEPS)
    ledger = stepper.ledger()
    turned = sum(abs(x) for x in (ledger.motor, ledger.friction, ledger.hand, ledger.stop, ledger.payload))
    assert abs(ledger.residual) <= 1e-6 * max(1.0, turned)
    assert ledger.friction <= 0 and ledger.stop <= 0 and turned > 1e-3


@pytest.mark.parametrize("seed", seeds(6))
def test_a_joint_that_is_stuck_stays_exactly_where_it_is(seed):
    """Stiction beyond everything that acts on one joint, while the others move; an impact at a stop would shake it loose."""
    stepper = stepper_of(seed, "torque", True)
    robot = stepper.bare
    stuck = seed % robot.n
    held = replace(robot.bodies[stuck], friction=Friction(0.0, (1e4, 1e4), 1e4))
    bodies = tuple(held if i == stuck else body for i, body in enumerate(robot.bodies))
    stepper.set_model(replace(robot, bodies=bodies).without_stops())
    stepper.set_torque(np.full(robot.n, 4.0))
    q = stepper.q.copy()
    states = stepper.advance(STEPS).states
    n = robot.n
    assert (states[:, 1 + stuck] == q[stuck]).all() and not states[:, 1 + n + stuck].any()
    assert stepper.qd[stuck] == 0 and np.abs(stepper.q - q).max() > 1e-3
