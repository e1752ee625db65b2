"""`check`: identities and peers on one robot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from armature.engine.checks.peer_checks import FORWARD, MuJoCo, Pinocchio
from armature.engine.dynamics.centre_of_mass import com_jacobian
from armature.engine.dynamics.coriolis import coriolis_matrix
from armature.engine.dynamics.derivatives import forward_dynamics_derivatives, rnea_derivatives
from armature.engine.dynamics.energy import kinetic_energy, potential_energy
from armature.engine.dynamics.forward import forward_dynamics
from armature.engine.dynamics.lagrange import lagrange_terms
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import gravity_torque, rnea
from armature.engine.dynamics.regressor import parameters, regressor
from armature.engine.dynamics.rnea_steps import link_loads
from armature.engine.dynamics.uncompiled import inertia_cause
from armature.engine.errors import EngineError
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.kinematics.poses import body_axes, frame_pose, link_poses
from armature.engine.model.robot import Robot
from armature.engine.reach.random_states import DIFFERENCES, States, deviation, random_states, rate, sizes, slope

EXACT = 1e-9  # bound of rounding errors
DIFFERENCED = 1e-6  # bound of the errors of central differences


def rotations(robot: Robot, s: States) -> float:
    R = link_poses(robot, s.q)[..., :3, :3]
    return deviation(R @ np.swapaxes(R, -1, -2), np.broadcast_to(np.eye(3), R.shape))


def jacobian_slope(robot: Robot, s: States) -> float:
    worst = 0.0
    for name in robot.frames:
        J, X = jacobian(robot, s.q, name), frame_pose(robot, s.q, name)
        dX = slope(lambda q, name=name: frame_pose(robot, q, name), s.q)
        spin = np.einsum("kijn,klj->kiln", dX[:, :3, :3], X[:, :3, :3])
        angular = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        worst = max(worst, deviation(np.concatenate([dX[:, :3, 3], angular], axis=1), J, scale=min(1.0, robot.reach)))
    return worst


def jacobian_rate(robot: Robot, s: States) -> float:
    worst = 0.0
    for name in robot.frames:
        slopes = rate(lambda q, name=name: jacobian(robot, q, name), (s.q, s.qd))
        worst = max(worst, deviation(slopes, jacobian_dot(robot, s.q, s.qd, name), scale=min(1.0, robot.reach)))
    return worst


def positive_mass(robot: Robot, s: States) -> float:
    M = mass_matrix(robot, s.q)
    lowest = np.linalg.eigvalsh(M)[:, 0]
    if not (lowest > 0).all():
        pose = ", ".join(f"{x:.3g}" for x in s.q[int(np.argmin(lowest))])
        raise EngineError(f"the mass matrix is not positive definite: it has the eigenvalue {lowest.min():.3g} at q = ({pose})")
    return deviation(M, np.swapaxes(M, 1, 2))


def mass_columns(robot: Robot, s: States) -> float:
    N, n = s.q.shape
    rest, g = np.zeros((N * n, n)), gravity_torque(robot, s.q)
    pushed = rnea(robot, np.repeat(s.q, n, axis=0), rest, np.tile(np.eye(n), (N, 1))).reshape(N, n, n)
    return deviation(mass_matrix(robot, s.q), np.swapaxes(pushed - g[:, None, :], 1, 2), sizes(g))


def terms(robot: Robot, s: States) -> float:
    M, C, g = mass_matrix(robot, s.q), coriolis_matrix(robot, s.q, s.qd), gravity_torque(robot, s.q)
    parts = [np.einsum("kij,kj->ki", M, s.qdd), np.einsum("kij,kj->ki", C, s.qd), g]
    return deviation(sum(parts), rnea(robot, s.q, s.qd, s.qdd), sizes(*parts))


def _round_trip(robot: Robot, s: States, method: str) -> float:
    free = robot.without_friction()
    qdd = forward_dynamics(free, s.q, s.qd, s.tau, method=method)
    inertial = np.einsum("kij,kj->ki", np.abs(mass_matrix(robot, s.q)), np.abs(qdd))
    return deviation(rnea(robot, s.q, s.qd, qdd), s.tau, sizes(inertial))


def forward_by_composite_bodies(robot: Robot, s: States) -> float:
    return _round_trip(robot, s, "crba")


def forward_by_articulated_bodies(robot: Robot, s: States) -> float:
    return _round_trip(robot, s, "aba")


def skew_coriolis(robot: Robot, s: States) -> float:
    Mdot = rate(lambda q: mass_matrix(robot, q), (s.q, s.qd))
    S = Mdot - 2 * coriolis_matrix(robot, s.q, s.qd)
    return deviation(S, -np.swapaxes(S, 1, 2), np.maximum(sizes(Mdot), sizes(mass_matrix(robot, s.q))))


def lagrange(robot: Robot, s: States) -> float:
    theirs = lagrange_terms(robot, s.q, s.qd)
    g = gravity_torque(robot, s.q)
    c = rnea(robot, s.q, s.qd, np.zeros_like(s.q)) - g
    scale = sizes(s.tau, g, c)
    return max(deviation(mass_matrix(robot, s.q), theirs.M), deviation(c, theirs.c, scale), deviation(g, theirs.g, scale))


def gravity_slope(robot: Robot, s: States) -> float:
    g = gravity_torque(robot, s.q)
    return deviation(slope(lambda q: potential_energy(robot, q), s.q), g, sizes(s.tau))


def kinetic(robot: Robot, s: States) -> float:
    E = np.einsum("ki,kij,kj->k", s.qd, mass_matrix(robot, s.q), s.qd) / 2
    return deviation(np.asarray(kinetic_energy(robot, s.q, s.qd)), E)


def power(robot: Robot, s: States) -> float:
    tau = rnea(robot, s.q, s.qd, s.qdd)
    change = rate(lambda q, qd: kinetic_energy(robot, q, qd), (s.q, s.qd), (s.qd, s.qdd))
    change = change + rate(lambda q: potential_energy(robot, q), (s.q, s.qd))
    return deviation(change, np.sum(tau * s.qd, axis=1), np.sum(np.abs(tau * s.qd), axis=1))


def linear_in_parameters(robot: Robot, s: States) -> float:
    rotor = np.diag([body.rotor_inertia for body in robot.bodies])
    rotor = rotor if robot.coupling is None else robot.coupling.matrix(rotor)
    tau = regressor(robot, s.q, s.qd, s.qdd) @ parameters(robot) + s.qdd @ rotor
    return deviation(tau, rnea(robot, s.q, s.qd, s.qdd), sizes(s.tau))


def inverse_slopes(robot: Robot, s: States) -> float:
    ours = rnea_derivatives(robot, s.q, s.qd, s.qdd)
    q, qd, qdd = (np.repeat(x, robot.n * DIFFERENCES, axis=0) for x in (s.q, s.qd, s.qdd))
    dq = slope(lambda x: rnea(robot, x, qd, qdd), s.q)
    dqd = slope(lambda x: rnea(robot, q, x, qdd), s.qd)
    scale = sizes(rnea(robot, s.q, s.qd, s.qdd))
    return max(deviation(ours.dq, dq, scale), deviation(ours.dqd, dqd, scale), deviation(ours.dqdd, mass_matrix(robot, s.q)))


def forward_slopes(robot: Robot, s: States) -> float:
    free = robot.without_friction()
    qdd = forward_dynamics(free, s.q, s.qd, s.tau)
    ours, inverse = forward_dynamics_derivatives(free, s.q, s.qd, s.tau), rnea_derivatives(free, s.q, s.qd, qdd)
    M = np.abs(inverse.dqdd)
    residuals = [
        (inverse.dqdd @ ours.dq, -inverse.dq, M @ np.abs(ours.dq)),
        (inverse.dqdd @ ours.dqd, -inverse.dqd, M @ np.abs(ours.dqd)),
        (inverse.dqdd @ ours.dtau, np.broadcast_to(np.eye(robot.n), M.shape), M @ np.abs(ours.dtau)),
    ]
    return max(deviation(made, wanted, sizes(scale)) for made, wanted, scale in residuals)


def loads(robot: Robot, s: States) -> float:
    tree, q, qd, qdd = robot.tree, s.q, s.qd, s.qdd
    if robot.coupling is not None:
        q, qd, qdd = robot.coupling.position(q), robot.coupling.rate(qd), robot.coupling.rate(qdd)
    load, axes = link_loads(tree, q, qd, qdd), np.stack([body_axes(tree, x)[0] for x in q])
    along = np.where(tree.prismatic, np.sum(axes * load[..., :3], axis=2), np.sum(axes * load[..., 3:], axis=2))
    rotor = np.array([body.rotor_inertia for body in tree.bodies])
    return deviation(along + rotor * qdd, rnea(tree, q, qd, qdd), sizes(load))


def gravity_through_com(robot: Robot, s: States) -> float:
    mass = sum(body.mass for body in robot.bodies)
    if mass == 0:
        return 0.0
    pull = -mass * np.einsum("i,kij->kj", robot.gravity, com_jacobian(robot, s.q))
    return deviation(pull, gravity_torque(robot, s.q), sizes(s.tau))


KINEMATICS = (
    ("rotations are orthonormal", EXACT, rotations),
    ("the Jacobian is the derivative of the pose, for every frame", DIFFERENCED, jacobian_slope),
    ("the Jacobian rate equals the time derivative of the Jacobian, for every frame", DIFFERENCED, jacobian_rate),
)
DYNAMICS = (
    ("the mass matrix is symmetric and positive definite", EXACT, positive_mass),
    ("each column of the mass matrix equals inverse dynamics of a unit acceleration", EXACT, mass_columns),
    ("inverse dynamics is M qdd + C qd + g", EXACT, terms),
    ("forward dynamics inverts inverse dynamics (composite bodies)", EXACT, forward_by_composite_bodies),
    ("forward dynamics inverts inverse dynamics (articulated bodies)", EXACT, forward_by_articulated_bodies),
    ("Mdot − 2C is skew-symmetric", DIFFERENCED, skew_coriolis),
    ("Lagrange equals Newton–Euler: M, c and g", EXACT, lagrange),
    ("gravity torque is the gradient of potential energy", DIFFERENCED, gravity_slope),
    ("gravity torque equals total weight times centre-of-mass Jacobian", EXACT, gravity_through_com),
    ("kinetic energy is half qd · M qd", EXACT, kinetic),
    ("rate of total energy equals motor power", DIFFERENCED, power),
    ("joint reaction along the joint's axis equals joint torque", EXACT, loads),
    ("torque is linear in masses, first moments and inertias", EXACT, linear_in_parameters),
    ("derivatives of inverse dynamics", DIFFERENCED, inverse_slopes),
    ("derivatives of forward dynamics", EXACT, forward_slopes),
)
# Checks that are undefined if a joint moves no inertia.
NEED_INERTIA = (positive_mass, forward_by_composite_bodies, forward_by_articulated_bodies, forward_slopes)


OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
_REFUSALS = (ValueError, RuntimeError)  # raised by peers for models that they do not support


@dataclass(frozen=True)
class CheckResult:
    """Result of one check of `check`.

    `name`: name of the check. `error`: largest relative error over the states, None if not computed; the check passes if it is
    below `bar`. `status`: "ok", "FAILED" or "skipped"; `note`: reason why it was skipped or failed, else "".
    """

    name: str
    error: float | None
    bar: float
    status: str
    note: str = ""


def check(robot: Robot, states: int = 20, seed: int = 0) -> Iterator[CheckResult]:
    """Check the engine on a robot and yield one result after another.

    Identities that need no reference (for example, forward dynamics inverts inverse dynamics, Lagrange equals Newton–Euler, the
    rate of energy equals motor power), then comparisons with Pinocchio and MuJoCo if installed, at random states within the
    limits.

    Args:
        states: number of random states, at least 1.
        seed: seed of the random states.

    Returns:
        An iterator of `CheckResult`, each computed when it is read.

    Raises:
        EngineError: `states` is below 1.
    """
    if states < 1:
        raise EngineError(f"check: states must be 1 or more, got {states}")
    return _checks(robot, states, seed)


def _checks(robot: Robot, count: int, seed: int) -> Iterator[CheckResult]:
    s, cause = random_states(robot, count, seed), inertia_cause(robot)
    for name, bar, identity in KINEMATICS:
        yield _result(name, bar, partial(identity, robot, s))
    if robot.has_dynamics:
        for name, bar, identity in DYNAMICS:
            if robot.coupling is not None and "articulated" in name:
                yield CheckResult(name, None, bar, SKIPPED, "the method does not support mimic joints")
            elif cause and identity in NEED_INERTIA:
                yield CheckResult(name, None, bar, SKIPPED, cause)
            else:
                yield _result(name, bar, partial(identity, robot, s))
    else:
        yield CheckResult("all checks of dynamics", None, EXACT, SKIPPED, "the robot has no masses")
    tree = robot.tree
    on_tree = s if robot.coupling is None else random_states(tree, count, seed)
    for peer in (Pinocchio, MuJoCo):
        yield from _peer_checks(peer, tree, on_tree, cause)


def _peer_checks(peer: type[Pinocchio] | type[MuJoCo], robot: Robot, s: States, cause: str) -> Iterator[CheckResult]:
    try:
        other = peer(robot, s)
    except ImportError:
        yield CheckResult(f"comparison with {peer.name}", None, EXACT, SKIPPED, f"{peer.name} is not installed")
        return
    except _REFUSALS as error:
        reason = " ".join(str(error).split())
        yield CheckResult(f"comparison with {peer.name}", None, EXACT, SKIPPED, f"{peer.name} cannot load this robot: {reason}")
        return
    for name, compare in other.kinematics() + (other.dynamics() if robot.has_dynamics else []):
        if cause and name == FORWARD:
            yield CheckResult(f"{name} as {peer.name}", None, EXACT, SKIPPED, cause)
        else:
            yield _result(f"{name} as {peer.name}", EXACT, compare)


def _result(name: str, bar: float, measure: Callable[[], float]) -> CheckResult:
    try:
        error = measure()
    except EngineError as problem:
        return CheckResult(name, None, bar, FAILED, str(problem))
    if not math.isfinite(error):
        return CheckResult(name, None, bar, FAILED, "the result is not a finite number")
    return CheckResult(name, error, bar, OK if error <= bar else FAILED)
