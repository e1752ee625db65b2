"""Logs of other programs: read beside the window, looked at in the import sheet, made a recording, and opened."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from armature import engine
from armature.app.feature import Feature
from armature.app.recording.importing.import_jobs import Looked, begun, looked, made, read
from armature.app.recording.importing.remembered import Remembered
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import capital
from armature.app.widgets.actions import Command, block
from armature.engine.recording.recording_recovery import free_name

if TYPE_CHECKING:
    from armature.app.recording.importing.sheet import ImportSheet
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.recording.measured.log_mapping import LogMapping
    from armature.engine.recording.measured.log_table import LogTable

PATIENCE = 0.25  # s before progress is shown
OPEN = ""  # the name of the open robot among those to choose from
_TOLD = {
    "time": "Time: {}",
    "time_unit": "Time unit: {}",
    "angle_unit": "Angle unit: {}",
    "length_unit": "Length unit: {}",
    "speed_unit": "Speed unit: {}",
    "torque_unit": "Torque unit: {}",
}
"""Guesses and what they rest on, in the order in which they are told."""


class ImportFeature(Feature):
    """One log at a time; the latest that is requested."""

    commands = (
        *block(
            "File",
            2.2,
            Command("import_log", "Import log…", tip="Convert the log of a real robot to a recording: CSV, .npz, .mat, .mcap"),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench, self._remembered = bench, Remembered(bench.preferences)
        self._reading, self._guessing, self._looking, self._making = self._runners = tuple(
            JobRunner(name, bench.parent) for name in ("read-log", "guess-log", "look-at-log", "import-log")
        )
        self._path, self._since = Path(), 0.0
        self._table: LogTable | None = None
        self._found: Looked | None = None
        self._robot = bench.document.robot
        self._sheet: ImportSheet | None = None

    def wire(self) -> None:
        """Wire the command, files and threads."""
        bench = self._bench
        bench.actions.on("import_log", bench.files.ask_log)
        bench.files.log_requested.connect(self.open)
        self._reading.progressed.connect(self._on_progress)
        self._reading.finished.connect(self._on_read)
        self._reading.failed.connect(self._on_unread)
        self._reading.busy_changed.connect(self._on_busy)
        self._guessing.finished.connect(self._on_guessed)
        self._guessing.failed.connect(self._on_unread)
        self._looking.progressed.connect(self._on_looking)
        self._looking.busy_changed.connect(self._on_looking_busy)
        self._looking.finished.connect(self._on_looked)
        self._looking.failed.connect(self._on_unread)
        self._making.progressed.connect(self._on_progress)
        self._making.finished.connect(self._on_made)
        self._making.failed.connect(self._on_unmade)

    def shut_down(self) -> None:
        """End the threads; what is half written vanishes."""
        for runner in self._runners:
            runner.stop()

    def open(self, path: Path) -> None:
        """Read a log and show the sheet."""
        if self._sheet is not None:
            self._sheet.reject()
        self._path, self._since = path, time.monotonic()
        self._robot = self._bench.document.robot
        self._reading.start(lambda job: read(path, ("", "", 0), job))

    # Read

    def _on_progress(self, done: int, total: int) -> None:
        if self._sheet is not None:
            self._sheet.show_progress(done, total)
        elif time.monotonic() - self._since > PATIENCE:
            text = f"Reading {self._path.name}…"
            self._bench.banner.show_progress(text, round(1000 * done / max(total, 1)), 1000, self._reading.cancel)

    def _on_busy(self, busy: bool) -> None:
        if busy:
            return
        if self._sheet is not None:
            self._sheet.show_progress(0, 0)
        elif self._bench.banner.progress.isVisibleTo(self._bench.banner):
            self._bench.banner.dismiss()

    def _on_unread(self, text: str) -> None:
        if self._sheet is not None:
            self._sheet.show_problem(text)
        else:
            self._bench.files.message_about.emit("open", Severity.ERROR, f"This log cannot be read: {text}")

    def _on_read(self, table: LogTable | None) -> None:
        if table is None:
            return
        self._table = table
        robot: Robot | str = self._robot
        if self._sheet is None:
            self._sheet, last = self._made_sheet(table), self._remembered.robot(table.names)
            if self._sheet.show_robot(last):
                robot = last
            self._sheet.open()
        self._choose(robot)

    def _made_sheet(self, table: LogTable) -> ImportSheet:
        from armature.app.recording.importing.sheet import ImportSheet  # not before there is something to import

        bench = self._bench
        names = {
            OPEN: f"{self._robot.name} (open)",
            **{name: name for name in engine.shipped_robots() if name != self._robot.name},
        }
        sheet = ImportSheet(names, bench.preferences.units, bench.look.tokens, bench.parent)
        sheet.target.name.setText(str(self._free_target(table)))
        sheet.read_requested.connect(self._read_again)
        sheet.motion_requested.connect(self._look)
        sheet.import_requested.connect(self._make)
        sheet.robot_chosen.connect(self._on_robot)
        sheet.guess_requested.connect(lambda: self._choose(self._robot, anew=True))
        sheet.finished.connect(self._on_closed)
        return sheet

    def _free_target(self, table: LogTable) -> Path:
        folder = self._bench.files.recording_folder()
        return free_name((folder if folder.is_dir() else table.path.parent) / f"{table.path.stem}.recording.npz")

    def _read_again(self) -> None:
        if self._sheet is not None:
            path, chosen = self._path, self._sheet.text.chosen
            self._reading.start(lambda job: read(path, chosen, job))

    def _on_robot(self, name: str) -> None:
        self._choose(self._bench.document.robot if name == OPEN else name)

    def _choose(self, robot: Robot | str, anew: bool = False) -> None:
        """Begin with what was chosen for a robot the last time, or else, or `anew`, with a guess."""
        table, remembered = self._table, self._remembered
        if table is not None:
            self._looking.cancel()
            self._guessing.start(lambda _: begun(table, robot, None if anew else remembered))

    def _on_guessed(self, guess: tuple[Robot, LogMapping, str | None]) -> None:
        self._robot, mapping, remembered = guess
        if self._sheet is not None and self._table is not None:
            self._sheet.show_table(self._table, self._robot, mapping, remembered)
            self._look()

    # Looked at

    def _look(self) -> None:
        """The motion that the choices make, beside the window."""
        sheet, table, robot = self._sheet, self._table, self._robot
        if sheet is None or table is None:
            return
        if table.wrong and not sheet.missing.isChecked():
            self._looking.cancel()
            where = capital(table.wrong)
            sheet.show_problem(f"{where} is not a number. To skip such cells, treat them as missing (above).")
        else:
            mapping = sheet.mapping
            self._looking.start(lambda job: looked(table, robot, mapping, job))

    def _on_looking(self, done: int, total: int) -> None:
        if self._sheet is not None:
            self._sheet.show_looking(done, total)

    def _on_looking_busy(self, busy: bool) -> None:
        if self._sheet is not None:
            self._sheet.set_looking(busy)

    def _on_looked(self, found: Looked | None) -> None:
        if found is not None and self._sheet is not None:
            self._found, mapping = found, found.mapping
            guesses = tuple(words.format(mapping.why[key]) for key, words in _TOLD.items() if mapping.why.get(key))
            self._sheet.show_motion(found.motion, self._robot, guesses)

    # Made

    def _make(self, target: Path) -> None:
        sheet, table, robot = self._sheet, self._table, self._robot
        if sheet is None or table is None:
            return
        self._looking.cancel()
        sheet.set_busy(True)
        sheet.show_progress(0, 1000)
        mapping, found = sheet.mapping, self._found
        if found is None or not found.is_of(table, robot, mapping):
            found = None
        self._making.start(lambda job: made(table, robot, mapping, found, target, job))

    def _on_made(self, done: tuple[Path, LogMapping] | None) -> None:
        if done is None or self._table is None:
            return
        path, mapping = done
        self._remembered.keep(self._table.names, self._robot, mapping)
        if self._sheet is not None:
            self._sheet.accept()
        self._bench.files.recording_requested.emit(path)

    def _on_unmade(self, text: str) -> None:
        if self._sheet is not None:
            self._sheet.set_busy(False)
            self._sheet.show_problem(text)

    def _on_closed(self, _result: int) -> None:
        self._sheet = self._table = self._found = None
        for runner in self._runners:
            runner.cancel()
