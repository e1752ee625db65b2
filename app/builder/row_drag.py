"""`RowDrag`: lengths and angles of a row of the DH table, dragged in the view."""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees, pi, radians
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.live_edit import LiveEdit
from armature.app.scene.overlays.kinematics.row_handles import FRAME

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft

DECIMALS, DECIMALS_TURN = 4, 1  # of a length in m and an angle in degrees that are dragged
TITLES = {"theta": "θ", "alpha": "α", FRAME: "d and a"}


class RowDrag(QObject):
    """The arm follows the hand; one drag is one undo step."""

    def __init__(self, bench: Workbench, edit: LiveEdit):
        super().__init__(bench.parent)
        self._bench, self._edit = bench, edit
        self._joint, self._quantity = -1, ""
        self._wanted: Mapping[str, float] = {}
        self._made: RobotDraft | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # of many moves of the mouse the latest counts
        self._soon.timeout.connect(self._follow)

    def wire(self) -> None:
        """Follow the pointer."""
        pull = self._bench.scene.row_pull
        pull.grabbed.connect(self._begin)
        pull.moved.connect(self._on_moved)
        pull.released.connect(self._end)
        pull.cancelled.connect(self._cancel)

    @property
    def dragging(self) -> bool:
        """Whether something of a row is in hand."""
        return self._quantity != ""

    def _begin(self, quantity: str) -> None:
        self._joint, self._quantity = self._bench.scene.stage.row_handles.joint, quantity
        self._wanted, self._made = {}, None

    def _on_moved(self, values: Mapping[str, float]) -> None:
        self._wanted = {quantity: _rounded(quantity, value) for quantity, value in values.items()}
        self._soon.start()

    def _follow(self) -> None:
        draft = self._edit.draft
        if draft is None or not self._wanted or not self.dragging:
            return
        try:
            for quantity, value in self._wanted.items():
                draft = draft.with_value(("joints", self._joint, quantity), value)
        except engine.ModelError as error:
            self._edit.told.emit(refusal(error))
            return
        self._made = draft
        self._edit.told.emit("")
        self._edit.show_tried(draft)

    def _end(self) -> None:
        if self._soon.isActive():
            self._soon.stop()
            self._follow()
        made, title = self._made, f"{TITLES.get(self._quantity, self._quantity)} of joint {self._joint + 1}"
        self._stop()
        if made is not None:
            self._edit.do(lambda _: made, title)

    def _cancel(self) -> None:
        self._soon.stop()
        self._edit.give_up()
        self._stop()

    def _stop(self) -> None:
        self._quantity, self._wanted, self._made = "", {}, None


def _rounded(quantity: str, value: float) -> float:
    """A length, or an angle within half a turn, to as many digits as a hand can mean."""
    if quantity in ("d", "a"):
        return round(value, DECIMALS)
    return radians(round(degrees((value + pi) % (2 * pi) - pi), DECIMALS_TURN))
