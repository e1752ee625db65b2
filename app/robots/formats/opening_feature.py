"""A robot's file is read beside the window and made into solids there; arguments of xacro files are requested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal

from armature import engine
from armature.app.feature import Feature
from armature.app.scene.arm.built_arm import built_arm
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.state.slices import Slices, Steps
from armature.engine.model.robot_changes import with_changes
from armature.engine.model.xacro.xacro_reader import MissingArgumentError

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

Then = Callable[[engine.Robot, str], None]
Refused = Callable[[str], None]
Changes = Sequence[Mapping[str, object]]
PATIENCE = 300  # ms until it is told that a file is being read: most are there by then


class OpeningFeature(Feature, QObject):
    """The latest file wins; one that is wrong is told in a dialog, and the open robot stays."""

    _ready = Signal(object)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self._runner, self._preparing = JobRunner("opening", self), Slices(self)
        self._late = QTimer(self, singleShot=True, interval=PATIENCE)
        self._place, self._note = "", ""
        self._then: Then = lambda robot, place: None
        self._refused: Refused | None = None
        self._coming: engine.Robot | None = None  # it was read, and is not open yet

    def wire(self) -> None:
        """Take over the reading of robots."""
        self._bench.files.reader = self
        self._bench.document.robot_closing.connect(self.cancel)  # for another one, which was requested later
        self._late.timeout.connect(self._tell)
        self._runner.finished.connect(self._on_read)
        self._runner.failed.connect(partial(self._bench.banner.show_message, Severity.ERROR, subject="open"))
        self._runner.busy_changed.connect(self._on_busy)
        self._ready.connect(self._open, Qt.ConnectionType.QueuedConnection)  # from a timer it would be painted in the same turn

    def shut_down(self) -> None:
        """Give up what is being read."""
        self.cancel()
        self._runner.stop()

    def read(self, place: str, then: Then, changes: Changes = (), refused: Refused | None = None) -> None:
        """Read a robot's file, make `changes` to it and go on with `then(robot, place)`.

        Where it cannot be read, or another one is wanted first, `refused` hears why; without it a dialog tells of a bad file.
        """
        self.cancel()
        self._place, self._then, self._refused = place, then, refused
        self._runner.start(lambda _job: _read(place, changes))

    def finish(self) -> None:
        """Wait for what is being read and go on with it now."""
        self._runner.finish()
        self._preparing.finish()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def cancel(self) -> None:
        """Give up what is being read."""
        self._coming = None
        self._preparing.stop()
        self._runner.cancel()
        self._refuse("another robot was opened instead")

    def _on_read(self, found: engine.Robot | engine.EngineError) -> None:
        if isinstance(found, engine.Robot):
            self._coming = found
            self._preparing.start(self._prepare(found))
        elif self._refused is not None:
            self._refuse(str(found))
        elif isinstance(found, MissingArgumentError):
            self._ask(found.name)
        else:
            self._bench.files.complain_of_robot(found)

    def _prepare(self, robot: engine.Robot) -> Steps:
        for prepare in self._bench.files.preparations:
            yield from prepare(robot)
        self._ready.emit(robot)

    def _open(self, robot: engine.Robot) -> None:
        if robot is self._coming:  # nothing was requested since
            self._coming = self._refused = None
            self._then(robot, self._place)

    def _refuse(self, why: str) -> None:
        refused, self._refused = self._refused, None
        if refused is not None:
            refused(why)

    def _ask(self, needed: str) -> None:
        from armature.app.robots.formats.arguments_dialog import ArgumentsDialog  # with its reader: few files need it
        from armature.engine.model.xacro.xacro_place import arguments_of, file_of, with_arguments
        from armature.engine.model.xacro.xacro_reader import declared_arguments

        place, then = Path(self._place), self._then
        file = file_of(place)
        dialog = ArgumentsDialog(file.name, needed, declared_arguments(file), arguments_of(place), self._bench.parent)
        dialog.chosen.connect(lambda values: self.read(str(with_arguments(file, values)), then))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_busy(self, busy: bool) -> None:
        banner = self._bench.banner
        self._late.start() if busy else self._late.stop()
        if not busy and self._note and banner.text.text() == self._note:
            banner.dismiss()
        self._note = ""

    def _tell(self) -> None:
        self._note = f"Opening {Path(self._place).name}…"
        self._bench.banner.show_progress(self._note, 0, 0, self._runner.cancel)


def _read(place: str, changes: Changes) -> engine.Robot | engine.EngineError:
    try:
        robot = with_changes(engine.load_robot(place), changes)
    except engine.EngineError as error:
        return error
    built_arm(robot)
    engine.singularity(robot, robot.configurations["home"])  # computes and caches the pose-independent results
    return robot
