"""The cell of an open recording, compared with the open cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.recording.feature import RecordingFeature
from armature.engine.recording.recording_metadata import recorded_cell

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Cell, Recording


class ReplayContactsFeature(Feature):
    """Reports below the timeline that a recording was made in another cell."""

    needs = (RecordingFeature,)

    def __init__(self, bench: Workbench, recording: RecordingFeature):
        self._bench, self._panel = bench, recording.panel

    def wire(self) -> None:
        """Follow replay and cell."""
        self._bench.replay.replaying_changed.connect(lambda _: self._show())
        self._bench.cell.changed.connect(self._show)

    def _show(self) -> None:
        recording = self._bench.replay.recording
        self._panel.show_contacts("" if recording is None else other_cell(recording, self._bench.cell.now))


def other_cell(recording: Recording, cell: Cell) -> str:
    """Return a text if the recording was made in another cell, empty if in this one or if the cell is unknown."""
    recorded = recorded_cell(recording.metadata)
    if recorded is None or recorded[1] == cell.hash:
        return ""
    name = recorded[0]
    if name == cell.name:
        return f"The cell {name} has changed since this recording was made."
    return f"Recorded in the cell {name}, which is not the open cell ({cell.name})."
