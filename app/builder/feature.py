"""The builder: the open arm edited in the dock and in the view, and new ones begun."""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees, pi, radians
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from armature import engine
from armature.app.builder.entries import refusal
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.new.new_robot import NewRobotDialog
from armature.app.builder.panel import BuilderPanel
from armature.app.feature import Feature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.scene.overlays.kinematics.row_handles import FRAME
from armature.app.state.engine_startup import KernelStage
from armature.app.state.slices import REST, Slices, Steps
from armature.app.widgets.on_screen import on_screen
from armature.engine.model.draft.new_drafts import draft_from_text

if TYPE_CHECKING:
    from armature.app.widgets.dock import Dock
    from armature.app.workbench import Workbench
    from armature.engine import Robot, RobotDraft

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


class BuilderFeature(Feature):
    """Works while its dock can be seen: then the robot's file is under edit, and the view has its frames and a row's handles."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, files: RobotFileFeature):
        self._bench, self.dock, self._files = bench, dock, files
        self.edit = LiveEdit(bench)
        self.panel = BuilderPanel(self.edit, bench.preferences.units)
        self.drag = RowDrag(bench, self.edit)
        self._active = False
        self._looking = Slices(self.panel)
        self._dialog: NewRobotDialog | None = None

    def wire(self) -> None:
        """Wire dock, document, view and units."""
        bench, panel = self._bench, self.panel
        self.edit.wire()
        self.drag.wire()
        self.edit.tried.connect(self._on_tried)
        panel.new_wanted.connect(self.ask_new)
        panel.save_wanted.connect(self._files.save)
        panel.table.chosen.connect(self._on_chosen)
        panel.link.chosen.connect(self._on_chosen)
        panel.arm.home_wanted.connect(self._take_home)
        bench.document.draft_changed.connect(self._show)
        bench.preferences.units_changed.connect(lambda _: self._show())
        bench.scene.joint_selected.connect(self._on_selected)
        bench.startup.when(KernelStage.ALL, self._soon)
        self.dock.visibilityChanged.connect(lambda _: self._soon())

    def set_robot(self, robot: Robot) -> None:
        """Another robot: its file is read where the dock is seen."""
        if not self._bench.document.edited:
            self.panel.joint = 0
            self._soon()

    def shut_down(self) -> None:
        """Nothing stays open."""
        self._looking.stop()
        if self._dialog is not None:
            self._dialog.close()

    def bring_up(self) -> None:
        """Show it with the focus in the table."""
        self.dock.bring_up()
        self.panel.table.table.setFocus()

    def ask_new(self) -> None:
        """Ask what a new robot is to begin with."""
        if self._dialog is None:
            self._dialog = NewRobotDialog(self._bench.parent)
            self._dialog.chosen.connect(self._begin_new)
        document = self._bench.document
        self._dialog.begin(document.robot, document.draft)

    def _begin_new(self, draft: RobotDraft) -> None:
        made = draft_from_text(draft.text)  # in no file yet: confirmed before it is left, as edits are
        self._files.begin(made, lambda: QTimer.singleShot(0, self.panel, self.bring_up))

    # -- while it is seen ------------------------------------------------------------------------------------------------------

    def _soon(self) -> None:
        self._looking.start(self._look())

    def _look(self) -> Steps:
        """The dock was opened, closed, or went behind another tab; or another robot is open."""
        active = self.dock.isVisible() and on_screen(self.panel)
        if not active:
            self.edit.give_up()
        elif self._bench.document.draft is None:
            self.edit.begin()
            yield REST
        if active != self._active:
            self._active = active
            self._files.set_builder_in_view(active)
            if active:
                self._files.look()
            else:
                self._release_view()
            self._bench.scene.set_overlay("frames", active or self._bench.actions["show_frames"].isChecked())
            yield REST
        self._fill()
        yield REST
        if self._editing:
            self._bench.scene.select_joint(self.panel.joint)
            yield REST
        self._point_out()

    def _release_view(self) -> None:
        """Remove handles, selection and error line, which only an edit in view explains."""
        scene = self._bench.scene
        self._point_out()
        if scene.selected == self.panel.joint:
            scene.select_joint(-1)
        self.edit.told.emit("")

    @property
    def _editing(self) -> bool:
        """Whether a draft is seen."""
        return self._active and self._bench.document.draft is not None

    def _show(self) -> None:
        """The draft of now in all pages, and its handles in the view."""
        self._fill()
        self._point_out()

    def _fill(self) -> None:
        """The draft of now in the page that is seen."""
        bench, draft = self._bench, self._bench.document.draft
        if self._active and draft is not None:
            self.panel.show_draft(draft, bench.preferences.units)
        elif self._active:
            self.panel.show_nothing(self.edit.why_not)

    def _point_out(self) -> None:
        """The joint that is edited, in the view."""
        scene = self._bench.scene
        if not self._editing:
            scene.row_pull.show(-1)
            return
        scene.select_joint(self.panel.joint)
        scene.row_pull.show(self.panel.joint)

    def _on_tried(self, draft: RobotDraft | None) -> None:
        """While something is dragged in the view, its numbers follow in the table."""
        now = draft or self._bench.document.draft
        if now is not None and self.drag.dragging:
            self.panel.table.model.show(now, self._bench.preferences.units)

    def _on_chosen(self, joint: int) -> None:
        if joint >= 0:
            self.panel.choose(joint)
            if self._active:
                self._point_out()

    def _on_selected(self, joint: int) -> None:
        """A link was clicked in the view."""
        if joint >= 0 and self._active and joint != self.panel.joint:
            self._on_chosen(joint)

    def _take_home(self) -> None:
        """The present pose is where the arm is opened."""
        q = self._bench.document.q.tolist()
        self.edit.do(lambda draft: draft.with_value(("configurations", "home"), q), "home pose")
