"""`FileWatch`: notices that another program has written the robot file that is being edited."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

SETTLED = 150  # ms: editors write a file in several steps


class FileWatch(QObject):
    """Tells `touched()` a moment after the file, or its folder, has changed; what is in it is looked at by whoever hears it."""

    touched = Signal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._path: Path | None = None
        self._watcher = QFileSystemWatcher(self)
        self._soon = QTimer(self, singleShot=True, interval=SETTLED)
        self._soon.timeout.connect(self._tell)
        self._watcher.fileChanged.connect(lambda _: self._soon.start())
        self._watcher.directoryChanged.connect(lambda _: self._soon.start())

    def watch(self, path: Path | None) -> None:
        """From now on this file; None for none."""
        if path == self._path:
            return
        self.stop()
        self._path = path
        self._begin()

    def stop(self) -> None:
        """No file any more."""
        self._soon.stop()
        self._path = None
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _begin(self) -> None:
        """A file that was replaced is another one, which is to be watched anew; its folder tells when it comes back."""
        if self._path is not None:
            wanted = [str(place) for place in (self._path, self._path.parent) if place.exists()]
            missing = [place for place in wanted if place not in (*self._watcher.files(), *self._watcher.directories())]
            if missing:
                self._watcher.addPaths(missing)

    def _tell(self) -> None:
        self._begin()
        self.touched.emit()
