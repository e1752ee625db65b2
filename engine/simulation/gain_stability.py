"""`unstable_gains`: gains, or friction, that shake an arm because torque is held, or computed ahead, over a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from armature.engine.control.controller import Controller, LinearGains
from armature.engine.control.laws.computed_torque import ComputedTorque
from armature.engine.control.laws.impedance import Impedance
from armature.engine.control.laws.pd import KD, KP, PD
from armature.engine.control.laws.resolved_rate import ResolvedRate
from armature.engine.control.own_law.function_copy import copied_function
from armature.engine.control.own_law.law_run import Run
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import PythonLaw
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.errors import EngineError
from armature.engine.model.packed_model import VISCOUS
from armature.engine.model.robot import Robot
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS
from armature.engine.trajectory.trajectory import Trajectory

LOOKS = 33  # poses of a path that are checked
_GROWS = 1e-6  # more than 1, of the spectral radius: rounding of a double eigenvalue is less
_REMEDIED = 2e-7  # the same of a remedy, which may slow a growing motion down without stopping it
_LEAST = 1e-6  # factor of a remedy: smaller ones make every growth per step too small to be seen
_SINGULAR = 1e-12  # of the largest eigenvalue of M
_MOST = 2.0  # of kd h / I
_NAMED = 3  # joints in a message
_STIFFEST = {"euler": np.inf, "rk4": 2.785, "midpoint": 2.0, "gauss6": 4.64}
"""B h / I that an integrator can bear: euler treats B implicitly; the last two iterate, which has to contract."""
_NUMERATORS = {  # of the stability function R(z), whose denominator is that of −z for implicit methods
    "rk4": (1.0, 1.0, 1 / 2, 1 / 6, 1 / 24),
    "midpoint": (1.0, 1 / 2),
    "gauss6": (1.0, 1 / 2, 1 / 10, 1 / 120),
}
_SLOPE_STEPS = (1e-7, 1e-6)  # rad or m (per s): both give the same slope of a law that is smooth here
_SAME_SLOPE = 1e-2  # of the largest slope
_KEEPS_STATE = ("memory", "global ", "nonlocal ", "random")  # in the text of a law whose calls affect later ones


@dataclass(frozen=True)
class UnstableGains:
    """Gains that are unstable at a pose: the 0-based `joint` that shakes most, and `text`, which names cause and remedy."""

    joint: int
    text: str


class MeasuredGains(NamedTuple):
    """Stiffness Kp and damping Kd `(n, n)` of a user-defined controller, and its control period in s, None for every step."""

    Kp: np.ndarray
    Kd: np.ndarray
    period: float | None

    @property
    def damping_gain(self) -> str:
        """Name of the damping gain in messages."""
        return "damping"

    def linearize(self, robot: Robot, model: Robot, q: np.ndarray) -> LinearGains:
        """Return Kp, Kd, Ki `(N, n, n)` of tau, the same at all poses q `(N, n)`."""
        zero = np.zeros((len(q), *self.Kp.shape))
        return zero + self.Kp, zero + self.Kd, zero


class Held(NamedTuple):
    """Torque held over `steps` steps of `dt` s by an integrator."""

    dt: float
    steps: int
    integrator: str

    @property
    def time(self) -> float:
        """Time over which the torque is held, s."""
        return self.dt * self.steps

    def shortened(self, time: float) -> Held:
        """The same held for `time` s, in steps that are not longer."""
        count = max(1, int(np.ceil(time / self.dt - 1e-9)))
        return Held(min(self.dt, time / count), count, self.integrator)


class _Loop(NamedTuple):
    """Linear closed loop of poses `(N, n, n)`: M, viscous friction `(n, n)`, and u = −Kp q − Kd qd − Ki ∫ q dt."""

    M: np.ndarray
    B: np.ndarray
    Kp: np.ndarray
    Kd: np.ndarray
    Ki: np.ndarray

    def scaled(self, kp: np.ndarray, kd: np.ndarray) -> _Loop:
        """Columns of Kp (and Ki) and of Kd times a factor per joint `(n,)`."""
        return self._replace(Kp=self.Kp * kp, Kd=self.Kd * kd, Ki=self.Ki * kp)


def unstable_gains(
    robot: Robot, controller: Controller | MeasuredGains | None, q, dt: float, integrator: str, model: Robot | None = None
) -> UnstableGains | None:
    """The pose at which the sampled loop is most unstable although it is stable without sampling; remedies hold at all poses.

    x⁺ = Φ x − Γ K x over a control period h, unstable where the spectral radius exceeds 1. For one joint of effective inertia
    I = 1 / (M⁻¹)_ii under PD control held over one step: stable where kp h / 2 < kd < 2 I / h.

    Args:
        robot: the arm with its payload; `model` the arm as the controller knows it, `robot` when None.
        q: `(n,)` or `(N, n)`, rad or m.
        controller: one without such gains, or None, leaves viscous friction, which an explicit integrator can make unstable, too.
        dt: step, s; `integrator` a name of `INTEGRATORS`, any other gives None.

    Source: Åström, Wittenmark, Computer-Controlled Systems, sections 2.3 and 3.2.
    """
    if integrator not in INTEGRATORS or not robot.has_dynamics:
        return None
    poses = np.atleast_2d(np.asarray(q, float))
    poses = poses[np.isfinite(poses).all(axis=1)]
    M = mass_matrix(robot, poses)
    sizes = np.linalg.eigvalsh(M)
    regular = np.flatnonzero(sizes[:, 0] > _SINGULAR * sizes[:, -1])
    for k in regular:
        if (found := _stiff_friction(robot, M[k], dt, integrator)) is not None:
            return found
    gains = controller.linearize(robot, model or robot, poses) if len(regular) and controller is not None else None
    if controller is None or gains is None:
        return None
    held = Held(dt, max(1, int(np.ceil((controller.period or dt) / dt - 1e-6))), integrator)
    loop = _at(_Loop(M, _viscous(robot), *gains), regular)
    radius, damped = _radius(loop, held), np.flatnonzero(_growth(loop)[:, 0] < 1e-6)
    worst = damped[np.argsort(-radius[damped])]
    if not len(worst) or radius[worst[0]] <= 1.0 + _GROWS:
        return None
    worst_loop = _at(loop, worst)
    if isinstance(controller, MeasuredGains) and _damping(worst_loop, held)[0] < _MOST:
        return None  # a spring with little damping of its own may be damped in ways that no slope shows
    return _described(robot, controller, worst_loop, held)


def poses_ahead(q0: np.ndarray, trajectory: Trajectory | None) -> np.ndarray:
    """Start pose and `LOOKS` poses of what the controller will follow `(N, n)`."""
    if trajectory is None:
        return q0[None]
    return np.vstack([q0, trajectory.sample(np.linspace(0.0, trajectory.duration, LOOKS))[0]])


def spread(q: np.ndarray) -> np.ndarray:
    """At most `LOOKS` of the poses of a run `(N, n)`."""
    return q[:: max(1, len(q) // LOOKS)][:LOOKS]


def _at(loop: _Loop, poses) -> _Loop:
    return _Loop(loop.M[poses], loop.B, *(gain[poses] for gain in loop[2:]))


def _viscous(robot: Robot) -> np.ndarray:
    """Viscous friction as a matrix `(n, n)`."""
    B = np.diag(robot.tree.packed[:-1, VISCOUS])
    return B if robot.coupling is None else robot.coupling.matrix(B)


def _stiff_friction(robot: Robot, M: np.ndarray, dt: float, integrator: str) -> UnstableGains | None:
    """Viscous friction that is too stiff for the step, whatever the controller does."""
    over = dt * np.linalg.solve(M, _viscous(robot))
    value, most = float(np.abs(np.linalg.eigvals(over)).max()), _STIFFEST[integrator]
    if value <= most:
        return None
    joint = int(np.diag(over).argmax())
    cause = f"viscous friction of {robot.joint_names[joint]} is too stiff for {integrator} in steps of {dt:g} s"
    text = f"{cause}: B·dt/I = {value:.4g}, unstable above {most:g}"
    return UnstableGains(joint, f"{text}; stable with the euler integrator, or a step below {_below(dt * most / value)} s")


def _radius(loop: _Loop, held: Held) -> np.ndarray:
    """Spectral radius of the sampled loop at each pose `(N,)`; the state is q, qd and, with Ki, the integral of q."""
    N, n = loop.M.shape[:2]
    phi, gamma = np.eye(2 * n) + np.zeros((N, 1, 1)), np.zeros((N, 2 * n, n))
    one, drive = _step(loop, held)
    for _ in range(held.steps):
        phi, gamma = one @ phi, one @ gamma + drive
    h = held.time
    if not loop.Ki.any():
        closed = phi - gamma @ np.concatenate([loop.Kp, loop.Kd], axis=2)
    else:  # z⁺ = z + h q, and u has −Ki z⁺
        closed = np.zeros((N, 3 * n, 3 * n))
        gains = np.concatenate([loop.Kp + h * loop.Ki, loop.Kd], axis=2)
        closed[:, : 2 * n, : 2 * n], closed[:, : 2 * n, 2 * n :] = phi - gamma @ gains, -gamma @ loop.Ki
        closed[:, 2 * n :, :n], closed[:, 2 * n :, 2 * n :] = h * np.eye(n), np.eye(n)
    return np.abs(np.linalg.eigvals(closed)).max(axis=1)


def _step(loop: _Loop, held: Held) -> tuple[np.ndarray, np.ndarray]:
    """Φ `(N, 2n, 2n)` and Γ `(N, 2n, n)` of one step:  (q, qd)⁺ = Φ (q, qd) + Γ u."""
    N, n = loop.M.shape[:2]
    dt, eye = held.dt, np.eye(n)
    if held.integrator == "euler":
        inverse = np.linalg.inv(loop.M + dt * loop.B)
        speed = np.concatenate([np.zeros((N, n, n)), eye - dt * inverse @ loop.B, dt * inverse], axis=2)
        place = dt * speed
        place[:, :, :n] += eye
        both = np.concatenate([place, speed], axis=1)
        return both[:, :, : 2 * n], both[:, :, 2 * n :]
    inverse = np.linalg.inv(loop.M)
    Z = np.zeros((N, 3 * n, 3 * n))
    Z[:, :n, n : 2 * n] = dt * eye
    Z[:, n : 2 * n, n : 2 * n], Z[:, n : 2 * n, 2 * n :] = -dt * inverse @ loop.B, dt * inverse
    top = _polynomial(_NUMERATORS[held.integrator], Z)
    whole = top if held.integrator == "rk4" else np.linalg.solve(_polynomial(_NUMERATORS[held.integrator], -Z), top)
    return whole[:, : 2 * n, : 2 * n], whole[:, : 2 * n, 2 * n :]


def _polynomial(c: tuple[float, ...], Z: np.ndarray) -> np.ndarray:
    total = np.zeros_like(Z)
    for x in reversed(c):
        total = total @ Z + x * np.eye(Z.shape[1])
    return total


def _growth(loop: _Loop) -> np.ndarray:
    """Largest real part of the roots without sampling `(N, 2)`, of all and of oscillating ones, by 1 + the largest root."""
    N, n = loop.M.shape[:2]
    inverse = np.linalg.inv(loop.M)
    A = np.zeros((N, 3 * n, 3 * n))
    A[:, :n, n : 2 * n] = A[:, 2 * n :, :n] = np.eye(n)
    A[:, n : 2 * n] = -inverse @ np.concatenate([loop.Kp, loop.Kd + loop.B, loop.Ki], axis=2)
    roots = np.linalg.eigvals(A if loop.Ki.any() else A[:, : 2 * n, : 2 * n])
    size = 1.0 + np.abs(roots).max(axis=1)
    swings = np.abs(roots.imag) > 1e-3 * size[:, None]
    return np.stack([roots.real.max(axis=1), np.where(swings, roots.real, -np.inf).max(axis=1)], axis=1) / size[:, None]


def _damping(loop: _Loop, held: Held) -> np.ndarray:
    """Largest |eigenvalue| of h M⁻¹ Kd at each pose `(N,)`."""
    return np.abs(np.linalg.eigvals(held.time * np.linalg.solve(loop.M, loop.Kd))).max(axis=1)


def _described(robot: Robot, controller: Controller | MeasuredGains, loop: _Loop, held: Held) -> UnstableGains:
    """Cause at the first pose of `loop`, the worst one, and remedies that hold at all its poses."""
    h, damping, per = held.time, controller.damping_gain, "period" if controller.period else "dt"
    which = f"the control period of {h:g} s" if controller.period else f"the step of {h:g} s"
    over = h * np.linalg.solve(loop.M, loop.Kd)  # on its diagonal kd h / I with I = 1 / (M⁻¹)_ii
    shares, most = np.diagonal(over[0]), np.diagonal(over, axis1=1, axis2=2).max(axis=0)
    coupled = float(_damping(loop, held)[0])
    joint = int(shares.argmax())
    name, cause = robot.joint_names[joint], f"{damping} is too high for {which}: {damping}·{per}"
    if coupled < _MOST:
        cause = f"the damping is too low for {which}: holding the torque between samples adds energy"
        remedy = _firmer(robot, controller, loop, held)
    elif shares[joint] < _MOST or isinstance(controller, Impedance):
        cause += f"/I = {coupled:.4g} for the coupled joints, unstable above 2"
        remedy = _gentler(robot, controller, loop, held, most)
    else:
        value = f"{'/I' * isinstance(controller, MeasuredGains)} = {shares[joint]:.4g} at {name}"
        if isinstance(controller, PD) and not isinstance(controller, ComputedTorque):
            inertia = h / shares[joint] * loop.Kd[0, joint, joint]
            value = f"/I = {shares[joint]:.4g} at {name}, with I = {inertia:.3g} {'kg' if robot.prismatic[joint] else 'kg·m²'}"
        cause += f"{value}, unstable above 2"
        remedy = _gentler(robot, controller, loop, held, most)
    ends = _growth(loop)[:, 1].max() < -1e-9  # without damping a shorter step only shakes more slowly
    shorter = _largest(lambda x: _is_stable(loop, held.shortened(x * h))) * h if ends else 0.0
    kind = "step" if not controller.period else "control period" if shorter >= held.dt else "step and control period"
    remedies = ", or ".join(filter(None, [remedy, f"a {kind} below {_below(shorter)} s" if shorter else ""]))
    return UnstableGains(joint, f"{cause}{f'; stable with {remedies}' if remedies else ''}")


def _firmer(robot: Robot, controller: Controller | MeasuredGains, loop: _Loop, held: Held) -> str:
    """The least damping that is stable at this period, empty where it is not kd = kp h / 2."""
    rule = f"{controller.damping_gain} above {held.time / 2:g} s times"
    if not isinstance(controller, PD):
        enough = loop._replace(Kd=1.01 * held.time / 2 * loop.Kp)
        return f"{rule} {'stiffness' if isinstance(controller, Impedance) else 'kp'}" if _is_stable(enough, held) else ""
    gains = controller.pack(robot)[:, : robot.n]
    least = np.array([float(_above(x)) for x in 1.01 * held.time / 2 * gains[KP]])
    weak = np.flatnonzero(gains[KD] < least)
    factor = np.divide(least, gains[KP], out=np.zeros(robot.n), where=least > 0)
    if not len(weak) or not _is_stable(loop._replace(Kd=np.where(gains[KD] < least, loop.Kp * factor, loop.Kd)), held):
        return ""
    named = [f"{least[i]:g} at {robot.joint_names[i]}" for i in weak[np.argsort(-least[weak], kind="stable")]]
    more = f" and {len(weak) - _NAMED} more" if len(weak) > _NAMED else ""
    return f"{rule} kp: {', '.join(named[:_NAMED])}{more}"


def _gentler(robot: Robot, controller: Controller | MeasuredGains, loop: _Loop, held: Held, shares: np.ndarray) -> str:
    """The largest damping that is stable at this period, empty for none; lower springs where these do not allow any."""
    n, strong = robot.n, shares >= _MOST
    single = isinstance(controller, PD) and bool(strong.any())  # the gains of some joints, else all of them
    base = np.where(strong, _MOST / np.maximum(shares, _MOST), 1.0) if single else np.ones(n)

    def factors(x: float) -> np.ndarray:
        return np.where(strong, x * base, 1.0) if single else np.full(n, x)

    softer = np.ones(n)
    keeps = _largest(lambda x: _is_stable(loop.scaled(softer, factors(x)), held))
    x = keeps or _largest(lambda x: _is_stable(loop.scaled(factors(x), factors(x)), held))
    if not x and single and isinstance(controller, PD):  # no common factor reaches kd > kp h / 2, so kp ≤ kd / h
        kp, kd = controller.pack(robot)[[KP, KD], :n]
        softer = np.where(strong, np.minimum(1.0, kd / np.maximum(held.time * kp, 1e-300)), 1.0)
        x = _largest(lambda x: _is_stable(loop.scaled(softer * factors(x), factors(x)), held))
    if not x:
        return ""
    if isinstance(controller, ResolvedRate):
        return f"servo below {_below(x * controller.servo)}"
    if not single or not isinstance(controller, PD):
        springs = "" if keeps else " and the stiffness" if isinstance(controller, (Impedance, MeasuredGains)) else " and kp"
        return f"less than {_below(x)} times the {controller.damping_gain}{springs}"
    gains = controller.pack(robot)[:, :n] * factors(x)
    gains[KP] *= softer
    worst = [int(i) for i in np.argsort(-shares) if strong[i]]
    each = [f"kd below {_below(gains[KD, i])}" for i in worst[:_NAMED]]
    if not keeps:
        each = [f"{text} and kp below {_below(gains[KP, i])}" for text, i in zip(each, worst, strict=False)]
    named = ", ".join(f"{text} at {robot.joint_names[i]}" for text, i in zip(each, worst, strict=False))
    return f"{named}{f' and {len(worst) - _NAMED} more' if len(worst) > _NAMED else ''}"


def _is_stable(loop: _Loop, held: Held) -> bool:
    return bool(_radius(loop, held).max() <= 1.0 + _REMEDIED)


def _largest(holds: Callable[[float], bool]) -> float:
    """The largest x from 1e-6 to 1 below which `holds` is true, 0 for none."""
    above = 1.0
    for x in np.geomspace(1.0, _LEAST, 49)[1:]:
        if holds(float(x)):
            break
        above = float(x)
    else:
        return 0.0
    low = float(x)
    for _ in range(20):
        middle = (low + above) / 2
        low, above = (middle, above) if holds(middle) else (low, middle)
    return low


def _below(value: float) -> str:
    """Three digits, rounded down, so that the printed bound is safe."""
    if value <= 0.0:
        return "0"
    unit = 10.0 ** (np.floor(np.log10(value)) - 2)
    return f"{np.floor(value / unit * (1 + 1e-12)) * unit:.3g}"


def _above(value: float) -> str:
    """Three digits, rounded up."""
    if value <= 0.0:
        return "0"
    unit = 10.0 ** (np.floor(np.log10(value)) - 2)
    return f"{np.ceil(value / unit * (1 - 1e-12)) * unit:.3g}"


def measured_gains(
    law: OwnLaw | PythonLaw, run: Run | None, robot: Robot, t: float, reference: np.ndarray
) -> MeasuredGains | None:
    """Return Kp = −∂tau/∂q and Kd = −∂tau/∂qd `(n, n)` at the goal, or None if the law is not a smooth function of q and qd.

    Calls the law 4 n + 2 times with its memory restored after each; of a Python function, it calls a copy. `robot`: the model of
    the controller; `reference` `(4 n,)` is the goal and the measured torque. None also for a law that raises, is random or has
    memory, such as a filter, and for a function that cannot be copied.
    """
    torque = _trial_of(law, run, robot)
    if torque is None:
        return None
    n = len(reference) // 4
    state = reference[: 2 * n]

    def at(x: np.ndarray) -> np.ndarray:
        return torque(t, x[:n], x[n:], reference)

    try:
        at_goal = at(state)
        fine, coarse = (np.stack([(at(state + h * e) - at_goal) / h for e in np.eye(2 * n)], axis=1) for h in _SLOPE_STEPS)
        again = at(state)
    except EngineError:  # the simulation raises it
        return None
    if np.abs(fine - coarse).max() > _SAME_SLOPE * np.abs(fine).max() or not np.array_equal(again, at_goal):
        return None
    return MeasuredGains(-coarse[:, :n], -coarse[:, n:], law.period)


def _trial_of(law: OwnLaw | PythonLaw, run: Run | None, robot: Robot) -> Callable[..., np.ndarray] | None:
    """Return the torque of t, q, qd and reference without effects on the run or on the program, None if unknown."""
    if law.function is None:
        return None if run is None or any(word in law.text for word in _KEEPS_STATE) else run.trial
    function = copied_function(law.function)
    if function is None or (isinstance(law, OwnLaw) and any(word in law.text for word in _KEEPS_STATE)):
        return None
    copy = replace(law, function=function)
    if isinstance(copy, PythonLaw):
        return partial(copy.torque, robot)
    return replace(copy, compiled=False).begin(robot).trial
