"""Columns that hold no numbers are told when a recording is read, in one line."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_reader import Gaps


@pytest.fixture(scope="module")
def run(puma):
    return engine.simulate(puma, puma.configurations["ready"], None, 0.1, 1e-3)


def read_again(run, table, path):
    return engine.load_recording(Recording.from_table(table, run.joint_names, run.metadata).save(path))


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap"])
def test_whole_columns_and_single_rows_out_of_every_format(run, tmp_path, suffix):
    assert engine.load_recording(run.save(tmp_path / f"whole.{suffix}")).remarks == ()
    table, layout = run.table().copy(), Layout(6)
    table[:, layout.group("tau")] = np.nan
    table[:, layout.scalar("kinetic")] = np.nan
    table[40:45, 3] = np.nan
    table[90, 3] = np.nan
    found = read_again(run, table, tmp_path / f"holes.{suffix}")
    assert found.remarks == (
        "not a number (NaN): q.joint3 in 6 of 101 rows, first in row 41 (t = 0.04 s); tau.* and kinetic in all 101 rows",
    )
    assert np.array_equal(found.table(), table, equal_nan=True)


def test_many_columns_are_counted_and_infinity_is_no_number_either(run, tmp_path):
    table = run.table().copy()
    table[7, [1, 2, 3, 4, 5, 8]] = np.nan
    table[:, Layout(6).tool] = -np.inf
    (remark,) = read_again(run, table, tmp_path / "a.npz").remarks
    assert remark == (
        "not a number (NaN or infinite): q.joint1, q.joint2, q.joint3, q.joint4 and 2 more in 1 of 101 rows, first in row 8"
        " (t = 0.007 s); tool.* in all 101 rows"
    )


def test_blocks_are_counted_through(run):
    table = run.table().copy()
    table[33:66, 5] = np.nan
    gaps = Gaps(run.columns)
    for first in range(0, len(table), 10):
        gaps.see(table[first : first + 10])
    assert gaps.remark() == "not a number (NaN): q.joint5 in 33 of 101 rows, first in row 34 (t = 0.033 s)"
