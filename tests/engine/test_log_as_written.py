"""Units, times and cells of a log as the file tells them: nothing is taken for something else without a word."""

from __future__ import annotations

import re

import numpy as np
import pytest

from armature import engine
from armature.engine.errors import RecordingError

T = np.arange(200) * 0.008
Q = 0.3 * np.sin(2.0 * T)


def written(path, columns, cells=None):
    """A log of one joint: `columns` are name and values by quantity, `cells` replace those of the first column."""
    names = [name for name, _ in columns]
    rows = [[f"{x:.9g}" for x in row] for row in np.column_stack([values for _, values in columns])]
    for row, cell in zip(rows, cells or [], strict=False):
        row[0] = cell
    path.write_text("\n".join(";".join(row) for row in [names, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("unit, factor", [("rad", 1.0), ("deg", np.pi / 180), ("mrad", 1e-3), ("rev", 2 * np.pi)])
def test_angles_are_in_the_unit_in_brackets(tmp_path, unit, factor):
    log = written(tmp_path / "a.csv", [("t [s]", T), (f"q1 [{unit}]", Q / factor)])
    assert engine.import_log(log, "pendulum").q[:, 0] == pytest.approx(Q, abs=1e-6)


@pytest.mark.parametrize("name, factor", [("tau1 [mN·m]", 1e-3), ("tau1_mNm", 1e-3), ("tau1 [Nmm]", 1e-3), ("tau1 [kNm]", 1e3)])
def test_torques_are_in_the_unit_of_their_name(tmp_path, name, factor):
    log = written(tmp_path / "a.csv", [("t [s]", T), ("q1 [rad]", Q), (name, (2.0 + Q) / factor)])
    found = engine.import_log(log, "pendulum").tau[:, 0]
    assert np.median(found) == pytest.approx(np.median(2.0 + Q), rel=1e-3)


@pytest.mark.parametrize("name, seconds", [("t [min]", 60.0), ("time [h]", 3600.0), ("time_ms", 1e-3)])
def test_times_are_in_the_unit_of_their_name(tmp_path, name, seconds):
    log = written(tmp_path / "a.csv", [(name, T / seconds), ("q1 [rad]", Q)])
    assert engine.import_log(log, "pendulum").t[-1] == pytest.approx(T[-1], rel=1e-6)


def test_a_least_value_is_no_minute(tmp_path):
    log = written(tmp_path / "a.csv", [("t", T), ("q1_min", Q)])
    assert engine.import_log(log, "pendulum", columns={"q": ["q1_min"]}).q[:, 0] == pytest.approx(Q, abs=1e-6)


def test_a_unit_that_is_not_known_is_told_with_what_it_was_taken_for(tmp_path):
    log = written(tmp_path / "a.csv", [("t [s]", T), ("q1 [gon]", Q)])
    assert any("gon of q1 as rad" in remark for remark in engine.import_log(log, "pendulum").remarks)


def test_a_period_is_refused_beside_a_column_of_times(tmp_path):
    for name in ("time_ns", "column"):
        log = written(tmp_path / f"{name}.csv", [(name, T * (1e9 if name == "time_ns" else 1.0)), ("q1", Q)])
        with pytest.raises(RecordingError, match=f"{name} already contains the time in"):
            engine.import_log(log, "pendulum", columns={"t": name, "q": ["q1"]}, period=0.008)
    log = written(tmp_path / "count.csv", [("count", np.arange(200.0)), ("q1", Q)])
    assert engine.import_log(log, "pendulum", period=0.008).t[-1] == pytest.approx(T[-1])


def test_another_column_for_the_time_has_a_unit_of_its_own(tmp_path):
    log = written(tmp_path / "a.csv", [("t_ms", 1e3 * T), ("stamp_s", 2.0 * T), ("q1", Q)])
    assert engine.import_log(log, "pendulum", columns={"t": "stamp_s"}).t[-1] == pytest.approx(2.0 * T[-1])


def test_times_that_fall_are_put_in_order(tmp_path):
    log = written(tmp_path / "a.csv", [("t", 8.0 * np.arange(200, 0, -1)), ("q1", Q)])
    found = engine.import_log(log, "pendulum", columns={"t": "t"})
    assert found.t[-1] == pytest.approx(T[-1]) and any("sorted" in remark for remark in found.remarks)


def test_a_column_of_words_is_named_with_the_cell(tmp_path):
    cells = [f"1.{k:03d},5" for k in range(100)]
    log = written(tmp_path / "a.csv", [("q1", Q), ("t", T), ("q2", Q)], cells=cells)
    remarks = engine.import_log(log, "double_pendulum").remarks
    assert any("q1 was omitted" in remark and "line 2 has '1.000,5'" in remark for remark in remarks)
    with pytest.raises(RecordingError, match=re.escape("column q1 does not hold numbers: line 2 has '1.000,5'")):
        engine.import_log(log, "double_pendulum", columns={"q": ["q1", "q2"]})
    only = written(tmp_path / "c.csv", [("q1", Q), ("t", T)], cells=cells)
    with pytest.raises(RecordingError, match=re.escape("q1 does not hold numbers: line 2 has '1.000,5'")):
        engine.import_log(only, "pendulum")
    stamps = written(tmp_path / "b.csv", [("when", T), ("q1", Q)], cells=["03/04/2026 18:00:00"] * 200)
    with pytest.raises(RecordingError, match="when does not hold numbers: line 2 has '03/04/2026 18:00:00'"):
        engine.import_log(stamps, "pendulum")


def test_dates_with_the_day_first(tmp_path):
    cells = [f"26.11.2026 23:59:{59 + k / 100:06.3f}" if k < 100 else f"27.11.2026 0:00:{k / 100 - 1:06.3f}" for k in range(200)]
    log = written(tmp_path / "a.csv", [("Zeit", T), ("q1", Q)], cells=cells)
    assert engine.import_log(log, "pendulum").t[-1] == pytest.approx(1.99)
