"""The open robot's file: saved, confirmed before it is left, and watched on the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog, QMessageBox

from armature import engine
from armature.app.feature import Feature
from armature.app.state.files import with_format
from armature.app.state.notice import Notice
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dialogs.unsaved_question import ask_unsaved

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft

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


SUBJECT = "robot file"


class DiskChanges:
    """Watches the file of the open robot, whether it is under edit or not; `keep_mine` writes the arm as it is here over it."""

    def __init__(self, bench: Workbench, keep_mine: Callable[[], None]):
        self._bench, self._keep_mine = bench, keep_mine
        self.watch = FileWatch(bench.parent)
        self.watch.touched.connect(self.look)

    def follow(self) -> None:
        """Another robot, or another file of it."""
        self.watch.watch(self._path())

    def _path(self) -> Path | None:
        """The open robot's file, None where it has none that can be edited, or its figures are in no file."""
        document = self._bench.document
        if document.draft is not None:
            return document.draft.path
        source = document.robot.source
        own = source is not None and source.suffix.lower() == ".toml" and not document.robot.changes
        return source if own else None

    def look(self) -> None:
        """The file on the disk may be another one now."""
        document, path = self._bench.document, self._path()
        if path is None:
            return
        if document.draft is not None:
            changed = document.draft.changed_on_disk()
        else:
            changed = document.robot.file_hash not in ("", _hash(path))
        if changed:
            self.offer(path)

    def offer(self, path: Path) -> None:
        """Tell of it, with what can be done."""
        offers = {} if self._bench.document.draft is None else {"Keep mine": self._keep_mine}
        if path.exists():
            text = f"{path.name} was changed by another program."
            offers = {"Reload": self.reload, **offers}
        else:
            text = f"{path.name} was deleted or moved."
        self._bench.banner.show_offer(text, offers)

    def reload(self) -> None:
        """Take what is on the disk, as an undo step where the file is under edit."""
        document, path = self._bench.document, self._path()
        draft = document.draft
        if path is None:
            return
        if draft is None:
            self._bench.files.open_robot(str(path))
            return
        try:
            new = engine.open_draft(path)
        except engine.EngineError as error:
            text = f"The file cannot be read; the arm is unchanged: {error}"
            self._bench.files.message_about.emit(SUBJECT, Severity.ERROR, text)
            return
        document.take_draft(replace(draft, saved_text=new.saved_text, disk_hash=new.disk_hash))
        if new.text != draft.text:
            document.edit_draft(new, "reload")


def _hash(path: Path) -> str:
    from armature.engine.model.draft.draft_files import hash_on_disk  # nothing that a start needs

    return hash_on_disk(path)


KIND = "Robots (*.toml)"
SHIPPED = "Built-in robots cannot be overwritten; save the robot under another name."


class RobotFileFeature(Feature):
    """Nothing of a person's work on a robot is lost: not by opening another one, nor by closing, nor by another program."""

    commands = block(
        "File",
        1.3,
        Command("save_robot", "Save robot", tip="Save the edited arm to its file; comments and sources are preserved"),
        Command("save_robot_as", "Save robot as…", tip="Save the arm as a new robot file"),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.disk = DiskChanges(bench, self.keep_mine)
        self.abandoned: Callable[[RobotDraft], None] = lambda draft: (
            None
        )  # is called with unsaved changes that are left unconfirmed
        self.given_up = False  # the user has discarded the unsaved changes
        self.recovered = Notice()
        self._question: QMessageBox | None = None
        self._last: RobotDraft | None = None  # the file under edit, as it was last heard of
        self._builder_in_view = False
        self._left: RobotDraft | None = None  # unsaved, and no more under edit: the arm has figures that are in no file

    def wire(self) -> None:
        """Wire commands, document and disk."""
        bench = self._bench
        bench.actions.on("save_robot", self.save)
        bench.actions.on("save_robot_as", self.ask_save)
        bench.files.guard = self.leave
        bench.document.draft_changed.connect(self._on_draft)
        bench.document.robot_closing.connect(self._on_closing)
        bench.replay.replaying_changed.connect(lambda _: self._share_key())
        self._on_draft()

    def shut_down(self) -> None:
        """Stop watching; changes that are in no open file are saved for the next start."""
        if self._left is not None and not self.given_up:
            self.abandoned(self._left)
        self.disk.watch.stop()

    def _on_draft(self) -> None:
        bench, draft = self._bench, self._bench.document.draft
        if draft is not None:
            self._left = None
        elif self._last is not None and self._last.changed:
            self._left = self._last
        self._last = draft
        if bench.parent.isWindowModified() != bench.document.unsaved:  # the window manager is told of every call
            bench.parent.setWindowModified(bench.document.unsaved)
        self.disk.follow()
        self._share_key()

    def set_builder_in_view(self, on: bool) -> None:
        """Give Ctrl+S to the robot file while the Builder is in view."""
        self._builder_in_view = on
        self._share_key()

    def _share_key(self) -> None:
        """Let Ctrl+S save the arm while the Builder is in view and no recording is open, and a recording otherwise."""
        bench = self._bench
        of_arm = self._builder_in_view and bench.document.draft is not None and not bench.replay.replaying
        key, none = [QKeySequence("Ctrl+S")], list[QKeySequence]()
        bench.actions["save_recording"].setShortcuts(none if of_arm else key)
        bench.actions["save_robot"].setShortcuts(key if of_arm else none)
        for name in ("save_recording", "save_robot"):
            bench.actions.explain(name)

    # -- saving ----------------------------------------------------------------------------------------------------------------

    def save(self, then: Callable[[], None] = lambda: None) -> None:
        """Save the arm in its file and go on with `then`; where it has none of its own yet, ask for a name."""
        draft = self._draft()
        if draft is None:
            return
        if draft.path is None:
            self.ask_save(then)
        elif not draft.changed and not draft.changed_on_disk():
            self._tell(Severity.INFO, f"{draft.path.name} has no unsaved changes.")
            then()
        else:
            self._write(draft, draft.path, False, then)

    def ask_save(self, then: Callable[[], None] = lambda: None) -> None:
        """Let the user choose a name."""
        draft = self._draft()
        if draft is None:
            return
        folder = self._bench.files.own_robot_folder() if draft.path is None or _is_shipped(draft.path) else draft.path.parent
        start = folder / f"{draft.robot.name}.toml"
        path, kind = QFileDialog.getSaveFileName(self._bench.parent, "Save robot", str(start), KIND)
        if path:
            target = with_format(path, kind)
            confirmed = target == Path(path)  # in the dialog, for this very file
            self._write(draft, target, confirmed and not _same(target, draft.path), then)

    def _write(self, draft: RobotDraft, path: Path, overwrite: bool, then: Callable[[], None]) -> None:
        bench = self._bench
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            saved = draft.saved_as(path, overwrite)
        except (engine.ModelError, OSError) as error:
            if isinstance(error, _changed_error()) and _same(path, draft.path):
                self.disk.offer(path)
            elif _is_shipped(path):
                self._tell(Severity.WARNING, SHIPPED)
                self.ask_save(then)
            else:
                self._tell(Severity.ERROR, f"The robot could not be saved: {error}")
            return
        bench.document.take_draft(saved)
        bench.preferences.add_recent(str(path.resolve()))
        bench.banner.settle(SUBJECT)
        self._tell(Severity.INFO, f"Saved {path}")
        then()

    def _draft(self) -> RobotDraft | None:
        """The file under edit; of an arm that nobody has edited yet, what would be written."""
        document = self._bench.document
        if document.draft is None:
            try:
                document.take_draft(engine.draft_of(document.robot))
            except engine.ModelError as error:
                self._tell(Severity.ERROR, f"The robot cannot be saved: {error}")
        return document.draft

    # -- leaving ---------------------------------------------------------------------------------------------------------------

    def leave(self, then: Callable[[], None]) -> None:
        """Do what gives up the open arm, unless its unsaved changes are to be kept."""
        document = self._bench.document
        self._bench.scene.setFocus()  # what is being typed counts
        if not document.unsaved:
            then()
            return
        if self._question is not None and shiboken6.isValid(self._question):
            self._question.reject()
        in_file, title = document.draft is not None and document.draft.path is not None, document.robot.title
        text = f"{title} has unsaved changes." if in_file else f"{title} has not been saved to a file."
        question = "Save the changes to its robot file?" if in_file else "Save it as a robot file?"
        answers = partial(self.save, then), partial(self._discard, then)
        self._question = ask_unsaved(self._bench.parent, text, question, *answers)

    def _discard(self, then: Callable[[], None]) -> None:
        self.given_up = True
        then()
        self.given_up = False  # unchanged if no other robot was opened

    def _on_closing(self) -> None:
        """Another robot comes: what the user was not asked about, as where a script opens one, is offered again."""
        draft = self._bench.document.draft or self._left
        self._last = self._left = None
        if draft is not None and draft.changed and not self.given_up:
            self.abandoned(draft)

    # -- the disk --------------------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """The file on the disk may be another one now."""
        self.disk.look()

    def keep_mine(self) -> None:
        """The arm as it is here goes over what is on the disk."""
        draft = self._draft()
        if draft is not None and draft.path is not None:
            self._write(draft, draft.path, True, lambda: None)

    # -- arms from elsewhere ---------------------------------------------------------------------------------------------------

    def begin(self, draft: RobotDraft, then: Callable[[], None] = lambda: None) -> None:
        """Open an arm that is in no file yet and go on with `then`; unsaved changes of the open one are confirmed before."""
        self.leave(lambda: self._open(draft, then))

    def _open(self, draft: RobotDraft, then: Callable[[], None]) -> None:
        self._bench.document.set_robot(draft.robot)
        self._bench.document.take_draft(draft)
        then()

    def reopen(self, draft: RobotDraft) -> None:
        """Open the draft of a session; undo returns to the content of its file."""
        try:
            before = None if draft.path is None else engine.open_draft(draft.path)
        except engine.ModelError:  # the file is gone or spoiled: there is nothing to go back to
            before = None
        if before is None or before.disk_hash != draft.disk_hash:
            self._open(draft, lambda: None)
            return
        document = self._bench.document
        document.set_robot(before.robot)
        document.take_draft(before)
        document.edit_draft(replace(draft, saved_text=before.saved_text), "unsaved changes")

    def _tell(self, severity: Severity, text: str) -> None:
        self._bench.files.message_about.emit(SUBJECT, severity, text)


def _same(path: Path, other: Path | None) -> bool:
    return other is not None and path.resolve() == other.resolve()


def _is_shipped(path: Path) -> bool:
    from armature.engine.model.draft.draft_files import is_shipped  # reads no robot: not before one is saved

    return is_shipped(path)


def _changed_error() -> type[Exception]:
    from armature.engine.model.draft.draft_files import FileChangedError

    return FileChangedError
