"""Pictures become a video or an animated picture in a thread of their own, at most a few ahead of the encoder."""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine import EngineError

SUFFIXES = {".mp4": "Video (*.mp4)", ".gif": "Animated picture (*.gif)"}
NEEDED = {".mp4": ("imageio", "imageio_ffmpeg"), ".gif": ("imageio",)}
AHEAD = 3  # pictures that may wait; each is some MB


def missing(path: Path) -> str:
    """What stands in the way of such a file, in one line; empty for nothing."""
    suffix = path.suffix.lower()
    return missing_for(suffix) if suffix in NEEDED else f"{path.name}: films must end in {' or '.join(NEEDED)}"


def missing_for(suffix: str) -> str:
    """Return which packages films of this kind lack, in one line; empty for none."""
    absent = [name.replace("_", "-") for name in NEEDED[suffix] if find_spec(name) is None]
    return f"{suffix} files need {' and '.join(absent)}: pip install {' '.join(absent)}" if absent else ""


class Film:
    """One file being written: `ready` says that another picture may come, `put` gives it, `finish` or `drop` ends it.

    The file appears under its name once it is whole. `over` says that the encoder has ended, `error` why, where it failed.
    """

    def __init__(self, path: Path, rate: int):
        self._path, self._rate = path, rate
        self._part = path.with_name(f".{path.stem}.part{path.suffix}")
        self._pictures: queue.Queue = queue.Queue(AHEAD)
        self._dropped = threading.Event()
        self.over, self.error = False, ""
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether another picture may come."""
        return not self._pictures.full()

    def put(self, picture: np.ndarray):
        """The next picture, `(height, width, 3)` numbers 0…255; only where `ready`."""
        self._pictures.put_nowait(picture)

    def finish(self):
        """No picture comes any more; only where `ready`."""
        self._pictures.put_nowait(None)

    def drop(self, timeout: float = 5.0):
        """Give the film up; no file is left."""
        self._dropped.set()
        self._thread.join(timeout)

    def _run(self):
        try:
            self._encode()
            if not self._dropped.is_set():
                self._part.replace(self._path)
        except Exception as error:  # of the encoder, of whatever kind: there is no film
            self.error = f"{self._path}: {_in_one_line(error)}"
        with suppress(OSError):  # its folder may be gone or closed by now
            self._part.unlink(missing_ok=True)
        self.over = True

    def _encode(self):
        import imageio.v2 as imageio  # not before a film is wanted

        if not self._path.parent.is_dir():
            raise EngineError("the folder does not exist")
        if self._path.suffix.lower() == ".gif":
            options: dict[str, Any] = {"duration": 1000 / self._rate, "loop": 0}
        else:
            options = {"fps": self._rate, "macro_block_size": 2, "quality": 8, "codec": "libx264"}
        with imageio.get_writer(self._part, mode="I", **options) as writer:
            while (picture := self._next()) is not None:
                writer.append_data(picture)  # type: ignore[attr-defined]  # of the writers of its second version

    def _next(self) -> np.ndarray | None:
        while not self._dropped.is_set():
            try:
                return self._pictures.get(timeout=0.05)
            except queue.Empty:
                continue
        return None


def _in_one_line(error: Exception) -> str:
    """Why it failed; the kind of error for one without words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
