"""The menus of a frame in the view, and of the view beside the arm; and the way back for what was hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from armature.app.feature import Feature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.copied_text import as_python, tabbed
from armature.app.widgets.pop_up import Line, copy, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

SHOWN = ("show_frames", "show_labels", "show_axes", "show_trace", "show_grid")
NEARBY = 0.22  # of the arm's reach: what is framed with a frame


class ViewMenuFeature(Feature):
    """Opens the two menus."""

    commands = block(
        "View/Arm",
        4.0,
        Command("unhide", "Show hidden parts", tip="Show links, frames, waypoints and objects that were hidden"),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench

    def wire(self) -> None:
        """Wire the view."""
        bench, scene = self._bench, self._bench.scene
        scene.menus.frame.connect(self._open_frame)
        scene.menus.beside.connect(self._open_view)
        bench.actions.on("unhide", lambda: scene.hide(frozenset(), frozenset()))
        for signal in (scene.hidden_changed, scene.waypoints.hides_changed, scene.robot_shown, scene.arm_built):
            signal.connect(lambda *_: bench.actions["unhide"].setEnabled(scene.hides))
        bench.actions["unhide"].setEnabled(False)

    def _open_view(self, at: QPoint) -> None:
        actions = self._bench.actions
        views = [actions[f"view_{name}"] for name in ("iso", "front", "right", "top")]
        shown = [actions[name] for name in SHOWN]
        looks, hidden = [actions["fit"], *views, actions["orthographic"]], actions["unhide"]
        pop_up(self._bench.parent, "", at, [*looks, None, *shown, None, actions["screenshot_copy"], hidden])

    def _open_frame(self, index: int, at: QPoint) -> None:
        bench, frames = self._bench, self._bench.scene.stage.frames
        X, name = frames.poses[index], frames.names[index]
        title = "Tool frame" if name == "tool" else f"Frame {name}"
        lines = [
            Line("frame", "Zoom to this frame", lambda: bench.scene.frame_around(X[:3, 3], NEARBY * bench.document.robot.reach)),
            None,
            Line("copy_place", "Copy position", lambda: copy(tabbed(X[:3, 3])), tip="x, y, z in the world, m"),
            Line("copy_pose", "Copy pose", lambda: copy(tabbed(X)), tip="4 × 4 in the world, m"),
            Line(
                "copy_pose_python", "Copy pose as NumPy array", lambda: copy(as_python(f"X_W{_symbol(name)}", X)), tip="4 × 4, m"
            ),
            None,
            Line("hide", "Hide this frame", lambda: self._hide(index), tip="View ▸ Arm ▸ Show hidden parts shows it again"),
        ]
        pop_up(bench.parent, title, at, [*lines, bench.actions["show_frames"], bench.actions["unhide"]])

    def _hide(self, index: int) -> None:
        scene = self._bench.scene
        scene.hide(scene.stage.arm.hidden, scene.stage.frames.hidden | {index})


def _symbol(name: str) -> str:
    return "T" if name == "tool" else name
