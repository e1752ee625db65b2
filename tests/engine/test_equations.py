"""The equations of arms with numbers as coefficients: against the engine, as text, and as code that is compiled and run."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armature import engine
from armature.engine.model.joint_ranges import joint_ranges
from tests.engine.arms import different_arms
from tests.engine.test_simulation_coupled import gripper_arm
from tests.engine.trees import random_state, random_tree

ARMS = [robot for robot in map(engine.load_robot, different_arms()) if robot.has_dynamics]


def states(robot, N: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(*joint_ranges(robot), (N, robot.n)), rng.normal(size=(N, robot.n))


def close(ours, theirs, tolerance: float = 1e-12) -> None:
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= tolerance * max(0.1, np.abs(theirs).max())


@pytest.mark.parametrize("robot", ARMS, ids=[robot.name for robot in ARMS])
def test_a_thousand_poses_of_every_arm_agree_with_the_engine(robot):
    E = engine.equations(robot, 0)
    q, qd = states(robot, 1000)
    close(E.M.evaluate(q), engine.mass_matrix(robot, q))
    close(E.g.evaluate(q), engine.gravity_torque(robot, q))
    close(E.J.evaluate(q), engine.jacobian(robot, q))
    close(E.fk.evaluate(q), engine.frame_pose(robot, q))
    C = engine.coriolis_matrix(robot, q, qd)
    for place in ((0, robot.n - 1), (robot.n - 1, 0)):
        assert np.abs(E.C[place].evaluate(q, qd) - C[:, place[0], place[1]]).max() <= 1e-12 * max(1e-3, np.abs(C).max())


@settings(max_examples=15)
@given(st.builds(random_tree, seed=st.integers(0, 10**6), n=st.integers(1, 4), branching=st.booleans()))
def test_random_trees_agree_with_the_engine(robot):
    E = engine.equations(robot, 0)
    q, qd, _ = random_state(robot, np.random.default_rng(robot.n), 20)
    close(E.M.evaluate(q), engine.mass_matrix(robot, q))
    close(E.g.evaluate(q), engine.gravity_torque(robot, q))
    close(E.C.evaluate(q, qd), engine.coriolis_matrix(robot, q, qd), 1e-11)
    close(E.J.evaluate(q[0]), engine.jacobian(robot, q[0]))
    close(E.fk.evaluate(q), engine.frame_pose(robot, q))


@pytest.mark.parametrize("name", ["scara", "puma560", "panda"])
def test_the_product_of_the_steps_is_the_pose_of_the_last_link(name):
    robot = engine.load_robot(name)
    q, _ = states(robot, 20)
    for E in (engine.equations(robot), engine.equations(robot, 0)):
        X = robot.base
        for A in E.A:
            X = X @ A.evaluate(q)
        close(X, engine.frame_pose(robot, q, robot.link_names[robot.n]))
    rows = [
        ["c_1", "-s_1", "0", r"a_{1} \, c_1"],
        ["s_1", "c_1", "0", r"a_{1} \, s_1"],
        ["0", "0", "1", "d_{1}"],
        ["0", "0", "0", "1"],
    ]
    A = engine.equations(engine.load_robot("scara")).A[0]
    assert [[A[i, j].latex() for j in range(4)] for i in range(4)] == rows


@pytest.mark.parametrize("name", ["rp_offset", "puma560"])
def test_christoffel_symbols_as_formulas(name):
    robot = engine.load_robot(name)
    E = engine.equations(robot)
    q, _ = states(robot, 10)
    close(E.christoffel.evaluate(q), engine.christoffel(robot, q))
    with pytest.raises(engine.EngineError, match="print single entries"):
        E.christoffel.latex()
    assert engine.equations(engine.load_robot("rp_offset")).christoffel[1, 0, 0].latex() == r"-m_{2} \, \left(d_{2} + q_2\right)"


def test_angles_of_parallel_axes_are_summed_where_that_is_shorter(puma):
    E = engine.equations(puma)
    assert {factor.name for monomial in E.g[2].terms() for factor, _ in monomial} == {"c23", "s23", "c4", "s5", "c5"}
    height = engine.equations(engine.load_robot("ur5")).fk[2, 3].terms()
    assert {"".join(factor.name for factor, _ in monomial) for monomial in height} == {"", "s2", "s23", "c234", "s234s5"}
    scara = engine.equations(engine.load_robot("scara"), 0)
    assert scara.g[0].latex() == "0" and not scara.g.terms(1)
    assert scara.fk[0, 3].latex() == r"0.325 \, c_1 + 0.225 \, c_{12}"
    assert scara.J[1, 1].latex() == r"0.225 \, c_{12}"
    assert scara.C[0, 1].latex().count(r"\dot q") == 2
    assert scara.M.latex().startswith(r"\begin{bmatrix} ") and scara.M.latex().count(r"\\") == 2


def test_a_long_planar_chain_is_told_in_sums_of_all_its_angles():
    chain = random_tree(1, 6, branching=False)
    step, upright = np.eye(4), np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
    step[0, 3] = 0.3
    flat = {"joint_type": "revolute", "inertia": np.diag([0.01, 0.01, 0.02]), "com": np.array([0.1, 0.0, 0.0])}
    bodies = tuple(replace(body, X_PJ=step if i else upright, **flat) for i, body in enumerate(chain.bodies))
    chain = replace(chain, bodies=bodies, gravity=np.array([0.0, 0.0, -9.81]))
    names = {"".join(factor.name for factor, _ in monomial) for monomial in engine.equations(chain).g[0].terms()}
    assert names == {"c1", "c12", "c123", "c1234", "c12345", "c123456"}
    q, _ = states(chain, 20)
    close(engine.equations(chain).M.evaluate(q), engine.mass_matrix(chain, q))


@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_what_significance_leaves_out_and_the_error_it_tells(name):
    robot = engine.load_robot(name)
    whole, short = engine.equations(robot, 0), engine.equations(robot, 0.01)
    assert short.M.size < whole.M.size / 5 and short.g.size < whole.g.size / 2
    assert whole.M.error == whole.g.error == 0.0 and short.significance == 0.01
    q, qd = states(robot, 3000, seed=1)
    off = {
        "g": np.abs(short.g.evaluate(q) - engine.gravity_torque(robot, q)).max(),
        "M": np.abs(short.M.evaluate(q) - engine.mass_matrix(robot, q)).sum(axis=2).max(),
    }
    assert 0.8 * short.g.error < off["g"] <= short.g.error
    assert 0.8 * short.M.error < off["M"] <= short.M.error
    largest = np.abs(engine.gravity_torque(robot, q)).max()
    dropped = [abs(value) for k in range(robot.n) for m, value in whole.g[k].terms().items() if m not in short.g[k].terms()]
    assert dropped and max(dropped) < 0.05 * largest


def test_the_coriolis_matrix_of_a_shortened_mass_matrix_keeps_energy(puma):
    E = engine.equations(puma, 0.01)
    q, qd = states(puma, 20)
    h = 1e-6
    Mdot = (E.M.evaluate(q + h * qd) - E.M.evaluate(q - h * qd)) / (2 * h)
    S = Mdot - 2 * E.C.evaluate(q, qd)
    assert np.abs(S + S.swapaxes(1, 2)).max() < 1e-8
    full = engine.coriolis_matrix(puma, q, np.sign(qd))
    tau = np.einsum("skj,sj->sk", E.C.evaluate(q, np.sign(qd)) - full, np.sign(qd))
    assert 0 < np.abs(tau).max() <= E.C.error


def test_the_puma_beside_armstrong(puma):
    """305 calculations are published, for terms above 1 % of the largest of their equation; ours: of their matrix."""
    assert sum(engine.equations(puma, 0.01).operations) < 305
    assert 305 < sum(engine.equations(puma).operations) < 3000


def compiled(source: str, folder) -> ctypes.CDLL:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    path = folder / "formula.c"
    path.write_text(source)
    command = ["cc", "-std=c99", "-Wall", "-Werror", "-O0", "-shared", "-fPIC", "-o", folder / "formula.so", path, "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    return ctypes.CDLL(folder / "formula.so")


@pytest.mark.parametrize("name", ["puma560", "stanford", "scara"])
def test_generated_code_agrees_with_the_engine(name, tmp_path):
    robot = engine.load_robot(name)
    E = engine.equations(robot)
    q, qd = states(robot, 5)
    formulas = {
        "M": (E.M, engine.mass_matrix(robot, q)),
        "C": (E.C, engine.coriolis_matrix(robot, q, qd)),
        "g": (E.g, engine.gravity_torque(robot, q)),
        "fk": (E.fk, engine.frame_pose(robot, q)),
        "J": (E.J, engine.jacobian(robot, q)),
    }
    library = compiled("\n".join(formula.c() for formula, _ in formulas.values()), tmp_path)
    for key, (formula, expected) in formulas.items():
        room: dict = {}
        exec(formula.python(), room)
        arguments = (q, qd)[: len(formula.arguments)]
        close(room[key](*arguments), expected)
        close(room[key](*(x[0] for x in arguments)), expected[0])
        for k in range(len(q)):
            out = np.full(formula.shape, np.nan)
            pointers = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (*(x[k] for x in arguments), out)]
            getattr(library, key)(*pointers)
            close(out, expected[k])


def test_code_of_an_entry_and_for_matlab(puma):
    E = engine.equations(puma, 0.01)
    room: dict = {}
    exec(E.M[1, 2].python(), room)
    assert room["M23"](np.array([0.0, 0.3, 0.4, 0, 0, 0])) == pytest.approx(E.M.evaluate([0.0, 0.3, 0.4, 0, 0, 0])[1, 2])
    text = E.M.matlab()
    assert text.startswith("function out = M(q)\n") and "zeros(6, 6)" in text and "q(2) + q(3)" in text
    assert "out(3, 2) = out(2, 3);" in text and text.endswith("end\n")
    assert E.C[0, 1].matlab().startswith("function out = C12(q, qd)")
    assert "..." in engine.equations(puma).M.matlab()
    assert "zeros(6, 6, 6)" in E.christoffel.matlab() and "zeros(6, 1)" in E.g.matlab() and "zeros(1, 1)" in E.g[1].matlab()


def test_what_cannot_be_told_is_refused_in_a_sentence(tmp_path, puma):
    with pytest.raises(engine.EngineError, match="has 9 joints: formulas are limited to 8"):
        engine.equations(random_tree(1, 9))
    with pytest.raises(engine.EngineError, match="mimic"):
        engine.equations(gripper_arm(tmp_path))
    for wrong in (1.0, -0.1, "1 %", True):
        with pytest.raises(engine.EngineError, match="significance"):
            engine.equations(puma, wrong)
    irb140 = engine.equations(engine.load_robot("irb140"))
    assert irb140.fk.latex() and irb140.J.size > 20
    for name in ("M", "C", "g"):
        with pytest.raises(engine.MissingDynamicsError, match="masses"):
            getattr(irb140, name)
    E = engine.equations(puma)
    with pytest.raises(engine.EngineError, match=r"no entry \[6, 0\]"):
        E.M[6, 0]
    assert [entry.latex() for entry in E.g] == [E.g[k].latex() for k in range(6)]
    for formula, why in ((E.M, r"its entries are M\[i, j\]"), (E.M[0, 0], "no entries")):
        with pytest.raises(engine.EngineError, match=why):
            iter(formula)
    with pytest.raises(engine.DimensionError, match="qd is missing"):
        E.C.evaluate(np.zeros(6))
    with pytest.raises(engine.DimensionError, match="shape"):
        E.M.evaluate(np.zeros(5))


def test_the_coriolis_matrix_of_a_large_arm_is_told_entry_by_entry():
    panda = engine.load_robot("panda")
    E = engine.equations(panda)
    with pytest.raises(engine.EngineError, match="available by entry only"):
        E.C.python()
    assert E.C[6, 5].python().startswith("import numpy")
