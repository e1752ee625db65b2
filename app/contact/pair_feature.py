"""The nearest pair of links or objects, explained: distance, points, normal, and the joint motions that open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

BY = 0.01  # m, and the clearance that ends a contact


class PairFeature(Feature):
    """Explains the nearest pair while its dock is visible, and opens it."""

    dock: Dock
    commands = block(
        "Edit/Tool motion",
        4.1,
        Command("contacts", "Contacts of this pose", "", ("Shift+D",), "Explain the nearest pair, and open it"),
    )

    def __init__(self, bench: Workbench):
        self._bench, self.panel = bench, PairPanel()
        self.dock = Dock("contacts", "Contacts", self.panel, RIGHT, {})
        self._joints: list[int | None] = []  # of the listed motions; None: all joints
        self._shown: tuple[Contact | None, Units] = None, bench.preferences.units

    def wire(self) -> None:
        """Connect panel and clock."""
        self.glide = PoseGlide(self._bench)
        self.panel.go_requested.connect(self._go)
        self._bench.actions.on("contacts", self.dock.bring_up)
        self._bench.clock.reading.connect(self._on_reading)

    def set_robot(self, robot) -> None:
        """Clear the remark about the pairs of the other robot."""
        self.panel.show_remark("")

    def shut_down(self) -> None:
        """End the motion."""
        self.glide.stop()

    def _on_reading(self) -> None:
        """Show the pair in the pose that is shown."""
        item, units = self._bench.scene.stage.clearance, self._bench.preferences.units
        contact = item.nearest
        if not on_screen(self.panel) or self._shown == (contact, units):
            return
        self._shown = contact, units
        if contact is None or item.tested is None:
            self.panel.show_pair(WAITING)
            return
        from armature.engine.contact.opening_motion import steepest  # numba: not while a window opens

        robot = item.tested.robot
        joints = openers(robot, contact.gradient, _by(contact))
        self._joints = [None, *joints] if joints else []
        rows = [motions(robot, _by(contact) * steepest(robot, contact.gradient, j), units) for j in self._joints]
        rows[:1] = [f"fastest: {row}" for row in rows[:1]]
        level = Level.STOP if contact.distance <= 0 else Level.FINE
        self.panel.show_pair(title(contact), level, numbers(contact), cause(robot, contact.gradient, joints, units), rows)

    def _go(self) -> None:
        item, k = self._bench.scene.stage.clearance, self.panel.list.currentRow()
        model, contact = item.tested, item.nearest
        if model is None or contact is None or not 0 <= k < len(self._joints):
            return
        from armature.engine.contact.opening_motion import opening_motion  # numba: not while a window opens

        pair, by = contact.pair, _by(contact)
        motion = opening_motion(model, self._bench.document.q, pair, by, self._joints[k])
        why = "" if motion.opened > 0.9 * by else ", no farther because of the limits and the geometry of the joints"
        if motion.obstacle is not None:
            why = f"; farther, {' would hit '.join(motion.obstacle)}"
        opened = distance(motion.opened)
        self.panel.show_remark(f"Opened {' and '.join(pair)} by {opened}{why}.")
        self.glide.go_to(motion.q, f"open {' and '.join(pair)}")


def _by(contact: Contact) -> float:
    """Return the distance in m by which a pair is to be opened."""
    return BY + max(0.0, -contact.distance)
