"""Dragging the hand: the gizmo at the tool moves the arm through inverse kinematics, by mouse and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QSizePolicy

from armature import engine
from armature.app.feature import Feature
from armature.app.hand import hand_modes
from armature.app.hand.hand_keys import HandKeys
from armature.app.hand.hand_modes import HandMode
from armature.app.hand.hand_mover import HandMover
from armature.app.scene.gizmo.gizmo_handles import KNOB, NAMES, RINGS, offered
from armature.app.state.engine_startup import KernelStage
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import capital
from armature.app.widgets.actions import Command, block
from armature.app.widgets.restyle import set_style_property

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

HAND = "Edit/Tool motion"


class HandFeature(Feature):
    """Decides what the gizmo offers, and joins it with document, settings and status line."""

    commands = (
        *block(
            "Edit",
            4.0,
            Command(
                "gizmo",
                "Drag the tool",
                "gizmo",
                ("H",),
                "Show arrows, rings and planes at the tool; drag them to move the tool",
                True,
                bar=4.0,
            ),
        ),
        *block(
            HAND,
            1.0,
            Command("hand_pose", "Position and orientation", tip="Drag the full pose of the tool", checkable=True, group="hand"),
            Command(
                "hand_position", "Position only", tip="Drag the position; the orientation is free", checkable=True, group="hand"
            ),
            Command(
                "hand_locked",
                "Orientation locked",
                tip="Drag the position; the orientation is constant",
                checkable=True,
                group="hand",
            ),
        ),
        *block(
            HAND,
            2.0,
            Command(
                "gizmo_tool_axes",
                "Drag along tool axes",
                "",
                ("Shift+H",),
                "Use the axes of the tool instead of the world axes",
                True,
                help=0.9,
            ),
        ),
        *block(
            HAND,
            3.0,
            Command("jog_next", "Next jog axis", "", ("Alt+Right",), "Select the next axis for the jog keys"),
            Command("jog_previous", "Previous jog axis", "", ("Alt+Left",), "Select the previous axis for the jog keys"),
            Command("jog_forward", "Jog forward", "", ("Alt+Up",), "Move the tool by 1 cm or 1° along the selected axis"),
            Command("jog_back", "Jog back", "", ("Alt+Down",), "Move the tool back by 1 cm or 1° along the selected axis"),
            Command("jog_forward_fine", "Jog forward, fine", "", ("Alt+Shift+Up",), "Move the tool by 1 mm or 0.1°"),
            Command("jog_back_fine", "Jog back, fine", "", ("Alt+Shift+Down",), "Move the tool back by 1 mm or 0.1°"),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench, self._ready, self._obstacle = bench, False, ""
        self._status = QLabel()

    def wire(self) -> None:
        """Wire actions, gizmo and document."""
        bench, actions = self._bench, self._bench.actions
        self._gizmo, self._mover = bench.scene.gizmo, HandMover(bench)
        self._keys = HandKeys(actions, self._mover, self._gizmo)
        self._show_status()
        for signal, slot in (
            (self._gizmo.grabbed, lambda _: self._mover.begin()),
            (self._gizmo.moved, self._mover.go_to),
            (self._gizmo.knob_moved, self._mover.elbow_to),
            (self._gizmo.released, self._mover.end),
            (self._gizmo.cancelled, self._mover.cancel),
            (self._gizmo.hovered, self._hint),
            (self._mover.told, self._tell),
            (bench.document.robot_closing, self._keys.let_go),
            (bench.replay.opening, self._keys.let_go),
            (bench.document.robot_changed, self._on_robot),
            (bench.document.q_changed, self._on_q),
            (bench.readouts.changed, self._mover.read),
            (bench.simulation.running_changed, self._on_running),
        ):
            signal.connect(slot)
        bench.startup.when(KernelStage.HAND, self._on_ready)
        now = bench.preferences.now
        for name, on in (("gizmo", now.gizmo), ("gizmo_tool_axes", now.gizmo_tool_axes)):
            actions[name].setChecked(on)
            actions[name].toggled.connect(lambda on, name=name: self._choose(name, on))
        for mode in HandMode:
            actions[f"hand_{mode}"].setChecked(bench.preferences.now.hand_mode == mode)
            actions.on(f"hand_{mode}", lambda mode=mode: self._choose("hand_mode", mode.value))
        self._keys.enable(False)

    def shut_down(self) -> None:
        """End what is under way."""
        self._keys.let_go()

    @property
    def mode(self) -> HandMode:
        """The mode in force: the chosen one where this robot has it."""
        wanted = HandMode(self._bench.preferences.now.hand_mode)
        return wanted if wanted in hand_modes.choices(self._bench.document.robot) else HandMode.POSE

    def _choose(self, name: str, value) -> None:
        self._bench.preferences.set(**{name: value})
        self._refit()

    def _on_ready(self) -> None:
        if self._ready:
            return
        self._ready = True
        self._on_robot(self._bench.document.robot)

    def _on_robot(self, robot) -> None:
        if not self._ready:
            return
        try:
            engine.ik(robot, engine.frame_pose(robot, robot.configurations["home"]), restarts=0)
            self._obstacle = ""
        except engine.EngineError as error:
            self._obstacle = f"The tool cannot be dragged. {error}"
        self._refit()

    def _refit(self) -> None:
        """Offer what robot, mode and axes allow."""
        if not self._ready:
            return
        bench, robot, now = self._bench, self._bench.document.robot, self._bench.preferences.now
        shown = now.gizmo and not self._obstacle
        self._keys.let_go()
        self._mover.set_mode(robot, self.mode)
        for mode in HandMode:
            bench.actions[f"hand_{mode}"].setEnabled(mode in hand_modes.choices(robot))
        self._keys.enable(shown)
        self._gizmo.say()
        self._gizmo.look.in_tool_axes = now.gizmo_tool_axes
        self._gizmo.set_shown(shown)
        self._tell(self._obstacle if now.gizmo else "", Severity.WARNING)
        self._on_q(bench.document.q)

    def _on_q(self, q) -> None:
        """The arm is elsewhere: which axes can be dragged, and where the elbow is."""
        look, robot = self._gizmo.look, self._bench.document.robot
        if not (self._ready and look.shown):
            return
        handles, knob, spare = offered(hand_modes.draggable(robot, self.mode), look.R_WG), None, self._mover.spare
        if spare.robot is robot and spare.possible:
            knob = spare.knob(q, stay=self._mover.moving)
        look.knob, look.way = knob if knob is not None else (None, None)
        handles += (KNOB,) if knob is not None else ()
        if handles != look.handles:
            self._gizmo.offer(handles)

    def _on_running(self, running: bool) -> None:
        if running and self._mover.moving:
            self._bench.scene.pointer.drop()
            self._keys.let_go()

    # -- words -----------------------------------------------------------------------------------------------------------------

    def _show_status(self) -> None:
        self._status.setObjectName("readout_hand")
        self._status.setAccessibleName("Tool dragging")
        self._status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # a long text widens no window
        self._status.setIndent(10)
        self._bench.status_line.insertWidget(0, self._status, 3)

    def _hint(self, handle: str) -> None:
        step = "" if handle == KNOB else f", with Ctrl in steps of {'5°' if handle in RINGS else '5 cm'}"
        self._tell(f"{NAMES[handle]}: drag{step}; Esc cancels" if handle else "")

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        text = capital(text)
        if text != self._status.text():
            self._status.setText(text)
            self._status.setToolTip(text)
            set_style_property(self._status, "severity", severity.value)
