"""The picture of a robot's file, drawn by the program in a process of its own, and kept."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from armature.engine.files import atomic_write, child_environment, shipped, user_cache

SIZE = "320x240"
PATIENCE = 60.0  # s that a picture may take


def robot_png(source: Path, file_hash: str, companion_hash: str) -> bytes | None:
    """The PNG of a robot's file as it was read; None where it cannot be drawn. One that ships has its picture with it."""
    digest = hashlib.sha256((file_hash + companion_hash).encode()).hexdigest() if companion_hash else file_hash
    name = f"{source.name.partition('?')[0].rpartition('.')[0]}-{digest[:12]}.png"
    kept = user_cache() / "notebook" / name
    for file in (shipped("assets", "thumbnails") / name, kept):
        with suppress(OSError):
            return file.read_bytes()
    data = _drawn(source)
    if data is not None:
        with suppress(OSError):  # a full disk, a folder without rights: it is drawn anew next time
            kept.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(kept, data)
    return data


def _drawn(source: Path) -> bytes | None:
    """Drawn by the command `screenshot`: no Qt in the process of a script or a notebook."""
    with tempfile.TemporaryDirectory(prefix="armature-") as folder:
        out = Path(folder) / "robot.png"
        command = [sys.executable, "-P", "-m", "armature", "screenshot", str(source.absolute()), str(out), f"--size={SIZE}"]
        command += ["--show=", "--no-caption", "--no-corner", "--transparent"]
        quiet = subprocess.DEVNULL
        try:
            subprocess.run(
                command, stdin=quiet, stdout=quiet, stderr=quiet, env=child_environment(), timeout=PATIENCE, check=True
            )
            return out.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
