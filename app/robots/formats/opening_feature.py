"""Robot files that take their time, xacro files and MuJoCo models, are read beside the window; arguments are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from armature import engine
from armature.app.feature import Feature
from armature.app.state.jobs import Job, JobRunner
from armature.engine.model.xacro.expansion import MissingArgumentError

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

Then = Callable[[], None]


class OpeningFeature(Feature):
    """The latest file wins; one that is wrong is told in a dialog, and the open robot stays."""

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._runner = JobRunner("opening", bench.parent)
        self._then: Then = lambda: None

    def connect(self) -> None:
        """Take over what takes its time."""
        self._bench.files.reader = self.read
        self._runner.finished.connect(self._on_read)
        self._runner.busy_changed.connect(self._on_busy)

    def shut_down(self) -> None:
        """Give up what is being read."""
        self._runner.stop()

    def read(self, place: str, then: Then) -> None:
        """Read a robot's file, open it and go on with `then`."""
        self._then = then
        self._bench.banner.show_progress(f"Opening {Path(place).name}…", 0, 0, self._runner.cancel)
        self._runner.start(partial(_read, place))

    def _on_read(self, read: tuple[str, engine.Robot | engine.EngineError]) -> None:
        place, found = read
        files = self._bench.files
        if isinstance(found, engine.Robot):
            files.show_robot(found, place)
            self._then()
        elif isinstance(found, MissingArgumentError):
            self._ask(place, found.name)
        else:
            files.complain_of_robot(found)

    def _ask(self, place: str, needed: str) -> None:
        from armature.app.robots.formats.arguments_dialog import ArgumentsDialog  # with its reader: few files need it
        from armature.engine.model.xacro.declared_arguments import declared_arguments
        from armature.engine.model.xacro.xacro_place import arguments_of, file_of, with_arguments

        file = file_of(Path(place))
        dialog = ArgumentsDialog(file.name, needed, declared_arguments(file), arguments_of(Path(place)), self._bench.parent)
        dialog.chosen.connect(lambda values: self.read(str(with_arguments(file, values)), self._then))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_busy(self, busy: bool) -> None:
        banner = self._bench.banner
        if not busy and banner.progress.isVisibleTo(banner):
            banner.dismiss()


def _read(place: str, job: Job) -> tuple[str, engine.Robot | engine.EngineError]:
    try:
        return place, engine.load_robot(place)
    except engine.EngineError as error:
        return place, error
