"""`FileWatch`: notices that another program has written the open robot's file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

EVERY = 500  # ms between two looks


class FileWatch(QObject):
    """Tells `touched()` once the file was written, replaced or removed, and has stayed as it is for one look: editors write in
    several steps. It asks the disk itself: what systems tell of changes is lost where a file is replaced, for files of other
    machines, and where a system has no more watches to give."""

    touched = Signal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._path: Path | None = None
        self._told: tuple[int, ...] = ()
        self._seen: tuple[int, ...] = ()
        self._clock = QTimer(self, interval=EVERY)
        self._clock.timeout.connect(self._look)

    def watch(self, path: Path | None) -> None:
        """From now on this file; None for none."""
        if path == self._path:
            return
        self._path = path
        if path is None:
            self._clock.stop()
            return
        self._told = self._seen = _stamp(path)
        self._clock.start()

    def stop(self) -> None:
        """No file any more."""
        self.watch(None)

    def _look(self) -> None:
        assert self._path is not None
        now, before = _stamp(self._path), self._seen
        self._seen = now
        if now == before and now != self._told:
            self._told = now
            self.touched.emit()


def _stamp(path: Path) -> tuple[int, ...]:
    """What is another one for a file that was written or replaced; nothing where there is none."""
    try:
        stat = path.stat()
    except (OSError, ValueError):
        return ()
    return stat.st_mtime_ns, stat.st_size, stat.st_ino
