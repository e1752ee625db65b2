"""Opening and saving: robots and recordings; what goes wrong becomes one dialog and changes nothing."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from armature import engine
from armature.app.state.document import RobotDocument
from armature.app.state.preferences import Preferences
from armature.app.state.recognised_file import (
    CELL,
    LOG,
    LOGS,
    QUESTION,
    RECORDING,
    RECORDINGS,
    ROBOTS,
    SCENARIO,
    SESSION,
    SESSIONS,
    TRAJECTORY,
    UNKNOWN,
    kind_of_file,
)
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses
from armature.app.state.slices import Steps
from armature.app.state.units import grouped
from armature.engine.model.toml.toml_kind import use_of
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_metadata import import_notes
from armature.engine.recording.recording_recovery import free_name

_ROBOTS = " ".join(f"*{suffix}" for suffix in ROBOTS)
_PATTERNS = " ".join(f"*{suffix}" for suffix in RECORDINGS)
_LOGS = " ".join(f"*{suffix}" for suffix in (*SUFFIXES, *LOGS))
FILTER = ";;".join(
    (
        f"All files of Armature, and logs ({_ROBOTS} {_PATTERNS} {' '.join(f'*{suffix}' for suffix in (*SESSIONS, *LOGS))})",
        f"Sessions ({' '.join(f'*{suffix}' for suffix in SESSIONS)})",
        f"Robots ({_ROBOTS})",
        "Trajectories, questions and cells (*.toml)",
        f"Recordings ({_PATTERNS})",
        f"Logs of other programs ({_LOGS})",
        "All files (*)",
    )
)


def stamp() -> str:
    """The time of day as part of a file name, sortable."""
    return time.strftime("%Y-%m-%d %H-%M-%S")


def with_format(path: str, kind: str) -> Path:
    """What a person typed; without a suffix, that of the chosen `kind`, "CSV text (*.csv)", is added."""
    suffix = re.search(r"\*(\.\w+)", kind)
    return Path(path if suffix is None or not path or re.search(r"\.[A-Za-z]\w*$", path) else path + suffix[1])


def user_folder(chosen: str, place: QStandardPaths.StandardLocation) -> Path:
    """The folder from the settings, or Armature's own in the user's documents or pictures."""
    return Path(chosen) if chosen else Path(QStandardPaths.writableLocation(place) or Path.home()) / "Armature"


def short_path(path: Path) -> str:
    """Return a path as text, the user's own folder as ~."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) and path != home else str(path)


class RobotReader(Protocol):
    """Reads the file of one robot at a time, the latest, beside the window."""

    def read(
        self,
        place: str,
        then: Callable[[engine.Robot, str], None],
        changes: Sequence[Mapping[str, object]] = (),
        refused: Callable[[str], None] | None = None,
    ) -> None:
        """Read it and go on with the robot, with `changes` made to it, and where it was found.

        Where it cannot be read, or another one is wanted first, `refused` hears why; without it a dialog tells of a bad file.
        """

    def finish(self) -> None:
        """Wait for what is being read and go on with it now."""

    def cancel(self) -> None:
        """Give up what is being read."""


class Files(QObject):
    """`message(severity, text)` for the banner, `message_about(subject, severity, text)` for what a later success settles;
    `recording_requested(path)`, `log_requested(path)`, `trajectory_requested(path)`, `question_requested(path)`,
    `cell_requested(path)` and `session_requested(path)` request the reading of one file, `recording_opened(recording, path)` is
    emitted after one was read, `follow_requested(trajectory)` requests that the arm follows one, `page_requested(path, answer)`
    a web page of the window, after which `answer(error)` is called."""

    message = Signal(object, str)
    message_about = Signal(str, object, str)
    recording_requested = Signal(object)
    log_requested = Signal(object)
    trajectory_requested = Signal(object)
    question_requested = Signal(object)
    cell_requested = Signal(object)
    session_requested = Signal(object)
    recording_opened = Signal(object, object)
    follow_requested = Signal(object)
    page_requested = Signal(object, object)
    reader: RobotReader  # brought by a feature

    def __init__(self, document: RobotDocument, preferences: Preferences, window: QWidget):
        super().__init__(window)
        self._document, self._preferences, self._window = document, preferences, window
        self.guard: Callable[[Callable[[], None]], None] | None = None  # lets go on, unless something would be lost by it
        self.preparations: list[Callable[[engine.Robot], Steps]] = []  # what panels make before a robot is opened

    def ask_open(self):
        """Let the user choose a robot, a trajectory or a recording."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open", self._start_folder(), FILTER)
        if path:
            self.open_path(path)

    def ask_open_recording(self):
        """Let the user choose a recording, at first among those made here."""
        folder = self.recording_folder()
        kinds = f"Recordings ({_PATTERNS})"
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open recording", str(folder) if folder.is_dir() else self._start_folder(), kinds
        )
        if path:
            (self.log_requested if kind_of_file(path) == LOG else self.recording_requested).emit(Path(path))

    def ask_log(self):
        """Let the user choose a log of another program."""
        folder, kinds = self._start_folder(), f"Logs of other programs ({_LOGS})"
        path, _ = QFileDialog.getOpenFileName(self._window, "Import a log", folder, f"{kinds};;All files (*)")
        if path:
            self.log_requested.emit(Path(path))

    def open_path(self, path: str):
        """Open a robot by name or file, a trajectory, a recording or a log; of anything else say what it is."""
        kind, name = kind_of_file(path), Path(path).name
        if kind == RECORDING:
            self.recording_requested.emit(Path(path))
        elif kind == LOG:
            self.log_requested.emit(Path(path))
        elif kind == TRAJECTORY:
            self.trajectory_requested.emit(Path(path))
        elif kind == QUESTION:
            self.question_requested.emit(Path(path))
        elif kind == SESSION:
            self.session_requested.emit(Path(path))
        elif kind == CELL:
            self.cell_requested.emit(Path(path))
        elif kind == SCENARIO:
            text = f"{name} is a scenario file, which runs without a window; {use_of(SCENARIO, path)}."
            self.message_about.emit("open", Severity.WARNING, text)
        elif kind == UNKNOWN:
            kinds = f"robot ({', '.join(ROBOTS)}), recording ({', '.join(SUFFIXES)}) or trajectory (.toml)"
            self.message_about.emit("open", Severity.ERROR, f"{name} cannot be opened: it is not a {kinds}.")
        else:
            self.open_robot(path)

    def leave(self, then: Callable[[], None]):
        """Do what gives up the open robot, once it is settled what becomes of its unsaved changes."""
        if self.guard is None:
            then()
        else:
            self.guard(then)

    def open_robot(self, name_or_path: str, then: Callable[[], None] = lambda: None):
        """Read a robot's file beside the window, open it and go on with `then`, unless something else is opened meanwhile.

        A bad file is told in a dialog and the present robot stays.
        """
        self.reader.read(name_or_path, lambda robot, place: self.leave(lambda: self._show_robot(robot, place, then)))

    def finish(self):
        """Wait for the robot that is being read, and open it now."""
        self.reader.finish()

    def give_up(self):
        """The robot that is being read is not opened: something else is requested."""
        self.reader.cancel()

    def _show_robot(self, robot: engine.Robot, place: str, then: Callable[[], None]):
        self._document.set_robot(robot)
        if Path(place).suffix:
            self._preferences.add_recent(str(Path(place).resolve()))
        if not robot.has_dynamics:
            self.message.emit(Severity.INFO, no_masses(robot.name))
        then()

    def complain_of_robot(self, error: engine.EngineError):
        """Tell why a robot's file is not opened."""
        self.complain("This robot cannot be opened", str(error), f"{self._document.robot.name} remains open.")

    def show_recording(self, recording, path: Path, robot: str):
        """Open a recording that was read, on a robot by name or file, or on the open one for ""."""
        if robot:
            self.open_robot(robot, lambda: self._show(recording, path))
        else:
            self._show(recording, path)

    def _show(self, recording, path: Path):
        self._preferences.add_recent(str(path.resolve()))
        self.recording_opened.emit(recording, path)
        left = f"{path.name} is from an interrupted run; {grouped(len(recording))} samples were recovered."
        known = import_notes(recording.metadata)  # the import sheet told them
        remarks = [f"{path.name}: {remark}." for remark in recording.remarks if remark not in known]
        told = [left] * bool(recording.metadata.get("recovered")) + remarks
        if told:
            self.message_about.emit("open", Severity.WARNING if remarks else Severity.INFO, " ".join(told))

    def recording_folder(self) -> Path:
        """Where new recordings go."""
        return user_folder(self._preferences.now.recording_folder, QStandardPaths.StandardLocation.DocumentsLocation)

    def own_robot_folder(self) -> Path:
        """Where robots are saved at first that are saved nowhere yet."""
        return user_folder("", QStandardPaths.StandardLocation.DocumentsLocation) / "robots"

    def question_folder(self) -> Path:
        """Where the user's own questions lie."""
        chosen = self._preferences.now.question_folder
        return Path(chosen) if chosen else user_folder("", QStandardPaths.StandardLocation.DocumentsLocation) / "questions"

    def new_recording_path(self) -> Path | None:
        """A free path for the next recording; None, with a message, where its folder cannot be made."""
        folder = self.recording_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.message_about.emit("record", Severity.ERROR, f"Recording not started: {folder}: {error.strerror}")
            return None
        return free_name(folder / f"{self._document.robot.name} {stamp()}.{self._preferences.now.recording_format}")

    def complain(self, title: str, text: str, more: str = ""):
        """A dialog that does not stop the program."""
        box = QMessageBox(QMessageBox.Icon.Warning, title, text, QMessageBox.StandardButton.Ok, self._window)
        box.setObjectName("complaint")
        box.setInformativeText(more)
        box.open()
        box.finished.connect(box.deleteLater)

    def _start_folder(self) -> str:
        recent = self._preferences.now.recent_files
        return str(Path(recent[0]).parent) if recent else str(Path.home())
