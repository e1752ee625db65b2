"""The energy line of `armature simulate`: a balance whose terms are all there."""

import re

import pytest

from armature import engine

PUSH = "def disturbance(t, q, qd, p):\n    return [{}, 0, 0, 0]\ndisturbance.link = 'link2'\n"
TERM = r"(\w+) ([-+]?\d[-+.e\d]*) J"


def balance(out) -> dict[str, float]:
    """The terms of the line, J by name, which sum up to the change within what is printed."""
    (line,) = (line for line in out if line.strip().startswith("energy"))
    terms = {name: float(work) for name, work in re.findall(TERM, line)}
    change = terms.pop("change")
    error = terms.pop("error")
    assert change == pytest.approx(sum(terms.values()) + error, abs=1e-5 * max(map(abs, terms.values()))), line
    return terms


def test_what_a_disturbance_does_is_its_force_times_the_way(armature, tmp_path):
    (tmp_path / "push.py").write_text(PUSH.format("3, 0, -20"))
    arguments = ("double_pendulum", "--duration", "0.5", "--q0", "0.3 0.4", "--disturbance", tmp_path / "push.py")
    code, out, err = armature("simulate", *arguments, "--record", tmp_path / "a.npz")
    assert code == 0 and not err
    terms = balance(out)
    recording, robot = engine.load_recording(tmp_path / "a.npz"), engine.load_robot("double_pendulum")
    before, after = (engine.frame_pose(robot, recording.q[k], "link2")[:3, 3] for k in (0, -1))
    assert terms == {"disturbance": pytest.approx((after - before) @ [3, 0, -20], rel=2e-3)}  # its lever is held over a step
    energy = recording.kinetic + recording.potential
    assert terms["disturbance"] == pytest.approx(energy[-1] - energy[0], rel=1e-5)


def test_friction_stops_motors_and_a_disturbance_sum_up_to_the_change(armature, tmp_path):
    (tmp_path / "push.py").write_text(PUSH.format("0, 300 * (t < 0.5), 0").replace("link2", "link3"))
    push = ("puma560", "--duration", "1", "--disturbance", tmp_path / "push.py")
    code, out, _ = armature("simulate", *push)
    assert code == 0 and set(balance(out)) == {"friction", "disturbance", "stops"}
    code, out, _ = armature("simulate", *push, "--controller", "pd-gravity")
    assert code == 0 and set(balance(out)) == {"motors", "friction", "disturbance"}
    assert "friction" in balance(armature("simulate", "puma560", "--duration", "0.2")[1])


def test_the_adaptive_integrator_keeps_no_works_and_says_what_had_a_part(armature, tmp_path):
    (tmp_path / "push.py").write_text(PUSH.format("0, 300, 0"))
    push = ("--duration", "0.2", "--integrator", "adaptive", "--disturbance", tmp_path / "push.py")
    assert "J, including the disturbance" in "\n".join(armature("simulate", "double_pendulum", *push)[1])
    assert "J, including friction and the disturbance" in "\n".join(armature("simulate", "puma560", *push)[1])
