"""Overlays of the 3D view: their units, the size of the frames, and which of them this robot can show."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.state.choices.overlay_choices import FRAME_SIZES, NEEDS_MASSES, OVERLAYS
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

FRAMES, TOOL, ARM = "View/Frames and axes", "View/Tool", "View/Arm"
SIZE = "View/Frames and axes/Frame size"
WORKSPACE = "Computed workspace; shown automatically while the Workspace panel is open"


class OverlaysFeature(Feature):
    """Follows the preferences: what is shown, how large, in which units."""

    commands = (
        *block(
            FRAMES,
            1.0,
            Command("show_frames", "Frames", "frames", ("X",), "Link frames: x red, y green, z blue", True, bar=3.0),
            Command("show_labels", "Frame labels", "labels", ("L",), "Names of the frames' axes", True),
        ),
        *block(
            SIZE,
            1.0,
            Command("frames_smaller", "Smaller frames", "", ("[",), "Draw the frames smaller"),
            Command("frames_larger", "Larger frames", "", ("]",), "Draw the frames larger"),
        ),
        *block(
            FRAMES,
            2.0,
            Command("show_axes", "Joint axes", "axes", ("J",), "The axes of the joints, their values and limits", True, bar=3.1),
            Command("show_corner", "World axes", "corner", ("Shift+X",), "Axes in the corner; click one to look along it", True),
        ),
        *block(
            TOOL,
            1.0,
            Command("show_trace", "Tool trace", "trace", ("T",), "The path of the tool", True, bar=3.4),
            Command("clear_trace", "Clear tool trace", "", ("Shift+T",), "Remove the path drawn so far"),
            Command("show_coordinates", "Tool coordinates", "coordinates", ("C",), "x, y and z of the tool", True),
        ),
        *block(
            TOOL,
            2.0,
            Command(
                "show_ellipsoid",
                "Velocity ellipsoid",
                "ellipsoid",
                ("E",),
                "Possible tool speed in each direction",
                True,
                bar=3.2,
            ),
            Command("show_force", "Force ellipsoid", "force", ("Shift+E",), "Possible tool force in each direction", True),
            Command(
                "show_lost_motion",
                "Lost motion",
                "",
                ("Shift+S",),
                "Lost direction of the tool near a singularity",
                True,
            ),
        ),
        *block(TOOL, 3.0, Command("show_workspace", "Workspace cloud", "workspace", ("W",), WORKSPACE, True, bar=3.5)),
        *block(
            ARM,
            1.0,
            Command(
                "show_com",
                "Centres of mass",
                "com",
                ("M",),
                "Centre of mass of every link and of the arm, with its projection on the floor",
                True,
                bar=3.3,
            ),
            Command(
                "show_inertia",
                "Inertia ellipsoids",
                "inertia",
                ("I",),
                "Ellipsoid with the mass and inertia of each link",
                True,
            ),
            Command(
                "show_inertia_boxes",
                "Inertia boxes",
                "",
                ("Shift+I",),
                "For each link a box of equal mass and inertia, to compare with its shape",
                True,
            ),
            Command("show_loads", "Joint reactions", "loads", ("Shift+L",), "Force and moment transmitted by each joint", True),
        ),
        *block(
            ARM,
            2.0,
            Command("show_translucent", "Translucent arm", "translucent", ("S",), "Draw the arm translucent", True),
            Command("show_wireframe", "Wireframe", "wireframe", ("Shift+W",), "Draw only the edges of the arm", True),
            Command(
                "show_clearance",
                "Smallest distance",
                "",
                ("D",),
                "Line between the two links that are nearest to each other, with their distance",
                True,
            ),
        ),
        *block(
            ARM,
            3.0,
            Command("show_names", "Show names under the cursor", "names", ("N",), "Link, joint and value under the cursor", True),
        ),
        *block("View", 1.3, Command("show_grid", "Grid", "grid", ("G",), "Floor grid in metres", True)),
        *block(SIZE, 2.0, *(Command(f"frames_{size}", f"{size} %", checkable=True, group="frames") for size in FRAME_SIZES)),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench

    def wire(self) -> None:
        """Wire the actions, the preferences and the robot."""
        bench = self._bench
        self._wire_overlays()
        bench.actions.on("clear_trace", bench.scene.clear_trace)
        bench.actions.on("frames_smaller", lambda: self._step(-1))
        bench.actions.on("frames_larger", lambda: self._step(1))
        for size in FRAME_SIZES:
            bench.actions.on(f"frames_{size}", lambda size=size: bench.preferences.set(frame_size=size))
        bench.preferences.changed.connect(self._on_preference)
        bench.document.robot_changed.connect(self._on_robot)
        self._on_preference("frame_size")
        bench.preferences.units_changed.connect(bench.scene.set_units)
        bench.scene.set_units(bench.preferences.units)
        self._on_robot(bench.document.robot)

    def _wire_overlays(self) -> None:
        bench, shown = self._bench, self._bench.preferences.now.overlays
        for name in OVERLAYS:
            action = bench.actions[f"show_{name}"]
            action.setChecked(shown[name])
            bench.scene.set_overlay(name, shown[name])
            action.toggled.connect(partial(bench.scene.set_overlay, name))
            action.toggled.connect(partial(bench.preferences.set_overlay, name))

    def _step(self, way: int) -> None:
        place = FRAME_SIZES.index(self._bench.preferences.now.frame_size) + way
        if 0 <= place < len(FRAME_SIZES):
            self._bench.preferences.set(frame_size=FRAME_SIZES[place])

    def _on_preference(self, field: str) -> None:
        now = self._bench.preferences.now
        if field == "frame_size":
            self._bench.actions[f"frames_{now.frame_size}"].setChecked(True)
            self._bench.scene.set_frame_size(now.frame_size / 100)

    def _on_robot(self, robot) -> None:
        """A robot without masses has nothing to show of them, and the tooltip says so."""
        for name in NEEDS_MASSES:
            self._bench.actions[f"show_{name}"].setEnabled(robot.has_dynamics)
            self._bench.actions.explain(f"show_{name}", "" if robot.has_dynamics else no_masses(robot.name))
