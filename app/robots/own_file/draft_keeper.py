"""`DraftKeeper`: unsaved changes are kept on the disk beside, and those that a killed run has left are offered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.engine.errors import EngineError

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft
    from armature.engine.model.draft.autosave import Autosave, LeftDraft

EVERY = 2000  # ms of editing after which what is unsaved is kept
SUBJECT = "unsaved robot"


class DraftKeeper(QObject):
    """Tells `recovered(draft, settled)` where a person wants unsaved changes back; `settled()` once they are open again, of which
    `reopened()` tells."""

    recovered = Signal(object, object)
    reopened = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self._autosave: Autosave | None = None
        self._soon = QTimer(self, singleShot=True, interval=EVERY)
        self._search = JobRunner("find-drafts", bench.parent)
        self._left: list[LeftDraft] = []
        self.given_up = False  # a person has said that nothing is to be kept

    def wire(self) -> None:
        """Follow the document, and look once the program is ready."""
        self._soon.timeout.connect(self.keep)
        self._bench.document.draft_changed.connect(self._on_draft)
        self._bench.startup.when(KernelStage.ALL, lambda: self._search.start(lambda _: _left()))
        self._search.finished.connect(self._on_found)

    def keep(self) -> None:
        """Write what is unsaved now."""
        draft = self._bench.document.draft
        if draft is not None and draft.changed:
            self._autosave = self._write(draft, self._autosave)

    def _write(self, draft: RobotDraft, autosave: Autosave | None = None) -> Autosave:
        from armature.engine.model.draft.autosave import Autosave  # nothing that a start needs

        autosave = Autosave() if autosave is None else autosave
        try:
            autosave.keep(draft)
        except EngineError as error:
            self._bench.files.message_about.emit(
                SUBJECT, Severity.WARNING, f"Unsaved changes cannot be backed up, so save the robot soon: {error}"
            )
        return autosave

    def forget(self) -> None:
        """Nothing is unsaved any more, or it is not wanted."""
        self._soon.stop()
        if self._autosave is not None:
            self._autosave.close()
            self._autosave = None

    def put_aside(self, draft: RobotDraft) -> None:
        """Another robot takes the place of an unsaved one, unconfirmed: the draft stays on the disk, and is offered."""
        self.forget()
        autosave = self._write(draft)
        text = f"Another robot was opened; unsaved changes to {draft.robot.title} can be recovered."
        self._offer(text, lambda: self.recovered.emit(draft, autosave.close), autosave.close)

    def stop(self) -> None:
        """The window closes: what is unsaved and was not given up is there at the next start."""
        self._search.stop()
        self._soon.stop()
        if self._bench.document.unsaved and not self.given_up:
            self.keep()
        else:
            self.forget()

    def _on_draft(self) -> None:
        if not self._bench.document.unsaved:
            self.forget()
        elif not self._soon.isActive():
            self._soon.start()

    def _on_found(self, found: list[LeftDraft]) -> None:
        """What killed runs have left, the newest first, one after the other."""
        self._left = found
        if not found:
            return
        left = found[0]
        when = f"{left.changed:%Y-%m-%d %H:%M}"
        text = f"Armature was closed unexpectedly; unsaved changes of {left.name} from {when} can be recovered."
        self._offer(text, partial(self._recover, left), partial(self._settle, left))

    def _offer(self, text: str, recover: Callable[[], None], discard: Callable[[], None]) -> None:
        self._bench.banner.show_offer(text, {"Recover": recover, "Delete": discard, "Later": lambda: None})

    def _recover(self, left: LeftDraft) -> None:
        try:
            draft = left.recovered()
        except EngineError as error:
            self._bench.files.message_about.emit(SUBJECT, Severity.ERROR, f"{left.name} cannot be recovered: {error}")
            return
        self.recovered.emit(draft, partial(self._settle, left))

    def _settle(self, left: LeftDraft) -> None:
        left.discard()
        self._on_found(self._left[1:])


def _left() -> list[LeftDraft]:
    from armature.engine.model.draft.autosave import left_drafts

    return left_drafts()
