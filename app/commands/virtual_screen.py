"""Detect a display, or start a virtual one for the duration of a command."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys

from armature.app.commands.command_arguments import UsageError
from armature.app.commands.stop_signals import Stopped, noted_stops, stopped_by_signals
from armature.engine.files import child_environment

INSIDE = "ARMATURE_INSIDE_XVFB"


def has_display() -> bool:
    """Whether Qt will find a screen; on Linux a local X display must answer, or Qt would end the process."""
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal", "vnc")):
        return False
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    display = os.environ.get("DISPLAY", "")
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    return bool(display) if local is None else _answers(local[1])


def _answers(number: str) -> bool:
    """Whether an X server listens on this machine under that number."""
    path = f"/tmp/.X11-unix/X{number}"
    for address in (f"\0{path}", path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(2.0)
            if probe.connect_ex(address) == 0:
                return True
    return False


def run_under_xvfb(arguments: list[str]) -> int:
    """The command again, drawn on a virtual screen; returns its exit code."""
    runner = shutil.which("xvfb-run")
    if runner is None or os.environ.get(INSIDE):
        raise UsageError(f"{arguments[0]} needs a display to draw on: set DISPLAY, or install xvfb (apt-get install xvfb)")
    command = [runner, "-a", "-s", "-screen 0 1280x1024x24", sys.executable, "-m", "armature", *arguments]
    environment = child_environment() | {INSIDE: "1", "QT_QPA_PLATFORM": "xcb"}
    environment.pop("WAYLAND_DISPLAY", None)
    process = None
    with stopped_by_signals():
        try:
            with noted_stops() as stop:  # an interrupt within Popen would leave a process that has no handle
                process = subprocess.Popen(command, env=environment, start_new_session=True)  # Ctrl-C is for this process alone
            if stop.code:
                raise Stopped(stop.code - 128)
            return process.wait()
        finally:
            if process is not None and process.returncode is None:  # interrupted
                os.killpg(process.pid, signal.SIGTERM)
                process.wait()
