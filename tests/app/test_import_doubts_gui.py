"""The import sheet asks where a log leaves it open: units, the time, and which of two publishers counts."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.app.test_import_sheet_gui import choose, open_sheets, press, type_in
from tests.app.test_open_robots import drop
from tests.engine.test_log_columns import A, B, lerobot, unnamed
from tests.engine.test_log_publishers import IN_ORDER, Q, bag, stream


@pytest.fixture
def dropped(wait_for):
    """Drop a log on a window and return the sheet once it has computed the curves or says why it cannot."""

    def of(window, log):
        drop(window, log)
        wait_for(lambda: any(sheet.go.isEnabled() or sheet.problem.text() for sheet in open_sheets()))
        return open_sheets()[0]

    return of


def imported(sheet, window, path, wait_for):
    """Press Import and return the recording that is replayed."""
    type_in(sheet.target, str(path))
    press(sheet.go)
    wait_for(lambda: window.replay.replaying and not open_sheets())
    return window.replay.recording


def test_the_unit_of_positions_that_may_be_normalised_is_chosen(make_window, dropped, find, wait_for, tmp_path):
    log, values = lerobot(tmp_path / "arm.csv")
    window = make_window("so101")
    sheet = dropped(window, log)
    unit = find(sheet, "import_angle_unit")
    assert "may be degrees, or normalised" in sheet.problem.text() and not sheet.go.isEnabled() and unit.currentText() == ""
    choose(unit, "deg")
    wait_for(sheet.go.isEnabled)
    assert np.allclose(sheet.preview.plot.values[0], values[0], atol=1e-6) and not sheet.problem.isVisible()
    choose(unit, "% of range")
    arm = engine.load_robot("so101")
    expected = arm.q_min + (arm.q_max - arm.q_min) * (values + 100) / 200
    wait_for(lambda: sheet.go.isEnabled() and np.allclose(sheet.preview.plot.values[0], np.degrees(expected[0]), atol=1e-6))
    assert "Positions are percentages of each joint's range; −100 and 100 are the limits of so101" in sheet.notes.text()
    assert np.allclose(imported(sheet, window, tmp_path / "made.npz", wait_for).q, expected, atol=1e-9)


def test_unnamed_columns_that_may_hold_the_time_are_warned_of(make_window, dropped, find, wait_for, tmp_path):
    window = make_window("double_pendulum")
    sheet = dropped(window, unnamed(tmp_path / "a.csv", A, B))
    assert "Column 1 increases evenly and may be the time; it is used for joint1, with a period of 0.01 s" in sheet.warning.text()
    assert find(sheet, "import_time").currentText() == "none (fixed period)"
    type_in(find(sheet, "import_period"), "0.02")
    wait_for(lambda: sheet.go.isEnabled() and "a period of 0.02 s" in sheet.warning.text())
    recording = imported(sheet, window, tmp_path / "made.npz", wait_for)
    assert recording.duration == pytest.approx(3.98) and np.allclose(recording.q, np.column_stack([A, B]), atol=1e-6)


def test_a_publisher_of_zeros_is_dropped_with_a_warning(make_window, dropped, wait_for, tmp_path):
    window = make_window("ur5")
    sheet = dropped(window, bag(tmp_path / "a.mcap", stream(), stream(names=IN_ORDER, values=0 * Q, late=1e-6)))
    assert "Publisher 2 of /joint_states disagrees with the other; its 300 messages, all zero, are not used" in (
        sheet.warning.text()
    )
    assert np.allclose(imported(sheet, window, tmp_path / "made.npz", wait_for).q, Q, atol=1e-9)
