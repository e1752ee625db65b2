"""N simulation steps in one nogil call: equations of motion, friction, stops, integrator and log."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from armature.engine.control.control_laws import command, is_due
from armature.engine.control.controller import HELD
from armature.engine.dynamics.pulling_spring import spring
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT1, OUT2, REAL, VEC, kernel, routine
from armature.engine.simulation.sensors.readings import observe
from armature.engine.simulation.stepping.integrators import (
    EULER,
    GAUSS6,
    MIDPOINT,
    RK4,
    gauss,
    gauss_coefficients,
    runge_kutta_4,
    semi_implicit_euler,
)
from armature.engine.simulation.stepping.joint_holding import can_hold, dry_friction, hold_or_slide
from armature.engine.simulation.stepping.joint_impacts import any_into_stop, any_turned
from armature.engine.simulation.stepping.step_drive import FORCE, FREE, Drive
from armature.engine.simulation.stepping.step_equations import equations, scene_of
from armature.engine.simulation.stepping.step_events import step_by_events

INTEGRATORS = {"euler": EULER, "rk4": RK4, "midpoint": MIDPOINT, "gauss6": GAUSS6}
"""Methods of fixed step: semi-implicit Euler, Runge–Kutta 4, implicit midpoint, Gauss collocation of order 6."""

MAX_SPEED = 1e6  # rad/s or m/s; beyond it a run counts as diverged
_NOTHING, _EQUATIONS, _ALL, _LOOSE = range(4)  # known of a step from the last one; or a joint broke loose at its end
DRIVE = types.Tuple((MAT, MODEL, OUT1, MAT, REAL, OUT1, OUT2, MODEL, OUT1, OUT2))
"""A `Drive` as the plain tuple of a call: a named one takes 0.6 µs more."""
FINE = -1  # otherwise: joint ≥ 0 that diverged, or -(joint + 2) that has no inertia


def advance(P, dt: float, steps: int, integrator: int, q, qd, motor, wrench, log, drive: Drive = FREE) -> tuple[int, int]:
    """Advance the state by `steps` steps of `dt` seconds in place, without the GIL.

    M(q) qdd = motor − C(q, qd) qd − g(q) − friction(qd) + Σ Jᵀ wrench, motor and wrench constant over the steps, or motor by the
    controller of `drive`; joints that friction or a stop can hold at rest remain exactly at rest. They come to rest, turn round,
    break loose and reach their stops at their own time within a step: see `armature.engine.simulation.stepping.step_events`.

    Args:
        P: as `step_model` makes it: `Robot.packed`, unless the arm has mimic joints.
        dt: step, s.
        steps: how many.
        integrator: a value of `INTEGRATORS`.
        q, qd: the state `(n,)`, rad or m (per s); overwritten; the last finite state when a step fails.
        motor: `(n,)`, N·m or N.
        wrench: `(1, n_bodies + SPRING_ROWS, 6)`, on each body force before moment, world axes, at the body's origin; the last
            rows are a spring that pulls on a point (`armature.engine.dynamics.pulling_spring`). Empty for none.
        log: `(≥ steps, 4 n)`; row k receives q, qd, qdd, motor at the start of step k.
        drive: controller, sensors and ledger; `FREE` for none of them.

    Returns:
        Steps done, and `FINE`, the joint ≥ 0 that diverged in the next one, or -(joint + 2) for the joint without inertia.
    """
    return _steps.call(P, dt, steps, integrator, q, qd, motor, wrench, log, tuple(drive))


@routine
def _begin(scene, q, qd, a, rest):
    """Opens a step: M and `rest` at its start, which joints hold, which way the others slide; a `(n,)` is a workspace.

    Where a joint could be held, the motors come last, as in `_begin_with`, so that both give the same bits.
    """
    P, motor, wrench, direction, _, Z, M, _ = scene
    resting = False
    for i in range(q.size):
        direction[i] = 0.0
        resting = resting or (qd[i] == 0.0 and can_hold(P, i, q))
    for i in range(q.size):
        a[i] = 0.0 if resting else motor[i]
    equations(P, q, qd, a, wrench, direction, Z, M, rest)
    if resting:
        for i in range(q.size):
            rest[i] += motor[i]
    bad = hold_or_slide(scene, q, qd, rest, a)
    for i in range(q.size):
        rest[i] -= dry_friction(P, i, direction[i])
    return bad


@routine
def _begin_with(scene, q, qd, bias, a, rest):
    """`_begin` with a joint at rest, from M and `bias`, which is `rest` without motors, of `_look_ahead`."""
    P, motor, direction = scene.P, scene.motor, scene.direction
    for i in range(q.size):
        rest[i] = bias[i] + motor[i]
    bad = hold_or_slide(scene, q, qd, rest, a)
    for i in range(q.size):
        rest[i] -= dry_friction(P, i, direction[i])
    return bad


@routine
def _look_ahead(scene, q, qd, bias, held, a, rest):
    """`_begin` of the next step at the end of this one; `_LOOSE` where a joint at rest is held in this but not in that.

    `held` and a `(n,)` are workspaces.
    """
    P, _, wrench, direction, locked, Z, M, _ = scene
    for i in range(q.size):
        held[i], direction[i], bias[i] = locked[i], 0.0, 0.0
    equations(P, q, qd, bias, wrench, direction, Z, M, bias)
    if _begin_with(scene, q, qd, bias, a, rest) >= 0:
        return _NOTHING
    for i in range(q.size):
        if held[i] and not locked[i] and qd[i] == 0.0:
            return _LOOSE
    return _ALL


@routine
def _runaway(q, qd):
    found = -1
    for i in range(q.size):
        if found < 0 and not (math.isfinite(q[i]) and abs(qd[i]) < MAX_SPEED):
            found = i
    return found


@routine
def _note(scene, n, work, row):
    """The spring's force and the works so far into a row of `Drive.side`."""
    bodies = scene.P.shape[0] - 1 - (0 if scene.P.shape[0] == n + 1 else n)
    for c in range(FORCE):
        row[c] = 0.0
    if scene.wrench.size:
        _, _, force = spring(scene.wrench[0], bodies, scene.Z)
        row[0], row[1], row[2] = force
    for c in range(work.size):
        row[FORCE + c] = work[c]


@routine
def _sense(drive, k, dt, q, qd, motor):
    """The sensors' readings into row k of `Drive.measured`; `motor` acts without a controller."""
    n, law, memory = q.size, drive.law, drive.memory
    due = is_due(law, memory, drive.t + k * dt) if law.size else memory.size == 0  # a controller in Python reads between steps
    tau = memory[HELD : HELD + n] if memory.size else motor
    observe(drive.sensors, drive.readings, dt, q, qd, tau, due, drive.measured[k])


@kernel(MODEL, REAL, INT, INT, OUT1, OUT1, VEC, CUBE, OUT2, DRIVE)
def _steps(P, dt, steps, integrator, q, qd, motor_before, wrench, log, given):
    n, drive = q.size, Drive(*given)
    scene = scene_of(P, motor_before.copy(), wrench, np.zeros(n), np.zeros(n, np.bool_))
    motor, direction, locked, work = scene.motor, scene.direction, scene.locked, drive.work
    stages, column, start, speed = np.empty((5, n)), np.empty(n), np.empty(n), np.empty(n)
    qdd, bias, held = np.empty(n), np.empty(n), np.empty(n, np.bool_)
    A, b = gauss_coefficients(1 if integrator == MIDPOINT else 3)
    ahead, bad = _NOTHING, -1
    for k in range(steps):
        for i in range(n):
            start[i], speed[i] = q[i], qd[i]
        if drive.sensors.size:
            _sense(drive, k, dt, q, qd, motor)
        if drive.law.size:
            seen_q, seen_qd = q, qd
            if drive.sensors.size:
                seen_q, seen_qd = drive.measured[k, :n], drive.measured[k, n : 2 * n]
            command(drive.law, drive.model, drive.memory, drive.t + k * dt, dt, drive.reference[k], seen_q, seen_qd, motor)
            ahead = min(ahead, _EQUATIONS)
        if ahead == _NOTHING:
            bad = _begin(scene, q, qd, column, qdd)
        elif ahead == _EQUATIONS:
            bad = _begin_with(scene, q, qd, bias, column, qdd)
        if work.size:
            _note(scene, n, work, drive.side[k])
        if bad >= 0:
            pass
        elif integrator == EULER:  # as in `step_events`: a routine for both would cost a twentieth of this step
            bad = semi_implicit_euler(scene, q, qd, dt, qdd, work)
        elif integrator == RK4:
            bad = runge_kutta_4(scene, q, qd, dt, stages, qdd, work)
        else:
            bad = gauss(scene, q, qd, dt, A, b, qdd, work)
        code = _runaway(q, qd) if bad < 0 else -(bad + 2)
        ahead, holds, moves = _NOTHING, False, False
        for i in range(n):
            log[k, i], log[k, n + i], log[k, 2 * n + i], log[k, 3 * n + i] = start[i], speed[i], qdd[i], motor[i]
            holds, moves = holds or locked[i], moves or qd[i] != 0.0
        struck, turned = any_into_stop(P, q, qd, start), any_turned(P, qd, direction)
        eventful = struck or turned
        if holds and moves and code == FINE and not eventful:
            ahead = _look_ahead(scene, q, qd, bias, held, column, qdd)
            eventful = ahead == _LOOSE
        if eventful and code == FINE:
            for i in range(n):
                q[i], qd[i] = start[i], speed[i]
            if work.size:
                for c in range(work.size):
                    work[c] = drive.side[k, FORCE + c]
            bad, ahead = step_by_events(scene, q, qd, dt, integrator, A, b, work), _NOTHING
            code = _runaway(q, qd) if bad < 0 else -(bad + 2)
        if code != FINE:
            for i in range(n):
                q[i], qd[i] = start[i], speed[i]
            return k, code
    return steps, FINE
