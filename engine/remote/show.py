"""The window as a process of its own: begun, waited for, and found again by the next script."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
import weakref
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from armature.engine.errors import EngineError, ViewError, one_line
from armature.engine.files import child_environment
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.remote import WINDOW_OPTION
from armature.engine.remote.meeting_place import LOG, Place, make_private, new_place, places
from armature.engine.remote.messages import (
    PROTOCOL,
    BadMessageError,
    Hello,
    Refused,
    Welcome,
    encode,
    read_window,
)
from armature.engine.remote.shown import order_of, robot_to_show
from armature.engine.remote.view import View

FIRST = "puma560"  # in a window that is opened with nothing to show
PATIENCE = 120.0  # s: the first start after an installation compiles the engine's kernels
_last: weakref.ref[View] | None = None
_views: weakref.WeakSet[View] = weakref.WeakSet()
POLL = 0.02  # s between two looks whether the window is up
_started: list[subprocess.Popen] = []  # windows outlive the views that began them, and this process


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
    global _last  # noqa: PLW0603 - one window per program, unless `new` is given
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
    """Send the last changes of all views at exit."""
    for view in tuple(_views):
        if view.is_open:
            view.disconnect()


def waiting_window() -> tuple[Connection, Place] | None:
    """A window on this display that waits for a script, and takes this one."""
    for place in places():
        found = greet(place)
        if isinstance(found, tuple):
            return found
    return None


def started_window(robot: str, patience: float) -> tuple[Connection, Place]:
    """A new window on a robot, once it is up. Raises ViewError where it does not come."""
    place = new_place()
    make_private(place.folder)
    process = _begin(place, robot)
    end = time.monotonic() + patience
    while time.monotonic() < end:
        code = process.poll()
        if code is not None:
            why = _last_words(place) or f"its process ended with code {code}"
            place.remove()
            raise ViewError(f"the window did not open: {why}")
        if place.card:
            found = greet(place)
            if isinstance(found, str):
                raise ViewError(f"the window refused this script: {found}")
            if found is not None:
                return found
        time.sleep(POLL)
    process.terminate()
    last = _last_words(place)
    place.remove()
    last_message = f"; its last message: {last}" if last else ""
    raise ViewError(f"the window did not open within {patience:g} s{last_message}; use patience= to wait longer")


def greet(place: Place) -> tuple[Connection, Place] | str | None:
    """The connection to a window that takes this script; in words why it does not; None where none answers."""
    try:
        connection = place.connect()
    except (OSError, EOFError, LookupError, AuthenticationError):
        return None
    try:
        connection.send_bytes(encode(Hello(PROTOCOL, script_name(), os.getpid())))
        answer = read_window(connection.recv_bytes()) if connection.poll(10.0) else None
    except (OSError, EOFError, BadMessageError):
        answer = None
    if isinstance(answer, Welcome):
        return connection, place
    connection.close()
    return answer.why if isinstance(answer, Refused) else None


def script_name() -> str:
    """Name of the script, as shown by the window."""
    if "ipykernel" in sys.modules:
        return "notebook"
    first = sys.argv[0] if sys.argv else ""
    return Path(first).name if first not in ("", "-c", "-m") else "Python"


def _begin(place: Place, robot: str) -> subprocess.Popen:
    if not sys.executable:
        raise ViewError("the window needs a new process, but the path of this Python (sys.executable) is unknown")
    # -P: nothing in the folder that the script happens to run in is taken for a module of the program
    command = [sys.executable, "-P", "-m", "armature", WINDOW_OPTION, place.folder.name, "--", robot]
    with (place.folder / LOG).open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C in the script's terminal, and its end, are not the window's
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    _started.append(process)
    return process


def reap() -> None:
    """Windows that were closed leave nothing behind in this process."""
    _started[:] = [process for process in _started if process.poll() is None]


def _last_words(place: Place) -> str:
    try:
        lines = (place.folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return one_line(lines[-1].removeprefix("armature: ")) if lines else ""
