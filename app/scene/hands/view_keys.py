"""The keys of the 3D view: what the mouse does with camera and joints, for hands on the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from armature.app.scene.hands.joint_nudge import JointNudge
from armature.app.scene.hands.measure_hand import MeasureHand
from armature.app.scene.hands.pointer import Pointer
from armature.app.scene.hands.waypoint_handles import WaypointHandles
from armature.app.scene.scene_port import ScenePort

VIEW_KEYS: dict[int, str] = {
    Qt.Key.Key_1: "front",
    Qt.Key.Key_2: "back",
    Qt.Key.Key_3: "left",
    Qt.Key.Key_4: "right",
    Qt.Key.Key_5: "top",
    Qt.Key.Key_6: "bottom",
    Qt.Key.Key_7: "iso",
}
ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
NONE, SHIFT, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NUDGES: dict[tuple[int, Qt.KeyboardModifier], float] = {
    (Qt.Key.Key_Up, NONE): 1.0,
    (Qt.Key.Key_Down, NONE): -1.0,
    (Qt.Key.Key_PageUp, CTRL): 10.0,
    (Qt.Key.Key_PageDown, CTRL): -10.0,
    (Qt.Key.Key_Up, CTRL | SHIFT): 0.1,
    (Qt.Key.Key_Down, CTRL | SHIFT): -0.1,
}
ORBIT_STEP, PAN_STEP, ZOOM_STEP = 5.0, 24.0, 0.86


def press_key(
    view: ScenePort, pointer: Pointer, nudge: JointNudge, waypoints: WaypointHandles, measure: MeasureHand, event: QKeyEvent
) -> bool:
    """F frames, 1–7 are standard views, Shift+arrows orbit, Ctrl+arrows pan, Page Up/Down zoom, Escape lets go; those of NUDGES
    move the selected joint.

    Returns True when the key was one of these.
    """
    key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key in ARROWS and modifiers in (SHIFT, CTRL):
        right, up = ARROWS[key]
        if modifiers == SHIFT:
            view.orbit(right * ORBIT_STEP, up * ORBIT_STEP)
        else:
            view.pan(-right * PAN_STEP, up * PAN_STEP)
    elif (key, modifiers) in NUDGES:
        return nudge.move(NUDGES[key, modifiers])
    elif modifiers != NONE:
        return False
    elif key == Qt.Key.Key_F:
        view.fit()
    elif key in VIEW_KEYS:
        view.standard_view(VIEW_KEYS[key])
    elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        view.zoom(view.width() / 2, view.height() / 2, ZOOM_STEP if key == Qt.Key.Key_PageUp else 1 / ZOOM_STEP)
    elif key == Qt.Key.Key_Escape:
        if not (pointer.cancel() or measure.dismiss() or waypoints.dismiss()):
            if view.selected < 0 and not view.selected_object:
                return view.dismiss_ghosts()
            view.select_joint(-1)
            view.select_object("")
    else:
        return False
    return True
