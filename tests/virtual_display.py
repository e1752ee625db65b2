"""An X server without a screen, drawing in software: where the tests' and the benchmarks' windows open."""

from __future__ import annotations

import atexit
import os
import select
import shutil
import subprocess
from functools import cache
from tempfile import TemporaryFile

from tests.time_limits import WAIT

SCREEN = "1600x1200x24"


class NoVirtualDisplayError(Exception):
    """Xvfb is missing or does not start; the message is one line."""


@cache
def use_virtual_display() -> None:
    """Starts one Xvfb for this process and what it spawns, until it ends. Call it before Qt or OpenGL are imported."""
    if shutil.which("Xvfb") is None:
        raise NoVirtualDisplayError("Xvfb is missing; `make test` installs it (Debian and Ubuntu: apt-get install xvfb)")
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset", "+extension", "GLX"]
    if shutil.which("setpriv"):  # it ends with this process, however that ends
        command = ["setpriv", "--pdeathsig", "TERM", *command]
    with TemporaryFile() as told:  # not a pipe: one that nobody reads is full some day, and then the server stands still
        server = subprocess.Popen(command, pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=told)
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip() if select.select([pipe], [], [], WAIT)[0] else ""
        if not number:
            server.kill()
            server.wait()
            told.seek(0)
            raise NoVirtualDisplayError(f"Xvfb did not start: {told.read().decode(errors='replace').strip()}")
    atexit.register(_stop, server)
    os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb", LIBGL_ALWAYS_SOFTWARE="1")
    for name in ("WAYLAND_DISPLAY", "XAUTHORITY", "QT_SCALE_FACTOR"):
        os.environ.pop(name, None)


def _stop(server: subprocess.Popen) -> None:
    server.terminate()
    server.wait(10)
