"""Titles that menus, docks and actions had in release 0.2 and in 0.3-dev; the palette also finds entries by them."""

from __future__ import annotations

# Key: object name of an action or a dock ("action_…", "dock_…"), or path of a menu ("Edit/Tool motion"). Value: former titles.
FORMER_NAMES: dict[str, tuple[str, ...]] = {
    "Edit/Tool motion": ("Hand",),  # plain: former title
    "action_disturbance_open": ("Own disturbance",),  # plain: former title
    "action_fold_bottom": ("Fold the panels below",),  # plain: former title
    "action_gizmo": ("Drag the hand",),  # plain: former title
    "action_gizmo_tool_axes": ("Axes of the tool",),  # plain: former title
    "action_jog_back": ("Jog the hand back",),  # plain: former title
    "action_jog_back_fine": ("Jog back, finely",),  # plain: former title
    "action_jog_forward": ("Jog the hand forward",),  # plain: former title
    "action_jog_forward_fine": ("Jog forward, finely",),  # plain: former title
    "action_jog_next": ("Next handle of the hand",),  # plain: former title
    "action_jog_previous": ("Previous handle of the hand",),  # plain: former title
    "action_lab": ("Lab: dynamics that change",),  # plain: former title
    "action_own_law_new": ("New control law",),  # plain: former title
    "action_own_law_open": ("Own control law",),  # plain: former title
    "action_recorded_law": ("Law of the recording",),  # plain: former title
    "action_rotations": ("Rotations by hand",),  # plain: former title
    "action_show_loads": ("Loads of the links",),  # plain: former title
    "action_theme_system": ("Like the system",),  # plain: former title
    "action_unhide": ("Show what was hidden",),  # plain: former title
}
