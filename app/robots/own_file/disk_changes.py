"""`DiskChanges`: another program has written the open robot's file: taken, or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from armature import engine
from armature.app.robots.own_file.file_watch import FileWatch
from armature.app.state.severity import Severity

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

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
