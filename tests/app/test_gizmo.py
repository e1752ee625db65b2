"""The gizmo takes the tool exactly where it is pulled."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.scene.gizmo.gizmo_handles import ARROWS, BALL, KNOB, PLANES, RINGS, axis_index
from armature.engine.rotations import rotation, rotation_vector
from tests.app.gizmos import angle_between, open_gizmo, pixel_on, press, pull, release, tool, way
from tests.chance import some

EXACT = 1e-6
MOST = 3.0  # pixels


def gesture(window, handle: str, length: float = 40.0):
    """Pull a handle; returns the tool's poses before and after, how far its grasped point is from the cursor in pixels, and axes.

    None, with everything as before, where the tool could not follow.
    """
    view, look = window.scene, window.scene.gizmo.look
    start = pixel_on(view, handle)
    assert start is not None, f"{handle} is hidden"
    before, R, size = tool(window), look.R_WG.copy(), look.length(view.camera)
    press(view, start)
    met = view.gizmo._drag.point if handle != KNOB else look.knob
    place, off = (met - look.centre) / size, np.array([start.x(), start.y()]) - view.camera.project(met)[:2]
    end = pull(view, way(view, handle, start, length))
    after = tool(window)
    if handle in RINGS:
        axis = R[:, axis_index(handle)]
        place = rotation(rotation_vector(after[:3, :3] @ before[:3, :3].T) @ axis * axis) @ place
    at = view.camera.project(look.centre + look.length(view.camera) * place)[:2] + off
    assert look.caption and look.active == handle
    if look.wanted is not None:
        QTest.keyClick(view, Qt.Key.Key_Escape)
        release(view, end)
        return None
    release(view, end)
    return before, after, float(np.linalg.norm(at - [end.x(), end.y()])), R


@pytest.mark.parametrize("name", some(["puma560", "panda", "scara", "double_pendulum", "ur5", "stanford", "cobra600"], 4))
def test_every_handle_moves_the_tool_exactly_as_it_says(make_window, name):
    """With SOAK=1 on seven arms."""
    window = open_gizmo(make_window, name)
    for in_tool_axes in (False, True):
        window.actions_["gizmo_tool_axes"].setChecked(in_tool_axes)
        axes = tool(window)[:3, :3] if in_tool_axes else np.eye(3)
        np.testing.assert_allclose(window.scene.gizmo.look.R_WG, axes, atol=1e-12)
        every_handle_moves_the_tool(window)


def every_handle_moves_the_tool(window):
    view, robot, stack = window.scene, window.document.robot, window.document.undo_stack
    q, tried = window.document.q, []
    turns = any(axis in robot.task for axis in RINGS)
    for handle in [h for h in view.gizmo.look.handles if h != KNOB]:
        for azimuth in (-52.0, -20.0, 30.0, 75.0):
            view.orbit(azimuth - view.camera.azimuth, 30.0 - view.camera.elevation)
            if pixel_on(view, handle) is not None:
                break
        else:
            continue
        done = next(found for length in (40.0, -40.0, 16.0, -16.0) if (found := gesture(window, handle, length)) is not None)
        before, after, off, R = done
        shift = R.T @ (after - before)[:3, 3]
        if handle in RINGS:
            vector = R.T @ rotation_vector(after[:3, :3] @ before[:3, :3].T)
            assert abs(vector[axis_index(handle)]) > 0.05, handle
            assert np.abs(np.delete(vector, axis_index(handle))).max() < EXACT, handle
            assert np.abs(shift).max() < EXACT, handle
        else:
            moves = {BALL: [0, 1, 2]}.get(handle) or (
                [axis_index(handle)] if handle in ARROWS else [k for k in range(3) if k != axis_index(handle)]
            )
            assert np.linalg.norm(shift) > 0.01, handle
            assert np.abs(np.delete(shift, moves)).max(initial=0.0) < EXACT, handle
            assert not turns or robot.n < 6 or angle_between(before, after) < EXACT, handle
        assert off < MOST, handle
        assert (window.document.q <= robot.q_max).all() and (window.document.q >= robot.q_min).all()
        assert stack.count() == 1
        stack.undo()
        assert np.array_equal(window.document.q, q)
        stack.clear()
        tried.append(handle)
    assert len(tried) >= {3: 7, 6: 10}.get(robot.n, 3 if robot.n == 2 else 8), tried


def test_handles_are_those_of_the_task(make_window):
    window = open_gizmo(make_window, "double_pendulum")
    assert set(window.scene.gizmo.look.handles) == {"x", "z", "zx"}
    window.document.open_robot("scara")
    assert set(window.scene.gizmo.look.handles) == {*ARROWS, *PLANES, BALL}
    window.document.open_robot("cobra600")
    assert set(window.scene.gizmo.look.handles) == {*ARROWS, *PLANES, BALL, "rz"}
    window.document.open_robot("puma560")
    assert set(window.scene.gizmo.look.handles) == {*ARROWS, *RINGS, *PLANES, BALL}
    window.actions_["hand_locked"].trigger()
    assert set(window.scene.gizmo.look.handles) == {*ARROWS, *PLANES, BALL}


def test_it_keeps_its_size_on_the_screen(make_window):
    window = open_gizmo(make_window, "puma560")
    view, lengths = window.scene, []
    for zoom in (1.0, 0.5, 3.0):
        view.camera.zoom_about(view.camera.target, zoom)
        ends = view.camera.project(
            view.gizmo.look.centre + np.outer([0, 1], view.gizmo.look.length(view.camera) * view.camera.axes()[0])
        )
        lengths.append(np.linalg.norm(ends[1, :2] - ends[0, :2]))
    assert lengths == pytest.approx([lengths[0]] * 3, rel=1e-6)


def test_snapping_goes_in_steps(make_window):
    window = open_gizmo(make_window, "puma560")
    view, control = window.scene, Qt.KeyboardModifier.ControlModifier
    for handle, unit in (("x", 0.05), ("rz", np.radians(5.0))):
        before, start = tool(window), pixel_on(view, handle)
        press(view, start, control)
        end = pull(view, way(view, handle, start, 50.0), control)
        after = tool(window)
        amount = (after - before)[0, 3] if handle == "x" else rotation_vector(after[:3, :3] @ before[:3, :3].T)[2]
        assert abs(amount) > 0.9 * unit
        assert amount / unit == pytest.approx(round(amount / unit), abs=1e-5)
        release(view, end)
