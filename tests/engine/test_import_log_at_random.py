"""No file, however damaged or odd, makes the import raise anything but its own error, of one line that names the file."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armature import engine
from armature.engine import RecordingError, import_log
from armature.engine.recording.measured.log_mapping import LogMapping
from armature.engine.recording.measured.read_log import SUFFIXES, is_log
from tests.engine.awkward_logs import ALL

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
TOKENS = st.sampled_from(
    [
        "0",
        "1",
        "-2.5",
        "3,5",
        "1e400",
        "nan",
        "",
        "-",
        "inf",
        "x",
        "q1",
        "t",
        "time",
        "#",
        "%",
        '"',
        '"a;b"',
        "12:30:01.5",
        "deg",
        "[s]",
    ]
    + [
        "2026-01-02T03:04:05Z",
        "2026-13-45 99:99:99",
        "0x1F",
        "1_000",
        "٣",
        "ü",
        "\x00",
        "1 2",
        "1.234.567,8",
        "joint_2",
        "TRUE",
        "²",
    ]
)


def tried(path, robot):
    """Imports; a recording, or one line about that file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            is_log(path)
            recording = import_log(path, robot, period=0.01)
    except RecordingError as error:
        assert "\n" not in str(error) and len(str(error)) > 10
        return None
    assert len(recording) >= 2 and (np.diff(recording.t) > 0).all() and recording.metadata["imported"]["notes"]
    return recording


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return {name: write(folder / name).read_bytes() for name, write in ALL.items()}


@FUZZ
@given(data=st.data())
def test_files_that_are_damaged(data, ur5, whole, tmp_path_factory):
    name = data.draw(st.sampled_from(sorted(whole)))
    content = bytearray(whole[name][:40_000] if name.endswith(("csv", "txt", "tsv", "dat")) else whole[name])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["flip", "cut", "double", "drop"]))
        if how == "flip":
            content[at] = data.draw(st.integers(0, 255))
        elif how == "cut":
            content = content[: max(at, 1)]
        elif how == "double":
            content[at:at] = content[at : at + 200]
        else:
            del content[at : at + data.draw(st.integers(1, 50))]
        if not content:
            return
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(bytes(content))
    tried(path, ur5)


@FUZZ
@given(content=st.binary(min_size=0, max_size=600), suffix=st.sampled_from(SUFFIXES))
def test_bytes_of_no_sense(content, suffix, ur5, tmp_path_factory):
    path = tmp_path_factory.mktemp("bytes") / f"a{suffix}"
    path.write_bytes(content)
    tried(path, ur5)


@FUZZ
@given(
    rows=st.lists(st.lists(TOKENS, min_size=1, max_size=9), min_size=1, max_size=30),
    separator=st.sampled_from([",", ";", "\t", " ", "|"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
    counted=st.booleans(),
)
def test_tables_of_odd_words(rows, separator, end, encoding, counted, ur5, tmp_path_factory):
    lines = [separator.join([str(k / 10)] * counted + row) for k, row in enumerate(rows)]
    path = tmp_path_factory.mktemp("words") / "a.csv"
    path.write_bytes(end.join(lines).encode(encoding, "replace"))
    tried(path, ur5)


@FUZZ
@given(arrays=st.dictionaries(st.sampled_from(["t", "q", "qd", "tau", "x", "time_ms", "stamp"]), st.integers(0, 11), max_size=5))
def test_arrays_of_odd_shapes(arrays, ur5, tmp_path_factory):
    kinds = [
        np.arange(50.0), np.zeros((50, 6)), np.zeros((6, 50)), np.zeros(()), np.zeros((3, 4, 5)), np.array(["a", "b"]),
        np.full((50, 6), np.nan), np.arange(50) * 1j, np.arange(50)[::-1], np.full(50, 1e308), np.zeros((0, 6)), np.array([{}]),
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("arrays") / "a.npz"
    np.savez(path, **{name: kinds[k] for name, k in arrays.items()})
    tried(path, ur5)


@given(text=st.text(max_size=60) | st.just('{"q": 3}') | st.just("[1]") | st.just('{"q": ["a"], "rate": "x"}'))
def test_what_was_remembered_may_be_anything(text):
    assert LogMapping.from_text(text, ("a",), 6) is None
