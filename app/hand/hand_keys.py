"""The hand moved by keys: one handle is chosen, and every press takes a step along it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from armature.app.hand.hand_mover import HandMover
from armature.app.scene.gizmo.gizmo_handles import ARROWS, HANDLES, KNOB, NAMES, RINGS
from armature.app.scene.hands.gizmo import Gizmo
from armature.app.scene.hands.gizmo_drag import jogged
from armature.app.state.severity import Severity
from armature.app.style.running_application import running
from armature.app.widgets.actions import Actions

STEPS = {False: (0.01, np.radians(1.0)), True: (0.001, np.radians(0.1))}
"""One press, m and rad; and with Shift."""
LINGER = 1500  # ms that the amount can still be read
JOGS = ("jog_next", "jog_previous", "jog_forward", "jog_back", "jog_forward_fine", "jog_back_fine")
KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Alt)


class HandKeys(QObject):
    """All steps while a key is held are one gesture, which ends when it is let go."""

    def __init__(self, actions: Actions, mover: HandMover, gizmo: Gizmo):
        super().__init__(mover)
        self._actions, self._mover, self._gizmo = actions, mover, gizmo
        self._chosen, self._amount, self._R = ARROWS[0], 0.0, np.eye(3)
        self._held = False
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.setInterval(LINGER)
        self._fade.timeout.connect(gizmo.say)
        gizmo.grabbed.connect(self.let_go)
        for name, sign in (("jog_forward", 1), ("jog_back", -1)):
            actions.on(name, lambda sign=sign: self._jog(sign, fine=False))
            actions.on(f"{name}_fine", lambda sign=sign: self._jog(sign, fine=True))
        actions.on("jog_next", lambda: self._choose(1))
        actions.on("jog_previous", lambda: self._choose(-1))

    def enable(self, on: bool) -> None:
        """The keys count only while the gizmo is shown."""
        for name in JOGS:
            self._actions[name].setEnabled(on)

    def let_go(self, *_) -> None:
        """End the gesture and the timer."""
        self._fade.stop()
        if self._held:
            self._held = False
            running().removeEventFilter(self)
            self._mover.end()

    def eventFilter(self, watched, event) -> bool:
        """Watches for the end of a held key."""
        released = event.type() == QEvent.Type.KeyRelease and event.key() in KEYS and not event.isAutoRepeat()
        if released or event.type() == QEvent.Type.ApplicationDeactivate:
            self.let_go()
            self._fade.start()
        return False

    def _choose(self, step: int) -> None:
        shown = [name for name in HANDLES if name in self._gizmo.look.handles and name in (*ARROWS, *RINGS, KNOB)]
        self.let_go()
        if shown:
            k = shown.index(self._chosen) + step if self._chosen in shown else 0
            self._chosen = shown[k % len(shown)]
            self._gizmo.light(self._chosen)
            self._mover.told.emit(f"{NAMES[self._chosen]}: Alt+Up and Alt+Down; with Shift: fine steps", Severity.INFO)

    def _jog(self, sign: int, fine: bool) -> None:
        if self._chosen not in self._gizmo.look.handles:
            self._choose(0)
        look = self._gizmo.look
        if self._chosen not in look.handles or look.active:
            return
        if not self._held:
            self._fade.stop()
            if not self._mover.begin():
                return
            self._held, self._amount, self._R = True, 0.0, look.R_WG.copy()
            running().installEventFilter(self)
        self._gizmo.light(self._chosen)
        length, angle = STEPS[fine]
        if self._chosen == KNOB:
            self._mover.elbow_by(sign * angle)
        else:
            self._amount += sign * (angle if self._chosen in RINGS else length)
            self._mover.go_to(jogged(self._mover.start, self._R, self._chosen, self._amount))
