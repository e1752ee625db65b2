"""Sessions: the whole desk saved to one file, opened from it, and recovered after a crash."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QInputDialog

from armature.app.feature import Feature, settle_all
from armature.app.recording.recording_files import RecordingFilesFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.scene.arm.built_arm import built_arm
from armature.app.session.session_archive import SUFFIX
from armature.app.session.session_code import SessionCodeDialog
from armature.app.session.session_file import Desk, SavedSession, load_session, save_session
from armature.app.session.session_keeper import SessionKeeper, session_folder
from armature.app.session.session_robot import local_file
from armature.app.session.window_desk import PanelArrangement, Values, WindowDesk
from armature.app.state.engine_startup import KernelStage
from armature.app.state.files import stamp, with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.session_tables import FORMAT
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.engine.files import atomic_write

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

KINDS = (f"Session with its recordings (*{SUFFIX})", f"Session, recordings by reference (*{SUFFIX})")
SUBJECT = "session"
PATIENCE = 0.25  # s before progress is shown
MOST_NAMES = 4  # of omitted parts in a message


class SessionFeature(Feature):
    """Saves and opens sessions; `path` is the file of the session that is open, None without one."""

    commands = block(
        "File",
        1.5,
        Command("save_session", "Save session", keys=("Ctrl+Shift+S",), tip="Save everything on the desk to one file"),
        Command("save_session_as", "Save session as…", tip="Save everything on the desk to a new file"),
        Command("session_notes", "Session notes…", tip="Text that is saved in the session"),
    )
    needs = (RobotFileFeature, RecordingFilesFeature, ReplayToolsFeature)

    desk: WindowDesk

    def __init__(
        self, bench: Workbench, robot: RobotFileFeature, recordings: RecordingFilesFeature, compared: ReplayToolsFeature
    ):
        self._bench, self._robot, self._recordings, self._compared = bench, robot, recordings, compared
        self.path: Path | None = None
        self._by_reference = False
        self._recorded_before = bench.preferences.now.last_recording
        self._saved: Desk | None = None  # the desk in the file
        self._features: list[Feature] = []
        self._folders: list[Path] = []  # of recordings in sessions
        self._saving, self._reading = JobRunner("save-session", bench.parent), JobRunner("read-session", bench.parent)
        self._texts: dict[JobRunner, tuple[str, float]] = {}
        self._expected: tuple[SavedSession, Callable[[], None]] | None = None  # its first recording is being read
        self.keeper = SessionKeeper(bench, self.read_desk, self.open)

    def take_desk(self, features: Iterable[Feature], arrangement: PanelArrangement) -> None:
        """Save and restore these features and this arrangement of panels."""
        self._features = list(features)
        self.desk = WindowDesk(self._bench, self._features, arrangement)

    def read_desk(self) -> Desk:
        """Return the present desk."""
        return self.desk.read()

    def wire(self) -> None:
        """Wire commands, files and jobs."""
        bench = self._bench
        for name, act in (("save_session", self.save), ("save_session_as", self.ask_save), ("session_notes", self._ask_notes)):
            bench.actions.on(name, act)
        bench.files.session_requested.connect(self.open)
        bench.files.recording_opened.connect(self._on_recording)
        for runner in (self._saving, self._reading):
            runner.progressed.connect(partial(self._show_progress, runner))
            runner.busy_changed.connect(self._on_busy)
        self._saving.finished.connect(self._on_saved)
        self._saving.failed.connect(lambda text: self._tell(f"The session was not saved: {text}"))
        self._reading.finished.connect(lambda found: None if found is None else self.leave(partial(self._show, *found)))
        self._reading.failed.connect(lambda text: self._tell(f"This session cannot be opened: {text}", "open"))
        bench.document.robot_closing.connect(self._forget)
        self._robot.abandoned = self.keeper.put_aside
        self.keeper.wire()

    def shut_down(self) -> None:
        """End the threads; the recordings of the open session are removed with it."""
        self._saving.stop()
        self._reading.stop()
        self.keeper.stop(self._robot.given_up or self.is_saved)
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

    # -- saving ----------------------------------------------------------------------------------------------------------------

    @property
    def is_saved(self) -> bool:
        """Whether the desk is as in the file of the session."""
        return self.path is not None and self.path.is_file() and self.read_desk().same_as(self._saved)

    def leave(self, then: Callable[[], None]) -> None:
        """Prompt for everything that is unsaved, unless it is saved in the session, then call `then`."""
        if self.is_saved:
            then()
        else:
            settle_all(self._features, lambda: self._bench.files.leave(then))

    def save(self) -> None:
        """Save to the file of the session, or to one that the user chooses."""
        if self.path is None:
            self.ask_save()
        else:
            self.save_as(self.path, self._by_reference)

    def ask_save(self) -> None:
        """Let the user choose a file, and how recordings are saved."""
        bench = self._bench
        folder = self.path.parent if self.path is not None else bench.files.recording_folder()
        start = self.path or (folder if folder.is_dir() else Path.home()) / f"{bench.document.robot.name} {stamp()}{SUFFIX}"
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Save session", str(start), ";;".join(KINDS))
        if path:
            self.save_as(with_format(path, KINDS[0]), kind == KINDS[1])

    def save_as(self, path: Path, by_reference: bool = False) -> None:
        """Save to a file; recordings by content or by reference."""
        self._bench.scene.setFocus()  # ends entries
        desk = self.read_desk()
        whole = self.desk.with_arrangement(desk)
        whole = replace(whole, tables={"saved": datetime.now(UTC).isoformat(timespec="seconds"), **whole.tables})
        self._texts[self._saving] = f"Saving {path.name}…", time.monotonic()

        def work(job: Job) -> tuple[Path, bool, Desk]:
            save_session(whole, path, by_reference, job.progress, job.cancelled)
            return path, by_reference, desk

        self._saving.start(work)

    def _on_saved(self, result: tuple[Path, bool, Desk] | None) -> None:
        if result is not None:
            self.path, self._by_reference, self._saved = result
            self._bench.preferences.add_recent(str(self.path.resolve()))
            last = Path(self._bench.preferences.now.last_recording)
            is_left_out = str(last) != self._recorded_before and last not in self._compared.files and last.is_file()
            left_out = f", without the recording {last.name}: it is not open" if is_left_out else ""
            self._bench.files.message_about.emit(SUBJECT, Severity.INFO, f"Saved {self.path}{left_out}")

    def _ask_notes(self) -> None:
        dialog = QInputDialog(self._bench.parent)
        dialog.setObjectName("session_notes_dialog")
        dialog.setWindowTitle("Session notes")
        dialog.setLabelText("Notes, which are saved in the session:")
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setTextValue(self._bench.state.notes)
        dialog.textValueSelected.connect(lambda text: setattr(self._bench.state, "notes", text))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # -- opening ---------------------------------------------------------------------------------------------------------------

    def open(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Read a session and show it; if it cannot be read, nothing changes.

        With `then`, which is called once it is open, it is recovered and has no file yet.
        """
        self._bench.startup.when(KernelStage.ALL, lambda: self._read(path, then))

    def _read(self, path: Path, then: Callable[[], None] | None) -> None:
        self._bench.files.give_up()
        self._texts[self._reading] = f"Opening {path.name}…", time.monotonic()
        large = Path(tempfile.mkdtemp(prefix="armature-session-"))
        self._folders.append(large)

        def work(job: Job) -> tuple[SavedSession, Callable[[], None] | None]:
            session = load_session(path, session_folder() / "parts", large, job.progress, job.cancelled)
            built_arm(session.arm.robot)
            return session, then

        self._reading.start(work)

    def _show(self, session: SavedSession, then: Callable[[], None] | None) -> None:
        robot, draft = session.arm
        self.desk.end_code()
        self._robot.given_up = True  # the user has answered the prompt
        if draft is None:
            self._bench.document.set_robot(robot)
        else:
            self._robot.reopen(draft)
        self._robot.given_up = False
        self.desk.held_code = self._held_code(session)
        remarks = [*session.remarks, *self.desk.open(session)]
        finish = partial(self._finish, session, remarks, then)
        if session.recordings:
            self._expected = session, finish
            self._recordings.open(session.recordings[0], of_open_robot=True)
        else:
            finish()

    def _forget(self) -> None:
        """Forget the session, because another robot is opened."""
        self.path = self._saved = self._expected = None
        self._bench.state.notes, self.desk.held_code = "", {}

    def _on_recording(self, _recording: object, path: Path) -> None:
        if self._expected is None or path != self._expected[0].recordings[0]:
            return
        (session, finish), self._expected = self._expected, None
        replay = self._bench.replay
        if replay.open.duration > 0:
            replay.seek(min(session.file.recordings[0].t / replay.open.duration, 1.0))
        for other in session.recordings[1:]:
            self._compared.lay_over(other)
        recent = [file for file in self._bench.preferences.now.recent_files if file != str(path.resolve())]
        self._bench.preferences.set(recent_files=tuple(recent))
        finish()

    def _finish(self, session: SavedSession, remarks: list[str], then: Callable[[], None] | None) -> None:
        bench, name = self._bench, session.path.name
        bench.banner.settle("open")
        QTimer.singleShot(0, bench.parent, lambda: self.desk.restore_fit(session.file))  # after the layout of the panels
        if then is None:
            self.path, self._by_reference = session.path, any(one.path for one in session.file.recordings)
            self._saved = self.read_desk()
            bench.preferences.add_recent(str(session.path.resolve()))
        else:
            self.path = self._saved = None
            self.keeper.keep()
            then()
            if session.arm.draft is not None:
                self._robot.recovered.emit()
        if remarks:
            bench.banner.show_message(Severity.WARNING, _omitted(session, remarks), remarks if len(remarks) > 1 else (), SUBJECT)
        if self.desk.held_code:
            what = ", ".join(f"{kind} {path.name}" for kind, (path, _) in self.desk.held_code.items())
            text = f"{name} contains Python code ({what}), which has not been run."
            bench.banner.show_offer(text, {"Read code…": self._ask_code, "Ignore": lambda: None})

    def _held_code(self, session: SavedSession) -> dict[str, tuple[Path, Values]]:
        """Files with the code of a session: those it came from if they are the same, else new ones."""
        held: dict[str, tuple[Path, Values]] = {}
        for name, text in session.code.items():
            table = session.file.code_by_table()[name]
            path = local_file(table.path)
            if path is None or path.suffix != ".py" or path.read_bytes() != text.encode():
                stem = "".join(c for c in Path(table.path).stem if c.isalnum() or c in "_-")[:60] or name
                path = session.folder / "code" / f"{stem}.py"
                path.parent.mkdir(parents=True, exist_ok=True)
                atomic_write(path, text)
            held[name] = path, table.values
        return held

    def _ask_code(self) -> None:
        code = dict(self.desk.held_code)
        texts = {name: path.read_text("utf-8", "replace") for name, (path, _) in code.items()}
        dialog = SessionCodeDialog("" if self.path is None else self.path.name, texts, self._bench.parent)
        dialog.accepted.connect(lambda: self.desk.run_code(code))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # -- messages --------------------------------------------------------------------------------------------------------------

    def _show_progress(self, runner: JobRunner, done: int, total: int) -> None:
        text, began = self._texts[runner]
        if time.monotonic() - began > PATIENCE:
            self._bench.banner.show_progress(text, round(1000 * done / max(total, 1)), 1000, runner.cancel)

    def _on_busy(self, busy: bool) -> None:
        if not busy and self._bench.banner.progress.isVisibleTo(self._bench.banner):
            self._bench.banner.dismiss()

    def _tell(self, text: str, subject: str = SUBJECT) -> None:
        self._bench.files.message_about.emit(subject, Severity.ERROR, text)


def _omitted(session: SavedSession, remarks: list[str]) -> str:
    """Message about parts that were omitted, in full for a single one."""
    newer = f", saved by the newer Armature {session.file.program}," if session.file.format > FORMAT else ""
    names = list(dict.fromkeys(remark.partition(":")[0] for remark in remarks))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    what = remarks[0] if len(remarks) == 1 else f"{', '.join(names[:MOST_NAMES])}{more}"
    return f"{session.path.name}{newer} was opened without {what}."
