"""A pair of links or objects, explained: distance, points, normal, and the joint motions that open it or end all contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.contact.pair_panel import WAITING, PairPanel
from armature.app.contact.pair_texts import cause, distance, motions, numbers, openers, title
from armature.app.feature import Feature
from armature.app.joints.pose_glide import PoseGlide
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.app.state.units import Units
    from armature.app.workbench import Workbench
    from armature.engine.contact.collision import Contact

BY = 0.01  # m
NEAR = 0.2  # m, of pairs that can be chosen
SHOWN = 8_000  # ms


class PairFeature(Feature):
    """Explains a pair while its dock is visible, and opens it."""

    dock: Dock
    commands = block(
        "Edit/Tool motion",
        4.1,
        Command("contacts", "Contacts of this pose", "", ("Shift+D",), "Explain a collision or the nearest pair, and open it"),
    )

    def __init__(self, bench: Workbench):
        self._bench, self.panel = bench, PairPanel()
        self.dock = Dock("contacts", "Contacts", self.panel, RIGHT, {})
        self._pair: Contact | None = None
        self._joints: list[int | None] = []  # of the motions that open the pair; None: all joints
        self._frees: list[np.ndarray] = []  # motions that end all contacts, which are listed instead
        self._shown: tuple[Contact | None, Units] | None = None

    def wire(self) -> None:
        """Connect panel and clock."""
        self.glide = PoseGlide(self._bench)
        self.panel.go_requested.connect(self._go)
        self.panel.chosen.connect(lambda: setattr(self, "_shown", None))
        self._bench.actions.on("contacts", self.dock.bring_up)
        self._bench.clock.reading.connect(self._on_reading)

    def shut_down(self) -> None:
        """End the motion."""
        self.glide.stop()

    def _on_reading(self) -> None:
        """Show the chosen pair in the pose that is shown."""
        item, units = self._bench.scene.stage.clearance, self._bench.preferences.units
        if not on_screen(self.panel) or self._shown == (item.nearest, units):
            return
        self._shown, pairs = (item.nearest, units), item.near(NEAR)
        self.panel.show_pairs([_name(contact) for contact in pairs])
        chosen = (contact for contact in pairs if _name(contact) == self.panel.pairs.currentData())
        contact = self._pair = next(chosen, item.nearest)
        if contact is None or item.nearest is None or item.tested is None:
            self.panel.show_pair(WAITING)
            return
        from armature.engine.contact.freeing_motion import freeing_motions  # numba: not while a window opens
        from armature.engine.contact.opening_motion import steepest

        robot, q, nearest = item.tested.robot, self._bench.scene.q, item.nearest
        touches = nearest.distance <= 0
        joints = openers(robot, contact.gradient, _by(contact))
        frees = freeing_motions(item.tested, q, nearest.distance, nearest.gradient) if touches else []
        self._frees = [move * (np.arange(robot.n) == j) for j, move in frees]
        self._joints = [None, *joints] if joints else []
        moves = self._frees or [_by(contact) * steepest(robot, contact.gradient, j) for j in self._joints]
        rows = [motions(robot, move, units) for move in moves]
        if rows and not frees:
            if rows[0] == rows[1]:
                del rows[0], self._joints[0]
            else:
                rows[0] = f"all joints: {rows[0]}"
        level = Level.STOP if touches else Level.FINE
        act = "End all contacts" if frees else "Open the pair" if contact.distance <= 0 else "Open by 10 mm"
        self.panel.show_pair(title(contact), level, numbers(contact), cause(robot, contact.gradient, joints, units), rows, act)

    def _go(self) -> None:
        model, contact = self._bench.scene.stage.clearance.tested, self._pair
        q, row = self._bench.document.q, self.panel.list.currentItem()
        if model is None or contact is None or row is None:
            return
        k = self.panel.list.currentRow()
        if self._frees:
            end, result, step = q + self._frees[k], f"{row.text()} frees the arm", "end all contacts"
        else:
            from armature.engine.contact.opening_motion import opening_motion  # numba: not while a window opens

            by, pair = _by(contact), " and ".join(contact.pair)
            motion = opening_motion(model, q, contact.pair, by, self._joints[k])
            why = "" if motion.opened > 0.9 * by else ", no farther because of the limits and the geometry of the joints"
            if motion.obstacle is not None:
                why = f"; farther, {' would hit '.join(motion.obstacle)}"
            end, result, step = motion.q, f"Opened {pair} by {distance(motion.opened)}{why}", f"open {pair}"
        self._bench.status_line.showMessage(result, SHOWN)
        self.glide.go_to(end, step)


def _name(contact: Contact) -> str:
    """Name of a pair in the list of pairs."""
    return " – ".join(contact.pair)


def _by(contact: Contact) -> float:
    """Return the distance in m by which a pair is to be opened."""
    return BY + max(0.0, -contact.distance)
