"""Rows that a buffer wrote in bursts: spread evenly, and no position beyond the measured ones."""

from __future__ import annotations

import numpy as np
import pytest

from armature.engine.recording.measured.resampling import Grid, resample
from tests.engine.test_log_clocks import imported, written

T = np.arange(400) * 0.01
HEAD = "t,joint1,joint2,joint3,joint4,joint5,joint6"
Q = np.column_stack([0.5 * np.sin(T * (1 + 0.2 * i)) + 0.1 * i for i in range(6)])


@pytest.mark.parametrize("within", [0.0, 1e-6, 1e-4])
@pytest.mark.parametrize("lag", [0.0, 0.03])
def test_bursts_of_even_size_are_spread_to_the_true_times(within, lag, tmp_path):
    """Nine of ten rows were left out without a warning, or the curve between bursts went beyond every measured value."""
    stamps = np.floor((T + lag) / 0.1) * 0.1 + (np.arange(400) % 10) * within
    recording, rate, remarks = imported(written(tmp_path / "a.csv", HEAD, np.sort(stamps), *Q.T), "ur5")
    assert "rows come in bursts of about 10 with almost equal times, every 0.1 s; they were spaced evenly at 0.01 s" in remarks
    assert "omitted" not in remarks and len(recording) == 400 and rate == 100.0
    assert np.abs(recording.q - Q).max() < 1e-9


def test_a_pause_between_bursts_stays_a_pause(tmp_path):
    true = T + 3.0 * (T >= 2.0)
    q = np.sin(true)
    recording, rate, _ = imported(written(tmp_path / "a.csv", "t,q1", np.floor(true / 0.1 + 1e-6) * 0.1, q))
    known = np.isfinite(recording.q[:, 0])
    assert rate == 100.0 and recording.duration == pytest.approx(6.99, abs=1e-6) and known.sum() == 400
    assert np.abs(recording.q[known, 0] - np.sin(recording.t[known])).max() < 1e-3


@pytest.mark.parametrize("q", [np.repeat(np.sin(T[::10]), 10), np.zeros(400)], ids=["repeated values", "at rest"])
def test_repeated_rows_are_no_burst(q, tmp_path):
    recording, _, _ = imported(written(tmp_path / "a.csv", "t,q1", np.repeat(T[::10], 10), q))
    assert len(recording) == 40
    left_out, way_out = "360 rows with the same time as the row before were omitted", "choose no time column and give the period"
    assert any(left_out in line and way_out in line for line in recording.metadata["imported"]["warnings"])


def test_rows_that_are_logged_now_and_then_keep_their_times(tmp_path):
    t = (np.arange(20)[:, None] * 0.5 + np.arange(5) * 0.01).ravel()
    recording, _, remarks = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(t)), max_gap=1.0)
    assert "bursts" not in remarks
    assert recording.duration == pytest.approx(9.54, abs=0.1)


def test_rows_left_out_are_said_to_be_as_late_as_they_are(tmp_path):
    t = np.sort(np.concatenate([T, T + 1e-6]))
    _, _, remarks = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(t)))
    assert "400 rows with the same time as the row before, or up to 1 µs later, were omitted" in remarks


def test_no_position_is_beyond_those_around_a_long_step():
    at = np.sort(np.concatenate([T[::10], T[::10] + 1e-4]))
    y = np.cos(7 * at) + 1e-3 * np.arange(len(at)) % 2
    grid = Grid(np.arange(390) * 0.01, 100.0, False, 1.0)
    made = resample(grid, at, y[:, None], smooth=True)[:, 0]
    after = np.clip(np.searchsorted(at, grid.t, side="right"), 1, len(at) - 1)
    low, high = np.minimum(y[after - 1], y[after]), np.maximum(y[after - 1], y[after])
    assert ((made >= low - 1e-12) & (made <= high + 1e-12)).all()
