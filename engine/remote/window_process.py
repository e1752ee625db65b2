"""The window as a process of its own: begun, waited for, and found again by the next script."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection
from pathlib import Path

from armature.engine.errors import ViewError, one_line
from armature.engine.files import child_environment
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
from armature.engine.remote.window_option import OPTION

POLL = 0.02  # s between two looks whether the window is up
_started: list[subprocess.Popen] = []  # windows outlive the views that began them, and this process


def waiting_window() -> tuple[Connection, Place] | None:
    """A window on this display that waits for a script, and takes this one."""
    for place in places():
        found = greeted(place)
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
            found = greeted(place)
            if isinstance(found, str):
                raise ViewError(f"the window refused this script: {found}")
            if found is not None:
                return found
        time.sleep(POLL)
    process.terminate()
    last = _last_words(place)
    place.remove()
    said = f"; its last message: {last}" if last else ""
    raise ViewError(f"the window did not open within {patience:g} s{said}; use patience= to wait longer")


def greeted(place: Place) -> tuple[Connection, Place] | str | None:
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
    """What the window calls the script that drives it."""
    if "ipykernel" in sys.modules:
        return "notebook"
    first = sys.argv[0] if sys.argv else ""
    return Path(first).name if first not in ("", "-c", "-m") else "Python"


def _begin(place: Place, robot: str) -> subprocess.Popen:
    if not sys.executable:
        raise ViewError("the window needs a new process, but the path of this Python (sys.executable) is unknown")
    # -P: nothing in the folder that the script happens to run in is taken for a module of the program
    command = [sys.executable, "-P", "-m", "armature", OPTION, place.folder.name, "--", robot]
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
