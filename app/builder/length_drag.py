"""`LengthDrag`: a length of the DH table, pulled in the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.live_edit import LiveEdit

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft

DECIMALS = 4  # of a length in m that is pulled


class LengthDrag(QObject):
    """The arm follows the hand; one drag is one undo step."""

    def __init__(self, bench: Workbench, edit: LiveEdit):
        super().__init__(bench.parent)
        self._bench, self._edit = bench, edit
        self._joint, self._quantity = -1, ""
        self._wanted: float | None = None
        self._made: RobotDraft | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # of many moves of the mouse the latest counts
        self._soon.timeout.connect(self._follow)

    def wire(self) -> None:
        """Follow the pointer."""
        lengths = self._bench.scene.lengths
        lengths.grabbed.connect(self._begin)
        lengths.moved.connect(self._on_moved)
        lengths.released.connect(self._end)
        lengths.cancelled.connect(self._cancel)

    @property
    def dragging(self) -> bool:
        """Whether a length is in hand."""
        return self._quantity != ""

    def _begin(self, quantity: str) -> None:
        self._joint, self._quantity = self._bench.scene.stage.pulled.joint, quantity
        self._wanted = self._made = None

    def _on_moved(self, _quantity: str, value: float) -> None:
        self._wanted = round(value, DECIMALS)
        self._soon.start()

    def _follow(self) -> None:
        draft, value = self._edit.draft, self._wanted
        if draft is None or value is None or not self.dragging:
            return
        try:
            self._made = draft.with_value(("joints", self._joint, self._quantity), value)
        except engine.ModelError as error:
            self._edit.told.emit(refusal(error))
            return
        self._edit.told.emit("")
        self._edit.show_tried(self._made)

    def _end(self) -> None:
        if self._soon.isActive():
            self._soon.stop()
            self._follow()
        made, title = self._made, f"{self._quantity} of joint {self._joint + 1}"
        self._stop()
        if made is not None:
            self._edit.do(lambda _: made, title)

    def _cancel(self) -> None:
        self._soon.stop()
        self._edit.give_up()
        self._stop()

    def _stop(self) -> None:
        self._quantity, self._wanted, self._made = "", None, None
