"""What every test stands on: a display of its own, software OpenGL, settings that are not the user's."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SCREEN = "1600x1200x24"

settings.register_profile("armature", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("armature"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "armature")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Before Qt or OpenGL are imported by anybody.

    Each process that runs tests gets an X server of its own: two windows on one display without a window manager would take
    the keyboard focus from each other. `ARMATURE_DISPLAY=keep` runs the tests on the display that is there, to watch them.
    """
    _isolate_settings()
    hands_out_work = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    if sys.platform.startswith("linux") and os.environ.get("ARMATURE_DISPLAY") != "keep" and not hands_out_work:
        _use_virtual_display()


def _use_virtual_display():
    if shutil.which("Xvfb") is None:
        raise pytest.UsageError("the tests need Xvfb; `make test` installs it (Debian and Ubuntu: apt-get install xvfb)")
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset", "+extension", "GLX"]
    server = subprocess.Popen(command, pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        number = pipe.readline().strip()
    if not number:
        raise pytest.UsageError(f"Xvfb did not start: {server.stderr.read().decode(errors='replace').strip()}")
    atexit.register(_stop, server)
    os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb", LIBGL_ALWAYS_SOFTWARE="1")
    for name in ("WAYLAND_DISPLAY", "XAUTHORITY", "QT_SCALE_FACTOR"):
        os.environ.pop(name, None)


def _stop(server: subprocess.Popen):
    server.terminate()
    server.wait(10)
    server.stderr.close()


def _isolate_settings():
    """The user's configuration stays untouched; the cache folder stays the user's, with the compiled kernels in it."""
    home = tempfile.mkdtemp(prefix="armature-tests-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        folder = Path(home, name.lower())
        folder.mkdir(mode=0o700)
        os.environ[name] = str(folder)
