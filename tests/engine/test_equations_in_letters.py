"""Equations in letters: the lectures' closed forms by sympy, Lagrange beside Newton and Euler, and the numbers put in."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from armature import engine
from armature.engine.formulas.factor import ACCELERATION, COS, POSITION, SIN, SPEED
from armature.engine.formulas.symbolic_arm import SymbolicArm
from tests.engine.test_equations import close, compiled, states
from tests.engine.trees import random_tree

SMALL = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.n <= 3]
IDS = [robot.name for robot in SMALL]
Q = sp.symbols("q1:4", real=True)
QD = sp.symbols("qd1:4", real=True)
QDD = sp.symbols("qdd1:4", real=True)


def expression(formula) -> sp.Expr:
    """An entry as a sympy expression in q1 …, qd1 …, qdd1 …, and its letters."""
    total = sp.Integer(0)
    for monomial, value in formula.terms().items():
        for factor, power in monomial:
            angle = sum(k * Q[i] for i, k in enumerate(factor.k))
            states = {POSITION: Q, SPEED: QD, ACCELERATION: QDD}
            x = {COS: sp.cos, SIN: sp.sin}[factor.kind](angle) if factor.kind in (COS, SIN) else states[factor.kind][factor.joint]
            if factor.offset:
                x += sp.Symbol(factor.offset.lstrip("-"), positive=True) * (-1 if factor.offset[0] == "-" else 1)
            value = value * x**power
        total += value
    return total


def same(formula, expected: str) -> None:
    """The entry is what the lecture prints: `expected` in its letters, c1 = cos q1 and so on."""
    text = sp.sympify(expected, {**LETTERS, **{f"q{i + 1}": Q[i] for i in range(3)}, **{f"qd{i + 1}": QD[i] for i in range(3)}})
    assert sp.simplify(sp.expand_trig(expression(formula) - text)) == 0, f"{expression(formula)} is not {expected}"


LETTERS = {
    name: sp.Symbol(name, positive=True)
    for name in ["a1", "a2", "a3", "d1", "d2", "lc1", "m1", "m2", "m3", "I1", "I2", "g"]
} | {
    "c1": sp.cos(Q[0]), "s1": sp.sin(Q[0]), "c2": sp.cos(Q[1]), "s2": sp.sin(Q[1]),
    "c12": sp.cos(Q[0] + Q[1]), "s12": sp.sin(Q[0] + Q[1]),
    "c13": sp.cos(Q[0] + Q[2]), "s13": sp.sin(Q[0] + Q[2]),
}  # fmt: skip


def test_scara():
    """The lecture's r1, r2, h1, h2 are a1, a2, d1, d2 of the DH table."""
    E = engine.equations(engine.load_robot("scara"))
    rows = (("a1*c1 + a2*c12", "a1*s1 + a2*s12", "d1 + d2 - q3"), ("c12", "s12", "0"))
    for k in range(3):
        same(E.fk[k, 3], rows[0][k])
        same(E.fk[k, 0], rows[1][k])
    expected = (("-a1*s1 - a2*s12", "-a2*s12", "0"), ("a1*c1 + a2*c12", "a2*c12", "0"), ("0", "0", "-1"))
    for i in range(3):
        for j in range(3):
            same(E.J[i, j], expected[i][j])
    assert E.fk[0, 3].latex() == r"a_{1} \, c_1 + a_{2} \, c_{12}"


def test_rp():
    """Point masses at alpha, here d2, and alpha + q."""
    E = engine.equations(engine.load_robot("rp"))
    same(E.M[0, 0], "m1*d2**2 + m2*(d2 + q2)**2")
    same(E.M[0, 1], "0")
    same(E.M[1, 1], "m2")
    same(E.g[0], "(m1*d2 + m2*(d2 + q2))*g*c1")
    same(E.g[1], "m2*g*s1")
    c = [expression(E.C[k, 0]) * QD[0] + expression(E.C[k, 1]) * QD[1] for k in range(2)]
    d2, m2 = LETTERS["d2"], LETTERS["m2"]
    assert sp.expand(c[0] - 2 * m2 * (d2 + Q[1]) * QD[0] * QD[1]) == 0
    assert sp.expand(c[1] + m2 * (d2 + Q[1]) * QD[0] ** 2) == 0


def test_rp_offset():
    """Problem 7.8; its l1 is d2."""
    E = engine.equations(engine.load_robot("rp_offset"))
    same(E.M[0, 0], "m2*a1**2 + m2*(d2 + q2)**2 + m1*lc1**2 + I1 + I2")
    same(E.M[0, 1], "-a1*m2")
    same(E.M[1, 1], "m2")
    same(E.C[0, 0], "m2*(d2 + q2)*qd2")
    same(E.C[0, 1], "m2*(d2 + q2)*qd1")
    same(E.C[1, 0], "-m2*(d2 + q2)*qd1")
    same(E.C[1, 1], "0")
    same(E.g[0], "m1*g*lc1*c1 + m2*g*(d2*c1 - a1*s1 + q2*c1)")
    same(E.g[1], "m2*g*s1")
    assert E.values == {"a1": 0.2, "d2": 0.6, "lc1": 0.35, "m1": 3.0, "m2": 2.0, "I1": 0.12, "I2": 0.05, "g": 9.81}


def test_spherical_pendulum():
    """phi is q1, theta q2; the lecture's l and m are a2 and m2."""
    E = engine.equations(engine.load_robot("spherical_pendulum"))
    same(E.M[0, 0], "m2*a2**2*s2**2")
    same(E.M[1, 1], "m2*a2**2")
    same(E.g[0], "0")
    same(E.g[1], "m2*g*a2*s2")
    same(E.C[1, 0], "-m2*a2**2*s2*c2*qd1")
    assert E.M[0, 0].latex() == r"m_{2} \, a_{2}^{2} \, s_2^{2}"


def test_double_pendulum():
    E = engine.equations(engine.load_robot("double_pendulum"))
    same(E.M[0, 0], "(m1 + m2)*a1**2 + m2*a2**2 + 2*m2*a1*a2*c2")
    same(E.M[0, 1], "m2*a2**2 + m2*a1*a2*c2")
    same(E.M[1, 1], "m2*a2**2")
    same(E.C[0, 0], "-m2*a1*a2*qd2*s2")
    same(E.C[1, 0], "m2*a1*a2*qd1*s2")
    same(E.g[0], "(m1 + m2)*g*a1*c1 + m2*g*a2*c12")
    same(E.g[1], "m2*g*a2*c12")
    assert E.M[0, 0].latex() == (
        r"\left(m_{1} + m_{2}\right) \, a_{1}^{2} + m_{2} \, a_{2}^{2} + 2 \, m_{2} \, a_{1} \, a_{2} \, c_2"
    )


def test_pendulum_and_sliding_mass():
    E = engine.equations(engine.load_robot("pendulum"))
    same(E.M[0, 0], "m1*a1**2")
    same(E.g[0], "m1*g*a1*s1")
    same(E.C[0, 0], "0")
    E = engine.equations(engine.load_robot("sliding_mass"))
    same(E.M[0, 0], "m1")
    same(E.g[0], "0")


def test_rpr():
    E = engine.equations(engine.load_robot("rpr"))
    same(E.fk[0, 3], "(d2 + q2)*c1 + a3*c13")
    same(E.fk[2, 3], "(d2 + q2)*s1 + a3*s13")
    same(E.M[0, 0], "m1*d2**2 + m2*(d2 + q2)**2 + m3*((d2 + q2)**2 + a3**2 + 2*a3*(d2 + q2)*cos(q3))")
    same(E.g[1], "(m2 + m3)*g*s1")
    assert E.det_J.factored_latex() == r"\left(d_{2} + q_2\right)"


@pytest.mark.parametrize("robot", SMALL, ids=IDS)
def test_newton_and_euler_come_to_lagranges_torque(robot):
    E = engine.equations(robot)
    assert E.in_letters and not E.without_letters
    for k in range(robot.n):
        difference = expression(E.tau[k]) - expression(E.tau_newton_euler[k])
        assert sp.expand(sp.expand_trig(difference)) == 0
        difference = expression(E.dL_dqd_dt[k]) - expression(E.dL_dq[k]) - expression(E.tau[k])
        assert sp.expand(sp.expand_trig(difference)) == 0
        energy = expression(E.T[k]) - expression(E.V[k]) - expression(E.L[k])
        assert sp.expand(energy) == 0


@pytest.mark.parametrize("robot", SMALL, ids=IDS)
def test_with_their_numbers_letters_are_the_engine(robot, tmp_path):
    E = engine.equations(robot)
    q, qd = states(robot, 50)
    qdd = states(robot, 50, seed=3)[1]
    close(E.M.evaluate(q), engine.mass_matrix(robot, q))
    close(E.C.evaluate(q, qd), engine.coriolis_matrix(robot, q, qd))
    close(E.g.evaluate(q), engine.gravity_torque(robot, q))
    close(E.fk.evaluate(q), engine.frame_pose(robot, q))
    close(E.J.evaluate(q), engine.jacobian(robot, q))
    close(E.tau.evaluate(q, qd, qdd), engine.rnea(robot, q, qd, qdd))
    close(E.tau_newton_euler.evaluate(q, qd, qdd), engine.rnea(robot, q, qd, qdd))
    close(E.T.evaluate(q, qd).sum(axis=1), engine.kinetic_energy(robot, q, qd))
    close(E.V.evaluate(q).sum(axis=1), engine.potential_energy(robot, q))
    library = compiled("\n".join(f.c() for f in (E.M, E.C, E.g, E.fk, E.J)), tmp_path)
    out = np.full((robot.n, robot.n), np.nan)
    library.M(*(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (q[0], out)))
    close(out, engine.mass_matrix(robot, q[0]))
    room: dict = {}
    exec(E.M.python() + E.C.python(), room)
    close(room["M"](q), E.M.evaluate(q))
    close(room["C"](q, qd), E.C.evaluate(q, qd))
    assert any(f"m{k} = " in E.M.matlab() for k in (1, 2, 3))


def first_joints(robot, k: int):
    """The arm cut off behind its k-th joint."""
    links = dict(list(robot.links.items())[: k + 1])
    dh = replace(robot.dh, **{name: getattr(robot.dh, name)[:k] for name in ("a", "alpha", "d", "theta", "prismatic")})
    parts = {name: getattr(robot, name)[:k] for name in ("bodies", "joint_names", "q_min", "q_max", "qd_max", "tau_max")}
    return replace(robot, **parts, links=links, frames=links, tool=list(links)[-1], configurations={}, dh=dh)


@pytest.mark.parametrize("name", ["stanford", "puma560"])
def test_three_joints_of_a_real_arm(name):
    robot = first_joints(engine.load_robot(name), 3)
    E = engine.equations(robot)
    q, qd = states(robot, 20)
    assert E.in_letters and E.M.size < 20 and E.M.latex()
    close(E.M.evaluate(q), engine.mass_matrix(robot, q))
    close(E.g.evaluate(q), engine.gravity_torque(robot, q))
    close(E.fk.evaluate(q), engine.frame_pose(robot, q))
    close(E.tau_newton_euler.evaluate(q, qd, 0 * q), engine.rnea(robot, q, qd, 0 * q))


TREE = """
name = "tree"
convention = "standard"
[[joints]]
type = "revolute"
alpha = "pi/2"
d = 0.5
mass = 2.0
com = [0.1, 0.0, 0.0]
inertia = [0.1, 0.1, 0.1]
[[joints]]
type = "revolute"
a = 0.3
d = 0.1
mass = 1.0
[[joints]]
parent = "link1"
type = "prismatic"
d = -0.2
mass = 0.5
com = [0.05, 0.0, 0.1]
gear_ratio = 10
rotor_inertia = 0.001
"""
MODIFIED = """
name = "modified"
convention = "modified"
[base]
rpy = ["pi/2", 0, 0]
xyz = [0.1, 0.0, 0.7]
[tool]
xyz = [0.25, 0.0, 0.0]
[[joints]]
type = "revolute"
mass = 1.0
com = [0.3, 0, 0]
[[joints]]
type = "revolute"
a = 0.3
mass = 0.8
com = [0.1, 0.02, 0]
inertia = [0.01, 0.01, 0.02]
"""


def read(folder, text: str):
    (folder / "arm.toml").write_text(text, encoding="utf-8")
    return engine.load_robot(folder / "arm.toml")


CHANGED = {
    "a tree": lambda folder: read(folder, TREE),
    "a modified table": lambda folder: read(folder, MODIFIED),
    "no gravity": lambda folder: engine.load_robot("rp").with_gravity([0, 0, 0]),
    "gravity aslant": lambda folder: engine.load_robot("rp").with_gravity([1, 2, 3]),
    "a payload": lambda folder: engine.load_robot("scara").with_payload(1.5, [0.1, 0, 0.2], np.eye(3) * 0.01),
    "a tool": lambda folder: engine.load_robot("double_pendulum").with_tool(np.eye(4) + 0.2 * np.eye(4, k=3)),
}


@pytest.mark.parametrize("change", CHANGED)
def test_letters_of_other_arms(change, tmp_path):
    robot = CHANGED[change](tmp_path)
    E = engine.equations(robot)
    assert E.in_letters
    q, qd = states(robot, 20)
    qdd = states(robot, 20, seed=4)[1]
    close(E.M.evaluate(q), engine.mass_matrix(robot, q))
    close(E.fk.evaluate(q), engine.frame_pose(robot, q))
    close(E.J.evaluate(q), engine.jacobian(robot, q))
    close(E.tau.evaluate(q, qd, qdd), engine.rnea(robot, q, qd, qdd))
    close(E.tau_newton_euler.evaluate(q, qd, qdd), engine.rnea(robot, q, qd, qdd))
    room: dict = {}
    exec(E.fk.python(), room)
    close(room["fk"](q), engine.frame_pose(robot, q))
    if change == "a tree":
        assert E.g[1].latex() == r"m_{2} \, g \, a_{2} \, c_2" and "y3" in E.values


def test_arms_without_letters_say_why(puma):
    E = engine.equations(puma)
    assert not E.in_letters and not E.values
    with pytest.raises(engine.EngineError, match="puma560 has 6 joints"):
        _ = E.T
    crooked = engine.equations(random_tree(3, 2))
    assert "right angles" in crooked.without_letters and crooked.M.size
    in_numbers = engine.equations(engine.load_robot("scara"), 0)
    assert not in_numbers.in_letters and "significance" in in_numbers.without_letters


def test_sympy_is_imported_for_letters_only():
    code = (
        "import sys, armature; E = armature.equations(armature.load_robot('puma560')); E.M.latex(); E.g.c();"
        "assert 'sympy' not in sys.modules; armature.equations(armature.load_robot('rp')); assert 'sympy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numbers_of_the_letters_are_read_only():
    with pytest.raises(TypeError):
        engine.equations(engine.load_robot("rp")).values["m1"] = 3.0
    assert np.isclose(engine.equations(engine.load_robot("rp")).values["d2"], 0.5)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_letters_of_a_table_have_the_signs_that_stand_there(tmp_path, convention):
    rows = [("pi", -0.4, -0.5), ("-pi/2", 0.3, 0.0), (0.0, 0.0, 0.25)]
    text = [f'name = "arm"\nconvention = "{convention}"\n']
    text += [f'[[joints]]\ntype = "revolute"\nalpha = "{alpha}"\nd = {d}\na = {a}\nmass = 1.0\n' for alpha, d, a in rows]
    file = tmp_path / "arm.toml"
    file.write_text("".join(text), encoding="utf-8")
    robot = engine.load_robot(file)
    values = SymbolicArm(robot).values
    first = convention == "standard"
    table = {f"d{k + 1}": d for k, (_, d, _) in enumerate(rows)} | {f"a{k + first}": a for k, (_, _, a) in enumerate(rows)}
    assert {"d1": -0.4, "d2": 0.3}.items() <= values.items()
    assert all(values[name] == value for name, value in table.items() if name in values)
    q, fk = np.array([0.3, -0.8, 0.5]), engine.equations(robot).fk
    found = np.array([[fk[i, j].evaluate(q) for j in range(4)] for i in range(4)], float)
    assert found == pytest.approx(engine.frame_pose(robot, q), abs=1e-9)
