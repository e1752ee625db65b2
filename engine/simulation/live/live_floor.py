"""`LiveFloor`: the floor under a live simulation, looked at as often as a snapshot is published."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.simulation.floor_watch import EVERY, Contact, FloorWatch
from armature.engine.simulation.live.live_recordings import LiveRecordings
from armature.engine.simulation.simulation_event import Event


class LiveFloor:
    """Tells each contact when it begins and when it is over, and has it recorded; lives on the worker's thread."""

    def __init__(self, robot: Robot, recordings: LiveRecordings, tell: Callable[[Event], None]):
        self._watch, self._recordings, self._tell = FloorWatch(robot), recordings, tell
        self._unseen: list[np.ndarray] = []

    def steps(self, states: np.ndarray) -> None:
        """States `(k, 1 + 4n)` that followed the last ones."""
        self._unseen.append(states)

    def look(self, at_once: bool = True) -> None:
        """Tells the contacts that began and ended since the last look; unless `at_once`, where there is enough to look at."""
        if not self._unseen or (not at_once and self._unseen[-1][-1, 0] - self._unseen[0][0, 0] < EVERY):
            return
        states, self._unseen = np.concatenate(self._unseen), []
        began, ended = self._watch.look(states)
        for contact in began:
            self._recordings.contact_began(contact)
            self._tell(contact.begun())
        self._end(ended)

    def end_recording(self) -> None:
        """The recording ends, not what goes on."""
        self.look()
        for contact in self._watch.going_on.values():
            self._recordings.contact_ended(contact)

    def leave(self) -> None:
        """The arm is put elsewhere: what was going on is over."""
        self.look()
        self._end(self._watch.restart())

    def set_model(self, robot: Robot) -> None:
        """The same arm with other figures."""
        self.look()
        self._watch.set_robot(robot)

    def _end(self, contacts: list[Contact]) -> None:
        for contact in contacts:
            self._recordings.contact_ended(contact)
            self._tell(contact.over())
