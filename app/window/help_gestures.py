"""What mouse, touchpad and the keys of the 3D view do, once: the help lists it beside the commands."""

from __future__ import annotations

POINTER = "Mouse and touchpad in the 3D view"
KEYS = "Keys in the 3D view"
DH_STEPS = "Keys in the DH steps panel"
BUILDER = "Keys in the Builder's table"
MAP = "In the map of two joints"

# (group, what one does, what comes of it)
GESTURES = (
    (POINTER, "Left drag", "Orbit"),
    (POINTER, "Left drag on a link", "Turn or slide its joint; the grabbed point follows the pointer"),
    (POINTER, "Left drag on the gizmo", "Take the tool along, or the elbow of an arm with a joint to spare (H shows the gizmo)"),
    (
        POINTER,
        "Left drag on a waypoint",
        "With the Trajectory panel in view: move it; a click brings arrows and rings. The hand goes first",
    ),
    (
        POINTER,
        "Left drag on an arrow at a link",
        "With the Builder in view: change that length of the DH table; Ctrl: steps of 1 cm",
    ),
    (POINTER, "Ctrl while dragging gizmo or waypoint", "Steps of 5 cm or 5°"),
    (POINTER, "Ctrl + left drag on a link", "While the simulation runs: pull on it by a spring; its newtons are shown"),
    (POINTER, "Right or middle drag", "Pan"),
    (
        POINTER,
        "Right click",
        "A menu of the link, frame or waypoint there, or of the view; joints, tables and plots have one, too",
    ),
    (POINTER, "Wheel", "Zoom to the pointer; two fingers on a touchpad are a wheel"),
    (POINTER, "Shift + wheel", "Pan"),
    (POINTER, "Ctrl + wheel", "Orbit"),
    (POINTER, "Pinch", "Zoom about the fingers"),
    (POINTER, "Double click on a link", "Select it; beside the arm, select nothing"),
    (POINTER, "Click on a frame or link while measuring (Ctrl+M)", "Measure from there; a second click measures to there"),
    (POINTER, "Drop a file", "Open a robot, a trajectory or a recording"),
    (KEYS, "Shift + arrows", "Orbit"),
    (KEYS, "Ctrl + arrows", "Pan"),
    (KEYS, "Page Up, Down", "Zoom"),
    (KEYS, "Up, Down", "Move the selected joint by 1° or 5 mm"),
    (KEYS, "Ctrl + Page Up, Down", "Move it by 10° or 50 mm"),
    (KEYS, "Ctrl + Shift + Up, Down", "Move it by 0.1° or 0.5 mm"),
    (
        KEYS,
        "Esc",
        "Take a drag back, stop measuring, select no waypoint or link, or close the recording; from any field back to the view",
    ),
    (DH_STEPS, "Left, Right", "Take the last move back, make the next one"),
    (DH_STEPS, "Ctrl + Left, Right", "To the frame before, to the next frame"),
    (DH_STEPS, "Home, End", "To the start, to the end"),
    (DH_STEPS, "Space", "Play or pause"),
    (BUILDER, "Digits, Return, F2", "Type into a cell; Esc takes back what was typed"),
    (BUILDER, "Ins, Del", "A joint behind the selected one; take it out"),
    (BUILDER, "Alt + Up, Down", "Move the joint to the place before, behind"),
    (MAP, "Left drag", "The dot and with it the arm; a click brings it there"),
    (MAP, "Arrow keys", "The dot by 1°, 0.02 rad, 5 mm or 1 mm, as the unit is; with Shift ten times as far"),
)
