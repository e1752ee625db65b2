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
    """Show an arm, or results of the engine, in a window that the script drives; returns when the window is up.

    The window is a process of its own, reached through a socket (on Windows a named pipe) that only this user can open. Without
    `new` the script takes the window that an earlier script, or an earlier call, has left open, and begins one where there is
    none. It outlives the script.

        with armature.show("panda") as view:
            view.q = q                                  # as often as wanted, never waits
            view.plot("error", e)
            kp = view.slider("kp", 0, 400, 100)

    Args:
        what: a `Robot`, or the name or file of one; a `Recording` or the file of one, which is replayed; a `Trajectory`, drawn
            and replayed; a `Plan`; a `Workspace`; `SingularSurfaces`.
        robot: the robot that the results are shown on, where they do not say or another one is meant.
        new: a window of its own, whatever others there are.
        patience: s that the window may take to come.

    Returns:
        A `View`.

    Raises:
        ViewError: the window did not open, for want of a display for example, or something cannot be shown.
        EngineError: a robot or a file that cannot be read.
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
