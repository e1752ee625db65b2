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
    (POINTER, "Left drag on a link", "Move its joint; the grabbed point follows the pointer"),
    (POINTER, "Left drag on the gizmo", "Move the tool, or the elbow of a redundant arm (H shows the gizmo)"),
    (
        POINTER,
        "Left drag on a waypoint",
        "With the Trajectory panel visible: move the waypoint; a click shows its gizmo. The tool's gizmo has priority",
    ),
    (
        POINTER,
        "Left drag on an arrow at a link",
        "With the Builder panel visible: change this length of the DH table; Ctrl: steps of 1 cm",
    ),
    (POINTER, "Ctrl while dragging gizmo or waypoint", "Steps of 5 cm or 5°"),
    (POINTER, "Ctrl + left drag on a link", "While the simulation runs: pull the link with a spring; the force is shown"),
    (POINTER, "Right or middle drag", "Pan"),
    (
        POINTER,
        "Right click",
        "Open the menu of a link, frame, waypoint or the view; joints, tables and plots also have menus",
    ),
    (POINTER, "Wheel", "Zoom to the pointer; on a touchpad, scroll with two fingers"),
    (POINTER, "Shift + wheel", "Pan"),
    (POINTER, "Ctrl + wheel", "Orbit"),
    (POINTER, "Pinch", "Zoom at the point between the fingers"),
    (POINTER, "Double click on a link", "Select the link; a double click on the background clears the selection"),
    (POINTER, "Click on a frame or link while measuring (Ctrl+M)", "First click: start point; second click: end point"),
    (POINTER, "Drop a file", "Open a robot, a trajectory or a recording"),
    (KEYS, "Shift + arrows", "Orbit"),
    (KEYS, "Ctrl + arrows", "Pan"),
    (KEYS, "Page Up, Down", "Zoom"),
    (KEYS, "Up, Down", "Move the selected joint by 1° or 5 mm"),
    (KEYS, "Ctrl + Page Up, Down", "Move the selected joint by 10° or 50 mm"),
    (KEYS, "Ctrl + Shift + Up, Down", "Move the selected joint by 0.1° or 0.5 mm"),
    (
        KEYS,
        "Esc",
        "Cancel a drag, stop measuring, clear the selection, or close the recording; in a field: return to the view",
    ),
    (DH_STEPS, "Left, Right", "Previous step, next step"),
    (DH_STEPS, "Ctrl + Left, Right", "Previous frame, next frame"),
    (DH_STEPS, "Home, End", "First step, last step"),
    (DH_STEPS, "Space", "Play or pause"),
    (BUILDER, "Digits, Return, F2", "Edit a cell; Esc cancels the edit"),
    (BUILDER, "Ins, Del", "Insert a joint after the selected one; delete the joint"),
    (BUILDER, "Alt + Up, Down", "Move the joint up or down in the table"),
    (MAP, "Left drag", "Move the dot and the arm; a click moves them there"),
    (MAP, "Arrow keys", "Move the dot by 1°, 0.02 rad, 5 mm or 1 mm, depending on the unit; Shift: ten times the step"),
)
