"""What can be shown besides the arm, and how: names, what a new user sees, sizes."""

from __future__ import annotations

OVERLAYS = {
    "frames": True,
    "labels": True,
    "axes": False,
    "corner": True,
    "grid": True,
    "names": True,
    "trace": False,
    "coordinates": False,
    "ellipsoid": False,
    "force": False,
    "lost_motion": True,
    "workspace": True,
    "com": False,
    "inertia": False,
    "inertia_boxes": False,
    "loads": False,
    "translucent": False,
    "wireframe": False,
    "clearance": False,
}
FRAME_SIZES = (50, 75, 100, 150, 200)  # percent
NEEDS_MASSES = ("com", "inertia", "inertia_boxes", "loads")
