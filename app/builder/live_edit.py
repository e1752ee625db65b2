"""`LiveEdit`: what is typed in the builder is seen in the view at once, and what is entered is an undo step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.builder.entries import Entry, refusal
from armature.app.state.severity import Severity

if TYPE_CHECKING:
    from armature.app.state.edits.arm_edit import Origins
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft

PAUSED = "The simulation was paused because the arm is being edited."


class LiveEdit(QObject):
    """Edits the file of the open robot; `told(why)` says why something cannot be, "" that all can; `tried(draft)` tells what the
    view shows while something is typed, None once it is the arm itself again."""

    told = Signal(str)
    tried = Signal(object)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self._shown: RobotDraft | None = None  # in the view, while it is not the arm itself
        self._made: tuple[tuple, RobotDraft] | None = None  # of what was typed last
        self.why_not = ""  # nothing can be edited

    def wire(self) -> None:
        """Where the arm moves while something is typed, what is tried moves with it."""
        self._bench.document.q_changed.connect(self._on_q)

    @property
    def draft(self) -> RobotDraft | None:
        """The file of the open robot, None where it has not been begun or cannot be edited."""
        return self._bench.document.draft

    def begin(self) -> None:
        """Read the open robot's file to be edited; `why_not` tells where that cannot be."""
        document = self._bench.document
        self.why_not = ""
        if document.draft is not None:
            return
        try:
            document.take_draft(engine.draft_of(document.robot))
        except engine.ModelError as error:
            self.why_not = refusal(error)

    def try_out(self, entry: Entry, text: str) -> str:
        """Show the arm as it would be; why it cannot be, or nothing."""
        draft, why = self._typed(entry, text)
        if draft is not None:
            self.show_tried(draft)
        self.told.emit(why)
        return why

    def enter(self, entry: Entry, text: str) -> str:
        """Make it so, as one undo step; why it cannot be, or nothing."""
        draft, why = self._typed(entry, text)
        if draft is None:
            self.give_up()
        else:
            self._enter(draft, entry.title)
        self.told.emit(why)
        return why

    def do(self, change: Callable[[RobotDraft], RobotDraft], title: str, origins: Origins | None = None) -> bool:
        """Make a change that a button stands for, as one undo step; tells whether it could be. `origins` as in the document."""
        if self.draft is None:
            return False
        try:
            draft = change(self.draft)
        except engine.ModelError as error:
            self.give_up()
            self.told.emit(refusal(error))
            return False
        self._enter(draft, title, origins)
        self.told.emit("")
        return True

    def show_tried(self, draft: RobotDraft) -> None:
        """Show the arm of a draft that is not entered yet."""
        self._hold_still()
        self._shown = draft
        self._bench.scene.show_edited(draft.robot, self._bench.document.q)
        self.tried.emit(draft)

    def give_up(self) -> None:
        """What was tried is not wanted: the view shows the arm as it is."""
        if self._shown is not None:
            self._shown = None
            document = self._bench.document
            self._bench.scene.show_edited(document.robot, document.q)
            self.tried.emit(None)

    def _typed(self, entry: Entry, text: str) -> tuple[RobotDraft | None, str]:
        if self.draft is None:
            return None, self.why_not
        key = (entry.where, text, id(self.draft), self._bench.preferences.units)
        if self._made is not None and self._made[0] == key:
            return self._made[1], ""
        try:
            made = entry.typed(self.draft, text, self._bench.preferences.units)
        except engine.ModelError as error:
            return None, refusal(error)
        self._made = key, made
        return made, ""

    def _enter(self, draft: RobotDraft, title: str, origins: Origins | None = None) -> None:
        if self.draft is None or draft.text == self.draft.text:
            self.give_up()
            return
        self._hold_still()
        self._shown = None  # the view goes on to the arm that is entered
        self._bench.document.edit_draft(draft, title, origins=origins)

    def _hold_still(self) -> None:
        bench = self._bench
        bench.replay.close("the arm was edited")
        if bench.simulation.running:
            bench.simulation.pause()
            bench.banner.show_message(Severity.INFO, PAUSED, subject="builder")

    def _on_q(self, q) -> None:
        if self._shown is not None and len(q) == self._shown.robot.n:
            self._bench.scene.show_edited(self._shown.robot, q)
