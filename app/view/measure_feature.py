"""The tool that measures between two frames or points of the arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot


class MeasureFeature(Feature):
    """Switches it on and off."""

    commands = block(
        "View",
        1.4,
        Command("measure", "Measure", "", ("Ctrl+M",), "Distance, components and angle between two frames or points", True),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench

    def wire(self) -> None:
        """Wire the command, Escape and the units."""
        bench, hand = self._bench, self._bench.scene.measure
        bench.actions["measure"].toggled.connect(hand.set_on)
        hand.ended.connect(lambda: bench.actions["measure"].setChecked(False))

    def set_robot(self, robot: Robot) -> None:
        """What was measured was on the last one."""
        self._bench.scene.measure.restart()
