"""A law in Python: with its reference, period and saturation it does what the built-in laws do, and its faults are one line."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.stepper import Stepper

Q = np.array([0.1, -0.4, 0.3, 0.2, 0.5, -0.6])
KP, KD = 400.0, 40.0


def pd(t, q, qd, q_d, qd_d):
    return KP * (q_d - q) + KD * (qd_d - qd)


def pulled(t, q, qd):
    return np.full(6, 300.0)


def test_no_joint_gets_more_than_its_motor_can_unless_that_is_wanted(puma):
    tau = engine.simulate(puma, Q, None, 0.05, 1e-3, pulled).tau
    assert np.array_equal(tau, np.broadcast_to(np.minimum(300.0, puma.tau_max), tau.shape))
    assert puma.tau_max.max() < 300.0
    unlimited = engine.simulate(puma, Q, None, 0.05, 1e-3, engine.PythonLaw(pulled, saturate=False)).tau
    assert (unlimited == 300.0).all()


@pytest.mark.parametrize("period", [None, 0.003, 0.01, 0.0005])
@pytest.mark.parametrize("follows", [True, False])
def test_with_its_reference_and_period_it_is_the_same_law_as_the_compiled_one(puma, period, follows):
    way = engine.quintic(Q, Q + 0.5, 0.2) if follows else None
    compiled = engine.simulate(puma, Q, None, 0.3, 1e-3, engine.PD(KP, KD, period=period), trajectory=way)
    python = engine.simulate(puma, Q, None, 0.3, 1e-3, engine.PythonLaw(pd, period=period), trajectory=way)
    assert np.abs(python.table() - compiled.table()).max() <= 1e-9 * np.abs(compiled.table()).max()
    assert not follows or (np.abs(compiled.tau) == puma.tau_max).any()  # saturated now and then, both


def test_a_plain_function_is_asked_at_every_step_and_a_period_less_often(puma):
    times = []

    def noting(t, q, qd):
        times.append(t)
        return np.zeros(6)

    engine.simulate(puma, Q, None, 0.1, 1e-3, noting)
    assert np.allclose(times, np.arange(101) * 1e-3, atol=1e-12)
    times.clear()
    run = engine.simulate(puma, Q, None, 0.1, 1e-3, engine.PythonLaw(noting, period=0.02))
    assert np.allclose(times, np.arange(6) * 0.02, atol=1e-12)
    assert len(run) == 101


def test_the_names_of_its_parameters_say_what_of_the_reference_it_gets(puma):
    way, seen = engine.quintic(Q, Q + 0.5, 0.2), {}

    def all_of_it(t, q, qd, *, qdd_d, q_d, qd_d):
        seen[t] = q_d, qd_d, qdd_d
        q_d[:] = np.nan  # its own
        return np.zeros(6)

    engine.simulate(puma, Q, None, 0.2, 1e-3, all_of_it, trajectory=way)
    for t, wanted in seen.items():
        assert all(np.array_equal(x, y) for x, y in zip(wanted[1:], way.sample(t)[1:], strict=True))
    only = engine.simulate(puma, Q, None, 0.01, 1e-3, lambda t, q, qd, qd_d: qd_d, trajectory=way)
    assert np.allclose(only.tau, way.sample(only.t)[1])
    gained = engine.simulate(puma, Q, None, 0.01, 1e-3, lambda t, q, qd, gain=3.0: np.full(6, gain))
    assert (gained.tau == 3.0).all()
    part = functools.partial(lambda gain, t, q, qd, q_d: gain * q_d, 2.0)
    assert np.allclose(engine.simulate(puma, Q, None, 0.01, 1e-3, part).tau, 2 * Q)


@pytest.mark.parametrize("integrator", ["euler", "rk4", "gauss6", "adaptive"])
def test_every_integrator_takes_one(puma, integrator):
    run = engine.simulate(puma, Q, None, 0.01, 1e-3, lambda t, q, qd: np.full(6, 5 * np.cos(t)), integrator)
    assert np.allclose(run.tau[:, 0], 5 * np.cos(run.t))


def test_what_the_tool_grasps_on_the_way_is_held_under_such_a_law_too(puma):
    held = engine.Plan((engine.Waypoint(q=Q), engine.Waypoint(q=Q + 0.1, duration=0.1, dwell=0.1, grasp=engine.Payload(2.0))))
    way = held.trajectory(puma)
    python = engine.simulate(puma, Q, None, way.duration, 1e-3, pd, trajectory=way)
    compiled = engine.simulate(puma, Q, None, way.duration, 1e-3, engine.PD(KP, KD), trajectory=way)
    assert np.allclose(python.table(), compiled.table(), rtol=0, atol=1e-7)


def test_a_recording_says_what_it_was(puma):
    law = engine.simulate(puma, Q, None, 0.01, 1e-3, engine.PythonLaw(pd, period=0.002, saturate=False)).metadata["controller"]
    assert {k: law[k] for k in ("kind", "name", "period", "saturate")} == {
        "kind": "function",
        "name": "pd",
        "period": 0.002,
        "saturate": False,
    }


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "returned None"),
        ([1.0], r"returned \[1.0\]"),
        (2.0, "returned 2.0"),
        (np.full(6, 1 + 1j), r"returned array\(\[1.\+1.j"),
        (["1"] * 6, r"returned \['1', '1'"),
        ([0, 0, np.nan, 0, 0, 0], "nan"),
        ([0, 0, np.inf, 0, 0, 0], "inf"),
        ("torque", "returned 'torque'"),
        (np.zeros((6, 6)), r"shape \(6, 6\)"),
        ({"tau": 1}, "returned {'tau': 1}"),
    ],
)
def test_what_is_no_torque_is_one_line_with_law_time_and_joints(puma, answer, told):
    def law(t, q, qd):
        return answer if t > 0.0045 else np.zeros(6)

    with pytest.raises(
        engine.DimensionError, match=rf"puma560: at t = 0.005 s the controller law .*{told}.*6 finite numbers.*joint1"
    ) as caught:
        engine.simulate(puma, Q, None, 0.1, 1e-3, law)
    assert "\n" not in str(caught.value)


def test_what_it_raises_is_one_line_and_the_cause_is_kept(puma):
    def clumsy(t, q, qd):
        return q[7]

    with pytest.raises(
        engine.EngineError, match=r"puma560: the controller clumsy failed at t = 0 s: IndexError: index 7"
    ) as caught:
        engine.simulate(puma, Q, None, 0.1, 1e-3, clumsy)
    assert isinstance(caught.value.__cause__, IndexError)
    with pytest.raises(KeyboardInterrupt):
        engine.simulate(puma, Q, None, 0.1, 1e-3, interrupted)


def interrupted(t, q, qd):
    raise KeyboardInterrupt


class OwnLaw(engine.Controller):
    """What somebody writes who has not read on."""


class OwnPD(engine.PD):
    """Nor this."""


@pytest.mark.parametrize(
    ("controller", "told"),
    [
        (
            OwnLaw(),
            r"OwnLaw is not a built-in controller \(ConstantTorque, PD, .*give a function law\(t, q, qd\) -> tau",
        ),
        (OwnPD(1.0, 1.0), "OwnPD is not a built-in controller"),
        (engine.Controller(), "Controller is not a built-in controller"),
        (engine.PD, "the controller is the class PD; give an instance"),
        ("pd", "must be one such as default_gains returns, or a function, not 'pd'"),
        (lambda q: q, r"law\(t, q, qd\) -> tau.*<lambda>\(q\) does not match: too many"),
        (lambda t, q, qd, error: q, "does not match: missing a required argument: 'error'"),
    ],
)
def test_what_is_no_law_is_one_sentence(puma, controller, told):
    for use in (
        lambda: engine.simulate(puma, Q, None, 0.1, 1e-3, controller),
        lambda: Stepper(puma, Q).set_controller(controller),
    ):
        with pytest.raises(engine.EngineError, match=told) as caught:
            use()
        assert "\n" not in str(caught.value)


def test_a_period_that_is_none_is_refused_as_for_other_laws():
    with pytest.raises(engine.EngineError, match="the control period must be above 0"):
        engine.PythonLaw(pd, period=-1)
    with pytest.raises(engine.EngineError, match=r"a controller must be a function .*; 3 is not callable"):
        engine.PythonLaw(3)
