"""Files damaged at random by seeded hands: a recording, a plan, a run, or one line that names the file; the disk stays as it was.

What no hand would find is requested by name.
"""

import json
import os
import random
import re
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.recording.mcap import mcap_format
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_files import PartFile
from armature.engine.recording.recording_notes import notes_path
from armature.engine.recording.recording_recovery import find_recoverable
from armature.engine.simulation.runs.recorded_dynamics import RecordedDynamics
from armature.engine.simulation.runs.scenario import load_scenario
from tests.chance import seeds

ROOT = Path(__file__).resolve().parents[2]
PICK = ROOT / "assets" / "trajectories" / "pick_place_puma560.toml"
TEXTS = [b"NaN", b"1e400", b"9" * 400, b"", b"null", b'"a"', b"[]", b"{}", b"[" * 3000, b"2147483648", "٣".encode()]
VALUES = [
    *(None, True, -1, 7, 2**63, 10**400, 0.5, 1e308, float("nan"), "", "x", "a\nb", "\0", "é" * 2000, "pose", "panda"),
    *([], [0.0], [1] * 6, [10**400] * 6, [float("nan")] * 3, ["x"] * 6, {}, {"kind": ["pd"]}, [{}]),
]


def one_line(work, path: Path | None = None):
    """What `work` gives, or None where it is refused in one line that names `path`."""
    try:
        return work()
    except engine.EngineError as error:
        text = str(error)
        assert text.isprintable() and len(text) < 1010 and (path is None or path.name in text), text
        return None


def damaged(data: bytes, hand: random.Random) -> bytes:
    """`data` with a few bits, bytes, numbers, names or lines changed, lost, doubled or exchanged."""
    for _ in range(hand.choice([1, 1, 2, 4])):
        at, way = hand.randrange(len(data) + 1), hand.randrange(8)
        if hand.random() < 0.5:
            at %= 800  # where headers are
        if way == 0:
            data = data[:at] + bytes([hand.randrange(256)]) + data[at + 1 :]
        elif way == 1:
            data = data[:at]
        elif way == 2:
            data = data[:at] + data[at + hand.randrange(200) :]
        elif way == 3:
            data = data[:at] + hand.choice([0, 1, 2**31 - 1, 2**32 - 1]).to_bytes(4, "little") + data[at + 4 :]
        elif way == 4 and (found := list(re.finditer(rb'-?\d+\.\d+|"[^"\n]{1,40}"', data))):
            first, last = hand.choice(found).span()
            data = data[:first] + hand.choice(TEXTS) + data[last:]
        elif way == 5:
            lines = data.split(b"\n")
            k, j = hand.randrange(len(lines)), hand.randrange(len(lines))
            lines[k], lines[j] = lines[j], lines[k] * hand.randrange(3)
            data = b"\n".join(lines)
        elif way == 6:
            data = hand.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\0"]) + data
        elif way == 7:
            data = data.replace(b"\n", hand.choice([b"\r\n", b"\r", b"\0"]))
    return data


@pytest.fixture(scope="module")
def run(scara):
    law = engine.default_gains(scara, "computed-torque")
    return engine.simulate(scara, scara.configurations["home"], None, 0.02, 1e-3, law)


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap", "csv.part", "npz.part", "mcap.part"])
def test_recordings(run, tmp_path, suffix):
    whole = tmp_path / "whole" / f"a.{suffix}"
    whole.parent.mkdir()
    if suffix.endswith(".part"):
        part = PartFile(whole.with_suffix(""), run.columns, run.metadata)
        part.rows(run.table())
        with pytest.MonkeyPatch.context() as later:
            later.setattr(mcap_format, "FLUSH", 0.0)
            part.flush()
        part.close()
    else:
        run.save(whole)
    beside = [path for path in whole.parent.iterdir() if path != whole]
    for seed in seeds(50):
        hand = random.Random(f"{suffix}{seed}")
        hurt = hand.choice([whole, whole, *beside])
        for path in (whole, *beside):
            data = path.read_bytes()
            (tmp_path / path.name).write_bytes(damaged(data, hand) if path == hurt else data)
        before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        found = one_line(lambda: engine.load_recording(tmp_path / whole.name), whole)
        if found is not None:
            one_line(lambda: engine.resimulate(found))  # noqa: B023
        find_recoverable(tmp_path)
        assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def places(tree, path=()):
    """The ways to everything in nested tables and lists, a few of the entries of each list."""
    if path:
        yield path
    for key in tree if isinstance(tree, dict) else range(min(len(tree), 8)) if isinstance(tree, list) else ():
        yield from places(tree[key], (*path, key))


def altered(tree, hand: random.Random):
    """`tree` with one of its values replaced or gone."""
    ways = list(places(tree))
    *path, last = hand.choice([way for way in ways if len(way) <= hand.choice([1, 2, 3, 9])])
    inner = tree
    for key in path:
        inner = inner[key]
    if hand.random() < 0.8:
        inner[last] = hand.choice(VALUES)
    else:
        del inner[last]
    return tree


@pytest.fixture(scope="module")
def told(puma):
    """A run whose metadata tell of everything that can be done meanwhile."""
    law = engine.default_gains(puma, "impedance")
    way = engine.minimum_jerk([np.zeros(6), np.full(6, 0.1)], [0.1])
    way = replace(way, payloads=((0.01, engine.Payload(1.0)), (0.015, None)), marks=(0.1,))
    run = engine.simulate(puma, way.start, None, 0.02, 1e-3, law, trajectory=way, model=puma.with_payload(0.2))
    n, pull = puma.n, {"body": 3, "point": [0, 0, 0], "target": [0, 0, 1], "stiffness": 9.0, "damping": 1.0, "most": 9.0}
    state = {"q": [0.0] * n, "qd": [0.0] * n}
    begin = {"wall": 0.0, "timing": [0.0, 0, 0.0], **state, "hold": [0.0] * n, "memory": [None, *[0.0] * 12]}
    begin |= {"torque": [0.0] * n, "payload": None, "pull": pull}
    events = [
        {"row": 0, "kind": "begin", **begin},
        {"row": 0, "kind": "pose", "held": True, "wall": 0.0},
        {"row": 1, "kind": "enter", "t": 0.0, "wall": 0.0},
        {"row": 3, "kind": "torque", "torque": [1.0] * n},
        {"row": 5, "kind": "payload", "payload": engine.Payload(0.5).describe()},
        {"row": 6, "kind": "dt", "dt": 2e-3},
        {"row": 7, "kind": "trajectory", "trajectory": way.describe()},
        {"row": 9, "kind": "leave", "t": 0.1, "wall": 0.2, "last": 1},
    ]
    return run, {**run.metadata, "events": events}


def test_what_a_recording_says_about_itself(told, puma):
    run, metadata = told
    text = json.dumps(metadata)
    for seed in seeds(120):
        said = altered(json.loads(text), random.Random(seed))
        recording = engine.Recording.from_table(run.table(), run.joint_names, said)
        one_line(lambda: engine.resimulate(recording, puma))  # noqa: B023
        assert RecordedDynamics(recording, puma).doubt.isprintable()


@pytest.mark.parametrize("row", [1e308, 2**70, -1, 5, float("nan")])
def test_an_event_beyond_the_samples(told, puma, row):
    run, metadata = told
    events = [*metadata["events"][:4], {"row": row, "kind": "pull", "pull": None}, *metadata["events"][4:]]
    recording = engine.Recording.from_table(run.table(), run.joint_names, {**metadata, "events": events})
    assert "do not match" in RecordedDynamics(recording, puma).doubt or row == 5


@pytest.mark.parametrize("events", [5, None, {}, "x"])
def test_notes_whose_events_are_none(run, tmp_path, events):
    part = PartFile(tmp_path / "a.csv", run.columns, run.metadata)
    part.rows(run.table())
    part.close()
    notes_path(part.path).write_text(json.dumps({"metadata": {"events": events}}) + '\n{"row": 3}\n')
    assert engine.load_recording(part.path).metadata["events"] == [{"row": 3}] and len(find_recoverable(tmp_path)) == 1


def test_long_quotations_and_names_of_two_lines(run, tmp_path):
    law = {**run.metadata["controller"], "k" * 100_000: 1}
    recording = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "controller": law})
    assert one_line(lambda: engine.resimulate(recording)) is None
    assert one_line(lambda: engine.load_recording(tmp_path / "two\nlines.csv")) is None


def test_a_csv_of_wider_lines_is_not_read_to_its_end(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text(",".join(column_names(["a"])) + "\n" + ("0," * 5000 + "0\n") * 3)
    monkeypatch.setattr(np, "loadtxt", None)
    with pytest.raises(engine.RecordingError, match="line 2 has 5001 numbers, but there are 15 columns"):
        engine.load_recording(path)


def test_a_small_file_does_not_fill_the_memory(run, tmp_path, monkeypatch):
    zeros = np.zeros(200_000)
    np.savez_compressed(tmp_path / "a.npz", metadata=np.array("{}"), **dict.fromkeys(column_names(["a"]), zeros))
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert sum(entry.file_size for entry in archive.infolist()) > 200 * (tmp_path / "a.npz").stat().st_size
    for module in ("npz_format", "mat_format"):
        monkeypatch.setattr(f"armature.engine.recording.tables.{module}.MAX_UNPACKED", 1 << 20)
    with pytest.raises(engine.RecordingError, match="too much for a compressed file"):
        engine.load_recording(tmp_path / "a.npz")
    savemat = pytest.importorskip("scipy.io").savemat
    savemat(tmp_path / "a.mat", {"q": zeros}, do_compression=True)
    with pytest.raises(engine.RecordingError, match="compressed numbers; save them with -v6"):
        engine.load_recording(tmp_path / "a.mat")


def toml(value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if value is None or isinstance(value, str):
        return json.dumps(value or "", ensure_ascii=False)
    return "1" + "0" * 400 if value == 10**400 else json.dumps(value).lower()


SCENARIO = """
[defaults]
robot = "scara"
duration = 0.5
[[runs]]
name = "hold"
controller = { kind = "pd", kp = [10, 10, 10, 10], kd = 1.0, period = 0.004, saturate = true }
payload = { mass = 1.0, com = [0, 0, 0.1], inertia = [0.1, 0.1, 0.1] }
record = "{name}.mcap"
seed = 3
spread = 0.1
sweep = { "payload.mass" = [0.5, 1], "controller.kd" = [1, 2] }
[[runs]]
name = "trip"
robot = "double_pendulum"
controller = "computed-torque"
gravity = [0, 0, -1]
qd0 = [0, 0]
q0 = [0.1, 0.2]
"""


@pytest.mark.parametrize("kind", ["scenario", "plan"])
def test_toml_files(puma, tmp_path, kind):
    text = SCENARIO if kind == "scenario" else PICK.read_text(encoding="utf-8")
    path = tmp_path / f"{kind}.toml"
    for seed in seeds(150):
        table = altered(tomllib.loads(text), random.Random(f"{kind}{seed}"))
        path.write_text("".join(f"{key} = {toml(value)}\n" for key, value in table.items()), encoding="utf-8")
        one_line(lambda: load_scenario(path) if kind == "scenario" else engine.load_plan(path, puma), path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('controller = { kind = ["pd"] }', "controller: unknown ['pd']"),
        ('controller = { kind = "pd", kp = 1, kd = 1, period = "4 ms" }', "the control period must be above 0"),
        ('controller = { kind = "pd", kp = 1, kd = 1, saturate = "no" }', "saturate must be true or false"),
        ("controller = { kind = 'pd', kd = 1, kp = 1" + "0" * 400 + " }", "kp must be one number"),
        ("q0 = [1" + "0" * 400 + ", 0, 0, 0]", "q0: must be"),
        ('record = "a\\u0000.csv"', "record: "),
        ('record = "circle/a.csv"', "record: "),
    ],
)
def test_a_run_that_cannot_be(tmp_path, line, words):
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    path = tmp_path / "a.toml"
    path.write_text(f'[[runs]]\nname = "a"\nrobot = "scara"\nduration = 0.5\n{line}\n')
    with pytest.raises(engine.EngineError, match=r"a\.toml: runs\[0\]") as caught:
        load_scenario(path)
    assert words in str(caught.value) and str(caught.value).isprintable()


def test_a_circle_of_links_is_none_where_the_system_says_nothing_of_it(tmp_path, monkeypatch):
    """From Python 3.13 on `Path.resolve` gives back a circle as it is."""
    monkeypatch.setattr(Path, "resolve", lambda path, strict=False: Path(os.path.realpath(path, strict=strict)))
    test_a_run_that_cannot_be(tmp_path, 'record = "circle/a.csv"', "record: ")


def test_sweeps_are_counted_before_they_are_made(tmp_path):
    path = tmp_path / "a.toml"
    sweep = f"sweep = {{ dt = {[0.001] * 100}, seed = {[1] * 100} }}\n"
    path.write_text(f"[defaults]\n{sweep}" + '[[runs]]\nname = "a"\nrobot = "scara"\n' * 5000)
    with pytest.raises(engine.EngineError, match="the sweeps make more than 10,000 runs"):
        load_scenario(path)
