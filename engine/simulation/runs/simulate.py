"""`simulate`: a simulation as a recording."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from armature.engine.batching import require_dynamics
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.cell import Cell
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_metadata import EVENTS, metadata_of
from armature.engine.simulation.commands import SetCell, SetController, SetDisturbance, SetSensors, SetTrajectory
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.floor_watch import contact_notes, floor_contacts
from armature.engine.simulation.gain_stability import spread
from armature.engine.simulation.recording_feed import RecordedTable, RecordingFeed
from armature.engine.simulation.run_loop import Change, Schedule, run
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import law_for_run, period_remark, start_remark, steps_in
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

MAX_BYTES = 4 << 30


def simulate(
    robot: Robot,
    q0,
    qd0,
    duration: float,
    dt: float,
    controller: Controller | Callable[..., Any] | None = None,
    integrator: str = "rk4",
    *,
    trajectory: Trajectory | None = None,
    model: Robot | None = None,
    knows_payload: bool = True,
    sensors: Sensors | None = None,
    disturbance: OwnDisturbance | Callable[..., Any] | None = None,
    changes: Sequence[Change] = (),
    cell: Cell | None = None,
    stop_at_contact: bool = False,
) -> Recording:
    """Simulate the arm for `duration` seconds.

    qdd = M⁻¹ (tau − C qd − g − friction), integrated in steps of dt.

    Args:
        q0, qd0: initial positions and velocities `(n,)`; rad and rad/s (prismatic: m and m/s); `qd0` None: zero.
        duration: s, rounded down to whole steps.
        dt: time step, s.
        controller: a controller such as `default_gains` returns, which runs inside the compiled step; or a function
            `law(t, q, qd) -> tau` `(n,)` N·m or N, called at the start of every step and at the end. Its optional arguments q_d,
            qd_d, qdd_d receive the desired motion, tau_measured the measured torques of the step before. Torques are clamped to
            `tau_max`; `PythonLaw(law, period=..., saturate=False)` sets a control period or no clamping. Or a function
            `control(t, q, qd, goal, arm, p)`, see `load_law`. None: zero torque.
        integrator: "euler" (semi-implicit), "rk4", "midpoint" (implicit), "gauss6" or "adaptive" (DOP853 to rounding).
        trajectory: desired motion from t = 0, with its payloads; None: hold q0.
        model: the controller's model of the arm, with its inertial parameters, friction and payload; None: `robot`. It does not
            affect a Python function.
        knows_payload: True if the controller accounts for the payload. It does not affect a Python function.
        sensors: `Sensors(...)` between arm and controller, recorded as `q_measured` etc.; None: exact measurements.
        disturbance: external wrench on a link: the result of `load_disturbance`, or a function `disturbance(t, q, qd, p)` as it
            describes it, which returns force in N before moment in N·m `(6,)`, world axes, at the origin of the link frame.
        changes: pairs (t in s, change), where change is a `Payload` grasped at t, None for its release, or the robot with other
            parameters, such as `robot.with_friction(...)`. Without a separate `model`, the controller accounts for a changed
            robot at once, and for a payload if `knows_payload`.
        cell: `Cell` of objects around the arm, whose name and hash `metadata["cell"]` stores; they exert no force.
        stop_at_contact: end the simulation at the first contact of the arm with itself, the floor or an object, at most one step
            after it. Pairs that touch at the start count after they were apart. `metadata["events"]` has time, pair and depth.

    Returns:
        A `Recording` with a sample at the start of every step and one at the end. `remarks` list joints that start outside their
        limits and gains that are unstable because the torque is held between samples; the logger `armature` warns of them before
        the run. If the robot has a floor, `metadata["events"]` lists every link below it with times in s and depth in m; it
        exerts no force.

    Raises:
        DimensionError, MissingDynamicsError, EngineError for the other arguments, DivergenceError when the state is not finite or
        the mass matrix is singular. If a function raises, or returns no valid torque, an EngineError names controller and time,
        with the original exception as `__cause__`.

    Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I; Hairer, Lubich, Wanner, Geometric Numerical
    Integration.
    """
    require_dynamics(robot)
    stepper = Stepper(robot, q0, qd0, dt, integrator)
    stepper.apply(SetSensors(sensors))
    stepper.apply(SetDisturbance(disturbance))
    stepper.apply(SetController(law_for_run(controller, duration, stepper.dt), model, knows_payload))
    stepper.apply(SetTrajectory(trajectory))
    stepper.apply(SetCell(cell, cell_contacts(robot, cell) if stop_at_contact else None))
    before = stepper.unstable_gains()
    if before is not None:
        logging.getLogger("armature").warning("%s: %s", robot.name, before.text)
    schedule = Schedule(changes, stepper.dt)
    steps = steps_in(duration, stepper.dt)
    measured = sensors is not None
    size = 8 * (steps + 1) * 2 * Layout(robot.n, measured).width
    if size > MAX_BYTES:
        raise EngineError(f"{steps:,} steps need {size / 1e9:.1f} GB of memory; simulate fewer steps, or record to a file")
    table = RecordedTable(robot, steps + 1, measured)
    feed = RecordingFeed(table.put, table.note, measured)
    stops = list[RunContact]()
    for batch in run(stepper, steps, schedule=schedule):
        feed.steps(batch)
        stops += [] if batch.contact is None else [batch.contact]
    feed.close()
    values = table.values[: table.count]
    t, q = values[:, 0], values[:, 1 : robot.n + 1]
    contacts = contact_notes(floor_contacts(robot, t, q), stepper.dt)
    metadata = metadata_of(robot, stepper.dt, integrator, stepper.describe())
    ends = [{"row": stepper.steps, **stop.note()} for stop in stops]
    metadata[EVENTS] = schedule.notes + contacts + table.events + ends
    gains = before or stepper.unstable_gains(spread(q))
    remarks = [
        start_remark(robot, q[0]),
        period_remark(stepper.control.controller, stepper.dt),
        "" if gains is None else gains.text,
        *(stop.text for stop in stops),
    ]
    return Recording.from_table(values, robot.joint_names, metadata, tuple(filter(None, remarks)))
