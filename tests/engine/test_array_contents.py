"""Files of arrays that are neither recording nor log: the error lists their contents and the valid formats."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine

scipy_io = pytest.importorskip("scipy.io")
TIMES = np.arange(5.0)
NPZ = {
    "objects": ({"data": np.array([{"t": 0.1}, None], dtype=object)}, "data (2 Python objects, which are not loaded)"),
    "ragged": (
        {"t": TIMES, "q": np.array([[1, 2], [3]], dtype=object)},
        "t (5 numbers), q (2 Python objects, which are not loaded)",
    ),
    "texts": ({"names": np.array(["a", "b"])}, "names (2 texts)"),
    "cube": ({"x": np.zeros((3, 4, 5))}, "x (3 × 4 × 5 numbers)"),
    "complex": ({"t": TIMES, "x": 1j * TIMES}, "t (5 numbers), x (5 complex numbers)"),
    "scalar": ({"dt": 0.001}, "dt (a single value of numbers)"),
    "empty": ({}, "nothing"),
}
MAT = {
    "structure": ({"log": {"t": TIMES, "q": np.ones((5, 2))}}, "log (a structure of t, q)"),
    "cells": ({"c": np.array([TIMES, "x"], dtype=object)}, "c (a cell array of 2)"),
    "text": ({"name": "hello"}, "name (text)"),
    "complex": ({"x": 1j * TIMES}, "x (neither text nor an array of real numbers)"),
    "empty": ({}, "nothing"),
}
LOGS = "`armature import` for logs of other programs"


def refusal(call):
    with pytest.raises(engine.RecordingError) as problem:
        call()
    assert "\n" not in str(problem.value)
    return str(problem.value)


@pytest.mark.parametrize("name", NPZ)
def test_an_npz_that_is_no_recording_says_what_it_holds_and_what_is_valid(name, tmp_path):
    arrays, holds = NPZ[name]
    path = tmp_path / "log.npz"
    np.savez(path, **arrays)
    said = refusal(lambda: engine.load_recording(path))
    assert f"no entry 'metadata'; it has {holds}. Armature reads t, then q, qd, qdd and tau" in said and said.endswith(LOGS)


@pytest.mark.parametrize("name", MAT)
def test_a_mat_file_that_is_no_recording_says_what_it_holds_and_what_is_valid(name, tmp_path):
    arrays, holds = MAT[name]
    path = tmp_path / "log.mat"
    scipy_io.savemat(path, arrays)
    said = refusal(lambda: engine.load_recording(path))
    assert f"no array 't'; it has {holds}. Armature reads t" in said and said.endswith(LOGS)


@pytest.mark.parametrize("name", ["objects", "texts", "cube", "scalar", "empty"])
def test_arrays_of_which_none_is_a_column_say_what_a_log_has(name, tmp_path):
    arrays, holds = NPZ[name]
    path = tmp_path / "log.npz"
    np.savez(path, **arrays)
    said = refusal(lambda: engine.import_log(path, "rp"))
    assert f"it has {holds}. A log needs arrays with one row per time, such as t (N,) and q (N, joints)" in said
    assert said.endswith("np.savez(path, t=t, q=np.array(q, float))")


def test_positions_that_are_objects_are_named_as_the_cause(tmp_path):
    path = tmp_path / "log.npz"
    np.savez(path, **NPZ["ragged"][0])
    said = refusal(lambda: engine.import_log(path, "rp"))
    assert (
        said
        == f"{path}: no column is assigned to a joint position; choose at least one; q does not hold numbers: "
        + NPZ["ragged"][1].split("(")[-1][:-1]
    )
    said = refusal(lambda: engine.import_log(path, "rp", columns={"t": "t", "q": ["q", ""]}))
    assert said == f"{path}: column q does not hold numbers: 2 Python objects, which are not loaded"


def test_arrays_that_are_left_out_are_remarked(tmp_path):
    path, t = tmp_path / "log.npz", np.arange(0, 1, 0.01)
    np.savez(path, t=t, q1=np.sin(t), q2=0 * t, made=np.array([{}], dtype=object))
    recording = engine.import_log(path, "rp", degrees=False, columns={"t": "t", "q": ["q1", "q2"]})
    assert any("not columns of numbers: made (1 Python objects, which are not loaded)" in remark for remark in recording.remarks)


@pytest.mark.parametrize("data", [bytes(range(256)), b"\x89PNG\r\n\x1a\n\0\0\n", "t,q.a\n0,1\n".encode("utf-16")])
def test_bytes_called_csv_are_no_text(data, tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(data)
    assert refusal(lambda: engine.load_recording(path)) == f"{path}: not an Armature recording: not a text file"


def test_an_mcap_without_joint_states_says_what_it_has(tmp_path):
    writer_module = pytest.importorskip("mcap.writer")
    path = tmp_path / "log.mcap"
    with path.open("wb") as file:
        writer = writer_module.Writer(file)
        writer.start()
        schema = writer.register_schema("std_msgs/String", "jsonschema", b"{}")
        channel = writer.register_channel("/chatter", "json", schema)
        writer.add_message(channel, 0, b'{"data": "x"}', 0)
        writer.finish()
    assert refusal(lambda: engine.load_recording(path)).endswith("joint states with `armature import`")
    assert refusal(lambda: engine.import_log(path, "rp")).endswith("it has /chatter (std_msgs/String)")
