"""Logs of other programs: read in the background, mapped in the import sheet, saved as a recording, and opened."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from armature import engine
from armature.app.feature import Feature
from armature.app.recording.importing.import_model import (
    ImportModel,
    Looked,
    first_mapping,
    motion_of,
    read,
    write_import,
)
from armature.app.recording.importing.remembered import Remembered
from armature.app.state.evented import on
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.engine.recording.recording_recovery import free_name

if TYPE_CHECKING:
    from armature.app.recording.importing.sheet import ImportSheet
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.recording.measured.log_mapping import LogMapping
    from armature.engine.recording.measured.log_table import LogTable

PATIENCE = 0.25  # s before progress is shown
SOON = 150  # ms from the last change to the computation of the motion
OPEN = ""  # the name of the open robot among those to choose from


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
        self._sheet: ImportSheet | None = None
        self.model = ImportModel(bench.document.robot)
        self._soon = QTimer(bench.parent, singleShot=True, interval=SOON)
        self._soon.timeout.connect(self._look)

    def wire(self) -> None:
        """Connect command and files, and follow the computations."""
        bench = self._bench
        bench.actions.on("import_log", bench.files.ask_log)
        bench.files.log_requested.connect(self.open)
        for runner in (self._reading, self._looking, self._making):
            bench.views.bind(partial(self._show_progress, runner), on(runner.status, "is_busy", "progress"))

    def shut_down(self) -> None:
        """End the threads; what is half written vanishes."""
        self._soon.stop()
        for runner in self._runners:
            runner.stop()

    def open(self, path: Path) -> None:
        """Read a log and show the sheet."""
        if self._sheet is not None:
            self._sheet.reject()
        self._path, self.model = path, ImportModel(self._bench.document.robot)
        self._read()

    # -- read ----------------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self._since = time.monotonic()
        chosen = self.model.separator, self.model.decimal, int(self.model.first_line)
        self._reading.start(partial(read, self._path, chosen), self._on_read, self._fail)

    def _show_progress(self, runner: JobRunner) -> None:
        """Show progress in the sheet, or in the banner before there is one."""
        status, banner = runner.status, self._bench.banner
        done, total = status.progress
        is_slow = status.is_busy and time.monotonic() - self._since > PATIENCE
        if self._sheet is not None:
            is_shown = is_slow or (runner is self._making and status.is_busy)
            self.model.progress = (done, max(total, 1)) if is_shown else (0, 0)
            self.model.is_slow = is_slow and runner is self._looking
        elif runner is self._reading and is_slow:
            text = f"Reading {self._path.name}…"
            banner.show_progress(text, round(1000 * done / max(total, 1)), 1000, self._reading.cancel)
        elif runner is self._reading and not status.is_busy and banner.progress.isVisibleTo(banner):
            banner.dismiss()

    def _fail(self, text: str) -> None:
        if self._sheet is not None:
            self.model.fail(text)
        else:
            self._bench.files.message_about.emit("open", Severity.ERROR, f"This log cannot be read: {text}")

    def _on_read(self, table: LogTable) -> None:
        robot: Robot | str = self.model.robot
        self.model.take_table(table)
        if self._sheet is None:
            self._sheet = self._new_sheet(table)
            last = self._remembered.robot(table.names)
            if last and self._sheet.robot.findData(last) >= 0:
                self._sheet.robot.setCurrentIndex(self._sheet.robot.findData(last))
                robot = last
            self._sheet.robot.currentIndexChanged.connect(lambda _: self._on_robot())
            self._sheet.open()
        self._choose(robot)

    def _new_sheet(self, table: LogTable) -> ImportSheet:
        from armature.app.recording.importing.sheet import ImportSheet  # not before there is something to import

        bench, name, model = self._bench, self.model.robot.name, self.model
        names = {OPEN: f"{name} (open)", **{one: one for one in engine.shipped_robots() if one != name}}
        folder = bench.files.recording_folder()
        target = (folder if folder.is_dir() else table.path.parent) / f"{table.path.stem}.recording.npz"
        model.target = str(free_name(target))
        acts = {"import": self._make, "guess": self._guess_again, "read": self._read}
        sheet = ImportSheet(model, names, (bench.state.units, bench.look.tokens), acts, bench.parent)
        sheet.finished.connect(self._on_closed)
        model.listen(self._on_changed)
        return sheet

    def _on_robot(self) -> None:
        if self._sheet is not None:
            name = self._sheet.robot.currentData()
            self._choose(self._bench.document.robot if name == OPEN else name)

    def _guess_again(self) -> None:
        self._choose(self.model.robot, guess=True)

    def _choose(self, robot: Robot | str, guess: bool = False) -> None:
        """Use the mapping that was chosen earlier for a robot; without one, or with `guess`, a guessed one."""
        table, saved = self.model.table, None if guess else self._remembered.mapping
        if table is not None:
            self._looking.cancel()
            self._guessing.start(lambda _: first_mapping(table, robot, saved), self._on_guess, self._fail)

    def _on_guess(self, guess: tuple[Robot, LogMapping, str | None]) -> None:
        self.model.take_guess(guess)
        self._look()

    # -- motion --------------------------------------------------------------------------------------------------------------

    def _on_changed(self, *names: str) -> None:
        """Compute the motion a moment after the last change of the mapping."""
        if "mapping" in names:
            self._soon.start()
        elif "skips_cells" in names:
            self._look()

    def _look(self) -> None:
        self._soon.stop()
        model, table = self.model, self.model.table
        self._looking.cancel()
        if table is not None and not (table.wrong and not model.skips_cells):
            self._since = time.monotonic()
            QTimer.singleShot(round(1000 * PATIENCE) + 1, self._bench.parent, partial(self._show_progress, self._looking))
            self._looking.start(partial(motion_of, table, model.robot, model.mapping), self._on_motion, self._fail)

    def _on_motion(self, found: Looked) -> None:
        self.model.take_motion(found)

    # -- recording -----------------------------------------------------------------------------------------------------------

    def _make(self) -> None:
        model, table = self.model, self.model.table
        if table is None or not model.check_target():
            return
        self._looking.cancel()
        model.is_importing, self._since = True, time.monotonic()
        make = partial(write_import, table, model.robot, model.mapping, model.found, model.path)
        self._making.start(make, partial(self._on_made, table.names, model.mapping), model.fail)

    def _on_made(self, names: tuple[str, ...], mapping: LogMapping, path: Path) -> None:
        self._remembered.keep(names, self.model.robot, mapping)
        if self._sheet is not None:
            self._sheet.accept()
        self._bench.files.recording_requested.emit(path)

    def _on_closed(self, _result: int) -> None:
        self._sheet = None
        self._soon.stop()
        for runner in self._runners:
            runner.cancel()
