"""Contacts with the floor, told as they happen: the floor stops nothing, and says so."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.state.number_marks import said
from armature.app.state.severity import Severity
from armature.engine.errors import ModelError
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot

SUBJECT = "floor"
HOLDS_NOTHING = "Floor is visual only: it exerts no force, and the arm moves through it."
_MOST = 500  # contacts behind *Details*


class FloorFeature(Feature):
    """One message per run, with every contact behind *Details*; a pose by hand or a reset begins anew."""

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.contacts: dict[tuple[str, float | None], str] = {}

    def wire(self) -> None:
        """Hear of contacts, and of what ends them."""
        bench = self._bench
        bench.simulation.event_arrived.connect(self._on_event)
        bench.document.q_edited.connect(lambda _: self._forget())
        bench.actions.on("reset", self._forget)
        bench.replay.replaying_changed.connect(self._on_replaying)

    def set_robot(self, robot: Robot) -> None:
        """What was told belongs to the last one."""
        self._forget()

    def _on_replaying(self, on: bool) -> None:
        """A recording is shown over the floor that it was made with, which a scenario may have put elsewhere."""
        document, scene, robot = self._bench.document, self._bench.scene, self._bench.document.robot
        z = self._bench.replay.open.metadata.get("floor") if on else None
        if z is not None:
            with suppress(ModelError):  # of a damaged file
                robot = robot.with_floor(z)
        if scene.robot is not None and scene.robot.floor != robot.floor:
            scene.show_edited(robot, document.q)

    def _forget(self) -> None:
        if self.contacts:
            self.contacts = {}
            self._bench.banner.settle(SUBJECT)

    def _on_event(self, event: Event) -> None:
        stops = self._bench.preferences.now.stop_run_at_contact  # then one message reports the contact
        if stops or event.kind not in (EventKind.CONTACT, EventKind.CONTACT_ENDED):
            return
        first = not self.contacts and event.kind is EventKind.CONTACT
        if event.kind is EventKind.CONTACT or (event.link, event.t) in self.contacts:
            self.contacts[event.link, event.t] = said(event.text)
        lines = [f"{text}." for text in list(self.contacts.values())[-_MOST:]]
        if first:
            self._bench.banner.show_message(Severity.WARNING, f"{said(event.text)}. {HOLDS_NOTHING}", lines, SUBJECT)
        else:
            self._bench.banner.set_lines(SUBJECT, lines)
