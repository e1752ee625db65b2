"""Titles that menus, docks and actions had in release 0.2 and in 0.3-dev; the palette also finds entries by them."""

from __future__ import annotations

# Key: object name of an action or a dock ("action_…", "dock_…"), or path of a menu ("Edit/Tool motion"). Value: former titles.
FORMER_NAMES: dict[str, tuple[str, ...]] = {
    "Edit/Tool motion": ("Hand",),
    "action_disturbance_open": ("Own disturbance",),
    "action_fold_bottom": ("Fold the panels below",),
    "action_fit": ("Frame the arm",),
    "action_gizmo": ("Drag the hand",),
    "action_gizmo_tool_axes": ("Axes of the tool",),
    "action_jog_back": ("Jog the hand back",),
    "action_jog_back_fine": ("Jog back, finely",),
    "action_jog_forward": ("Jog the hand forward",),
    "action_jog_forward_fine": ("Jog forward, finely",),
    "action_jog_next": ("Next handle of the hand",),
    "action_jog_previous": ("Previous handle of the hand",),
    "action_lab": ("Lab: dynamics that change",),
    "action_let_scripts_in": ("Let scripts connect",),
    "action_own_law_new": ("New control law",),
    "action_own_law_open": ("Own control law",),
    "action_recorded_law": ("Law of the recording",),
    "action_rotations": ("Rotations by hand",),
    "action_show_loads": ("Loads of the links",),  # plain: former title
    "action_theme_system": ("Like the system",),
    "action_unhide": ("Show what was hidden",),  # plain: former title
}
