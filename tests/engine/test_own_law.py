"""A law as a file: what it says of itself, its faults with file and line, and that it does what the built-in law does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.simulation.commands import SetController, StartRecording, Step, StopRecording
from armature.engine.simulation.runs.scenario import build_run, load_scenario
from armature.engine.simulation.stepper import Stepper

Q = np.array([0.1, -0.4, 0.3, 0.2, 0.5, -0.6])
PD_GRAVITY = """
def control(t, q, qd, goal, arm, p):
    return p.kp * (goal.q - q) + p.kd * (goal.qd - qd) + arm.gravity(q)

control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
control.period = 0.002
"""


def law(body: str, rest: str = "") -> engine.OwnLaw:
    """A law of these lines, the first of which is line 4 of its file."""
    text = "import numpy as np\n\ndef control(t, q, qd, goal, arm, p):\n" + "".join(f"    {x}\n" for x in body.splitlines())
    return law_from_text(text + rest, "mine", "/there/mine.py")


def test_a_copy_of_pd_with_gravity_is_the_built_in_law(puma):
    own = law_from_text(PD_GRAVITY, "pd_gravity")
    assert own.parameters["kp"] == (0, 400, 100)
    assert own.period == 0.002
    way = engine.quintic(Q, Q + 0.5, 0.3)
    for values in ({"kp": 100, "kd": 20}, {"kp": 30.5, "kd": 4}):
        mine = engine.simulate(puma, Q, None, 0.4, 1e-3, replace(own, values=values), trajectory=way)
        built_in = engine.simulate(puma, Q, None, 0.4, 1e-3, engine.PDGravity(**values, period=0.002), trajectory=way)
        assert np.abs(mine.tau - built_in.tau).max() <= 1e-12 * np.abs(built_in.tau).max()
        assert np.abs(mine.q - built_in.q).max() <= 1e-12


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("def control(:\n    pass", 1, "line 1: SyntaxError: invalid syntax"),
        ("x = 1", None, r"no function control; write def control\(t, q, qd, goal, arm, p\)"),
        ("control = 3", None, "control is not a function"),
        ("\n1 / 0", 2, "line 2: the file cannot be loaded: ZeroDivisionError"),
        ("import sys\nsys.exit(3)", 2, "line 2: the file cannot be loaded: SystemExit"),
        ("\ndef control(t, q):\n    return q", 2, "control must be control.t, q, qd, goal, arm, p.: too many"),
        (PD_GRAVITY + "control.p = 3", 5, "control.p: must be a dict"),
        (PD_GRAVITY.replace("(0, 400, 100)", "(0, 400)"), 5, r"control.p: kp must be \(low, high, start\), three numbers"),
        (PD_GRAVITY.replace("(0, 400, 100)", "(0, 400, 500)"), 5, "kp must be .* start between them"),
        (PD_GRAVITY.replace("kp", "memory"), 5, "'memory' cannot be the name"),
        (PD_GRAVITY.replace("0.002", "-1"), 6, "the control period must be above 0"),
    ],
)
def test_a_file_that_does_not_load_is_one_line_with_file_and_line(tmp_path, text, line, told):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(engine.LawError, match=told) as caught:
        engine.load_law(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert str(caught.value).startswith(f"{path}, line {line}: " if line else f"{path}: ")
    assert "\n" not in str(caught.value)


def test_no_file_at_all_is_one_line(tmp_path):
    (tmp_path / "latin.py").write_bytes(b"# a\n# \xe4\n")
    with pytest.raises(engine.LawError, match=r"latin.py, line 2: is not text in UTF-8"):
        engine.load_law(tmp_path / "latin.py")
    with pytest.raises(engine.LawError, match="file not found"):
        engine.load_law(tmp_path / "none.py")


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("e = goal.q - q\nreturn e[9]", 5, "the controller failed at t = 0.005 s: IndexError: index 9"),
        (
            "if t > 1:\n    return q\nreturn q * np.nan",
            6,
            "at t = 0.005 s control returned .nan, nan.*6 finite numbers, one for each of",
        ),
        ("return q[:2]", 4, r"returned \[0.1, -0.400083\]"),
        ("return None", 4, "returned None"),
        ("p.kp = 3", 4, r"p.kp cannot be set; use p.memory\['kp'\]"),
        ("return p.kq * q", 4, "p has no 'kq'; its parameters are none"),
        ("import sys\nsys.exit()", 5, "SystemExit"),
        ('p.log["e"] = "far"\nreturn q', 4, r"p.log\['e'\] must be a number or a 1-D array, not 'far'"),
        ('p.log["a b"] = "far"\nreturn q', 4, r"p.log\['a b'\] must be a number or a 1-D array, not 'far'"),
        (
            'p.log["e"] = q if t < 0.0055 else q[:3]\nreturn 0 * q',
            4,
            r"p.log\['e'\] had 6 numbers before, now 3 numbers: \[0.1",
        ),
        ('p.log["e"] = q if t < 0.0055 else 1.0\nreturn 0 * q', 4, r"p.log\['e'\] had 6 numbers before, now 1 number"),
        ("return 1j * q", 4, r"control returned array\(.*j.*6 finite numbers"),
        ("return arm.rnea(q, qd, q[:3])", 4, "DimensionError: .*qdd has shape"),
    ],
)
def test_a_fault_while_running_names_file_and_line(puma, body, line, told):
    faulty = law("if t < 0.0045: return 0 * q\n" + body)
    with pytest.raises(engine.LawError, match=told) as caught:
        engine.simulate(puma, Q, None, 0.1, 1e-3, faulty)
    assert (caught.value.path, caught.value.line) == ("/there/mine.py", line + 1)
    assert "\n" not in str(caught.value)


def test_memory_lasts_between_calls_and_each_run_has_its_own(puma):
    counting = law('p.memory["calls"] = p.memory.get("calls", 0) + 1\nreturn 0 * q + p.memory["calls"]')
    for _ in range(2):
        run = engine.simulate(puma, Q, None, 0.01, 1e-3, counting)
        assert np.array_equal(run.tau[:, 0], np.arange(1, 12))


def test_a_function_of_six_parameters_is_one_too(puma):
    def control(t, q, qd, goal, arm, p):
        return p.kp * (goal.q - q) + arm.gravity(q)

    control.p = {"kp": (0, 400, 60)}
    control.period = 0.002
    mine = engine.simulate(puma, Q, None, 0.1, 1e-3, control)
    built_in = engine.simulate(puma, Q, None, 0.1, 1e-3, engine.PDGravity(60, 0, period=0.002))
    assert np.abs(mine.tau - built_in.tau).max() <= 1e-12 * np.abs(built_in.tau).max()
    told = mine.metadata["controller"]
    assert told["kind"] == "own-law"
    assert told["values"] == {"kp": 60}
    assert "return p.kp * (goal.q - q)" in told["text"]


def test_values_are_within_what_the_law_says():
    own = law_from_text(PD_GRAVITY, "pd_gravity")
    for values, told in (
        ({"kp": 500}, "kp must be a number from 0 to 400, not 500"),
        ({"ki": 1}, "unknown parameter 'ki'; valid: kp, kd"),
    ):
        with pytest.raises(engine.EngineError, match=told):
            replace(own, values=values)


INTEGRAL = """
import numpy as np

def control(t, q, qd, goal, arm, p):
    sum = p.memory.setdefault("sum", np.zeros(arm.n))
    sum += 0.001 * (goal.q - q)
    p.memory["calls"] = p.memory.get("calls", 0) + 1
    p.log["e"] = goal.q - q
    return p.kp * (goal.q - q) + 300 * sum - 4 * qd + arm.gravity(q)

control.p = {"kp": (0, 400, 100)}
"""


def test_a_recording_holds_text_parameters_and_values_and_runs_again_only_where_that_is_allowed(puma, tmp_path):
    path = tmp_path / "integral.py"
    path.write_text(INTEGRAL)
    own = engine.load_law(path, {"kp": 120})
    made = engine.simulate(puma, Q, None, 0.2, 1e-3, own)
    for recording in (made, *(engine.load_recording(made.save(tmp_path / f"run{x}")) for x in (".csv", ".npz", ".mat", ".mcap"))):
        told = recording.metadata["controller"]
        assert told["text"] == INTEGRAL
        assert (told["parameters"], told["values"]) == ({"kp": [0, 400, 100]}, {"kp": 120})
        with pytest.raises(engine.RecordingError, match="cannot be simulated again: its law integral is stored Python code"):
            engine.verify_recording(recording)
        assert engine.verify_recording(recording, allow_code=True).identical
        assert engine.verify_recording(recording, law=own).identical
        assert not engine.verify_recording(recording, law=law("return 0 * q")).identical
    under_another = engine.resimulate(made, controller=engine.default_gains(puma, "pd"))
    assert under_another.metadata["controller"]["kind"] == "pd"
    assert engine.resimulate(under_another, controller=own).metadata["controller"]["text"] == INTEGRAL


def test_nothing_that_a_recording_brings_along_runs_unasked(puma, tmp_path):
    trace = tmp_path / "ran"
    evil = f'open({str(trace)!r}, "a").close()\n' + INTEGRAL
    made = engine.simulate(puma, Q, None, 0.02, 1e-3, law_from_text(evil, "evil"))
    file = made.save(tmp_path / "run.csv")
    trace.unlink()
    recording = engine.load_recording(file)
    for use in (engine.verify_recording, engine.resimulate):
        with pytest.raises(engine.RecordingError, match="stored Python code"):
            use(recording)
        use(recording, law=law_from_text(INTEGRAL, "evil"))
    engine.resimulate(recording, controller=engine.default_gains(puma, "pd"))
    engine.convert_recording(file, tmp_path / "run.npz")
    assert not trace.exists()
    engine.resimulate(recording, allow_code=True)
    assert trace.exists()


def test_a_function_that_uses_more_than_its_text_is_given_again(puma):
    gain = 50.0

    def control(t, q, qd, goal, arm, p):
        return gain * (goal.q - q)

    made = engine.simulate(puma, Q, None, 0.02, 1e-3, control)
    with pytest.raises(engine.RecordingError, match="its law control is a function that uses names outside its stored text"):
        engine.verify_recording(made, allow_code=True)
    assert engine.verify_recording(made, law=control).identical


KNEE = 0.02


def bent(x):
    return np.clip(x, -KNEE, KNEE)


def soft(t, q, qd, goal, arm, p):
    """With names of its module."""
    return p.kp * bent(goal.q - q) + arm.gravity(q)


soft.p = {"kp": (0, 400, 90)}
soft.period = 0.002


def test_a_function_with_all_it_uses_is_a_text(puma, tmp_path):
    made = engine.simulate(puma, Q, np.full(6, 0.5), 0.1, 1e-3, soft)
    assert engine.verify_recording(engine.load_recording(made.save(tmp_path / "run.npz")), allow_code=True).identical
    assert "KNEE = 0.02" in made.metadata["controller"]["text"]


def test_the_steps_before_a_fault_are_kept(puma):
    stepper = Stepper(puma, Q)
    stepper.set_controller(law("return q * 0 if t < 0.0995 else q[9]"))
    assert len(stepper.advance(500).states) == 100
    with pytest.raises(engine.LawError, match=r"mine.py, line 4: the controller failed at t = 0.1 s"):
        stepper.advance(500)
    stepper.set_controller(law("return q * 0"))
    assert len(stepper.advance(500).states) == 500


def test_live_reloads_and_sliders_are_events_of_their_step_and_memory_goes_on(puma, start, tmp_path):
    worker = start("puma560")
    own = law_from_text(INTEGRAL, "integral")
    worker.post(SetController(own))
    worker.post(Step(30))
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.post(Step(40))
    worker.post(SetController(replace(own, values={"kp": 250})))
    worker.post(Step(40))
    worker.post(SetController(law_from_text(INTEGRAL.replace("4 * qd", "8 * qd"), "integral")))
    worker.post(Step(40))
    worker.post(SetController(law_from_text(INTEGRAL, "another")))
    worker.post(Step(40))
    worker.post(StopRecording())
    assert worker.worker.stop(20)
    recording = engine.load_recording(tmp_path / "run.csv")
    changes = [event["controller"] for event in recording.metadata["events"] if event["kind"] == "controller"]
    assert [(change["name"], change["values"]["kp"], "8 * qd" in change["text"]) for change in changes] == [
        ("integral", 250, False),
        ("integral", 100, True),
        ("another", 100, False),
    ]
    again = engine.verify_recording(recording, allow_code=True)
    assert again.identical, again
    with pytest.raises(engine.RecordingError, match="stored Python code"):
        engine.verify_recording(recording)


def test_a_scenario_runs_a_law_beside_it_only_with_leave(puma, tmp_path):
    trace = tmp_path / "ran"
    (tmp_path / "mine.py").write_text(f"open({str(trace)!r}, 'a').close()\n" + INTEGRAL)
    file = tmp_path / "runs.toml"
    file.write_text(
        '[[runs]]\nname = "a"\nrobot = "puma560"\nduration = 0.1\nrecord = "{name}.npz"\n'
        'controller = { kind = "mine.py", kp = 80 }\nsweep = { "controller.kp" = [80, 120] }\n'
    )
    with pytest.raises(engine.EngineError, match=r"runs\[0\].controller: mine.py is Python code, .* --allow-code if"):
        load_scenario(file)
    assert not trace.exists()
    runs = load_scenario(file, allow_code=True)
    assert trace.exists() and len(runs) == 2
    build_run(file, 0, runs[1]["table"], allow_code=True).perform(False, lambda _: True)
    recording = engine.load_recording(tmp_path / "a-2.npz")
    assert recording.metadata["controller"]["values"] == {"kp": 120}
    assert engine.verify_recording(recording, allow_code=True).identical


def test_what_a_law_logged_is_beside_the_columns_in_every_file(puma, start, tmp_path):
    logging = law('p.log["e"] = goal.q - q\np.log["t"] = t\nif t > 0.0145: p.log["late"] = 2.0\nreturn 20 * (goal.q - q)')
    run = engine.simulate(puma, Q, np.full(6, 0.1), 0.03, 1e-3, logging)
    for recording in (run, *(engine.load_recording(run.save(tmp_path / f"r{x}")) for x in (".csv", ".npz", ".mat", ".mcap"))):
        assert list(recording.log) == ["e", "t", "late"]
        assert np.array_equal(recording.log["e"], Q - run.q)
        assert np.array_equal(recording.log["t"], run.t)
        assert np.isnan(recording.log["late"][:15]).all() and (recording.log["late"][15:] == 2.0).all()
        assert engine.verify_recording(recording, allow_code=True).identical
    slow = engine.simulate(puma, Q, None, 0.03, 1e-3, replace(logging, period=0.01))
    assert np.allclose(slow.log["t"], np.floor(slow.t / 0.01 + 1e-9) * 0.01)
    worker = start("puma560")
    worker.post(SetController(logging))
    worker.post(StartRecording(tmp_path / "live.csv"))
    worker.post(Step(20))
    worker.post(StopRecording())
    assert worker.worker.stop(20)
    live = engine.load_recording(tmp_path / "live.csv")
    assert np.allclose(live.log["t"], np.arange(21) * 1e-3)


def test_what_the_arm_lacks_is_told_with_what_it_has():
    robot = engine.load_robot("double_pendulum")
    law = law_from_text("def control(t, q, qd, goal, arm, p):\n    return arm.inertia(q) @ q\n", "law")
    with pytest.raises(engine.EngineError, match=r"arm has no 'inertia'; it has gravity, .*mass_matrix, .*tau_max"):
        engine.simulate(robot, [0.1, 0.2], None, 0.01, 0.001, law)
