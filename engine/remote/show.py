"""`show`: robots and results in a window of their own process, driven from a script or a notebook."""

from __future__ import annotations

import atexit
import weakref
from pathlib import Path
from typing import Any

from armature.engine.errors import EngineError
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.remote.shown import order_of, robot_to_show
from armature.engine.remote.view import View
from armature.engine.remote.window_process import reap, started_window, waiting_window

FIRST = "puma560"  # in a window that is opened with nothing to show
PATIENCE = 120.0  # s: the first start after an installation compiles the engine's kernels
_last: weakref.ref[View] | None = None
_views: weakref.WeakSet[View] = weakref.WeakSet()


def show(*what: Any, robot: Robot | str | Path | None = None, new: bool = False, patience: float = PATIENCE) -> View:
    """Show a robot or results in a window that the script controls; return when the window is open.

    The window is a separate process, connected through a socket (on Windows a named pipe) that only this user can open. Without
    `new` the script uses a window left open by an earlier script or call, or opens one. The window remains open after the script.

        with armature.show("panda") as view:
            view.q = q                                  # as often as you like; does not block
            view.plot("error", e)
            kp = view.slider("kp", 0, 400, 100)

    Args:
        what: any of these: a `Robot`, its name or file; a `Recording` or its file, which is replayed; a `Trajectory`, which is
            drawn and replayed; a `Plan`, which is opened for editing; a `Workspace`; `SingularSurfaces`.
        robot: the robot to show the results with, instead of the robot that they name. None: the robot that they name, or the one
            in the window.
        new: whether to open a new window, even if one is available.
        patience: longest time in s for the window to open.

    Returns:
        A `View`.

    Raises:
        ViewError: the window did not open, for example without a display, or the object cannot be shown.
        EngineError: the robot or file cannot be read.
    """
    global _last  # noqa: PLW0603 - one window for one program, unless more are wanted
    wanted = robot_to_show(what, robot)
    order = order_of(load_robot(FIRST) if wanted is None else wanted)
    reap()
    last = None if _last is None else _last()
    if last is not None and not new and last.is_open:
        last.taken()
    found = None if new else waiting_window()
    connection, place = found or started_window(order.place, patience)
    view = View(connection, place.folder)
    try:
        view.show(*what, robot=robot)
    except EngineError:
        view.disconnect()
        raise
    _last = weakref.ref(view)
    _views.add(view)
    return view


@atexit.register
def _leave() -> None:
    """What was set last still reaches the windows."""
    for view in tuple(_views):
        if view.is_open:
            view.disconnect()
