"""`Thumbnails`: a small picture of every robot's file, drawn by the program itself; another file gets another picture."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from armature.engine.files import atomic_write, child_environment, shipped, user_cache
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.model.xacro.xacro_place import file_of

WIDTH, HEIGHT = 320, 240  # pixels, twice as many as are usually shown
MOST = 300  # kept in the cache
_POLL = 0.1  # s between two looks whether a drawing is still wanted
_PATIENCE = 60.0  # s that a picture may take


class Thumbnails:
    """Those that ship lie in assets/thumbnails, others in the user's cache, under a name with the hash of the robot's file."""

    def __init__(self, folder: Path | None = None):
        self._folder = user_cache() / "thumbnails" if folder is None else folder

    def find(self, file: Path) -> bytes | None:
        """The PNG of a robot's file as it is now, None where none was drawn yet."""
        try:
            name = thumbnail_name(file)
        except OSError:
            return None
        for folder in (shipped("assets", "thumbnails"), self._folder):
            with suppress(OSError):
                return (folder / name).read_bytes()
        return None

    def draw(self, file: Path, cancelled: Callable[[], bool]) -> bytes | None:
        """Draw a robot's file in a process of its own, and keep the PNG; None where it cannot be drawn."""
        with tempfile.TemporaryDirectory(prefix="armature-") as folder:
            out = Path(folder) / "thumbnail.png"
            try:
                name = thumbnail_name(file)
                if not _drawn(file, out, cancelled):
                    return None
                data = out.read_bytes()
            except OSError:
                return None
        self._keep(name, data)
        return data

    def _keep(self, name: str, data: bytes) -> None:
        with suppress(OSError):  # a full disk, a folder without rights: it is drawn anew next time
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic_write(self._folder / name, data)
            old = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-MOST]
            for path in old:
                path.unlink()


def thumbnail_name(file: Path) -> str:
    """Another name for another content of the file or of the companion beside it, or other arguments. Raises OSError."""
    own = file_of(file)
    digest = hashlib.sha256(_lines(own))
    digest.update(str(file)[len(str(own)) :].encode())
    if own.suffix.lower() in (".urdf", ".xacro") and companion_of(own).is_file():
        digest.update(_lines(companion_of(own)))
    return f"{own.stem}-{digest.hexdigest()[:12]}.png"


def _lines(file: Path) -> bytes:
    return file.read_bytes().replace(b"\r\n", b"\n")  # as git may check it out


def _drawn(file: Path, out: Path, cancelled: Callable[[], bool]) -> bool:
    command = [sys.executable, "-m", "armature", "screenshot", str(file), str(out)]
    command += [f"--size={WIDTH}x{HEIGHT}", "--show=", "--no-caption", "--no-corner", "--transparent"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=child_environment()) as process:
        for _ in range(round(_PATIENCE / _POLL)):
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_POLL) == 0
            if cancelled():
                break
        process.kill()
    return False
