"""A law that numba compiles is the same law, and one that would not be stays Python and says why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.own_law import law_from_text
from tests.engine.test_own_law import PD_GRAVITY, Q, law

SAME = [
    PD_GRAVITY,
    """
import numpy as np
import math

MOST = 40.0

def bounded(x):
    return min(max(x, -MOST), MOST)

def control(t, q, qd, goal, arm, p):
    e, de = goal.q - q, goal.qd - qd
    a = goal.qdd + p.kd * de + p.kp * e
    tau = arm.mass_matrix(q) @ a + arm.rnea(q, qd, np.zeros(arm.n))
    tau += arm.jacobian(q).T @ np.array([0.0, 0.0, math.sin(t), 0.0, 0.0, 0.0])
    for i in range(arm.n):
        if abs(e[i]) > 0.05:
            tau[i] = bounded(tau[i])
    z = arm.pose(q)[2, 3]
    qdd = arm.forward_dynamics(q, qd, tau)
    p.log["e"] = e
    p.log["z"] = z
    return np.clip(tau, -arm.tau_max, arm.tau_max) + 0.0 * qdd

control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
""",
    """
import numpy as np

def beginning(q):
    return {"sum": 0 * q, "last": q, "t": 0.0}

def control(t, q, qd, goal, arm, p):
    if "sum" not in p.memory:
        p.memory.update(beginning(q))
    T, before = t - p.memory["t"], p.memory["sum"]
    p.memory["sum"] = before + T * (goal.q - q)
    if t > 0.1:
        p.memory["last"] = q
    p.memory["t"] = t
    Y = arm.regressor(q, qd, 0 * q)
    p.log["e"], p.log["T"] = goal.q - p.memory["last"], T
    return p.kp * (goal.q - q) - p.kd * qd + p.memory["sum"] + 1e-3 * arm.tau_measured + 1e-3 * Y[:, -10:].sum() * q

control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
""",
    """
import numpy as np

def control(t, q, qd, goal, arm, p):
    if "w" not in p.memory:
        p.memory["w"] = np.zeros((2, arm.n))
    w = p.memory["w"]
    w[0] += 0.1 * (goal.q - q)
    p.memory["w"][1] = w[0]
    p.log["w"] = w[1]
    return p.kp * (goal.q - q) - p.kd * qd + w[1]

control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
""",
]


@pytest.mark.parametrize("text", SAME)
def test_a_compiled_law_is_the_same_law(puma, text):
    own = law_from_text(text, "mine")
    way = engine.quintic(Q, Q + 0.5, 0.3)
    python, compiled = (
        engine.simulate(puma, Q, None, 0.4, 1e-3, replace(own, compiled=x), trajectory=way) for x in (False, True)
    )
    assert np.abs(python.table() - compiled.table()).max() <= 1e-9
    assert [run.metadata["controller"]["compiled"] for run in (python, compiled)] == [False, True]
    assert engine.verify_recording(compiled, allow_code=True).identical
    runs = [replace(own, compiled=x).begin(puma) for x in (False, True)]
    reference = np.concatenate([Q + 0.1, 0 * Q, 0 * Q])
    for run in runs:
        run.torque(0.5, Q, 0 * Q, reference)
        run.values = {"kp": 7.0, "kd": 3.0}
        run.learn(puma.with_payload(3.0))
    taus = [run.torque(0.5, Q, 0 * Q, reference) for run in runs]
    assert np.abs(taus[0] - taus[1]).max() <= 1e-9
    assert runs[0].log.keys() == runs[1].log.keys()
    assert all(np.allclose(runs[0].log[name], runs[1].log[name]) for name in runs[0].log)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('p.memory["k"] = 1\nreturn q', "p.memory"),
        (
            'if "k" not in p.memory:\n    p.memory["k"] = q\np.memory["l"] = p.memory["k"]\np.memory["k"] += q\nreturn q',
            "in place",
        ),
        ('if t > 0.002:\n    p.memory["k"] = t\nreturn q * p.memory.get("k", 0.0)', "p.memory"),
        ('if t > 0.002:\n    p.memory["k"] = t\nreturn q', "must exist from the first call on"),
        ('if "k" not in p.memory:\n    p.memory["k"] = t\nif t > 1:\n    return q\nreturn qd', "a return before the end"),
        ('if t > 0:\n    p.log["k"] = 1\nreturn q', "p.log"),
        ("while t < 0:\n    t += 1\nreturn q", "While"),
        ("return [0.0] * 6", "not an array of floats"),
        ("return np.random.rand(6)", "np.random"),
        ("return 0 * q + math_of_no_module(t)", "math_of_no_module"),
        ("k = 1\nfor i in range(70):\n    k = k * 2\nreturn q * k", "integers, which can overflow"),
        ("try:\n    return q\nexcept ValueError:\n    return qd", "Try"),
        ("return np.array([x for x in q])", "ListComp"),
        ("return arm.coriolis(q, qd) @ qd", "arm.coriolis"),
        ("return q.astype(np.int64) * 1.0", "astype"),
        ("range = 3.0\nreturn q * range", "another meaning"),
        ("return np.round(q)", "np.round"),
    ],
)
def test_what_might_differ_stays_python_and_says_why(puma, body, why):
    run = replace(law(body), compiled=True).begin(puma)
    assert not run.compiled
    assert why in run.why_python


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("return q * (1.0 / (t - 0.005)) if t > 0.0045 else 0 * q", 4, "ZeroDivisionError|inf"),
        ("i = 9 if t > 0.0045 else 0\nreturn 0 * q + q[i]", 5, "IndexError: index 9"),
        ("return q / (0.0 if t > 0.0045 else 1.0)", 4, "inf"),
        ("return q[:3] if t > 0.0045 else 0 * q", 4, "returned"),
        ("x = arm.gravity(q[:2]) if t > 0.0045 else q\nreturn 0 * x", 4, "DimensionError"),
    ],
)
def test_a_fault_is_the_same_compiled_or_not(puma, body, line, told):
    errors = []
    for compiled in (False, True):
        own = replace(law(body), compiled=compiled)
        assert own.begin(puma).compiled == compiled
        with pytest.raises(engine.LawError, match=told) as caught:
            engine.simulate(puma, Q, None, 0.1, 1e-3, own)
        errors.append((str(caught.value), caught.value.line))
    assert errors[0] == errors[1]
    assert errors[0][1] == line
