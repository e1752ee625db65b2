"""Titles that menus, docks and actions had in release 0.2 and in 0.3-dev; the palette also finds entries by them."""

from __future__ import annotations

# Key: object name of an action or a dock ("action_…", "dock_…"), or path of a menu ("Edit/Tool motion"). Value: former titles.
FORMER_NAMES: dict[str, tuple[str, ...]] = {
    "Edit/Tool motion": ("Hand",),
    "action_show_loads": ("Loads of the links",),
    "action_unhide": ("Show what was hidden",),
}
